//! `cargo xtask lint`: what can be said about the code without running it.

use std::process::{Command, ExitCode};

use anyhow::Result;

use crate::cargo::{self, Extension, cargo};
use crate::dependencies;
use crate::release;
use crate::report::{Missing, Outcome, Report, run as run_command};
use crate::tidy;

const FUZZ_MANIFEST: &str = "fuzz/Cargo.toml";

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Let a step pass whose tool is not installed
    #[arg(long)]
    allow_missing: bool,
}

pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let mut report = Report::new(if args.allow_missing {
        Missing::Allowed
    } else {
        Missing::Fails
    });
    quick_steps(&mut report);
    slow_steps(&mut report);
    report.finish()
}

/// Formatting, documents, dependencies and clippy: seconds once the dependencies are compiled.
pub(crate) fn quick_steps(report: &mut Report) {
    report.step("fmt", || {
        extension(&cargo::FMT, |cargo| cargo.args(["fmt", "--all", "--check"]))
    });
    report.step("tidy", tidy::check);
    report.step("dependencies", dependencies::check);
    report.step("metadata", release::check_metadata);
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

/// The fuzz targets, which are a workspace of their own, and the documentation.
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
            // The folder of the workspace, in which most dependencies have been checked already.
            cargo.args(["--target-dir", "target", "--", "--deny", "warnings"])
        })
    });
    report.step("docs", || {
        let mut cargo = cargo()?;
        cargo
            .args(["doc", "--workspace", "--no-deps"])
            .env("RUSTDOCFLAGS", "--deny warnings");
        run_command(&mut cargo)
    });
}

/// Runs a cargo extension where there is one.
fn extension(
    extension: &Extension,
    arguments: impl FnOnce(&mut Command) -> &mut Command,
) -> Result<Outcome> {
    if !extension.is_installed()? {
        return Ok(Outcome::Missing(extension.advice()));
    }
    run_command(arguments(&mut cargo()?))
}
