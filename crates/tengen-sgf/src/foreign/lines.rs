//! Lines of an id, a tab and the moves as SGF writes them: `4094434⇥;B[pd];W[dp];B[pq]`.
//!
//! Public collections of a million games ship so. The id becomes the name of the game.

use std::fmt::Write;

use super::{Converted, Note, numbered_lines};
use crate::value::Value;

/// The longest id; what stands before a tab in prose is longer or has spaces.
const LONGEST_ID: usize = 64;

/// More lines than this that were not understood are counted and not listed.
const MOST_NOTES: usize = 20;

/// Is the first line of a text, white space aside, a game?
pub(super) fn is_first(text: &str) -> bool {
    let line = text.lines().find(|line| !line.trim().is_empty());
    line.is_some_and(|line| split(line).is_some())
}

/// The id and the moves of a line.
fn split(line: &str) -> Option<(&str, &str)> {
    let (id, moves) = line.split_once('\t')?;
    let (id, moves) = (id.trim(), moves.trim());
    let is_id = !id.is_empty()
        && id.len() <= LONGEST_ID
        && !id.contains(|c: char| c.is_whitespace() || "()[];".contains(c));
    let begins = [";", "(;", "B[", "W["];
    (is_id && begins.iter().any(|start| moves.starts_with(start))).then_some((id, moves))
}

pub(super) fn to_sgf(text: &str) -> Converted {
    let mut sgf = String::with_capacity(text.len() + text.len() / 8);
    let mut notes = Vec::new();
    let mut unlisted = 0;
    for (number, line) in numbered_lines(text) {
        if line.trim().is_empty() {
            continue;
        }
        match split(line) {
            // A whole record has all that it needs.
            Some((_, record)) if record.starts_with('(') => {
                sgf.push_str(record);
                sgf.push('\n');
            }
            Some((id, moves)) => {
                let id = Value::escape(id);
                let node = if moves.starts_with(';') { "" } else { ";" };
                // Writing to a string cannot fail.
                let _ = writeln!(sgf, "(;FF[4]GM[1]CA[UTF-8]SZ[19]GN[{id}]{node}{moves})");
            }
            None if notes.len() < MOST_NOTES => notes.push(Note {
                line: number,
                message: "neither an id, a tab and moves nor empty: left out".to_owned(),
            }),
            None => unlisted += 1,
        }
    }
    if unlisted > 0 {
        notes.push(Note {
            line: text.lines().count(),
            message: format!("{unlisted} more lines were left out"),
        });
    }
    Converted { sgf, notes }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_a_game() {
        let text = "17\t;B[pd];W[dp]\r\n\r\nab-18\tB[dd];W[];B[pp]\nno game\n19\t(;SZ[9];B[ee])\n";
        assert!(is_first(text));
        let Converted { sgf, notes } = to_sgf(text);
        assert_eq!(
            sgf,
            "(;FF[4]GM[1]CA[UTF-8]SZ[19]GN[17];B[pd];W[dp])\n\
             (;FF[4]GM[1]CA[UTF-8]SZ[19]GN[ab-18];B[dd];W[];B[pp])\n\
             (;SZ[9];B[ee])\n"
        );
        assert_eq!(notes.iter().map(|note| note.line).collect::<Vec<_>>(), [4]);
    }

    #[test]
    fn other_texts_are_no_lines_of_games() {
        for text in [
            "",
            "(;C[a\t;B[aa]])",
            "a b\t;B[aa]",
            "17\tsome words",
            ";B[aa]\t;W[bb]",
            "17 ;B[aa]",
        ] {
            assert!(!is_first(text), "{text}");
        }
    }

    #[test]
    fn thousands_of_other_lines_are_counted() {
        let text = "1\t;B[aa]\n".to_owned() + &"prose\n".repeat(5_000);
        let notes = to_sgf(&text).notes;
        assert_eq!(notes.len(), MOST_NOTES + 1);
        assert_eq!(notes[MOST_NOTES].message, "4980 more lines were left out");
    }
}
