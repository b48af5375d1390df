//! What is released: the version, for which target, and where the files go.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use anyhow::{Context, Result};
use serde::Deserialize;

use crate::cargo::{cargo, root};
use crate::fuzz::host;

pub(super) struct Release {
    pub(super) version: String,
    /// The address of the repository; empty until somebody has filled it in.
    pub(super) repository: String,
    /// What is built for, in Rust's words.
    pub(super) target: String,
    /// The time that all files of archives have: that of the last commit, in seconds since 1970.
    pub(super) time: u64,
    pub(super) root: PathBuf,
    /// Where everything is put.
    pub(super) folder: PathBuf,
}

impl Release {
    /// The release of this checkout for a target, or for this machine.
    pub(super) fn of(target: Option<&str>) -> Result<Self> {
        #[derive(Deserialize)]
        struct Metadata {
            packages: Vec<Package>,
        }
        #[derive(Deserialize)]
        struct Package {
            name: String,
            version: String,
            repository: Option<String>,
        }
        let output = cargo()?
            .args(["metadata", "--format-version=1", "--no-deps"])
            .stderr(Stdio::inherit())
            .output()
            .context("cannot start cargo")?;
        let metadata: Metadata = serde_json::from_slice(&output.stdout)
            .context("cargo metadata printed something else")?;
        let mut packages = metadata.packages.into_iter();
        let command = packages
            .find(|package| package.name == "tengen")
            .context("there is no package tengen")?;
        let root = root()?;
        let folder = root.join("target/dist");
        fs::create_dir_all(&folder)
            .with_context(|| format!("cannot create {}", folder.display()))?;
        Ok(Self {
            version: command.version,
            repository: command.repository.unwrap_or_default(),
            target: match target {
                Some(target) => target.to_owned(),
                None => host()?,
            },
            time: commit_time(),
            root,
            folder,
        })
    }

    /// Writes a file of the release.
    pub(super) fn write(&self, name: &str, bytes: &[u8]) -> Result<()> {
        fs::write(self.folder.join(name), bytes).with_context(|| format!("cannot write {name}"))
    }

    /// The name of the command's archive, without what says how it is packed.
    pub(super) fn command_name(&self) -> String {
        format!("tengen-{}-{}", self.version, self.target)
    }

    /// Are programs for this target those of Windows?
    pub(super) fn is_windows(&self) -> bool {
        self.target.contains("windows")
    }

    /// The files of the release so far, in order.
    pub(super) fn files(&self) -> Result<Vec<String>> {
        let mut names = Vec::new();
        for entry in fs::read_dir(&self.folder).context("there is no release")? {
            let entry = entry?;
            if entry.path().is_file() {
                names.push(entry.file_name().to_string_lossy().into_owned());
            }
        }
        names.sort();
        Ok(names)
    }

    /// The one file of the release whose name begins and ends so.
    pub(super) fn find(&self, start: &str, end: &str) -> Result<PathBuf> {
        let files = self.files()?;
        let mut found = files
            .iter()
            .filter(|name| name.starts_with(start) && name.ends_with(end));
        let name = found.next().with_context(|| {
            format!("there is no {start}…{end}: call `cargo xtask dist` before")
        })?;
        Ok(self.folder.join(name))
    }
}

/// The time of the last commit; an archive of sources without a repository has none.
fn commit_time() -> u64 {
    let output = root().and_then(|root| {
        let mut git = Command::new("git");
        git.current_dir(root).args(["log", "-1", "--format=%ct"]);
        Ok(git.output()?)
    });
    let text = output.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned());
    text.ok().and_then(|text| text.parse().ok()).unwrap_or(0)
}
