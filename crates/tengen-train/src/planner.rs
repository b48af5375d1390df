//! A resumable search: it returns to its caller whenever a leaf has to be evaluated, and goes on with the evaluation.

use rand_xoshiro::Xoshiro256PlusPlus;
use tengen_core::{Game, Move, Rules, Size};
use tengen_search::{Evaluation, Evaluator, Leaf};

use crate::gumbel::{GumbelOptions, Halving};
use crate::plan::Plan;
use crate::puct::{PuctOptions, visit_shares};
use crate::tree::{Edge, ROOT, Tree};

/// How a position is searched.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Method {
    /// Gumbel: sequential halving at the root; below it, visits follow the improved policy.
    Gumbel(GumbelOptions),
    /// PUCT: by the value of a move and an exploration term, from its prior and its visits.
    Puct(PuctOptions),
}

impl Method {
    /// The same with so many simulations.
    #[must_use]
    pub const fn with_simulations(self, simulations: u32) -> Self {
        match self {
            Self::Gumbel(options) => Self::Gumbel(GumbelOptions {
                simulations,
                ..options
            }),
            Self::Puct(options) => Self::Puct(PuctOptions {
                simulations,
                ..options
            }),
        }
    }

    const fn simulations(&self) -> u32 {
        match self {
            Self::Gumbel(options) => options.simulations,
            Self::Puct(options) => options.simulations,
        }
    }

    /// What the score is worth beside winning.
    pub const fn score_weight(&self) -> f64 {
        match self {
            Self::Gumbel(options) => options.score_weight,
            Self::Puct(options) => options.score_weight,
        }
    }
}

/// How far a search is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// The root has not been evaluated.
    Begun,
    /// The caller evaluates the root.
    AskedRoot,
    /// The caller evaluates the leaf behind the move with this index.
    Asked(usize),
    /// All simulations are spent.
    Done,
}

/// Searches a position, and leaves the evaluation of leaves to the caller, who may evaluate those of many searches at
/// once.
///
/// ```
/// use rand_core::SeedableRng;
/// use rand_xoshiro::Xoshiro256PlusPlus;
/// use tengen_core::{Game, Move, Rules, Size};
/// use tengen_train::{GumbelOptions, Method, Planner};
///
/// let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
/// let mut planner = Planner::new(Method::Gumbel(GumbelOptions::default()));
/// planner.begin(&Game::new(Size::square(5)?, Rules::default()));
/// let mut asked = 0;
/// while let Some(leaf) = planner.advance(&mut rng) {
///     leaf.evaluation.black_wins = 0.5;
///     leaf.evaluation.priors.clear();
///     let legal = leaf.game.legal_moves();
///     leaf.evaluation.priors.extend(legal.iter().map(|point| (Move::Play(point), 1.0)));
///     asked += 1;
/// }
/// assert_eq!(asked, 65);
/// assert_eq!(planner.plan().moves.iter().map(|of| of.visits).sum::<u32>(), 64);
/// # Ok::<(), tengen_core::SizeError>(())
/// ```
#[derive(Debug)]
pub struct Planner {
    method: Method,
    stage: Stage,
    tree: Tree,
    root: Game,
    leaf: Leaf,
    path: Vec<u32>,
    /// What the evaluator said about the root.
    raw: Evaluation,
    /// For each tried move of a node, its share of the improved policy before it is normalised.
    shares: Vec<f64>,
    /// For each move of the root, its logit with noise: Gumbel's search.
    drawn: Vec<f64>,
    /// For each move of the root, its prior with noise: PUCT.
    priors: Vec<f32>,
    /// How the simulations of the root are spent.
    spending: Spending,
    /// The index of the move to play.
    chosen: Option<usize>,
}

