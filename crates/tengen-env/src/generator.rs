//! The random numbers of one game.

/// SplitMix64: its whole state is one number, which a batch keeps for each of its games and writes into snapshots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Generator(pub(crate) u64);

impl Generator {
    /// The generator of the game with this index in a batch with this seed.
    pub(crate) fn of_game(seed: u64, index: usize) -> Self {
        // One step of another generator in between keeps neighbouring seeds and neighbouring games apart.
        Self(Self(seed).next() ^ Self(!(index as u64)).next())
    }

    #[inline]
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// Two numbers below `bound`, all equally likely up to one part in 2³² / `bound`.
    #[inline]
    pub(crate) fn two_below(&mut self, bound: usize) -> [usize; 2] {
        let drawn = self.next();
        [drawn >> 32, drawn & 0xffff_ffff].map(|half| ((half * bound as u64) >> 32) as usize)
    }
}
