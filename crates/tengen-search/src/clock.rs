//! The time that a player has.

use std::time::Duration;

use tengen_core::Size;

/// How the time of a game is regulated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TimeControl {
    /// As long as one likes.
    #[default]
    Unlimited,
    /// So much time for all moves.
    Absolute {
        /// For the whole game.
        main: Duration,
    },
    /// After the main time, periods in which so many stones must be played.
    Canadian {
        /// Before the periods begin.
        main: Duration,
        /// The length of a period.
        period: Duration,
        /// The stones of a period.
        stones: u32,
    },
    /// After the main time, periods that begin anew with every move that is made in time.
    Japanese {
        /// Before the periods begin.
        main: Duration,
        /// The length of a period.
        period: Duration,
        /// How many periods there are.
        periods: u32,
    },
    /// So much time for all moves, and more after each move.
    Fischer {
        /// At the beginning.
        main: Duration,
        /// After each move.
        increment: Duration,
    },
}

/// One player's clock: the regulation, and what is left.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Clock {
    control: TimeControl,
    /// What was left when somebody last said so.
    left: Option<Left>,
}

/// What is left on a clock, in the words of GTP's `time_left`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Left {
    /// Main time, or time of the period if there are stones or periods.
    pub time: Duration,
    /// The stones to be played in it (Canadian), or the periods that are left (Japanese); 0 during main time.
    pub stones: u32,
}

impl Clock {
    /// A clock at the start of a game.
    pub const fn new(control: TimeControl) -> Self {
        Self {
            control,
            left: None,
        }
    }

    /// How the time is regulated.
    pub const fn control(&self) -> TimeControl {
        self.control
    }

    /// Takes note of what is left.
    pub const fn set_left(&mut self, left: Left) {
        self.left = Some(left);
    }

    /// How long the next move may take, `None` if the clock does not limit it.
    ///
    /// `moves` is the number of moves that were played by both; `lag` is what is lost on the way with each move.
    pub fn for_move(&self, size: Size, moves: usize, lag: Duration) -> Option<Duration> {
        let main_share = |main: Duration| main.div_f64(moves_to_come(size, moves));
        let left = |main: Duration| self.left.map_or(main, |left| left.time);
        let share = match self.control {
            TimeControl::Unlimited => return None,
            TimeControl::Absolute { main } => main_share(left(main)),
            TimeControl::Fischer { main, increment } => {
                let left = left(main);
                // What the increment brings back may be spent, as far as it is there.
                (main_share(left) + increment.mul_f64(0.9)).min(left.mul_f64(0.8))
            }
            TimeControl::Canadian {
                main,
                period,
                stones,
            } => match self.left {
                Some(left) if left.stones > 0 => left.time / left.stones,
                _ if left(main).is_zero() => period / stones.max(1),
                // A move of the main time may take at least what one of a period may, while the main time lasts.
                _ => main_share(left(main)).max((period / stones.max(1)).min(left(main))),
            },
            TimeControl::Japanese { main, period, .. } => match self.left {
                Some(left) if left.stones > 0 => left.time,
                _ if left(main).is_zero() => period,
                _ => main_share(left(main)).max(period),
            },
        };
        Some(share.saturating_sub(lag).max(Duration::from_millis(5)))
    }
}

/// How many more moves this player will have to make, as far as one can say.
fn moves_to_come(size: Size, moves: usize) -> f64 {
    let area = size.area() as f64;
    // Games last about seven tenths of the points, a few of them much longer: a floor keeps time in hand for those.
    let expected = (0.75 * area - moves as f64) / 2.0;
    expected.max(0.12 * area).max(5.0)
}
