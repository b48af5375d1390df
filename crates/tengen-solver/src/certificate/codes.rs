//! Many numbers in little memory.

/// The numbers of entries: 8 bytes each where the board allows, 16 elsewhere.
#[derive(Clone, Debug)]
pub enum Codes {
    /// Numbers of small boards.
    Narrow(Vec<u64>),
    /// Numbers of boards of more than 33 points.
    Wide(Vec<u128>),
}

impl Codes {
    /// No numbers yet; those to come are below this limit.
    pub const fn below(limit: u128) -> Self {
        if limit <= 1 << 64 {
            Self::Narrow(Vec::new())
        } else {
            Self::Wide(Vec::new())
        }
    }

    /// How many there are.
    pub const fn len(&self) -> usize {
        match self {
            Self::Narrow(codes) => codes.len(),
            Self::Wide(codes) => codes.len(),
        }
    }

    /// Are there none?
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Adds a number, which must be below the limit.
    pub fn push(&mut self, code: u128) {
        match self {
            Self::Narrow(codes) => {
                debug_assert!(u64::try_from(code).is_ok(), "{code} is beyond the limit");
                codes.push(code as u64);
            }
            Self::Wide(codes) => codes.push(code),
        }
    }

    /// The number at this place.
    ///
    /// # Panics
    ///
    /// If there are fewer numbers.
    #[inline]
    pub fn get(&self, index: usize) -> u128 {
        match self {
            Self::Narrow(codes) => codes[index].into(),
            Self::Wide(codes) => codes[index],
        }
    }

    /// Puts the numbers in order, each once.
    pub fn sort(&mut self) {
        match self {
            Self::Narrow(codes) => {
                codes.sort_unstable();
                codes.dedup();
            }
            Self::Wide(codes) => {
                codes.sort_unstable();
                codes.dedup();
            }
        }
    }

    /// Where the first number that is not below this one stands, if the numbers are in order.
    #[inline]
    pub fn lower_bound(&self, code: u128) -> usize {
        match self {
            Self::Narrow(codes) => match u64::try_from(code) {
                Ok(code) => codes.partition_point(|other| *other < code),
                Err(_) => codes.len(),
            },
            Self::Wide(codes) => codes.partition_point(|other| *other < code),
        }
    }

    /// The numbers, one after the other.
    pub fn iter(&self) -> impl Iterator<Item = u128> {
        (0..self.len()).map(|index| self.get(index))
    }
}
