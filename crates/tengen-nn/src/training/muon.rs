//! Steps of Muon (Jordan and others 2024): the mean gradient of a matrix, made orthogonal.
//!
//! A gradient has a few strong directions and many weak ones. Made orthogonal, it moves the weights as far in each of
//! them. Newton's and Schulz's iteration does that with matrix products alone.

use crate::architecture::Part;
use crate::kernels::{Kernels, pack};

/// The polynomial a·x + b·x³ + c·x⁵ takes singular values from (0, 1] to about 1 in a few iterations.
const COEFFICIENTS: [f32; 3] = [3.4445, -4.7750, 2.0315];

/// How often it is applied.
const ITERATIONS: usize = 5;

/// The root mean square of a step, as a multiple of the rate: about that of a step of Adam, so that one rate suits
/// both.
const STEP: f32 = 0.2;

/// Memory for the iteration.
#[derive(Debug, Default)]
pub(super) struct Muon {
    /// Transposed matrix times matrix.
    gram: Vec<f32>,
    square: Vec<f32>,
    packed: Vec<f32>,
    product: Vec<f32>,
}

impl Muon {
    /// Does this method move the weights of a part? Adam moves biases and the last layers.
    pub(super) fn moves(part: &Part) -> bool {
        part.is_in_trunk() && part.shape().len() > 1
    }

    /// Turns the mean gradient of a part into the step that its weights make at a rate of 1.
    pub(super) fn step(&mut self, kernels: Kernels, part: &Part, matrix: &mut [f32]) {
        let columns = part.columns();
        let rows = matrix.len() / columns;
        let squares: f64 = matrix.iter().map(|x| f64::from(x * x)).sum();
        let length = squares.sqrt() as f32 + 1e-12;
        matrix.iter_mut().for_each(|x| *x /= length);
        self.gram.resize(columns * columns, 0.0);
        self.square.resize(columns * columns, 0.0);
        self.product.resize(matrix.len(), 0.0);
        let [linear, cubic, quintic] = COEFFICIENTS;
        for _ in 0..ITERATIONS {
            kernels.multiply_transposed(matrix, matrix, &mut self.gram, rows, columns, columns);
            pack(&self.gram, columns, &mut self.packed);
            let (gram, square) = (&self.gram, &mut self.square);
            kernels.multiply(gram, &self.packed, square, columns, columns, columns);
            for (square, gram) in self.square.iter_mut().zip(&self.gram) {
                *square = quintic * *square + cubic * gram;
            }
            for place in 0..columns {
                self.square[place * columns + place] += linear;
            }
            pack(&self.square, columns, &mut self.packed);
            let product = &mut self.product;
            kernels.multiply(matrix, &self.packed, product, rows, columns, columns);
            matrix.copy_from_slice(&self.product);
        }
        let scale = STEP * (rows.max(columns) as f32).sqrt();
        matrix.iter_mut().for_each(|x| *x *= scale);
    }
}

#[cfg(test)]
mod tests {
    use super::{Muon, STEP};
    use crate::Architecture;
    use crate::kernels::Kernels;

    /// The singular values of steps are alike, whatever those of the gradients were: the iteration leaves them between
    /// 0.65 and 1.25.
    #[test]
    fn steps_are_nearly_orthogonal() {
        let architecture = Architecture {
            blocks: 1,
            channels: 16,
        };
        let parts = architecture.parts();
        let trunk: Vec<_> = parts.iter().filter(|part| Muon::moves(part)).collect();
        let names: Vec<_> = trunk.iter().map(|part| part.name()).collect();
        let expected = [
            "stem.weight",
            "blocks.0.first.weight",
            "blocks.0.first.pooled",
            "blocks.0.second.weight",
            "head.weight",
        ];
        assert_eq!(names, expected);
        for part in trunk
            .into_iter()
            .filter(|part| part.name() != "head.weight")
        {
            let columns = part.columns();
            let rows = part.range().len() / columns;
            // Columns of very different lengths that share a direction.
            let mut matrix: Vec<f32> = (0..rows * columns)
                .map(|place| {
                    let (row, column) = (place / columns, place % columns);
                    let own = ((row * 37 + column * 101 + row * column * 13) % 59) as f32 - 29.0;
                    (own + 10.0) * (1.0 + column as f32)
                })
                .collect();
            Muon::default().step(Kernels::detect(), part, &mut matrix);
            let scale = STEP * (rows as f32).sqrt();
            for column in 0..columns {
                let squares: f32 = matrix
                    .iter()
                    .skip(column)
                    .step_by(columns)
                    .map(|x| x * x)
                    .sum();
                let length = squares.sqrt() / scale;
                assert!((0.6..1.3).contains(&length), "{} {length}", part.name());
            }
            for (a, b) in (1..columns).map(|column| (column - 1, column)) {
                let column = |place: usize| matrix.iter().skip(place).step_by(columns);
                let product: f32 = column(a).zip(column(b)).map(|(a, b)| a * b).sum();
                let cosine = product / (scale * scale);
                assert!(cosine.abs() < 0.3, "{} {cosine}", part.name());
            }
        }
    }
}
