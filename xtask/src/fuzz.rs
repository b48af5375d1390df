//! `cargo xtask fuzz`: libFuzzer on each of the fuzz targets, through cargo-fuzz.

use std::fs;
use std::process::{ExitCode, Stdio};

use anyhow::{Context, Result, bail, ensure};

use crate::cargo::{self, cargo};
use crate::report::{Missing, Outcome, Report, run as run_command};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// The target to run; all of them when none is named
    target: Option<String>,
    /// How long to run each target
    #[arg(long, value_name = "N", default_value_t = 60, value_parser = clap::value_parser!(u32).range(1..))]
    seconds: u32,
}

pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    ensure!(cargo::FUZZ.is_installed()?, "{}", cargo::FUZZ.advice());
    let mut targets = targets()?;
    if let Some(target) = &args.target {
        if !targets.contains(target) {
            bail!(
                "there is no fuzz target {target:?}; there are {}",
                targets.join(", ")
            );
        }
        targets.retain(|name| name == target);
    }

    let mut report = Report::new(Missing::Fails);
    for target in targets {
        report.step(&target, || run_target(&target, args.seconds));
    }
    report.finish()
}

fn targets() -> Result<Vec<String>> {
    let output = cargo()?
        .args(["fuzz", "list", "--fuzz-dir", "fuzz"])
        .stderr(Stdio::inherit())
        .output()
        .context("cannot start cargo")?;
    ensure!(
        output.status.success(),
        "cannot list the fuzz targets: {}",
        output.status
    );
    Ok(String::from_utf8_lossy(&output.stdout)
        .lines()
        .map(str::to_owned)
        .collect())
}

fn run_target(target: &str, seconds: u32) -> Result<Outcome> {
    let root = cargo::root()?;
    // New inputs go to the first folder. The regressions are where the search starts from.
    let corpus = format!("fuzz/corpus/{target}");
    let regressions = format!("fuzz/regressions/{target}");
    fs::create_dir_all(root.join(&corpus)).with_context(|| format!("cannot create {corpus}"))?;

    let mut cargo = cargo()?;
    // Without a sanitizer the stable compiler suffices, and more inputs are tried: in code that
    // forbids `unsafe` there is nothing for one to find.
    cargo.args([
        "fuzz",
        "run",
        "--fuzz-dir",
        "fuzz",
        "--sanitizer",
        "none",
        target,
        &corpus,
    ]);
    if root.join(&regressions).is_dir() {
        cargo.arg(&regressions);
    }
    cargo.arg("--").arg(format!("-max_total_time={seconds}"));
    Ok(match run_command(&mut cargo)? {
        Outcome::Failed(tally, _) => Outcome::Failed(
            tally,
            format!(
                "if an input did it, it is in fuzz/artifacts/{target}; \
                 keep it as {regressions}/<what it shows>"
            ),
        ),
        outcome => outcome,
    })
}
