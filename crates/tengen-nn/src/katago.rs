//! KataGo's networks.

mod inputs;

pub use inputs::{GLOBALS, InputOptions, Inputs, PLANES, Tax};
