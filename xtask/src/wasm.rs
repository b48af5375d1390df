//! A compiler for WebAssembly, and what it makes of `crates/tengen-wasm`.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Result, anyhow, ensure};

use crate::cargo::{cargo, root};
use crate::report::{Outcome, run};
use crate::system_package::{DEBIAN_CARGO, DEBIAN_RUST_SOURCES, SystemPackage, WASM_LD};

pub(crate) const TARGET: &str = "wasm32-unknown-unknown";

/// What a module is compiled for. `web/page/backend/wasm/variants.js` says which a browser takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Variant {
    /// Vectors of four numbers, as every browser has them since 2023.
    Vectors,
    /// No vectors, for older browsers.
    Plain,
}

impl Variant {
    pub(crate) const ALL: [Self; 2] = [Self::Vectors, Self::Plain];

    /// What the page calls its file. Browsers without vectors may not be able to unpack one.
    pub(crate) const fn file(self) -> &'static str {
        match self {
            Self::Vectors => "tengen-vectors.wasm.gz",
            Self::Plain => "tengen.wasm",
        }
    }

    const fn flags(self) -> &'static str {
        match self {
            Self::Vectors => "-Ctarget-feature=+simd128",
            Self::Plain => "",
        }
    }
}

/// Where Debian puts its own Rust.
const DEBIAN: &str = "/usr/bin";

/// What Debian has to install for a compiler, if there is none.
pub(crate) fn packages() -> &'static [&'static SystemPackage] {
    if is_installed() {
        &[]
    } else {
        &[&DEBIAN_CARGO, &DEBIAN_RUST_SOURCES, &WASM_LD]
    }
}

/// A compiler for WebAssembly.
pub(crate) enum Toolchain {
    /// The one that cargo was called with.
    Active,
    /// Debian's, which has no standard library for WebAssembly but the sources of one.
    Debian { linker: &'static str },
}

impl Toolchain {
    /// The compiler of this machine; root on Debian gets one installed. The error says what to install.
    pub(crate) fn find() -> Result<Self> {
        if is_installed() {
            return Ok(Self::Active);
        }
        let debian = || -> Result<Self> {
            let cargo = DEBIAN_CARGO.ensure()?;
            ensure!(is_new_enough(cargo), "Debian's Rust is too old");
            DEBIAN_RUST_SOURCES.ensure()?;
            let linker = WASM_LD.ensure()?;
            Ok(Self::Debian { linker })
        };
        debian().map_err(|_| {
            anyhow!(
                "there is no compiler for WebAssembly: rustup target add {TARGET} \
                 (or, on Debian, the packages cargo-web, rust-web-src and lld)"
            )
        })
    }

    /// Compiles the crate with a profile, and says where the module is.
    pub(crate) fn build(&self, profile: &str, variant: Variant) -> Result<PathBuf> {
        // A folder of its own, so that neither compiler takes away what the other has made.
        let folder = root()?.join("target/wasm");
        let mut cargo = match self {
            Self::Active => cargo()?,
            Self::Debian { linker } => debian_cargo(linker)?,
        };
        cargo
            .args(["build", "--package", "tengen-wasm", "--lib"])
            .args(["--profile", profile, "--target", TARGET, "--target-dir"])
            .arg(&folder)
            // Those of whoever calls are for another processor.
            .env("RUSTFLAGS", variant.flags())
            .env_remove("CARGO_ENCODED_RUSTFLAGS");
        ensure!(
            matches!(run(&mut cargo)?, Outcome::Passed(_)),
            "tengen-wasm does not build"
        );
        Ok(folder.join(TARGET).join(profile).join("tengen_wasm.wasm"))
    }
}

/// Debian's cargo, which compiles the standard library along with the crate.
fn debian_cargo(linker: &str) -> Result<Command> {
    let folder = Path::new(DEBIAN);
    let mut cargo = Command::new(folder.join("cargo"));
    cargo
        .current_dir(root()?)
        // Features of cargo that are not stable yet.
        .env("RUSTC_BOOTSTRAP", "1")
        .env("RUSTC", folder.join("rustc"))
        .env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", linker)
        .args(["-Zbuild-std=std,panic_abort", "-Zbuild-std-features="]);
    Ok(cargo)
}

/// Has the active compiler a standard library for WebAssembly?
fn is_installed() -> bool {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| OsString::from("rustc"));
    let output = Command::new(rustc)
        .args(["--print", "target-libdir", "--target", TARGET])
        .stderr(Stdio::null())
        .output();
    output.is_ok_and(|output| {
        let folder = String::from_utf8_lossy(&output.stdout);
        output.status.success() && Path::new(folder.trim()).is_dir()
    })
}

/// Is a cargo as new as the workspace asks for?
fn is_new_enough(cargo: &str) -> bool {
    let output = Command::new(cargo).arg("--version").output();
    let version = output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
    version.is_ok_and(|version| is_version_enough(&version, env!("CARGO_PKG_RUST_VERSION")))
}

/// Compares what cargo says of itself, `cargo 1.96.0 (…)`, with the version that is needed.
fn is_version_enough(said: &str, needed: &str) -> bool {
    let numbers = |version: &str| -> Vec<u32> {
        let parts = version.split('.').take(2);
        parts.filter_map(|part| part.parse().ok()).collect()
    };
    let version = said.split_whitespace().nth(1).unwrap_or_default();
    numbers(version) >= numbers(needed)
}

#[cfg(test)]
mod tests {
    use super::is_version_enough;

    #[test]
    fn versions_are_compared_as_numbers() {
        assert!(is_version_enough(
            "cargo 1.96.0 (30a34c682 2026-05-25)",
            "1.88"
        ));
        assert!(is_version_enough("cargo 1.100.0", "1.88"));
        assert!(is_version_enough("cargo 1.88.1", "1.88"));
        assert!(!is_version_enough("cargo 1.85.0", "1.88"));
        assert!(!is_version_enough("cargo 0.66.0", "1.88"));
        assert!(!is_version_enough("", "1.88"));
    }
}
