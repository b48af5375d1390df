//! What was wrong with a file, and what was done about it.

use std::fmt;

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Unusual, and read as it was meant.
    Note,
    /// Against the format, and repaired without loss.
    Warning,
    /// Against the format, and repaired by a guess or by leaving something out.
    Error,
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Error => "error",
        })
    }
}

/// One thing that was wrong, where, and what was done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// Where in the decoded text, in bytes. [`Places`] turns it into line and column.
    pub offset: usize,
    /// What was wrong and what was done about it.
    pub message: String,
}

impl Diagnostic {
    pub(crate) fn new(severity: Severity, offset: usize, message: impl Into<String>) -> Self {
        let mut message = message.into();
        // It quotes the file, and must stay one line all the same.
        if message.contains(char::is_control) {
            message = message.replace(char::is_control, "·");
        }
        Self {
            severity,
            offset,
            message,
        }
    }
}

/// A line and a column, both from 1; columns count characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// The line.
    pub line: usize,
    /// The character in the line.
    pub column: usize,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// Finds lines and columns in a text.
#[derive(Clone, Debug)]
pub struct Places<'a> {
    text: &'a str,
    /// Where each line starts.
    starts: Vec<usize>,
}

impl<'a> Places<'a> {
    /// Looks through the text once.
    pub fn new(text: &'a str) -> Self {
        let ends = memchr::memchr_iter(b'\n', text.as_bytes());
        let starts = std::iter::once(0).chain(ends.map(|end| end + 1)).collect();
        Self { text, starts }
    }

    /// The place of a byte; the end of the text for one beyond it.
    pub fn at(&self, offset: usize) -> Place {
        let line = self.starts.partition_point(|start| *start <= offset);
        let start = self.starts[line - 1];
        let before = self.text.as_bytes();
        let before = &before[start..offset.clamp(start, before.len())];
        // A character is counted at its first byte.
        let column = 1 + before.iter().filter(|byte| **byte & 0xc0 != 0x80).count();
        Place { line, column }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_count_lines_and_characters() {
        let places = Places::new("ab\nc天d\n");
        let place = |offset| (places.at(offset).line, places.at(offset).column);
        assert_eq!(
            [place(0), place(1), place(3), place(4), place(7)],
            [(1, 1), (1, 2), (2, 1), (2, 2), (2, 3)]
        );
        assert_eq!(place(9), (3, 1));
        assert_eq!(place(1000), (3, 1));
        assert_eq!(Places::new("").at(0), Place { line: 1, column: 1 });
    }
}
