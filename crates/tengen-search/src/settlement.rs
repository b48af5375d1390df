//! Which stones are dead, and which are in seki.

use tengen_core::{Chain, Color, Game, PointMap, PointSet, Settlement};

use crate::analysis::Analysis;

/// How much a point must belong to somebody before it counts as decided.
const DECIDED: f32 = 0.85;

/// How little the owner of a point must vary for it to be nobody's for good.
const CALM: f32 = 0.6;

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
