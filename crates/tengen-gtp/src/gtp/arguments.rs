//! The words behind a command.

use std::str::FromStr;
use std::time::Duration;

use tengen_core::{Color, Move, Point, Size};

use crate::gtp::failure::Failure;

/// The arguments of a command. Those that a command does not know of are ignored.
#[derive(Clone, Debug)]
pub(crate) struct Arguments<'a> {
    words: Vec<&'a str>,
    /// All of them, as they were written.
    pub(crate) text: &'a str,
}

impl<'a> Arguments<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        Self {
            words: text.split(' ').filter(|word| !word.is_empty()).collect(),
            text,
        }
    }

    pub(crate) fn words(&self) -> &[&'a str] {
        &self.words
    }

    pub(crate) fn len(&self) -> usize {
        self.words.len()
    }

    /// The word at a place, if there is one.
    pub(crate) fn get(&self, index: usize) -> Option<&'a str> {
        self.words.get(index).copied()
    }

    /// The word at a place, which must be there.
    pub(crate) fn word(&self, index: usize) -> Result<&'a str, Failure> {
        self.get(index).ok_or(Failure::Syntax)
    }

    pub(crate) fn color(&self, index: usize) -> Result<Color, Failure> {
        color(self.word(index)?)
    }

    /// The colour at the first place, or `None` if nothing is there.
    pub(crate) fn optional_color(&self) -> Result<Option<Color>, Failure> {
        self.get(0).map(color).transpose()
    }

    /// A vertex or a pass.
    pub(crate) fn action(&self, index: usize, size: Size) -> Result<Move, Failure> {
        action(self.word(index)?, size)
    }

    pub(crate) fn point(&self, index: usize, size: Size) -> Result<Point, Failure> {
        point(self.word(index)?, size)
    }

    pub(crate) fn number<N: FromStr>(&self, index: usize) -> Result<N, Failure> {
        self.word(index)?.parse().map_err(|_| Failure::Syntax)
    }

    /// A time in seconds, with or without a fraction.
    pub(crate) fn seconds(&self, index: usize) -> Result<Duration, Failure> {
        let seconds: f64 = self.number(index)?;
        Duration::try_from_secs_f64(seconds).map_err(|_| Failure::Syntax)
    }

    /// Pairs of two words each, such as a colour and a vertex.
    pub(crate) fn pairs(&self) -> Result<impl Iterator<Item = (&'a str, &'a str)>, Failure> {
        let (pairs, rest) = self.words.as_chunks::<2>();
        match rest {
            [] => Ok(pairs.iter().map(|&[first, second]| (first, second))),
            _ => Err(Failure::Syntax),
        }
    }
}

pub(crate) fn color(word: &str) -> Result<Color, Failure> {
    word.parse().map_err(|_| Failure::ColorOrCoordinate)
}

pub(crate) fn action(word: &str, size: Size) -> Result<Move, Failure> {
    Move::from_gtp(word, size).map_err(|_| Failure::ColorOrCoordinate)
}

pub(crate) fn point(word: &str, size: Size) -> Result<Point, Failure> {
    Point::from_gtp(word, size).map_err(|_| Failure::ColorOrCoordinate)
}
