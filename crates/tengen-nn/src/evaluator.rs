//! A network as the judge of a search.

use std::sync::Arc;

use tengen_core::{ByColor, Color, Game, Move, PointSet, Size, Symmetry};
use tengen_search::{Evaluation, Evaluator, Leaf, Model, Raw, RawQuery};

use crate::features::Inputs;
use crate::memo::Memo;
use crate::net::{Net, Output, Workspace};
use crate::softmax::softmax;

/// Spreads the bits of small seeds.
const ODD: u64 = 0x9e37_79b9_7f4a_7c15;

/// The network is asked about so many positions at once: more would not stay in the caches.
const TOGETHER: usize = 8;

/// The version of the format of networks, as protocols want to know it.
const FORMAT: u32 = 1;

/// Judges positions by a network. What it said is remembered, so that a position that comes up again costs nothing.
///
/// A position is turned before the network sees it, in a way that depends on the position and a seed alone: so the
/// network's habits on one side of the board do not add up, and the same search always finds the same.
#[derive(Debug)]
pub struct NetEvaluator {
    net: Arc<Net>,
    workspace: Workspace,
    memo: Memo<Evaluation>,
    seed: u64,
}

impl NetEvaluator {
    /// How many judgements are remembered unless somebody says otherwise.
    pub const REMEMBERED: usize = 1 << 13;

    /// A judge for one thread.
    pub fn new(net: Arc<Net>) -> Self {
        Self {
            net,
            workspace: Workspace::default(),
            memo: Memo::new(Self::REMEMBERED),
            seed: 0,
        }
    }

    /// Turns positions by this seed. What is remembered must not depend on which search asked first, so it is one seed
    /// for all.
    #[must_use]
    pub fn with_seed(self, seed: u64) -> Self {
        Self { seed, ..self }
    }

    /// Remembers so many judgements at most.
    #[must_use]
    pub fn remembering(self, judgements: usize) -> Self {
        Self {
            memo: Memo::new(judgements),
            ..self
        }
    }

    /// Pools larger boards as if their sides were so long: see [`Workspace::familiar_with`].
    #[must_use]
    pub fn familiar_with(self, longest_side: u8) -> Self {
        Self {
            workspace: Workspace::familiar_with(longest_side),
            ..self
        }
    }

    /// The network.
    pub const fn net(&self) -> &Arc<Net> {
        &self.net
    }

    /// What the network says about a position.
    pub(crate) fn judge(&mut self, game: &Game) -> Evaluation {
        let inputs = Inputs::new(game);
        let key = inputs.hash();
        if let Some(known) = self.memo.get(key) {
            return known.clone();
        }
        let symmetry = drawn_symmetry(inputs.size(), key, self.seed);
        let position = [(inputs, symmetry)];
        let output = self.net.evaluate(&mut self.workspace, &position).remove(0);
        let [(inputs, _)] = position;
        let evaluation = evaluation(game, inputs.worth_playing(), &output);
        self.memo.insert(key, evaluation.clone());
        evaluation
    }
}

impl NetEvaluator {
    /// The same about several positions at once, which costs less than one after the other.
    fn judge_together(&mut self, leaves: &mut [Leaf]) {
        let (mut positions, mut asked) = (Vec::new(), Vec::new());
        for (index, leaf) in leaves.iter_mut().enumerate() {
            let inputs = Inputs::new(&leaf.game);
            let key = inputs.hash();
            if let Some(known) = self.memo.get(key) {
                leaf.evaluation.clone_from(known);
                continue;
            }
            let symmetry = drawn_symmetry(inputs.size(), key, self.seed);
            positions.push((inputs, symmetry));
            asked.push((index, key));
        }
        // A pass of the network has boards of one size.
        let mut first = 0;
        for positions in positions.chunk_by(|a, b| a.0.size() == b.0.size()) {
            let outputs = self.net.evaluate(&mut self.workspace, positions);
            let asked = &asked[first..first + positions.len()];
            for (((index, key), (inputs, _)), output) in asked.iter().zip(positions).zip(&outputs) {
                let leaf = &mut leaves[*index];
                leaf.evaluation = evaluation(&leaf.game, inputs.worth_playing(), output);
                self.memo.insert(*key, leaf.evaluation.clone());
            }
            first += positions.len();
        }
    }
}