/// How the simulations of the root are spent.
#[derive(Debug, Default)]
struct Spending {
    /// The moves that are left, the best first.
    left: Vec<usize>,
    /// How many simulations were begun.
    begun: usize,
    /// A round began after so many simulations, and ends after so many, with a halving.
    round: std::ops::Range<usize>,
    /// The visits of the root's moves before the search.
    before: Vec<u32>,
    /// The visits that the next move must have, simulation by simulation.
    counts: Vec<u32>,
}

const SMALLEST: Size = match Size::square(1) {
    Ok(size) => size,
    Err(_) => panic!("a board of one point is a board"),
};

/// A leaf that has just been reached.
pub(crate) fn nothing() -> Leaf {
    Leaf {
        game: Game::new(SMALLEST, Rules::default()),
        wants_priors: true,
        evaluation: Evaluation::default(),
    }
}

impl Planner {
    /// A search by this method.
    pub fn new(method: Method) -> Self {
        Self {
            method,
            stage: Stage::Done,
            tree: Tree::default(),
            root: nothing().game,
            leaf: nothing(),
            path: Vec::new(),
            raw: Evaluation::default(),
            shares: Vec::new(),
            drawn: Vec::new(),
            priors: Vec::new(),
            spending: Spending::default(),
            chosen: None,
        }
    }

    /// Searches by another method from the next search on.
    pub const fn set_method(&mut self, method: Method) {
        self.method = method;
    }

    /// The position that is searched.
    pub const fn root(&self) -> &Game {
        &self.root
    }

    /// The position that is to be evaluated.
    pub(crate) const fn leaf(&self) -> &Game {
        &self.leaf.game
    }

    /// The same with room for what is said about it.
    pub(crate) const fn leaf_mut(&mut self) -> &mut Leaf {
        &mut self.leaf
    }

    /// Begins to search this position, with nothing known about it.
    pub fn begin(&mut self, root: &Game) {
        self.root.clone_from(root);
        self.forget();
        self.again();
    }

    /// Begins another search of the root, with what is known about it.
    pub const fn again(&mut self) {
        self.stage = Stage::Begun;
    }

    /// Forgets what is known about the root.
    pub fn forget(&mut self) {
        self.tree.clear();
        self.stage = Stage::Done;
    }

    /// Plays a legal move, and keeps what is known about the position behind it.
    pub fn play(&mut self, action: Move) {
        self.root.play_unchecked(action);
        self.tree.keep(action);
        self.stage = Stage::Done;
    }

    /// Goes on until a leaf has to be evaluated, or all simulations are spent. The caller evaluates the leaf and calls
    /// again. Everything random comes from the generator. A position in which the game has ended is scored here.
    pub fn advance(&mut self, rng: &mut Xoshiro256PlusPlus) -> Option<&mut Leaf> {
        match self.stage {
            Stage::Done => return None,
            Stage::Begun => {
                if self.tree.nodes.is_empty() {
                    self.leaf.game.clone_from(&self.root);
                    self.path.clear();
                    if !self.count() {
                        self.stage = Stage::AskedRoot;
                        return Some(&mut self.leaf);
                    }
                    self.take(None);
                }
                self.explore(rng);
            }
            Stage::AskedRoot => {
                self.take(None);
                self.explore(rng);
            }
            Stage::Asked(place) => self.take(Some(place)),
        }
        while let Some(place) = self.next() {
            if let Some(place) = self.descend(place) {
                self.stage = Stage::Asked(place);
                return Some(&mut self.leaf);
            }
        }
        self.stage = Stage::Done;
        self.chosen = match self.method {
            Method::Gumbel(_) => self.spending.left.first().copied(),
            Method::Puct(options) => options.choose(&self.tree, rng),
        };
        None
    }

    /// Goes on to the end, with an evaluator that gets one leaf after the other.
    pub fn finish<E: Evaluator + ?Sized>(
        &mut self,
        evaluator: &mut E,
        rng: &mut Xoshiro256PlusPlus,
    ) {
        while let Some(leaf) = self.advance(rng) {
            evaluator.evaluate(std::slice::from_mut(leaf));
        }
    }

