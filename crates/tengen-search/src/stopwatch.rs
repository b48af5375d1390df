//! Time on the wall, as far as a search needs it.

use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// Tells the time since some moment that stays the same.
///
/// An engine asks the operating system, unless [`Engine::timed_by`](crate::Engine::timed_by) says whom to ask: there is
/// none below WebAssembly in a browser.
pub type Time = fn() -> Duration;

/// The time since this was first asked, by the operating system.
pub(crate) fn system_time() -> Duration {
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed()
}

/// Measures how long something takes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stopwatch {
    time: Time,
    started: Duration,
}

impl Stopwatch {
    pub(crate) fn start(time: Time) -> Self {
        Self {
            time,
            started: time(),
        }
    }

    pub(crate) fn elapsed(&self) -> Duration {
        (self.time)().saturating_sub(self.started)
    }

    /// Begins again.
    pub(crate) fn restart(&mut self) {
        self.started = (self.time)();
    }
}
