//! The app without a server: what `tengen serve` does for a page, as WebAssembly in a worker of that page.
//!
//! A [`Host`] holds the room with all games and thinks in slices, on the one thread that a worker has. JavaScript calls
//! the functions of `exports` and carries out what they answer: messages for pages, records to be kept. Everything is
//! JSON text, so that no generated glue is needed. `web/page/backend/wasm` is the other side.

mod engines;
mod file;
mod host;
mod output;
mod tasks;

#[cfg(target_arch = "wasm32")]
mod exports;

pub use host::Host;
