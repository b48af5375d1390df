//! Bytes of a record to text.
//!
//! Big5, GBK and Shift-JIS use `\` and `]` as second bytes of characters, so a file can only be taken apart after all
//! of it has been decoded. Half of the files that are not UTF-8 do not say what they are, and some say what they are
//! not.

mod charset;
mod damage;
mod label;
mod twice;
mod vocabulary;

use std::fmt;

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, GB18030, GBK, ISO_2022_JP, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};

pub use charset::{Charset, UnknownCharset};
pub use damage::Damage;

/// How much of a file an encoding is chosen by.
const SAMPLE: usize = 1 << 14;

/// With more bytes than this outside ASCII, statistics of letter pairs are better than knowing Go words.
const SHORT: usize = 400;

/// A file as text, and how its encoding was found.
///
/// ```
/// use tengen_sgf::{EncodingSource as Source, decode};
/// let decoded = decode(b"(;CA[Big5]C[\xb3\x5c\xa5\x5c])".to_vec());
/// assert_eq!(decoded.text, "(;CA[Big5]C[許功])");
/// assert_eq!(decoded.encoding.name(), "Big5");
/// assert_eq!(decoded.source, Source::Declared);
/// assert!(!decoded.malformed);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decoded {
    /// The text, without a byte-order mark.
    pub text: String,
    /// What the bytes were decoded as.
    pub encoding: &'static Encoding,
    /// What this encoding was chosen by.
    pub source: Source,
    /// How sure the choice is, in percent: an estimate where the encoding was guessed, 100 where it was not.
    pub confidence: u8,
    /// Whether some bytes had no meaning and became U+FFFD.
    pub malformed: bool,
    /// The first characters that lost bytes, where that can be told.
    pub damage: Vec<Damage>,
    /// How many characters lost bytes.
    pub damaged: usize,
    /// Whether the file was UTF-8 that had been encoded once more.
    pub encoded_twice: bool,
}

/// What an encoding was chosen by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// The file begins with a byte-order mark.
    ByteOrderMark,
    /// The file says so, in `CA[]` or in `Lang=`, and it is true.
    Declared,
    /// The file says something else, which cannot be.
    DeclaredButWrong,
    /// The file does not say; its bytes do.
    Detected,
    /// The file does not say and is UTF-8, of which ASCII is a part.
    Default,
    /// Somebody chose it.
    Chosen,
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::ByteOrderMark => "byte-order mark",
            Self::Declared => "declared",
            Self::DeclaredButWrong => "declared wrongly",
            Self::Detected => "detected",
            Self::Default => "default",
            Self::Chosen => "chosen",
        })
    }
}

/// Decodes a whole file: SGF, GIB, NGF or UGF.
///
/// Bytes that are UTF-8 are not copied.
pub fn decode(bytes: Vec<u8>) -> Decoded {
    let mut decoded = decode_once(bytes);
    // It may have happened more than twice.
    while let Some(text) = twice::undo(&decoded.text) {
        decoded.text = text;
        decoded.encoded_twice = true;
    }
    decoded
}

/// Decodes a whole file in the encoding that somebody chose, whatever it says.
///
/// ```
/// use tengen_sgf::{Charset, decode_as};
/// let gbk: Charset = "GBK".parse()?;
/// assert_eq!(decode_as(b"(;CA[Big5]PB[\xb9\xc5\xc1\xa6])".to_vec(), gbk).text, "(;CA[Big5]PB[古力])");
/// # Ok::<(), tengen_sgf::UnknownCharset>(())
/// ```
pub fn decode_as(bytes: Vec<u8>, charset: Charset) -> Decoded {
    let Charset(encoding) = charset;
    let mark = Encoding::for_bom(&bytes).filter(|(marked, _)| *marked == encoding);
    let start = mark.map_or(0, |(_, length)| length);
    let bytes = match start {
        0 if encoding == UTF_8 => match String::from_utf8(bytes) {
            Ok(text) => return whole(text, encoding, Source::Chosen, CERTAIN),
            Err(error) => error.into_bytes(),
        },
        _ => bytes,
    };
    finish(&bytes[start..], encoding, Source::Chosen, CERTAIN)
}

fn decode_once(mut bytes: Vec<u8>) -> Decoded {
    let mut mark = None;
    if let Some((encoding, length)) = Encoding::for_bom(&bytes) {
        if encoding != UTF_8 {
            return finish(&bytes[length..], encoding, Source::ByteOrderMark, CERTAIN);
        }
        bytes.drain(..length);
        mark = Some(Source::ByteOrderMark);
    } else if let Some(encoding) = utf_16_without_mark(&bytes) {
        return finish(&bytes, encoding, Source::Detected, NEARLY_CERTAIN);
    }
    let declared = label::find(&bytes);
    if let Some(text) = iso_2022_jp(&bytes) {
        let source = source_of(ISO_2022_JP, declared);
        return whole(text, ISO_2022_JP, source, NEARLY_CERTAIN);
    }
    let bytes = match String::from_utf8(bytes) {
        Ok(text) if !utf_8_by_chance(&text, declared) => {
            let source = mark.unwrap_or(utf_8_source(&text, declared));
            return whole(text, UTF_8, source, NEARLY_CERTAIN);
        }
        Ok(text) => text.into_bytes(),
        Err(error) => error.into_bytes(),
    };
    let (encoding, confidence) = choose(&bytes, declared);
    let source = match encoding == UTF_8 {
        true => mark.unwrap_or(source_of(encoding, declared)),
        false => source_of(encoding, declared),
    };
    finish(&bytes, encoding, source, confidence)
}

