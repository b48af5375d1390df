//! What a room does, as its viewers and its host see it.

#![allow(
    clippy::unwrap_used,
    reason = "a test that fails may panic, wherever the call is"
)]

mod conversations;
mod engine;
mod exact;
mod following;
mod fuzz_regressions;
mod guests;
mod host;
mod problems;
mod properties;
mod records;
mod restart;
mod review;
mod schema;
mod study;
mod waiting;
mod walk;
