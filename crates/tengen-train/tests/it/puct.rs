//! PUCT beside a search that is written as plainly as can be.

use rand_core::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use tengen_core::{Color, Game, Move, Outcome, Rules};
use tengen_train::{Dirichlet, Method, Planner, PuctOptions, Values};

use crate::evaluators::{Opinionated, moves};

/// A position with the sum of values for Black, from -1 to 1.
struct Tree {
    sum: f64,
    visits: f64,
    moves: Vec<(Move, f64, Option<Self>)>,
    to_move: Color,
}

impl Tree {
    fn new(game: &Game) -> Self {
        let (wins, priors) = match game.outcome() {
            Some(Outcome::Win(Color::Black, _)) => (1.0, Vec::new()),
            Some(Outcome::Win(Color::White, _)) => (0.0, Vec::new()),
            Some(_) => (0.5, Vec::new()),
            None => Opinionated::judge(game),
        };
        let total: f64 = priors.iter().map(|(_, prior)| f64::from(*prior)).sum();
        let moves = priors.iter();
        Self {
            sum: 2.0 * f64::from(wins) - 1.0,
            visits: 1.0,
            moves: moves
                .map(|(action, prior)| (*action, f64::from(*prior) / total, None))
                .collect(),
            to_move: game.to_move(),
        }
    }

    fn mean(&self, color: Color) -> f64 {
        f64::from(color.sign(1)) * self.sum / self.visits
    }

    fn simulate(&mut self, game: &mut Game, options: &PuctOptions) -> f64 {
        if self.moves.is_empty() {
            let value = self.sum / self.visits;
            self.sum += value;
            self.visits += 1.0;
            return value;
        }
        let (color, mean) = (self.to_move, self.mean(self.to_move));
        let values: Vec<Option<f64>> = self
            .moves
            .iter()
            .map(|(.., child)| child.as_ref().map(|child| child.mean(color)))
            .collect();
        let known = || values.iter().flatten().copied().chain([mean]);
        let (low, high) = (known().fold(2.0, f64::min), known().fold(-2.0, f64::max));
        let score = |place: usize| {
            let (_, prior, child) = &self.moves[place];
            let value = match (options.values, values[place]) {
                (Values::AsTheyAre, Some(value)) => value,
                (Values::AsTheyAre, None) => (mean - options.untried_reduction).max(-1.0),
                (Values::Rescaled, Some(value)) => (value - low) / (high - low).max(2e-8),
                (Values::Rescaled, None) => 0.0,
            };
            let base = options.exploration_base;
            let growth = ((self.visits + base + 1.0) / base).ln();
            let bonus = (options.exploration + growth) * self.visits.sqrt() * prior;
            value + bonus / (1.0 + child.as_ref().map_or(0.0, |child| child.visits))
        };
        let places = (0..self.moves.len()).rev();
        let place = places
            .max_by(|a, b| score(*a).total_cmp(&score(*b)))
            .unwrap();
        let (action, _, child) = &mut self.moves[place];
        game.play(*action).unwrap();
        let value = match child {
            Some(child) => child.simulate(game, options),
            None => child.insert(Self::new(game)).sum,
        };
        self.sum += value;
        self.visits += 1.0;
        value
    }
}

fn quiet(simulations: u32) -> PuctOptions {
    PuctOptions {
        simulations,
        noise: Dirichlet {
            share: 0.0,
            alpha: 0.3,
        },
        temperature: 0.0,
        score_weight: 0.0,
        ..PuctOptions::default()
    }
}

fn search(game: &Game, options: PuctOptions, seed: u64) -> (Move, Vec<u32>, Vec<f32>) {
    let mut planner = Planner::new(Method::Puct(options));
    planner.begin(game);
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    planner.finish(&mut Opinionated, &mut rng);
    let plan = planner.plan();
    let visits = plan.moves.iter().map(|of| of.visits).collect();
    let policy = plan.moves.iter().map(|of| of.policy).collect();
    (plan.action, visits, policy)
}

#[test]
fn does_what_the_plain_search_does() {
    let mut game = Game::new("4x3".parse().unwrap(), Rules::default());
    for turn in 0..10 {
        for simulations in [1, 2, 30, 300] {
            for (values, untried_reduction) in [
                (Values::AsTheyAre, 0.0),
                (Values::AsTheyAre, 0.3),
                (Values::Rescaled, 0.0),
            ] {
                let options = PuctOptions {
                    values,
                    untried_reduction,
                    ..quiet(simulations)
                };
                let mut tree = Tree::new(&game);
                for _ in 0..simulations {
                    tree.simulate(&mut game.clone(), &options);
                }
                let children = tree.moves.iter().map(|(.., child)| child.as_ref());
                let expected = children.map(|child| child.map_or(0, |child| child.visits as u32));
                let (action, visits, policy) = search(&game, options, 1);
                assert_eq!(visits, expected.collect::<Vec<_>>(), "turn {turn}");
                let most = visits.iter().max().unwrap();
                let place = moves(&game).position(|legal| legal == action).unwrap();
                assert_eq!(visits[place], *most);
                assert!((policy[place] - *most as f32 / simulations as f32).abs() < 1e-6);
            }
        }
        let drawn = moves(&game).nth(turn % 4).unwrap();
        game.play(drawn).unwrap();
    }
}

#[test]
fn noise_and_temperature_explore() {
    let game = Game::new("5".parse().unwrap(), Rules::default());
    let noisy = PuctOptions {
        noise: PuctOptions::default().noise,
        ..quiet(20)
    };
    assert_eq!(search(&game, quiet(20), 1), search(&game, quiet(20), 2));
    assert_ne!(search(&game, noisy, 1).1, search(&game, noisy, 2).1);
    let warm = PuctOptions {
        temperature: 1.0,
        ..quiet(20)
    };
    let drawn: Vec<Move> = (0..30).map(|seed| search(&game, warm, seed).0).collect();
    assert!(drawn.iter().any(|action| *action != drawn[0]));
    // Without simulations the policy alone plays.
    let (action, visits, _) = search(&game, quiet(0), 1);
    let (_, priors) = Opinionated::judge(&game);
    let best = priors.iter().max_by(|a, b| a.1.total_cmp(&b.1)).unwrap().0;
    assert_eq!((action, visits.iter().sum::<u32>()), (best, 0));
}
