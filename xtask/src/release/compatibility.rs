//! Whether code of users still compiles with what changed since another version.

use std::process::Command;

use anyhow::{Context, Result};

use crate::cargo::{self, SEMVER_CHECKS, cargo};
use crate::console;
use crate::report::{Outcome, run};
use crate::tally::Tally;

/// Compares all crates that are published with those of the last release, if there was one.
pub(super) fn since_release() -> Result<Outcome> {
    if git(&["rev-parse", "--is-shallow-repository"])?.as_deref() == Some("true") {
        let advice = "earlier releases are not in this clone: git fetch --unshallow --tags";
        return Ok(Outcome::Missing(advice.to_owned()));
    }
    match last_tag()? {
        Some(tag) => since(&tag),
        None => {
            console::say("    there is no earlier release to compare with");
            Ok(Outcome::Passed(Tally::ONE_PASSED))
        }
    }
}

/// Compares them with those of a commit.
pub(super) fn since(commit: &str) -> Result<Outcome> {
    if !SEMVER_CHECKS.is_installed()? {
        return Ok(Outcome::Missing(SEMVER_CHECKS.advice()));
    }
    // The version says which changes are allowed; crates that are not published are left out by their manifests.
    let mut check = cargo()?;
    check.args(["semver-checks", "--workspace", "--baseline-rev", commit]);
    run(&mut check)
}

/// The version that was tagged last, before this commit: a commit with a tag is not compared with itself.
fn last_tag() -> Result<Option<String>> {
    git(&["describe", "--tags", "--abbrev=0", "--match", "v*", "HEAD^"])
}

/// What git says, if it knows.
fn git(arguments: &[&str]) -> Result<Option<String>> {
    let output = Command::new("git")
        .args(arguments)
        .current_dir(cargo::root()?)
        .output()
        .context("cannot start git")?;
    let said = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    Ok((output.status.success() && !said.is_empty()).then_some(said))
}
