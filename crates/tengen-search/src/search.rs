//! The search itself: one worker for each thread, all on one tree.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tengen_core::{Game, Move, Outcome, Point, Reason, Scoring};

use crate::backup::Backup;
use crate::evaluator::{Evaluation, Evaluator, Leaf};
use crate::limits::{Beside, Limits, Restrictions, Stop};
use crate::puct::Exploration;
use crate::root;
use crate::stopwatch::Stopwatch;
use crate::tree::{Node, Tree};
use crate::tuning::Tuning;
use crate::utility::Value;

/// A search of one position that all its workers share.
pub(crate) struct Search<'a> {
    pub(crate) tree: &'a Tree,
    pub(crate) root: &'a Game,
    pub(crate) tuning: &'a Tuning,
    /// How much wider the search is than on a board of 9 × 9.
    pub(crate) breadth: f32,
    /// The lead of Black from which scores are seen, once it is known.
    pub(crate) center: &'a OnceLock<f32>,
    pub(crate) restrictions: &'a Restrictions,
    pub(crate) beside: Option<Beside>,
    /// When it ends for good.
    pub(crate) limits: Limits,
    /// When it pauses. Time counts from the beginning of this portion.
    pub(crate) pause: Limits,
    /// The time of the portions before this one.
    pub(crate) spent: Duration,
    /// Measures this portion.
    pub(crate) watch: Stopwatch,
    pub(crate) stop: &'a Stop,
    pub(crate) ended: AtomicBool,
    pub(crate) full: AtomicBool,
}

/// Whose points were in the games of one worker.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ownership {
    pub(crate) sums: Vec<f32>,
    pub(crate) squares: Vec<f32>,
    pub(crate) games: u32,
}

impl Ownership {
    fn add(&mut self, ownership: &[f32]) {
        self.sums.resize(ownership.len(), 0.0);
        self.squares.resize(ownership.len(), 0.0);
        for (sum, owner) in self.sums.iter_mut().zip(ownership) {
            *sum += owner;
        }
        for (sum, owner) in self.squares.iter_mut().zip(ownership) {
            *sum += owner * owner;
        }
        self.games += 1;
    }

    /// Whose each point was on average: 1 is Black's, -1 White's.
    pub(crate) fn means(&self) -> Vec<f32> {
        let games = self.games.max(1) as f32;
        self.sums.iter().map(|sum| sum / games).collect()
    }

    /// The standard deviations of that.
    pub(crate) fn spreads(&self) -> Vec<f32> {
        let games = self.games.max(1) as f32;
        let squares = self.squares.iter().map(|sum| sum / games);
        let variances = squares.zip(self.means());
        variances
            .map(|(square, mean)| (square - mean * mean).max(0.0).sqrt())
            .collect()
    }

    /// Adds what another worker saw.
    pub(crate) fn merge(&mut self, other: &Self) {
        if other.games == 0 {
            return;
        }
        self.sums.resize(other.sums.len(), 0.0);
        self.squares.resize(other.squares.len(), 0.0);
        for (sum, more) in self.sums.iter_mut().zip(&other.sums) {
            *sum += more;
        }
        for (sum, more) in self.squares.iter_mut().zip(&other.squares) {
            *sum += more;
        }
        self.games += other.games;
    }
}

/// Whose points were after each move of the root, and in all games.
#[derive(Clone, Debug, Default)]
pub(crate) struct Seen {
    pub(crate) all: Ownership,
    pub(crate) by_move: Vec<Ownership>,
}

impl Seen {
    fn add(&mut self, root_move: Option<usize>, ownership: &[f32]) {
        self.all.add(ownership);
        if let Some(index) = root_move {
            if self.by_move.len() <= index {
                self.by_move.resize_with(index + 1, Ownership::default);
            }
            self.by_move[index].add(ownership);
        }
    }

