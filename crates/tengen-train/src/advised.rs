//! An evaluator whose policy listens to what speaks for moves by themselves.

use tengen_core::{Game, Move, PointMap};
use tengen_search::{Aim, Evaluator, Leaf, Priors, Tuning};

/// Mixes the policy of an evaluator with the [priors](Priors) that need no network.
///
/// A network that comes to boards much larger than those that it knows has no idea of an opening there, and would play
/// many games before it found one. These priors have an idea on every board.
pub(crate) struct Advised<'a, E: ?Sized> {
    evaluator: &'a mut E,
    priors: Priors,
    /// The share of the priors in the policy.
    share: f32,
    /// What the priors said last.
    advice: Vec<(Move, f32)>,
    on_point: PointMap<f32>,
}

impl<'a, E: Evaluator + ?Sized> Advised<'a, E> {
    pub(crate) fn new(evaluator: &'a mut E, share: f64) -> Self {
        Self {
            evaluator,
            priors: Priors::default(),
            share: share as f32,
            advice: Vec::new(),
            on_point: PointMap::new(0.0),
        }
    }

    /// Mixes a policy with the advice for its position. A move that the advice leaves out has no share in it.
    fn mix(&mut self, game: &Game, policy: &mut [(Move, f32)]) {
        self.priors.judge(game, &mut self.advice);
        let mut on_pass = 0.0;
        for (action, prior) in &self.advice {
            match action {
                Move::Play(point) => self.on_point[*point] = *prior,
                Move::Pass => on_pass = *prior,
            }
        }
        for (action, share) in policy {
            let prior = match action {
                Move::Play(point) => self.on_point[*point],
                Move::Pass => on_pass,
            };
            *share += self.share * (prior - *share);
        }
        for point in self.advice.iter().filter_map(|(action, _)| action.point()) {
            self.on_point[point] = 0.0;
        }
    }
}

impl<E: Evaluator + ?Sized> Evaluator for Advised<'_, E> {
    fn batch(&self) -> usize {
        self.evaluator.batch()
    }

    fn expand_after(&self) -> u32 {
        self.evaluator.expand_after()
    }

    fn tuning(&self) -> Tuning {
        self.evaluator.tuning()
    }

    fn most_visits(&self, game: &Game, aim: Aim) -> Option<u32> {
        self.evaluator.most_visits(game, aim)
    }

    fn prepare(&mut self, game: &Game, aim: Aim) {
        self.evaluator.prepare(game, aim);
    }

    fn begin(&mut self, game: &Game, seed: u64) {
        self.evaluator.begin(game, seed);
    }

    fn evaluate(&mut self, leaves: &mut [Leaf]) {
        self.evaluator.evaluate(leaves);
        if self.share > 0.0 {
            for leaf in leaves {
                self.mix(&leaf.game, &mut leaf.evaluation.priors);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use tengen_core::{Preset, Size};
    use tengen_search::Evaluation;

    use super::*;

    /// Likes every point as much as any other.
    struct Even;

    impl Evaluator for Even {
        fn begin(&mut self, _: &Game, _: u64) {}

        fn evaluate(&mut self, leaves: &mut [Leaf]) {
            for leaf in leaves {
                let moves = leaf.game.legal_moves();
                let share = 1.0 / (moves.len() + 1) as f32;
                let moves = moves.iter().map(Move::Play).chain([Move::Pass]);
                leaf.evaluation.priors = moves.map(|action| (action, share)).collect();
            }
        }
    }

    fn policy(game: &Game, share: f64) -> Vec<(Move, f32)> {
        let mut leaf = Leaf {
            game: game.clone(),
            wants_priors: true,
            evaluation: Evaluation::default(),
        };
        let mut even = Even;
        Advised::new(&mut even, share).evaluate(std::slice::from_mut(&mut leaf));
        leaf.evaluation.priors
    }

    #[test]
    fn a_policy_takes_its_share_of_the_advice() {
        let size = Size::square(9).expect("it is a size");
        let game = Game::new(size, Preset::Chinese.rules());
        let mut advice = Vec::new();
        Priors::default().judge(&game, &mut advice);
        let [none, half, all] = [0.0, 0.5, 1.0].map(|share| policy(&game, share));
        assert_eq!(none.len(), 82);
        for ((action, none), ((same, half), (_, all))) in none.iter().zip(half.iter().zip(&all)) {
            assert_eq!(action, same);
            let (_, prior) = advice.iter().find(|(of, _)| of == action).expect("all are");
            assert!((all - prior).abs() < 1e-6);
            assert!((half - f32::midpoint(*none, *prior)).abs() < 1e-6);
        }
        let sum: f32 = half.iter().map(|(_, share)| share).sum();
        assert!((sum - 1.0).abs() < 1e-4);
    }
}
