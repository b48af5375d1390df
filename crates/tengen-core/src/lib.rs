#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod board;
pub mod census;
mod chains;
mod color;
mod coordinate;
mod diagram;
mod game;
mod handicap;
mod history;
mod illegal_move;
mod knowledge;
mod komi;
mod ladder;
mod lean_board;
mod moves;
mod outcome;
mod pass_alive;
mod perft;
mod playout;
mod point;
mod point_map;
mod point_set;
mod preset;
mod rows;
mod rules;
mod score;
#[cfg(feature = "serde")]
mod serde_text;
mod setup;
mod size;
mod stop;
mod symmetry;
mod zobrist;

pub use board::{Board, Chain};
pub use color::{ByColor, Color, ParseColorError};
pub use coordinate::{CoordinateError, CoordinatesError};
pub use diagram::{Diagram, DiagramError, DiagramProblem};
pub use game::{Ahead, Game, SavedGameError, SavedGameProblem, Turn};
pub use handicap::HandicapError;
pub use illegal_move::IllegalMove;
pub use knowledge::PointKnowledge;
pub use komi::{Komi, ParseKomiError};
pub use ladder::{Ladder, Ladders};
pub use lean_board::{Content, FewLiberties, LeanBoard};
pub use moves::Move;
pub use outcome::{Outcome, Reason};
pub use pass_alive::PassAlive;
pub use perft::{perft, perft_divide};
pub use playout::{LightPlayouts, PlayoutEnd, random_move_among};
pub use point::Point;
pub use point_map::PointMap;
pub use point_set::{Iter as PointSetIter, PointSet};
pub use preset::{ParseRulesError, Preset};
pub use rules::{
    Compensation, DeadStones, HandicapPlacement, Ko, MoveLimit, Repetition, RepetitionEffect,
    Rules, Scoring, Suicide, Ties,
};
pub use score::{Score, Settlement, Territory};
pub use setup::{Setup, SetupError};
pub use size::{Size, SizeError};
pub use stop::Stop;
pub use symmetry::{Canonical, Symmetry};

/// The example in the README compiles and holds.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
