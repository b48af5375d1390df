//! The steps of a task: announced, run, timed and summed up.

use std::fmt;
use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Command, ExitCode, Stdio};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};

use crate::console;
use crate::tally::Tally;
use crate::test_time::{TestTime, TestTimes};

/// How many of the slowest tests the summary names.
const SLOWEST: usize = 10;

/// How a step ended.
pub(crate) enum Outcome {
    Passed(Tally),
    Failed(Tally, String),
    /// The machine lacks what the step needs. The reason says what to install.
    Missing(String),
}

impl Outcome {
    fn tally(&self) -> Tally {
        match self {
            Self::Passed(tally) => *tally,
            // A test runner that failed without a failed test (the tests did not compile, say)
            // must not vanish from the totals.
            Self::Failed(tally, _) if tally.failed == 0 => {
                let mut tally = *tally;
                tally += Tally::ONE_FAILED;
                tally
            }
            Self::Failed(tally, _) => *tally,
            Self::Missing(_) => Tally::ONE_SKIPPED,
        }
    }

    fn word(&self) -> &'static str {
        match self {
            Self::Passed(tally) if tally.skipped > 0 => "missing",
            Self::Passed(_) => "ok",
            Self::Failed(..) => "failed",
            Self::Missing(_) => "missing",
        }
    }

    fn remark(&self) -> String {
        match self {
            Self::Passed(tally) if *tally == Tally::ONE_PASSED => String::new(),
            Self::Passed(tally) => tally.to_string(),
            Self::Failed(_, reason) | Self::Missing(reason) => reason.clone(),
        }
    }
}

struct Step {
    name: String,
    outcome: Outcome,
    time: Duration,
    tests: TestTimes,
}

/// What happens when the machine lacks something that a step needs, or when a test is skipped.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Missing {
    /// The task fails: what was not run was not tested.
    Fails,
    /// The summary says so. For people who lack a tool, never for CI.
    Allowed,
}

/// The steps that a task has run so far.
pub(crate) struct Report {
    steps: Vec<Step>,
    missing: Missing,
    started: Instant,
}

impl Report {
    pub(crate) fn new(missing: Missing) -> Self {
        Self {
            steps: Vec::new(),
            missing,
            started: Instant::now(),
        }
    }

    /// Runs a step and notes how it ended. A step that could not even start has failed.
    pub(crate) fn step(&mut self, name: &str, run: impl FnOnce() -> Result<Outcome>) {
        self.steps.push(Step::run(name, run));
    }

    /// Waits for steps that ran beside those so far, and adds them. Returns what the lane made.
    pub(crate) fn join<T>(&mut self, lane: Lane<T>) -> Option<T> {
        let Lane { name, thread, log } = lane;
        eprintln!("==> waiting for {name}: see {}", log.display());
        let Ok((lane_steps, made)) = thread.join() else {
            self.step(&name, || {
                anyhow::bail!("it panicked: see {}", log.display())
            });
            return None;
        };
        let failed = |step: &Step| !matches!(step.outcome, Outcome::Passed(_));
        if lane_steps.steps.iter().any(failed) {
            let said = std::fs::read(&log).unwrap_or_default();
            eprintln!("==> {name} printed:\n{}", String::from_utf8_lossy(&said));
        }
        self.steps.extend(lane_steps.steps);
        made
    }

    /// The totals of the test runners, where a step that runs no tests counts as one test.
    fn tally(&self) -> Tally {
        let mut total = Tally::default();
        for step in &self.steps {
            total += step.outcome.tally();
        }
        total
    }

    /// Is everything well so far?
    pub(crate) fn is_success(&self) -> bool {
        let Tally {
            failed, skipped, ..
        } = self.tally();
        failed == 0 && (skipped == 0 || self.missing == Missing::Allowed)
    }

    /// Prints the table of steps, the slowest tests and, on the last line, the totals.
    pub(crate) fn finish(&self) -> Result<ExitCode> {
        let tally = self.tally();
        let mut text = format!("\n{self}\n");
        if tally.skipped > 0 && self.missing == Missing::Fails {
            text += "What is missing was not tested, so this run has failed; `--allow-missing` lets it pass.\n";
        }
        let minutes = self.started.elapsed().as_secs_f64() / 60.0;
        text += &format!("{tally}; {minutes:.1} minutes");
        writeln!(std::io::stdout(), "{text}").context("cannot print the summary")?;
        Ok(if self.is_success() {
            ExitCode::SUCCESS
        } else {
            ExitCode::FAILURE
        })
    }
}

