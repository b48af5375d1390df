//! How likely moves are before they are searched.

use tengen_core::{Board, Game, LeanBoard, Move};

use super::SMALLEST;
use super::features::Observer;
use super::weights::Weights;

/// Judges moves by their features: the likelihood of a move is the exponential of the sum of its weights.
#[derive(Debug)]
pub struct Priors {
    weights: Weights,
    lean: LeanBoard,
    found: Vec<usize>,
}

impl Priors {
    pub(crate) fn new(weights: Weights) -> Self {
        Self {
            weights,
            lean: LeanBoard::new(&Board::new(SMALLEST)),
            found: Vec::new(),
        }
    }

    /// The moves that are worth a search, with their shares.
    pub fn judge(&mut self, game: &Game, priors: &mut Vec<(Move, f32)>) {
        priors.clear();
        let weights = self.weights.values();
        for_moves(game, &mut self.lean, &mut self.found, |action, found| {
            let sum: f32 = found.iter().map(|feature| weights[*feature]).sum();
            priors.push((action, libm::expf(sum)));
        });
        let total: f32 = priors.iter().map(|(_, weight)| weight).sum();
        for (_, weight) in &mut *priors {
            *weight /= total;
        }
        priors.sort_by(|a, b| b.1.total_cmp(&a.1));
    }
}

/// Judges by the fitted weights.
impl Default for Priors {
    fn default() -> Self {
        Self::new(Weights::fitted())
    }
}

/// Calls back with the features of every move that is worth a search: all legal ones that do not fill an own eye.
pub(crate) fn for_moves(
    game: &Game,
    lean: &mut LeanBoard,
    found: &mut Vec<usize>,
    mut each: impl FnMut(Move, &[usize]),
) {
    lean.copy_from(game.board());
    let color = game.to_move();
    let observer = Observer::new(game, lean);
    for point in game.legal_moves() {
        let holds = |head| !lean.in_atari(head);
        if lean.is_eye(point, color) && lean.joins(point, color).all(holds) {
            continue;
        }
        observer.features(Move::Play(point), found);
        each(Move::Play(point), found);
    }
    observer.features(Move::Pass, found);
    each(Move::Pass, found);
}

/// The moves of a position that are worth a search and the numbers of their features, for those who fit weights.
pub fn prior_features(game: &Game) -> Vec<(Move, Vec<usize>)> {
    let mut lean = LeanBoard::new(game.board());
    let mut all = Vec::new();
    for_moves(game, &mut lean, &mut Vec::new(), |action, found| {
        all.push((action, found.to_vec()));
    });
    all
}
