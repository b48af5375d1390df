//! Links in documents lead somewhere, and the files that they name are there.

use std::collections::BTreeSet;

use anyhow::Result;

use super::source::Source;

/// Files whose name alone says that they belong to this project.
const KINDS: [&str; 3] = [".rs", ".md", ".js"];

pub(super) fn check(source: &Source) -> Result<Vec<String>> {
    let mut problems = Vec::new();
    for file in source.ending(".md") {
        let text = source.text(file)?.unwrap_or_default();
        let prose = prose(&text);
        for target in link_targets(&prose) {
            if let Some(problem) = broken_link(source, file, &target)? {
                problems.push(format!("{file}: {problem}"));
            }
        }
        for name in code_words(&prose) {
            if !is_there(source, file, &name) {
                problems.push(format!("{file} names `{name}`, which is not there"));
            }
        }
    }
    for file in source.ending("/README.md") {
        let folder = file
            .strip_prefix("crates/")
            .and_then(|file| file.split_once('/'));
        if let Some((name, "README.md")) = folder {
            let text = source.text(file)?.unwrap_or_default();
            problems.extend(modules(source, name, &text));
        }
    }
    Ok(problems)
}

/// The text without blocks of code.
fn prose(text: &str) -> String {
    let mut prose = String::new();
    let mut fenced = false;
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            fenced = !fenced;
        } else if !fenced {
            prose.push_str(line);
        }
        prose.push('\n');
    }
    prose
}

/// What follows `](` up to the closing bracket.
fn link_targets(prose: &str) -> Vec<String> {
    let parts = prose.split("](").skip(1);
    parts
        .filter_map(|part| part.split_once(')'))
        .map(|(target, _)| target.to_owned())
        .collect()
}

fn broken_link(source: &Source, file: &str, target: &str) -> Result<Option<String>> {
    let is_elsewhere = target.contains("://") || target.starts_with("mailto:");
    if is_elsewhere || target.contains(char::is_whitespace) {
        return Ok(None);
    }
    let (path, anchor) = target.split_once('#').unwrap_or((target, ""));
    let path = if path.is_empty() {
        file.to_owned()
    } else {
        beside(file, path)
    };
    if !source.has(&path) {
        return Ok(Some(format!("the link to {target} leads nowhere")));
    }
    if anchor.is_empty() || !path.ends_with(".md") {
        return Ok(None);
    }
    let text = source.text(&path)?.unwrap_or_default();
    let is_known = anchors(&prose(&text)).contains(anchor);
    Ok((!is_known).then(|| format!("the link to {target} names a heading that is not there")))
}

/// A path that is told from the folder of a file, as one from the root.
fn beside(file: &str, path: &str) -> String {
    let mut parts: Vec<&str> = file.split('/').collect();
    parts.pop();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    parts.join("/")
}

/// The names that headings can be linked by.
fn anchors(prose: &str) -> BTreeSet<String> {
    let headings = prose.lines().filter(|line| line.starts_with('#'));
    headings
        .map(|heading| {
            let text = heading.trim_start_matches('#').trim().to_lowercase();
            let kept = text.chars().filter_map(|c| match c {
                ' ' => Some('-'),
                c if c.is_alphanumeric() || c == '-' || c == '_' => Some(c),
                _ => None,
            });
            kept.collect()
        })
        .collect()
}

/// Words in backquotes that look like files.
fn code_words(prose: &str) -> Vec<String> {
    // Every other part is code; a quote that is never closed ends with its paragraph.
    let mut words = Vec::new();
    for paragraph in prose.split("\n\n") {
        let parts: Vec<&str> = paragraph.split('`').collect();
        let codes = parts.iter().skip(1).step_by(2);
        let closed = codes.take(parts.len().saturating_sub(1) / 2);
        words.extend(closed.map(|code| (*code).to_owned()));
    }
    let is_plain = |c: char| c.is_alphanumeric() || "-_./".contains(c);
    words.retain(|word| {
        let is_path = word.contains('/') || KINDS.iter().any(|kind| word.ends_with(kind));
        is_path && word.chars().all(is_plain) && !word.starts_with(['/', '-'])
    });
    words
}

/// Is a file there that a document names? Paths that begin with none of our folders are those of somebody else.
fn is_there(source: &Source, document: &str, name: &str) -> bool {
    if source.has(name) || source.has(&beside(document, name)) {
        return true;
    }
    let Some((first, _)) = name.split_once('/') else {
        let ending = format!("/{name}");
        return source.ending(&ending).next().is_some();
    };
    let is_made = name.starts_with("target/")
        || name.starts_with("fuzz/artifacts")
        || name.starts_with("fuzz/corpus");
    if is_made || (first != "." && !source.has(first)) {
        // A file of a crate, told from its folder of sources, ends like one of ours.
        return is_made || !KINDS.iter().any(|kind| name.ends_with(kind)) || {
            let ending = format!("/{name}");
            source.ending(&ending).next().is_some()
        };
    }
    false
}

