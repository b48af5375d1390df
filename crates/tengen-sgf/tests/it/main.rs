//! The integration tests of game records, in one binary.

#![allow(
    missing_docs,
    reason = "a test binary has no users who read its documentation"
)]

mod canonical;
mod depth;
#[cfg(feature = "files")]
mod files;
mod fuzz_regressions;
mod random_record;
mod repairs;
mod replay;
mod round_trip;

#[path = "../../../../fuzz/src/sgf.rs"]
#[allow(unreachable_pub, reason = "it is a library for the fuzz targets")]
mod fuzz;
