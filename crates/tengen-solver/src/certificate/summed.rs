//! Bytes that are counted and summed up on their way.

use std::io::{self, Read, Write};

use crc32fast::Hasher;

use super::{CertificateError, MAGIC, Problem};

/// Bytes that come in.
pub(super) struct SummedInput<R> {
    input: R,
    sum: Hasher,
    pub(super) offset: u64,
}

impl<R: Read> SummedInput<R> {
    /// Reads the mark with which every certificate begins.
    pub(super) fn after_magic(input: R) -> Result<Self, CertificateError> {
        let mut input = Self {
            input,
            sum: Hasher::new(),
            offset: 0,
        };
        let foreign = CertificateError {
            offset: 0,
            problem: Problem::NotACertificate,
        };
        match input.take() {
            Ok(MAGIC) => Ok(input),
            Ok(_) => Err(foreign),
            Err(error) if matches!(error.problem, Problem::Truncated) => Err(foreign),
            Err(error) => Err(error),
        }
    }

    pub(super) fn fill(&mut self, bytes: &mut [u8]) -> Result<(), CertificateError> {
        let mut filled = 0;
        while filled < bytes.len() {
            match self.input.read(&mut bytes[filled..]) {
                Ok(0) => return Err(at(self.offset, Problem::Truncated)),
                Ok(count) => {
                    self.sum.update(&bytes[filled..filled + count]);
                    filled += count;
                    self.offset += count as u64;
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(at(self.offset, Problem::Io(error))),
            }
        }
        Ok(())
    }

    pub(super) fn take<const N: usize>(&mut self) -> Result<[u8; N], CertificateError> {
        let mut bytes = [0; N];
        self.fill(&mut bytes)?;
        Ok(bytes)
    }

    /// Reads a checksum, which has to be that of everything before it.
    pub(super) fn check_sum(&mut self) -> Result<(), CertificateError> {
        let offset = self.offset;
        let sum = self.sum.clone().finalize();
        if u32::from_le_bytes(self.take()?) == sum {
            Ok(())
        } else {
            Err(at(offset, Problem::Checksum))
        }
    }

    /// Makes sure that nothing is left.
    pub(super) fn check_end(&mut self) -> Result<(), CertificateError> {
        let offset = self.offset;
        match self.take::<1>() {
            Ok(_) => Err(at(offset, Problem::Trailing)),
            Err(error) => match error.problem {
                Problem::Truncated => Ok(()),
                _ => Err(error),
            },
        }
    }
}

/// Bytes that go out.
pub(super) struct SummedOutput<W> {
    out: W,
    sum: Hasher,
    pub(super) bytes: u64,
}

impl<W: Write> SummedOutput<W> {
    pub(super) fn new(out: W) -> Self {
        Self {
            out,
            sum: Hasher::new(),
            bytes: 0,
        }
    }

    pub(super) fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }

    pub(super) fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.sum.update(bytes);
        self.bytes += bytes.len() as u64;
        self.out.write_all(bytes)
    }

    /// The checksum of everything before it.
    pub(super) fn put_sum(&mut self) -> io::Result<()> {
        let sum = self.sum.clone().finalize();
        self.put(&sum.to_le_bytes())
    }
}

pub(super) const fn at(offset: u64, problem: Problem) -> CertificateError {
    CertificateError { offset, problem }
}
