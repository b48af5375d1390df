//! SHA-256 of files, and the list that `sha256sum --check` reads.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use sha2::{Digest, Sha256};

/// How the names of lists begin.
pub(super) const START: &str = "SHA256SUMS-";

/// The name of the list, of which a release has one for each target.
pub(super) fn name(target: &str) -> String {
    format!("{START}{target}")
}

pub(super) fn sha256(bytes: &[u8]) -> String {
    let mut text = String::new();
    for byte in Sha256::digest(bytes) {
        // Writing to a text does not fail.
        _ = write!(text, "{byte:02x}");
    }
    text
}

/// The list of these files of a folder.
pub(super) fn list(folder: &Path, names: &[String]) -> Result<String> {
    let mut text = String::new();
    for name in names {
        let bytes = fs::read(folder.join(name)).with_context(|| format!("cannot read {name}"))?;
        _ = writeln!(text, "{}  {name}", sha256(&bytes));
    }
    Ok(text)
}

/// Compares the files of a folder with a list, and says how many they are.
pub(super) fn check(folder: &Path, name: &str) -> Result<usize> {
    let list = fs::read_to_string(folder.join(name))
        .with_context(|| format!("there is no {name}: call `cargo xtask dist` before"))?;
    for line in list.lines() {
        let (sum, file) = line
            .split_once("  ")
            .with_context(|| format!("{name}: {line:?} is no line of it"))?;
        let bytes = fs::read(folder.join(file)).with_context(|| format!("cannot read {file}"))?;
        ensure!(sha256(&bytes) == sum, "{file} is not what {name} says");
    }
    Ok(list.lines().count())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::{check, list, name, sha256};

    #[test]
    fn digests_are_those_that_are_published() {
        assert_eq!(
            sha256(b"abc"),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        );
    }

    #[test]
    fn a_changed_file_is_noticed() {
        let folder = std::env::temp_dir().join(format!("tengen-digest-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("a"), "one").unwrap();
        let text = list(&folder, &["a".to_owned()]).unwrap();
        let name = name("some-target");
        fs::write(folder.join(&name), text).unwrap();
        assert_eq!(check(&folder, &name).unwrap(), 1);
        fs::write(folder.join("a"), "two").unwrap();
        assert!(check(&folder, &name).is_err());
        assert!(check(&folder, "no list").is_err());
        fs::remove_dir_all(&folder).unwrap();
    }
}