/// The table in a crate's README names its files: those that are not there.
fn modules(source: &Source, name: &str, readme: &str) -> Vec<String> {
    let mut problems = Vec::new();
    let mut in_table = false;
    for line in readme.lines() {
        in_table = line.starts_with("| file") || (in_table && line.starts_with('|'));
        let Some(first_column) = line.split('|').nth(1).filter(|_| in_table) else {
            continue;
        };
        for module in first_column.split('`').skip(1).step_by(2) {
            if !has_module(source, name, module) {
                problems.push(format!(
                    "crates/{name}/README.md names `{module}`, which {name} does not have"
                ));
            }
        }
    }
    problems
}

/// Has a crate this file or folder, at its root or anywhere in its sources?
fn has_module(source: &Source, one: &str, name: &str) -> bool {
    let name = name.trim_end_matches("/*");
    if source.has(&format!("crates/{one}/{name}")) {
        return true;
    }
    let start = format!("crates/{one}/src/");
    let of_crate = source
        .ending("")
        .filter_map(|file| file.strip_prefix(&start));
    let name_of_file = [format!("/{name}.rs"), format!("/{name}")];
    let folder = format!("/{name}/");
    of_crate.map(|file| format!("/{file}")).any(|file| {
        name_of_file.iter().any(|ending| file.ends_with(ending)) || file.contains(&folder)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(files: &[&str]) -> Source {
        let mut files: Vec<String> = files.iter().map(|file| (*file).to_owned()).collect();
        files.sort();
        Source {
            root: "/nowhere".into(),
            files,
        }
    }

    #[test]
    fn links_are_found_outside_of_code() {
        let text = "See [one](docs/a.md) and\n[two](b.md#c).\n\n```\n[no](x.md)\n```\n";
        assert_eq!(link_targets(&prose(text)), ["docs/a.md", "b.md#c"]);
    }

    #[test]
    fn links_lead_from_the_folder_of_the_document() {
        let source = source(&["docs/a.md", "README.md", "web/page/index.html"]);
        let broken = |file, target| broken_link(&source, file, target).unwrap();
        assert_eq!(broken("docs/a.md", "../README.md"), None);
        assert_eq!(broken("docs/a.md", "../web/page/"), None);
        assert_eq!(broken("README.md", "https://example.org/docs/b.md"), None);
        assert!(broken("docs/a.md", "README.md").is_some());
        assert!(broken("README.md", "docs/b.md").is_some());
    }

    #[test]
    fn headings_have_names() {
        let anchors = anchors("# The `Point`, once\n\ntext\n## Ko & superko\n");
        let expected = ["the-point-once", "ko--superko"].map(str::to_owned);
        assert_eq!(anchors, expected.into());
    }

    #[test]
    fn names_of_files_are_told_from_other_code() {
        let text = "`a/b.rs`, `tune.rs`, `cargo x`, `--name`, `/etc/x`, `a/<b>`,\n`i/o`, `Game::play`\n\n`open";
        assert_eq!(code_words(text), ["a/b.rs", "tune.rs", "i/o"]);
        let source = source(&["crates/one/src/rollout/tune.rs", "docs/a.md", "docs/b.md"]);
        for there in [
            "tune.rs",
            "rollout/tune.rs",
            "crates/one/src",
            "b.md",
            "i/o",
            "target/x.rs",
        ] {
            assert!(is_there(&source, "docs/a.md", there), "{there}");
        }
        for not_there in [
            "tun.rs",
            "rollout/tun.rs",
            "crates/two",
            "docs/c.md",
            "c.md",
        ] {
            assert!(!is_there(&source, "docs/a.md", not_there), "{not_there}");
        }
    }

    #[test]
    fn modules_in_tables_of_readmes_exist() {
        let source = source(&[
            "crates/tengen-a/src/one.rs",
            "crates/tengen-a/src/two/three.rs",
        ]);
        let readme = "## Files\n\n| file | holds |\n|---|---|\n| `one`, `two/*`, `three` | x |\n| `four` | \
            `y` |\n\n| other |\n| `z` |\n";
        let expected = "crates/tengen-a/README.md names `four`, which tengen-a does not have";
        assert_eq!(modules(&source, "tengen-a", readme), [expected]);
    }
}
