//! What a solver knows, in a file: the bounds that are proven, and what of its table is worth keeping.

use std::io::{self, Read, Write};

use tengen_core::Setup;

use crate::interval::{Enclosure, Interval};
use crate::solver::Solver;

const MAGIC: &[u8; 8] = b"TengenSv";
const VERSION: u8 = 1;

/// Why a checkpoint was not taken over.
#[derive(Debug, thiserror::Error)]
pub enum CheckpointError {
    /// The file is not a checkpoint, or of another version.
    #[error("not a checkpoint of this version of the solver")]
    NotACheckpoint,
    /// The checkpoint is about another position.
    #[error("the checkpoint is about another position")]
    OtherPosition,
    /// The file ends too early or its checksum is wrong.
    #[error("the checkpoint is damaged")]
    Damaged,
    /// The file cannot be read.
    #[error("{0}")]
    Io(io::Error),
}

impl From<io::Error> for CheckpointError {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::UnexpectedEof => Self::Damaged,
            _ => Self::Io(error),
        }
    }
}

impl Solver {
    /// Writes down all that is worth keeping.
    pub fn save(&self, out: impl Write) -> io::Result<()> {
        let mut out = Summed {
            inner: io::BufWriter::new(out),
            sum: crc32fast::Hasher::new(),
        };
        let header = self.header();
        out.write_all(MAGIC)?;
        out.write_all(&[VERSION])?;
        out.write_all(&(header.len() as u32).to_le_bytes())?;
        out.write_all(header.as_bytes())?;
        let Interval { lower, upper } = self.interval();
        out.write_all(&lower.to_le_bytes())?;
        out.write_all(&upper.to_le_bytes())?;
        out.write_all(&self.nodes().to_le_bytes())?;
        for (key, data) in self.shared.table.records() {
            out.write_all(&data.to_le_bytes())?;
            out.write_all(&key.to_le_bytes())?;
        }
        // No entry has data 0, so that it marks the end.
        out.write_all(&[0; 4])?;
        let sum = out.sum.clone().finalize();
        out.write_all(&sum.to_le_bytes())?;
        out.inner.flush()
    }

    /// Takes over what was written down about the same position.
    ///
    /// Entries are taken in as they are read: a damaged file may have told untruths, so the caller drops the solver
    /// then.
    pub fn restore(&mut self, input: impl Read) -> Result<(), CheckpointError> {
        let mut input = Summed {
            inner: io::BufReader::new(input),
            sum: crc32fast::Hasher::new(),
        };
        let start: [u8; 9] = input.take()?;
        if start[..8] != MAGIC[..] || start[8] != VERSION {
            return Err(CheckpointError::NotACheckpoint);
        }
        let expected = self.header();
        let len = u32::from_le_bytes(input.take()?);
        if len as usize != expected.len() {
            return Err(CheckpointError::OtherPosition);
        }
        let mut header = vec![0; expected.len()];
        input.fill(&mut header)?;
        if header != expected.as_bytes() {
            return Err(CheckpointError::OtherPosition);
        }
        let interval = Interval {
            lower: i32::from_le_bytes(input.take()?),
            upper: i32::from_le_bytes(input.take()?),
        };
        let nodes = u64::from_le_bytes(input.take()?);
        loop {
            let data = u32::from_le_bytes(input.take()?);
            if data == 0 {
                break;
            }
            let key = u64::from_le_bytes(input.take()?);
            self.shared.table.restore(key, data);
        }
        let sum = input.sum.clone().finalize();
        if u32::from_le_bytes(input.take()?) != sum {
            return Err(CheckpointError::Damaged);
        }
        self.learn(Enclosure::of(interval));
        self.shared
            .nodes
            .fetch_add(nodes, std::sync::atomic::Ordering::Relaxed);
        Ok(())
    }

    /// The position as a text that no other position has.
    fn header(&self) -> String {
        let setup: &Setup = self.setup();
        let passed = if self.passed() { "after a pass" } else { "" };
        format!("{setup}{passed}")
    }
}

/// Bytes that go through are summed up.
struct Summed<T> {
    inner: T,
    sum: crc32fast::Hasher,
}

impl<W: Write> Summed<W> {
    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.sum.update(bytes);
        self.inner.write_all(bytes)
    }
}

impl<R: Read> Summed<R> {
    fn take<const N: usize>(&mut self) -> io::Result<[u8; N]> {
        let mut bytes = [0; N];
        self.fill(&mut bytes)?;
        Ok(bytes)
    }

    fn fill(&mut self, bytes: &mut [u8]) -> io::Result<()> {
        self.inner.read_exact(bytes)?;
        self.sum.update(bytes);
        Ok(())
    }
}
