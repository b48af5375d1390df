//! A network of KataGo as the judge of a search.

use std::sync::Arc;

use tengen_core::{ByColor, Color, Game, Move, Size, Symmetry};
use tengen_search::{
    Aim, Evaluation, Evaluator, Judge, Leaf, Level, Model, Options, Raw, RawQuery, Rollouts, Skill,
    Tuning,
};
use xxhash_rust::xxh3::Xxh3;

use super::inputs::{InputOptions, Inputs};
use super::net::{Net, Position, Workspace};
use super::output::Output;
use super::profile::Profile;
use crate::evaluator::{NetEvaluator, drawn_symmetry};
use crate::expert::remembered;
use crate::memo::Memo;
use crate::softmax::softmax;

/// A pass is at most so many times as likely as all other moves together, unless passing hacks are off.
const MOST_FOR_PASS: f32 = 19.0;

/// A player whom a network imitates chooses among the moves that the network finds likely, as freely as KataGo's own
/// value for it says.
const IMITATION: Skill = Skill {
    rank: "",
    visits: Some(1),
    rollouts: Some(1),
    temperature: 0.85,
    sees: 1.0,
    looks_away: 1.0,
    counts: 1.0,
};

/// Judges positions by a network of KataGo alone, on boards that it knows; and otherwise by rollouts alone. What the
/// network said is remembered, and positions are turned before it sees them, as [`NetEvaluator`] does it.
///
/// With a [profile](KataGoEvaluator::imitating) it plays as those players would: their moves are drawn from its policy,
/// and not searched for.
#[derive(Debug)]
pub struct KataGoEvaluator {
    net: Arc<Net>,
    workspace: Workspace,
    memo: Memo<Evaluation>,
    seed: u64,
    options: InputOptions,
    rollouts: Rollouts,
    by_rollouts: bool,
    /// Whom the network imitates, if it can.
    profile: Option<Profile>,
    /// How many turns led to the position that the search began with.
    turns_before: usize,
}

impl KataGoEvaluator {
    /// A judge for one thread.
    pub fn new(net: Arc<Net>) -> Self {
        let options = InputOptions::for_net(&net);
        Self {
            net,
            workspace: Workspace::default(),
            memo: Memo::new(NetEvaluator::REMEMBERED),
            seed: 0,
            options,
            rollouts: Rollouts::new(&Tuning::default()),
            by_rollouts: false,
            profile: None,
            turns_before: 0,
        }
    }

    /// Imitates these players, if the network has learned from people; otherwise nothing changes.
    #[must_use]
    pub fn imitating(self, profile: Profile) -> Self {
        let profile = Some(profile).filter(|_| self.net.about().has_metadata);
        Self { profile, ..self }
    }

    /// A judge that makes such evaluators.
    pub fn judge(net: &Arc<Net>) -> Judge {
        Self::judge_as(net, None)
    }

    /// A judge that makes evaluators which imitate these players.
    pub fn judge_imitating(net: &Arc<Net>, profile: Profile) -> Judge {
        Self::judge_as(net, Some(profile))
    }

    fn judge_as(net: &Arc<Net>, profile: Option<Profile>) -> Judge {
        let net = Arc::clone(net);
        let name = match profile {
            Some(profile) => format!("network {} as {profile}", net.about()),
            None => format!("network {}", net.about()),
        };
        Judge::new(&name, move |options: &Options| {
            let mut evaluator = Self::new(Arc::clone(&net));
            if let Some(profile) = profile {
                evaluator = evaluator.imitating(profile);
            }
            Box::new(Self {
                seed: options.seed,
                memo: Memo::new(remembered(options)),
                ..evaluator
            })
        })
    }

    /// The network.
    pub const fn net(&self) -> &Arc<Net> {
        &self.net
    }

    /// What the network says about a position as it lies, with no search.
    pub fn ask(&mut self, game: &Game) -> Output {
        self.ask_turned(game, &Inputs::of(game, &self.options), Symmetry::IDENTITY)
    }

    /// What the network is told of the players.
    fn metadata(&self, game: &Game) -> Vec<f32> {
        let profile = self.profile.as_ref();
        profile.map_or_else(Vec::new, |of| of.inputs(game.to_move(), game.size()))
    }

