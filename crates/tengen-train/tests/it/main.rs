//! Tests of self-play learning through its public interface.

#![allow(
    clippy::unwrap_used,
    missing_docs,
    reason = "a test may panic, and nobody reads its documentation"
)]

mod elo;
mod evaluators;
mod fuzz_regressions;
mod gumbel;
mod lockstep;
mod oracle;
mod puct;
mod record;
mod records;
mod run;
mod scalars;
mod selfplay;
mod window;

#[path = "../../../../fuzz/src/record.rs"]
#[allow(unreachable_pub, reason = "it is a library for the fuzz targets")]
mod fuzz;
