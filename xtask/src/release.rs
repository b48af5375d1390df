//! `cargo xtask release`: whether everything is ready for a tag, and the version in all places.

mod address;
mod changelog;
mod compatibility;
mod manifest;
mod version;

use std::fs;
use std::process::{Command, ExitCode};

use anyhow::{Context, Result, bail};

use crate::cargo::{self, cargo};
use crate::console;
use crate::report::{Missing, Outcome, Report, run as run_command};
use crate::tally::Tally;
use crate::workflows;
use manifest::Manifests;

#[derive(clap::Args)]
#[group(required = true, multiple = false)]
pub(crate) struct Args {
    /// Check that everything is ready for a tag: addresses, versions, changes, packed crates, workflows
    #[arg(long)]
    check: bool,
    /// Write a new version to all places that name it
    #[arg(long, value_name = "VERSION")]
    set: Option<String>,
    /// Write the address of the repository to all places that name it
    #[arg(long, value_name = "ADDRESS")]
    address: Option<String>,
    /// Check the workspace with the oldest compiler that is promised, which rustup installs
    #[arg(long)]
    oldest_compiler: bool,
    /// Check that code of users of this commit compiles as the version promises: for cargo-semver-checks
    #[arg(long, value_name = "COMMIT")]
    compare: Option<String>,
    /// Publish the crates, in the order of their dependencies: for a maintainer, never for a test
    #[arg(long)]
    publish: bool,
}

pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    if let Some(version) = &args.set {
        version::set(&cargo::root()?, version)?;
        return Ok(ExitCode::SUCCESS);
    }
    if let Some(address) = &args.address {
        address::set(&cargo::root()?, address)?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut report = Report::new(Missing::Fails);
    if args.oldest_compiler {
        report.step("oldest compiler", oldest_compiler);
    } else if let Some(commit) = &args.compare {
        report.step("compatible", || compatibility::since(commit));
    } else {
        report.step("metadata", check_metadata);
        report.step("ready for a tag", ready);
        report.step("compatible", compatibility::since_release);
        report.step("workflows", workflows::check);
        report.step("actionlint", workflows::lint);
        if args.publish {
            if report.is_success() {
                report.step("publish", || {
                    package(&["publish", "--workspace", "--locked"])
                });
            }
        } else {
            // Compiled as they are packed, each with the others as they are packed.
            report.step("crates as they are packed", || {
                package(&["publish", "--dry-run", "--workspace", "--locked"])
            });
        }
    }
    report.finish()
}

/// What has to hold at every commit: everything that can be known before a release.
pub(crate) fn check_metadata() -> Result<Outcome> {
    let root = cargo::root()?;
    let manifests = Manifests::read()?;
    let mut problems = manifests.problems();
    let read = |name: &str| fs::read_to_string(root.join(name)).with_context(|| name.to_owned());
    problems.extend(manifests.undocumented(&read("RELEASE.md")?));
    problems.extend(changelog::problems(&read("CHANGELOG.md")?));
    problems.extend(version::problems(
        &manifests.version,
        &read("CITATION.cff")?,
    ));
    problems.extend(address::problems(&root, &manifests.repository)?);
    for name in ["LICENSE-MIT", "LICENSE-APACHE"] {
        if read(name)? != read(&format!("python/{name}"))? {
            problems.push(format!("python/{name} is not that of the root"));
        }
    }
    tell(&problems)
}

/// What has to hold only when a version is tagged.
fn ready() -> Result<Outcome> {
    let manifests = Manifests::read()?;
    let mut problems = Vec::new();
    if manifests.repository.is_empty() {
        let how = "cargo xtask release --address https://…";
        problems.push(format!(
            "the address of the repository is not filled in: {how}"
        ));
    }
    let changes =
        fs::read_to_string(cargo::root()?.join("CHANGELOG.md")).context("CHANGELOG.md")?;
    if !changelog::has(&changes, &manifests.version) {
        problems.push(format!(
            "CHANGELOG.md has no section for {}",
            manifests.version
        ));
    }
    tell(&problems)
}

fn tell(problems: &[String]) -> Result<Outcome> {
    for problem in problems {
        console::say(&format!("    {problem}"));
    }
    Ok(match problems.first() {
        None => Outcome::Passed(Tally::ONE_PASSED),
        Some(first) => Outcome::Failed(
            Tally::ONE_FAILED,
            format!("{} problems, the first: {first}", problems.len()),
        ),
    })
}

/// Calls cargo for all crates that are published.
fn package(words: &[&str]) -> Result<Outcome> {
    run_command(cargo()?.args(words))
}

/// Compiles everything with the compiler that `rust-version` names.
fn oldest_compiler() -> Result<Outcome> {
    let version = env!("CARGO_PKG_RUST_VERSION");
    let mut install = Command::new("rustup");
    install.args([
        "toolchain",
        "install",
        version,
        "--profile",
        "minimal",
        "--no-self-update",
    ]);
    match run_command(&mut install)? {
        Outcome::Passed(_) => {}
        _ => {
            let reason = format!("rustup could not install Rust {version}");
            return Ok(Outcome::Missing(reason));
        }
    }
    let mut check = Command::new("rustup");
    check
        .current_dir(cargo::root()?)
        .args(["run", version, "cargo", "check", "--workspace", "--all-targets", "--locked"])
        // What this compiler has made is not what that one makes.
        .env("CARGO_TARGET_DIR", cargo::root()?.join("target/oldest"))
        .env_remove("RUSTC")
        .env_remove("CARGO");
    if matches!(run_command(&mut check)?, Outcome::Passed(_)) {
        Ok(Outcome::Passed(Tally::ONE_PASSED))
    } else {
        bail!("Rust {version} does not compile the workspace")
    }
}
