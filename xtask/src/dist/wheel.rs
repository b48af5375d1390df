//! The Python package: one wheel for every Python from 3.10 on, and its sources.

use std::fs;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail, ensure};

use super::release::Release;
use super::tools::{Tools, is_linked_by_zig};
use crate::console;
use crate::report::{Outcome, announce, run};

/// What a wheel may weigh.
pub(super) const MOST_BYTES: u64 = 8_000_000;

/// Builds the wheel.
pub(super) fn build(release: &Release, tools: &Tools) -> Result<()> {
    Tools::add_target(&release.target)?;
    let mut maturin = maturin(release, tools)?;
    maturin.args(["build", "--release", "--strip", "--locked"]);
    maturin.args(["--target", &release.target]);
    if is_linked_by_zig(&release.target) {
        maturin.args(["--zig", "--compatibility", platform(&release.target)]);
    }
    maturin.arg("--out").arg(&release.folder);
    must_run(&mut maturin)?;
    let wheel = release.find(&format!("tengen-{}-", release.version), ".whl")?;
    let bytes = fs::metadata(&wheel).context("the wheel is gone")?.len();
    ensure!(
        bytes <= MOST_BYTES,
        "the wheel has {bytes} bytes, and must not have more than {MOST_BYTES}"
    );
    Ok(())
}

/// Packs the sources of the package, Rust included.
pub(super) fn pack_sources(release: &Release, tools: &Tools) -> Result<()> {
    let mut maturin = maturin(release, tools)?;
    maturin.arg("sdist").arg("--out").arg(&release.folder);
    must_run(&mut maturin)
}

/// The oldest systems that a wheel for Linux may be installed on.
fn platform(target: &str) -> &'static str {
    if target.contains("musl") {
        "musllinux_1_2"
    } else {
        "manylinux2014"
    }
}

fn maturin(release: &Release, tools: &Tools) -> Result<Command> {
    let mut maturin = tools.program("maturin")?;
    maturin.current_dir(release.root.join("python"));
    Ok(maturin)
}

/// Does the wheel keep to what its name promises about systems that it runs on?
pub(super) fn audit(release: &Release, tools: &Tools) -> Result<Outcome> {
    let wheel = release.find("tengen-", ".whl")?;
    let mut audit = tools.program("auditwheel")?;
    audit.arg("show").arg(&wheel).stderr(console::stdio()?);
    announce(&audit);
    let output = audit
        .stdin(Stdio::null())
        .output()
        .context("cannot start auditwheel")?;
    console::write(&output.stdout)?;
    let words: Vec<String> = String::from_utf8_lossy(&output.stdout)
        .split_whitespace()
        .map(str::to_owned)
        .collect();
    let said = words.join(" ");
    let architecture = release.target.split('-').next().unwrap_or_default();
    let promised = match platform(&release.target) {
        "manylinux2014" => format!("manylinux_2_17_{architecture}"),
        other => format!("{other}_{architecture}"),
    };
    let kept = format!("is consistent with the following platform tag: \"{promised}\"");
    ensure!(
        said.contains(&kept),
        "auditwheel does not say that the wheel {kept}"
    );
    Ok(Outcome::Passed(crate::tally::Tally::ONE_PASSED))
}

fn must_run(command: &mut Command) -> Result<()> {
    match run(command)? {
        Outcome::Passed(_) => Ok(()),
        Outcome::Failed(_, reason) | Outcome::Missing(reason) => bail!(reason),
    }
}