    /// Adds what another worker saw.
    pub(crate) fn merge(&mut self, other: &Self) {
        self.all.merge(&other.all);
        if self.by_move.len() < other.by_move.len() {
            self.by_move
                .resize_with(other.by_move.len(), Ownership::default);
        }
        for (own, more) in self.by_move.iter_mut().zip(&other.by_move) {
            own.merge(more);
        }
    }
}

impl Search<'_> {
    /// Should all workers end?
    pub(crate) fn is_over(&self) -> bool {
        self.ended.load(Ordering::Relaxed)
            || self.full.load(Ordering::Relaxed)
            || self.is_over_for_good()
            || self.exceeds(self.pause, Duration::ZERO)
    }

    /// How many leaves are judged together, if the evaluator likes to judge so many: few beside the visits so far,
    /// since all but the first are chosen without knowing what those before are worth, and no more than are wanted.
    fn together(&self, most: usize) -> usize {
        let visits = self.tree.root().visits();
        let share = self.tuning.batch_share * visits as f32;
        let limits = [self.limits.visits, self.pause.visits]
            .into_iter()
            .flatten();
        let left = limits
            .min()
            .map_or(u32::MAX, |most| most.saturating_sub(visits));
        most.min(share as usize).min(left as usize).max(1)
    }

    /// Would another portion change nothing?
    pub(crate) fn is_over_for_good(&self) -> bool {
        self.stop.is_stopped() || self.exceeds(self.limits, self.spent)
    }

    /// How many visits are left before the end, as far as one can say; `None` if there is no end.
    pub(crate) fn visits_left(&self) -> Option<u32> {
        let visits = self.tree.root().visits();
        let by_visits = self.limits.visits.map(|most| most.saturating_sub(visits));
        let by_time = self.limits.time.map(|most| {
            let spent = self.spent + self.watch.elapsed();
            let spent = spent.as_secs_f32().max(1e-3);
            let left = most.as_secs_f32() - spent;
            (visits as f32 / spent * left.max(0.0)) as u32
        });
        match (by_visits, by_time) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (left, None) | (None, left) => left,
        }
    }

    /// So many visits a move of the root must be able to reach to be worth one: see [`Tuning::futile_share`].
    pub(crate) fn least_prospects(&self, children: &[Node]) -> u32 {
        if self.tuning.futile_share <= 0.0 || !self.limits.may_end_early {
            return 0;
        }
        let most = children.iter().map(Node::visits).max().unwrap_or(0);
        let share = (self.tuning.futile_share * most as f32) as u32;
        share.saturating_sub(self.visits_left().unwrap_or(u32::MAX))
    }

    /// Is one of these limits reached, so much time having been spent before?
    fn exceeds(&self, limits: Limits, spent: Duration) -> bool {
        limits
            .visits
            .is_some_and(|most| self.tree.root().visits() >= most)
            || limits
                .time
                .is_some_and(|most| spent + self.watch.elapsed() >= most)
    }
}

/// What one thread needs to search.
pub(crate) struct Worker<'a> {
    search: &'a Search<'a>,
    evaluator: &'a mut dyn Evaluator,
    leaves: Vec<Leaf>,
    /// For each leaf, the nodes from the root to it.
    paths: Vec<Vec<&'a Node>>,
    /// Who played first on each point in the rest of a game: 0 is nobody.
    first: Box<[u8; Point::INDICES]>,
    /// For each leaf, which move of the root led to it.
    root_moves: Vec<Option<usize>>,
    backup: Backup,
    /// What was seen in all games, and after each move of the root.
    pub(crate) seen: Seen,
}

/// Where a descent ended.
enum Descent {
    /// At a position that must be judged; was it claimed to give it children?
    Leaf { claimed: bool },
    /// At a position that is to get children and is judged already, maybe in the same batch.
    Claimed,
    /// At the end of the game, whose result is the evaluation.
    End,
}

impl<'a> Worker<'a> {
    pub(crate) fn new(search: &'a Search<'a>, evaluator: &'a mut dyn Evaluator) -> Self {
        let batch = evaluator.batch().max(1);
        let leaf = || Leaf {
            game: search.root.clone(),
            wants_priors: false,
            evaluation: Evaluation::default(),
        };
        Self {
            leaves: (0..batch).map(|_| leaf()).collect(),
            paths: vec![Vec::new(); batch],
            search,
            evaluator,
            first: Box::new([0; Point::INDICES]),
            root_moves: vec![None; batch],
            backup: Backup::default(),
            seen: Seen::default(),
        }
    }

