//! The functions that docs/walks.md names are where it says.

use anyhow::Result;

use super::source::Source;

const WALKS: &str = "docs/walks.md";

pub(super) fn check(source: &Source) -> Result<Vec<String>> {
    let mut problems = Vec::new();
    for (file, function) in steps(&source.text(WALKS)?.unwrap_or_default()) {
        let text = source.text(&file).ok().flatten().unwrap_or_default();
        if !defines(&text, &function) {
            problems.push(format!("{WALKS}: {file} has no function {function}"));
        }
    }
    Ok(problems)
}

/// The rows of its tables: a file and a function.
fn steps(walks: &str) -> Vec<(String, String)> {
    let rows = walks.lines().filter_map(|line| line.strip_prefix("| `"));
    rows.filter_map(|row| {
        let (file, rest) = row.split_once("` | `")?;
        let (function, _) = rest.split_once('`')?;
        Some((file.to_owned(), function.to_owned()))
    })
    .collect()
}

/// Does a source in Rust, Python or JavaScript define a function with this name?
fn defines(text: &str, function: &str) -> bool {
    ["fn ", "def ", "function "].iter().any(|word| {
        let start = format!("{word}{function}");
        let found = text.match_indices(&start);
        found
            .map(|(place, _)| text[place + start.len()..].chars().next())
            .any(|next| matches!(next, Some('(' | '<')))
    })
}

#[cfg(test)]
mod tests {
    use super::{defines, steps};

    #[test]
    fn rows_name_functions() {
        let walks = "| file | function |\n|---|---|\n| `a/b.rs` | `play` | does `x` |\ntext\n";
        assert_eq!(steps(walks), [("a/b.rs".to_owned(), "play".to_owned())]);
        assert!(defines("pub fn play<T>(x: T)", "play"));
        assert!(defines("    def play(self)", "play"));
        assert!(!defines("pub fn play_all(x: T)", "play"));
        assert!(!defines("play()", "play"));
    }
}
