//! Random numbers that a seed decides.

/// Random numbers that a seed and a name decide: each actor of a soak has its own.
#[derive(Clone)]
pub(super) struct Dice(u64);

impl Dice {
    pub(super) fn new(seed: u64, actor: &str) -> Self {
        // FNV-1a over the name, so that actors with the same seed do different things.
        let mut state = 0xcbf2_9ce4_8422_2325 ^ seed;
        for byte in actor.bytes() {
            state = (state ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
        Self(state)
    }

    /// SplitMix64.
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below this one, which is not 0.
    pub(super) fn below(&mut self, end: u64) -> u64 {
        self.next() % end
    }

    pub(super) fn between(&mut self, first: u64, last: u64) -> u64 {
        first + self.below(last - first + 1)
    }

    pub(super) fn percent(&mut self, chance: u64) -> bool {
        self.below(100) < chance
    }

    pub(super) fn pick<'a, T>(&mut self, things: &'a [T]) -> &'a T {
        &things[self.below(things.len() as u64) as usize]
    }

    /// A point as GTP writes it, now and then beyond the board.
    pub(super) fn point(&mut self, size: u64) -> String {
        let column = self.below(size) as u8;
        let letter = char::from(b'A' + column + u8::from(column >= 8));
        let beyond = u64::from(self.percent(2));
        let row = self.between(1, size + beyond);
        format!("{letter}{row}")
    }

    /// Bytes without a meaning.
    pub(super) fn noise(&mut self, most: u64) -> Vec<u8> {
        (0..self.below(most)).map(|_| self.next() as u8).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::Dice;

    #[test]
    fn a_seed_and_a_name_decide() {
        let throws = |seed, name| {
            let mut dice = Dice::new(seed, name);
            (0..20).map(|_| dice.below(1000)).collect::<Vec<_>>()
        };
        assert_eq!(throws(1, "player 1"), throws(1, "player 1"));
        assert_ne!(throws(1, "player 1"), throws(2, "player 1"));
        assert_ne!(throws(1, "player 1"), throws(1, "player 2"));
    }

    #[test]
    fn points_are_written_without_the_letter_i() {
        let mut dice = Dice::new(7, "points");
        for _ in 0..2000 {
            let point = dice.point(9);
            assert!(!point.starts_with('I'), "{point}");
            let row: u64 = point[1..].parse().unwrap();
            assert!((1..=10).contains(&row), "{point}");
        }
    }
}
