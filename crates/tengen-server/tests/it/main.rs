//! The server as its users, and those who mean it harm, meet it.

#![allow(
    clippy::unwrap_used,
    missing_docs,
    reason = "a test that fails may panic, and a test binary has no users who read its documentation"
)]

mod analyses;
mod choice;
mod folder;
mod full_disk;
mod guard;
mod http;
mod limits;
mod live;
mod load;
mod networks;
mod packed;
mod page;
mod paper;
mod play;
mod programs;
mod restart;
mod running;
mod runs;
mod time;
mod waiting;
