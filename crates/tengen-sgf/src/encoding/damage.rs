//! UTF-8 that lost bytes.
//!
//! A program that took UTF-8 for Windows-1252 wrote `?` for the five bytes that have no meaning there. What is left is
//! no UTF-8 any more, and read as GBK a byte before such a `?` swallows brackets. It is still told by what is whole.

use super::vocabulary;

/// The bytes that Windows-1252 has no characters for.
const LOST: [u8; 5] = [0x81, 0x8d, 0x8f, 0x90, 0x9d];

/// More characters than this are not offered: that would be no help.
const MOST_CANDIDATES: usize = 5;

/// More places than this are counted and not listed.
const MOST_LISTED: usize = 100;

/// A character that lost bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Damage {
    /// Where its U+FFFD stands in the text, in bytes.
    pub offset: usize,
    /// The characters that it can have been, likely ones first; empty where many fit.
    pub candidates: String,
}

/// Text with U+FFFD for what was damaged.
pub(super) struct Mended {
    pub(super) text: String,
    /// The first damaged characters.
    pub(super) damage: Vec<Damage>,
    /// How many there are in all, and how many pieces were no part of a character.
    pub(super) damaged: usize,
    pub(super) broken: usize,
}

/// A piece of bytes that are nearly UTF-8.
enum Piece<'a> {
    Whole(&'a str),
    /// A character of which `?` stands for some bytes.
    Damaged(&'a [u8]),
    /// Bytes that are no part of a character.
    Broken,
}

fn pieces(bytes: &[u8]) -> impl Iterator<Item = Piece<'_>> {
    let mut rest = bytes;
    let mut failed = None;
    std::iter::from_fn(move || {
        if let Some(length) = failed.take() {
            let damaged = damaged_length(rest);
            let (piece, behind) = rest.split_at(damaged.unwrap_or(length));
            rest = behind;
            return Some(match damaged {
                Some(_) => Piece::Damaged(piece),
                None => Piece::Broken,
            });
        }
        let chunk = rest.utf8_chunks().next()?;
        rest = &rest[chunk.valid().len()..];
        failed = (!chunk.invalid().is_empty()).then_some(chunk.invalid().len());
        Some(Piece::Whole(chunk.valid()))
    })
}

/// The length of a character whose first byte is here and of whose other bytes some are `?`.
fn damaged_length(bytes: &[u8]) -> Option<usize> {
    let length = match bytes.first()? {
        0xc2..=0xdf => 2,
        0xe0..=0xef => 3,
        0xf0..=0xf4 => 4,
        _ => return None,
    };
    let others = bytes.get(1..length)?;
    let fits = others
        .iter()
        .all(|byte| *byte == b'?' || is_continuation(*byte));
    (fits && others.contains(&b'?')).then_some(length)
}

const fn is_continuation(byte: u8) -> bool {
    byte & 0xc0 == 0x80
}

/// How sure one can be that bytes are UTF-8 in which something cut or lost a few characters, in percent; `None` if
/// they are more likely something else.
pub(super) fn nearly_utf_8(bytes: &[u8]) -> Option<u8> {
    let (mut long, mut short, mut inside, mut at_end, mut broken) = (0, 0, 0, 0, 0);
    for piece in pieces(bytes) {
        match piece {
            Piece::Whole(text) => {
                long += text.chars().filter(|c| c.len_utf8() > 2).count();
                short += text.chars().filter(|c| c.len_utf8() == 2).count();
            }
            // In no other encoding does such a byte follow a `?` that follows such a byte.
            Piece::Damaged(bytes) if bytes.ends_with(b"?") => {
                at_end += usize::from(bytes.len() > 2);
            }
            Piece::Damaged(_) => inside += 1,
            Piece::Broken => broken += 1,
        }
    }
    let sure = long + inside;
    let evidence = match sure {
        // A letter and a question mark are both in every encoding.
        0 => 0,
        _ => sure + at_end,
    };
    let evidence = match broken {
        // Two bytes that make a character are chance once, and rarely so without any that make none.
        0 => evidence + short,
        _ => evidence,
    };
    let percent = 100 * (2 * evidence + 1) / (2 * evidence + 2 + 4 * broken);
    (evidence > 3 * broken).then(|| u8::try_from(percent).unwrap_or(99))
}

/// Decodes bytes that are nearly UTF-8.
pub(super) fn decode(bytes: &[u8]) -> Mended {
    let mut mended = Mended {
        text: String::with_capacity(bytes.len()),
        damage: Vec::new(),
        damaged: 0,
        broken: 0,
    };
    for piece in pieces(bytes) {
        match piece {
            Piece::Whole(text) => mended.text.push_str(text),
            Piece::Damaged(bytes) => {
                mended.damaged += 1;
                if mended.damage.len() < MOST_LISTED {
                    mended.damage.push(Damage {
                        offset: mended.text.len(),
                        candidates: candidates(bytes),
                    });
                }
                mended.text.push(char::REPLACEMENT_CHARACTER);
            }
            Piece::Broken => {
                mended.broken += 1;
                mended.text.push(char::REPLACEMENT_CHARACTER);
            }
        }
    }
    mended
}

/// The characters that these bytes can have been before some became `?`, if few fit.
fn candidates(bytes: &[u8]) -> String {
    let mut readings = vec![Vec::new()];
    for byte in bytes {
        let choices: &[u8] = match byte {
            b'?' => &LOST,
            byte => std::slice::from_ref(byte),
        };
        readings = readings
            .iter()
            .flat_map(|start| {
                choices
                    .iter()
                    .map(move |next| [&start[..], &[*next]].concat())
            })
            .collect();
    }
    let read = |bytes: &Vec<u8>| std::str::from_utf8(bytes).ok()?.chars().next();
    let fitting: Vec<char> = readings
        .iter()
        .filter_map(read)
        .filter(|c| !crate::printable::is_obeyed(*c))
        .collect();
    let (likely, other): (Vec<char>, Vec<char>) =
        fitting.iter().partition(|c| vocabulary::is_common(**c));
    if fitting.len() <= MOST_CANDIDATES {
        likely.into_iter().chain(other).collect()
    } else if likely.len() <= MOST_CANDIDATES {
        likely.into_iter().collect()
    } else {
        String::new()
    }
}
