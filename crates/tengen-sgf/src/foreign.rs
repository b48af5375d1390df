//! Records that are not SGF: GIB of Tygem, NGF of Wbaduk and CyberOro, UGF and UGI of PandaNet.
//!
//! None of the three has a specification. Public collections also come as lines of an id and the moves. Each reader
//! turns a decoded file into the text of an SGF file, and notes every line that it could make nothing of.

mod draft;
mod gib;
mod lines;
mod ngf;
pub(crate) mod result;
mod ugf;

use std::fmt;

use crate::rank::plain_rank as rank;

/// A format that is not SGF.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Tygem.
    Gib,
    /// Wbaduk and CyberOro.
    Ngf,
    /// PandaNet: UGF, and UGI with reviews.
    Ugf,
    /// A game a line: an id, a tab and the moves as SGF writes them.
    Lines,
}

impl Format {
    /// Tells the format by the content; the extension of the file decides where that leaves a doubt.
    pub fn detect(text: &str, extension: Option<&str>) -> Option<Self> {
        let hint = extension.and_then(Self::from_extension);
        // A record in SGF may well quote one of the others.
        if hint.is_none() && text.trim_start().starts_with('(') {
            return None;
        }
        if lines::is_first(text) {
            return Some(Self::Lines);
        }
        let mut lines = text.lines().map(str::trim).take(200);
        lines
            .find_map(|line| {
                if line == "\\HS" || line.starts_with("\\[GIBOKIND=") || line == "\\GS" {
                    Some(Self::Gib)
                } else if line.eq_ignore_ascii_case("[Header]")
                    || line.eq_ignore_ascii_case("[Data]")
                {
                    Some(Self::Ugf)
                } else if ngf::is_move(line) {
                    Some(Self::Ngf)
                } else {
                    None
                }
            })
            .or(hint)
    }

    /// The format that files with this extension have.
    pub fn from_extension(extension: &str) -> Option<Self> {
        match extension
            .trim_start_matches('.')
            .to_ascii_lowercase()
            .as_str()
        {
            "gib" => Some(Self::Gib),
            "ngf" => Some(Self::Ngf),
            "ugf" | "ugi" => Some(Self::Ugf),
            _ => None,
        }
    }

    /// The name of the format.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Gib => "GIB",
            Self::Ngf => "NGF",
            Self::Ugf => "UGF",
            Self::Lines => "lines",
        }
    }

    /// Turns a decoded file of this format into SGF.
    pub(crate) fn to_sgf(self, text: &str) -> Result<Converted, ForeignError> {
        match self {
            Self::Gib => gib::to_sgf(text),
            Self::Ngf => ngf::to_sgf(text),
            Self::Ugf => ugf::to_sgf(text),
            Self::Lines => Ok(lines::to_sgf(text)),
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A record that was turned into SGF.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Converted {
    /// The game, or games, in `FF[4]`.
    pub(crate) sgf: String,
    /// What could not be carried over.
    pub(crate) notes: Vec<Note>,
}

/// Something in a foreign record that was not understood, and what became of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Note {
    /// The line, from 1.
    pub(crate) line: usize,
    /// What was there.
    pub(crate) message: String,
}

/// Why a foreign record could not be read at all.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ForeignError {
    /// Nothing of the format was found.
    #[error("no {0} record: neither header nor moves")]
    Empty(Format),
    /// The board is none that Tengen can show.
    #[error("{format}, line {line}: `{size}` is no size of a board")]
    Size {
        /// The format.
        format: Format,
        /// The line that names the size, from 1.
        line: usize,
        /// The size as written.
        size: String,
    },
}

/// Lines with their numbers, from 1, whatever ends them.
fn numbered_lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let end = if text.contains('\n') { '\n' } else { '\r' };
    text.split(end)
        .map(|line| line.trim_end_matches('\r'))
        .enumerate()
        .map(|(index, line)| (index + 1, line))
}

