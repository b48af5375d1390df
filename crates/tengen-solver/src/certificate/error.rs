//! Why a file is no certificate.

use std::fmt;
use std::io;

use super::{ClaimError, local::LocalClaimError};

/// What is wrong with a file, and at which of its bytes.
#[derive(Debug)]
pub struct CertificateError {
    /// The place in the file, in bytes from its beginning.
    pub offset: u64,
    /// What is wrong there.
    pub problem: Problem,
}

/// What can be wrong with the bytes of a certificate.
#[derive(Debug)]
pub enum Problem {
    /// The file does not begin as certificates do.
    NotACertificate,
    /// The file is of another version of the format.
    Version(u8),
    /// The claim is of another kind than what is read.
    Kind(u8),
    /// The file ends before it is complete.
    Truncated,
    /// A checksum does not fit the bytes before it.
    Checksum,
    /// This field of the header has a value that means nothing.
    Field(&'static str),
    /// Nothing can be claimed so.
    Claim(ClaimError),
    /// Nothing can be claimed so about a part of a board.
    LocalClaim(LocalClaimError),
    /// A block says that it has no entries, or more than a block may have.
    BlockEntries(u32),
    /// A block says that its entries take fewer or more bytes than so many entries can.
    BlockBytes(u32),
    /// There are more entries than the header says, or fewer.
    EntryCount {
        /// What the header says.
        claimed: u64,
        /// How many there are up to here.
        found: u64,
    },
    /// A number is longer than it may be, or not written in the shortest way.
    Number,
    /// An entry's number is beyond those of the board.
    Range,
    /// There are two entries for one situation.
    Twice,
    /// A block has bytes after its last entry.
    BlockRest,
    /// There are bytes after the end.
    Trailing,
    /// The file cannot be read.
    Io(io::Error),
}

impl fmt::Display for CertificateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "byte {}: {}", self.offset, self.problem)
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotACertificate => f.write_str("this is not a certificate"),
            Self::Version(version) => {
                write!(f, "version {version} of the format is not known")
            }
            Self::Kind(kind) => write!(f, "claims of kind {kind} are not what is read here"),
            Self::Truncated => f.write_str("the file ends too early"),
            Self::Checksum => f.write_str("the checksum does not fit the bytes before it"),
            Self::Field(name) => write!(f, "the value of {name} means nothing"),
            Self::Claim(error) => error.fmt(f),
            Self::LocalClaim(error) => error.fmt(f),
            Self::BlockEntries(entries) => write!(f, "a block cannot have {entries} entries"),
            Self::BlockBytes(bytes) => write!(f, "its entries cannot take {bytes} bytes"),
            Self::EntryCount { claimed, found } => write!(
                f,
                "the header says {claimed} entries, and there are {found} up to here"
            ),
            Self::Number => f.write_str("a number is too long"),
            Self::Range => f.write_str("an entry is beyond the situations of this board"),
            Self::Twice => f.write_str("a second entry for the same situation"),
            Self::BlockRest => f.write_str("bytes after the last entry of a block"),
            Self::Trailing => f.write_str("bytes after the end"),
            Self::Io(error) => write!(f, "cannot read on: {error}"),
        }
    }
}

impl std::error::Error for CertificateError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.problem {
            Problem::Claim(error) => Some(error),
            Problem::LocalClaim(error) => Some(error),
            Problem::Io(error) => Some(error),
            _ => None,
        }
    }
}