/// Nobody guessed.
const CERTAIN: u8 = 100;

/// What bytes say about themselves so plainly that it can hardly be chance.
const NEARLY_CERTAIN: u8 = 99;

/// A text in which nothing is wrong.
fn whole(text: String, encoding: &'static Encoding, source: Source, confidence: u8) -> Decoded {
    let is_guess = matches!(source, Source::Detected | Source::DeclaredButWrong);
    Decoded {
        text,
        encoding,
        source,
        confidence: if is_guess { confidence } else { CERTAIN },
        malformed: false,
        damage: Vec::new(),
        damaged: 0,
        encoded_twice: false,
    }
}

fn finish(bytes: &[u8], encoding: &'static Encoding, source: Source, confidence: u8) -> Decoded {
    if encoding == UTF_8 {
        let mended = damage::decode(bytes);
        return Decoded {
            malformed: mended.damaged + mended.broken > 0,
            damage: mended.damage,
            damaged: mended.damaged,
            ..whole(mended.text, encoding, source, confidence)
        };
    }
    let (text, malformed) = encoding.decode_without_bom_handling(bytes);
    Decoded {
        malformed,
        ..whole(text.into_owned(), encoding, source, confidence)
    }
}

fn source_of(encoding: &'static Encoding, declared: Option<&'static Encoding>) -> Source {
    match declared {
        Some(declared) if declared == encoding => Source::Declared,
        Some(_) => Source::DeclaredButWrong,
        None => Source::Detected,
    }
}

/// Records begin with ASCII, which in UTF-16 has a zero in every other byte.
fn utf_16_without_mark(bytes: &[u8]) -> Option<&'static Encoding> {
    let start = &bytes[..bytes.len().min(64)];
    let zeros = |first: usize| {
        start
            .iter()
            .skip(first)
            .step_by(2)
            .filter(|b| **b == 0)
            .count()
    };
    let (even, odd) = (zeros(0), zeros(1));
    let most = start.len() * 3 / 8;
    if start.len() < 4 {
        None
    } else if even == 0 && odd > most {
        Some(UTF_16LE)
    } else if odd == 0 && even > most {
        Some(UTF_16BE)
    } else {
        None
    }
}

/// Seven-bit Japanese: ASCII as far as its bytes go, and told by its escape sequences alone.
fn iso_2022_jp(bytes: &[u8]) -> Option<String> {
    if !bytes.contains(&0x1b) || !bytes.is_ascii() {
        return None;
    }
    let shifts = |rest: &[u8]| {
        matches!(
            rest,
            [0x1b, b'$', b'@' | b'B' | b'(', ..] | [0x1b, b'(', b'I', ..]
        )
    };
    if !bytes.windows(3).any(shifts) {
        return None;
    }
    ISO_2022_JP
        .decode_without_bom_handling_and_without_replacement(bytes)
        .map(std::borrow::Cow::into_owned)
}

fn utf_8_source(text: &str, declared: Option<&'static Encoding>) -> Source {
    match declared {
        None => Source::Default,
        // Every declaration but UTF-16 is true of plain ASCII.
        Some(encoding) if text.is_ascii() && encoding.is_ascii_compatible() => Source::Declared,
        Some(_) => source_of(UTF_8, declared),
    }
}

/// Whether text in another encoding only happens to be UTF-8, as two or three Chinese characters can.
///
/// Sequences of three bytes hardly ever come about by chance. Those of two bytes then make letters that nobody uses.
fn utf_8_by_chance(text: &str, declared: Option<&'static Encoding>) -> bool {
    if text.is_ascii() || text.bytes().any(|byte| byte >= 0xe0) {
        return false;
    }
    let foreign = || text.chars().filter(|c| !c.is_ascii());
    if foreign().count() > SHORT / 2 {
        return false;
    }
    let reads_well = |encoding, least| {
        vocabulary::score(&sample(text.as_bytes()), encoding).is_some_and(|score| score > least)
    };
    match declared {
        Some(encoding) if encoding == GB18030 => reads_well(GBK, 0.5),
        Some(encoding) if vocabulary::CANDIDATES.contains(&encoding) => reads_well(encoding, 0.5),
        Some(_) => false,
        None => {
            let unused = |c| {
                let latin = matches!(c, '\u{180}'..='\u{217}' | '\u{21c}'..='\u{2ff}');
                latin || matches!(c, '\u{500}'..='\u{58f}' | '\u{700}'..)
            };
            foreign().any(unused) && vocabulary::CANDIDATES.iter().any(|e| reads_well(e, 0.9))
        }
    }
}

