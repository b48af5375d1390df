//! How a batch behaves, apart from the rules.

use tengen_core::{Rules, Size};

use crate::features::Features;
use crate::observer::Layout;

/// One game of a batch: its board and its rules, komi and length included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameSpec {
    /// The dimensions of the board.
    pub size: Size,
    /// The rules.
    pub rules: Rules,
}

/// How a batch behaves, apart from the rules.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// What becomes of games that have ended.
    pub reset: AutoReset,
    /// What becomes of a player who takes an action that is not legal.
    pub illegal: IllegalAction,
    /// The planes to write; `None` for masks alone.
    pub planes: Option<(Features, Layout)>,
    /// Where all random numbers come from.
    pub seed: u64,
    /// How many threads step the batch; 0 for one on each core.
    pub threads: usize,
}

/// What becomes of games that have ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum AutoReset {
    /// The step after the last one ignores its action and starts the game over.
    #[default]
    NextStep,
    /// The last step itself starts the game over; what it ended with is written apart.
    SameStep,
    /// Nothing: the game stands still, whatever the action, until it is reset.
    Disabled,
}

/// What becomes of a player who takes an action that is not legal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum IllegalAction {
    /// The step is refused, and nothing changes in any game.
    #[default]
    Refused,
    /// The player loses the game.
    Loses,
}
