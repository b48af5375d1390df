#![doc = include_str!("../README.md")]
mod engines;
mod file;
mod host;
mod networks;
mod output;
mod tasks;

#[cfg(target_arch = "wasm32")]
mod exports;

pub use host::Host;
pub use networks::NetworkKind;
