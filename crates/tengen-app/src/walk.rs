//! A walk through a proof: somebody tries what they like, and the proof answers.

use std::collections::VecDeque;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use tengen_core::{Color, Game, IllegalMove, Move, Settlement, Setup, Suicide};
use tengen_solver::Bound;
use tengen_solver::verify::{Proof, ProofStep, Theorem};

use crate::call::Caller;
use crate::exact::ko_name;
use crate::legality::{Barred, IllegalMessage};
use crate::refusal::{Code, Refusal, Result};
use crate::request::NoParams;
use crate::results::Nothing;
use crate::room::{Later, Room};
use crate::rules::KoName;
use crate::view::LastMessage;

/// How many proofs are kept, and how many positions all of them have at most: eight bytes each.
const KEPT: usize = 8;
const MOST_POSITIONS: u64 = 4_000_000;

/// The longest walk, in moves for each point of the board. No line of a proof comes back to a situation.
const LONGEST: usize = 16;

#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct OfProof {
    /// The game.
    #[cfg_attr(test, schemars(with = "crate::words::GameId"))]
    pub game: String,
    /// The node of the position where the walk begins.
    #[cfg_attr(test, schemars(with = "crate::words::Node"))]
    pub node: usize,
    /// Who forces something: the prover.
    #[cfg_attr(test, schemars(with = "crate::words::Color"))]
    pub color: Color,
    /// What is forced: Black's points minus White's, by area and without komi, are at least this if the prover is
    /// Black, and at most this if the prover is White.
    pub margin: i32,
    /// The moves of the walk so far, of both players in turn.
    #[cfg_attr(test, schemars(with = "Vec<crate::words::Move>"))]
    #[serde(default)]
    pub moves: Vec<String>,
}

/// What came of a search for a proof.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct ProofSought {
    /// The proof; null if none was found with the effort that is allowed.
    pub proof: Option<ProofMessage>,
}

/// A proof to walk through.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(rename = "Proof"))]
pub(crate) struct ProofMessage {
    /// The positions in which it says what to play, symmetric ones counted once.
    pub positions: u64,
    /// The replies of the other player that were tried against it.
    pub replies: u64,
    /// The ko rules under which it holds.
    pub ko_rules: Vec<KoName>,
    /// Has the checker accepted it here? A large certificate that the host was started with is taken at its word, and
    /// then there are neither replies nor ko rules.
    pub checked: bool,
}

/// A certificate that the host was started with, and that has an answer in a position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct StoredProof {
    /// Who forces something: the prover.
    #[cfg_attr(test, schemars(with = "crate::words::Color"))]
    pub color: Color,
    /// What is forced: Black's points minus White's, at least if the prover is Black, and at most if it is White.
    pub margin: i32,
    /// The positions in which it says what to play, symmetric ones counted once.
    pub positions: u64,
    /// Has the checker accepted it here?
    pub checked: bool,
}

/// How far the search for a proof has come.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ProofProgress {
    /// The game.
    #[cfg_attr(test, schemars(with = "crate::words::GameId"))]
    pub game: String,
    /// The node where the walk begins.
    #[cfg_attr(test, schemars(with = "crate::words::Node"))]
    pub node: usize,
    /// Situations that were looked at.
    pub nodes: u64,
    /// Is it found, so that it is only to be written down and checked?
    pub found: bool,
}

/// Where a walk through a proof has come to.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Walked {
    /// The moves so far, with what the proof has just played at the end.
    #[cfg_attr(test, schemars(with = "Vec<crate::words::Move>"))]
    pub moves: Vec<String>,
    /// What the proof has just played.
    #[cfg_attr(test, schemars(with = "Option<crate::words::Move>"))]
    pub reply: Option<String>,
    /// How it goes on.
    pub state: WalkState,
    /// Black's points minus White's, where the game is over.
    pub margin: Option<i32>,
    /// Whose turn it is.
    #[cfg_attr(test, schemars(with = "crate::words::Color"))]
    pub to_move: Color,
    /// The stones.
    #[cfg_attr(test, schemars(with = "crate::words::Stones"))]
    pub stones: String,
    /// The last stone that was played; null after a pass and at the beginning.
    pub last: Option<LastMessage>,
    /// The point that simple ko forbids.
    #[cfg_attr(test, schemars(with = "Option<crate::words::Point>"))]
    pub ko: Option<String>,
    /// The empty points where whoever is to move may not play.
    pub illegal: Vec<IllegalMessage>,
}

