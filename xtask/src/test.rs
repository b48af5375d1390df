//! `cargo xtask test`: everything that has to hold before a change is taken.

use std::process::{Command, ExitCode};

use anyhow::Result;

use crate::cargo::{self, cargo};
use crate::lint;
use crate::page;
use crate::peers;
use crate::python;
use crate::report::{Report, run_tests};
use crate::sabaki;
use crate::site;
use crate::strength;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Only formatting, clippy and unit tests: for every save rather than every commit
    #[arg(long)]
    fast: bool,
    /// Only compare with other packages, which are installed below `target/`: game records with sgfmill and @sabaki/sgf,
    /// environments with Pgx, OpenSpiel, PettingZoo and EnvPool
    #[arg(long, conflicts_with = "fast")]
    peers: bool,
}

pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let mut report = Report::default();
    if args.peers {
        report.step("records and peers", peers::compare);
        report.step("environments and peers", python::compare);
        return report.finish();
    }
    lint::quick_steps(&mut report);
    if args.fast {
        report.step("unit tests", || run_tests(runner(&["--lib", "--bins"])?));
    } else {
        report.step("tests", || {
            run_tests(runner(&["--lib", "--bins", "--tests"])?)
        });
        report.step("doc-tests", || {
            let mut cargo = cargo()?;
            cargo.args(["test", "--workspace", "--doc", "--no-fail-fast"]);
            run_tests(cargo)
        });
        report.step("engine under Sabaki", sabaki::play);
        report.step("strength", strength::play);
        page::steps(&mut report);
        report.step("site", site::test);
        python::steps(&mut report);
        lint::slow_steps(&mut report);
    }
    report.finish()
}

/// Runs the tests in some kinds of target, doc-tests aside, which nextest does not know.
fn runner(targets: &[&str]) -> Result<Command> {
    let mut cargo = cargo()?;
    if cargo::NEXTEST.is_installed()? {
        // The names of a thousand tests that passed say no more than their number.
        cargo.args(["nextest", "run", "--status-level", "slow"]);
    } else {
        cargo.arg("test");
    }
    cargo.args(["--workspace", "--no-fail-fast"]).args(targets);
    Ok(cargo)
}
