//! Games of Go to learn from: many in lockstep, with exact legal masks, planes, rewards and resets.
//!
//! A [`Batch`] steps its games on all cores and writes into memory that the caller brings, so that whoever binds it to
//! another language copies nothing. [`Observer`] is the one encoder of positions for training, inference and Python.
//! Every number comes from a seed: the same seed and the same actions give the same games on any number of threads.
#![deny(unsafe_code)]

mod action;
mod batch;
mod bits;
mod features;
mod generator;
mod legal;
mod observer;
mod options;
mod outputs;
mod prefetch;
mod recent;
mod snapshot;
mod symmetry;
mod work;
mod workers;

pub use action::Actions;
pub use batch::{Batch, BatchError};
pub use features::{
    Features, LEGAL_PLANE, OPPONENT_PLANE, PASS_ALIVE_PLANES, UnknownFeatures, tactical,
};
pub use observer::{Layout, Observer, UnknownLayout, Value};
pub use options::{AutoReset, GameSpec, IllegalAction, Options};
pub use outputs::{Outputs, Planes};
pub use recent::{BOARDS, RecentBoards};
pub use snapshot::SnapshotError;
