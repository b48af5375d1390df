//! Files of any format and encoding.

use crate::diagnostic::{Diagnostic, Place, Places, Severity};
use crate::encoding::{self, Charset, Decoded, Source};
use crate::foreign::Format;
use crate::parser::{Games as TextGames, Mode, ParseError, Parsed};
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
    /// How sure the encoding is, in percent: an estimate where it was guessed.
    pub confidence: u8,
    /// The format of the file, if it is not SGF.
    pub foreign: Option<Format>,
}

impl Record {
    /// Reads the bytes of a file.
    pub fn read(bytes: Vec<u8>, mode: Mode) -> Result<Self, ParseError> {
        Prepared::new(encoding::decode(bytes), mode)?.record(mode)
    }

    /// Reads the bytes of a file in the encoding that somebody chose, whatever the file says.
    pub fn read_as(bytes: Vec<u8>, charset: Charset, mode: Mode) -> Result<Self, ParseError> {
        Prepared::new(encoding::decode_as(bytes, charset), mode)?.record(mode)
    }

    /// Reads a text that has been decoded already, whatever encoding it names.
    pub fn read_text(text: String, mode: Mode) -> Result<Self, ParseError> {
        Prepared::from_text(text)?.record(mode)
    }

    /// The name of the file's format.
    pub fn format(&self) -> &'static str {
        self.foreign.map_or("SGF", Format::name)
    }

    /// The games, to be written in UTF-8: what they say about their encoding is changed to that.
    pub fn into_utf8(mut self) -> Collection {
        self.declare_utf8();
        self.collection
    }

    /// Changes what the games say about their encoding to UTF-8, in which they will be written.
    pub fn declare_utf8(&mut self) {
        let declares =
            |root: &crate::Node<'_>| root.property("CA").is_some() || self.encoding != "UTF-8";
        let roots: Vec<_> = self
            .collection
            .roots()
            .filter(declares)
            .map(super::tree::Node::id)
            .collect();
        for root in roots {
            self.collection.set_property(root, "CA", ["UTF-8"]);
        }
    }
}

/// The games of a file one after the other. A collection of any length takes little more memory than its text so,
/// where [`Record`] holds all games at once.
///
/// ```
/// use tengen_sgf::{Games, Mode};
/// let mut games = Games::read(b"(;SZ[9];B[ee])(;SZ[13])".to_vec(), None, Mode::Lenient)?;
/// let mut sizes = Vec::new();
/// while let Some(record) = games.next_game()? {
///     sizes.extend(record.collection.roots().map(|root| root.value("SZ").unwrap().raw().to_owned()));
/// }
/// assert_eq!(sizes, ["9", "13"]);
/// # Ok::<(), tengen_sgf::ParseError>(())
/// ```
#[derive(Debug)]
pub struct Games {
    games: TextGames,
    /// The last game.
    record: Record,
    mode: Mode,
}

impl Games {
    /// Decodes a file, in the encoding that somebody chose or else in its own, and goes to its first game.
    pub fn read(bytes: Vec<u8>, charset: Option<Charset>, mode: Mode) -> Result<Self, ParseError> {
        let decoded = match charset {
            Some(charset) => encoding::decode_as(bytes, charset),
            None => encoding::decode(bytes),
        };
        let prepared = Prepared::new(decoded, mode)?;
        Ok(Self {
            games: TextGames::new(prepared.text, mode)?,
            record: Record {
                collection: Collection::new(),
                diagnostics: prepared.diagnostics,
                encoding: prepared.encoding,
                confidence: prepared.confidence,
                foreign: prepared.foreign,
            },
            mode,
        })
    }

