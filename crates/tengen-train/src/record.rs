//! What is kept of a self-play game.

mod bytes;
mod reader;

use std::fmt::Write;

use tengen_core::{Color, Outcome, Reason, Rules, Size};
use tengen_sgf::{Collection, Node, NodeId};

pub use reader::{RecordError, RecordProblem, Records};

use crate::position::ReplayError;

/// A self-play game and what is to be learned from it.
///
/// Moves are numbers as in [`Actions`](tengen_env::Actions): points in reading order, the pass last.
#[derive(Clone, Debug, PartialEq)]
pub struct GameRecord {
    /// The board.
    pub size: Size,
    /// The rules, komi included.
    pub rules: Rules,
    /// All moves.
    pub moves: Vec<u16>,
    /// The turns to learn from, in order.
    pub targets: Vec<Target>,
    /// Whose each point was in the end, in reading order: 1 is Black's, -1 White's, 0 nobody's.
    pub ownership: Vec<i8>,
    /// By how many half-points Black was ahead in the end, komi included.
    pub lead_halves: i32,
    /// Who won, if anybody did.
    pub winner: Option<Color>,
    /// How the game ended.
    pub end: End,
    /// When one player had no hope any more, if that was so.
    pub hopeless: Option<Hopeless>,
    /// The seed that the game was played with.
    pub seed: u64,
    /// The training step of the network that played.
    pub network: u64,
}

/// A turn to learn from.
#[derive(Clone, Debug, PartialEq)]
pub struct Target {
    /// Its number, from 0.
    pub turn: u16,
    /// The improved policy: moves in order of their numbers, and their shares in parts of [`PARTS`]. Other moves have
    /// none.
    pub policy: Vec<(u16, u16)>,
    /// The probability that Black wins, as the search saw it.
    pub black_wins: f32,
    /// By how many points Black will be ahead, as the search saw it.
    pub black_lead: f32,
    /// How many simulations the search had.
    pub visits: u32,
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// Both players passed.
    Passes,
    /// Every point was settled for certain.
    Decided,
    /// It had lasted long enough, and was counted as it stood.
    MoveLimit,
}

/// A game in which one player had no hope any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hopeless {
    /// The turn after which this was clear.
    pub turn: u16,
    /// Who had no hope.
    pub loser: Color,
    /// Was the game played on as if nothing had happened? If not, the policy alone played the rest.
    pub played_on: bool,
}

/// The shares of a policy add up to this.
pub const PARTS: u16 = u16::MAX;

/// A policy in parts of [`PARTS`], in the order of the moves. Moves whose part rounds to nothing are left out.
///
/// ```
/// use tengen_train::{PARTS, quantized};
/// let policy = quantized(vec![(7, 0.5), (2, 0.5), (3, 0.0)]);
/// assert_eq!(policy, [(2, PARTS / 2 + 1), (7, PARTS / 2)]);
/// ```
pub fn quantized(mut shares: Vec<(u16, f32)>) -> Vec<(u16, u16)> {
    shares.sort_by_key(|(action, _)| *action);
    let share = |of: f32| f64::from(of.max(0.0));
    let total: f64 = shares.iter().map(|(_, of)| share(*of)).sum();
    if total <= 0.0 || !total.is_finite() {
        return Vec::new();
    }
    let exact = |of: f32| share(of) / total * f64::from(PARTS);
    let mut parts: Vec<(u16, u16)> = shares
        .iter()
        .map(|(action, of)| (*action, exact(*of).floor() as u16))
        .collect();
    // What rounding down has left goes to the largest remainders.
    let given: u32 = parts.iter().map(|(_, part)| u32::from(*part)).sum();
    let left = u32::from(PARTS).saturating_sub(given) as usize;
    let remainder = |place: usize| exact(shares[place].1) - f64::from(parts[place].1);
    let mut places: Vec<usize> = (0..shares.len()).collect();
    places.sort_by(|a, b| remainder(*b).total_cmp(&remainder(*a)));
    places.truncate(left);
    for place in places {
        parts[place].1 += 1;
    }
    parts.retain(|(_, part)| *part > 0);
    parts
}

impl GameRecord {
    /// How many turns are to be learned from.
    pub const fn positions(&self) -> usize {
        self.targets.len()
    }

    /// The game as people look at it, with what the search thought of the turns that are learned from.
    pub fn to_sgf(&self) -> Result<Collection, ReplayError> {
        let mut game = self.position(self.moves.len())?;
        let margin = self.lead_halves.unsigned_abs();
        game.end(self.winner.map_or(Outcome::Draw, |winner| {
            Outcome::Win(winner, Reason::Score(margin))
        }));
        let mut games = Collection::from_game(&game);
        // The root, then a node for each turn.
        let nodes: Vec<NodeId> = games
            .roots()
            .next()
            .map(|root| root.main_line().map(Node::id).collect())
            .unwrap_or_default();
        if let Some(root) = nodes.first() {
            let about = format!(
                "Self-play of network {}, seed {}. Ended by {}.",
                self.network,
                self.seed,
                match self.end {
                    End::Passes => "passes",
                    End::Decided => "a count of what was settled",
                    End::MoveLimit => "a count after the last move allowed",
                }
            );
            games.push_property(*root, "C", [about]);
        }
        for target in &self.targets {
            let Some(node) = nodes.get(usize::from(target.turn) + 1) else {
                continue;
            };
            let mut text = format!(
                "Black wins {:.1} %, lead {:+.1}, {} visits",
                100.0 * target.black_wins,
                target.black_lead,
                target.visits
            );
            let mut best = target.policy.clone();
            best.sort_by_key(|(_, part)| std::cmp::Reverse(*part));
            let actions = tengen_env::Actions::on(self.size);
            for (number, part) in best.iter().take(5) {
                if let Some(action) = actions.action(usize::from(*number)) {
                    let share = 100.0 * f64::from(*part) / f64::from(PARTS);
                    // Writing to a string does not fail.
                    let _ = write!(text, "\n{} {share:.1} %", action.to_gtp(self.size));
                }
            }
            games.push_property(*node, "C", [text]);
        }
        Ok(games)
    }
}
