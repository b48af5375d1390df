//! Which position of which game is meant.

use anyhow::Result;
use clap::Args;
use tengen_sgf::{Collection, Mode, Node, Replay};

use crate::failure::Usage;

/// Chooses a position of a record.
#[derive(Args)]
pub(crate) struct Chosen {
    /// The position after this move of the main line; the last one by default.
    #[arg(long = "move", value_name = "N")]
    number: Option<usize>,
    /// The game of a collection, from 1.
    #[arg(long, default_value_t = 1, value_name = "N")]
    game: usize,
}

impl Chosen {
    /// The root of the game.
    pub(crate) fn root<'a>(&self, collection: &'a Collection) -> Result<Node<'a>> {
        let games = collection.roots().count();
        let root = self
            .game
            .checked_sub(1)
            .and_then(|index| collection.roots().nth(index));
        root.ok_or_else(|| {
            let has = match games {
                1 => "1 game".to_owned(),
                _ => format!("{games} games"),
            };
            Usage::new(format_args!(
                "there is no game {}: the file has {has}",
                self.game
            ))
            .into()
        })
    }

    /// The game up to the chosen move, and the node of that move.
    pub(crate) fn replay<'a>(&self, root: Node<'a>) -> Result<(Replay, Node<'a>)> {
        let cannot = |problem: tengen_sgf::Diagnostic| Usage::new(problem.message);
        let mut replay = Replay::start(root, Mode::Lenient).map_err(cannot)?;
        let mut last = root;
        for node in root.main_line().skip(1) {
            if self.number.is_some_and(|number| replay.moves() >= number) {
                break;
            }
            replay.step(node).map_err(cannot)?;
            last = node;
        }
        match self.number {
            Some(number) if replay.moves() < number => {
                let moves = replay.moves();
                Err(Usage::new(format_args!(
                    "there is no move {number}: the game has {moves} moves"
                ))
                .into())
            }
            _ => Ok((replay, last)),
        }
    }
}
