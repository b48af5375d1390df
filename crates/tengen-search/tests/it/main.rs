//! Tests of the search through its public face.

#![allow(
    clippy::unwrap_used,
    missing_docs,
    reason = "a test that fails is told where"
)]

mod decision;
mod network;
mod search;
mod settlement;