    fn ask_turned(&mut self, game: &Game, inputs: &Inputs, symmetry: Symmetry) -> Output {
        let asked = [(game, inputs, symmetry)];
        self.ask_all(&asked).pop().expect("one was asked for")
    }

    /// What the network says about positions on boards of one size.
    fn ask_all(&mut self, asked: &[(&Game, &Inputs, Symmetry)]) -> Vec<Output> {
        let Some((first, ..)) = asked.first() else {
            return Vec::new();
        };
        let metadata: Vec<Vec<f32>> = asked.iter().map(|(game, ..)| self.metadata(game)).collect();
        let positions: Vec<Position<'_>> = asked
            .iter()
            .zip(&metadata)
            .map(|((game, inputs, symmetry), metadata)| Position {
                metadata,
                ..Position::of(game, inputs, *symmetry)
            })
            .collect();
        self.net
            .evaluate(&mut self.workspace, first.size(), &positions)
    }

    /// A number that differs between positions that the network, or the moves of a search, can tell apart.
    fn key(&self, game: &Game, inputs: &Inputs) -> u128 {
        let size = game.size();
        let mut hasher = Xxh3::new();
        hasher.update(&[size.width(), size.height(), game.rules().suicide as u8]);
        let planes = inputs.spatial.iter().chain(&inputs.global);
        let bytes: Vec<u8> = planes.flat_map(|value| value.to_le_bytes()).collect();
        hasher.update(&bytes);
        if self.profile.is_some() {
            // Players may have different ranks.
            hasher.update(&[game.to_move() as u8]);
        }
        hasher.digest128()
    }

    /// What the network sees of a position of a search, and its key.
    fn look_at(&self, game: &Game) -> (Inputs, u128) {
        let options = InputOptions {
            conservative_pass: game.turns().len() == self.turns_before,
            ..self.options
        };
        let inputs = Inputs::of(game, &options);
        let key = self.key(game, &inputs);
        (inputs, key)
    }
}

impl Evaluator for KataGoEvaluator {
    fn batch(&self) -> usize {
        match self.by_rollouts {
            true => self.rollouts.batch(),
            false => 1,
        }
    }

    fn expand_after(&self) -> u32 {
        match self.by_rollouts {
            true => self.rollouts.expand_after(),
            false => 1,
        }
    }

    fn tuning(&self) -> Tuning {
        match self.by_rollouts {
            true => self.rollouts.tuning(),
            false => Tuning::for_katago(),
        }
    }

    fn skill(&self, level: Level) -> Option<Skill> {
        match self.profile {
            Some(_) => Some(IMITATION),
            None => (level != Level::FULL).then(|| *level.skill()),
        }
    }

    fn most_visits(&self, game: &Game, aim: Aim) -> Option<u32> {
        match aim {
            Aim::Moves(_) if knows(game.size()) && self.profile.is_some() => IMITATION.visits,
            _ if knows(game.size()) => aim.visits(),
            _ => aim.rollouts(),
        }
    }

    fn begin(&mut self, game: &Game, seed: u64) {
        self.by_rollouts = !knows(game.size());
        self.turns_before = game.turns().len();
        self.rollouts.begin(game, seed);
    }

    fn evaluate(&mut self, leaves: &mut [Leaf]) {
        // Who begins no search may still have a board that is too large.
        let is_known = |leaf: &Leaf| knows(leaf.game.size());
        if self.by_rollouts || !leaves.iter().all(is_known) {
            return self.rollouts.evaluate(leaves);
        }
        let mut unknown = Vec::new();
        for (place, leaf) in leaves.iter_mut().enumerate() {
            let (inputs, key) = self.look_at(&leaf.game);
            match self.memo.get(key) {
                Some(known) => leaf.evaluation.clone_from(known),
                None => unknown.push((place, inputs, key)),
            }
        }
        let asked: Vec<(&Game, &Inputs, Symmetry)> = unknown
            .iter()
            .map(|(place, inputs, key)| {
                let game = &leaves[*place].game;
                (game, inputs, drawn_symmetry(game.size(), *key, self.seed))
            })
            .collect();
        let outputs = self.ask_all(&asked);
        for ((place, _, key), output) in unknown.iter().zip(outputs) {
            let leaf = &mut leaves[*place];
            leaf.evaluation = evaluation(&leaf.game, &output, self.options.passing_hacks);
            self.memo.insert(*key, leaf.evaluation.clone());
        }
    }

