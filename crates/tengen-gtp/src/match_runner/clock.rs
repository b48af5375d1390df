//! The clock of one player in one game.

use std::time::Duration;

use crate::client::TimeSettings;

/// The clock of one player in one game: main time, then periods for so many stones.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clock {
    settings: TimeSettings,
    left: Duration,
    /// The stones to be played in the period; 0 during main time.
    stones: u32,
}

impl Clock {
    pub(crate) fn new(settings: TimeSettings) -> Self {
        let mut clock = Self {
            settings,
            left: Duration::from_secs(settings.main.into()),
            stones: 0,
        };
        if settings.main == 0 {
            clock.begin_period();
        }
        clock
    }

    fn begin_period(&mut self) {
        self.left = Duration::from_secs(self.settings.period.into());
        self.stones = self.settings.stones;
    }

    /// What GTP's `time_left` says: whole seconds, and the stones to be played in them.
    pub(crate) const fn left(&self) -> (u64, u32) {
        (self.left.as_secs(), self.stones)
    }

    /// Takes the time of a move off. `false` if that was more than there was.
    pub(crate) fn spend(&mut self, mut used: Duration) -> bool {
        let has_periods = self.settings.period > 0 && self.settings.stones > 0;
        if self.stones == 0 {
            if used <= self.left {
                self.left -= used;
                return true;
            }
            if !has_periods {
                return false;
            }
            used -= self.left;
            self.begin_period();
        }
        if used > self.left {
            return false;
        }
        self.left -= used;
        self.stones -= 1;
        if self.stones == 0 {
            self.begin_period();
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clock(main: u32, period: u32, stones: u32) -> Clock {
        Clock::new(TimeSettings {
            main,
            period,
            stones,
        })
    }

    #[test]
    fn absolute_time_runs_out() {
        let mut clock = clock(10, 0, 0);
        assert!(clock.spend(Duration::from_secs(6)));
        assert_eq!(clock.left(), (4, 0));
        assert!(clock.spend(Duration::from_secs(4)));
        assert!(!clock.spend(Duration::from_millis(1)));
    }

    #[test]
    fn a_period_follows_main_time_and_starts_over_when_its_stones_are_played() {
        let mut clock = clock(10, 5, 2);
        assert!(clock.spend(Duration::from_secs(12)));
        assert_eq!(clock.left(), (3, 1));
        assert!(clock.spend(Duration::from_secs(3)));
        assert_eq!(clock.left(), (5, 2));
        assert!(!clock.spend(Duration::from_secs(6)));
    }

    #[test]
    fn without_main_time_the_first_move_is_in_a_period() {
        let mut clock = clock(0, 2, 1);
        assert_eq!(clock.left(), (2, 1));
        assert!(clock.spend(Duration::from_millis(1900)));
        assert_eq!(clock.left(), (2, 1));
        assert!(!clock.spend(Duration::from_millis(2100)));
    }
}