    /// What the search has found. It makes sense when all simulations are spent.
    pub fn plan(&self) -> Plan {
        let shares = match self.method {
            Method::Gumbel(options) if !self.tree.nodes.is_empty() => options.improved(&self.tree),
            _ => visit_shares(&self.tree),
        };
        let action = self.chosen.and_then(|place| self.tree.edges.get(place));
        let action = action.map_or(Move::Pass, |edge| edge.action);
        Plan::of(&self.tree, action, &shares, self.raw.clone())
    }

    /// The moves that were tried most, from the one to play on; none where the game is over.
    pub fn variation(&self) -> Vec<Move> {
        let action = self.chosen.and_then(|place| self.tree.edges.get(place));
        action.map_or_else(Vec::new, |edge| self.tree.variation(edge.action))
    }

    /// Counts the position of the leaf if its game is over.
    fn count(&mut self) -> bool {
        let leaf = &mut self.leaf;
        let outcome = leaf.game.outcome();
        if let Some(outcome) = outcome {
            leaf.evaluation.set_outcome(&leaf.game, outcome);
        }
        outcome.is_some()
    }

    /// Takes the evaluated leaf into the tree, behind the move with this index or as the root.
    fn take(&mut self, place: Option<usize>) {
        let leaf = &mut self.leaf;
        if leaf.evaluation.priors.is_empty() && !leaf.game.is_over() {
            leaf.evaluation.priors.push((Move::Pass, 1.0));
        }
        let child = self.tree.add(leaf, self.method.score_weight());
        match place {
            Some(place) => self.tree.connect(place, child),
            None => self.raw.clone_from(&leaf.evaluation),
        }
        self.path.push(child);
        self.tree.back_up(&self.path);
    }

    /// Draws the noise of the root, and begins to spend simulations.
    fn explore(&mut self, rng: &mut Xoshiro256PlusPlus) {
        let tree = &self.tree;
        let edges = tree.root_edges();
        let spending = &mut self.spending;
        spending.left.clear();
        spending.begun = 0;
        spending.round = 0..0;
        match self.method {
            Method::Puct(options) => options.noisy(edges, rng, &mut self.priors),
            Method::Gumbel(options) => {
                options.draw(edges, rng, &mut self.drawn);
                let drawn = &self.drawn;
                spending.left.extend(0..drawn.len());
                spending
                    .left
                    .sort_by(|a, b| drawn[*b].total_cmp(&drawn[*a]));
                let budget = options.simulations as usize;
                match options.halving {
                    Halving::Ranked if budget > 1 => {
                        let most = (options.considered.max(1) as usize).min(budget);
                        spending.left.truncate(most);
                    }
                    Halving::Ranked => {}
                    Halving::Counted => {
                        let considered = (options.considered as usize).min(drawn.len());
                        spending.counts = counted_visits(considered, budget);
                        let visits = edges.iter().map(|edge| tree.visits(edge));
                        spending.before.clear();
                        spending.before.extend(visits);
                    }
                }
            }
        }
        let root = tree.root();
        if self.raw.priors.len() != edges.len() {
            // What was kept of another search has no more than this.
            self.raw.black_wins = root.value.win;
            self.raw.black_lead = root.value.lead;
        }
    }

    /// The index of the root's move that the next simulation begins with; `None` if all are spent.
    fn next(&mut self) -> Option<usize> {
        if self.tree.root_edges().is_empty() {
            return None;
        }
        let budget = self.method.simulations() as usize;
        match self.method {
            Method::Puct(options) => {
                let spending = &mut self.spending;
                (spending.begun < budget).then(|| {
                    spending.begun += 1;
                    options.select(&self.tree, ROOT, &self.priors)
                })
            }
            Method::Gumbel(options) => match options.halving {
                Halving::Ranked if budget > 1 => self.next_ranked(&options, budget),
                Halving::Ranked => None,
                Halving::Counted => self.next_counted(&options, budget),
            },
        }
    }

