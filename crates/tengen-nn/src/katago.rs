//! KataGo's networks: their files, what they see of a position, and what they say about it.

mod attention;
mod block;
mod convolution;
mod evaluator;
mod file;
mod heads;
mod inputs;
mod layer;
mod matrix;
mod memory;
mod model;
mod net;
mod output;
mod profile;
mod residual;
mod trunk;

pub use evaluator::KataGoEvaluator;
pub use file::{KataGoError, KataGoFault};
pub use inputs::{GLOBALS, InputOptions, Inputs, PLANES, Tax};
pub use net::{About, Net, Position, Workspace};
pub use output::Output;
pub use profile::{Profile, UnknownProfile};

/// The number of inputs about who plays.
pub const METADATA: usize = 192;
