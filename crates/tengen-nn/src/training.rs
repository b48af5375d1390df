//! Learning: losses, gradients, steps.

mod backward;
mod example;
mod loss;
mod muon;
mod state;
mod trainer;

pub use example::{Example, Target};
pub use loss::{LossWeights, Losses};
pub use state::LearningState;
pub use trainer::{Learning, Method, MethodError, Trainer};
