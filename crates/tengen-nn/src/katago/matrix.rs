//! Matrices in the order in which the kernels read them.

use super::layer::MatrixLayer;
use super::memory::padded;
use crate::kernels::{Kernels, pack};

/// A matrix whose rows and columns are filled up with zeros.
#[derive(Debug)]
pub(super) struct Matrix {
    depth: usize,
    columns: usize,
    packed: Vec<f32>,
}

impl Matrix {
    pub(super) fn new(layer: &MatrixLayer) -> Self {
        Self::in_parts(&layer.weights, 1, layer.outputs)
    }

    /// Of pooled channels: three parts that are filled up on their own.
    pub(super) fn of_pooled(layer: &MatrixLayer) -> Self {
        Self::in_parts(&layer.weights, 3, layer.outputs)
    }

    /// Of inputs in so many equal parts.
    pub(super) fn in_parts(weights: &[f32], parts: usize, outputs: usize) -> Self {
        let inputs = weights.len() / outputs / parts;
        let (depth, columns) = (padded(inputs), padded(outputs));
        let mut all = vec![0.0; parts * depth * columns];
        for (number, row) in weights.chunks_exact(outputs).enumerate() {
            let place = number / inputs * depth + number % inputs;
            all[place * columns..][..outputs].copy_from_slice(row);
        }
        let mut packed = Vec::with_capacity(all.len());
        pack(&all, columns, &mut packed);
        Self {
            depth: parts * depth,
            columns,
            packed,
        }
    }

    /// How many numbers a row of its results has.
    pub(super) const fn columns(&self) -> usize {
        self.columns
    }

    /// Multiplies so many rows.
    pub(super) fn run(&self, kernels: Kernels, left: &[f32], out: &mut [f32], rows: usize) {
        kernels.multiply(left, &self.packed, out, rows, self.depth, self.columns);
    }

    /// Multiplies all rows.
    pub(super) fn of_rows(&self, kernels: Kernels, left: &[f32]) -> Vec<f32> {
        let rows = left.len() / self.depth;
        let mut out = vec![0.0; rows * self.columns];
        self.run(kernels, left, &mut out, rows);
        out
    }
}

/// Adds a row to every row.
pub(super) fn add_to_rows(rows: &mut [f32], row: &[f32]) {
    for own in rows.chunks_exact_mut(row.len()) {
        for (own, more) in own.iter_mut().zip(row) {
            *own += more;
        }
    }
}
