//! The search, written so plainly that it cannot be wrong: every policy over all moves, nothing kept in order.

use tengen_core::{Color, Game, Move, Outcome};
use tengen_train::GumbelOptions;

use crate::evaluators::Opinionated;

pub(crate) struct Tree {
    wins: f64,
    sum: f64,
    visits: f64,
    moves: Vec<(Move, f64, Option<Self>)>,
    to_move: Color,
}

impl Tree {
    fn new(game: &Game) -> Self {
        let (wins, moves) = match game.outcome() {
            Some(Outcome::Win(Color::Black, _)) => (1.0, Vec::new()),
            Some(Outcome::Win(Color::White, _)) => (0.0, Vec::new()),
            Some(_) => (0.5, Vec::new()),
            None => {
                let (wins, priors) = Opinionated::judge(game);
                let sum: f64 = priors.iter().map(|(_, prior)| f64::from(*prior)).sum();
                let moves = priors
                    .iter()
                    .map(|(action, prior)| (*action, f64::from(*prior) / sum, None));
                (f64::from(wins), moves.collect())
            }
        };
        let to_move = game.to_move();
        Self {
            wins,
            sum: wins,
            visits: 1.0,
            moves,
            to_move,
        }
    }

    fn seen_by(&self, black: f64) -> f64 {
        if self.to_move == Color::Black {
            black
        } else {
            1.0 - black
        }
    }

    fn scale(&self, options: &GumbelOptions) -> f64 {
        let children = self.moves.iter().filter_map(|(_, _, child)| child.as_ref());
        let most = children.map(|child| child.visits).fold(0.0, f64::max);
        (options.value_visits + most) * options.value_scale
    }

    /// The value of each move, completed where it was not tried.
    fn values(&self) -> Vec<f64> {
        let tried = || {
            self.moves
                .iter()
                .filter_map(|(_, prior, child)| Some((prior, child.as_ref()?)))
        };
        let value = |child: &Self| self.seen_by(child.sum / child.visits);
        let visits: f64 = tried().map(|(_, child)| child.visits).sum();
        let priors: f64 = tried().map(|(prior, _)| prior).sum();
        let weighed: f64 = tried().map(|(prior, child)| prior * value(child)).sum();
        let raw = self.seen_by(self.wins);
        let mix = if visits == 0.0 {
            raw
        } else {
            (raw + visits * weighed / priors) / (1.0 + visits)
        };
        self.moves
            .iter()
            .map(|(_, _, child)| child.as_ref().map_or(mix, value))
            .collect()
    }

    fn policy(&self, options: &GumbelOptions) -> Vec<f64> {
        let scale = self.scale(options);
        let logits = self
            .moves
            .iter()
            .zip(self.values())
            .map(|((_, prior, _), value)| prior.ln() + scale * value);
        let shares: Vec<f64> = logits.map(f64::exp).collect();
        let sum: f64 = shares.iter().sum();
        shares.iter().map(|share| share / sum).collect()
    }

    /// One simulation from here; returns what Black gets.
    fn simulate(&mut self, game: &mut Game, options: &GumbelOptions, forced: Option<usize>) -> f64 {
        let black = if self.moves.is_empty() {
            self.wins
        } else {
            let policy = self.policy(options);
            let place = forced.unwrap_or_else(|| {
                let lack = |place: usize| {
                    let child = self.moves[place].2.as_ref();
                    policy[place] - child.map_or(0.0, |child| child.visits) / self.visits
                };
                (0..policy.len())
                    .max_by(|a, b| lack(*a).total_cmp(&lack(*b)))
                    .unwrap()
            });
            let (action, _, child) = &mut self.moves[place];
            game.play(*action).unwrap();
            match child {
                Some(child) => child.simulate(game, options, None),
                None => child.insert(Self::new(game)).wins,
            }
        };
        self.sum += black;
        self.visits += 1.0;
        black
    }
}

/// The move, and for each move of the root its visits and its share of the policy; and Black's chance.
pub(crate) fn search(root: &Game, options: &GumbelOptions) -> (Move, Vec<(u32, f64)>, f64) {
    let mut tree = Tree::new(root);
    let worth = |tree: &Tree| -> Vec<f64> {
        let scale = tree.scale(options);
        let moves = tree.moves.iter().zip(tree.values());
        moves
            .map(|((_, prior, _), value)| prior.ln() + scale * value)
            .collect()
    };
    let budget = options.simulations as usize;
    let mut left: Vec<usize> = (0..tree.moves.len()).collect();
    left.sort_by(|a, b| tree.moves[*b].1.total_cmp(&tree.moves[*a].1));
    left.truncate(budget.min(options.considered as usize));
    let rounds = (left.len() as f64).log2().ceil().max(1.0) as usize;
    let mut spent = 0;
    while spent < budget {
        let each = (budget / rounds / left.len()).max(1);
        for place in left.clone().repeat(each) {
            if spent < budget {
                tree.simulate(&mut root.clone(), options, Some(place));
                spent += 1;
            }
        }
        let worth = worth(&tree);
        left.sort_by(|a, b| worth[*b].total_cmp(&worth[*a]));
        if left.len() > 2 && spent < budget {
            left.truncate(left.len().div_ceil(2));
        }
    }
    let policy = tree.policy(options);
    let visits = tree
        .moves
        .iter()
        .map(|(_, _, child)| child.as_ref().map_or(0, |child| child.visits as u32));
    let children = tree.moves.iter().zip(&policy);
    let tried: Vec<(f64, f64)> = children
        .filter_map(|((_, _, child), share)| Some((*share, child.as_ref()?)))
        .map(|(share, child)| (share, child.sum / child.visits))
        .collect();
    let shares: f64 = tried.iter().map(|(share, _)| share).sum();
    let wins: f64 = tried.iter().map(|(share, wins)| share * wins).sum();
    let action = tree.moves[left[0]].0;
    (action, visits.zip(policy).collect(), wins / shares)
}
