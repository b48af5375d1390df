//! No line and no file is too long to be read.

use anyhow::Result;

use super::source::Source;

/// Characters in a line, at most.
const MOST: usize = 120;

/// Lines in a file of source code, at most. A longer one holds more than one noun.
const MOST_LINES: usize = 600;

/// How names of files end that are source code.
const SOURCE_CODE: [&str; 3] = [".rs", ".py", ".js"];

/// What nobody reads line by line: data, files that other programs write, texts that are not ours.
const DATA: [&str; 13] = [
    "testdata/",
    "fuzz/regressions/",
    "Cargo.lock",
    "fuzz/Cargo.lock",
    "web/package-lock.json",
    "LICENSE-APACHE",
    "LICENSE-MIT",
    "crates/tengen-app/openapi.json",
    "crates/tengen-search/src/rollout/weights.txt",
    "web/page/icon.svg",
    "docs/openapi",
    "docs/gallery/",
    "docs/record/",
];

pub(super) fn check(source: &Source) -> Result<Vec<String>> {
    let mut problems = Vec::new();
    for file in &source.files {
        if DATA.iter().any(|start| file.starts_with(start)) {
            continue;
        }
        let Some(text) = source.text(file)? else {
            continue;
        };
        for (number, length) in long_lines(&text, file.ends_with(".md")) {
            problems.push(format!("{file}:{number} has {length} characters"));
        }
        let lines = text.lines().count();
        if is_long_file(file, lines) {
            problems.push(format!(
                "{file} has {lines} lines, more than {MOST_LINES}: split it by noun"
            ));
        }
    }
    Ok(problems)
}

fn is_long_file(name: &str, lines: usize) -> bool {
    lines > MOST_LINES && SOURCE_CODE.iter().any(|end| name.ends_with(end))
}

/// The numbers and lengths of lines that are too long.
fn long_lines(text: &str, is_markdown: bool) -> Vec<(usize, usize)> {
    let lines = (1..).zip(text.lines());
    let long = lines.filter_map(|(number, line)| {
        let length = line.chars().count();
        let is_long = length > MOST && !cannot_be_wrapped(line, is_markdown);
        is_long.then_some((number, length))
    });
    long.collect()
}

/// Rows of tables in Markdown must be one line each, and an address is one word.
fn cannot_be_wrapped(line: &str, is_markdown: bool) -> bool {
    let is_row = is_markdown && line.trim_start().starts_with('|');
    is_row
        || line
            .split_whitespace()
            .any(|word| word.contains("://") && word.chars().count() > MOST - 20)
}

#[cfg(test)]
mod tests {
    use super::{MOST, MOST_LINES, is_long_file, long_lines};

    #[test]
    fn source_code_has_a_limit_and_data_has_none() {
        assert!(!is_long_file("src/board.rs", MOST_LINES));
        assert!(is_long_file("src/board.rs", MOST_LINES + 1));
        assert!(is_long_file("page/board.js", MOST_LINES + 1));
        assert!(!is_long_file("docs/board.md", MOST_LINES + 1));
    }

    #[test]
    fn characters_are_counted_and_not_bytes() {
        let exactly = "ö".repeat(MOST);
        assert_eq!(long_lines(&exactly, true), []);
        let longer = format!("short\n{exactly}.\n");
        assert_eq!(long_lines(&longer, true), [(2, MOST + 1)]);
    }

    #[test]
    fn rows_of_tables_and_addresses_may_be_longer() {
        let row = format!("| {} |", "a ".repeat(MOST));
        assert_eq!(long_lines(&row, true), []);
        assert_eq!(long_lines(&row, false).len(), 1);
        let address = format!("[1]: https://example.org/{}", "a".repeat(MOST));
        assert_eq!(long_lines(&address, true), []);
    }
}