/// How a walk goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub(crate) enum WalkState {
    /// The other player tries something.
    Open,
    /// The stones of the prover guarantee it, whatever comes.
    Sure,
    /// Both have passed.
    Over,
    /// No proof that is kept says what to play here: `proof.find` finds one from here on.
    Unknown,
}

pub(crate) fn find(room: &mut Room, params: OfProof, caller: Caller) -> Result<Later<ProofSought>> {
    room.find_proof(caller.viewer, params)
}

pub(crate) fn stop(room: &mut Room, _: NoParams, caller: Caller) -> Result<Nothing> {
    room.stop_proof(caller.viewer);
    Ok(Nothing {})
}

pub(crate) fn walk(room: &mut Room, params: OfProof, _: Caller) -> Result<Walked> {
    room.walk_proof(params)
}

/// The position of a walk.
struct WalkPosition {
    setup: Setup,
    passed: bool,
    is_over: bool,
    last: Option<(Color, Move)>,
}

impl WalkPosition {
    fn of(game: &Game) -> Self {
        Self {
            setup: game.position(),
            passed: game.passes() > 0,
            is_over: false,
            last: None,
        }
    }

    fn play(&mut self, action: Move) -> std::result::Result<(), IllegalMove> {
        if self.is_over {
            return Err(IllegalMove::GameOver);
        }
        let mover = self.setup.to_move;
        match action {
            Move::Pass => {
                self.is_over = self.passed;
                self.passed = true;
                self.setup.ko = None;
            }
            Move::Play(point) => {
                let mut board = self.setup.board().map_err(|_| IllegalMove::Occupied)?;
                board.play(point, mover, Suicide::Forbidden)?;
                for color in Color::BOTH {
                    self.setup.stones[color] = *board.stones(color);
                }
                self.setup.ko = board.ko();
                self.passed = false;
            }
        }
        self.setup.to_move = !mover;
        self.last = Some((mover, action));
        Ok(())
    }

    /// Black's points minus White's, as the stones stand.
    fn margin(&self) -> Option<i32> {
        let board = self.setup.board().ok()?;
        let territory = board.territory(&Settlement::default());
        let points = |color| board.stones(color).len() + territory.owned[color].len();
        Some(points(Color::Black) as i32 - points(Color::White) as i32)
    }

    fn illegal(&self) -> Vec<IllegalMessage> {
        let Ok(board) = self.setup.board() else {
            return Vec::new();
        };
        let barred = board.empty_points() - board.playable(self.setup.to_move, Suicide::Forbidden);
        let why = |point| IllegalMessage {
            reason: match self.setup.ko == Some(point) {
                true => Barred::Ko,
                false => Barred::Suicide,
            },
            point: point.to_gtp(self.setup.size),
            node: None,
            number: None,
        };
        barred.into_iter().map(why).collect()
    }

    fn stones(&self) -> String {
        let stones = &self.setup.stones;
        let letter = |point| match () {
            () if stones.black.contains(point) => 'X',
            () if stones.white.contains(point) => 'O',
            () => '.',
        };
        self.setup.size.points().iter().map(letter).collect()
    }
}

/// The position of a walk, and its moves.
fn follow(start: &Game, moves: &[String]) -> Result<WalkPosition> {
    let size = start.size();
    if moves.len() > LONGEST * size.area() {
        return Err(Refusal::limit("moves_of_a_walk", LONGEST * size.area()));
    }
    let mut here = WalkPosition::of(start);
    for name in moves {
        let action = Move::from_gtp(name, size).map_err(Refusal::params)?;
        here.play(action)
            .map_err(|reason| Refusal::new(Code::IllegalMove, reason.to_string()))?;
    }
    Ok(here)
}

/// The position after the moves of a walk, as a game that begins there.
pub(crate) fn position(start: &Game, moves: &[String]) -> Result<Game> {
    if moves.is_empty() {
        return Ok(start.clone());
    }
    let here = follow(start, moves)?;
    let mut setup = here.setup;
    // Whoever passed is to move in the position before.
    if here.passed {
        setup.to_move = !setup.to_move;
    }
    let mut game = Game::from_setup(&setup, *start.rules()).map_err(Refusal::params)?;
    if here.passed {
        game.play(Move::Pass).map_err(Refusal::params)?;
    }
    Ok(game)
}

/// Proofs that were found, the oldest first, and those that the host was started with.
#[derive(Debug, Default)]
pub(crate) struct Proofs {
    kept: VecDeque<Arc<Proof>>,
    stored: Vec<Arc<Proof>>,
}

