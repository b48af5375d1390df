//! JSON analysis in memory: conversations from `testdata/analysis`, order, interruption, and queries that are nonsense.

mod conversation;
mod mutation;
mod pattern;
mod service;
