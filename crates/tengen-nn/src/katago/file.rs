//! Words and arrays of a network file of KataGo: text with spaces, in which arrays may be binary, all of it perhaps
//! compressed by gzip.

use std::fmt;
use std::io::{self, BufRead, BufReader, Read};

use flate2::bufread::MultiGzDecoder;

/// What a gzip file begins with.
const GZIP: [u8; 2] = [0x1f, 0x8b];

/// What a binary array begins with.
const BINARY: &[u8] = b"@BIN@";

/// A word has at most so many bytes.
const LONGEST_WORD: usize = 256;

/// All arrays of a file have at most so many numbers: 1 GiB. The largest network of KataGo has a third of it.
const MOST_NUMBERS: usize = 1 << 28;

/// So many bytes of an array are read at once: memory is taken as numbers come, whatever a file promises.
const PORTION: usize = 1 << 16;

/// Why a file is not a network of KataGo that can be used, and where.
#[derive(Debug)]
pub struct KataGoError {
    block: String,
    layer: String,
    fault: KataGoFault,
}

impl KataGoError {
    /// The part of the network where it was found: its header, a block, a head.
    pub fn block(&self) -> &str {
        &self.block
    }

    /// Before anything was read.
    pub(super) fn at_start(fault: KataGoFault) -> Self {
        Self {
            block: "the header".to_owned(),
            layer: String::new(),
            fault,
        }
    }

    /// What is wrong.
    pub const fn fault(&self) -> &KataGoFault {
        &self.fault
    }
}

/// What is wrong with a network file of KataGo.
#[derive(Debug)]
#[non_exhaustive]
pub enum KataGoFault {
    /// It cannot be read or unpacked.
    Unreadable(io::Error),
    /// It ends too early.
    Short,
    /// It goes on after its end.
    Long,
    /// Something else was expected than this word.
    Word {
        /// What was expected.
        wanted: &'static str,
        /// What is there.
        found: String,
    },
    /// A number is beyond what a network may have.
    Range {
        /// What the number is for.
        what: &'static str,
        /// The number.
        found: String,
    },
    /// Layers do not fit together.
    Mismatch {
        /// What does not fit.
        what: &'static str,
        /// How many there are.
        found: usize,
        /// How many there should be.
        wanted: usize,
    },
    /// An array has a number that is infinite or none.
    NotFinite,
    /// Arrays have more numbers in all than this.
    TooLarge(usize),
    /// It is a network of a version that this program does not know.
    Version(u64),
    /// It wants something that this program does not know.
    Unknown {
        /// What it wants.
        what: &'static str,
        /// How it calls it.
        found: String,
    },
}

impl fmt::Display for KataGoError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.block)?;
        if !self.layer.is_empty() {
            write!(f, " at `{}`", self.layer)?;
        }
        write!(f, ": {}", self.fault)
    }
}

impl fmt::Display for KataGoFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable(error) => write!(f, "it cannot be read: {error}"),
            Self::Short => f.write_str("the file ends too early"),
            Self::Long => f.write_str("the file goes on after the end of the network"),
            Self::Word { wanted, found } => write!(f, "`{found}` is not {wanted}"),
            Self::Range { what, found } => {
                write!(f, "{found} is too small or too large for {what}")
            }
            Self::Mismatch {
                what,
                found,
                wanted,
            } => write!(f, "{what}: there are {found}, and there should be {wanted}"),
            Self::NotFinite => f.write_str("a number is infinite or none"),
            Self::TooLarge(most) => write!(f, "it has more than {most} numbers"),
            Self::Version(version) => write!(
                f,
                "it is a network of version {version}, and this program knows those from 8 to 17"
            ),
            Self::Unknown { what, found } => write!(f, "this program knows no {what} `{found}`"),
        }
    }
}

impl std::error::Error for KataGoError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.fault {
            KataGoFault::Unreadable(error) => Some(error),
            _ => None,
        }
    }
}

pub(super) type Result<T> = std::result::Result<T, KataGoError>;

/// Reads a file word by word and array by array, and knows where it is.
pub(super) struct Words<'a> {
    input: Box<dyn BufRead + 'a>,
    block: String,
    layer: String,
    numbers: usize,
    most_numbers: usize,
}

