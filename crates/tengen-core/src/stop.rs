//! The switch that ends what takes long.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Tells a search, a check or any other long work, from any thread, to end. Clones are the same switch.
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// A switch that nobody has pulled.
    pub fn new() -> Self {
        Self::default()
    }

    /// Ends the work soon, with what has been found by then.
    pub fn stop(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Has somebody pulled the switch?
    pub fn is_stopped(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// Lets work go on that was stopped.
    pub fn reset(&self) {
        self.0.store(false, Ordering::Relaxed);
    }
}
