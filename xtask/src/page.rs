//! The page: its types, its parts, and all of it in a real browser.

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Result, ensure};

use crate::cargo;
use crate::report::{Outcome, Report, run, run_tests};
use crate::system_package::{CHROMIUM, NODE, NPM};
use crate::tengen::{self, Profile};

/// Node with all packages that the tests of the page need.
pub(crate) struct Workshop {
    node: &'static str,
    npm: &'static str,
    web: PathBuf,
}

impl Workshop {
    /// Installs what is missing. The outcome says what could not be.
    pub(crate) fn open() -> Result<Result<Self, Outcome>> {
        let (node, npm) = match (NODE.ensure(), NPM.ensure()) {
            (Ok(node), Ok(npm)) => (node, npm),
            (Err(reason), _) | (_, Err(reason)) => {
                return Ok(Err(Outcome::Missing(format!("{reason:#}"))));
            }
        };
        let web = cargo::root()?.join("web");
        let workshop = Self { node, npm, web };
        if !workshop.is_current() {
            let mut install = workshop.npm(&["ci", "--silent"]);
            if !matches!(run(&mut install)?, Outcome::Passed(_)) {
                let reason = "npm could not install what the tests need: try again with a network";
                return Ok(Err(Outcome::Missing(reason.to_owned())));
            }
        }
        Ok(Ok(workshop))
    }

    /// Are the packages there that the lock file names, so that no network is needed?
    fn is_current(&self) -> bool {
        let changed = |file| {
            let file = self.web.join(file);
            file.metadata().and_then(|metadata| metadata.modified())
        };
        // npm writes this file when it has installed everything.
        match (
            changed("package-lock.json"),
            changed("node_modules/.package-lock.json"),
        ) {
            (Ok(wanted), Ok(installed)) => installed >= wanted,
            _ => false,
        }
    }

    fn npm(&self, words: &[&str]) -> Command {
        let mut npm = Command::new(self.npm);
        npm.current_dir(&self.web).args(words);
        npm
    }

    /// Runs the tests of a folder, one after the other: a browser takes all cores by itself.
    pub(crate) fn tests(&self, folder: &str) -> Result<Command> {
        let mut node = Command::new(self.node);
        node.current_dir(&self.web)
            .args(["--test", "--test-concurrency=1"]);
        // Versions of Node differ in what the name of a folder means to them.
        let mut files = Vec::new();
        for entry in self.web.join(folder).read_dir()? {
            let path = entry?.path();
            if path.to_string_lossy().ends_with(".test.js") {
                files.push(path);
            }
        }
        ensure!(!files.is_empty(), "there are no tests in web/{folder}");
        files.sort();
        node.args(files);
        Ok(node)
    }
}

pub(crate) fn steps(report: &mut Report) {
    report.step("types of the page", || match Workshop::open()? {
        Ok(workshop) => run(&mut workshop.npm(&["run", "--silent", "types"])),
        Err(reason) => Ok(reason),
    });
    report.step("parts of the page", || match Workshop::open()? {
        Ok(workshop) => run_tests(workshop.tests("tests")?),
        Err(reason) => Ok(reason),
    });
    report.step("page in a browser", || {
        let workshop = match Workshop::open()? {
            Ok(workshop) => workshop,
            Err(reason) => return Ok(reason),
        };
        let chromium = match CHROMIUM.ensure() {
            Ok(chromium) => chromium,
            Err(reason) => return Ok(Outcome::Missing(format!("{reason:#}"))),
        };
        let mut tests = workshop.tests("e2e")?;
        tests
            .env("TENGEN", tengen::build(Profile::Dev)?)
            .env("CHROMIUM", chromium)
            .env(
                "TENGEN_SCREENSHOTS",
                cargo::root()?.join("target/screenshots"),
            );
        run_tests(tests)
    });
}
