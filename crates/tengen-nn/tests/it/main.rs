//! Tests of the network.

mod files;
mod gradients;
mod inference;
mod reference;
mod search;
