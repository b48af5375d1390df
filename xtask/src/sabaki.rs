//! The library with which Sabaki speaks to engines, driving ours.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use serde::Deserialize;

use crate::cargo;
use crate::report::{Outcome, run};
use crate::system_package::{NODE, NPM};
use crate::tengen::{self, Profile};

/// The version is fixed: a new one may differ in ways that nobody has explained yet.
const PACKAGE: &str = "@sabaki/gtp";
const VERSION: &str = "3.0.0";

/// Node, and the folder that the package is in.
pub(crate) struct Installed {
    node: &'static str,
    folder: PathBuf,
}

/// Installs the package. The outcome says what is missing.
pub(crate) fn install() -> Result<Result<Installed, Outcome>> {
    let (node, npm) = match (NODE.ensure(), NPM.ensure()) {
        (Ok(node), Ok(npm)) => (node, npm),
        (Err(reason), _) | (_, Err(reason)) => {
            return Ok(Err(Outcome::Missing(format!("{reason:#}"))));
        }
    };
    let root = cargo::root()?;
    // A folder of its own, since npm takes out of a folder what it was not told to put there.
    let folder = root.join("target/sabaki");
    fs::create_dir_all(&folder).with_context(|| format!("cannot create {}", folder.display()))?;
    if !is_installed(&folder) {
        let mut install = Command::new(npm);
        install
            .args(["install", "--silent", "--no-save", "--prefix"])
            .arg(&folder)
            .arg(format!("{PACKAGE}@{VERSION}"));
        if !matches!(run(&mut install)?, Outcome::Passed(_)) {
            let reason = format!("npm could not install {PACKAGE}: try again with a network");
            return Ok(Err(Outcome::Missing(reason)));
        }
    }
    Ok(Ok(Installed { node, folder }))
}

/// Plays a whole game with `tengen gtp`, analyses included.
pub(crate) fn play() -> Result<Outcome> {
    let Installed { node, folder } = match install()? {
        Ok(installed) => installed,
        Err(outcome) => return Ok(outcome),
    };
    let tengen = tengen::build(Profile::Dev)?;
    let mut game = Command::new(node);
    game.current_dir(cargo::root()?)
        .arg("crates/tengen/tests/sabaki/run.mjs")
        .arg(&folder)
        .arg(tengen);
    run(&mut game)
}

/// Is the package there already, so that no network is needed?
fn is_installed(folder: &Path) -> bool {
    #[derive(Deserialize)]
    struct Manifest {
        version: String,
    }
    let file = folder
        .join("node_modules")
        .join(PACKAGE)
        .join("package.json");
    fs::read_to_string(file)
        .ok()
        .and_then(|text| serde_json::from_str::<Manifest>(&text).ok())
        .is_some_and(|manifest| manifest.version == VERSION)
}
