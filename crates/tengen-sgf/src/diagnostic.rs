//! What was wrong with a file, and what was done about it.

use std::fmt;

use crate::printable::is_obeyed;

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
    /// A short name that all of its kind share, such as `bad-point`; the messages of a kind differ in what they quote.
    pub kind: &'static str,
    /// Where in the decoded text, in bytes. [`Places`] turns it into line and column.
    pub offset: usize,
    /// What was wrong and what was done about it.
    pub message: String,
    /// How many more of its kind there are behind it that were not kept ([`Findings`](crate::Findings)).
    pub more: u32,
}

impl Diagnostic {
    pub(crate) fn new(
        severity: Severity,
        kind: &'static str,
        offset: usize,
        message: impl Into<String>,
    ) -> Self {
        let message = message.into();
        // It quotes the file, and must stay one harmless line all the same.
        let message = match message.contains(is_obeyed) {
            true => message.replace(is_obeyed, "·"),
            false => message,
        };
        Self {
            severity,
            kind,
            offset,
            message,
            more: 0,
        }
    }
}

impl Diagnostic {
    /// The message, with the number of those of its kind that were not kept.
    pub fn told(&self) -> String {
        match self.more {
            0 => self.message.clone(),
            more => format!("{} (and {more} more of this kind)", self.message),
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

/// Finds lines and columns in a text, each in the same little time, however long its lines are.
#[derive(Clone, Debug)]
pub struct Places<'a> {
    text: &'a str,
    /// What stands before every stretch of the text.
    marks: Vec<Mark>,
}

/// How many bytes are looked at for a place.
const STRETCH: usize = 1 << 12;

/// What stands before a byte of the text.
#[derive(Clone, Copy, Debug)]
struct Mark {
    /// How many lines have ended.
    lines: usize,
    /// How many characters the last line has so far.
    characters: usize,
}

impl Mark {
    /// Goes on over some bytes.
    fn pass(self, bytes: &[u8]) -> Self {
        let lines = self.lines + memchr::memchr_iter(b'\n', bytes).count();
        // A character is counted at its first byte.
        let characters = |bytes: &[u8]| bytes.iter().filter(|byte| **byte & 0xc0 != 0x80).count();
        match memchr::memrchr(b'\n', bytes) {
            Some(end) => Self {
                lines,
                characters: characters(&bytes[end + 1..]),
            },
            None => Self {
                lines,
                characters: self.characters + characters(bytes),
            },
        }
    }
}

impl<'a> Places<'a> {
    /// Looks through the text once.
    pub fn new(text: &'a str) -> Self {
        let mut here = Mark {
            lines: 0,
            characters: 0,
        };
        let mut marks = Vec::with_capacity(text.len() / STRETCH + 1);
        for stretch in text.as_bytes().chunks(STRETCH) {
            marks.push(here);
            here = here.pass(stretch);
        }
        // The end of a text that fills its last stretch has a mark as well.
        marks.push(here);
        Self { text, marks }
    }

    /// The place of a byte; the end of the text for one beyond it.
    pub fn at(&self, offset: usize) -> Place {
        let (mark, rest) = self.nearest(offset);
        let here = mark.pass(rest);
        Place {
            line: here.lines + 1,
            column: here.characters + 1,
        }
    }

    /// The last mark before a byte, and the text from there to the byte.
    fn nearest(&self, offset: usize) -> (Mark, &'a [u8]) {
        let offset = offset.min(self.text.len());
        let number = offset / STRETCH;
        let rest = &self.text.as_bytes()[number * STRETCH..offset];
        (self.marks[number], rest)
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

    #[test]
    fn a_place_takes_one_stretch_of_the_text_and_no_more() {
        // The line that took four seconds once, and a text of lines alone.
        let game = "(;AP[a]AP[b];B[aa];W[bb];B[cc];W[dd];B[ee])";
        for text in [game.repeat(20_000), "\n".repeat(3 * STRETCH)] {
            let places = Places::new(&text);
            let most = (0..=text.len()).map(|offset| places.nearest(offset).1.len());
            assert!(most.max() < Some(STRETCH));
            assert!(places.marks.len() <= text.len() / STRETCH + 2);
        }
    }

    #[test]
    fn places_are_those_of_a_simple_count() {
        let text = "天a\nbc\n\n".repeat(2_000) + &"é元 [".repeat(4_000) + "\nend";
        let places = Places::new(&text);
        let boundaries = (0..=text.len()).filter(|offset| text.is_char_boundary(*offset));
        for offset in boundaries.step_by(7).chain([text.len()]) {
            let before = &text[..offset];
            let start = before.rfind('\n').map_or(0, |end| end + 1);
            let line = before.matches('\n').count() + 1;
            let column = before[start..].chars().count() + 1;
            assert_eq!(places.at(offset), Place { line, column }, "{offset}");
        }
    }
}