    /// Sequential halving: all moves that are left get the same number of simulations, then the worse half is dropped.
    /// The rest is sorted, the best first.
    fn next_ranked(&mut self, options: &GumbelOptions, budget: usize) -> Option<usize> {
        let spending = &mut self.spending;
        let left = &mut spending.left;
        if spending.begun == spending.round.end {
            let considered = self.drawn.len().min(options.considered.max(1) as usize);
            let rounds = considered.min(budget).next_power_of_two().ilog2().max(1) as usize;
            if spending.begun > 0 {
                let worth = options.worth(&self.tree, &self.drawn);
                left.sort_by(|a, b| worth[*b].total_cmp(&worth[*a]));
                if spending.begun < budget && left.len() > 2 {
                    left.truncate(left.len().div_ceil(2));
                }
            }
            if spending.begun == budget {
                return None;
            }
            let each = (budget / (rounds * left.len())).max(1);
            let end = (spending.begun + each * left.len()).min(budget);
            spending.round = spending.begun..end;
        }
        // A round begins with the best move.
        let turn = spending.begun - spending.round.start;
        spending.begun += 1;
        Some(left[turn % left.len()])
    }

    /// The best of all moves with the number of visits that was fixed for this simulation; at the end, of all that were
    /// tried most.
    fn next_counted(&mut self, options: &GumbelOptions, budget: usize) -> Option<usize> {
        let worth = options.worth(&self.tree, &self.drawn);
        let edges = self.tree.root_edges();
        let before = self.spending.before.iter();
        let visits: Vec<u32> = edges
            .iter()
            .zip(before)
            .map(|(edge, before)| self.tree.visits(edge) - before)
            .collect();
        let begun = self.spending.begun;
        let wanted = match self.spending.counts.get(begun) {
            Some(wanted) if begun < budget => *wanted,
            _ => visits.iter().copied().max().unwrap_or(0),
        };
        let places = (0..edges.len()).rev();
        let best = places
            .filter(|place| visits[*place] == wanted)
            .max_by(|a, b| worth[*a].total_cmp(&worth[*b]));
        self.spending.left.clear();
        self.spending.left.extend(best);
        if begun == budget {
            return None;
        }
        self.spending.begun += 1;
        best
    }

    /// Descends from the root, by this move first, to a new leaf. Returns the index of the move that leads there if the
    /// caller has to evaluate it, and `None` if the game has ended there.
    fn descend(&mut self, place: usize) -> Option<usize> {
        self.leaf.game.clone_from(&self.root);
        self.path.clear();
        self.path.push(ROOT as u32);
        let mut place = place;
        loop {
            let edge: Edge = self.tree.edges[place];
            self.leaf.game.play_unchecked(edge.action);
            let Some(child) = edge.child() else {
                if !self.count() {
                    return Some(place);
                }
                self.take(Some(place));
                return None;
            };
            self.path.push(child as u32);
            if self.tree.nodes[child].moves == 0 {
                self.tree.back_up(&self.path);
                return None;
            }
            place = match self.method {
                Method::Gumbel(options) => options.select(&mut self.tree, child, &mut self.shares),
                Method::Puct(options) => options.select(&self.tree, child, &[]),
            };
        }
    }
}

/// The visits that the next move of the root must have, simulation by simulation, as the package mctx counts them.
fn counted_visits(considered: usize, simulations: usize) -> Vec<u32> {
    if considered <= 1 {
        return (0..simulations as u32).collect();
    }
    let rounds = considered.next_power_of_two().ilog2() as usize;
    let mut visits = vec![0; considered];
    let mut left = considered;
    let mut counts = Vec::with_capacity(simulations + considered);
    while counts.len() < simulations {
        for _ in 0..(simulations / (rounds * left)).max(1) {
            counts.extend(&visits[..left]);
            for visits in &mut visits[..left] {
                *visits += 1;
            }
        }
        left = (left / 2).max(2);
    }
    counts.truncate(simulations);
    counts
}
