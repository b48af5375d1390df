//! The comparison of game records with what other programs read in them.

use std::fs;
use std::process::Command;

use anyhow::{Context, Result};

use crate::cargo::{self, cargo};
use crate::report::{Outcome, run};
use crate::system_package::answers;

/// Versions are fixed: a new one may differ in ways that nobody has explained yet.
const SGFMILL: &str = "sgfmill==1.1.1";
const SABAKI: &str = "@sabaki/sgf@3.4.7";

/// Folders with more files to compare, separated as those of `PATH` are.
const FOLDERS: &str = "TENGEN_SGF_FOLDERS";

pub(crate) fn compare() -> Result<Outcome> {
    for (program, what) in [("python3", "Python"), ("node", "Node.js"), ("npm", "npm")] {
        if !answers(program, &["--version"]) {
            return Ok(Outcome::Missing(format!("{what} is not installed")));
        }
    }
    let root = cargo::root()?;
    let work = root.join("target/peers");
    let python = work.join("venv/bin/python");
    let generated = work.join("generated");
    fs::create_dir_all(&work).with_context(|| format!("cannot create {}", work.display()))?;

    let mut make_venv = Command::new("python3");
    make_venv.args(["-m", "venv"]).arg(work.join("venv"));
    let mut pip = Command::new(&python);
    pip.args(["-m", "pip", "install", "--quiet", SGFMILL]);
    let mut npm = Command::new("npm");
    npm.args(["install", "--silent", "--no-save", "--prefix"])
        .arg(&work)
        .arg(SABAKI);
    let mut generate = cargo()?;
    generate
        .args(["run", "--quiet", "--package", "tengen-sgf"])
        .args(["--example", "generate", "--"])
        .arg(&generated)
        .arg("1000");
    let mut compare = Command::new(&python);
    compare
        .current_dir(&root)
        .arg("crates/tengen-sgf/tests/peers/compare.py")
        .arg(&work)
        .arg(&generated);
    if let Some(folders) = std::env::var_os(FOLDERS) {
        compare.args(std::env::split_paths(&folders));
    }

    let mut outcome = run(&mut make_venv)?;
    for step in [&mut pip, &mut npm, &mut generate, &mut compare] {
        if matches!(outcome, Outcome::Passed(_)) {
            outcome = run(step)?;
        }
    }
    Ok(outcome)
}
