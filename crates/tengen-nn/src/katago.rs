//! KataGo's networks: their files, what they see of a position, and what they say about it.

mod attention;
mod block;
mod convolution;
mod file;
mod heads;
mod layer;
mod matrix;
mod memory;
mod model;
mod net;
mod output;
mod residual;
mod trunk;

pub use file::{KataGoError, KataGoFault};
pub use net::{About, Net, Position, Workspace};
pub use output::Output;

/// The number of planes.
pub const PLANES: usize = 22;

/// The number of inputs that are the same for the whole board.
pub const GLOBALS: usize = 19;

/// The number of inputs about who plays.
pub const METADATA: usize = 192;
