//! `cargo xtask sanitize`: tests of what the compiler cannot check, under LLVM's sanitizers.

use std::path::Path;
use std::process::{Command, ExitCode, Stdio};

use anyhow::{Context, Result};

use crate::cargo::{self, cargo};
use crate::fuzz::host;
use crate::report::{Missing, Outcome, Report, run_tests};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// The sanitizer to run; both when none is named
    #[arg(value_enum)]
    sanitizer: Option<Sanitizer>,
    /// Let the command pass on a machine that lacks what a sanitizer needs
    #[arg(long)]
    allow_missing: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Sanitizer {
    /// Reads and writes beyond what was allocated: the kernels of the network, and memory that is asked for early
    Address,
    /// Races between threads: the tree that has no locks, and the batch that threads divide among themselves
    Thread,
}

impl Sanitizer {
    const ALL: [Self; 2] = [Self::Address, Self::Thread];

    const fn name(self) -> &'static str {
        match self {
            Self::Address => "address",
            Self::Thread => "thread",
        }
    }

    /// The crates that it has something to say about.
    const fn crates(self) -> &'static [&'static str] {
        match self {
            Self::Address => &["tengen-nn", "tengen-env"],
            Self::Thread => &["tengen-search", "tengen-env"],
        }
    }
}

pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let missing = if args.allow_missing {
        Missing::Allowed
    } else {
        Missing::Fails
    };
    let mut report = Report::new(missing);
    for sanitizer in Sanitizer::ALL {
        if args.sanitizer.is_none_or(|only| only == sanitizer) {
            report.step(sanitizer.name(), || test(sanitizer));
        }
    }
    report.finish()
}

fn test(sanitizer: Sanitizer) -> Result<Outcome> {
    let host = host()?;
    if host != "x86_64-unknown-linux-gnu" && host != "aarch64-unknown-linux-gnu" {
        return Ok(Outcome::Missing(format!(
            "there is no such sanitizer for {host}"
        )));
    }
    let mut test = cargo()?;
    test.arg("test");
    for name in sanitizer.crates() {
        test.args(["-p", name]);
    }
    // With a target, programs that run while others are compiled have no sanitizer in them.
    test.args(["--lib", "--tests", "--target", &host]);
    if sanitizer == Sanitizer::Thread {
        // A standard library that does not tell of its own locks makes races of what is none.
        if !has_library_sources()? {
            let advice =
                "the sources of the standard library are missing: rustup component add rust-src";
            return Ok(Outcome::Missing(advice.to_owned()));
        }
        test.arg("-Zbuild-std");
    }
    // The stable compiler has sanitizers, too, but hides them.
    test.env("RUSTC_BOOTSTRAP", "1");
    test.env("RUSTFLAGS", format!("-Zsanitizer={}", sanitizer.name()));
    // The flags are others, so that whatever is built in the usual folder would have to be built again.
    let folder = cargo::root()?
        .join("target/sanitize")
        .join(sanitizer.name());
    test.env("CARGO_TARGET_DIR", folder);
    // Instrumented code is several times slower, and properties need not be tried as often to walk through all of it.
    test.env("PROPTEST_CASES", "16");
    run_tests(test)
}

fn has_library_sources() -> Result<bool> {
    let output = Command::new("rustc")
        .args(["--print", "sysroot"])
        .stderr(Stdio::inherit())
        .output()
        .context("cannot start rustc")?;
    let sysroot = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    Ok(Path::new(&sysroot)
        .join("lib/rustlib/src/rust/library/std")
        .is_dir())
}
