//! What `cargo metadata` says about the packages of the workspace and those that they stand on.

use std::process::Stdio;

use anyhow::{Context, Result, ensure};
use serde::Deserialize;

use crate::cargo::cargo;

#[derive(Deserialize)]
pub(crate) struct Metadata {
    pub(crate) packages: Vec<Package>,
}

#[derive(Deserialize)]
pub(crate) struct Package {
    pub(crate) name: String,
    pub(crate) version: String,
    /// An SPDX expression.
    pub(crate) license: Option<String>,
    /// Where it comes from; nothing for a folder of this checkout.
    pub(crate) source: Option<String>,
    pub(crate) dependencies: Vec<Dependency>,
}

#[derive(Deserialize)]
pub(crate) struct Dependency {
    pub(crate) name: String,
    /// The versions that will do.
    pub(crate) req: String,
    /// A folder of this checkout.
    pub(crate) path: Option<String>,
}

/// Which packages to ask about.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scope {
    /// Those of the workspace alone.
    Members,
    /// All that any feature on any system brings along.
    Everything,
}

impl Metadata {
    pub(crate) fn read(scope: Scope) -> Result<Self> {
        let mut cargo = cargo()?;
        cargo.args(["metadata", "--format-version=1", "--locked"]);
        cargo.arg(match scope {
            Scope::Members => "--no-deps",
            Scope::Everything => "--all-features",
        });
        let output = cargo
            .stderr(Stdio::inherit())
            .output()
            .context("cannot start cargo")?;
        ensure!(
            output.status.success(),
            "cargo metadata failed: {}",
            output.status
        );
        serde_json::from_slice(&output.stdout).context("cargo metadata printed something else")
    }
}
