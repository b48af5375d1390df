//! The weight of every feature.

use std::fmt::{self, Write};
use std::str::FromStr;

use super::features::{FEATURES, GROUPS};
use super::patterns::canonical;

/// The weights that priors are made of, one for every feature of a move: see `examples/learn_priors.rs`.
///
/// A line of their text is the name of a group and the weights of its features, or `shape`, the surroundings of a point
/// in hexadecimal, and their weight. Lines that begin with `#` are comments.
///
/// ```
/// use tengen_search::Weights;
/// let weights: Weights = "capture 1 1.5 2 2.5\nshape 0000 -0.3".parse()?;
/// assert!(weights.to_string().contains("shape 0000 -0.30"));
/// assert!("captures 1".parse::<Weights>().is_err());
/// # Ok::<(), tengen_search::WeightsError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Weights {
    /// Those of the features with names, then those of all surroundings, of which only the canonical ones are used.
    values: Box<[f32]>,
}

impl Weights {
    /// How many numbers features have.
    pub const FEATURES: usize = FEATURES + (1 << 16);

    /// No feature has any weight.
    pub fn none() -> Self {
        Self {
            values: vec![0.0; Self::FEATURES].into_boxed_slice(),
        }
    }

    /// The weights by the numbers of their features.
    #[inline]
    pub fn values(&self) -> &[f32] {
        &self.values
    }

    /// The weights by the numbers of their features, to be changed.
    pub fn values_mut(&mut self) -> &mut [f32] {
        &mut self.values
    }

    /// The weights that were fitted to searches of the engine's own games.
    pub(crate) fn fitted() -> Self {
        include_str!("weights.txt")
            .parse()
            .expect("the tests read them")
    }
}

/// The features of each group, as a range of numbers.
fn groups() -> impl Iterator<Item = (&'static str, std::ops::Range<usize>)> {
    let ends = GROUPS.iter().skip(1).map(|(_, next)| *next as usize);
    let ends = ends.chain([FEATURES]);
    GROUPS
        .iter()
        .zip(ends)
        .map(|((name, group), end)| (*name, *group as usize..end))
}

impl FromStr for Weights {
    type Err = WeightsError;

    fn from_str(text: &str) -> Result<Self, WeightsError> {
        let mut weights = Self::none();
        for (line, text) in text.lines().enumerate() {
            let error = WeightsError { line: line + 1 };
            let mut words = text.split_whitespace();
            let Some(name) = words.next().filter(|name| !name.starts_with('#')) else {
                continue;
            };
            let places = if name == "shape" {
                let code = words.next().ok_or(error)?;
                let code = u16::from_str_radix(code, 16).map_err(|_| error)?;
                let place = FEATURES + usize::from(canonical(code));
                place..place + 1
            } else {
                let (_, places) = groups().find(|(known, _)| *known == name).ok_or(error)?;
                places
            };
            for value in &mut weights.values[places] {
                *value = words
                    .next()
                    .and_then(|word| word.parse().ok())
                    .ok_or(error)?;
            }
            if words.next().is_some() {
                return Err(error);
            }
        }
        Ok(weights)
    }
}

impl fmt::Display for Weights {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, places) in groups() {
            f.write_str(name)?;
            for weight in &self.values[places] {
                write!(f, " {weight:.3}")?;
            }
            f.write_char('\n')?;
        }
        for (shape, weight) in self.values[FEATURES..].iter().enumerate() {
            if weight.abs() >= 0.005 {
                writeln!(f, "shape {shape:04x} {weight:.2}")?;
            }
        }
        Ok(())
    }
}

/// A line is neither a group with a weight for each of its features, nor a shape with its weight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WeightsError {
    /// The line, from 1.
    pub line: usize,
}

impl fmt::Display for WeightsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "line {}: expected `shape`, a code and a weight, or a group and its weights: ",
            self.line
        )?;
        for (place, (name, places)) in groups().enumerate() {
            let comma = if place > 0 { ", " } else { "" };
            write!(f, "{comma}{name} ({})", places.len())?;
        }
        Ok(())
    }
}

impl std::error::Error for WeightsError {}

#[cfg(test)]
mod tests {
    use super::{Weights, WeightsError};

    #[test]
    fn the_fitted_weights_survive_being_written() {
        let weights = Weights::fitted();
        assert_eq!(weights.to_string().parse(), Ok(weights));
    }

    #[test]
    fn a_wrong_line_is_named() {
        let error = |text: &str| text.parse::<Weights>();
        assert_eq!(error("# x\n\natari"), Err(WeightsError { line: 3 }));
        assert_eq!(error("atari 1 2"), Err(WeightsError { line: 1 }));
        assert_eq!(error("shape xyz 1"), Err(WeightsError { line: 1 }));
    }
}
