//! Files of any format and encoding.

use crate::diagnostic::{Diagnostic, Place, Places, Severity};
use crate::encoding::{self, Decoded, Source};
use crate::foreign::Format;
use crate::parser::{Mode, ParseError, Parsed};
use crate::tree::Collection;
use crate::validate::validate;

/// Whoever decodes a file by hand keeps it.
const BYTE_ORDER_MARK: char = '\u{feff}';

/// A file that was read: decoded, recognised, parsed.
///
/// ```
/// use tengen_sgf::{Mode, Record};
/// let record = Record::read(b"(;CA[Shift_JIS]PB[\x96\x7b\x88\xf6\x96\x56])".to_vec(), Mode::Strict)?;
/// let root = record.collection.roots().next().unwrap();
/// assert_eq!(root.value("PB").unwrap().simple_text(), "本因坊");
/// # Ok::<(), tengen_sgf::ParseError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Record {
    /// The games. The values of CA[] are as in the file; [`Record::into_utf8`] makes them true.
    pub collection: Collection,
    /// What had to be repaired. Places are in the decoded text or, for other formats than SGF, in the SGF that they
    /// became.
    pub diagnostics: Vec<Diagnostic>,
    /// The name of the encoding of the file.
    pub encoding: &'static str,
    /// The format of the file, if it is not SGF.
    pub foreign: Option<Format>,
}

impl Record {
    /// Reads the bytes of a file.
    pub fn read(bytes: Vec<u8>, mode: Mode) -> Result<Self, ParseError> {
        let decoded = encoding::decode(bytes);
        let remark = remark(&decoded);
        if let Some(diagnostic) = remark.as_ref().filter(|_| mode == Mode::Strict) {
            return Err(refuse(diagnostic.message.clone()));
        }
        let encoding = decoded.encoding.name();
        let record = Self::read_text(decoded.text, mode)?;
        let diagnostics = remark.into_iter().chain(record.diagnostics).collect();
        Ok(Self {
            diagnostics,
            encoding,
            ..record
        })
    }

    /// Reads a text that has been decoded already, whatever encoding it names.
    pub fn read_text(mut text: String, mode: Mode) -> Result<Self, ParseError> {
        if text.starts_with(BYTE_ORDER_MARK) {
            text.drain(..BYTE_ORDER_MARK.len_utf8());
        }
        if is_binary(&text) {
            return Err(refuse("this is not SGF: it is not even text".to_owned()));
        }
        let foreign = Format::detect(&text, None);
        let (text, notes) = match foreign {
            None => (text, Vec::new()),
            Some(format) => {
                let converted = format
                    .to_sgf(&text)
                    .map_err(|error| refuse(error.to_string()))?;
                let note = |note: crate::foreign::Note| {
                    let message =
                        format!("line {} of the {format} file: {}", note.line, note.message);
                    Diagnostic::new(Severity::Note, 0, message)
                };
                (
                    converted.sgf,
                    converted.notes.into_iter().map(note).collect(),
                )
            }
        };
        let Parsed {
            collection,
            diagnostics,
        } = Collection::parse(text, mode)?;
        if mode == Mode::Strict {
            refuse_bad_values(&collection)?;
        }
        Ok(Self {
            collection,
            diagnostics: notes.into_iter().chain(diagnostics).collect(),
            encoding: "UTF-8",
            foreign,
        })
    }

    /// The name of the file's format.
    pub fn format(&self) -> &'static str {
        self.foreign.map_or("SGF", Format::name)
    }

    /// The games, to be written in UTF-8: what they say about their encoding is changed to that.
    pub fn into_utf8(self) -> Collection {
        let mut collection = self.collection;
        let declares =
            |root: crate::Node<'_>| root.property("CA").is_some() || self.encoding != "UTF-8";
        let roots: Vec<_> = collection
            .roots()
            .filter(|root| declares(*root))
            .map(super::tree::Node::id)
            .collect();
        for root in roots {
            collection.set_property(root, "CA", ["UTF-8"]);
        }
        collection
    }
}

/// Refuses a file for the first value that is against the format, which only [`validate`] looks at.
fn refuse_bad_values(collection: &Collection) -> Result<(), ParseError> {
    let found = collection.roots().flat_map(validate);
    let bad = found.filter(|diagnostic| diagnostic.severity > Severity::Note);
    match bad.min_by_key(|diagnostic| diagnostic.offset) {
        Some(Diagnostic {
            offset, message, ..
        }) => Err(ParseError {
            place: Places::new(collection.text()).at(offset),
            message,
        }),
        None => Ok(()),
    }
}

/// Does it begin as no text does? A few control characters may be anywhere, and what begins with a game is a record.
fn is_binary(text: &str) -> bool {
    let before = text.find("(;").unwrap_or(text.len()).min(1 << 14);
    let sample = &text.as_bytes()[..before];
    let control = |byte: &&u8| byte.is_ascii_control() && !byte.is_ascii_whitespace();
    let count = sample.iter().filter(control).count();
    count > 4 && count * 50 > sample.len()
}

fn refuse(message: String) -> ParseError {
    let place = Place { line: 1, column: 1 };
    ParseError { place, message }
}

/// What there is to say about the encoding of a file.
fn remark(decoded: &Decoded) -> Option<Diagnostic> {
    let name = decoded.encoding.name();
    if decoded.malformed {
        let message = format!("some bytes mean nothing in {name}: replaced by U+FFFD");
        return Some(Diagnostic::new(Severity::Error, 0, message));
    }
    (decoded.source == Source::DeclaredButWrong).then(|| {
        let message = format!("the file names another encoding than it has: read as {name}");
        Diagnostic::new(Severity::Warning, 0, message)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_text_is_refused_in_one_line() {
        let mut picture =
            b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\x01\x2c\0\0\x01\x2c\x08\x06\0\0\0".to_vec();
        picture.extend_from_slice(b"(;junk");
        let error = Record::read(picture, Mode::Lenient).unwrap_err();
        assert_eq!(error.message, "this is not SGF: it is not even text");
        assert!(Record::read(b"(;C[\x1a])\x1a".to_vec(), Mode::Lenient).is_ok());
    }

    #[test]
    fn a_text_is_not_decoded_again() {
        // The bytes of this name are Chinese characters in the encoding that the file had once.
        let text = "\u{feff}(;CA[GBK]PB[本因坊])".to_owned();
        let record = Record::read_text(text, Mode::Strict).unwrap();
        let root = record.collection.roots().next().unwrap();
        assert_eq!(root.value("PB").unwrap().simple_text(), "本因坊");
        assert_eq!(record.into_utf8().to_string(), "(;CA[UTF-8]PB[本因坊])");
    }

    #[test]
    fn strict_refuses_values_as_lenient_reports_them() {
        for (text, message) in [
            ("(;SZ[9];B[e e])", "`B[e e]` has white space inside"),
            ("(;SZ[9]HA[])", "`HA[]` is no whole number"),
            (
                "(;SZ[9];AB[aa]B[bb])",
                "stones set up and a move in one node: set up first, then played",
            ),
        ] {
            let lenient = Record::read(text.into(), Mode::Lenient).unwrap();
            let root = lenient.collection.roots().next().unwrap();
            assert_eq!(validate(root)[0].message, message);
            let refused = Record::read(text.into(), Mode::Strict).unwrap_err();
            assert_eq!(refused.message, message);
        }
    }
}
