//! How far a long computation has come, on standard error.

use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

/// How long a line stays on a terminal before it is written over.
const TERMINAL_PAUSE: Duration = Duration::from_millis(200);

/// Reports that somebody reads: on a terminal one line that is written over, elsewhere a line now and then.
pub(crate) struct ProgressLine {
    output: ProgressOutput,
    /// The time between two lines where there is no terminal.
    pause: Duration,
    started: Instant,
    /// When something was shown; at first, when it began.
    last: Option<Instant>,
    /// Is there a line on the terminal that has to go?
    is_shown: bool,
}

/// Where progress is shown.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ProgressOutput {
    Nowhere,
    Terminal,
    Lines,
}

impl ProgressLine {
    /// Reports on a terminal, and elsewhere only if they are `wanted`.
    pub(crate) fn new(wanted: bool) -> Self {
        let started = Instant::now();
        Self {
            output: if io::stderr().is_terminal() {
                ProgressOutput::Terminal
            } else if wanted {
                ProgressOutput::Lines
            } else {
                ProgressOutput::Nowhere
            },
            pause: Duration::from_secs(1),
            started,
            last: Some(started),
            is_shown: false,
        }
    }

    /// Reports of something that takes hours: the first at once and then, without a terminal, one in so much time.
    /// There are none if it is to be `quiet`.
    pub(crate) fn of_hours(pause: Duration, quiet: bool) -> Self {
        let mut progress = Self::new(true);
        progress.pause = pause;
        progress.last = None;
        if quiet {
            progress.output = ProgressOutput::Nowhere;
        }
        progress
    }

    /// The time since it began.
    pub(crate) fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Says that so many of all parts are done, unless it has just said something.
    pub(crate) fn report(&mut self, done: usize, all: usize) {
        let percent = 100.0 * done as f64 / all as f64;
        let elapsed = self.elapsed().as_secs();
        self.mention(|| format!("{percent:5.1} % of {all} parts, {elapsed} s"));
    }

    /// Says something that is soon out of date, unless it has just said something.
    pub(crate) fn mention(&mut self, line: impl FnOnce() -> String) {
        let pause = match self.output {
            ProgressOutput::Nowhere => return,
            ProgressOutput::Terminal => TERMINAL_PAUSE,
            ProgressOutput::Lines => self.pause,
        };
        if self.last.is_some_and(|last| last.elapsed() < pause) {
            return;
        }
        self.last = Some(Instant::now());
        self.clear();
        // ProgressLine that cannot be shown is no reason to fail.
        _ = match self.output {
            ProgressOutput::Terminal => write!(io::stderr(), "{}", line()),
            ProgressOutput::Lines | ProgressOutput::Nowhere => writeln!(io::stderr(), "{}", line()),
        };
        self.is_shown = self.output == ProgressOutput::Terminal;
    }

    /// Says something that stays, if anything is shown.
    pub(crate) fn say(&mut self, line: &str) {
        if self.output != ProgressOutput::Nowhere {
            self.warn(line);
        }
    }

    /// Says something that stays, wanted or not.
    pub(crate) fn warn(&mut self, line: &str) {
        self.clear();
        _ = writeln!(io::stderr(), "{line}");
    }

    /// Takes the line off the terminal, so that what follows stands alone.
    pub(crate) fn clear(&mut self) {
        if self.is_shown {
            _ = write!(io::stderr(), "\r\x1b[K");
            self.is_shown = false;
        }
    }
}

impl Drop for ProgressLine {
    fn drop(&mut self) {
        self.clear();
    }
}
