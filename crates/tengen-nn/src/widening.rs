//! Larger networks that begin with what a smaller one knows.

use crate::architecture::{Architecture, ArchitectureError, POOLINGS, Part};
use crate::net::Net;

impl Net {
    /// A network of another size that says the same as this one, and can learn more: new channels are seen by nobody at
    /// first, and new blocks add nothing. What they begin with is drawn from the seed.
    ///
    /// A size with fewer blocks or channels is refused, since something would be lost.
    pub fn widened(
        &self,
        architecture: Architecture,
        seed: u64,
    ) -> Result<Self, ArchitectureError> {
        let random = Self::random(architecture, seed)?;
        let own = self.architecture();
        if architecture.blocks < own.blocks || architecture.channels < own.channels {
            return Err(ArchitectureError(architecture));
        }
        let mut weights = random.weights().to_vec();
        for (part, _) in random.parts() {
            let new = &mut weights[part.range()];
            match self.parts().find(|(known, _)| known.name() == part.name()) {
                Some((known, values)) => take_over(known, values, part, new),
                // The last convolution of a block that the smaller network has not: it adds nothing.
                None if part.name().contains(".second.") => new.fill(0.0),
                None => {}
            }
        }
        Ok(Self::new(architecture, weights))
    }
}

/// Writes a matrix into a larger one. Its own outputs do not depend on inputs that it did not have.
fn take_over(known: &Part, values: &[f32], part: &Part, new: &mut [f32]) {
    // The inputs of a convolution come once for each of its taps, those of pooled channels once for each kind of
    // pooling.
    let groups = match part.is_convolution() {
        true => 9,
        false if part.name().ends_with(".pooled") => POOLINGS,
        false => 1,
    };
    let (known_columns, columns) = (known.columns(), part.columns());
    let known_rows = values.len() / known_columns / groups;
    let rows = new.len() / columns / groups;
    for group in 0..groups {
        for row in 0..rows {
            let to = &mut new[(group * rows + row) * columns..][..known_columns];
            if row < known_rows {
                to.copy_from_slice(
                    &values[(group * known_rows + row) * known_columns..][..known_columns],
                );
            } else {
                to.fill(0.0);
            }
        }
    }
}
