//! The search of self-play: few simulations, spent well.
//!
//! After Danihelka, Guez, Schrittwieser and Silver, "Policy improvement by planning with Gumbel" (ICLR 2022). The root
//! draws a few moves without replacement from the policy by Gumbel noise and finds the best of them by sequential
//! halving; below it, moves are chosen so that visits follow the improved policy. That policy is the softmax of logits
//! plus the values that were found, with moves never tried completed by what is known of the position. It is better
//! than the policy it began with even after two simulations.

use libm::{exp, log};
use rand_core::Rng;
use rand_xoshiro::Xoshiro256PlusPlus;
use serde::{Deserialize, Serialize};
use tengen_core::{Color, Game, Move, Rules, Size};
use tengen_search::{Evaluation, Evaluator, Leaf, Value};

use crate::dice;

/// How a position is searched.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GumbelOptions {
    /// How many positions are looked at besides the root. With 0 or 1 the policy alone plays.
    pub simulations: u32,
    /// How many moves of the root are looked at.
    pub considered: u32,
    /// Whether the root explores.
    pub noise: Noise,
    /// How many visits the trust in values starts with.
    pub value_visits: f64,
    /// How much values weigh against the policy.
    pub value_scale: f64,
    /// What the score is worth beside winning.
    pub score_weight: f64,
}

impl Default for GumbelOptions {
    fn default() -> Self {
        Self {
            simulations: 64,
            considered: 16,
            noise: Noise::Gumbel,
            value_visits: 50.0,
            value_scale: 1.0,
            score_weight: 0.05,
        }
    }
}

/// Whether the root explores.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Noise {
    /// The best moves of the policy are looked at.
    Off,
    /// Moves are drawn from the policy.
    Gumbel,
}

/// What a search found.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The move to play.
    pub action: Move,
    /// All moves that the evaluator named, in its order.
    pub moves: Vec<RootMove>,
    /// The probability that Black wins if the improved policy draws the move among those that were tried.
    pub black_wins: f32,
    /// By how many points Black will be ahead, likewise.
    pub black_lead: f32,
    /// What the evaluator said about the root.
    pub raw: Evaluation,
}

/// A move of the root.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RootMove {
    /// The move.
    pub action: Move,
    /// Its share of the evaluator's policy.
    pub prior: f32,
    /// Its share of the improved policy.
    pub policy: f32,
    /// How many simulations began with it.
    pub visits: u32,
}

/// A judged position of the tree.
#[derive(Clone, Copy, Debug)]
struct Node {
    /// What it is worth to Black by itself.
    value: Value,
    /// The sum of the values of it and of what follows.
    sum: Sum,
    visits: u32,
    /// Its moves: a part of the edges. None if the game is over.
    first: u32,
    moves: u32,
    /// So many of the first moves were tried. Below the root these are always the most likely ones.
    tried: u32,
    /// So many of the first moves are in order of likelihood, at least.
    ordered: u32,
    to_move: Color,
}

/// A sum of values for Black.
#[derive(Clone, Copy, Debug, Default)]
struct Sum {
    utility: f64,
    wins: f64,
    lead: f64,
}

#[derive(Clone, Copy, Debug)]
struct Edge {
    action: Move,
    prior: f32,
    child: u32,
}

/// The root is nobody's child.
const NO_CHILD: u32 = 0;

const ROOT: usize = 0;

/// No prior is so small that its logarithm would decide alone.
const LEAST_PRIOR: f64 = 1e-12;

const SMALLEST: Size = match Size::square(1) {
    Ok(size) => size,
    Err(_) => panic!("a board of one point is a board"),
};

/// What values say about the moves of a node that were not tried, and how much they say.
struct Completion {
    /// What a move that was not tried is worth to the player to move.
    untried: f64,
    /// The logit that a value of 1 is worth.
    scale: f64,
}

/// Searches one position after another, in the same memory.
#[derive(Debug)]
pub struct Gumbel {
    options: GumbelOptions,
    nodes: Vec<Node>,
    edges: Vec<Edge>,
    path: Vec<u32>,
    leaf: Leaf,
    /// For each tried move of a node, its share of the improved policy before it is normalised.
    shares: Vec<f64>,
    /// For each move of the root, its logit with noise.
    drawn: Vec<f64>,
}

