//! Tests of the batched environment through its public interface.

#![allow(
    clippy::unwrap_used,
    missing_docs,
    reason = "a test may panic, and nobody reads its documentation"
)]

mod lockstep;
mod observation;
mod reset;
mod snapshot;
mod step;
