//! Programs that come from the operating system rather than from cargo.

use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Result, bail};

use crate::report::{Outcome, run};

/// A program and the Debian package that brings it.
pub(crate) struct SystemPackage {
    program: &'static str,
    /// What it is called with to see that it is there, and able.
    trial: &'static [&'static str],
    package: &'static str,
}

pub(crate) const VALGRIND: SystemPackage = SystemPackage {
    program: "valgrind",
    trial: &["--version"],
    package: "valgrind",
};

/// Python with what makes environments, which Debian packs apart.
pub(crate) const PYTHON: SystemPackage = SystemPackage {
    program: "python3",
    trial: &[
        "-c",
        "import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))",
    ],
    package: "python3-venv",
};

impl SystemPackage {
    /// Makes the program available: root on Debian (a container, most likely) gets it installed.
    /// The error says what to install where that is not so, or did not work.
    pub(crate) fn ensure(&self) -> Result<()> {
        let is_there = || answers(self.program, self.trial);
        if is_there() || (is_root_on_debian() && self.install()? && is_there()) {
            return Ok(());
        }
        let Self {
            program, package, ..
        } = self;
        bail!("{program} is not installed or too old: install the package {package} of your system")
    }

    fn install(&self) -> Result<bool> {
        let install = ["install", "--yes", "--no-install-recommends", self.package];
        // A fresh container has no package lists yet, and fetching them is slow when it has.
        Ok(apt_get(&install)? || (apt_get(&["update"])? && apt_get(&install)?))
    }
}

fn apt_get(arguments: &[&str]) -> Result<bool> {
    let mut command = Command::new("apt-get");
    command
        .args(arguments)
        .env("DEBIAN_FRONTEND", "noninteractive");
    Ok(matches!(run(&mut command)?, Outcome::Passed(_)))
}

fn is_root_on_debian() -> bool {
    let is_root = Command::new("id")
        .arg("-u")
        .output()
        .is_ok_and(|output| output.stdout.trim_ascii() == b"0");
    is_root && Path::new("/etc/debian_version").exists() && answers("apt-get", &["--version"])
}

/// Is there such a program?
pub(crate) fn answers(program: &str, arguments: &[&str]) -> bool {
    Command::new(program)
        .args(arguments)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}
