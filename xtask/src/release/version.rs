//! The version, which the manifest of the workspace has, and the other places that must repeat it.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};

/// Files that name the version: dependencies between crates have to, so that packed crates find each other.
const FILES: [&str; 4] = [
    "Cargo.toml",
    "crates/tengen-app/Cargo.toml",
    "crates/tengen-wasm/Cargo.toml",
    "CITATION.cff",
];

/// What is wrong with a citation.
pub(super) fn problems(version: &str, citation: &str) -> Vec<String> {
    let line = format!("version: {version}");
    if citation.lines().any(|other| other == line) {
        Vec::new()
    } else {
        vec![format!("CITATION.cff does not have {line:?}")]
    }
}

/// Writes a version to all places.
pub(super) fn set(root: &Path, version: &str) -> Result<()> {
    let parts: Vec<&str> = version.split('.').collect();
    let is_number = |part: &&str| part.parse::<u32>().is_ok();
    ensure!(
        parts.len() == 3 && parts.iter().all(is_number),
        "{version:?} is not like 1.2.3"
    );
    for name in FILES {
        let path = root.join(name);
        let text = fs::read_to_string(&path).with_context(|| format!("cannot read {name}"))?;
        fs::write(&path, changed(&text, version))
            .with_context(|| format!("cannot write {name}"))?;
    }
    Ok(())
}

/// A file with another version: lines that begin with it, and dependencies that are folders of this checkout.
fn changed(text: &str, version: &str) -> String {
    let mut lines: Vec<String> = Vec::new();
    for line in text.lines() {
        let is_own = line.starts_with("version = \"") || line.contains("path = \"");
        lines.push(match line.split_once("version = \"") {
            Some((before, rest)) if is_own => {
                let rest = rest.split_once('"').map_or("", |(_, rest)| rest);
                format!("{before}version = \"{version}\"{rest}")
            }
            _ if line.starts_with("version: ") => format!("version: {version}"),
            _ => line.to_owned(),
        });
    }
    lines.join("\n") + "\n"
}

#[cfg(test)]
mod tests {
    use super::{changed, problems};

    #[test]
    fn only_our_own_versions_change() {
        let text = "version = \"0.1.0\"\nrust-version = \"1.89\"\n\
            a = { path = \"a\", version = \"0.1.0\", default-features = false }\nb = { version = \"1.0\" }\n";
        let wanted = "version = \"0.2.0\"\nrust-version = \"1.89\"\n\
            a = { path = \"a\", version = \"0.2.0\", default-features = false }\nb = { version = \"1.0\" }\n";
        assert_eq!(changed(text, "0.2.0"), wanted);
        assert_eq!(
            changed("cff-version: 1.2.0\nversion: 0.1.0\n", "0.2.0"),
            "cff-version: 1.2.0\nversion: 0.2.0\n"
        );
    }

    #[test]
    fn a_citation_of_another_version_is_told() {
        assert_eq!(
            problems("0.1.0", "title: Tengen\nversion: 0.1.0\n"),
            [""; 0]
        );
        assert_eq!(
            problems("0.2.0", "title: Tengen\nversion: 0.1.0\n").len(),
            1
        );
    }
}
