//! How another move for the prover is looked for.

/// How another move for the prover is looked for, the cheapest way first.
pub(super) const WAYS: [Way; 6] = [
    Way::new(0, Shunned::LeftOut),
    Way::new(1 << 12, Shunned::LeftOut),
    Way::new(1 << 16, Shunned::LeftOut),
    Way::new(0, Shunned::Allowed),
    Way::new(1 << 22, Shunned::Allowed),
    Way::new(u64::MAX, Shunned::Allowed),
];

/// How another move is found.
#[derive(Clone, Copy)]
pub(super) struct Way {
    /// How many situations are looked at for each move. If none, the table has to know that it wins.
    pub(super) patience: u64,
    pub(super) shunned: Shunned,
}

impl Way {
    const fn new(patience: u64, shunned: Shunned) -> Self {
        Self { patience, shunned }
    }
}

/// May a move be shunned?
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Shunned {
    LeftOut,
    Allowed,
}