    /// Searches until somebody says that it is enough. `between` is called between two batches.
    pub(crate) fn run(&mut self, mut between: impl FnMut(&mut Self)) {
        while !self.search.is_over() {
            self.step();
            between(self);
        }
    }

    /// Gathers a batch of leaves, has them judged, and takes what was said up the tree.
    pub(crate) fn step(&mut self) {
        let most = self.search.together(self.leaves.len());
        let mut gathered = 0;
        while gathered < most {
            match self.descend(gathered) {
                Descent::Claimed if gathered > 0 => {
                    // It would say the same again.
                    for node in &self.paths[gathered] {
                        node.take_back_visit();
                    }
                    break;
                }
                descent @ (Descent::Leaf { .. } | Descent::Claimed) => {
                    let claimed = matches!(descent, Descent::Leaf { claimed: true });
                    self.leaves[gathered].wants_priors = claimed;
                    gathered += 1;
                }
                Descent::End => {
                    self.back_up(gathered);
                    break;
                }
            }
        }
        if gathered == 0 {
            return;
        }
        self.evaluator.evaluate(&mut self.leaves[..gathered]);
        for slot in 0..gathered {
            if self.leaves[slot].wants_priors {
                if let [_] = self.paths[slot][..] {
                    let Leaf {
                        game, evaluation, ..
                    } = &mut self.leaves[slot];
                    let priors = &mut evaluation.priors;
                    root::refine(self.evaluator, game, priors, self.search.tuning);
                }
                self.search
                    .expand(&self.paths[slot], &mut self.leaves[slot]);
            }
            self.back_up(slot);
        }
    }

    /// Goes down the tree along the best moves, to a position without children.
    fn descend(&mut self, slot: usize) -> Descent {
        let search = self.search;
        let Leaf {
            game, evaluation, ..
        } = &mut self.leaves[slot];
        let path = &mut self.paths[slot];
        game.clone_from(search.root);
        path.clear();
        self.root_moves[slot] = None;
        let mut node = search.tree.root();
        loop {
            path.push(node);
            let before = node.begin_visit();
            if let Some(outcome) = game.outcome() {
                if is_agreement(game, outcome) {
                    return Descent::Leaf { claimed: false };
                }
                evaluation.set_outcome(game, outcome);
                return Descent::End;
            }
            let children = search.tree.children(node);
            if children.is_empty() {
                let ripe = before + 1 >= self.evaluator.expand_after() || path.len() == 1;
                let claimed = ripe && !node.is_claimed() && node.claim();
                return match ripe && !claimed {
                    true => Descent::Claimed,
                    false => Descent::Leaf { claimed },
                };
            }
            let is_root = path.len() == 1;
            let owed = is_root.then(|| search.owed(node, children)).flatten();
            let chosen = owed.unwrap_or_else(|| search.select(node, children, is_root));
            if is_root {
                self.root_moves[slot] = Some(chosen);
            }
            node = &children[chosen];
            game.play_unchecked(node.action());
        }
    }

