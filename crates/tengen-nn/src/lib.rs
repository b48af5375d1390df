#![doc = include_str!("../README.md")]
#![deny(unsafe_code)]

mod architecture;
mod baseline;
mod checksum;
mod convolution;
mod evaluator;
mod expert;
mod features;
mod grid;
pub mod katago;
mod kernels;
mod memo;
mod net;
mod network_file;
mod onnx;
mod pair;
mod pass;
mod pooling;
mod precision;
mod softmax;
mod tangent;
mod tile;
mod training;
mod weights;
mod widening;

pub use architecture::{Architecture, ArchitectureError, Part};
pub use baseline::Baseline;
pub use evaluator::NetEvaluator;
pub use expert::Expert;
pub use features::{Inputs, globals};
pub use kernels::Kernels;
pub use net::{Net, Output, Workspace};
pub use network_file::{NetworkFileError, judge_by_file, judge_by_file_within};
pub use precision::Precision;
pub use softmax::{log_sum_exp, softmax};
pub use training::{
    Example, Learning, LearningState, LossWeights, Losses, Method, MethodError, Target, Trainer,
};
pub use weights::{LONGEST_SIDE, WeightsError};
