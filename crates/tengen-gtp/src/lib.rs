#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

pub mod analysis;
pub mod client;
pub mod config;
pub mod gtp;
pub mod match_runner;
mod models;
pub mod record_file;
pub mod setting;
