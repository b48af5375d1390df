//! What a soak has counted.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde::Serialize;

/// How many problems are kept in full; the rest is counted.
const PROBLEMS: usize = 50;

/// What a soak has counted so far. All actors share it.
#[derive(Default)]
pub(super) struct Figures(Mutex<Counts>);

#[derive(Clone, Default, Serialize)]
pub(super) struct Counts {
    pub(super) seconds: f64,
    pub(super) seed: u64,
    /// Moves that a server said it had taken, uploads and moves of engines that it told of included.
    pub(super) moves_acknowledged: u64,
    /// Those of them that were gone later.
    pub(super) moves_lost: u64,
    pub(super) games_begun: u64,
    pub(super) comparisons: u64,
    pub(super) calls: u64,
    pub(super) refusals: BTreeMap<String, u64>,
    /// Calls without an answer because the server was killed or stopped.
    pub(super) calls_cut: u64,
    pub(super) events: u64,
    pub(super) hostile_requests: BTreeMap<String, u64>,
    pub(super) killed: u64,
    pub(super) stopped: u64,
    pub(super) refused_starts: u64,
    pub(super) full_disks: u64,
    pub(super) clock_jumps: u64,
    /// Seconds from a call that no engine answers to its answer.
    pub(super) longest_wait: f64,
    /// The same for hints and estimates.
    pub(super) longest_wait_for_an_engine: f64,
    /// Seconds from the start of a server to its address.
    pub(super) longest_start: f64,
    pub(super) gtp: BTreeMap<&'static str, u64>,
    pub(super) analysis: BTreeMap<&'static str, u64>,
    /// The most memory that a process had, in bytes.
    pub(super) peak_memory: BTreeMap<String, u64>,
    pub(super) problems: Vec<String>,
    pub(super) problems_in_all: u64,
}

impl Figures {
    pub(super) fn counts(&self) -> MutexGuard<'_, Counts> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Something that must not happen.
    pub(super) fn problem(&self, problem: impl fmt::Display) {
        let mut counts = self.counts();
        counts.problems_in_all += 1;
        if counts.problems.len() < PROBLEMS {
            counts.problems.push(problem.to_string());
        }
    }

    pub(super) fn refused(&self, code: String) {
        *self.counts().refusals.entry(code).or_default() += 1;
    }

    pub(super) fn hostile(&self, outcome: String) {
        *self.counts().hostile_requests.entry(outcome).or_default() += 1;
    }

    pub(super) fn gtp(&self, what: &'static str) {
        *self.counts().gtp.entry(what).or_default() += 1;
    }

    pub(super) fn analysis(&self, what: &'static str) {
        *self.counts().analysis.entry(what).or_default() += 1;
    }

    pub(super) fn waited(&self, time: Duration, for_an_engine: bool) {
        let mut counts = self.counts();
        let longest = match for_an_engine {
            true => &mut counts.longest_wait_for_an_engine,
            false => &mut counts.longest_wait,
        };
        *longest = longest.max(time.as_secs_f64());
    }

    /// Looks at how much memory a process had at most, where the system tells.
    pub(super) fn weigh(&self, name: &str, process: u32) {
        let Ok(status) = std::fs::read_to_string(format!("/proc/{process}/status")) else {
            return;
        };
        if let Some(bytes) = peak_memory(&status) {
            let mut counts = self.counts();
            let peak = counts.peak_memory.entry(name.to_owned()).or_default();
            *peak = bytes.max(*peak);
        }
    }
}

/// The most memory that a process had, by what Linux says of it.
fn peak_memory(status: &str) -> Option<u64> {
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes << 10)
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut line = |name: &str, value: String| writeln!(f, "{name:34}  {value}");
        line(
            "time, seed",
            format!("{:.0} s, {}", self.seconds, self.seed),
        )?;
        line("moves acknowledged", self.moves_acknowledged.to_string())?;
        line("moves lost", self.moves_lost.to_string())?;
        line(
            "games begun, comparisons",
            format!("{}, {}", self.games_begun, self.comparisons),
        )?;
        line("calls", self.calls.to_string())?;
        line("calls cut by a restart", self.calls_cut.to_string())?;
        line("refusals by reason", list(&self.refusals))?;
        line("events heard", self.events.to_string())?;
        line("hostile requests", list(&self.hostile_requests))?;
        line(
            "restarts",
            format!(
                "{} after a kill, {} after a stop",
                self.killed, self.stopped
            ),
        )?;
        line("starts refused", self.refused_starts.to_string())?;
        line(
            "full disks, clock jumps",
            format!("{}, {}", self.full_disks, self.clock_jumps),
        )?;
        line("longest wait", format!("{:.3} s", self.longest_wait))?;
        line(
            "longest wait for an engine",
            format!("{:.3} s", self.longest_wait_for_an_engine),
        )?;
        line("longest start", format!("{:.3} s", self.longest_start))?;
        line("GTP", list(&self.gtp))?;
        line("analysis", list(&self.analysis))?;
        for (name, bytes) in &self.peak_memory {
            line(
                &format!("peak memory of {name}"),
                format!("{:.1} MB", *bytes as f64 / 1e6),
            )?;
        }
        line("problems", self.problems_in_all.to_string())?;
        for problem in &self.problems {
            writeln!(f, "  {problem}")?;
        }
        Ok(())
    }
}

fn list<K: fmt::Display>(counts: &BTreeMap<K, u64>) -> String {
    let counts: Vec<String> = counts
        .iter()
        .map(|(name, count)| format!("{name} {count}"))
        .collect();
    counts.join(", ")
}

#[cfg(test)]
mod tests {
    use super::peak_memory;

    #[test]
    fn the_peak_is_read_from_what_the_system_says() {
        let status = "Name:\ttengen\nVmPeak:\t  900 kB\nVmHWM:\t   1024 kB\nVmRSS:\t 12 kB\n";
        assert_eq!(peak_memory(status), Some(1 << 20));
        assert_eq!(peak_memory("Name:\ttengen\n"), None);
    }
}