    /// The next game as a record of its own; `None` behind the last. Places in it count from the beginning of the
    /// file. Brackets around several games make one record with several roots.
    pub fn next_game(&mut self) -> Result<Option<&mut Record>, ParseError> {
        // What is known about the whole file is told with its first game.
        let before = std::mem::take(&mut self.record.diagnostics);
        let is_first = !self.games.has_begun();
        self.games
            .take_back(std::mem::take(&mut self.record.collection));
        let Some(diagnostics) = self.games.read_next()? else {
            // The text stays at hand for those who look for places in it.
            self.record.collection = self.games.take();
            return Ok(None);
        };
        self.record.collection = self.games.take();
        if self.mode == Mode::Strict {
            refuse_bad_values(&self.record.collection)?;
        }
        self.record.diagnostics = match is_first {
            true => before.into_iter().chain(diagnostics).collect(),
            false => diagnostics,
        };
        Ok(Some(&mut self.record))
    }

    /// Goes back to the first game.
    pub const fn rewind(&mut self) {
        self.games.rewind();
    }

    /// The last game that was read.
    pub fn into_record(self) -> Record {
        self.record
    }

    /// The name of the encoding of the file.
    pub const fn encoding(&self) -> &'static str {
        self.record.encoding
    }

    /// How sure the encoding is, in percent: an estimate where it was guessed.
    pub const fn confidence(&self) -> u8 {
        self.record.confidence
    }

    /// The name of the file's format.
    pub fn format(&self) -> &'static str {
        self.record.format()
    }

    /// The text of the file, in which diagnostics have their places.
    pub fn text(&self) -> &str {
        self.record.collection.text()
    }
}

/// A file that was decoded and, if it was in another format, turned into SGF.
struct Prepared {
    text: String,
    diagnostics: Vec<Diagnostic>,
    encoding: &'static str,
    confidence: u8,
    foreign: Option<Format>,
}

impl Prepared {
    fn new(decoded: Decoded, mode: Mode) -> Result<Self, ParseError> {
        let mut remarks = remarks(&decoded);
        let mut wrong = remarks
            .iter()
            .filter(|remark| remark.severity > Severity::Note);
        if let Some(remark) = wrong.next().filter(|_| mode == Mode::Strict) {
            let place = Places::new(&decoded.text).at(remark.offset);
            let message = remark.message.clone();
            return Err(ParseError { place, message });
        }
        let (encoding, confidence) = (decoded.encoding.name(), decoded.confidence);
        let prepared = Self::from_text(decoded.text)?;
        if prepared.foreign.is_some() {
            // Places are in the SGF that the file became.
            remarks.iter_mut().for_each(|remark| remark.offset = 0);
        }
        Ok(Self {
            diagnostics: remarks.into_iter().chain(prepared.diagnostics).collect(),
            encoding,
            confidence,
            ..prepared
        })
    }

    fn from_text(mut text: String) -> Result<Self, ParseError> {
        if text.starts_with(BYTE_ORDER_MARK) {
            text.drain(..BYTE_ORDER_MARK.len_utf8());
        }
        if is_binary(&text) {
            return Err(refuse("this is not SGF: it is not even text".to_owned()));
        }
        let foreign = Format::detect(&text, None);
        let (text, diagnostics) = match foreign {
            None => (text, Vec::new()),
            Some(format) => {
                let converted = format
                    .to_sgf(&text)
                    .map_err(|error| refuse(error.to_string()))?;
                let note = |note: crate::foreign::Note| {
                    let message =
                        format!("line {} of the {format} file: {}", note.line, note.message);
                    Diagnostic::new(Severity::Note, "not-carried-over", 0, message)
                };
                (
                    converted.sgf,
                    converted.notes.into_iter().map(note).collect(),
                )
            }
        };
        Ok(Self {
            text,
            diagnostics,
            encoding: "UTF-8",
            confidence: 100,
            foreign,
        })
    }

