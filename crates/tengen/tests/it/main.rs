//! The `tengen` command as its users meet it: what it prints, where, and with which exit code.

mod analysis;
mod bench;
mod client;
mod count;
mod eval;
mod failure;
mod fuzz_regressions;
mod gtp;
mod local;
mod manual;
mod match_command;
mod net;
mod perft;
mod play;
mod problems;
mod readme;
mod selfplay;
mod serve;
mod sgf;
mod show;
mod solve;
mod strength;
mod tengen;
mod train;
mod tree;
mod verify;
