//! Files that are opened.

use base64::Engine as _;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use serde::Serialize;
use tengen_sgf::{
    Charset, Collection, Diagnostic, Mode, ParseError, Places, Record, Severity, UnknownCharset,
    examine,
};

use crate::effort::spend;
use crate::extent::Extent;
use crate::game_tree::{GameTree, PRIVATE};
use crate::limits::{Limits, at_most};
use crate::refusal::{Code, Refusal};
use crate::request::OpenFile;
use crate::table::Table;

/// The most remarks about a file that anybody wants to read.
const REMARKS: usize = 100;

/// A file that was opened.
struct Upload {
    /// A record for each game.
    games: Vec<Collection>,
    remarks: Vec<Remark>,
}

/// What was wrong with a file.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(rename = "Diagnostic"))]
pub(crate) struct Remark {
    /// How bad it is.
    severity: SeverityName,
    /// A sentence in English.
    message: String,
    /// The line of the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<usize>,
    /// The column of the line.
    #[serde(skip_serializing_if = "Option::is_none")]
    column: Option<usize>,
}

/// How bad a fault of a file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(rename = "Severity"))]
#[serde(rename_all = "lowercase")]
pub(crate) enum SeverityName {
    /// Nothing is lost.
    Note,
    /// Something was repaired.
    Warning,
    /// Something could not be read.
    Error,
}

impl From<Severity> for SeverityName {
    fn from(severity: Severity) -> Self {
        match severity {
            Severity::Note => Self::Note,
            Severity::Warning => Self::Warning,
            Severity::Error => Self::Error,
        }
    }
}

impl Remark {
    pub(crate) fn message(&self) -> &str {
        &self.message
    }

    pub(crate) fn error(message: String) -> Self {
        Self {
            severity: SeverityName::Error,
            message,
            line: None,
            column: None,
        }
    }
}

/// The games of a file, which only lack a place in the room.
#[derive(Debug)]
pub(crate) struct Prepared {
    pub tables: Vec<Table>,
    pub remarks: Vec<Remark>,
}

/// Makes games of a file.
pub(crate) fn prepare(file: OpenFile, limits: &Limits) -> Result<Prepared, Refusal> {
    let name = file.name.clone();
    let keep = file.keep.unwrap_or(true);
    let Upload { games, mut remarks } = read(file, limits)?;
    let mut tables = Vec::new();
    for record in games {
        match open_game(record, limits) {
            Ok(mut table) => {
                table.name.clone_from(&name);
                table.keep = keep;
                tables.push(table);
            }
            Err(refusal) if refusal.code == Code::Limit => return Err(refusal),
            Err(refusal) => remarks.push(Remark::error(refusal.message)),
        }
    }
    if tables.is_empty() {
        let message = match remarks.last() {
            Some(remark) => remark.message().to_owned(),
            None => "there is no game in it".to_owned(),
        };
        return Err(Refusal::new(Code::Unreadable, message));
    }
    Ok(Prepared { tables, remarks })
}

/// The games of a file as records, and what was wrong with it.
pub(crate) fn read_games(
    file: OpenFile,
    limits: &Limits,
) -> Result<(Vec<Collection>, Vec<Remark>), Refusal> {
    let Upload { games, remarks } = read(file, limits)?;
    Ok((games, remarks))
}

fn open_game(record: Collection, limits: &Limits) -> Result<Table, Refusal> {
    let bytes = record.text().len();
    at_most("bytes_of_a_record", bytes, limits.record_bytes)?;
    let table = Table::with_tree(String::new(), GameTree::new(record)?, 0)?;
    at_most("nodes", table.tree.node_count(), limits.nodes)?;
    at_most("nodes_in_a_row", table.tree.greatest_depth(), limits.depth)?;
    if !table.tree.root().is_go() {
        return Err(Refusal::new(Code::Unreadable, "this is a game, but not Go"));
    }
    Ok(table)
}

/// Reads the bytes of a file in the encoding that somebody chose, or else in its own.
fn read_bytes(
    bytes: Vec<u8>,
    encoding: Option<&str>,
) -> Result<Result<Record, ParseError>, Refusal> {
    let Some(name) = encoding else {
        return Ok(Record::read(bytes, Mode::Lenient));
    };
    let charset: Charset = name
        .parse()
        .map_err(|error: UnknownCharset| Refusal::params(error.to_string()))?;
    Ok(Record::read_as(bytes, charset, Mode::Lenient))
}

/// Reads a file, or a text that was pasted. Limits come first: what is too much costs no more than a look at its bytes.
fn read(file: OpenFile, limits: &Limits) -> Result<Upload, Refusal> {
    let mut upload = Upload {
        games: Vec::new(),
        remarks: Vec::new(),
    };
    match (file.text, file.base64) {
        (Some(text), None) => {
            at_most("bytes_of_a_file", text.len(), limits.file_bytes)?;
            Extent::of(text.as_bytes()).check(limits)?;
            upload.add(Record::read_text(text, Mode::Lenient), limits)?;
        }
        (None, Some(text)) => {
            at_most("bytes_of_a_file", text.len() / 4 * 3, limits.file_bytes)?;
            let bytes = decode_base64(&text).ok_or_else(|| Refusal::params("no base64"))?;
            drop(text);
            for bytes in unpacked(bytes, limits)? {
                Extent::of(&bytes).check(limits)?;
                upload.add(read_bytes(bytes, file.encoding.as_deref())?, limits)?;
            }
        }
        _ => return Err(Refusal::params("a file has either text or base64")),
    }
    Ok(upload)
}

