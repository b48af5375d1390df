//! The address of the repository, which the manifest of the workspace has, and the files that must repeat it.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};

const MANIFEST: &str = "Cargo.toml";
const PYTHON: &str = "python/pyproject.toml";
const CITATION: &str = "CITATION.cff";

/// What begins the table of addresses of the Python package, which is not there before one is known.
const TABLE: &str = "[project.urls]";

/// The line of a file that names an address.
fn line(file: &str, address: &str) -> String {
    match file {
        PYTHON => format!("Repository = \"{address}\""),
        CITATION => format!("repository-code: {address}"),
        _ => format!("repository = \"{address}\""),
    }
}

/// Files that do not repeat an address. Nothing is repeated while it is empty.
pub(super) fn problems(root: &Path, address: &str) -> Result<Vec<String>> {
    let mut problems = Vec::new();
    for file in [PYTHON, CITATION] {
        let text = fs::read_to_string(root.join(file)).with_context(|| file.to_owned())?;
        let wanted = line(file, address);
        if !address.is_empty() && !text.lines().any(|other| other == wanted) {
            problems.push(format!(
                "{file} does not have {wanted:?}: `cargo xtask release --address` writes it"
            ));
        }
    }
    Ok(problems)
}

/// Writes an address to all places.
pub(super) fn set(root: &Path, address: &str) -> Result<()> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-._~/:".contains(c);
    ensure!(
        address.starts_with("https://") && address.chars().all(is_plain),
        "{address:?} is not like https://example.org/tengen"
    );
    for file in [MANIFEST, PYTHON, CITATION] {
        let path = root.join(file);
        let text = fs::read_to_string(&path).with_context(|| format!("cannot read {file}"))?;
        fs::write(&path, changed(file, &text, address))
            .with_context(|| format!("cannot write {file}"))?;
    }
    Ok(())
}

/// A file with another address.
fn changed(file: &str, text: &str, address: &str) -> String {
    let new = line(file, address);
    let start = new.split_inclusive(['=', ':']).next().unwrap_or_default();
    if text.lines().any(|old| old.starts_with(start)) {
        let lines = text.lines();
        let lines: Vec<&str> = lines
            .map(|old| if old.starts_with(start) { &new } else { old })
            .collect();
        return lines.join("\n") + "\n";
    }
    match file {
        PYTHON => text.replacen(
            "[tool.maturin]",
            &format!("{TABLE}\n{new}\n\n[tool.maturin]"),
            1,
        ),
        _ => format!("{text}{new}\n"),
    }
}

#[cfg(test)]
mod tests {
    use super::{CITATION, MANIFEST, PYTHON, changed, line};

    #[test]
    fn an_address_is_written_once_and_replaced_later() {
        let one = "https://example.org/tengen";
        let other = "https://example.com/tengen";
        for (file, text) in [
            (
                MANIFEST,
                "[workspace.package]\nrepository = \"\"\n\n[profile.release]\n",
            ),
            (
                PYTHON,
                "[project]\nname = \"tengen\"\n\n[tool.maturin]\nstrip = true\n",
            ),
            (CITATION, "title: Tengen\n"),
        ] {
            let first = changed(file, text, one);
            assert!(first.lines().any(|it| it == line(file, one)), "{first}");
            let second = changed(file, &first, other);
            assert_eq!(second, first.replace(one, other));
            assert_eq!(changed(file, &second, one), first);
        }
        let python = changed(PYTHON, "[project]\n\n[tool.maturin]\n", one);
        assert_eq!(
            python,
            format!("[project]\n\n[project.urls]\nRepository = \"{one}\"\n\n[tool.maturin]\n")
        );
    }

    #[test]
    fn what_is_no_address_is_refused() {
        let nowhere = std::path::Path::new("/nowhere");
        for wrong in [
            "",
            "example.org",
            "http://example.org",
            "https://example.org/\"x",
        ] {
            let said = super::set(nowhere, wrong).unwrap_err().to_string();
            assert!(said.contains("is not like"), "{said}");
        }
    }
}
