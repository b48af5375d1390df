//! Numbers in memory that begin where a line of the cache does: a long vector that lies across two lines takes twice
//! the time.
#![expect(
    unsafe_code,
    reason = "the numbers of whole lines are seen as one slice"
)]

use std::ops::{Deref, DerefMut};

use super::COLUMNS;

/// A line of the cache.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
struct Line([f32; COLUMNS]);

/// A slice of numbers with a place of its own.
#[derive(Clone, Debug, Default)]
pub(crate) struct Buffer {
    lines: Vec<Line>,
    len: usize,
}

impl Buffer {
    /// So many zeros.
    pub(crate) fn zeros(len: usize) -> Self {
        let mut buffer = Self::default();
        buffer.fit(len);
        buffer
    }

    /// Makes room for exactly so many numbers. What they are is not said: zeros where memory is new, or what was there
    /// before.
    pub(crate) fn fit(&mut self, len: usize) {
        self.lines
            .resize(len.div_ceil(COLUMNS), Line([0.0; COLUMNS]));
        self.len = len;
    }

    /// Makes room for exactly so many numbers, all of them 0.
    pub(crate) fn reset(&mut self, len: usize) {
        self.lines.clear();
        self.fit(len);
    }
}

impl Deref for Buffer {
    type Target = [f32];

    fn deref(&self) -> &[f32] {
        // SAFETY: lines are arrays of numbers without anything between, and there are enough for `len` numbers.
        unsafe { std::slice::from_raw_parts(self.lines.as_ptr().cast(), self.len) }
    }
}

impl DerefMut for Buffer {
    fn deref_mut(&mut self) -> &mut [f32] {
        // SAFETY: as above, and nobody else sees them.
        unsafe { std::slice::from_raw_parts_mut(self.lines.as_mut_ptr().cast(), self.len) }
    }
}

impl From<&[f32]> for Buffer {
    fn from(values: &[f32]) -> Self {
        let mut buffer = Self::zeros(values.len());
        buffer.copy_from_slice(values);
        buffer
    }
}
