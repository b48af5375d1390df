//! A program that has just learned the rules, for the lowest levels to lose against.

use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use tengen_core::{Color, Game, Move, Point, PointSet};

/// Captures what it can, else saves a chain of its own that is in atari, else plays next to a stone; and passes when
/// nothing but its own eyes is left.
#[derive(Debug)]
pub(crate) struct Novice {
    random: Xoshiro256PlusPlus,
}

impl Novice {
    pub(crate) fn new(seed: u64) -> Self {
        Self {
            random: Xoshiro256PlusPlus::seed_from_u64(seed),
        }
    }

    pub(crate) fn choose(&mut self, game: &Game) -> Move {
        let board = game.board();
        let own = game.to_move();
        let mut sensible = PointSet::EMPTY;
        for point in game.legal_moves() {
            if !board.is_eye(point, own) {
                sensible.insert(point);
            }
        }
        let stones = *board.stones(Color::Black) | *board.stones(Color::White);
        // Two steps, so that it does not only push.
        let near = stones.neighbors() | stones.neighbors().neighbors();
        let captures = board.capturing(own) & sensible;
        let kinds = [
            captures,
            escapes(game) & sensible,
            near & sensible,
            sensible,
        ];
        let points = kinds.iter().find(|points| !points.is_empty());
        points.map_or(Move::Pass, |points| {
            let place = self.random.next_u32() as usize % points.len();
            Move::Play(points.nth(place).expect("the place is below the length"))
        })
    }
}

/// Where a chain in atari gets two liberties.
fn escapes(game: &Game) -> PointSet {
    let board = game.board();
    let own = game.to_move();
    let mut escapes = PointSet::EMPTY;
    for chain in board.chains().filter(|chain| chain.color == own) {
        let liberties: Vec<Point> = chain.liberties.iter().collect();
        if let [last] = liberties[..]
            && game.legal_moves().contains(last)
        {
            let mut after = board.clone();
            _ = after.play(last, own, game.rules().suicide);
            if after.last_liberty(last).is_none() {
                escapes.insert(last);
            }
        }
    }
    escapes
}
