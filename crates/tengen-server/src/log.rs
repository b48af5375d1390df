//! What the server tells whoever started it.

use std::fmt;
use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

/// Lines in one second; what comes beyond is counted, so that nobody fills a disk by sending nonsense.
const LINES: u32 = 20;

/// Lines about what happened, on standard error or wherever they are wanted. Clones write to the same place.
#[derive(Clone)]
pub struct Log(Arc<Mutex<Sink>>);

struct Sink {
    place: Box<dyn Write + Send>,
    since: Instant,
    lines: u32,
    left_out: u32,
}

impl Log {
    /// Lines on standard error.
    pub fn stderr() -> Self {
        Self::to(io::stderr())
    }

    /// Lines nowhere.
    pub fn silent() -> Self {
        Self::to(io::sink())
    }

    /// Lines in this place.
    pub fn to(place: impl Write + Send + 'static) -> Self {
        Self(Arc::new(Mutex::new(Sink {
            place: Box::new(place),
            since: Instant::now(),
            lines: 0,
            left_out: 0,
        })))
    }

    /// Says something, unless too much was said in this second.
    pub fn say(&self, what: impl fmt::Display) {
        let mut sink = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if sink.since.elapsed().as_secs() >= 1 {
            sink.since = Instant::now();
            sink.lines = 0;
        }
        sink.lines += 1;
        if sink.lines > LINES {
            sink.left_out += 1;
            return;
        }
        let left_out = std::mem::take(&mut sink.left_out);
        let time = time_of_day();
        if left_out > 0 {
            // A log that cannot be written is no reason to stop serving.
            _ = writeln!(sink.place, "{time} {left_out} lines were left out");
        }
        _ = writeln!(sink.place, "{time} {what}");
    }
}

impl fmt::Debug for Log {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Log")
    }
}

/// The time of the day in Greenwich.
fn time_of_day() -> String {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    let seconds = since.map_or(0, |since| since.as_secs()) % 86_400;
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60);
    format!("{hours:02}:{minutes:02}:{:02}Z", seconds % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A place whose content can be looked at.
    #[derive(Clone, Default)]
    struct Paper(Arc<Mutex<Vec<u8>>>);

    impl Write for Paper {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_flood_is_cut_and_counted() {
        let paper = Paper::default();
        let log = Log::to(paper.clone());
        for number in 0..1000 {
            log.say(number);
        }
        let text = || String::from_utf8(paper.0.lock().unwrap().clone()).unwrap();
        // A slow machine may need a second or two for this loop.
        let lines = text().lines().count();
        assert!((20..500).contains(&lines), "{lines}");
        log.0.lock().unwrap().since = Instant::now() - std::time::Duration::from_secs(2);
        log.say("at last");
        assert!(text().contains("lines were left out"));
        assert!(text().ends_with("at last\n"));
    }
}
