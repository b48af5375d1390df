//! A network where it has learned, and rollouts that it guides elsewhere.

use std::collections::HashMap;
use std::sync::Arc;

use tengen_core::{Game, Move, Size};
use tengen_search::{
    Aim, Evaluator, Judge, Leaf, Model, Options, Raw, RawQuery, Rollouts, Tuning, near_stones,
};

use crate::baseline::is_baseline;
use crate::evaluator::NetEvaluator;
use crate::net::Net;

/// On larger boards the network is asked about the moves of a position that was visited so often: there it takes as
/// long as five rollouts.
const GUIDED_AFTER: u32 = 8;

/// A network that never thought of a move says at least this of it, so that rollouts may still insist.
const UNTHOUGHT: f32 = 1e-6;

/// For each judgement that is remembered, the tree of an engine has so many bytes: so memory is not taken twice.
const BYTES_PER_JUDGEMENT: usize = 1 << 16;

/// Judges by a network on boards with no side longer than those that it has learned on, and on larger ones by rollouts
/// that the network guides.
///
/// Who wins on a large board, a network that has never seen one does not know. But fights are the same everywhere, and
/// it knows their moves: near stones, what either it or the priors of the rollouts find unlikely is searched late. In
/// the open it has nothing to say.
///
/// Rollouts alone say which stones live when a game has ended: only they tell what stays nobody's from what is not
/// decided yet.
#[derive(Debug)]
pub struct Expert {
    net: NetEvaluator,
    rollouts: Rollouts,
    longest_side: u8,
    aim: Aim,
    method: Method,
}

/// How an expert judges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Method {
    /// The network names the moves and judges.
    Network,
    /// Rollouts judge, and the network has a say in which moves they look at.
    Guided,
    /// Rollouts judge alone.
    Rollouts,
}

impl Expert {
    /// Trusts the network on boards with sides up to this long.
    pub fn new(net: NetEvaluator, longest_side: u8) -> Self {
        Self {
            net: net.familiar_with(longest_side),
            rollouts: Rollouts::new(&Tuning::default()),
            longest_side,
            aim: Aim::BEST,
            method: Method::Network,
        }
    }

    /// A judge with this name that makes such experts. How far it goes is added to its name.
    pub fn judge(name: &str, net: &Arc<Net>, longest_side: u8) -> Judge {
        let net = Arc::clone(net);
        let name = match longest_side {
            u8::MAX => name.to_owned(),
            side => format!("{name} up to {side}x{side}"),
        };
        Judge::new(&name, move |options: &Options| {
            Box::new(Self::with_options(&net, longest_side, options))
        })
    }

    /// An expert with the seed of an engine and a part of its memory.
    pub(crate) fn with_options(net: &Arc<Net>, longest_side: u8, options: &Options) -> Self {
        let net = NetEvaluator::new(Arc::clone(net))
            .with_seed(options.seed)
            .remembering(remembered(options));
        Self::new(net, longest_side)
    }

    /// A judge that trusts a network on boards with sides as long as its [note](crate::LONGEST_SIDE) says, and on all
    /// boards if it has none. With the baseline for small boards comes the one for large boards.
    pub fn judge_by_note(net: &Arc<Net>, longest_side: Option<&str>) -> Judge {
        if is_baseline(net) {
            return Self::baseline();
        }
        Self::judge_as_noted(net, longest_side)
    }

    /// The same for a network that is no part of the program: who needs nothing else does not get the baselines along.
    pub(crate) fn judge_as_noted(net: &Arc<Net>, longest_side: Option<&str>) -> Judge {
        let longest_side = longest_side.and_then(|side| side.parse().ok());
        let name = format!("network {}", net.architecture());
        Self::judge(&name, net, longest_side.unwrap_or(u8::MAX))
    }

    /// Does the network judge boards of this size?
    pub(crate) fn knows(&self, size: Size) -> bool {
        longest_side(size) <= self.longest_side
    }

    /// Lets the network have a say in what is worth a search near stones. What is played in the open is left to the
    /// rollouts' priors, and so is how likely it is to be played at all.
    fn guide(&mut self, leaf: &mut Leaf) {
        let near_stones = near_stones(leaf.game.board());
        if near_stones.is_empty() {
            return;
        }
        let by_net: HashMap<Move, f32> = self.net.judge(&leaf.game).priors.into_iter().collect();
        let is_near = |action: Move| {
            action
                .point()
                .is_none_or(|point| near_stones.contains(point))
        };
        let priors = &mut leaf.evaluation.priors;
        let (mut before, mut after) = (0.0, 0.0);
        for (action, prior) in priors.iter_mut().filter(|(action, _)| is_near(*action)) {
            let said = by_net.get(action).copied().unwrap_or(0.0);
            before += *prior;
            *prior = (*prior * said.max(UNTHOUGHT)).sqrt();
            after += *prior;
        }
        for (_, prior) in priors.iter_mut().filter(|(action, _)| is_near(*action)) {
            *prior *= before / after;
        }
        priors.sort_by(|a, b| b.1.total_cmp(&a.1));
    }

    fn active_mut(&mut self) -> &mut dyn Evaluator {
        match self.method {
            Method::Network => &mut self.net,
            Method::Guided | Method::Rollouts => &mut self.rollouts,
        }
    }

    fn active(&self) -> &dyn Evaluator {
        match self.method {
            Method::Network => &self.net,
            Method::Guided | Method::Rollouts => &self.rollouts,
        }
    }
}

impl Evaluator for Expert {
    fn batch(&self) -> usize {
        self.active().batch()
    }

    fn expand_after(&self) -> u32 {
        match self.method {
            Method::Guided => GUIDED_AFTER,
            Method::Network | Method::Rollouts => self.active().expand_after(),
        }
    }

    fn tuning(&self) -> Tuning {
        self.active().tuning()
    }

    fn most_visits(&self, game: &Game, aim: Aim) -> Option<u32> {
        match self.knows(game.size()) {
            true => aim.visits(),
            false => aim.rollouts(),
        }
    }

    fn prepare(&mut self, _: &Game, aim: Aim) {
        self.aim = aim;
    }

    fn begin(&mut self, game: &Game, seed: u64) {
        self.method = match self.aim {
            Aim::Moves(_) if self.knows(game.size()) => Method::Network,
            Aim::Moves(_) => Method::Guided,
            Aim::Life => Method::Rollouts,
        };
        self.net.begin(game, seed);
        self.rollouts.begin(game, seed);
    }

    fn evaluate(&mut self, leaves: &mut [Leaf]) {
        self.active_mut().evaluate(leaves);
        if self.method == Method::Guided {
            for leaf in leaves.iter_mut().filter(|leaf| leaf.wants_priors) {
                self.guide(leaf);
            }
        }
    }

    fn raw(&mut self, game: &Game, query: &RawQuery) -> Option<Raw> {
        if !self.knows(game.size()) {
            return None;
        }
        self.net.raw(game, query)
    }

    fn models(&self) -> Vec<Model> {
        self.net.models()
    }
}

fn longest_side(size: Size) -> u8 {
    size.width().max(size.height())
}

/// How many judgements of a network an engine with these options remembers.
pub(crate) fn remembered(options: &Options) -> usize {
    let remembered = options.memory / BYTES_PER_JUDGEMENT;
    remembered.min(NetEvaluator::REMEMBERED)
}