/// The first numbers of a text as an ISO date: `2015- 8-29-22-56`, `2012年11月22日`, `20170316 [09:37]`.
pub(crate) fn iso_date(text: &str) -> Option<String> {
    let mut numbers = text
        .split(|c: char| !c.is_ascii_digit())
        .filter(|s| !s.is_empty());
    let first = numbers.next()?;
    let (year, month, day) = match first.len() {
        8 => (&first[..4], &first[4..6], &first[6..]),
        4 => (first, numbers.next()?, numbers.next()?),
        _ => return None,
    };
    let (month, day): (u8, u8) = (month.parse().ok()?, day.parse().ok()?);
    ((1..=12).contains(&month) && (1..=31).contains(&day))
        .then(|| format!("{year}-{month:02}-{day:02}"))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use proptest::sample::Index;

    use super::*;

    const SAMPLES: [(Format, &str); 4] = [
        (Format::Gib, gib::tests::SAMPLE),
        (Format::Ngf, ngf::tests::SAMPLE),
        (Format::Ngf, ngf::tests::PREFIXED_SAMPLE),
        (Format::Ugf, ugf::tests::SAMPLE),
    ];

    #[test]
    fn formats_are_told_by_content_before_extension() {
        for (format, text) in SAMPLES {
            for extension in [None, Some("gib"), Some("NGF"), Some(".ugi"), Some("txt")] {
                assert_eq!(Format::detect(text, extension), Some(format), "{text}");
            }
        }
        assert_eq!(Format::detect("(;C[\n[Header]\n])", Some("sgf")), None);
        assert_eq!(Format::detect("nothing of the sort", None), None);
        assert_eq!(
            Format::detect("nothing of the sort", Some("ugf")),
            Some(Format::Ugf)
        );
    }

    #[test]
    fn nothing_readable_is_an_error() {
        for (format, message) in [
            (Format::Gib, "no GIB record: neither header nor moves"),
            (Format::Ngf, "no NGF record: neither header nor moves"),
            (Format::Ugf, "no UGF record: neither header nor moves"),
        ] {
            for text in ["", "\n\n", "nothing of the sort"] {
                assert_eq!(format.to_sgf(text).unwrap_err().to_string(), message);
            }
        }
    }

    #[test]
    fn dates_and_ranks_come_in_many_spellings() {
        for (text, date) in [
            ("2015- 8-29-22-56-58", Some("2015-08-29")),
            ("2012年11月22日 下午 6:3", Some("2012-11-22")),
            ("20170316 [09:37]", Some("2017-03-16")),
            ("2019/03/08", Some("2019-03-08")),
            ("2019/13/08", None),
            ("//", None),
            ("", None),
        ] {
            assert_eq!(iso_date(text).as_deref(), date, "{text}");
        }
        for (text, expected) in [
            ("9DP", Some("9p")),
            ("7D*", Some("7d")),
            ("5段P", Some("5p")),
            ("1급", Some("1k")),
            ("10K", Some("10k")),
            ("초단", None),
            ("0d", None),
            ("", None),
        ] {
            assert_eq!(rank(text).as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn lines_end_as_they_like() {
        for (format, text) in SAMPLES {
            let expected = format.to_sgf(text).unwrap();
            for end in ["\r\n", "\r"] {
                assert_eq!(format.to_sgf(&text.replace('\n', end)).unwrap(), expected);
            }
        }
    }

    proptest! {
        #[test]
        fn no_text_makes_a_reader_panic(
            text in any::<String>(),
            lines in prop::collection::vec(
                "(PM|STO 0|NODE,|\\\\\\[|\\.Fig,|\\.Text,|VARIATION|[A-Z0-9,= ]{0,9}){0,3}",
                0..30,
            ),
        ) {
            for format in [Format::Gib, Format::Ngf, Format::Ugf] {
                let _ = format.to_sgf(&text);
                let _ = format.to_sgf(&lines.join("\n"));
            }
        }

        #[test]
        fn no_damage_to_a_record_makes_a_reader_panic(
            sample in any::<Index>(),
            edits in prop::collection::vec((any::<Index>(), any::<Index>(), "[0-9A-Z,=\\[\\].\n\\\\한]{0,4}"), 0..12),
        ) {
            let (format, text) = SAMPLES[sample.index(SAMPLES.len())];
            let mut characters: Vec<char> = text.chars().collect();
            for (start, length, replacement) in edits {
                let start = start.index(characters.len() + 1);
                let end = (start + length.index(20)).min(characters.len());
                characters.splice(start..end, replacement.chars());
            }
            let text: String = characters.into_iter().collect();
            if let Ok(converted) = format.to_sgf(&text) {
                prop_assert!(converted.sgf.starts_with("(;FF[4]GM[1]CA[UTF-8]SZ["));
                prop_assert!(converted.sgf.ends_with(")\n"));
            }
        }
    }
}
