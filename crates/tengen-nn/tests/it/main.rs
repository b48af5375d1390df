//! Tests of the network.

mod expert;
mod files;
mod gradients;
mod inference;
mod reference;
mod search;
