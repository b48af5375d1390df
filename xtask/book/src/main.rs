//! Writes all documents of the project as one book with a search: `cargo run -p tengen-book -- FOLDER`.
//!
//! Documents stay where people look for them in the repository, so they are first copied side by side, with the same
//! paths. Then mdBook makes pages of them, and every link of every page is followed.

#![forbid(unsafe_code)]

mod links;

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use mdbook_driver::MDBook;
use mdbook_driver::config::Config;
use walkdir::WalkDir;

/// The contents of the book. Its links lead from its own folder.
const SUMMARY: &str = "xtask/book/SUMMARY.md";
const TO_ROOT: &str = "../../";

fn main() -> Result<()> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let root = root.canonicalize().context("the project is not there")?;
    let mut arguments = std::env::args_os().skip(1);
    let folder = arguments
        .next()
        .map_or_else(|| root.join("target/book"), PathBuf::from);
    write_book(&root, &folder)?;
    let problems = links::broken(&folder.join("pages"))?;
    for problem in &problems {
        eprintln!("{problem}");
    }
    ensure!(problems.is_empty(), "{} links lead nowhere", problems.len());
    let index = folder.join("pages/index.html");
    writeln!(io::stdout(), "{}", index.display())?;
    Ok(())
}

fn write_book(root: &Path, folder: &Path) -> Result<()> {
    let sources = folder.join("sources");
    for old in [&sources, &folder.join("pages")] {
        if old.exists() {
            fs::remove_dir_all(old).with_context(|| format!("cannot empty {}", old.display()))?;
        }
    }
    let summary = fs::read_to_string(root.join(SUMMARY)).context(SUMMARY)?;
    let pages = pages_of(&summary);
    let missing: Vec<String> = documents(root)?.difference(&pages).cloned().collect();
    if !missing.is_empty() {
        bail!("{SUMMARY} does not name {}", missing.join(", "));
    }
    for page in &pages {
        let text = fs::read_to_string(root.join(page)).with_context(|| page.clone())?;
        copy_linked_files(root, &sources, page, &text)?;
        write(&sources.join(page), text.as_bytes())?;
    }
    write(
        &sources.join("SUMMARY.md"),
        summary.replace(&format!("]({TO_ROOT}"), "](").as_bytes(),
    )?;
    let config: Config = "\
[book]
title = \"Tengen\"
src = \"sources\"
[build]
build-dir = \"pages\"
create-missing = false
use-default-preprocessors = false
[output.html.search]
limit-results = 30
"
    .parse()?;
    MDBook::load_with_config(folder, config)?.build()
}

/// The documents that a summary names, as paths from the root.
fn pages_of(summary: &str) -> BTreeSet<String> {
    let start = format!("]({TO_ROOT}");
    let links = summary.split(start.as_str()).skip(1);
    links
        .filter_map(|rest| rest.split_once(')'))
        .map(|(path, _)| path.to_owned())
        .collect()
}

/// All documents for readers: those of docs, and the READMEs of the crates.
fn documents(root: &Path) -> Result<BTreeSet<String>> {
    let mut found = BTreeSet::new();
    for (folder, depth) in [("docs", 3), ("crates", 2)] {
        for entry in WalkDir::new(root.join(folder)).max_depth(depth) {
            let path = entry?.into_path();
            let is_page = path.extension().is_some_and(|extension| extension == "md");
            if is_page && (folder == "docs" || path.ends_with("README.md")) {
                let path = path.strip_prefix(root)?;
                found.insert(path.to_string_lossy().replace('\\', "/"));
            }
        }
    }
    Ok(found)
}

/// Pictures, configurations, licences: what a page links to and is no page goes with it.
fn copy_linked_files(root: &Path, sources: &Path, page: &str, text: &str) -> Result<()> {
    let folder = Path::new(page).parent().unwrap_or(Path::new(""));
    for rest in text.split("](").skip(1) {
        let Some((target, _)) = rest.split_once(')') else {
            continue;
        };
        let path = target.split('#').next().unwrap_or_default();
        if path.is_empty() || path.contains(':') || path.ends_with(".md") {
            continue;
        }
        let from = root.join(folder).join(path);
        if from.is_file() {
            let place = from.canonicalize()?;
            let place = place.strip_prefix(root)?;
            write(&sources.join(place), &fs::read(&from)?)?;
        }
    }
    Ok(())
}

fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(path, bytes).with_context(|| path.display().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_book_has_every_document_and_no_broken_link() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let root = root.canonicalize().expect("the project is there");
        let folder = std::env::temp_dir().join(format!("tengen-book-{}", std::process::id()));
        write_book(&root, &folder).expect("it can be written");
        let broken = links::broken(&folder.join("pages")).expect("it can be read");
        let search = folder.join("pages").read_dir().expect("it is there");
        let has_search = search.flatten().any(|file| {
            let name = file.file_name();
            name.to_string_lossy().starts_with("searchindex")
        });
        fs::remove_dir_all(&folder).expect("it can be deleted");
        assert_eq!(broken, Vec::<String>::new());
        assert!(has_search);
    }

    #[test]
    fn pages_are_those_of_the_summary() {
        let pages = pages_of("[A](../../a.md)\n- [B](../../docs/b.md)\n  - [c](elsewhere.md)");
        assert_eq!(
            pages,
            BTreeSet::from(["a.md", "docs/b.md"].map(str::to_owned))
        );
    }
}