impl Upload {
    /// Adds the games of a record, and what was wrong with it.
    fn add(&mut self, record: Result<Record, ParseError>, limits: &Limits) -> Result<(), Refusal> {
        let mut record = record.map_err(|error| {
            let place = serde_json::json!({"line": error.place.line, "column": error.place.column});
            Refusal::new(Code::Unreadable, error.message).with(place)
        })?;
        let mut diagnostics = std::mem::take(&mut record.diagnostics);
        let mut games = record.into_utf8();
        let roots: Vec<_> = games.roots().map(tengen_sgf::Node::id).collect();
        let count = self.games.len() + roots.len();
        at_most("games_of_a_file", count, limits.games_of_a_file)?;
        for root in &roots {
            let root = games.node(*root);
            let mut examined = examine(root);
            spend(examined.moves);
            diagnostics.append(&mut examined.diagnostics);
        }
        for remark in remarks(&games, &diagnostics) {
            if self.remarks.len() < REMARKS {
                self.remarks.push(remark);
            }
        }
        for root in roots {
            games.remove_property(root, PRIVATE);
        }
        self.games
            .extend(games.roots().map(tengen_sgf::Node::to_collection));
        Ok(())
    }
}

/// The files in a file: itself, or what it was packed of. All of them together may be as large as one file.
#[cfg(feature = "packed")]
fn unpacked(bytes: Vec<u8>, limits: &Limits) -> Result<Vec<Vec<u8>>, Refusal> {
    use std::ops::ControlFlow;

    use tengen_sgf::{FilesError, visit_bytes_within};

    let most = limits.file_bytes;
    let mut files = Vec::new();
    let mut total = 0;
    let name = std::path::Path::new("the file");
    let visited = visit_bytes_within(name, bytes, most as u64, &mut |_, bytes| {
        total += bytes.len();
        match total > most {
            true => ControlFlow::Break(()),
            false => {
                files.push(bytes);
                ControlFlow::Continue(())
            }
        }
    });
    match visited {
        Ok(()) => at_most("bytes_of_a_file", total, most).map(|()| files),
        Err(FilesError::TooLarge(..)) => Err(Refusal::limit("bytes_of_a_file", most)),
        Err(error) => {
            let message = format!("the file cannot be unpacked: {}", error.reason());
            Err(Refusal::new(Code::Unreadable, message))
        }
    }
}

/// This host reads no packed files.
#[cfg(not(feature = "packed"))]
fn unpacked(bytes: Vec<u8>, _: &Limits) -> Result<Vec<Vec<u8>>, Refusal> {
    let magics: [&[u8]; 3] = [b"\x1f\x8b", b"\xfd7zXZ\0", b"PK\x03\x04"];
    match magics.iter().any(|magic| bytes.starts_with(magic)) {
        true => Err(Refusal::new(
            Code::Unreadable,
            "the file is packed: unpack it first",
        )),
        false => Ok(vec![bytes]),
    }
}

fn remarks(games: &Collection, diagnostics: &[Diagnostic]) -> Vec<Remark> {
    let places = Places::new(games.text());
    let remark = |diagnostic: &Diagnostic| {
        let place = places.at(diagnostic.offset);
        Remark {
            severity: diagnostic.severity.into(),
            message: diagnostic.told(),
            line: Some(place.line),
            column: Some(place.column),
        }
    };
    let mut remarks: Vec<Remark> = Vec::new();
    for found in diagnostics.iter().map(remark) {
        if remarks.len() == REMARKS {
            break;
        }
        if !remarks.contains(&found) {
            remarks.push(found);
        }
    }
    remarks
}

/// Base64 with or without the signs at its end.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new()
        .with_decode_padding_mode(DecodePaddingMode::Indifferent)
        .with_decode_allow_trailing_bits(true),
);

/// The bytes that a text in base64 stands for, in either alphabet and with any white space.
fn decode_base64(text: &str) -> Option<Vec<u8>> {
    let signs = text.bytes().filter(|byte| !byte.is_ascii_whitespace());
    let signs = signs.map(|byte| match byte {
        b'-' => b'+',
        b'_' => b'/',
        _ => byte,
    });
    BASE64.decode(signs.collect::<Vec<u8>>()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_is_decoded() {
        for (text, bytes) in [
            ("", Some(&b""[..])),
            ("KDsp", Some(b"(;)")),
            ("KDspIA==", Some(b"(;) ")),
            ("KDspIA", Some(b"(;) ")),
            ("KD\nsp\n", Some(b"(;)")),
            ("//79", Some(b"\xff\xfe\xfd")),
            ("__79", Some(b"\xff\xfe\xfd")),
            ("KDs(", None),
            ("KDspI", None),
            ("K=Dsp", None),
        ] {
            assert_eq!(decode_base64(text).as_deref(), bytes, "{text}");
        }
    }
}