impl Gumbel {
    /// A search with these options.
    pub fn new(options: GumbelOptions) -> Self {
        Self {
            options,
            nodes: Vec::new(),
            edges: Vec::new(),
            path: Vec::new(),
            leaf: Leaf {
                game: Game::new(SMALLEST, Rules::default()),
                wants_priors: true,
                evaluation: Evaluation::default(),
            },
            shares: Vec::new(),
            drawn: Vec::new(),
        }
    }

    /// Searches with other options from now on.
    pub const fn set_options(&mut self, options: GumbelOptions) {
        self.options = options;
    }

    /// Searches a position. Everything random comes from the generator. A game that ended is counted as it stands.
    pub fn search<E: Evaluator + ?Sized>(
        &mut self,
        evaluator: &mut E,
        root: &Game,
        rng: &mut Xoshiro256PlusPlus,
    ) -> Plan {
        self.nodes.clear();
        self.edges.clear();
        self.path.clear();
        evaluator.begin(root, rng.next_u64());
        self.leaf.game.clone_from(root);
        let judged = self.judge(evaluator);
        self.path.push(judged);
        self.back_up();
        let raw = self.leaf.evaluation.clone();
        self.draw(rng);
        let mut considered: Vec<usize> = (0..self.drawn.len()).collect();
        considered.sort_by(|a, b| self.drawn[*b].total_cmp(&self.drawn[*a]));
        if self.options.simulations > 1 && !considered.is_empty() {
            self.halve(&mut considered, evaluator, root);
        }
        let best = considered.first().map(|place| self.edges[*place].action);
        self.plan(best.unwrap_or(Move::Pass), raw)
    }

    /// Draws the noise of the root.
    fn draw(&mut self, rng: &mut Xoshiro256PlusPlus) {
        let noise = self.options.noise;
        let drawn = self.edges.iter().map(|edge| match noise {
            Noise::Off => edge.logit(),
            Noise::Gumbel => edge.logit() + dice::gumbel(rng),
        });
        self.drawn.clear();
        self.drawn.extend(drawn);
    }

    /// Sequential halving: all that are left get the same number of simulations, then the worse half goes. What remains
    /// is in order, the best first.
    fn halve<E: Evaluator + ?Sized>(
        &mut self,
        left: &mut Vec<usize>,
        evaluator: &mut E,
        root: &Game,
    ) {
        let budget = self.options.simulations as usize;
        left.truncate((self.options.considered.max(1) as usize).min(budget));
        let rounds = left.len().next_power_of_two().ilog2().max(1) as usize;
        let mut spent = 0;
        while spent < budget {
            let each = (budget / (rounds * left.len())).max(1);
            let round = (each * left.len()).min(budget - spent);
            for turn in 0..round {
                self.simulate(left[turn % left.len()], evaluator, root);
            }
            spent += round;
            self.rank(left);
            if spent < budget && left.len() > 2 {
                left.truncate(left.len().div_ceil(2));
            }
        }
    }

    /// Puts moves of the root in the order of what is thought of them now.
    fn rank(&self, places: &mut [usize]) {
        let completion = self.completion(&self.nodes[ROOT], &self.edges[..self.drawn.len()]);
        let color = self.nodes[ROOT].to_move;
        let worth = |place: usize| {
            let value = self.value(&self.edges[place], color);
            self.drawn[place] + completion.scale * value.unwrap_or(completion.untried)
        };
        places.sort_by(|a, b| worth(*b).total_cmp(&worth(*a)));
    }

    /// Goes from the root over this move to a position that is new, or to the end of the game.
    fn simulate<E: Evaluator + ?Sized>(&mut self, place: usize, evaluator: &mut E, root: &Game) {
        self.leaf.game.clone_from(root);
        self.path.clear();
        self.path.push(ROOT as u32);
        let mut place = place;
        loop {
            let edge = self.edges[place];
            self.leaf.game.play_unchecked(edge.action);
            if edge.child == NO_CHILD {
                let child = self.judge(evaluator);
                self.edges[place].child = child;
                self.path.push(child);
                break;
            }
            self.path.push(edge.child);
            if self.nodes[edge.child as usize].moves == 0 {
                break;
            }
            place = self.select(edge.child as usize);
        }
        self.back_up();
    }

