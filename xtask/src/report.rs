//! The steps of a task: announced, run, timed and summed up.

use std::fmt;
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};

use crate::tally::Tally;

/// How a step ended.
pub(crate) enum Outcome {
    Passed(Tally),
    Failed(Tally, String),
    LeftOut(String),
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
            Self::LeftOut(_) => Tally::ONE_SKIPPED,
        }
    }

    fn word(&self) -> &'static str {
        match self {
            Self::Passed(_) => "ok",
            Self::Failed(..) => "failed",
            Self::LeftOut(_) => "left out",
        }
    }

    fn remark(&self) -> String {
        match self {
            Self::Passed(tally) if *tally == Tally::ONE_PASSED => String::new(),
            Self::Passed(tally) => tally.to_string(),
            Self::Failed(_, reason) | Self::LeftOut(reason) => reason.clone(),
        }
    }
}

struct Step {
    name: String,
    outcome: Outcome,
    time: Duration,
}

/// The steps that a task has run so far.
#[derive(Default)]
pub(crate) struct Report {
    steps: Vec<Step>,
}

impl Report {
    /// Runs a step and notes how it ended. A step that could not even start has failed.
    pub(crate) fn step(&mut self, name: &str, run: impl FnOnce() -> Result<Outcome>) {
        eprintln!("==> {name}");
        let start = Instant::now();
        let outcome =
            run().unwrap_or_else(|error| Outcome::Failed(Tally::default(), format!("{error:#}")));
        let time = start.elapsed();
        eprintln!(
            "==> {name}: {} ({:.1} s)",
            outcome.word(),
            time.as_secs_f64()
        );
        self.steps.push(Step {
            name: name.to_owned(),
            outcome,
            time,
        });
    }

    /// The totals of the test runners, where a step that runs no tests counts as one test.
    fn tally(&self) -> Tally {
        let mut total = Tally::default();
        for step in &self.steps {
            total += step.outcome.tally();
        }
        total
    }

    /// Prints the table of steps and, on the last line, the totals.
    pub(crate) fn finish(&self) -> Result<ExitCode> {
        let tally = self.tally();
        writeln!(std::io::stdout(), "\n{self}\n{tally}").context("cannot print the summary")?;
        Ok(if tally.failed == 0 {
            ExitCode::SUCCESS
        } else {
            ExitCode::FAILURE
        })
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
        Ok(())
    }
}

/// Runs a command whose exit code says it all.
pub(crate) fn run(command: &mut Command) -> Result<Outcome> {
    announce(command);
    // The standard output of xtask holds nothing but the summary.
    let status = command
        .stdout(std::io::stderr())
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
    let mut reader = BufReader::new(reader);
    let mut line = Vec::new();
    while reader
        .read_until(b'\n', &mut line)
        .context("cannot read what the tests print")?
        > 0
    {
        std::io::stderr()
            .write_all(&line)
            .context("cannot pass on what the tests print")?;
        if let Some(summary) = Tally::from_summary(&String::from_utf8_lossy(&line)) {
            tally += summary;
        }
        line.clear();
    }
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
    eprintln!("    {program} {}", arguments.join(" "));
}

fn cannot_start(command: &Command) -> String {
    format!("cannot start {}", command.get_program().to_string_lossy())
}

#[cfg(test)]
mod tests {
    use super::{Outcome, Report};
    use crate::tally::Tally;

    fn report_of(outcomes: Vec<(&str, Outcome)>) -> Report {
        let mut report = Report::default();
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
            ("deny", Outcome::LeftOut("not installed".to_owned())),
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
        let mut report = Report::default();
        report.step("tests", || Err(anyhow::anyhow!("no such program")));
        assert_eq!(report.tally(), Tally::ONE_FAILED);
        assert!(report.to_string().contains("no such program"), "{report}");
    }

    #[test]
    fn the_table_lines_up() {
        let report = report_of(vec![
            ("fmt", Outcome::Passed(Tally::ONE_PASSED)),
            ("doc-tests", Outcome::LeftOut("no library".to_owned())),
        ]);
        assert_eq!(
            report.to_string(),
            "fmt        ok           0.0 s\n\
             doc-tests  left out     0.0 s  no library\n"
        );
    }
}