impl<'a> Words<'a> {
    /// Of a file that may be compressed, with at most so many numbers in its arrays.
    pub(super) fn new(mut file: impl BufRead + 'a, most_numbers: usize) -> io::Result<Self> {
        let is_gzip = file.fill_buf()?.starts_with(&GZIP);
        let input: Box<dyn BufRead> = match is_gzip {
            true => Box::new(BufReader::with_capacity(PORTION, MultiGzDecoder::new(file))),
            false => Box::new(file),
        };
        Ok(Self {
            input,
            block: "the header".to_owned(),
            layer: String::new(),
            numbers: 0,
            most_numbers: most_numbers.min(MOST_NUMBERS),
        })
    }

    /// How many numbers its arrays had so far.
    pub(super) const fn numbers(&self) -> usize {
        self.numbers
    }

    /// A part of the network begins.
    pub(super) fn begin(&mut self, block: String) {
        self.block = block;
        self.layer.clear();
    }

    pub(super) fn error(&self, fault: KataGoFault) -> KataGoError {
        KataGoError {
            block: self.block.clone(),
            layer: self.layer.clone(),
            fault,
        }
    }

    /// Two numbers must be equal.
    pub(super) fn same(&self, what: &'static str, found: usize, wanted: usize) -> Result<()> {
        match found == wanted {
            true => Ok(()),
            false => Err(self.error(KataGoFault::Mismatch {
                what,
                found,
                wanted,
            })),
        }
    }

    fn unreadable(&self, error: io::Error) -> KataGoError {
        match error.kind() {
            io::ErrorKind::UnexpectedEof => self.error(KataGoFault::Short),
            _ => self.error(KataGoFault::Unreadable(error)),
        }
    }

    /// The next byte, which stays where it is.
    fn peek(&mut self) -> Result<Option<u8>> {
        match self.input.fill_buf() {
            Ok(bytes) => Ok(bytes.first().copied()),
            Err(error) => Err(self.unreadable(error)),
        }
    }

    /// The next byte that is not a space, which stays where it is.
    fn skip_spaces(&mut self) -> Result<Option<u8>> {
        while let Some(byte) = self.peek()? {
            if !byte.is_ascii_whitespace() {
                return Ok(Some(byte));
            }
            self.input.consume(1);
        }
        Ok(None)
    }

    /// The next word.
    pub(super) fn word(&mut self) -> Result<String> {
        if self.skip_spaces()?.is_none() {
            return Err(self.error(KataGoFault::Short));
        }
        let mut word = Vec::new();
        while let Some(byte) = self.peek()? {
            if byte.is_ascii_whitespace() {
                break;
            }
            if word.len() == LONGEST_WORD || !byte.is_ascii_graphic() {
                let found = word.escape_ascii().to_string();
                let wanted = "a word of text";
                return Err(self.error(KataGoFault::Word { wanted, found }));
            }
            word.push(byte);
            self.input.consume(1);
        }
        Ok(word.into_iter().map(char::from).collect())
    }

    /// The name of a layer: errors from here on say it.
    pub(super) fn name(&mut self) -> Result<String> {
        let name = self.word()?;
        self.layer.clone_from(&name);
        Ok(name)
    }

    /// A whole number that is not negative.
    pub(super) fn whole(&mut self) -> Result<u64> {
        let word = self.word()?;
        word.parse().map_err(|_| {
            self.error(KataGoFault::Word {
                wanted: "a whole number",
                found: word,
            })
        })
    }

    /// How many there are of something: from one up to a limit.
    pub(super) fn count(&mut self, what: &'static str, most: usize) -> Result<usize> {
        let number = self.whole()?;
        match usize::try_from(number) {
            Ok(count @ 1..) if count <= most => Ok(count),
            _ => Err(self.error(KataGoFault::Range {
                what,
                found: number.to_string(),
            })),
        }
    }

    /// Yes or no, as 1 or 0.
    pub(super) fn flag(&mut self) -> Result<bool> {
        match self.whole()? {
            0 => Ok(false),
            1 => Ok(true),
            found => Err(self.error(KataGoFault::Word {
                wanted: "0 or 1",
                found: found.to_string(),
            })),
        }
    }

