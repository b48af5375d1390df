//! Reading records.

use std::fmt;
use std::io::{self, Read};

use super::GameRecord;
use super::bytes::{HEADER, MAGIC, MAX_BODY, VERSION};

/// Reads one record after another. After a fault nothing more comes.
#[derive(Debug)]
pub struct Records<R> {
    source: R,
    offset: u64,
    body: Vec<u8>,
    ended: bool,
}

impl<R: Read> Records<R> {
    /// Reads from a source that stands before a record. It is read in small pieces, so it should be buffered.
    pub const fn new(source: R) -> Self {
        Self::after(source, 0)
    }

    /// Reads from a source of which so many bytes were read already, which errors count.
    pub(crate) const fn after(source: R, offset: u64) -> Self {
        Self {
            source,
            offset,
            body: Vec::new(),
            ended: false,
        }
    }

    fn read(&mut self) -> Result<Option<GameRecord>, RecordProblem> {
        let mut header = [0; HEADER];
        match read_up_to(&mut self.source, &mut header)? {
            0 => return Ok(None),
            HEADER => {}
            // A foreign file is called that, however short it is.
            read if header[..read.min(3)] != MAGIC[..read.min(3)] => {
                return Err(RecordProblem::NoRecord);
            }
            _ => return Err(RecordProblem::Truncated),
        }
        let [m0, m1, m2, version, l0, l1, l2, l3, checksum @ ..] = header;
        if [m0, m1, m2] != MAGIC {
            return Err(RecordProblem::NoRecord);
        }
        if version != VERSION {
            return Err(RecordProblem::Version(version));
        }
        let length = u32::from_le_bytes([l0, l1, l2, l3]);
        if length > MAX_BODY {
            return Err(RecordProblem::Checksum);
        }
        // Memory is taken for what is there, not for what the header promises.
        self.body.clear();
        let mut source = (&mut self.source).take(u64::from(length));
        source.read_to_end(&mut self.body)?;
        if self.body.len() < length as usize {
            return Err(RecordProblem::Truncated);
        }
        if crc32fast::hash(&self.body) != u32::from_le_bytes(checksum) {
            return Err(RecordProblem::Checksum);
        }
        GameRecord::read_body(&self.body).map(Some)
    }
}

impl<R: Read> Iterator for Records<R> {
    type Item = Result<GameRecord, RecordError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return None;
        }
        let result = self.read();
        self.ended = !matches!(result, Ok(Some(_)));
        match result {
            Ok(record) => {
                self.offset += (HEADER + self.body.len()) as u64;
                record.map(Ok)
            }
            Err(problem) => Some(Err(RecordError {
                offset: self.offset,
                problem,
            })),
        }
    }
}

impl GameRecord {
    /// Reads what [`GameRecord::to_bytes`] wrote, and nothing after it.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, RecordError> {
        let error = |offset, problem| RecordError { offset, problem };
        let mut records = Records::new(bytes);
        let record = records
            .next()
            .unwrap_or_else(|| Err(error(0, RecordProblem::Truncated)))?;
        match records.source.is_empty() {
            true => Ok(record),
            false => Err(error(records.offset, RecordProblem::Content("length"))),
        }
    }
}

/// Fills the buffer as far as the source goes.
fn read_up_to(source: &mut impl Read, buffer: &mut [u8]) -> io::Result<usize> {
    let mut filled = 0;
    while filled < buffer.len() {
        match source.read(&mut buffer[filled..]) {
            Ok(0) => break,
            Ok(read) => filled += read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}

/// Why a record could not be read, and where it begins.
#[derive(Debug)]
pub struct RecordError {
    /// So many bytes before it are good.
    pub offset: u64,
    /// What was wrong.
    pub problem: RecordProblem,
}

/// What was wrong with a record.
#[derive(Debug)]
pub enum RecordProblem {
    /// The source ends in the middle of it.
    Truncated,
    /// Something else is there.
    NoRecord,
    /// It is of another version of the format.
    Version(u8),
    /// Its bytes are not those that were written.
    Checksum,
    /// Its checksum is right, but this part makes no sense.
    Content(&'static str),
    /// The source could not be read.
    Io(io::Error),
}

impl From<io::Error> for RecordProblem {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl fmt::Display for RecordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "byte {}: {}", self.offset, self.problem)
    }
}

impl fmt::Display for RecordProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Truncated => f.write_str("a record is cut off"),
            Self::NoRecord => f.write_str("this is not a record of a self-play game"),
            Self::Version(version) => write!(
                f,
                "a record of version {version} of the format, which is unknown"
            ),
            Self::Checksum => f.write_str("a record is damaged"),
            Self::Content(part) => write!(f, "a record whose {part} makes no sense"),
            Self::Io(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for RecordError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.problem {
            RecordProblem::Io(error) => Some(error),
            _ => None,
        }
    }
}
