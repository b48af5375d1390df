//! `cargo xtask setup`: what the tests need, installed.

use std::process::{Command, ExitCode};

use anyhow::Result;

use crate::cargo::{self, Extension, cargo};
use crate::report::{Missing, Outcome, Report, run as run_command};
use crate::system_package;
use crate::tally::Tally;
use crate::test;
use crate::wasm;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Also what `cargo xtask fuzz` and `cargo xtask sanitize` need
    #[arg(long)]
    fuzz: bool,
    /// Also what `cargo xtask release` needs
    #[arg(long)]
    release: bool,
    /// Let the command succeed although something could not be installed
    #[arg(long)]
    allow_missing: bool,
}

pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let mut report = Report::new(if args.allow_missing {
        Missing::Allowed
    } else {
        Missing::Fails
    });
    report.step("rustfmt and clippy", || {
        rustup("component", &["rustfmt", "clippy"])
    });
    report.step("WebAssembly", || {
        if wasm::packages().is_empty() {
            return Ok(Outcome::Passed(Tally::ONE_PASSED));
        }
        match rustup("target", &[wasm::TARGET])? {
            passed @ Outcome::Passed(_) => Ok(passed),
            // Debian has another compiler for it, which is one of the programs below.
            missing if system_package::is_debian() => {
                drop(missing);
                Ok(Outcome::Passed(Tally::ONE_PASSED))
            }
            missing => Ok(missing),
        }
    });
    report.step("programs", system_package::install_for_tests);
    report.step("packages for Node", test::install_for_node);
    report.step("packages for Python", test::install_for_python);
    if args.fuzz {
        report.step("cargo-fuzz", || install(&cargo::FUZZ, "cargo-fuzz"));
        report.step("sources of the library", || {
            rustup("component", &["rust-src"])
        });
    }
    if args.release {
        report.step("cargo-semver-checks", || {
            install(&cargo::SEMVER_CHECKS, "cargo-semver-checks")
        });
    }
    report.finish()
}

/// Adds something to the toolchain, if rustup manages it.
fn rustup(what: &str, names: &[&str]) -> Result<Outcome> {
    if !system_package::answers("rustup", &["--version"]) {
        let reason = format!(
            "rustup is not installed: install {} yourself",
            names.join(" and ")
        );
        return Ok(Outcome::Missing(reason));
    }
    let mut rustup = Command::new("rustup");
    rustup.args([what, "add"]).args(names);
    Ok(match run_command(&mut rustup)? {
        Outcome::Failed(_, reason) => Outcome::Missing(format!(
            "rustup could not add {}: {reason}",
            names.join(" and ")
        )),
        outcome => outcome,
    })
}

/// Installs a subcommand of cargo that is not there yet.
fn install(extension: &Extension, package: &str) -> Result<Outcome> {
    if extension.is_installed()? {
        return Ok(Outcome::Passed(Tally::ONE_PASSED));
    }
    run_command(cargo()?.args(["install", "--locked", package]))
}
