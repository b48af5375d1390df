//! `cargo xtask docs`: all documents as a book.
//!
//! The crate `tengen-book` writes it; it is a program of its own, so that nobody compiles mdBook to run other tasks.

use std::process::ExitCode;

use anyhow::{Context, Result};

use crate::cargo::cargo;

pub(crate) fn run() -> Result<ExitCode> {
    let status = cargo()?
        .args(["run", "--quiet", "--package", "tengen-book"])
        .status()
        .context("cannot start cargo")?;
    Ok(match status.success() {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    })
}
