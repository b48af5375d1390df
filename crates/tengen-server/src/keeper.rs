//! Saves games, and lets nobody know of a move before it is saved.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};

use tengen_app::Save;
use tokio::sync::oneshot;

use crate::desk::Answer;
use crate::log::Log;
use crate::outbox::{Message, Outbox};
use crate::store::Store;

/// A thread that writes games and then sends what was held back until they were written. What comes while it writes is
/// written together.
#[derive(Debug)]
pub(crate) struct Keeper {
    /// Batches that are not delivered yet.
    pending: Arc<AtomicUsize>,
    line: Mutex<Option<(Sender<Batch>, JoinHandle<()>)>>,
}

/// Games to be written, and what may be sent when they are.
#[derive(Debug, Default)]
pub(crate) struct Batch {
    pub(crate) saves: Vec<Save>,
    pub(crate) letters: Vec<Letter>,
}

/// Something for somebody.
#[derive(Debug)]
pub(crate) enum Letter {
    Message(Arc<Outbox>, Message),
    Answer(oneshot::Sender<Answer>, Answer),
}

impl Letter {
    pub(crate) fn send(self) {
        match self {
            Self::Message(outbox, message) => outbox.put(message),
            // Who does not wait any more needs no answer.
            Self::Answer(sender, answer) => _ = sender.send(answer),
        }
    }
}

impl Keeper {
    /// A keeper of this folder; without one nothing is saved.
    pub(crate) fn start(store: Option<Store>, log: Log) -> std::io::Result<Self> {
        let pending = Arc::new(AtomicUsize::new(0));
        let (sender, receiver) = channel();
        let counter = pending.clone();
        let thread = thread::Builder::new()
            .name("keeper".to_owned())
            .spawn(move || keep(&receiver, store.as_ref(), &log, &counter))?;
        Ok(Self {
            pending,
            line: Mutex::new(Some((sender, thread))),
        })
    }

    /// Writes and sends. Nothing overtakes a batch that came before.
    pub(crate) fn deliver(&self, batch: Batch) {
        if batch.saves.is_empty() && self.pending.load(Ordering::Acquire) == 0 {
            batch.letters.into_iter().for_each(Letter::send);
            return;
        }
        let line = self.line.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((sender, _)) = &*line {
            self.pending.fetch_add(1, Ordering::AcqRel);
            // The thread ends after its line only.
            _ = sender.send(batch);
        }
    }

    /// Returns when all that was delivered is written.
    pub(crate) fn close(&self) {
        let line = self
            .line
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take();
        if let Some((sender, thread)) = line {
            drop(sender);
            // A thread that panicked has said so.
            _ = thread.join();
        }
    }
}

fn keep(batches: &Receiver<Batch>, store: Option<&Store>, log: &Log, pending: &AtomicUsize) {
    while let Ok(first) = batches.recv() {
        let waiting: Vec<Batch> = std::iter::once(first).chain(batches.try_iter()).collect();
        let mut latest: HashMap<&str, &Save> = HashMap::new();
        for save in waiting.iter().flat_map(|batch| &batch.saves) {
            latest.insert(&save.game, save);
        }
        for save in latest.values() {
            if let Some(store) = store
                && let Err(error) = store.save(save)
            {
                log.say(format_args!("a game was not saved: {error}"));
            }
        }
        for batch in waiting {
            batch.letters.into_iter().for_each(Letter::send);
            pending.fetch_sub(1, Ordering::AcqRel);
        }
    }
}
