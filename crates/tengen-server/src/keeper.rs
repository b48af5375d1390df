//! Saves games, and lets nobody know of a move before it is saved.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, Weak};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use serde_json::Value;
use tengen_app::{Code, Event, Refusal, Save};
use tokio::sync::oneshot;

use crate::desk::{Answer, Desk, answer_message, event_message};
use crate::log::Log;
use crate::outbox::Outbox;
use crate::store::{Store, StoreError};

/// How long it takes until what could not be written is tried again, at first. It doubles up to [`SLOWEST`].
const FIRST: Duration = Duration::from_millis(50);

/// An event of more nodes is written down where nobody waits for it.
const HEAVY: usize = 1_000;

/// The longest time between two tries.
const SLOWEST: Duration = Duration::from_secs(2);

/// A thread that writes games and then sends what was held back until they were written. What comes while it writes is
/// written together.
///
/// What cannot be written is tried again for ever. After a moment of patience, those who wait for it are told so, and
/// so is the room, which lets the game wait ([`tengen_app::Room::note_saved`]).
#[derive(Debug)]
pub(crate) struct Keeper {
    /// Batches that are not delivered yet.
    pending: Arc<AtomicUsize>,
    desk: Arc<OnceLock<Weak<Desk>>>,
    line: Mutex<Option<(Sender<Batch>, JoinHandle<()>)>>,
}

/// Games to be written, and what may be sent when they are.
#[derive(Debug, Default)]
pub(crate) struct Batch {
    pub(crate) saves: Vec<Save>,
    /// A game that must have been saved before by another batch.
    pub(crate) after: Option<String>,
    pub(crate) letters: Vec<Letter>,
}

/// Something for somebody.
#[derive(Debug)]
pub(crate) enum Letter {
    Event(Vec<Arc<Outbox>>, Box<Event>),
    Live(Arc<Outbox>, Value, Answer),
    Once(oneshot::Sender<Answer>, Answer),
}

impl Letter {
    pub(crate) fn send(self) {
        match self {
            Self::Event(outboxes, event) => {
                if let Some(message) = event_message(&event).filter(|_| !outboxes.is_empty()) {
                    outboxes
                        .iter()
                        .for_each(|outbox| outbox.put(message.clone()));
                }
            }
            Self::Live(outbox, id, answer) => outbox.put(answer_message(id, answer)),
            // The receiver is gone if the request was dropped; then nobody needs the answer.
            Self::Once(sender, answer) => _ = sender.send(answer),
        }
    }

    /// Does it take long to write it down?
    fn is_heavy(&self) -> bool {
        matches!(self, Self::Event(_, event) if event.weight() > HEAVY)
    }

    /// The same when what it tells of could not be saved: no answer says that a call was done.
    fn unsaved(self, problem: &str) -> Self {
        let refused = |answer: Answer| {
            answer.and_then(|_| Err(Refusal::new(Code::NotSaved, problem.to_owned())))
        };
        match self {
            Self::Event(..) => self,
            Self::Live(outbox, id, answer) => Self::Live(outbox, id, refused(answer)),
            Self::Once(sender, answer) => Self::Once(sender, refused(answer)),
        }
    }
}

impl Keeper {
    /// A keeper of this folder, which holds answers back for so long if it cannot write; without a folder nothing is
    /// saved.
    pub(crate) fn start(
        store: Option<Store>,
        patience: Duration,
        log: Log,
    ) -> std::io::Result<Self> {
        let pending = Arc::new(AtomicUsize::new(0));
        let desk = Arc::new(OnceLock::new());
        let (sender, receiver) = channel();
        let writer = Writer {
            store,
            patience,
            log,
            desk: desk.clone(),
            unsaved: BTreeMap::new(),
        };
        let counter = pending.clone();
        let thread = thread::Builder::new()
            .name("keeper".to_owned())
            .spawn(move || writer.keep(&receiver, &counter))?;
        Ok(Self {
            pending,
            desk,
            line: Mutex::new(Some((sender, thread))),
        })
    }

    /// Says whose room is to know what could not be saved.
    pub(crate) fn report_to(&self, desk: &Arc<Desk>) {
        _ = self.desk.set(Arc::downgrade(desk));
    }