    /// Reads all games at once.
    fn record(self, mode: Mode) -> Result<Record, ParseError> {
        let Parsed {
            collection,
            diagnostics,
        } = Collection::parse(self.text, mode)?;
        if mode == Mode::Strict {
            refuse_bad_values(&collection)?;
        }
        Ok(Record {
            collection,
            diagnostics: self.diagnostics.into_iter().chain(diagnostics).collect(),
            encoding: self.encoding,
            confidence: self.confidence,
            foreign: self.foreign,
        })
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

/// A guess that is surer than this, in percent, is only a note.
const SURE: u8 = 90;

/// What there is to say about the encoding of a file.
fn remarks(decoded: &Decoded) -> Vec<Diagnostic> {
    let name = decoded.encoding.name();
    let sure = decoded.confidence;
    let mut remarks = Vec::new();
    let mut add = |severity, kind, offset, message: String| {
        remarks.push(Diagnostic::new(severity, kind, offset, message));
    };
    match decoded.source {
        Source::DeclaredButWrong => {
            let message = format!(
                "the file names another encoding than it has: read as {name}, {sure} % sure"
            );
            add(Severity::Warning, "encoding-guess", 0, message);
        }
        Source::Detected => {
            let severity = match sure > SURE {
                true => Severity::Note,
                false => Severity::Warning,
            };
            let message = format!("the file names no encoding: read as {name}, {sure} % sure");
            add(severity, "encoding-guess", 0, message);
        }
        Source::ByteOrderMark | Source::Declared | Source::Default | Source::Chosen => {}
    }
    if decoded.encoded_twice {
        let message = "UTF-8 that was encoded twice: decoded twice".to_owned();
        add(Severity::Warning, "encoded-twice", 0, message);
    }
    for damage in &decoded.damage {
        let mut message = "a character has lost bytes: replaced by U+FFFD".to_owned();
        if !damage.candidates.is_empty() {
            let fit: Vec<String> = damage.candidates.chars().map(String::from).collect();
            message += &format!("; {} would fit", fit.join(" "));
        }
        add(Severity::Error, "damaged-character", damage.offset, message);
    }
    let unlisted = decoded.damaged - decoded.damage.len();
    if unlisted > 0 {
        let last = decoded.damage.last().map_or(0, |damage| damage.offset);
        let message = format!("{unlisted} more characters have lost bytes: replaced by U+FFFD");
        add(Severity::Error, "damaged-character", last, message);
    }
    let replaced = || decoded.text.matches(char::REPLACEMENT_CHARACTER).count();
    if decoded.malformed && (decoded.damaged == 0 || replaced() > decoded.damaged) {
        let offset = match decoded.damaged {
            0 => decoded.text.find(char::REPLACEMENT_CHARACTER).unwrap_or(0),
            _ => 0,
        };
        let message = format!("some bytes mean nothing in {name}: replaced by U+FFFD");
        add(Severity::Error, "bad-bytes", offset, message);
    }
    remarks
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

    fn messages(record: &Record) -> Vec<(Severity, &str)> {
        let all = record.diagnostics.iter();
        all.map(|found| (found.severity, found.message.as_str()))
            .collect()
    }

    #[test]
    fn a_damaged_name_eats_no_rank_and_no_komi() {
        let bytes =
            b"(;PB[x]  PW[\xe6\x84\x9f\xe6?\xa9\xe7\x9a\x84\xe6\x96\xb0]  BR[9\xe6\xae\xb5]  \
            WR[9\xe6\xae\xb5]  KM[650]HA[0];B[dd])";
        let record = Record::read(bytes.to_vec(), Mode::Lenient).unwrap();
        let root = record.collection.roots().next().unwrap();
        let value = |name| root.value(name).unwrap().raw();
        assert_eq!(value("PW"), "感\u{fffd}的新");
        assert_eq!((value("BR"), value("WR")), ("9段", "9段"));
        assert_eq!((value("KM"), value("HA")), ("650", "0"));
        let found = messages(&record);
        let (severity, message) = found[1];
        assert_eq!(severity, Severity::Error);
        assert!(
            message.starts_with("a character has lost bytes: replaced by U+FFFD; ")
                && message.contains('恩')
                && message.ends_with("would fit"),
            "{found:?}"
        );
        let place = Places::new(record.collection.text()).at(record.diagnostics[1].offset);
        assert_eq!(
            place,
            Place {
                line: 1,
                column: 14
            }
        );
        assert!(found[0].1.contains("read as UTF-8, "), "{found:?}");
        assert!(Record::read(bytes.to_vec(), Mode::Strict).is_err());
    }

    #[test]
    fn every_guess_of_an_encoding_is_told_with_how_sure_it_is() {
        // 古力 and 柯洁 in GBK, one name in Latin-1.
        let chinese =
            b"(;PB[\xb9\xc5\xc1\xa6]PW[\xbf\xc2\xbd\xe0]C[\xb0\xd7\xd6\xd0\xc5\xcc\xca\xa4])";
        for (bytes, name, severity) in [
            (&chinese[..], "GBK", Severity::Note),
            (
                b"(;PB[J\xfcrgen Gr\xf6\xdfler])",
                "windows-1252",
                Severity::Warning,
            ),
        ] {
            let record = Record::read(bytes.to_vec(), Mode::Lenient).unwrap();
            let expected = format!(
                "the file names no encoding: read as {name}, {} % sure",
                record.confidence
            );
            assert_eq!(messages(&record), [(severity, expected.as_str())]);
            // Whoever knows better says so.
            let chosen = Record::read_as(bytes.to_vec(), name.parse().unwrap(), Mode::Strict);
            let chosen = chosen.unwrap();
            assert_eq!((messages(&chosen), chosen.confidence), (Vec::new(), 100));
            assert_eq!(chosen.collection, record.collection);
        }
        let lie = [&b"(;CA[UTF-8]"[..], &chinese[2..]].concat();
        let record = Record::read(lie, Mode::Lenient).unwrap();
        assert_eq!(record.diagnostics[0].kind, "encoding-guess");
        assert!(record.diagnostics[0].message.ends_with(" % sure"));
    }

    #[test]
    fn games_one_by_one_are_the_games_of_the_whole_file() {
        let texts = [
            "(;SZ[9];B[ee])(;SZ[13]C[a [b] c];B[dd]",
            "Hello\n((;SZ[9])(;LONGNAME[x]))\nbetween(;sz[9];b[ee])\x1a",
            "(;SZ[9]PB[x\nPW[y]AB[C3,D4](;B[aa])(;B[bb](;W[cc])(;W[dd])))\n;SZ[9];B[ee])(;GM[2];B[x[y])",
            "7\t;B[pd];W[dp]\n8\t;B[dd]\n",
        ];
        for text in texts {
            let whole = Record::read(text.into(), Mode::Lenient).unwrap();
            let mut games = Games::read(text.into(), None, Mode::Lenient).unwrap();
            let (mut written, mut found) = (Vec::new(), Vec::new());
            while let Some(record) = games.next_game().unwrap() {
                written.push(record.collection.to_string());
                found.append(&mut record.diagnostics);
            }
            assert_eq!(written.join("\n"), whole.collection.to_string(), "{text}");
            assert_eq!(found, whole.diagnostics, "{text}");
            assert!(games.next_game().unwrap().is_none());
        }
        assert!(Games::read(b"nothing".to_vec(), None, Mode::Lenient).is_err());
        let mut strict =
            Games::read(b"(;SZ[9])(;SZ[9];B[e e])".to_vec(), None, Mode::Strict).unwrap();
        assert!(strict.next_game().unwrap().is_some());
        assert!(strict.next_game().is_err());
    }

    #[test]
    fn many_games_take_no_more_than_one() {
        let text = "(;SZ[9];B[ee]C[a [b] c];W[dd])\n".repeat(1_000);
        let mut games = Games::read(text.clone().into_bytes(), None, Mode::Lenient).unwrap();
        let mut most = 0;
        while let Some(record) = games.next_game().unwrap() {
            let collection = &record.collection;
            most = most.max(collection.nodes.capacity() + collection.values.capacity());
            assert!(collection.text().len() < text.len() + 20);
        }
        assert!(most <= 32, "{most}");
    }
}
