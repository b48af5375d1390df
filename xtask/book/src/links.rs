//! Links of pages that lead nowhere.

use std::collections::{BTreeSet, HashMap};
use std::fs;
use std::path::{Component, Path, PathBuf};

use anyhow::{Context, Result};
use walkdir::WalkDir;

/// Pages that mdBook makes of all others or for errors: their links are those of the others, or from the root.
const LEFT_OUT: [&str; 3] = ["print.html", "404.html", "toc.html"];

/// One line for each link of the pages below a folder that leads to no file, or to no heading of it.
pub(crate) fn broken(folder: &Path) -> Result<Vec<String>> {
    let mut pages = HashMap::new();
    for entry in WalkDir::new(folder).sort_by_file_name() {
        let path = entry?.into_path();
        let is_page = path
            .extension()
            .is_some_and(|extension| extension == "html");
        let is_left_out = LEFT_OUT.iter().any(|name| path.ends_with(name));
        if is_page && !is_left_out {
            let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
            pages.insert(path, text);
        }
    }
    let names: HashMap<&PathBuf, BTreeSet<&str>> = pages
        .iter()
        .map(|(path, text)| (path, attributes(text, "id").collect()))
        .collect();
    let mut problems = Vec::new();
    for (path, text) in &pages {
        for target in attributes(text, "href").chain(attributes(text, "src")) {
            if target.contains(':') || target.starts_with("//") {
                continue;
            }
            let (file, name) = target.split_once('#').unwrap_or((target, ""));
            let there = match file {
                "" => path.clone(),
                file => resolved(path, file),
            };
            let leads_somewhere = match names.get(&there) {
                Some(names) => name.is_empty() || names.contains(name),
                None => there.exists(),
            };
            if !leads_somewhere {
                let page = path.strip_prefix(folder).unwrap_or(path);
                problems.push(format!("{}: {target} leads nowhere", page.display()));
            }
        }
    }
    problems.sort();
    problems.dedup();
    Ok(problems)
}

/// The values of an attribute in a page.
fn attributes<'a>(text: &'a str, name: &str) -> impl Iterator<Item = &'a str> {
    let start = format!(" {name}=\"");
    let values: Vec<&str> = text
        .split(start.as_str())
        .skip(1)
        .filter_map(|rest| rest.split('"').next())
        .collect();
    values.into_iter()
}

/// The file that a link of a page means.
fn resolved(page: &Path, link: &str) -> PathBuf {
    let mut path = page.parent().unwrap_or(Path::new("")).to_owned();
    for part in Path::new(link).components() {
        match part {
            Component::ParentDir => {
                path.pop();
            }
            Component::Normal(name) => path.push(name),
            _ => {}
        }
    }
    path
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_to_missing_files_and_headings_are_found() {
        let folder = std::env::temp_dir().join(format!("tengen-links-{}", std::process::id()));
        fs::create_dir_all(folder.join("sub")).expect("it can be made");
        let index = "<a href=\"sub/a.html#one\"> <a href=\"sub/a.html#two\"> <img src=\"no.png\"> \
            <a href=\"https://example.org/x\">";
        fs::write(folder.join("index.html"), index).expect("it can be written");
        let page = "<h1 id=\"one\"> <a href=\"../index.html\"> <a href=\"#one\">";
        fs::write(folder.join("sub/a.html"), page).expect("it can be written");
        let found = broken(&folder).expect("it can be read");
        fs::remove_dir_all(&folder).expect("it can be deleted");
        let expected = [
            "index.html: no.png leads nowhere",
            "index.html: sub/a.html#two leads nowhere",
        ];
        assert_eq!(found, expected);
    }
}
