//! Tests of the network.

mod expert;
mod files;
mod fuzz_regressions;
mod gradients;
mod inference;
mod katago;
mod levels;
mod novice;
mod reference;
mod search;
