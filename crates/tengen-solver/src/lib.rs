#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod attempt;
mod bound;
mod busy;
pub mod certificate;
mod checkpoint;
mod confirmation;
mod geometry;
mod history;
mod instinct;
mod interval;
mod life;
pub mod local;
mod narrowing;
mod outcome;
mod position;
mod proving;
mod retrograde;
mod search;
mod solver;
mod strategy;
mod survey;
mod table;
mod techniques;
pub mod tree;
pub mod verify;

pub use bound::Bound;
pub use checkpoint::CheckpointError;
pub use geometry::MAX_AREA;
pub use interval::Interval;
pub use proving::{NoProof, Proving};
pub use solver::{BoundStatus, Options, Progress, Solver, SolverError, Watch};
pub use strategy::{StrategyError, StrategyProgress, StrategyStage};
pub use survey::{MoveValue, Survey, Values};
pub use techniques::Techniques;