    /// The move that is visited least for its share of the improved policy.
    ///
    /// A move that was not tried has the share of its prior times what all such moves have in common, so that the most
    /// likely of them stands for all.
    fn select(&mut self, index: usize) -> usize {
        let node = self.nodes[index];
        let (first, tried) = (node.first as usize, node.tried as usize);
        if node.tried < node.moves && node.ordered == node.tried {
            self.bring_forward(index);
        }
        if tried == 0 {
            self.nodes[index].tried = 1;
            return first;
        }
        let edges = &self.edges[first..first + node.moves as usize];
        let completion = self.completion(&node, &edges[..tried]);
        // Everything is relative to a move that was not tried, whose logit gains nothing.
        self.shares.clear();
        let mut largest = 0.0_f64;
        for edge in &edges[..tried] {
            let value = self.value(edge, node.to_move);
            let gain =
                completion.scale * (value.unwrap_or(completion.untried) - completion.untried);
            largest = largest.max(gain);
            self.shares.push(gain);
        }
        let untried = exp(-largest);
        let mut total = 0.0;
        let mut rest = 1.0;
        for (share, edge) in self.shares.iter_mut().zip(edges) {
            let prior = f64::from(edge.prior);
            rest -= prior;
            *share = prior * exp(*share - largest);
            total += *share;
        }
        total += rest.max(0.0) * untried;
        let visits = f64::from(node.visits);
        let mut best = (first, f64::MIN);
        for (place, (share, edge)) in self.shares.iter().zip(edges).enumerate() {
            let lack = share / total - f64::from(self.visits(edge)) / visits;
            if lack > best.1 {
                best = (first + place, lack);
            }
        }
        if let Some(edge) = edges.get(tried)
            && f64::from(edge.prior) * untried / total > best.1
        {
            best.0 = first + tried;
            self.nodes[index].tried += 1;
        }
        best.0
    }

    /// Puts the most likely move that was not tried before all others of its kind.
    fn bring_forward(&mut self, index: usize) {
        let node = &mut self.nodes[index];
        let from = (node.first + node.ordered) as usize;
        let to = (node.first + node.moves) as usize;
        node.ordered += 1;
        let mut best = from;
        for place in from + 1..to {
            if self.edges[place].prior > self.edges[best].prior {
                best = place;
            }
        }
        self.edges.swap(from, best);
    }

    /// What the values of the tried moves among these say about the others: the mixture of what the evaluator said
    /// about the node and of the values that were found, weighed by the policy.
    fn completion(&self, node: &Node, edges: &[Edge]) -> Completion {
        let (mut prior_sum, mut value_sum, mut visits, mut most) = (0.0, 0.0, 0, 0);
        for edge in edges {
            if let Some(value) = self.value(edge, node.to_move) {
                let prior = f64::from(edge.prior).max(LEAST_PRIOR);
                prior_sum += prior;
                value_sum += prior * value;
                visits += self.visits(edge);
                most = most.max(self.visits(edge));
            }
        }
        let raw = view(f64::from(node.value.utility), node.to_move);
        let untried = match visits {
            0 => raw,
            _ => (raw + f64::from(visits) * value_sum / prior_sum) / f64::from(1 + visits),
        };
        Completion {
            untried,
            scale: (self.options.value_visits + f64::from(most)) * self.options.value_scale,
        }
    }

    /// How often a move was tried.
    fn visits(&self, edge: &Edge) -> u32 {
        match edge.child {
            NO_CHILD => 0,
            child => self.nodes[child as usize].visits,
        }
    }

    /// What a move that was tried is worth to this player.
    fn value(&self, edge: &Edge, color: Color) -> Option<f64> {
        if edge.child == NO_CHILD {
            return None;
        }
        let child = &self.nodes[edge.child as usize];
        Some(view(child.sum.utility / f64::from(child.visits), color))
    }