    fn raw(&mut self, game: &Game, query: &RawQuery) -> Option<Raw> {
        if !knows(game.size()) {
            return None;
        }
        let options = InputOptions {
            passing_hacks: self.options.passing_hacks && !query.plainly,
            ..self.options
        };
        let inputs = Inputs::of(game, &options);
        let drawn = || drawn_symmetry(game.size(), self.key(game, &inputs), self.seed);
        let symmetry = query.symmetry.unwrap_or_else(drawn);
        let output = self.ask_turned(game, &inputs, symmetry);
        Some(raw(game, &output, query.optimism.unwrap_or(0.0)))
    }

    fn models(&self) -> Vec<Model> {
        let about = self.net.about();
        vec![Model {
            name: about.name.clone(),
            version: u32::try_from(about.version).unwrap_or(u32::MAX),
            batch: self.batch(),
            imitates: about.has_metadata,
        }]
    }
}

/// What a network said, before any search. So much of its optimistic policy counts as is asked for.
fn raw(game: &Game, output: &Output, optimism: f32) -> Raw {
    let (size, legal) = (game.size(), game.legal_moves());
    let sign = game.to_move().sign(1) as f32;
    let optimistic = output.optimistic_policy.as_ref().unwrap_or(&output.policy);
    let logits = output.policy.iter().zip(optimistic);
    let mut logits = logits.map(|(usual, optimistic)| usual + optimism * (optimistic - usual));
    let mut policy: Vec<Option<f32>> = size
        .points()
        .iter()
        .map(|point| logits.next().filter(|_| legal.contains(point)))
        .collect();
    policy.push(logits.next());
    softmax(policy.iter_mut().flatten());
    let (win, loss) = (output.win, output.loss);
    Raw {
        wins: match game.to_move() {
            Color::Black => ByColor::new(win, loss),
            Color::White => ByColor::new(loss, win),
        },
        no_result: output.no_result,
        black_lead: sign * output.lead,
        black_score: Some(sign * output.score_mean),
        score_spread: Some(output.score_stdev),
        time_left: output.time_variance,
        win_error: output.value_error,
        score_error: output.score_error,
        policy,
        ownership: output.ownership.iter().map(|owner| sign * owner).collect(),
    }
}

/// Does a network know boards of this size?
fn knows(size: Size) -> bool {
    size.width().max(size.height()) <= Net::LONGEST_SIDE
}

/// What a network said, as a search wants it.
fn evaluation(game: &Game, output: &Output, passing_hacks: bool) -> Evaluation {
    // No result is half a win.
    let wins = output.win + output.no_result / 2.0;
    let sign = game.to_move().sign(1) as f32;
    let black_wins = match game.to_move() {
        Color::Black => wins,
        Color::White => 1.0 - wins,
    };
    let size = game.size();
    let legal = game.legal_moves();
    let plays = legal
        .iter()
        .map(|point| (Move::Play(point), output.policy[size.index(point)]));
    let mut priors: Vec<(Move, f32)> = plays.collect();
    priors.push((Move::Pass, output.policy[size.area()]));
    softmax(priors.iter_mut().map(|(_, prior)| prior));
    if passing_hacks && priors.len() > 1 {
        limit_pass(&mut priors);
    }
    Evaluation {
        black_wins,
        black_lead: sign * output.lead,
        lead_spread: output.score_stdev,
        ownership: output.ownership.iter().map(|owner| sign * owner).collect(),
        priors,
        later: Vec::new(),
    }
}

/// Takes from a pass, which comes last, what it has beyond its limit. All stay together 1.
fn limit_pass(priors: &mut [(Move, f32)]) {
    let Some(((_, pass), others)) = priors.split_last_mut() else {
        return;
    };
    let sum: f32 = others.iter().map(|(_, prior)| prior).sum();
    if *pass > MOST_FOR_PASS * sum && sum > 0.0 {
        *pass = MOST_FOR_PASS * sum;
        let all = sum + *pass;
        for (_, prior) in priors {
            *prior /= all;
        }
    }
}
