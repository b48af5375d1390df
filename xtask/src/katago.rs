//! The comparison of what networks of KataGo say with what plain loops say. The networks come in packages of others,
//! and are no part of the project.

use std::fs;
use std::process::Command;

use anyhow::{Context, Result};

use crate::cargo::{self, cargo};
use crate::report::{Outcome, run};
use crate::system_package::answers;

/// Packages with a network each: an ordinary one, one with nested bottlenecks, and a transformer.
const PACKAGES: [&str; 3] = ["katrain==1.12.3", "katrain==1.14.0", "katrain==1.20.0"];

/// The folder of networks that the tests look into. Who sets it has networks of their own.
const FOLDER: &str = "TENGEN_KATAGO_NETS";

/// Takes the networks out of packages.
const UNPACK: &str = "\
import pathlib, sys, zipfile
folder = pathlib.Path(sys.argv[1])
for package in folder.glob('*.whl'):
    with zipfile.ZipFile(package) as content:
        for name in content.namelist():
            if name.endswith('.bin.gz'):
                (folder / pathlib.Path(name).name).write_bytes(content.read(name))
    package.unlink()
";

pub(crate) fn compare() -> Result<Outcome> {
    let mut test = cargo()?;
    test.args([
        "test",
        "--package",
        "tengen-nn",
        "--test",
        "it",
        "katago::peers",
    ]);
    if std::env::var_os(FOLDER).is_some() {
        return run(&mut test);
    }
    if !answers("python3", &["-m", "pip", "--version"]) {
        return Ok(Outcome::Missing("pip is not installed".to_owned()));
    }
    let folder = cargo::root()?.join("target/peers/katago");
    fs::create_dir_all(&folder).with_context(|| format!("cannot create {}", folder.display()))?;
    test.env(FOLDER, &folder);
    let mut outcome = None;
    let are_there = fs::read_dir(&folder)?.count() >= PACKAGES.len();
    if !are_there {
        for package in PACKAGES {
            let mut download = Command::new("python3");
            download
                .args([
                    "-m",
                    "pip",
                    "download",
                    "--quiet",
                    "--no-deps",
                    "--ignore-requires-python",
                ])
                .arg("--dest")
                .arg(&folder)
                .arg(package);
            outcome = Some(run(&mut download)?);
            if !matches!(outcome, Some(Outcome::Passed(_))) {
                break;
            }
        }
    }
    if let Some(failed) = outcome.filter(|outcome| !matches!(outcome, Outcome::Passed(_))) {
        return Ok(failed);
    }
    let mut unpack = Command::new("python3");
    unpack.args(["-c", UNPACK]).arg(&folder);
    match run(&mut unpack)? {
        Outcome::Passed(_) => run(&mut test),
        failed => Ok(failed),
    }
}
