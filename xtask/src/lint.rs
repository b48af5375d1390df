//! `cargo xtask lint`: what can be said about the code without running it.

use std::process::{Command, ExitCode};

use anyhow::Result;

use crate::cargo::{self, Extension, cargo};
use crate::report::{Outcome, Report, run as run_command};

const FUZZ_MANIFEST: &str = "fuzz/Cargo.toml";

pub(crate) fn run() -> Result<ExitCode> {
    let mut report = Report::default();
    quick_steps(&mut report);
    slow_steps(&mut report);
    report.finish()
}

/// Formatting and clippy: seconds once the dependencies are compiled.
pub(crate) fn quick_steps(report: &mut Report) {
    report.step("fmt", || {
        extension(&cargo::FMT, |cargo| cargo.args(["fmt", "--all", "--check"]))
    });
    report.step("clippy", || {
        extension(&cargo::CLIPPY, |cargo| {
            cargo.args([
                "clippy",
                "--workspace",
                "--all-targets",
                "--",
                "--deny",
                "warnings",
            ])
        })
    });
}

/// The fuzz targets, which are a workspace of their own, the documentation and the dependencies.
pub(crate) fn slow_steps(report: &mut Report) {
    report.step("fmt of fuzz targets", || {
        extension(&cargo::FMT, |cargo| {
            cargo.args(["fmt", "--manifest-path", FUZZ_MANIFEST, "--check"])
        })
    });
    report.step("clippy of fuzz targets", || {
        // Without its default feature libFuzzer is not compiled, so no C++ compiler is needed.
        extension(&cargo::CLIPPY, |cargo| {
            cargo.args([
                "clippy",
                "--manifest-path",
                FUZZ_MANIFEST,
                "--no-default-features",
            ]);
            cargo.args(["--", "--deny", "warnings"])
        })
    });
    report.step("docs", || {
        let mut cargo = cargo()?;
        cargo
            .args(["doc", "--workspace", "--no-deps"])
            .env("RUSTDOCFLAGS", "--deny warnings");
        run_command(&mut cargo)
    });
    report.step("dependencies", || {
        // Advisories are left to `cargo deny check`: they come over the network and change with
        // the day, and a verdict on a commit should not.
        extension(&cargo::DENY, |cargo| {
            cargo.args(["deny", "check", "bans", "licenses", "sources"])
        })
    });
}

/// Runs a cargo extension where there is one.
fn extension(
    extension: &Extension,
    arguments: impl FnOnce(&mut Command) -> &mut Command,
) -> Result<Outcome> {
    if !extension.is_installed()? {
        return Ok(Outcome::LeftOut(extension.advice()));
    }
    run_command(arguments(&mut cargo()?))
}
