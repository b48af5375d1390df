//! The protocols as programs meet them, in one binary.

#![allow(
    clippy::unwrap_used,
    missing_docs,
    reason = "a test that fails may panic, and a test binary has no users who read its documentation"
)]

mod analysis;
mod commands;
mod conformance;
mod fuzz_regressions;
#[cfg(unix)]
mod match_runner;
mod network;
#[cfg(unix)]
mod opponent;
mod pages;
mod soak;
mod transcript;
