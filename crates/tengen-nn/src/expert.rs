//! A network and rollouts together where the network has learned, and rollouts that it guides elsewhere.

use std::collections::HashMap;
use std::sync::Arc;

use tengen_core::{Game, Move, Size};
use tengen_search::{
    Aim, Evaluation, Evaluator, Judge, Leaf, Level, Model, Options, Raw, RawQuery, Rollouts,
    Tuning, near_stones,
};

use crate::baseline::is_baseline;
use crate::evaluator::NetEvaluator;
use crate::net::Net;

/// Up to this level rollouts judge: a network that has learned something is too strong for beginners even without a
/// search, and its mistakes are not theirs.
const NOVICE: u8 = 6;

/// The visits of the levels after that. The last level has no limit.
const VISITS: [u32; 3] = [12, 48, 192];

/// So many rollouts are played from each position that the network judges.
const ROLLOUTS: u8 = 2;

/// The longest side of boards on which rollouts are played beside the network. On larger ones they take far longer, and
/// what they say of an open board is far from the truth: on an empty one of 19 × 19, White leads by twenty points.
const LONGEST_ROLLOUT_SIDE: u8 = 9;

/// What the network says weighs as much as so many of them.
const NET_WEIGHT: f32 = 2.0;

/// On larger boards the network is asked about the moves of a position that was visited so often: there it takes as
/// long as five rollouts.
const GUIDED_AFTER: u32 = 8;

/// A network that never thought of a move says at least this of it, so that rollouts may still insist.
const UNTHOUGHT: f32 = 1e-6;

/// For each judgement that is remembered, the tree of an engine has so many bytes: so memory is not taken twice.
const BYTES_PER_JUDGEMENT: usize = 1 << 16;

/// Judges by a network and rollouts on boards with no side longer than those that the network has learned on, and on
/// larger ones by rollouts that the network guides.
///
/// A small network knows where to play but misses what a few moves of reading would show, such as a group that is dead
/// beyond doubt. Rollouts play those moves, and cost far less than the network. As in AlphaGo (Silver et al., 2016), a
/// position is worth the mean of what both say; the network alone names the moves. It also speaks alone of the position
/// that a search begins with, so that who asks for a single visit hears the network and not two throws of dice.
///
/// Who wins on a large board, a network that has never seen one does not know. But fights are the same everywhere, and
/// it knows their moves: near stones, what either it or the priors of the rollouts find unlikely is searched late. In
/// the open it has nothing to say.
///
/// Rollouts alone judge for the lower [levels](Level), and say which stones live when a game has ended: only they tell
/// what stays nobody's from what is not decided yet.
#[derive(Debug)]
pub struct Expert {
    net: NetEvaluator,
    rollouts: Rollouts,
    /// How the last rollout went.
    played: Evaluation,
    /// How many turns led to the position that the search began with.
    turns_before: usize,
    longest_side: u8,
    aim: Aim,
    method: Method,
}

/// How an expert judges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Method {
    /// The network names the moves and judges; on small boards two rollouts weigh as much as it does.
    Together,
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
            played: Evaluation::default(),
            turns_before: 0,
            longest_side,
            aim: Aim::BEST,
            method: Method::Together,
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

    /// Takes the mean of what the network said about a position and how games from there go.
    fn play_out(&mut self, leaf: &mut Leaf) {
        let mut weight = NET_WEIGHT;
        for _ in 0..ROLLOUTS {
            weight += 1.0;
            self.rollouts.play(&leaf.game, &mut self.played);
            approach(&mut leaf.evaluation, &self.played, 1.0 / weight);
        }
    }

    /// Lets the network have a say in what is worth a search near stones. What is played in the open is left to the
    /// rollouts' priors, and so is how likely it is to be played at all.
    fn guide(&mut self, leaf: &mut Leaf) {
        let by_net: HashMap<Move, f32> = self.net.judge(&leaf.game).priors.into_iter().collect();
        let near_stones = near_stones(leaf.game.board());
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
            Method::Together => &mut self.net,
            Method::Guided | Method::Rollouts => &mut self.rollouts,
        }
    }

    fn active(&self) -> &dyn Evaluator {
        match self.method {
            Method::Together => &self.net,
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
            Method::Together | Method::Rollouts => self.active().expand_after(),
        }
    }

    fn tuning(&self) -> Tuning {
        self.active().tuning()
    }

    fn most_visits(&self, game: &Game, aim: Aim) -> Option<u32> {
        match aim {
            Aim::Moves(level) if self.knows(game.size()) && is_for_net(level) => {
                visits_with_net(level)
            }
            _ => aim.visits(),
        }
    }

    fn prepare(&mut self, _: &Game, aim: Aim) {
        self.aim = aim;
    }

    fn begin(&mut self, game: &Game, seed: u64) {
        let suits = matches!(self.aim, Aim::Moves(level) if is_for_net(level));
        self.method = match suits {
            true if self.knows(game.size()) => Method::Together,
            true => Method::Guided,
            false => Method::Rollouts,
        };
        self.turns_before = game.turns().len();
        self.net.begin(game, seed);
        self.rollouts.begin(game, seed);
    }

    fn evaluate(&mut self, leaves: &mut [Leaf]) {
        self.active_mut().evaluate(leaves);
        for leaf in leaves {
            match self.method {
                Method::Together
                    if leaf.game.turns().len() > self.turns_before
                        && longest_side(leaf.game.size()) <= LONGEST_ROLLOUT_SIDE =>
                {
                    self.play_out(leaf);
                }
                Method::Guided if leaf.wants_priors => self.guide(leaf),
                _ => {}
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

/// Moves one evaluation so far towards another one, but for what it says about moves.
fn approach(evaluation: &mut Evaluation, other: &Evaluation, share: f32) {
    let approach = |value: &mut f32, other: f32| *value += share * (other - *value);
    approach(&mut evaluation.black_wins, other.black_wins);
    approach(&mut evaluation.black_lead, other.black_lead);
    for (owner, other) in evaluation.ownership.iter_mut().zip(&other.ownership) {
        approach(owner, *other);
    }
}

fn longest_side(size: Size) -> u8 {
    size.width().max(size.height())
}

/// Is a network's judgement not too good for this level?
pub(crate) const fn is_for_net(level: Level) -> bool {
    level.number() > NOVICE
}

/// The visits of a level that a network judges for at most.
pub(crate) fn visits_with_net(level: Level) -> Option<u32> {
    let place = level.number().checked_sub(NOVICE + 1)?;
    VISITS.get(usize::from(place)).copied()
}

/// How many judgements of a network an engine with these options remembers.
pub(crate) fn remembered(options: &Options) -> usize {
    let remembered = options.memory / BYTES_PER_JUDGEMENT;
    remembered.min(NetEvaluator::REMEMBERED)
}
