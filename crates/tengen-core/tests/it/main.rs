//! The integration tests of the rules, in one binary.

#![allow(
    clippy::print_stdout,
    clippy::unwrap_used,
    missing_docs,
    reason = "a test may panic and print, and nobody reads its documentation"
)]

mod corpus;
mod counts;
mod deed;
mod fuzz_regressions;
mod ladder;
mod lean_board;
mod lockstep;
mod oracle;
mod playouts;
mod position_text;
mod rng;
mod rule_text;
mod saved;
mod symmetry;

#[path = "../../../../fuzz/src/lib.rs"]
#[allow(unreachable_pub, reason = "it is a library for the fuzz targets")]
mod fuzz;