    /// Settings that no network has yet: each must be 0.
    pub(super) fn unused(&mut self, count: usize) -> Result<()> {
        for _ in 0..count {
            let found = self.word()?;
            if found != "0" {
                let what = "setting";
                return Err(self.error(KataGoFault::Unknown { what, found }));
            }
        }
        Ok(())
    }

    /// A positive number.
    pub(super) fn positive(&mut self, what: &'static str) -> Result<f32> {
        let word = self.word()?;
        let number: f32 = word.parse().map_err(|_| {
            self.error(KataGoFault::Word {
                wanted: "a number",
                found: word.clone(),
            })
        })?;
        match number > 0.0 && number.is_finite() {
            true => Ok(number),
            false => Err(self.error(KataGoFault::Range { what, found: word })),
        }
    }

    /// An array.
    pub(super) fn array(&mut self, count: usize) -> Result<Vec<f32>> {
        self.numbers = self.numbers.saturating_add(count);
        if self.numbers > self.most_numbers {
            return Err(self.error(KataGoFault::TooLarge(self.most_numbers)));
        }
        let values = match self.skip_spaces()? {
            Some(b'@') => self.binary_array(count)?,
            _ => self.text_array(count)?,
        };
        match values.iter().all(|value| value.is_finite()) {
            true => Ok(values),
            false => Err(self.error(KataGoFault::NotFinite)),
        }
    }

    fn text_array(&mut self, count: usize) -> Result<Vec<f32>> {
        let mut values = Vec::new();
        for _ in 0..count {
            let word = self.word()?;
            values.push(word.parse().map_err(|_| {
                self.error(KataGoFault::Word {
                    wanted: "a number",
                    found: word,
                })
            })?);
        }
        Ok(values)
    }

    fn binary_array(&mut self, count: usize) -> Result<Vec<f32>> {
        let mut mark = [0; BINARY.len()];
        self.exactly(&mut mark)?;
        if mark != BINARY {
            return Err(self.error(KataGoFault::Word {
                wanted: "the beginning of an array",
                found: mark.escape_ascii().to_string(),
            }));
        }
        let mut values = Vec::new();
        let mut portion = vec![0; PORTION.min(4 * count)];
        let mut left = 4 * count;
        while left > 0 {
            let bytes = &mut portion[..PORTION.min(left)];
            self.exactly(bytes)?;
            left -= bytes.len();
            let numbers = bytes.chunks_exact(4);
            values.extend(numbers.map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]])));
        }
        Ok(values)
    }

    fn exactly(&mut self, bytes: &mut [u8]) -> Result<()> {
        self.input
            .read_exact(bytes)
            .map_err(|error| self.unreadable(error))
    }

    /// The file must end here.
    pub(super) fn end(&mut self) -> Result<()> {
        self.begin("the end".to_owned());
        match self.skip_spaces()? {
            None => Ok(()),
            Some(_) => Err(self.error(KataGoFault::Long)),
        }
    }
}

/// Is it likely to be a network of KataGo, and no other kind? Looks at the beginning of a file alone.
pub(super) fn looks_like_one(file: &[u8]) -> bool {
    let mut begin = [0; 2 * LONGEST_WORD];
    let mut filled = 0;
    let mut input: Box<dyn Read> = match file.starts_with(&GZIP) {
        true => Box::new(MultiGzDecoder::new(file)),
        false => Box::new(file),
    };
    while let Ok(count @ 1..) = input.read(&mut begin[filled..]) {
        filled += count;
    }
    // A name, the version, and how many planes and numbers it looks at.
    let text = begin[..filled].split(u8::is_ascii_whitespace);
    let mut words = text.filter(|word| !word.is_empty());
    let is_name = words
        .next()
        .is_some_and(|name| name.iter().all(u8::is_ascii_graphic));
    let is_number = |word: &[u8]| !word.is_empty() && word.iter().all(u8::is_ascii_digit);
    is_name && (0..3).all(|_| words.next().is_some_and(is_number))
}
