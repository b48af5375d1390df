//! Evaluators that cost nothing.

use tengen_core::{Color, Game, Move};
use tengen_search::{Evaluator, Leaf};

/// All legal moves.
pub(crate) fn moves(game: &Game) -> impl Iterator<Item = Move> {
    let points = game.legal_moves();
    let stones: Vec<Move> = points.iter().map(Move::Play).collect();
    stones.into_iter().chain([Move::Pass])
}

/// Knows nothing.
pub(crate) struct Flat;

impl Evaluator for Flat {
    fn begin(&mut self, _game: &Game, _seed: u64) {}

    fn evaluate(&mut self, leaves: &mut [Leaf]) {
        for leaf in leaves {
            leaf.evaluation.black_wins = 0.5;
            leaf.evaluation.black_lead = 0.0;
            leaf.evaluation.priors.clear();
            leaf.evaluation
                .priors
                .extend(moves(&leaf.game).map(|action| (action, 1.0)));
        }
    }
}

/// Counts the board as it stands, and likes all moves that are no passes and fill no own eyes.
pub(crate) struct Counting;

impl Evaluator for Counting {
    fn begin(&mut self, _game: &Game, _seed: u64) {}

    fn evaluate(&mut self, leaves: &mut [Leaf]) {
        for leaf in leaves {
            let game = &leaf.game;
            let lead = game.score().margin_halves() as f32 / 2.0;
            leaf.evaluation.black_lead = lead;
            leaf.evaluation.black_wins = 0.5 + 0.5 * (lead / 10.0).clamp(-1.0, 1.0);
            let sensible = |action: &Move| {
                action
                    .point()
                    .is_none_or(|point| !game.board().is_eye(point, game.to_move()))
            };
            let prior = |action| if action == Move::Pass { 0.01 } else { 1.0 };
            leaf.evaluation.priors.clear();
            leaf.evaluation.priors.extend(
                moves(game)
                    .filter(sensible)
                    .map(|action| (action, prior(action))),
            );
        }
    }
}

/// Has an opinion on everything, for no reason.
pub(crate) struct Opinionated;

impl Opinionated {
    /// The probability that Black wins and the priors of all moves.
    pub(crate) fn judge(game: &Game) -> (f32, Vec<(Move, f32)>) {
        let own = game.board().hash() ^ game.turns().len() as u64;
        let priors = moves(game).map(|action| {
            let place = action.point().map_or(0, tengen_core::Point::index) as u64;
            (action, (3.0 * share(own ^ mixed(place + 1))).exp())
        });
        (share(mixed(own)), priors.collect())
    }
}

/// A number from 0 to 1.
fn share(seed: u64) -> f32 {
    (mixed(seed) >> 40) as f32 / (1 << 24) as f32
}

fn mixed(seed: u64) -> u64 {
    let mixed = (seed ^ (seed >> 31)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed ^ (mixed >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9)
}

impl Evaluator for Opinionated {
    fn begin(&mut self, _game: &Game, _seed: u64) {}

    fn evaluate(&mut self, leaves: &mut [Leaf]) {
        for leaf in leaves {
            let (wins, priors) = Self::judge(&leaf.game);
            leaf.evaluation.black_wins = wins;
            leaf.evaluation.black_lead = 0.0;
            leaf.evaluation.priors = priors;
        }
    }
}

/// Is sure that this player wins, whatever happens.
pub(crate) struct Sure(pub(crate) Color);

impl Evaluator for Sure {
    fn begin(&mut self, game: &Game, seed: u64) {
        Counting.begin(game, seed);
    }

    fn evaluate(&mut self, leaves: &mut [Leaf]) {
        Counting.evaluate(leaves);
        for leaf in leaves {
            leaf.evaluation.black_wins = if self.0 == Color::Black { 0.999 } else { 0.001 };
        }
    }
}
