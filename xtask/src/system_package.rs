//! Programs that come from the operating system rather than from cargo.

use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::{Mutex, PoisonError};

use anyhow::{Result, bail};

use crate::report::{Outcome, run};
use crate::tally::Tally;
use crate::wasm;

/// A program and the Debian package that brings it.
pub(crate) struct SystemPackage {
    /// Its name, and where it may be beside the folders of `PATH`.
    programs: &'static [&'static str],
    /// What it is called with to see that it is there, and able.
    trial: &'static [&'static str],
    package: &'static str,
}

pub(crate) const VALGRIND: SystemPackage = SystemPackage {
    programs: &["valgrind"],
    trial: &["--version"],
    package: "valgrind",
};

/// Python with what makes environments, which Debian packs apart.
pub(crate) const PYTHON: SystemPackage = SystemPackage {
    programs: &["python3"],
    trial: &[
        "-c",
        "import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))",
    ],
    package: "python3-venv",
};

pub(crate) const NODE: SystemPackage = SystemPackage {
    programs: &["node"],
    trial: &[
        "-e",
        "process.exit(parseInt(process.versions.node) < 18 ? 1 : 0)",
    ],
    package: "nodejs",
};

pub(crate) const NPM: SystemPackage = SystemPackage {
    programs: &["npm"],
    trial: &["--version"],
    package: "npm",
};

/// Debian puts games where root does not look for programs.
pub(crate) const GNU_GO: SystemPackage = SystemPackage {
    programs: &["gnugo", "/usr/games/gnugo"],
    trial: &["--version"],
    package: "gnugo",
};

pub(crate) const CHROMIUM: SystemPackage = SystemPackage {
    programs: &["/usr/bin/chromium", "/usr/bin/google-chrome"],
    trial: &["--version"],
    package: "chromium",
};

/// Debian's own Rust beside the one of rustup, which may have no library for WebAssembly.
pub(crate) const DEBIAN_CARGO: SystemPackage = SystemPackage {
    programs: &["/usr/bin/cargo"],
    trial: &["--version"],
    package: "cargo-web",
};

/// The sources of its standard library, which are no program.
pub(crate) const DEBIAN_RUST_SOURCES: SystemPackage = SystemPackage {
    programs: &["test"],
    trial: &["-e", "/usr/lib/rustlib/src/rust/library/std/Cargo.toml"],
    package: "rust-web-src",
};

pub(crate) const WASM_LD: SystemPackage = SystemPackage {
    programs: &["wasm-ld"],
    trial: &["--version"],
    package: "lld",
};

/// Links programs for another processor; it brings their C library along.
pub(crate) const AARCH64_LINKER: SystemPackage = SystemPackage {
    programs: &["aarch64-linux-gnu-gcc"],
    trial: &["--version"],
    package: "crossbuild-essential-arm64",
};

/// Plays that processor.
pub(crate) const QEMU: SystemPackage = SystemPackage {
    programs: &["qemu-aarch64-static", "qemu-aarch64"],
    trial: &["--version"],
    package: "qemu-user-static",
};

/// The system installs one thing at a time.
static INSTALLING: Mutex<()> = Mutex::new(());

/// Installs at once what `cargo xtask test` will look for, where that can be done. What is still missing then, the
/// steps that need it will say.
pub(crate) fn install_missing() -> Result<Outcome> {
    let missing = missing();
    if !missing.is_empty() && is_root_on_debian() {
        let _guard = INSTALLING.lock().unwrap_or_else(PoisonError::into_inner);
        install(&missing)?;
    }
    Ok(Outcome::Passed(Tally::ONE_PASSED))
}

/// The packages of programs that the tests need and that are not there.
fn missing() -> Vec<&'static str> {
    let everywhere = [&PYTHON, &NODE, &NPM, &GNU_GO, &CHROMIUM];
    let for_wasm = wasm::packages();
    let wanted = everywhere.into_iter().chain(for_wasm.iter().copied());
    wanted
        .filter(|package| package.find().is_none())
        .map(|package| package.package)
        .collect()
}

/// The same for somebody who has asked for it, and may therefore be root for a moment.
pub(crate) fn install_for_tests() -> Result<Outcome> {
    let wanted = missing();
    if !wanted.is_empty() && is_debian() {
        install(&wanted)?;
    }
    let still = missing();
    Ok(if still.is_empty() {
        Outcome::Passed(Tally::ONE_PASSED)
    } else {
        Outcome::Missing(format!(
            "install these of your system: {}",
            still.join(", ")
        ))
    })
}

impl SystemPackage {
    /// Makes the program available and says how to start it: root on Debian (a container, most likely) gets it
    /// installed. The error says what to install where that is not so, or did not work.
    pub(crate) fn ensure(&self) -> Result<&'static str> {
        if let Some(program) = self.find() {
            return Ok(program);
        }
        if is_root_on_debian() {
            let _guard = INSTALLING.lock().unwrap_or_else(PoisonError::into_inner);
            // Another step may have installed it meanwhile.
            if self.find().is_none() {
                install(&[self.package])?;
            }
        }
        if let Some(program) = self.find() {
            return Ok(program);
        }
        let Self {
            programs, package, ..
        } = self;
        let program = programs.first().unwrap_or(package);
        bail!("{program} is not installed or too old: install the package {package} of your system")
    }

    /// How to start the program, if it is there.
    fn find(&self) -> Option<&'static str> {
        let mut programs = self.programs.iter().copied();
        programs.find(|program| answers(program, self.trial))
    }
}

fn install(packages: &[&str]) -> Result<bool> {
    let install = ["install", "--yes", "--quiet", "--no-install-recommends"];
    let install = [&install[..], packages].concat();
    // A fresh container has no package lists yet, and fetching them is slow when it has.
    Ok(apt_get(&install)? || (apt_get(&["update", "--quiet"])? && apt_get(&install)?))
}

fn apt_get(arguments: &[&str]) -> Result<bool> {
    let mut command = if is_root() {
        let mut command = Command::new("apt-get");
        command.env("DEBIAN_FRONTEND", "noninteractive");
        command
    } else {
        // Never asks for a password.
        let mut command = Command::new("sudo");
        command.args(["-n", "DEBIAN_FRONTEND=noninteractive", "apt-get"]);
        command
    };
    command.args(arguments);
    Ok(matches!(run(&mut command)?, Outcome::Passed(_)))
}

fn is_root_on_debian() -> bool {
    is_root() && is_debian()
}

fn is_root() -> bool {
    Command::new("id")
        .arg("-u")
        .output()
        .is_ok_and(|output| output.stdout.trim_ascii() == b"0")
}

/// Is it Debian, or something like it?
pub(crate) fn is_debian() -> bool {
    Path::new("/etc/debian_version").exists() && answers("apt-get", &["--version"])
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