impl Proofs {
    /// Keeps a proof for good.
    pub(crate) fn store(&mut self, proof: Arc<Proof>) {
        self.stored.push(proof);
    }

    pub(crate) fn keep(&mut self, proof: Arc<Proof>) {
        self.kept.push_back(proof);
        let positions = |proofs: &VecDeque<Arc<Proof>>| -> u64 {
            proofs.iter().map(|proof| proof.entries()).sum()
        };
        while self.kept.len() > 1
            && (self.kept.len() > KEPT || positions(&self.kept) > MOST_POSITIONS)
        {
            self.kept.pop_front();
        }
    }

    /// The proof of this bound that is about this position, or a stored one that has an answer there.
    pub(crate) fn about(&self, start: &Game, bound: Bound) -> Option<&Proof> {
        let here = WalkPosition::of(start);
        let is_it = |proof: &&Arc<Proof>| {
            let claim = proof.claim();
            claim.bound == bound && claim.start == here.setup && claim.passed == here.passed
        };
        let mut stored = self.stored.iter();
        let found = self.kept.iter().find(is_it).or_else(|| {
            stored.find(|proof| {
                proof.claim().bound == bound && proof.covers(&here.setup, here.passed)
            })
        });
        found.map(AsRef::as_ref)
    }

    /// The stored proofs that have an answer in a position.
    pub(crate) fn stored(&self, position: &Game) -> Vec<StoredProof> {
        let here = WalkPosition::of(position);
        let covering = self.stored.iter().filter(|proof| {
            proof.claim().start.size == here.setup.size && proof.covers(&here.setup, here.passed)
        });
        covering
            .map(|proof| StoredProof {
                color: proof.claim().bound.prover,
                margin: proof.claim().bound.margin,
                positions: proof.entries(),
                checked: proof.theorem().is_some(),
            })
            .collect()
    }

    /// What proofs of this bound say about a position. Those that were found for it come first.
    fn step(&self, bound: Bound, here: &WalkPosition) -> ProofStep {
        let of_bound = |proof: &&Arc<Proof>| proof.claim().bound == bound;
        let proofs = self.kept.iter().rev().chain(&self.stored);
        let steps = proofs.filter(of_bound);
        let steps = steps.map(|proof| proof.step(&here.setup, here.passed));
        let mut known = steps.filter(|step| *step != ProofStep::Unknown);
        known.next().unwrap_or(ProofStep::Unknown)
    }

    /// Follows the moves of a walk, and lets the proof answer.
    pub(crate) fn walk(&self, start: &Game, params: OfProof) -> Result<Walked> {
        let bound = Bound::new(params.color, params.margin);
        let size = start.size();
        let mut here = follow(start, &params.moves)?;
        let mut moves = params.moves;
        let mut reply = None;
        if !here.is_over
            && let ProofStep::Play(action) = self.step(bound, &here)
        {
            here.play(action)
                .map_err(|reason| Refusal::new(Code::EngineFailed, reason.to_string()))?;
            moves.push(action.to_gtp(size));
            reply = moves.last().cloned();
        }
        let state = match self.step(bound, &here) {
            _ if here.is_over => WalkState::Over,
            ProofStep::Sure => WalkState::Sure,
            ProofStep::Open => WalkState::Open,
            ProofStep::Play(_) | ProofStep::Unknown => WalkState::Unknown,
        };
        Ok(Walked {
            moves,
            reply,
            state,
            margin: match state {
                WalkState::Over => here.margin(),
                _ => None,
            },
            to_move: here.setup.to_move,
            stones: here.stones(),
            last: here.last.and_then(|(color, action)| {
                Some(LastMessage {
                    color,
                    point: action.point()?.to_gtp(size),
                })
            }),
            ko: here.setup.ko.map(|point| point.to_gtp(size)),
            illegal: here.illegal(),
        })
    }
}

impl From<&Proof> for ProofMessage {
    fn from(proof: &Proof) -> Self {
        let theorem = proof.theorem();
        let granted = |theorem: &Theorem| theorem.ko_rules.granted().map(ko_name).collect();
        Self {
            positions: theorem.map_or(proof.entries(), |theorem| theorem.nodes),
            replies: theorem.map_or(0, |theorem| theorem.replies),
            ko_rules: theorem.map(granted).unwrap_or_default(),
            checked: theorem.is_some(),
        }
    }
}
