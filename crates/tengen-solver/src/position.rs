//! Situations of the game without history: stones, who moves, the simple-ko point, whether the last move was a pass.

use tengen_core::{Color, Setup};

use crate::geometry::{FORMS, Geometry, PASS, cells};

/// A situation, with the keys of all its forms kept up to date.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Position {
    /// Black's and White's stones.
    pub(crate) stones: [u64; 2],
    /// For each colour and form: the sum of the powers of three of its stones.
    sums: [[u64; FORMS]; 2],
    /// The point where simple ko forbids the next stone, as a set.
    pub(crate) ko: u64,
    /// Whose turn it is: 0 for Black, 1 for White.
    pub(crate) turn: u8,
    /// Was the last move a pass?
    pub(crate) passed: bool,
}

/// A situation up to symmetry and colours, and how it was brought into that form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Key {
    /// An exact number: two situations have it in common only if one is the other turned, mirrored or colour-swapped.
    pub(crate) number: u64,
    /// The form that has it.
    pub(crate) form: u8,
}

impl Position {
    /// A situation out of its parts.
    pub(crate) fn new(
        geometry: &Geometry,
        stones: [u64; 2],
        turn: u8,
        ko: u64,
        passed: bool,
    ) -> Self {
        let sums = stones.map(|set| {
            cells(set).fold([0; FORMS], |mut sums, cell| {
                for (sum, power) in sums.iter_mut().zip(geometry.powers[usize::from(cell)]) {
                    *sum += power;
                }
                sums
            })
        });
        Self {
            stones,
            sums,
            ko,
            turn,
            passed,
        }
    }

    /// The situation that a setup describes, with no pass before it.
    pub(crate) fn of(geometry: &Geometry, setup: &Setup) -> Self {
        let ko = setup.ko.map_or(0, |point| 1 << geometry.cell_of(point));
        Self::new(
            geometry,
            geometry.stones(setup),
            turn_of(setup.to_move),
            ko,
            false,
        )
    }

    /// A situation whose key has this number, with this player to move.
    pub(crate) fn numbered(geometry: &Geometry, number: u64, turn: u8) -> Self {
        let states = geometry.area as u64 + 2;
        let state = number % states;
        let mut digits = number / states;
        let mut stones = [0; 2];
        for place in 0..geometry.area as u8 {
            let colour = (digits % 3) as u8;
            digits /= 3;
            if colour != 0 {
                stones[usize::from(turn ^ (colour - 1))] |= 1 << geometry.unplace(0, place);
            }
        }
        let ko = match state {
            0 | 1 => 0,
            _ => 1 << geometry.unplace(0, (state - 2) as u8),
        };
        Self::new(geometry, stones, turn, ko, state == 1)
    }

    /// The same stones with Black to move, and nothing else.
    pub(crate) const fn board(&self) -> Self {
        Self {
            turn: 0,
            ..self.without_ko_and_pass()
        }
    }

    /// The same stones with the same player to move, and nothing else.
    pub(crate) const fn without_ko_and_pass(&self) -> Self {
        Self {
            ko: 0,
            passed: false,
            ..*self
        }
    }

    /// Is it the same situation?
    pub(crate) fn is(&self, other: &Self) -> bool {
        let parts = |at: &Self| (at.stones, at.turn, at.ko, at.passed);
        parts(self) == parts(other)
    }

    /// The player to move.
    pub(crate) const fn mover(&self) -> Color {
        if self.turn == 0 {
            Color::Black
        } else {
            Color::White
        }
    }

    /// The points without a stone.
    #[inline]
    pub(crate) const fn empty(&self, geometry: &Geometry) -> u64 {
        geometry.mask & !(self.stones[0] | self.stones[1])
    }

    /// The key of the situation.
    pub(crate) fn key(&self, geometry: &Geometry) -> Key {
        let own = &self.sums[usize::from(self.turn)];
        let other = &self.sums[usize::from(self.turn ^ 1)];
        let states = geometry.area as u64 + 2;
        let mut numbers = [0; FORMS];
        for form in 0..FORMS {
            numbers[form] = (own[form] + 2 * other[form]) * states;
        }
        if self.passed {
            numbers.iter_mut().for_each(|number| *number += 1);
        } else if self.ko != 0 {
            let cell = self.ko.trailing_zeros() as u8;
            for (form, number) in numbers.iter_mut().enumerate() {
                *number += 2 + u64::from(geometry.place(form, cell));
            }
        }
        let mut best = Key {
            number: numbers[0],
            form: 0,
        };
        for (form, &number) in numbers.iter().enumerate().skip(1) {
            if number < best.number {
                best = Key {
                    number,
                    form: form as u8,
                };
            }
        }
        best
    }

    /// The key without symmetry: that of the first form.
    pub(crate) fn upright_key(&self, geometry: &Geometry) -> Key {
        let sums = |turn: u8| self.sums[usize::from(turn)][0];
        let state = match self.ko {
            _ if self.passed => 1,
            0 => 0,
            ko => 2 + u64::from(geometry.place(0, ko.trailing_zeros() as u8)),
        };
        Key {
            number: (sums(self.turn) + 2 * sums(self.turn ^ 1)) * (geometry.area as u64 + 2)
                + state,
            form: 0,
        }
    }

