//! What time it is, for clocks and for calendars.

use std::fmt::Debug;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// What time it is: one time that goes on steadily, for the clocks of games, and one that people set.
pub trait Time: Debug + Send + Sync {
    /// The time since some moment. It never goes back and never jumps; whether it goes on while the machine sleeps is
    /// up to the system.
    fn elapsed(&self) -> Duration;

    /// The date, in milliseconds since 1970.
    fn date(&self) -> u64;
}

/// The time of the system.
#[derive(Clone, Copy, Debug)]
pub struct SystemClock(Instant);

impl Default for SystemClock {
    fn default() -> Self {
        Self(Instant::now())
    }
}

impl Time for SystemClock {
    fn elapsed(&self) -> Duration {
        self.0.elapsed()
    }

    fn date(&self) -> u64 {
        let since = SystemTime::now().duration_since(UNIX_EPOCH);
        since.map_or(0, |since| {
            u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
        })
    }
}

/// A time that tests set.
#[derive(Debug, Default)]
pub struct ManualTime {
    elapsed: AtomicU64,
    date: AtomicU64,
}

impl ManualTime {
    /// A time that stands still at this date, in milliseconds since 1970.
    pub fn at(date: u64) -> Self {
        let time = Self::default();
        time.set_date(date);
        time
    }

    /// Time goes on, and the calendar with it.
    pub fn go_on(&self, time: Duration) {
        let time = u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        self.elapsed.fetch_add(time, Ordering::AcqRel);
        self.date.fetch_add(time, Ordering::AcqRel);
    }

    /// Somebody sets the calendar.
    pub fn set_date(&self, date: u64) {
        self.date.store(date, Ordering::Release);
    }
}

impl Time for ManualTime {
    fn elapsed(&self) -> Duration {
        Duration::from_millis(self.elapsed.load(Ordering::Acquire))
    }

    fn date(&self) -> u64 {
        self.date.load(Ordering::Acquire)
    }
}