/// The encoding of bytes that are not UTF-8, and how sure that is, in percent.
fn choose(bytes: &[u8], declared: Option<&'static Encoding>) -> (&'static Encoding, u8) {
    let sample = sample(bytes);
    if let Some(confidence) = damage::nearly_utf_8(&sample) {
        return (UTF_8, confidence);
    }
    if let Some(encoding) = declared.filter(|e| *e != UTF_8 && e.is_ascii_compatible()) {
        let believed = match encoding {
            // No byte is an error in these: a false declaration is only told by what it makes of the text.
            _ if encoding.is_single_byte() => {
                encoding != WINDOWS_1252 || !vocabulary::CANDIDATES.contains(&detect(&sample).0)
            }
            _ => nearly_clean(&sample, encoding),
        };
        if believed {
            return (encoding, CERTAIN);
        }
    }
    detect(&sample)
}

/// Whether bytes decode with at most one error in twenty characters.
fn nearly_clean(bytes: &[u8], encoding: &'static Encoding) -> bool {
    let (text, malformed) = encoding.decode_without_bom_handling(bytes);
    if !malformed {
        return true;
    }
    let foreign = text.chars().filter(|c| !c.is_ascii()).count();
    let errors = text.chars().filter(|c| *c == '\u{fffd}').count();
    errors * 20 <= foreign
}

/// The parts of a file that are not ASCII, each with two bytes around it.
///
/// A cut never parts a character, since a second byte that looks like ASCII directly follows one that does not.
fn sample(bytes: &[u8]) -> Vec<u8> {
    let mut sample = Vec::new();
    let mut taken = 0;
    for (index, _) in bytes
        .iter()
        .enumerate()
        .filter(|(_, byte)| !byte.is_ascii())
    {
        if sample.len() > SAMPLE {
            break;
        }
        let start = index.saturating_sub(2);
        if start > taken && taken > 0 {
            sample.push(b'\n');
        }
        let end = bytes.len().min(index + 3);
        sample.extend_from_slice(&bytes[start.max(taken)..end.max(taken)]);
        taken = end.max(taken);
    }
    sample
}

/// The likeliest encoding of bytes that say nothing about themselves, and how sure that is, in percent.
fn detect(sample: &[u8]) -> (&'static Encoding, u8) {
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(sample, true);
    let guess = detector.guess(None, Utf8Detection::Deny);
    // The statistics want more text than two names. What is asked for short texts: which reading speaks of Go?
    let readings: Vec<(&'static Encoding, f32)> = vocabulary::CANDIDATES
        .into_iter()
        .filter_map(|encoding| {
            let score = vocabulary::score(sample, encoding)?;
            Some((encoding, score + if encoding == guess { 0.5 } else { 0.0 }))
        })
        .collect();
    let foreign = sample.iter().filter(|byte| !byte.is_ascii()).count();
    let best = readings.iter().max_by(|a, b| a.1.total_cmp(&b.1));
    let chosen = match best {
        _ if foreign > SHORT && nearly_clean(sample, guess) => guess,
        Some((encoding, score))
            if *score > SPEAKS_OF_GO || vocabulary::CANDIDATES.contains(&guess) =>
        {
            encoding
        }
        _ => guess,
    };
    (chosen, confidence(chosen, &readings, foreign))
}

/// A reading that scores more is of somebody who wrote about Go.
const SPEAKS_OF_GO: f32 = 0.9;

/// How sure a choice is, in percent, by how much worse the other readings are and how much text there is.
fn confidence(
    chosen: &'static Encoding,
    readings: &[(&'static Encoding, f32)],
    foreign: usize,
) -> u8 {
    let own = readings.iter().find(|(encoding, _)| *encoding == chosen);
    // A single byte a character has no wrong bytes, so that only much text tells one such encoding from another.
    let (score, most) = match own {
        Some((_, score)) => (*score, 0.99),
        None if chosen.is_single_byte() => (
            SPEAKS_OF_GO,
            0.5 + 0.45 * (1.0 - (-(foreign as f32) / 30.0).exp()),
        ),
        None => (SPEAKS_OF_GO, 0.6),
    };
    // Beyond a few dozen characters, more of them add little: they speak of the same things.
    let characters = (foreign as f32 / 2.0).min(30.0);
    let others = readings.iter().filter(|(encoding, _)| *encoding != chosen);
    let rivals: f32 = others
        .map(|(_, other)| ((other - score) * characters).exp())
        .sum();
    (100.0 * most / (1.0 + rivals)).round() as u8
}

#[cfg(test)]
mod tests;
