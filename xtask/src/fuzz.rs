//! `cargo xtask fuzz`: libFuzzer on each of the fuzz targets, which cargo-fuzz builds.

use std::path::Path;
use std::process::{Command, ExitCode, Stdio};

use anyhow::{Context, Result, bail, ensure};

use crate::cage::{Cage, copy_files};
use crate::cargo::{self, cargo};
use crate::report::{Missing, Outcome, Report, run as run_command};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// The target to run; all of them when none is named
    target: Option<String>,
    /// How long to run each target
    #[arg(long, value_name = "N", default_value_t = 60, value_parser = clap::value_parser!(u32).range(1..))]
    seconds: u32,
    /// The same in minutes
    #[arg(long, value_name = "N", conflicts_with = "seconds", value_parser = clap::value_parser!(u32).range(1..))]
    minutes: Option<u32>,
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

    let seconds = args.minutes.map_or(args.seconds, |minutes| 60 * minutes);
    let mut report = Report::new(Missing::Fails);
    let mut is_built = false;
    report.step("build", || {
        let outcome = build(args.target.as_deref())?;
        is_built = matches!(outcome, Outcome::Passed(_));
        Ok(outcome)
    });
    if is_built {
        for target in targets {
            report.step(&target, || run_target(&target, seconds));
        }
    }
    report.finish()
}

fn build(target: Option<&str>) -> Result<Outcome> {
    let mut cargo = cargo()?;
    // Without a sanitizer the stable compiler suffices, and more inputs are tried: in code that forbids `unsafe` there
    // is nothing for one to find. The rest is for `cargo xtask sanitize`.
    cargo.args(["fuzz", "build", "--fuzz-dir", "fuzz", "--sanitizer", "none"]);
    cargo.args(target);
    run_command(&mut cargo)
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

/// Runs a target in a folder of its own, as nobody if this is root: what is fed to it may name files. The inputs that
/// it found stay in `fuzz/corpus`, for the next time.
fn run_target(target: &str, seconds: u32) -> Result<Outcome> {
    let root = cargo::root()?;
    let kept = |folder: &str| root.join("fuzz").join(folder).join(target);
    let cage = Cage::new(&format!("fuzz-{target}"))?;
    cage.take_folder("corpus", &kept("corpus"))?;
    cage.take_folder("regressions", &kept("regressions"))?;
    cage.make_folder("artifacts")?;
    let program = root
        .join("fuzz/target")
        .join(host()?)
        .join("release")
        .join(target);
    let mut run = cage.program(&program)?;
    // New inputs go to the first folder. The regressions are where the search starts from.
    run.arg(cage.path("corpus")).arg(cage.path("regressions"));
    run.arg(format!("-max_total_time={seconds}"));
    run.args(["-timeout=30", "-rss_limit_mb=2048", "-print_final_stats=1"]);
    run.arg(format!(
        "-artifact_prefix={}/",
        cage.path("artifacts").display()
    ));
    let outcome = run_command(&mut run)?;
    copy_files(&cage.path("corpus"), &kept("corpus"))?;
    copy_files(&cage.path("artifacts"), &kept("artifacts"))?;
    Ok(match outcome {
        Outcome::Failed(tally, _) => Outcome::Failed(
            tally,
            format!(
                "if an input did it, it is in fuzz/artifacts/{target}; \
                 keep it as fuzz/regressions/{target}/<what it shows>"
            ),
        ),
        outcome => outcome,
    })
}

/// The name of this machine's target, which cargo-fuzz builds for.
pub(crate) fn host() -> Result<String> {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(Path::new(&rustc))
        .arg("-vV")
        .output()
        .context("cannot start rustc")?;
    let text = String::from_utf8_lossy(&output.stdout);
    let host = text.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned)
        .context("rustc does not name its host")
}