    /// The moves that are legal without history, passes aside.
    pub(crate) fn moves(&self, geometry: &Geometry) -> Moves {
        let own = self.stones[usize::from(self.turn)];
        let other = self.stones[usize::from(self.turn ^ 1)];
        let empty = self.empty(geometry);
        let mut moves = Moves {
            legal: empty & geometry.beside(empty),
            capturing: 0,
            chains: [0; 18],
            count: 0,
        };
        let mut left = other;
        while left != 0 {
            let chain = geometry.flood(left & left.wrapping_neg(), left);
            left &= !chain;
            let liberties = geometry.beside(chain) & empty;
            if liberties & liberties.wrapping_sub(1) == 0 {
                moves.capturing |= liberties;
                moves.chains[moves.count] = chain;
                moves.count += 1;
            }
        }
        moves.legal |= moves.capturing;
        // What is left are points without an empty neighbour: they need an own chain with a second liberty.
        let tight = empty & !moves.legal;
        if tight != 0 {
            let mut left = geometry.flood(geometry.beside(tight) & own, own);
            while left != 0 {
                let chain = geometry.flood(left & left.wrapping_neg(), left);
                left &= !chain;
                let liberties = geometry.beside(chain) & empty;
                if liberties & liberties.wrapping_sub(1) != 0 {
                    moves.legal |= liberties;
                }
            }
        }
        moves.legal &= !self.ko;
        moves
    }

    /// The situation after a legal stone.
    pub(crate) fn play(&self, geometry: &Geometry, moves: &Moves, cell: u8) -> Self {
        let me = usize::from(self.turn);
        let stone = 1_u64 << cell;
        let mut next = *self;
        next.turn ^= 1;
        next.passed = false;
        next.ko = 0;
        next.stones[me] |= stone;
        for (sum, power) in next.sums[me]
            .iter_mut()
            .zip(geometry.powers[usize::from(cell)])
        {
            *sum += power;
        }
        if moves.capturing & stone != 0 {
            let beside = geometry.beside(stone);
            let captured = moves.chains[..moves.count]
                .iter()
                // A chain with one liberty that touches an empty point has its liberty there.
                .filter(|chain| *chain & beside != 0)
                .fold(0, |all, chain| all | chain);
            next.stones[me ^ 1] &= !captured;
            for taken in cells(captured) {
                for (sum, power) in next.sums[me ^ 1]
                    .iter_mut()
                    .zip(geometry.powers[usize::from(taken)])
                {
                    *sum -= power;
                }
            }
            // A single stone took a single stone and could be taken back at once.
            if captured & captured.wrapping_sub(1) == 0
                && beside & next.stones[me] == 0
                && beside & !next.stones[me ^ 1] == captured
            {
                next.ko = captured;
            }
        }
        next
    }

    /// The situation after a pass.
    #[inline]
    pub(crate) const fn pass(&self) -> Self {
        let mut next = *self;
        next.turn ^= 1;
        next.passed = true;
        next.ko = 0;
        next
    }

    /// The situation after a legal move, stone or pass.
    pub(crate) fn after(&self, geometry: &Geometry, cell: u8) -> Self {
        match cell {
            PASS => self.pass(),
            _ => self.play(geometry, &self.moves(geometry), cell),
        }
    }

    /// Black's points minus White's, by area.
    pub(crate) fn margin(&self, geometry: &Geometry) -> i32 {
        let empty = self.empty(geometry);
        let reached = self
            .stones
            .map(|set| geometry.flood(geometry.beside(set), empty));
        let points =
            |me: usize| (self.stones[me] | reached[me] & !reached[me ^ 1]).count_ones() as i32;
        points(0) - points(1)
    }
}

/// The legal stones of a situation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Moves {
    /// Where a stone may be put.
    pub(crate) legal: u64,
    /// Where a stone takes enemy stones.
    pub(crate) capturing: u64,
    /// The enemy chains with a single liberty.
    chains: [u64; 18],
    count: usize,
}

/// The number of a colour.
pub(crate) const fn turn_of(color: Color) -> u8 {
    match color {
        Color::Black => 0,
        Color::White => 1,
    }
}

