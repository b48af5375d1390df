//! The `tengen` command as its users meet it: what it prints, where, and with which exit code.

mod bench;
mod count;
mod failure;
mod perft;
mod readme;
mod sgf;
mod show;
mod tengen;
