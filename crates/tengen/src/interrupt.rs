//! What Ctrl-C does.

use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Context, Result};
use tengen_core::Stop;

/// Listens to Ctrl-C. The first one stops what is being done, with what was found by then; a second one ends the
/// command at once, since whoever asks twice does not want to wait for work under way to end or for files.
pub(crate) struct Interrupt {
    heard: Stop,
    current: Arc<Mutex<Stop>>,
}

impl Interrupt {
    /// From now on Ctrl-C pulls this switch. A command listens once.
    pub(crate) fn stops(stop: &Stop) -> Result<Self> {
        let interrupt = Self {
            heard: Stop::new(),
            current: Arc::new(Mutex::new(stop.clone())),
        };
        let heard = interrupt.heard.clone();
        let current = Arc::clone(&interrupt.current);
        ctrlc::set_handler(move || {
            if heard.is_stopped() {
                std::process::exit(130);
            }
            heard.stop();
            current
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .stop();
        })
        .context("cannot listen to interrupts")?;
        Ok(interrupt)
    }

    /// From now on Ctrl-C pulls this switch instead; at once if it was heard already.
    pub(crate) fn now_stops(&self, stop: &Stop) {
        let mut current = self.current.lock().unwrap_or_else(PoisonError::into_inner);
        *current = stop.clone();
        if self.was_heard() {
            stop.stop();
        }
    }

    /// Has somebody interrupted the command?
    pub(crate) fn was_heard(&self) -> bool {
        self.heard.is_stopped()
    }
}
