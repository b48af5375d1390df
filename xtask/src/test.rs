//! `cargo xtask test`: everything that has to hold before a change is taken.

use std::process::{Command, ExitCode};

use anyhow::Result;

use crate::cargo::{self, cargo};
use crate::katago;
use crate::lint;
use crate::page;
use crate::peers;
use crate::python;
use crate::report::{Lane, LaneSteps, Missing, Outcome, Report, run_tests};
use crate::sabaki;
use crate::site;
use crate::soak;
use crate::strength;
use crate::system_package;
use crate::tally::Tally;
use crate::tengen::{self, Profile};
use crate::workflows;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Only formatting, documents, clippy and unit tests: for every save rather than every commit
    #[arg(long)]
    fast: bool,
    /// Only compare with other packages, which are installed below `target/`: game records with sgfmill and
    /// @sabaki/sgf, environments with Pgx, OpenSpiel, PettingZoo and EnvPool, and networks of KataGo with plain loops
    #[arg(long, conflicts_with = "fast")]
    peers: bool,
    /// Let the command succeed although this machine lacks a tool, so that a step or a test was not run
    #[arg(long)]
    allow_missing: bool,
}

pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let mut report = Report::new(if args.allow_missing {
        Missing::Allowed
    } else {
        Missing::Fails
    });
    if args.peers {
        report.step("records and peers", peers::compare);
        report.step("environments and peers", python::compare);
        report.step("networks of KataGo", katago::compare);
    } else if args.fast {
        lint::quick_steps(&mut report);
        // The Python module has no tests of its own, and a compiler needs a while for it.
        let targets = ["--lib", "--bins", "--exclude", "tengen-py"];
        report.step("unit tests", || run_tests(runner(&targets)?));
    } else {
        everything(&mut report)?;
    }
    report.finish()
}

/// All steps. Two are under way at a time where that is shorter: what waits for the network beside the compiler, and
/// what one core does beside what another does.
fn everything(report: &mut Report) -> Result<()> {
    let installation = Lane::start("installation", install)?;
    lint::quick_steps(report);
    report.step("build", || {
        tengen::build(Profile::Dev)?;
        Ok(Outcome::Passed(Tally::ONE_PASSED))
    });
    let packages = report.join(installation);
    // The Python package is built of what was built for the tests, and so after them; while they run, because other
    // steps would wait for the folder. The module for WebAssembly has a compiler and a folder of its own.
    let beside = Lane::start("site and Python", |steps| {
        let environment = packages.and_then(|packages| python::add_package(steps, packages));
        steps.step("module of the site", site::build_for_tests);
        if let Some(environment) = environment {
            steps.step("Python tests", || environment.test());
        }
        Some(())
    })?;
    report.step("tests", || run_tests(runner(&["--tests"])?));
    report.step("doc-tests", || {
        let mut cargo = cargo()?;
        cargo.args(["test", "--workspace", "--doc", "--no-fail-fast"]);
        run_tests(cargo)
    });
    lint::slow_steps(report);
    report.step("workflows", workflows::lint);
    // Most of its clients wait for each other most of the time.
    let soak = Lane::start("soak", |steps| {
        steps.step("soak", soak::run_short);
        Some(())
    })?;
    report.step("engine under Sabaki", sabaki::play);
    report.step("strength", strength::play);
    page::steps(report);
    report.join(soak);
    report.join(beside);
    report.step("site", site::test);
    Ok(())
}

/// Installs what the steps need: programs of the system, packages for Node and for Python.
fn install(steps: &mut LaneSteps) -> Option<python::Packages> {
    steps.step("programs", system_package::install_missing);
    steps.step("packages for Node", install_for_node);
    let mut packages = None;
    steps.step("packages for Python", || {
        Ok(match python::Packages::install()? {
            Ok(installed) => {
                packages = Some(installed);
                Outcome::Passed(Tally::ONE_PASSED)
            }
            Err(outcome) => outcome,
        })
    });
    packages
}

/// Installs the packages for Node.
pub(crate) fn install_for_node() -> Result<Outcome> {
    match page::Workshop::open()? {
        Ok(_) => {}
        Err(outcome) => return Ok(outcome),
    }
    sabaki::install().map(|package| match package {
        Ok(_) => Outcome::Passed(Tally::ONE_PASSED),
        Err(outcome) => outcome,
    })
}

/// Installs the packages for Python.
pub(crate) fn install_for_python() -> Result<Outcome> {
    Ok(match python::Packages::install()? {
        Ok(_) => Outcome::Passed(Tally::ONE_PASSED),
        Err(outcome) => outcome,
    })
}

/// Runs the tests in some kinds of target, doc-tests aside, which nextest does not know.
fn runner(targets: &[&str]) -> Result<Command> {
    let mut cargo = cargo()?;
    if cargo::NEXTEST.is_installed()? {
        // The names of a thousand tests that passed are for the list of the slowest, and are not passed on.
        cargo.args(["nextest", "run", "--status-level", "pass"]);
    } else {
        cargo.arg("test");
    }
    cargo.args(["--workspace", "--no-fail-fast"]).args(targets);
    Ok(cargo)
}