impl Step {
    fn run(name: &str, run: impl FnOnce() -> Result<Outcome>) -> Self {
        console::say(&format!("==> {name}"));
        let start = Instant::now();
        let outcome =
            run().unwrap_or_else(|error| Outcome::Failed(Tally::default(), format!("{error:#}")));
        let time = start.elapsed();
        let seconds = time.as_secs_f64();
        console::say(&format!("==> {name}: {} ({seconds:.1} s)", outcome.word()));
        Self {
            name: name.to_owned(),
            outcome,
            time,
            tests: TestTimes::take(),
        }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = self
            .steps
            .iter()
            .map(|step| step.name.chars().count())
            .max()
            .unwrap_or(0);
        for Step {
            name,
            outcome,
            time,
            ..
        } in &self.steps
        {
            let seconds = format!("{:.1} s", time.as_secs_f64());
            let line = format!(
                "{name:width$}  {:8}  {seconds:>8}  {}",
                outcome.word(),
                outcome.remark()
            );
            writeln!(f, "{}", line.trim_end())?;
        }
        let mut tests: Vec<(&str, &TestTime)> = Vec::new();
        for step in &self.steps {
            tests.extend(step.tests.iter().map(|test| (step.name.as_str(), test)));
        }
        tests.sort_by(|(_, a), (_, b)| b.seconds.total_cmp(&a.seconds));
        if !tests.is_empty() {
            writeln!(f, "\nThe slowest tests:")?;
        }
        for (step, TestTime { name, seconds }) in tests.into_iter().take(SLOWEST) {
            writeln!(f, "{seconds:8.1} s  {step}: {name}")?;
        }
        Ok(())
    }
}

/// Steps that run beside others, on a thread of their own. What they print goes to a file.
pub(crate) struct Lane<T> {
    name: String,
    thread: JoinHandle<(LaneSteps, Option<T>)>,
    log: PathBuf,
}

/// The steps of a lane so far.
#[derive(Default)]
pub(crate) struct LaneSteps {
    steps: Vec<Step>,
}

impl LaneSteps {
    /// Runs a step of the lane, and says whether it passed.
    pub(crate) fn step(&mut self, name: &str, run: impl FnOnce() -> Result<Outcome>) -> bool {
        let step = Step::run(name, run);
        let passed = matches!(step.outcome, Outcome::Passed(_));
        self.steps.push(step);
        passed
    }
}

impl<T: Send + 'static> Lane<T> {
    /// Starts the steps of a lane.
    pub(crate) fn start(
        name: &str,
        run: impl FnOnce(&mut LaneSteps) -> Option<T> + Send + 'static,
    ) -> Result<Self> {
        let (sender, receiver) = std::sync::mpsc::channel();
        let (root, own_name) = (crate::cargo::root()?, name.to_owned());
        let thread = thread::Builder::new()
            .name(name.to_owned())
            .spawn(move || {
                let mut steps = LaneSteps::default();
                let log = console::redirect(&root, &own_name);
                let can_write = log.is_ok();
                // Nobody is there to hear it only if the start has failed.
                _ = sender.send(log);
                let made = if can_write { run(&mut steps) } else { None };
                (steps, made)
            })
            .context("cannot start a thread")?;
        let log = receiver.recv().context("the thread ended")??;
        Ok(Self {
            name: name.to_owned(),
            thread,
            log,
        })
    }
}

/// Runs a command whose exit code says it all.
pub(crate) fn run(command: &mut Command) -> Result<Outcome> {
    announce(command);
    let status = command
        .stdin(Stdio::null())
        .stdout(console::stdio()?)
        .stderr(console::stdio()?)
        .status()
        .with_context(|| cannot_start(command))?;
    Ok(if status.success() {
        Outcome::Passed(Tally::ONE_PASSED)
    } else {
        Outcome::Failed(Tally::ONE_FAILED, status.to_string())
    })
}

/// Runs a test runner, passes on what it says and adds up the tests it counts.
pub(crate) fn run_tests(mut command: Command) -> Result<Outcome> {
    announce(&command);
    let (reader, writer) = std::io::pipe().context("cannot make a pipe")?;
    command
        .stdin(Stdio::null())
        .stdout(writer.try_clone()?)
        .stderr(writer);
    let mut child = command.spawn().with_context(|| cannot_start(&command))?;
    // The command holds the last writing ends on this side; the pipe ends when they are closed.
    drop(command);

    let mut tally = Tally::default();
    let mut times = TestTimes::default();
    let mut reader = BufReader::new(reader);
    let mut line = Vec::new();
    while reader
        .read_until(b'\n', &mut line)
        .context("cannot read what the tests print")?
        > 0
    {
        let text = String::from_utf8_lossy(&line);
        if !times.read(&text) {
            console::write(&line)?;
        }
        if let Some(summary) = Tally::from_summary(&text) {
            tally += summary;
        }
        line.clear();
    }
    times.keep();
    let status = child.wait().context("cannot wait for the tests")?;
    Ok(if status.success() {
        Outcome::Passed(tally)
    } else if tally.failed > 0 {
        Outcome::Failed(tally, tally.to_string())
    } else {
        Outcome::Failed(tally, format!("{status}; {tally}"))
    })
}