#[cfg(test)]
mod tests {
    use rand_core::{Rng, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;
    use tengen_core::{Board, Game, Ko, Move, Rules, Size, Suicide};

    use super::*;
    use crate::life;

    const RULES: Rules = Rules {
        ko: Ko::Simple,
        suicide: Suicide::Forbidden,
        ..Rules::TROMP_TAYLOR
    };

    fn random_games(
        sizes: &[&str],
        games: usize,
        mut check: impl FnMut(&Geometry, &Game, &Position),
    ) {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(8);
        for size in sizes {
            let size: Size = size.parse().unwrap();
            let geometry = Geometry::new(size).unwrap();
            for _ in 0..games {
                let mut game = Game::new(size, RULES);
                let mut position = Position::of(&geometry, &Setup::empty(size));
                for _ in 0..4 * size.area() {
                    check(&geometry, &game, &position);
                    let legal = game.legal_moves();
                    let action = match legal.len() {
                        0 => Move::Pass,
                        // A pass now and then, but never two.
                        _ if !position.passed && random.next_u32() % 16 == 0 => Move::Pass,
                        count => Move::Play(legal.nth(random.next_u32() as usize % count).unwrap()),
                    };
                    game.play(action).unwrap();
                    if game.is_over() {
                        break;
                    }
                    position = position.after(&geometry, geometry.cell_of_move(action));
                }
            }
        }
    }

    const SIZES: [&str; 8] = ["1x2", "1x7", "2x2", "4x2", "3x3", "3x5", "5x5", "6x6"];

    #[test]
    fn plays_as_the_rules_say() {
        random_games(&SIZES, 40, |geometry, game, position| {
            let setup = Setup::of(game.board(), game.to_move());
            assert_eq!(position.stones, geometry.stones(&setup));
            assert_eq!(position.mover(), game.to_move());
            let ko = setup.ko.map_or(0, |point| 1 << geometry.cell_of(point));
            assert_eq!(position.ko, ko, "{setup}");
            let legal = game.legal_moves().iter();
            let legal = legal.fold(0, |set, point| set | 1 << geometry.cell_of(point));
            let moves = position.moves(geometry);
            assert_eq!(moves.legal, legal, "{setup}");
            let capturing = game.board().capturing(game.to_move()).iter();
            let capturing = capturing.fold(0, |set, point| set | 1 << geometry.cell_of(point));
            assert_eq!(moves.capturing, capturing, "{setup}");
            let margin = game.score().stones.black + game.score().territory.black;
            let white = game.score().stones.white + game.score().territory.white;
            assert_eq!(
                position.margin(geometry),
                margin as i32 - white as i32,
                "{setup}"
            );
            let again = Position::new(
                geometry,
                position.stones,
                position.turn,
                position.ko,
                position.passed,
            );
            let key = position.key(geometry);
            assert_eq!(again.key(geometry), key);
            let numbered = Position::numbered(geometry, key.number, position.turn);
            assert_eq!(numbered.key(geometry).number, key.number);
        });
    }

    #[test]
    fn one_key_for_what_is_the_same_and_many_for_what_is_not() {
        let mut seen = std::collections::HashMap::new();
        random_games(&["3x3", "3x4", "4x4"], 60, |geometry, game, position| {
            let setup = Setup::of(game.board(), game.to_move());
            let canonical = setup.canonical().setup;
            let key = position.key(geometry).number;
            let known = seen
                .entry((setup.size, key))
                .or_insert((canonical, position.passed));
            assert_eq!(*known, (canonical, position.passed), "{setup}");
        });
        // The other way round: equal situations have equal keys, so there are as many keys as situations.
        let situations: std::collections::HashSet<_> = seen.values().collect();
        assert_eq!(situations.len(), seen.len());
    }

    /// The bound of certificates, on the sets of the rules engine, for regions without inner points.
    fn alive_for_certain(board: &Board, color: Color) -> (u64, u64) {
        let geometry = Geometry::new(board.size()).unwrap();
        let alive = board.pass_alive(color, Suicide::Allowed);
        let bits = |set: &tengen_core::PointSet| {
            set.iter()
                .fold(0, |set, point| set | 1_u64 << geometry.cell_of(point))
        };
        (bits(&alive.stones), bits(&alive.territory))
    }

    #[test]
    fn life_is_that_of_the_checker_and_holds_what_the_rules_engine_finds() {
        let mut alive = 0;
        random_games(
            &["1x7", "2x4", "3x3", "3x4", "4x4", "5x5"],
            120,
            |geometry, game, position| {
                for color in Color::BOTH {
                    let me = usize::from(turn_of(color));
                    let (stones, territory) = alive_for_certain(game.board(), color);
                    let least = (stones | territory).count_ones();
                    for (owner_moves, mover) in [
                        (true, crate::verify::Mover::Prover),
                        (false, crate::verify::Mover::Opponent),
                    ] {
                        let owned = life::owned(
                            geometry,
                            position.stones[me],
                            position.stones[me ^ 1],
                            owner_moves,
                            1,
                        );
                        assert!(owned >= least, "{}", game.board());
                        let numbers = |set: &tengen_core::PointSet| {
                            let width = game.size().width();
                            set.iter().fold(0, |bits, point| {
                                bits | 1_u64 << (point.y() * width + point.x())
                            })
                        };
                        let [own, enemy] =
                            [color, !color].map(|color| numbers(game.board().stones(color)));
                        let checked = crate::verify::guaranteed(game.size(), own, enemy, mover);
                        assert_eq!(owned, checked, "{color} {owner_moves}\n{}", game.board());
                        alive += usize::from(owned > 0);
                        for needed in 1..=geometry.area as u32 {
                            let answer = life::owned(
                                geometry,
                                position.stones[me],
                                position.stones[me ^ 1],
                                owner_moves,
                                needed,
                            );
                            assert_eq!(answer, if owned >= needed { owned } else { 0 });
                        }
                    }
                }
            },
        );
        assert!(alive > 1000, "{alive} positions with life");
    }
}
