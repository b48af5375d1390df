//! Whether code of users still compiles with what changed since another version.

use std::process::Command;

use anyhow::{Context, Result};

use crate::cargo::{self, cargo};
use crate::console;
use crate::report::{Outcome, run};
use crate::system_package::answers;
use crate::tally::Tally;

/// Compares all crates that are published with those of the last release, if there was one.
pub(super) fn since_release() -> Result<Outcome> {
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
    if !answers("cargo-semver-checks", &["semver-checks", "--version"]) {
        let advice = "cargo-semver-checks is missing: cargo install cargo-semver-checks --locked";
        return Ok(Outcome::Missing(advice.to_owned()));
    }
    // The version says which changes are allowed; crates that are not published are left out by their manifests.
    let mut check = cargo()?;
    check.args(["semver-checks", "--workspace", "--baseline-rev", commit]);
    run(&mut check)
}

/// The version that was tagged last, before this commit.
fn last_tag() -> Result<Option<String>> {
    let output = Command::new("git")
        .args(["describe", "--tags", "--abbrev=0", "--match", "v*"])
        .current_dir(cargo::root()?)
        .output()
        .context("cannot start git")?;
    let tag = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    Ok((output.status.success() && !tag.is_empty()).then_some(tag))
}