impl Evaluator for NetEvaluator {
    fn begin(&mut self, _: &Game, _: u64) {}

    fn evaluate(&mut self, leaves: &mut [Leaf]) {
        for leaves in leaves.chunks_mut(TOGETHER) {
            match leaves {
                [leaf] => leaf.evaluation = self.judge(&leaf.game),
                _ => self.judge_together(leaves),
            }
        }
    }

    fn raw(&mut self, game: &Game, query: &RawQuery) -> Option<Raw> {
        let legal = game.legal_moves();
        let evaluation = match query.symmetry {
            Some(symmetry) => {
                let position = [(Inputs::new(game), symmetry)];
                let output = self.net.evaluate(&mut self.workspace, &position).remove(0);
                evaluation(game, legal, &output)
            }
            // What a search has asked is remembered.
            None => self.judge(game),
        };
        Some(raw(game, &legal, evaluation))
    }

    fn models(&self) -> Vec<Model> {
        vec![Model {
            name: self.net.architecture().to_string(),
            version: FORMAT,
            batch: self.batch(),
            imitates: false,
        }]
    }
}

/// How a position with this key is turned: it depends on the position and the seed alone.
pub(crate) fn drawn_symmetry(size: Size, key: u128, seed: u64) -> Symmetry {
    let symmetries = Symmetry::onto_itself(size).count();
    // The low bits choose where it is remembered.
    let drawn = ((key >> 64) as u64 ^ seed.wrapping_mul(ODD)) >> 40;
    Symmetry::onto_itself(size)
        .nth(drawn as usize % symmetries)
        .unwrap_or(Symmetry::IDENTITY)
}

/// What a network said, before any search.
fn raw(game: &Game, legal: &PointSet, evaluation: Evaluation) -> Raw {
    let size = game.size();
    let mut policy: Vec<Option<f32>> = size
        .points()
        .iter()
        .map(|point| legal.contains(point).then_some(0.0))
        .chain([Some(0.0)])
        .collect();
    for (action, prior) in evaluation.priors {
        let place = action
            .point()
            .map_or(size.area(), |point| size.index(point));
        policy[place] = Some(prior);
    }
    Raw {
        wins: ByColor::new(evaluation.black_wins, 1.0 - evaluation.black_wins),
        black_lead: evaluation.black_lead,
        policy,
        ownership: evaluation.ownership,
        ..Raw::default()
    }
}

/// What a network said, as a search wants it, with priors for a pass and stones on these points.
fn evaluation(game: &Game, points: PointSet, output: &Output) -> Evaluation {
    let [win, draw, _] = output.win_draw_loss;
    let wins = win + draw / 2.0;
    let sign = game.to_move().sign(1) as f32;
    let black_wins = match game.to_move() {
        Color::Black => wins,
        Color::White => 1.0 - wins,
    };
    let logit = |action: Move| match action {
        Move::Play(point) => output.policy[game.size().index(point)],
        Move::Pass => output.policy[game.size().area()],
    };
    let moves = points.iter().map(Move::Play).chain([Move::Pass]);
    let mut priors: Vec<(Move, f32)> = moves.map(|action| (action, logit(action))).collect();
    softmax(priors.iter_mut().map(|(_, prior)| prior));
    Evaluation {
        black_wins,
        black_lead: sign * output.lead,
        lead_spread: 0.0,
        ownership: output.ownership.iter().map(|owner| sign * owner).collect(),
        priors,
        later: Vec::new(),
    }
}
