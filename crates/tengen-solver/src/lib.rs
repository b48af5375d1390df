#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod attempt;
mod busy;
pub mod certificate;
mod checkpoint;
mod confirmation;
mod geometry;
mod history;
mod instinct;
mod life;
pub mod local;
mod narrowing;
mod outcome;
mod position;
mod search;
mod solver;
mod strategy;
mod survey;
mod table;
mod techniques;
pub mod tree;
pub mod verify;

pub use checkpoint::CheckpointError;
pub use geometry::MAX_AREA;
pub use solver::{Bound, Interval, Options, Progress, Solver, SolverError, Stop, Verdict, Watch};
pub use strategy::{StrategyError, StrategyProgress, StrategyStage};
pub use survey::{MoveValue, Survey, Values};
pub use techniques::Techniques;
