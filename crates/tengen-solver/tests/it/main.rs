//! What the solver promises, as one program.

#![allow(
    clippy::unwrap_used,
    missing_docs,
    reason = "a test that fails is told where"
)]

mod certificate;
mod derivation;
mod facts;
mod fuzz_regressions;
mod ko_rules;
mod local;
mod proofs;
mod proving;
mod resume;
mod simple_ko;
mod survey;
mod tree;
mod verify;

#[path = "../../../../fuzz/src/certificate.rs"]
#[allow(unreachable_pub, reason = "it is a library for the fuzz targets")]
mod fuzz;
