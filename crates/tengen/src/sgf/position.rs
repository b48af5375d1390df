//! Which position of which game is meant.

use anyhow::Result;
use clap::Args;
use tengen_sgf::{Games, Mode, Node, Record, Replay};

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
    /// The record that holds the game, and the number of the game among its roots. Games before it are read and
    /// forgotten.
    pub(crate) fn record(&self, mut games: Games) -> Result<(Record, usize)> {
        let mut before = 0;
        while let Some(record) = games.next_game()? {
            let count = record.collection.roots().count();
            if (before + 1..=before + count).contains(&self.game) {
                return Ok((games.into_record(), self.game - 1 - before));
            }
            before += count;
        }
        let has = match before {
            1 => "1 game".to_owned(),
            _ => format!("{before} games"),
        };
        let problem = format!("there is no game {}: the file has {has}", self.game);
        Err(Usage::new(problem).into())
    }

    /// The root of a game.
    pub(crate) fn root(record: &Record, number: usize) -> Result<Node<'_>> {
        let root = record.collection.roots().nth(number);
        root.ok_or_else(|| Usage::new("the file has no game").into())
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
