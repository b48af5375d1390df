//! A player's time, kept while nobody says what is left.

use std::time::Duration;

use tengen_search::{Clock, Left, TimeControl};

/// The time of one player: as `time_left` last said, less what was used since.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Timer {
    control: TimeControl,
    left: Left,
}

impl Timer {
    /// A timer at the start of a game.
    pub(crate) const fn new(control: TimeControl) -> Self {
        let time = match control {
            TimeControl::Unlimited => Duration::ZERO,
            TimeControl::Absolute { main }
            | TimeControl::Fischer { main, .. }
            | TimeControl::Canadian { main, .. }
            | TimeControl::Japanese { main, .. } => main,
        };
        Self {
            control,
            left: Left { time, stones: 0 },
        }
    }

    /// A new game begins.
    pub(crate) const fn restart(&mut self) {
        *self = Self::new(self.control);
    }

    /// Takes note of what the client says.
    pub(crate) const fn set_left(&mut self, left: Left) {
        self.left = left;
    }

    /// The clock as the search wants it.
    pub(crate) const fn clock(&self) -> Clock {
        let mut clock = Clock::new(self.control);
        clock.set_left(self.left);
        clock
    }

    /// A move took so long.
    pub(crate) fn spend(&mut self, used: Duration) {
        let Left { time, stones } = self.left;
        let over = used.saturating_sub(time);
        let rest = time.saturating_sub(used);
        self.left = match self.control {
            TimeControl::Unlimited => return,
            TimeControl::Absolute { .. } => Left { time: rest, stones },
            TimeControl::Fischer { increment, .. } => Left {
                time: rest + increment,
                stones,
            },
            // The main time lasts while something is left of it.
            TimeControl::Canadian { .. } | TimeControl::Japanese { .. }
                if stones == 0 && over.is_zero() =>
            {
                Left { time: rest, stones }
            }
            TimeControl::Canadian {
                period,
                stones: all,
                ..
            } => {
                let (time, to_play) = match stones {
                    0 => (period.saturating_sub(over), all),
                    _ => (rest, stones),
                };
                match to_play.saturating_sub(1) {
                    0 => Left {
                        time: period,
                        stones: all,
                    },
                    stones => Left { time, stones },
                }
            }
            TimeControl::Japanese {
                period, periods, ..
            } => {
                let had = if stones == 0 { periods } else { stones };
                let lost = match period.as_nanos() {
                    0 => 0,
                    length => (over.as_nanos() / length).min(u128::from(u32::MAX)) as u32,
                };
                // A period that was overrun is gone; the first begins when the main time ends.
                let lost = lost + u32::from(stones > 0 && !over.is_zero());
                Left {
                    time: period,
                    stones: had.saturating_sub(lost).max(1),
                }
            }
        };
    }
}

impl Default for Timer {
    fn default() -> Self {
        Self::new(TimeControl::Unlimited)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn seconds(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    fn after(control: TimeControl, moves: &[u64]) -> (u64, u32) {
        let mut timer = Timer::new(control);
        for used in moves {
            timer.spend(seconds(*used));
        }
        (timer.left.time.as_secs(), timer.left.stones)
    }

    #[test]
    fn time_runs_down_by_the_rules_of_each_control() {
        let main = seconds(60);
        assert_eq!(after(TimeControl::Absolute { main }, &[20, 30]), (10, 0));
        assert_eq!(after(TimeControl::Absolute { main }, &[70]), (0, 0));
        let increment = seconds(5);
        assert_eq!(
            after(TimeControl::Fischer { main, increment }, &[20, 10]),
            (40, 0)
        );
        let canadian = TimeControl::Canadian {
            main,
            period: seconds(30),
            stones: 3,
        };
        assert_eq!(after(canadian, &[50]), (10, 0));
        assert_eq!(after(canadian, &[50, 20]), (20, 2));
        assert_eq!(after(canadian, &[50, 20, 5]), (15, 1));
        assert_eq!(after(canadian, &[50, 20, 5, 5]), (30, 3));
        let japanese = TimeControl::Japanese {
            main,
            period: seconds(10),
            periods: 3,
        };
        assert_eq!(after(japanese, &[60]), (0, 0));
        assert_eq!(after(japanese, &[60, 4]), (10, 3));
        assert_eq!(after(japanese, &[60, 14]), (10, 2));
        assert_eq!(after(japanese, &[60, 4, 12]), (10, 2));
        assert_eq!(after(TimeControl::Unlimited, &[60]), (0, 0));
    }
}
