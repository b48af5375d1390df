//! The command as users get it: stripped, with pages for `man`, completions and licences.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};

use super::archive::{Archive, Kind};
use super::bill::Bill;
use super::debian::GLIBC;
use super::release::Release;
use super::tools::{Tools, is_linked_by_zig};
use crate::cargo::cargo;
use crate::console;
use crate::report::announce;
use crate::tengen::executable;

/// The shells that complete the command, and what their files are called.
const SHELLS: [(&str, &str); 4] = [
    ("bash", "tengen.bash"),
    ("zsh", "_tengen"),
    ("fish", "tengen.fish"),
    ("powershell", "_tengen.ps1"),
];

pub(super) struct Program {
    pub(super) bytes: Vec<u8>,
    /// Names and texts of the pages for `man`.
    pub(super) pages: Vec<(String, Vec<u8>)>,
    /// Names and texts of what shells read.
    pub(super) completions: Vec<(String, Vec<u8>)>,
    /// The licences of what is linked.
    pub(super) licences: String,
}

impl Program {
    /// Builds it and asks it for its pages.
    pub(super) fn build(release: &Release, tools: &Tools) -> Result<Self> {
        Tools::add_target(&release.target)?;
        let path = compile(release, tools)?;
        let bytes = fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
        let folder = release.root.join("target/xtask/manual");
        if folder.exists() {
            fs::remove_dir_all(&folder).context("cannot empty the folder of the pages")?;
        }
        ask(&path, |command| command.arg("manual").arg(&folder))?;
        let mut pages = Vec::new();
        for entry in fs::read_dir(&folder).context("there are no pages for man")? {
            let entry = entry?;
            let name = entry.file_name().to_string_lossy().into_owned();
            pages.push((name, fs::read(entry.path())?));
        }
        pages.sort();
        let mut completions = Vec::new();
        for (shell, name) in SHELLS {
            let text = ask(&path, |command| command.args(["completions", shell]))?;
            completions.push((name.to_owned(), text));
        }
        Ok(Self {
            bytes,
            pages,
            completions,
            licences: Bill::read("tengen", &release.target)?.licences()?,
        })
    }

    /// All of it below one folder.
    pub(super) fn archive(&self, release: &Release) -> Result<Archive> {
        let top = release.command_name();
        let mut archive = Archive::new(release.time);
        let name = if release.is_windows() {
            "tengen.exe"
        } else {
            "tengen"
        };
        archive.add(format!("{top}/{name}"), self.bytes.clone(), Kind::Program);
        for name in ["README.md", "CHANGELOG.md", "LICENSE-MIT", "LICENSE-APACHE"] {
            archive.add_file(
                format!("{top}/{name}"),
                &release.root.join(name),
                Kind::Text,
            )?;
        }
        archive.add(
            format!("{top}/LICENSES-OF-DEPENDENCIES.txt"),
            self.licences.clone(),
            Kind::Text,
        );
        for (name, page) in &self.pages {
            archive.add(format!("{top}/man/man1/{name}"), page.clone(), Kind::Text);
        }
        for (name, text) in &self.completions {
            archive.add(
                format!("{top}/completions/{name}"),
                text.clone(),
                Kind::Text,
            );
        }
        Ok(archive)
    }
}

/// Compiles the command and says where it is. On Linux it is linked for a C library that every system has.
fn compile(release: &Release, tools: &Tools) -> Result<std::path::PathBuf> {
    let target = &release.target;
    let (mut build, target) = if is_linked_by_zig(target) {
        let mut zig = tools.program("cargo-zigbuild")?;
        zig.current_dir(&release.root);
        let is_gnu = target.ends_with("-gnu");
        let target = if is_gnu {
            format!("{target}.{GLIBC}")
        } else {
            target.clone()
        };
        (zig, target)
    } else {
        (cargo()?, target.clone())
    };
    build
        .args(["rustc", "--release", "--locked", "--package", "tengen"])
        .args(["--bin", "tengen", "--target", &target])
        .arg("--message-format=json-render-diagnostics")
        .args(["--", "-C", "strip=symbols"])
        .stdin(Stdio::null())
        .stderr(console::stdio()?);
    announce(&build);
    let output = build.output().context("cannot start the compiler")?;
    ensure!(
        output.status.success(),
        "tengen does not build: {}",
        output.status
    );
    executable(&String::from_utf8_lossy(&output.stdout), "tengen")
        .context("cargo did not say where it put tengen")
}

/// What the command prints.
fn ask(program: &Path, words: impl FnOnce(&mut Command) -> &mut Command) -> Result<Vec<u8>> {
    let mut command = Command::new(program);
    let output = words(&mut command)
        .stderr(Stdio::inherit())
        .output()
        .context("cannot start the command that was built")?;
    ensure!(
        output.status.success(),
        "{} failed: {}",
        program.display(),
        output.status
    );
    Ok(output.stdout)
}
