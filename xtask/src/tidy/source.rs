//! The files of the checkout.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};

use crate::cargo;

/// The map of the code, which some of the checks read.
pub(super) const MAP: &str = "ARCHITECTURE.md";

/// All files that are in git or would be added to it.
pub(super) struct Source {
    pub(super) root: PathBuf,
    /// Paths from the root, with slashes, in order.
    pub(super) files: Vec<String>,
}

impl Source {
    pub(super) fn read() -> Result<Self> {
        let root = cargo::root()?;
        let output = Command::new("git")
            .current_dir(&root)
            .args([
                "ls-files",
                "-z",
                "--cached",
                "--others",
                "--exclude-standard",
            ])
            .stderr(Stdio::inherit())
            .output()
            .context("cannot start git")?;
        ensure!(
            output.status.success(),
            "git cannot list the files: {}",
            output.status
        );
        let names = String::from_utf8(output.stdout).context("a file name is not UTF-8")?;
        let mut files: Vec<String> = names
            .split_terminator('\0')
            // A file that was deleted and not yet committed is still listed.
            .filter(|name| root.join(name).is_file())
            .map(str::to_owned)
            .collect();
        files.sort();
        files.dedup();
        Ok(Self { root, files })
    }

    /// The files whose names end in this.
    pub(super) fn ending(&self, suffix: &str) -> impl Iterator<Item = &str> {
        let files = self.files.iter().map(String::as_str);
        files.filter(move |name| name.ends_with(suffix))
    }

    /// The text of a file; nothing if it is no text.
    pub(super) fn text(&self, name: &str) -> Result<Option<String>> {
        let bytes =
            std::fs::read(self.root.join(name)).with_context(|| format!("cannot read {name}"))?;
        Ok(String::from_utf8(bytes).ok())
    }

    /// The text of the map.
    pub(super) fn map(&self) -> Result<String> {
        self.text(MAP)?
            .with_context(|| format!("{MAP} is not UTF-8"))
    }

    /// Is there a file or folder with this path from the root?
    pub(super) fn has(&self, path: &str) -> bool {
        let path = path.trim_end_matches('/');
        let folder = format!("{path}/");
        // Folders are not listed, but sort right before what is in them.
        let next = |start: &str| {
            let at = self.files.partition_point(|name| name.as_str() < start);
            self.files.get(at)
        };
        next(path).is_some_and(|name| name == path)
            || next(&folder).is_some_and(|name| name.starts_with(&folder))
    }
}

/// The lines of the indented block that follows a heading of the map, without their indent.
pub(super) fn block<'a>(map: &'a str, heading: &str) -> Result<Vec<&'a str>> {
    let after = map
        .lines()
        .skip_while(|line| line.trim_start_matches('#').trim() != heading)
        .skip(1);
    let lines: Vec<&str> = after
        .take_while(|line| !line.starts_with('#'))
        .skip_while(|line| !line.starts_with("    "))
        .take_while(|line| line.starts_with("    "))
        .map(str::trim)
        .collect();
    ensure!(
        !lines.is_empty(),
        "{MAP} has no indented block below the heading {heading:?}"
    );
    Ok(lines)
}

#[cfg(test)]
mod tests {
    use super::{Source, block};

    #[test]
    fn a_block_is_what_is_indented_below_a_heading() {
        let map = "# Map\n\n    other\n\n## Edges\n\nText.\n\n    a  b\n    c\n\nMore.\n\n    d\n## Next\n";
        assert_eq!(block(map, "Edges").unwrap(), ["a  b", "c"]);
        assert!(block(map, "Next").is_err());
        assert!(block(map, "Nowhere").is_err());
    }

    #[test]
    fn folders_are_there_when_something_is_in_them() {
        let source = Source {
            root: "/".into(),
            files: ["a-b/c", "a.rs", "a/b.rs", "z"].map(str::to_owned).to_vec(),
        };
        for there in ["a", "a/", "a.rs", "a/b.rs", "a-b", "z"] {
            assert!(source.has(there), "{there}");
        }
        for not_there in ["b", "a/b", "a/b.rs/", "zz", ""] {
            assert_eq!(source.has(not_there), not_there == "a/b.rs/", "{not_there}");
        }
    }
}
