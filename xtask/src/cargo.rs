//! Cargo, called the way the person at the terminal called it.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use anyhow::{Context, Result};

/// A cargo subcommand that does not come with every installation.
pub(crate) struct Extension {
    name: &'static str,
    install: &'static str,
}

pub(crate) const FMT: Extension = Extension {
    name: "fmt",
    install: "rustup component add rustfmt",
};
pub(crate) const CLIPPY: Extension = Extension {
    name: "clippy",
    install: "rustup component add clippy",
};
pub(crate) const NEXTEST: Extension = Extension {
    name: "nextest",
    install: "cargo install cargo-nextest --locked",
};
pub(crate) const FUZZ: Extension = Extension {
    name: "fuzz",
    install: "cargo install cargo-fuzz --locked",
};
pub(crate) const SEMVER_CHECKS: Extension = Extension {
    name: "semver-checks",
    install: "cargo install cargo-semver-checks --locked",
};

impl Extension {
    pub(crate) fn is_installed(&self) -> Result<bool> {
        let status = cargo()?
            .args([self.name, "--version"])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .context("cannot start cargo")?;
        Ok(status.success())
    }

    /// What to tell somebody who does not have it.
    pub(crate) fn advice(&self) -> String {
        format!("cargo {} is not installed: {}", self.name, self.install)
    }
}

/// A `cargo` that starts in the root of the workspace.
pub(crate) fn cargo() -> Result<Command> {
    // Cargo passes its own path on, so that `cargo +nightly xtask …` stays with that toolchain.
    let program = std::env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo"));
    let mut command = Command::new(program);
    command.current_dir(root()?);
    Ok(command)
}

/// The root of the workspace, wherever in it the command was given.
pub(crate) fn root() -> Result<PathBuf> {
    let mut root = std::env::var_os("CARGO_MANIFEST_DIR")
        .map(PathBuf::from)
        .context("cannot find the workspace: start this program as `cargo xtask`")?;
    root.pop();
    Ok(root)
}
