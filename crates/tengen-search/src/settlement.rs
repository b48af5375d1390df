//! Which stones are dead, and which are in seki.

use tengen_core::{Chain, Color, Game, PointMap, PointSet, Settlement};

use crate::aim::Aim;
use crate::analysis::Analysis;
use crate::engine::{Engine, Task};
use crate::limits::{Limits, Stop};
use crate::thinking::Thinking;

/// How much a point must belong to somebody before it counts as decided.
const DECIDED: f32 = 0.85;

/// How little the owner of a point must vary for it to be nobody's for good.
const CALM: f32 = 0.6;

/// The visits of each of the two searches that settle a board.
const VISITS: u32 = 1000;

/// Who moves first in a search that settles a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum First {
    /// The player whose turn it is.
    ToMove,
    /// The other one.
    Other,
}

impl Engine {
    /// Which stones are dead and which are in seki, if the game ended here.
    ///
    /// What is alive or dead whatever happens is proven; the rest is as it comes out of two searches, in which either
    /// player moves first.
    pub fn settle(&mut self, game: &Game, stop: &Stop) -> Settlement {
        let [first, second] = [First::ToMove, First::Other].map(|first| {
            let thinking = self.begin_settling(game, first);
            self.finish(thinking, stop, &mut |_| {})
        });
        Self::settled(game, first, &second)
    }

    /// Begins one of the two searches that settle a board.
    pub fn begin_settling(&mut self, game: &Game, first: First) -> Thinking {
        let task = Task {
            limits: Limits::visits(VISITS),
            ..Task::default()
        };
        match first {
            First::ToMove => self.begin_aside(game, &task, Aim::Life),
            First::Other => self.begin_aside(&turned(game), &task, Aim::Life),
        }
    }

    /// What the two searches say about a board.
    pub fn settled(game: &Game, mut first: Analysis, second: &Analysis) -> Settlement {
        for point in game.size().points() {
            for (of_first, of_second) in [
                (&mut first.ownership, &second.ownership),
                (&mut first.ownership_spread, &second.ownership_spread),
            ] {
                of_first[point] = (of_first[point] + of_second[point]) / 2.0;
            }
        }
        settlement(game, &first)
    }
}

/// The same position with the other player to move.
pub(crate) fn turned(game: &Game) -> Game {
    let mut turned = game.clone();
    turned.resume();
    turned.set_to_move(!game.to_move());
    turned
}

/// What the ownership of an analysis and proof say about the stones on the board.
pub(crate) fn settlement(game: &Game, analysis: &Analysis) -> Settlement {
    let board = game.board();
    let suicide = game.rules().suicide;
    let proven = Color::BOTH.map(|color| board.pass_alive(color, suicide));
    let alive = proven[0].stones | proven[1].stones;
    let lost = proven[0].territory & *board.stones(Color::White)
        | proven[1].territory & *board.stones(Color::Black);
    let mut settled = Settlement::default();
    for chain in board.chains() {
        let is_proven_alive = chain.stones.is_subset(&alive);
        let is_proven_dead = !(chain.stones & lost).is_empty();
        if is_proven_dead || !is_proven_alive && belongs_to_enemy(&chain, &analysis.ownership) {
            settled.dead |= chain.stones;
        }
    }
    let neutral = neutral_points(game, analysis);
    for chain in board.chains() {
        let touches = !(chain.liberties & neutral).is_empty();
        let living = (chain.stones & (settled.dead | alive)).is_empty();
        if touches && living {
            settled.seki |= chain.stones;
        }
    }
    settled
}

/// The empty points that stay empty in nearly all games and are nobody's.
fn neutral_points(game: &Game, analysis: &Analysis) -> PointSet {
    let is_neutral =
        |point| analysis.ownership[point].abs() < 0.5 && analysis.ownership_spread[point] < CALM;
    let board = game.board();
    let stones = *board.stones(Color::Black) | *board.stones(Color::White);
    let mut neutral = PointSet::EMPTY;
    // To a network, points far from all stones are calm, too: they may become anybody's.
    for point in board.empty_points() & stones.neighbors() {
        if is_neutral(point) {
            neutral.insert(point);
        }
    }
    neutral
}

fn belongs_to_enemy(chain: &Chain, ownership: &PointMap<f32>) -> bool {
    let sum: f32 = chain.stones.iter().map(|point| ownership[point]).sum();
    sum * (chain.color.sign(1) as f32) < 0.0
}

/// Is it clear whose every point is?
pub(crate) fn is_settled(game: &Game, analysis: &Analysis) -> bool {
    let neutral = neutral_points(game, analysis);
    game.size()
        .points()
        .iter()
        .all(|point| analysis.ownership[point].abs() > DECIDED || neutral.contains(point))
}
