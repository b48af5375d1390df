//! `cargo xtask tidy`: what documents say about the code is true, and both can be read.

mod edges;
mod generated;
mod lines;
mod links;
mod source;
mod unsafe_code;
mod walks;

use std::process::ExitCode;

use anyhow::Result;

use crate::console;
use crate::report::{Missing, Outcome, Report};
use crate::tally::Tally;
use source::Source;

/// A check of the tree: what it is called, and a function that returns the problems it found, one line each.
type Check = (&'static str, fn(&Source) -> Result<Vec<String>>);

const CHECKS: [Check; 6] = [
    ("dependencies between crates", edges::check),
    ("unsafe code", unsafe_code::check),
    ("links and file names", links::check),
    ("lines", lines::check),
    ("generated parts", generated::check),
    ("walks", walks::check),
];

pub(crate) fn run() -> Result<ExitCode> {
    let mut report = Report::new(Missing::Fails);
    report.step("tidy", check);
    report.finish()
}

/// Runs all checks, so that one run names all problems.
pub(crate) fn check() -> Result<Outcome> {
    let source = Source::read()?;
    let mut problems = 0;
    for (name, check) in CHECKS {
        let found = check(&source)?;
        for problem in &found {
            console::say(&format!("    {name}: {problem}"));
        }
        problems += found.len();
    }
    Ok(if problems == 0 {
        Outcome::Passed(Tally::ONE_PASSED)
    } else {
        Outcome::Failed(Tally::ONE_FAILED, format!("{problems} problems, see above"))
    })
}