    /// Makes a node of the position of the leaf: judged by the evaluator, or counted if the game is over.
    fn judge<E: Evaluator + ?Sized>(&mut self, evaluator: &mut E) -> u32 {
        let leaf = &mut self.leaf;
        match leaf.game.outcome() {
            Some(outcome) => leaf.evaluation.set_outcome(&leaf.game, outcome),
            None => {
                evaluator.evaluate(std::slice::from_mut(leaf));
                if leaf.evaluation.priors.is_empty() {
                    leaf.evaluation.priors.push((Move::Pass, 1.0));
                }
            }
        }
        let area = leaf.game.size().area();
        let weight = self.options.score_weight as f32;
        let value = Value::for_black(&leaf.evaluation, area, weight);
        let priors = &leaf.evaluation.priors;
        let first = self.edges.len() as u32;
        let sum: f32 = priors.iter().map(|(_, prior)| prior.max(0.0)).sum();
        let edges = priors.iter().map(|(action, prior)| Edge {
            action: *action,
            prior: match sum > 0.0 && sum.is_finite() {
                true => prior.max(0.0) / sum,
                false => 1.0 / priors.len() as f32,
            },
            child: NO_CHILD,
        });
        self.edges.extend(edges);
        self.nodes.push(Node {
            value,
            sum: Sum::default(),
            visits: 0,
            first,
            moves: self.edges.len() as u32 - first,
            tried: 0,
            ordered: 0,
            to_move: leaf.game.to_move(),
        });
        self.nodes.len() as u32 - 1
    }

    /// Takes the value of the last position of the path up to the root.
    fn back_up(&mut self) {
        let Some(last) = self.path.last() else {
            return;
        };
        let value = self.nodes[*last as usize].value;
        for index in &self.path {
            let node = &mut self.nodes[*index as usize];
            node.visits += 1;
            node.sum.utility += f64::from(value.utility);
            node.sum.wins += f64::from(value.win);
            node.sum.lead += f64::from(value.lead);
        }
    }

    fn plan(&self, action: Move, raw: Evaluation) -> Plan {
        let root = &self.nodes[ROOT];
        let edges = &self.edges[..root.moves as usize];
        let completion = self.completion(root, edges);
        let logits: Vec<f64> = edges
            .iter()
            .map(|edge| {
                let value = self.value(edge, root.to_move);
                edge.logit() + completion.scale * value.unwrap_or(completion.untried)
            })
            .collect();
        let largest = logits.iter().copied().fold(f64::MIN, f64::max);
        let shares: Vec<f64> = logits.iter().map(|logit| exp(logit - largest)).collect();
        let total: f64 = shares.iter().sum();
        // Half of the visits go to moves that turn out to be bad, so moves count by their shares and not by their
        // visits.
        let (mut tried, mut wins, mut lead) = (0.0, 0.0, 0.0);
        for (edge, share) in edges.iter().zip(&shares) {
            if edge.child != NO_CHILD {
                let child = &self.nodes[edge.child as usize];
                let visits = f64::from(child.visits);
                tried += share;
                wins += share * child.sum.wins / visits;
                lead += share * child.sum.lead / visits;
            }
        }
        let (black_wins, black_lead) = match tried > 0.0 {
            true => ((wins / tried) as f32, (lead / tried) as f32),
            false => (raw.black_wins, raw.black_lead),
        };
        let moves = edges.iter().zip(shares).map(|(edge, share)| RootMove {
            action: edge.action,
            prior: edge.prior,
            policy: (share / total) as f32,
            visits: self.visits(edge),
        });
        Plan {
            action,
            moves: moves.collect(),
            black_wins,
            black_lead,
            raw,
        }
    }
}

impl Edge {
    fn logit(&self) -> f64 {
        log(f64::from(self.prior).max(LEAST_PRIOR))
    }
}

/// A utility for Black as this player sees it.
const fn view(for_black: f64, color: Color) -> f64 {
    match color {
        Color::Black => for_black,
        Color::White => 1.0 - for_black,
    }
}