/// Says what is about to be started.
pub(crate) fn announce(command: &Command) {
    let arguments: Vec<_> = command
        .get_args()
        .map(|arg| arg.to_string_lossy())
        .collect();
    let program = std::path::Path::new(command.get_program());
    let program = program
        .file_name()
        .unwrap_or(program.as_os_str())
        .to_string_lossy();
    console::say(&format!("    {program} {}", arguments.join(" ")));
}

fn cannot_start(command: &Command) -> String {
    format!("cannot start {}", command.get_program().to_string_lossy())
}

#[cfg(test)]
mod tests {
    use super::{Lane, Missing, Outcome, Report};
    use crate::tally::Tally;

    fn report_of(outcomes: Vec<(&str, Outcome)>) -> Report {
        let mut report = Report::new(Missing::Fails);
        for (name, outcome) in outcomes {
            report.step(name, || Ok(outcome));
        }
        report
    }

    #[test]
    fn totals_count_tests_and_other_steps() {
        let report = report_of(vec![
            ("fmt", Outcome::Passed(Tally::ONE_PASSED)),
            (
                "tests",
                Outcome::Passed(Tally {
                    passed: 40,
                    failed: 0,
                    skipped: 2,
                }),
            ),
            ("match", Outcome::Missing("not installed".to_owned())),
        ]);
        assert_eq!(
            report.tally(),
            Tally {
                passed: 41,
                failed: 0,
                skipped: 3
            }
        );
    }

    #[test]
    fn a_failed_step_without_a_failed_test_still_counts() {
        let passed = Tally {
            passed: 7,
            failed: 0,
            skipped: 0,
        };
        let report = report_of(vec![(
            "tests",
            Outcome::Failed(passed, "killed".to_owned()),
        )]);
        assert_eq!(
            report.tally(),
            Tally {
                passed: 7,
                failed: 1,
                skipped: 0
            }
        );
    }

    #[test]
    fn a_step_that_cannot_start_has_failed() {
        let mut report = Report::new(Missing::Fails);
        report.step("tests", || Err(anyhow::anyhow!("no such program")));
        assert_eq!(report.tally(), Tally::ONE_FAILED);
        assert!(report.to_string().contains("no such program"), "{report}");
    }

    #[test]
    fn the_table_lines_up() {
        let report = report_of(vec![
            ("fmt", Outcome::Passed(Tally::ONE_PASSED)),
            ("doc-tests", Outcome::Missing("no library".to_owned())),
        ]);
        assert_eq!(
            report.to_string(),
            "fmt        ok           0.0 s\n\
             doc-tests  missing      0.0 s  no library\n"
        );
    }

    #[test]
    fn what_is_missing_fails_unless_it_is_allowed() {
        let one = |outcome, missing| {
            let mut report = Report::new(missing);
            report.step("match", || Ok(outcome));
            report.is_success()
        };
        let missing = || Outcome::Missing("no GNU Go".to_owned());
        assert!(!one(missing(), Missing::Fails));
        assert!(one(missing(), Missing::Allowed));
        let skipped = || {
            Outcome::Passed(Tally {
                passed: 5,
                failed: 0,
                skipped: 1,
            })
        };
        assert!(!one(skipped(), Missing::Fails));
        assert!(one(skipped(), Missing::Allowed));
        assert!(one(Outcome::Passed(Tally::ONE_PASSED), Missing::Fails));
        let failed = Outcome::Failed(Tally::ONE_FAILED, "no".to_owned());
        assert!(!one(failed, Missing::Allowed));
    }

    #[test]
    fn what_runs_beside_is_part_of_the_report() {
        let lane = Lane::start("lane of a test", |steps| {
            assert!(steps.step("first", || Ok(Outcome::Passed(Tally::ONE_PASSED))));
            let failed = || Ok(Outcome::Failed(Tally::ONE_FAILED, "no".to_owned()));
            assert!(!steps.step("second", failed));
            Some(7)
        });
        let mut report = Report::new(Missing::Fails);
        report.step("third", || Ok(Outcome::Passed(Tally::ONE_PASSED)));
        assert_eq!(report.join(lane.unwrap()), Some(7));
        let tally = report.tally();
        assert_eq!((tally.passed, tally.failed), (2, 1), "{report}");
        let table = report.to_string();
        let names: Vec<_> = table
            .lines()
            .filter_map(|line| line.split(' ').next())
            .collect();
        assert_eq!(names, ["third", "first", "second"]);
    }

    #[test]
    fn a_lane_that_panics_has_failed() {
        let lane = Lane::<()>::start("lane of another test", |_| panic!("on purpose"));
        let mut report = Report::new(Missing::Allowed);
        assert_eq!(report.join(lane.unwrap()), None);
        assert_eq!(report.tally(), Tally::ONE_FAILED);
    }
}
