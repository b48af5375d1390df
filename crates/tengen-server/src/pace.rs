//! How fast somebody may go on asking.

use std::time::Instant;

/// So many at once, and then so many a second.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rate {
    /// How many may come at once.
    pub burst: f64,
    /// How many more may come in a second.
    pub per_second: f64,
}

/// How much of a [`Rate`] a client has left.
#[derive(Debug)]
pub(crate) struct Pace {
    rate: Rate,
    left: f64,
    last: Instant,
}

impl Pace {
    /// The pace of a client that has not asked yet.
    pub(crate) fn new(rate: Rate) -> Self {
        Self {
            rate,
            left: rate.burst,
            last: Instant::now(),
        }
    }

    /// May one more come now?
    pub(crate) fn allows(&mut self, now: Instant) -> bool {
        let earned = now.saturating_duration_since(self.last).as_secs_f64() * self.rate.per_second;
        self.left = (self.left + earned).min(self.rate.burst);
        self.last = self.last.max(now);
        let allowed = self.left >= 1.0;
        if allowed {
            self.left -= 1.0;
        }
        allowed
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_burst_is_followed_by_a_pace() {
        let rate = Rate {
            burst: 3.0,
            per_second: 2.0,
        };
        let mut pace = Pace::new(rate);
        let start = pace.last;
        let at = |milliseconds| start + Duration::from_millis(milliseconds);
        let allowed: Vec<bool> = (0..5).map(|_| pace.allows(at(0))).collect();
        assert_eq!(allowed, [true, true, true, false, false]);
        assert!(!pace.allows(at(400)));
        assert!(pace.allows(at(500)));
        assert!(!pace.allows(at(600)));
        // A long rest is worth a burst, and no more.
        let allowed = (0..9).filter(|_| pace.allows(at(100_000))).count();
        assert_eq!(allowed, 3);
    }
}