    /// Takes what a leaf is worth up its path to the root, and what its game shows about moves played later.
    fn back_up(&mut self, slot: usize) {
        let (leaf, path) = (&self.leaves[slot], &self.paths[slot]);
        let later = &leaf.evaluation.later;
        // What was played earlier overwrites what was played later on the same point.
        for (color, point) in later.iter().rev() {
            self.first[point.index()] = *color as u8;
        }
        let mut value = self.search.value(leaf);
        let mut to_move = leaf.game.to_move();
        for node in path.iter().rev() {
            node.end_visit(value);
            if self.search.tuning.weighs_children() {
                let children = self.search.tree.children(node);
                self.backup.weigh(node, children, self.search.tuning);
            }
            if !later.is_empty() {
                let utility = 1.0 - value.utility;
                for child in self.search.tree.children(node) {
                    if self.first[child.action_index()] == to_move as u8 {
                        child.add_amaf(utility);
                    }
                }
                // A pass has index 0, which no point has.
                self.first[node.action_index()] = !to_move as u8;
                self.first[0] = 0;
            }
            value = value.reversed();
            to_move = !to_move;
        }
        if !later.is_empty() {
            for (_, point) in later {
                self.first[point.index()] = 0;
            }
            for node in path {
                self.first[node.action_index()] = 0;
            }
        }
        self.seen
            .add(self.root_moves[slot], &leaf.evaluation.ownership);
    }
}

impl Search<'_> {
    /// The index of the move of the root that has not had its share of the visits yet.
    fn owed(&self, root: &Node, children: &[Node]) -> Option<usize> {
        let Beside { action, share } = self.beside?;
        let index = children.iter().position(|child| child.action() == action)?;
        let due = share * root.visits() as f32;
        ((children[index].visits() as f32) < due).then_some(index)
    }

    /// The index of the child that gets the next visit, by PUCT with first-play urgency and RAVE.
    fn select(&self, node: &Node, children: &[Node], is_root: bool) -> usize {
        let tuning = self.tuning;
        let exploration = Exploration::new(node, children, tuning, self.breadth, is_root);
        let first_play_urgency = exploration.first_play_urgency;
        let least = match is_root {
            true => self.least_prospects(children),
            false => 0,
        };
        let start = tuning.amaf_start;
        let mut best = 0;
        let mut best_score = f32::MIN;
        for (index, child) in children.iter().enumerate() {
            if child.visits() < least {
                continue;
            }
            let visits = child.visits() as f32;
            let amaf = child.amaf();
            let games = amaf.games + start;
            let amaf_value = if games > 0.0 {
                (amaf.sum + start * first_play_urgency) / games
            } else {
                first_play_urgency
            };
            let value = if visits > 0.0 {
                let share = games / (games + visits + tuning.amaf_bias * games * visits);
                share * amaf_value + (1.0 - share) * child.utility_sum() / visits
            } else {
                amaf_value
            };
            let score = exploration.urgency(value, child.prior(), visits);
            if score > best_score {
                best_score = score;
                best = index;
            }
        }
        best
    }

    /// Gives the last node of a path the children that the evaluator named.
    fn expand(&self, path: &[&Node], leaf: &mut Leaf) {
        let Some(node) = path.last() else {
            return;
        };
        let color = leaf.game.to_move();
        let depth = path.len() as u32 - 1;
        if !self.restrictions.is_empty() {
            leaf.evaluation
                .priors
                .retain(|(action, _)| self.restrictions.permit(color, *action, depth));
        }
        if leaf.evaluation.priors.is_empty() {
            leaf.evaluation.priors.push((Move::Pass, 1.0));
        }
        if self.tuning.noise_pruning > 0.0 {
            leaf.evaluation.priors.sort_by(|a, b| b.1.total_cmp(&a.1));
        }
        if !self.tree.expand(node, &leaf.evaluation.priors) {
            node.disclaim();
            self.full.store(true, Ordering::Relaxed);
        }
    }

    /// What an evaluation is worth to the player who led to the position.
    fn value(&self, leaf: &Leaf) -> Value {
        let size = leaf.game.size();
        let lead = leaf.evaluation.black_lead;
        let center = self.center.get_or_init(|| self.tuning.center(lead, size));
        let score = self.tuning.score(*center, size);
        Value::with_score(&leaf.evaluation, size.area(), &score).seen_by(!leaf.game.to_move())
    }
}

/// Did the game end in a count before which the players agree on what is dead? Then nobody knows the count by the
/// board.
fn is_agreement(game: &Game, outcome: Outcome) -> bool {
    game.rules().scoring == Scoring::Territory
        && matches!(outcome, Outcome::Draw | Outcome::Win(_, Reason::Score(_)))
}
