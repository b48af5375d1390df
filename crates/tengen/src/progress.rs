//! How far a long computation has come, on standard error.

use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

/// Reports that somebody reads: on a terminal one line that is written over, elsewhere a line now and then.
pub(crate) struct Progress {
    output: ProgressOutput,
    started: Instant,
    last: Option<Instant>,
}

/// Where progress is shown.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum ProgressOutput {
    Nowhere,
    Terminal,
    Lines,
}

impl ProgressOutput {
    /// A terminal, and if there is none, lines if they are `wanted`.
    pub(crate) fn new(wanted: bool) -> Self {
        if io::stderr().is_terminal() {
            Self::Terminal
        } else if wanted {
            Self::Lines
        } else {
            Self::Nowhere
        }
    }
}

impl Progress {
    /// Reports on a terminal, and elsewhere only if they are `wanted`.
    pub(crate) fn new(wanted: bool) -> Self {
        Self {
            output: ProgressOutput::new(wanted),
            started: Instant::now(),
            last: None,
        }
    }

    /// Says that so many of all parts are done, unless it has just said something.
    pub(crate) fn report(&mut self, done: usize, all: usize) {
        let pause = match self.output {
            ProgressOutput::Nowhere => return,
            ProgressOutput::Terminal => Duration::from_millis(200),
            ProgressOutput::Lines => Duration::from_secs(1),
        };
        let last = self.last.unwrap_or(self.started);
        if last.elapsed() < pause {
            return;
        }
        self.last = Some(Instant::now());
        let percent = 100.0 * done as f64 / all as f64;
        let elapsed = self.started.elapsed().as_secs();
        let line = format!("{percent:5.1} % of {all} parts, {elapsed} s");
        // Progress that cannot be shown is no reason to fail.
        _ = match self.output {
            ProgressOutput::Terminal => write!(io::stderr(), "\r{line}"),
            ProgressOutput::Lines | ProgressOutput::Nowhere => writeln!(io::stderr(), "{line}"),
        };
    }
}

/// Takes the line off the terminal, so that the result stands alone.
impl Drop for Progress {
    fn drop(&mut self) {
        if self.output == ProgressOutput::Terminal && self.last.is_some() {
            _ = write!(io::stderr(), "\r\x1b[K");
        }
    }
}
