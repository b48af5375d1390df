//! What the search does to be fast, and can do without.

/// Techniques that can be switched off, to measure what each of them is worth. None of them changes what is true.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a switch of its own, and every combination makes sense"
)]
pub struct Techniques {
    /// Remember what was found.
    pub table: bool,
    /// Treat turned, mirrored and colour-swapped situations as one.
    pub symmetry: bool,
    /// Bound the score by what is alive for certain.
    pub life: bool,
    /// Look all moves up in the table before one is searched.
    pub lookahead: bool,
    /// Try first what decided in similar places.
    pub ordering: bool,
    /// Let the prover try few moves, and spend less depth on those that promise less.
    pub narrow: bool,
}

impl Techniques {
    /// All of them.
    pub const ALL: Self = Self {
        table: true,
        symmetry: true,
        life: true,
        lookahead: true,
        ordering: true,
        narrow: true,
    };
}

impl Default for Techniques {
    fn default() -> Self {
        Self::ALL
    }
}
