//! `cargo xtask cross`: the rules and the network on another processor, which QEMU plays.

use std::process::{Command, ExitCode};

use anyhow::Result;

use crate::cargo::{self, cargo};
use crate::fuzz::host;
use crate::report::{Missing, Outcome, Report, run, run_tests};
use crate::system_package::{AARCH64_LINKER, QEMU};

/// The processor of phones, many servers and all new Macs.
const TARGET: &str = "aarch64-unknown-linux-gnu";

/// Where Debian puts what programs for it are linked with.
const LIBRARIES: &str = "/usr/aarch64-linux-gnu";

/// The crates whose results depend on the processor, or could.
const CRATES: [&str; 2] = ["tengen-core", "tengen-nn"];

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Only tests whose name has this in it
    filter: Option<String>,
    /// Compile the tests, and run none
    #[arg(long)]
    no_run: bool,
    /// Let the command pass on a machine that lacks a tool
    #[arg(long)]
    allow_missing: bool,
}

pub(crate) fn run_with(args: &Args) -> Result<ExitCode> {
    let missing = match args.allow_missing {
        true => Missing::Allowed,
        false => Missing::Fails,
    };
    let mut report = Report::new(missing);
    report.step(TARGET, || test(args));
    report.finish()
}

fn test(args: &Args) -> Result<Outcome> {
    if host()? == TARGET {
        let reason = "this machine is of that kind: cargo xtask test is enough";
        return Ok(Outcome::Missing(reason.to_owned()));
    }
    let (linker, qemu) = match (AARCH64_LINKER.ensure(), QEMU.ensure()) {
        (Ok(linker), Ok(qemu)) => (linker, qemu),
        (Err(error), _) | (_, Err(error)) => return Ok(Outcome::Missing(error.to_string())),
    };
    let mut library = Command::new("rustup");
    library.args(["target", "add", TARGET]);
    if !matches!(run(&mut library)?, Outcome::Passed(_)) {
        let reason = format!("rustup has no standard library for {TARGET}");
        return Ok(Outcome::Missing(reason));
    }
    let mut test = cargo()?;
    test.arg("test");
    for name in CRATES {
        test.args(["-p", name]);
    }
    test.args(["--lib", "--tests", "--target", TARGET]);
    if args.no_run {
        test.arg("--no-run");
    }
    test.args(args.filter.as_deref());
    let variable = |end: &str| {
        let target = TARGET.to_uppercase().replace('-', "_");
        format!("CARGO_TARGET_{target}_{end}")
    };
    test.env(variable("LINKER"), linker);
    test.env(variable("RUNNER"), format!("{qemu} -L {LIBRARIES}"));
    test.env("CARGO_TARGET_DIR", cargo::root()?.join("target/cross"));
    // Ten times as slow as the processor itself, and properties need not be tried as often to walk through all code.
    test.env("PROPTEST_CASES", "8");
    match args.no_run {
        true => run(&mut test),
        false => run_tests(test),
    }
}
