//! Programs that make and check packages, in a Python environment of their own.

use std::process::Command;

use anyhow::{Result, bail};

use crate::python::PythonEnvironment;
use crate::report::{Outcome, run};

/// Versions are fixed, so that a release is made again as it was.
const PACKAGES: [&str; 5] = [
    "maturin==1.16.0",
    // A linker with the C libraries of all ages, so that programs run on systems older than this one.
    "ziglang==0.17.0",
    "cargo-zigbuild==0.24.0",
    "twine==7.0.0",
    "cyclonedx-python-lib[json-validation]==11.12.0",
];

/// Only Linux has a standard for wheels that has to be audited.
const FOR_LINUX: &str = "auditwheel==6.8.2";

pub(super) struct Tools(PythonEnvironment);

impl Tools {
    pub(super) fn install() -> Result<Self> {
        let mut packages = PACKAGES.to_vec();
        if cfg!(target_os = "linux") {
            packages.push(FOR_LINUX);
        }
        match PythonEnvironment::make("dist-tools", &packages)? {
            Ok(environment) => Ok(Self(environment)),
            Err(Outcome::Missing(reason) | Outcome::Failed(_, reason)) => bail!(reason),
            Err(Outcome::Passed(_)) => bail!("there is no environment for the tools"),
        }
    }

    /// A program of the environment, which finds the others of it.
    pub(super) fn program(&self, name: &str) -> Result<Command> {
        self.0.program(name)
    }

    /// Lets the interpreter run a script.
    pub(super) fn python(&self) -> Command {
        self.0.run()
    }

    /// Makes the standard library for a target available where rustup manages the compiler.
    pub(super) fn add_target(target: &str) -> Result<()> {
        if crate::fuzz::host()? != target {
            let mut rustup = Command::new("rustup");
            rustup.args(["target", "add", target]);
            if !matches!(run(&mut rustup)?, Outcome::Passed(_)) {
                bail!("there is no standard library for {target}");
            }
        }
        Ok(())
    }
}

/// Is it a target for which zig links?
pub(super) fn is_linked_by_zig(target: &str) -> bool {
    target.contains("-linux-")
}
