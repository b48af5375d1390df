#![doc = include_str!("../README.md")]
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
