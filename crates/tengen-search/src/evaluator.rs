//! Who judges positions for a search.

use tengen_core::{Color, Game, Move, Point};

use crate::aim::Aim;
use crate::level::{Level, Skill};
use crate::raw::{Model, Raw, RawQuery};
use crate::tuning::Tuning;

/// Judges positions: by playing them to the end, by a network, by any other means.
///
/// Each thread of a search has an evaluator of its own.
pub trait Evaluator: Send {
    /// How many positions it likes to judge at once.
    fn batch(&self) -> usize {
        1
    }

    /// How often a position is judged before its moves are looked at.
    fn expand_after(&self) -> u32 {
        1
    }

    /// The numbers by which a search that trusts it is tuned: by default, those for priors and values of a network.
    /// They may depend on the game that was begun with.
    fn tuning(&self) -> Tuning {
        Tuning::for_network()
    }

    /// How many visits a search of this game with this aim has at most when a move is chosen, if there is a limit: a
    /// beginner should not see too much.
    fn most_visits(&self, _game: &Game, aim: Aim) -> Option<u32> {
        aim.rollouts()
    }

    /// What a player of this level is made of, or `None` if it plays the best.
    fn skill(&self, level: Level) -> Option<Skill> {
        (level != Level::FULL).then(|| *level.skill())
    }

    /// Searches of this game have this aim from now on. Whoever is not told searches for the [best](Aim::BEST) moves.
    fn prepare(&mut self, _game: &Game, _aim: Aim) {}

    /// A search begins; all that is random depends on the seed alone.
    fn begin(&mut self, game: &Game, seed: u64);

    /// Judges all positions.
    fn evaluate(&mut self, leaves: &mut [Leaf]);

    /// What its network says about a position before any search, or `None` if none judges boards of this size.
    ///
    /// A symmetry must keep the shape of the board.
    fn raw(&mut self, _game: &Game, _query: &RawQuery) -> Option<Raw> {
        None
    }

    /// The networks that it judges by.
    fn models(&self) -> Vec<Model> {
        Vec::new()
    }
}

/// A position that a search has come to.
#[derive(Debug)]
pub struct Leaf {
    /// The position, with all that led to it. It may be over where players agree on dead stones before they count.
    pub game: Game,
    /// Are the priors of its moves wanted?
    pub wants_priors: bool,
    /// What the evaluator says.
    pub evaluation: Evaluation,
}

/// What an evaluator says about a position. All vectors are those of the position before, to be cleared and filled.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Evaluation {
    /// The probability that Black wins, a draw being half a win.
    pub black_wins: f32,
    /// By how many points Black will be ahead, komi included.
    pub black_lead: f32,
    /// The standard deviation of that number, or 0 if nobody knows.
    pub lead_spread: f32,
    /// Whose each point of the board will be, in reading order: 1 is Black's, -1 White's.
    pub ownership: Vec<f32>,
    /// The moves that are worth a search and how likely each is, if they were wanted. All must be legal.
    pub priors: Vec<(Move, f32)>,
    /// The stones that a game from here to its end had, if it was played: they say something about moves that were not
    /// tried yet.
    pub later: Vec<(Color, Point)>,
}