    /// Writes and sends. Nothing overtakes a batch that came before.
    pub(crate) fn deliver(&self, batch: Batch) {
        let is_light = !batch.letters.iter().any(Letter::is_heavy);
        let is_free = is_light && batch.saves.is_empty() && batch.after.is_none();
        if is_free && self.pending.load(Ordering::Acquire) == 0 {
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

    /// Returns when all that was delivered is written, or was tried once more.
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

/// What the thread of a keeper has.
struct Writer {
    store: Option<Store>,
    patience: Duration,
    log: Log,
    desk: Arc<OnceLock<Weak<Desk>>>,
    /// What could not be saved yet, and what was said about it.
    unsaved: BTreeMap<String, Unsaved>,
}

struct Unsaved {
    save: Save,
    problem: String,
}

impl Writer {
    fn keep(mut self, batches: &Receiver<Batch>, pending: &AtomicUsize) {
        let mut pause = FIRST;
        loop {
            let first = match self.unsaved.is_empty() {
                true => batches.recv().map_err(|_| RecvTimeoutError::Disconnected),
                false => batches.recv_timeout(pause),
            };
            match first {
                Ok(first) => {
                    let waiting = std::iter::once(first).chain(batches.try_iter());
                    let waiting: Vec<Batch> = waiting.collect();
                    let count = waiting.len();
                    self.write(waiting);
                    pending.fetch_sub(count, Ordering::AcqRel);
                }
                Err(RecvTimeoutError::Timeout) => {
                    pause = match self.try_again() {
                        true => FIRST,
                        false => (2 * pause).min(SLOWEST),
                    };
                }
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        self.try_again();
        for (game, unsaved) in &self.unsaved {
            let problem = &unsaved.problem;
            self.log.say(format_args!(
                "the last changes of game {game} are lost: {problem}"
            ));
        }
    }

    /// Writes all games of these batches, and sends their letters.
    fn write(&mut self, batches: Vec<Batch>) {
        // The page has been told already if games are unsaved. Then one attempt is enough, without waiting for space.
        let end = Instant::now() + self.patience;
        let is_patient = self.unsaved.is_empty();
        let mut latest: BTreeMap<&str, &Save> = BTreeMap::new();
        for save in batches.iter().flat_map(|batch| &batch.saves) {
            latest.insert(&save.game, save);
        }
        let mut pause = FIRST;
        let mut failed: BTreeMap<String, Unsaved> = BTreeMap::new();
        for (game, save) in latest {
            let mut is_first = true;
            let problem = loop {
                let Err(error) = self.save(save) else {
                    break None;
                };
                // A machine that is busy may spend all patience on the first attempt.
                let left = end.saturating_duration_since(Instant::now());
                if !is_patient || left.is_zero() && !is_first {
                    break Some(problem(&error));
                }
                thread::sleep(pause.min(left));
                pause *= 2;
                is_first = false;
            };
            match problem {
                Some(problem) => {
                    let save = save.clone();
                    failed.insert(game.to_owned(), Unsaved { save, problem });
                }
                None => {
                    if self.unsaved.remove(game).is_some() {
                        self.tell(game, None);
                    }
                }
            }
        }
        for batch in batches {
            let games = batch.saves.iter().map(|save| save.game.as_str());
            let mut games = games.chain(batch.after.as_deref());
            let trouble = games.find_map(|game| failed.get(game).or(self.unsaved.get(game)));
            match trouble.map(|unsaved| unsaved.problem.clone()) {
                Some(problem) => {
                    let letters = batch.letters.into_iter();
                    letters.for_each(|letter| letter.unsaved(&problem).send());
                }
                None => batch.letters.into_iter().for_each(Letter::send),
            }
        }
        for (game, unsaved) in failed {
            let problem = unsaved.problem.clone();
            let before = self.unsaved.insert(game.clone(), unsaved);
            if before.is_none_or(|before| before.problem != problem) {
                self.log
                    .say(format_args!("game {game} was not saved: {problem}"));
                self.tell(&game, Some(&problem));
            }
        }
    }

    /// Writes what could not be written before. Says whether anything was.
    fn try_again(&mut self) -> bool {
        let mut saved = Vec::new();
        for (game, unsaved) in &self.unsaved {
            if self.save(&unsaved.save).is_ok() {
                saved.push(game.clone());
            }
        }
        for game in &saved {
            self.unsaved.remove(game);
            self.log.say(format_args!("game {game} is saved now"));
            self.tell(game, None);
        }
        !saved.is_empty()
    }

    fn save(&self, save: &Save) -> Result<(), StoreError> {
        self.store.as_ref().map_or(Ok(()), |store| store.save(save))
    }

    fn tell(&self, game: &str, problem: Option<&str>) {
        if let Some(desk) = self.desk.get().and_then(Weak::upgrade) {
            desk.note_saved(game, problem);
        }
    }
}

/// What players are told.
fn problem(error: &StoreError) -> String {
    let reason = match error.is_full() {
        true => "the disk is full".to_owned(),
        false => match error {
            StoreError::Io(_, error) => error.to_string(),
            used @ StoreError::Used(..) => used.to_string(),
        },
    };
    format!(
        "This game could not be saved: {reason}. It is kept in memory, and writing is tried again; until then it does \
         not go on."
    )
}
