//! The room and all who deal with it.

use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use serde_json::{Value, json};
use tengen_app::{AnswerMessage, Code, Event, JobId, Refusal, Reply, Report, Room, Ticket, Viewer};
use tokio::sync::{OwnedSemaphorePermit, oneshot};

use crate::keeper::{Batch, Keeper, Letter};
use crate::log::Log;
use crate::outbox::{Message, Outbox};
use crate::scheduler::Scheduler;

/// The room behind a lock. Whoever does something in it carries out, before the next one comes, what the room wants
/// done.
#[derive(Debug)]
pub(crate) struct Desk {
    state: Mutex<State>,
    keeper: Keeper,
    scheduler: Arc<Scheduler>,
    log: Log,
    viewers: AtomicU64,
}

#[derive(Debug)]
struct State {
    room: Room,
    /// Where the events of those go who are here; nowhere for those who come for one call.
    outboxes: HashMap<Viewer, Option<Arc<Outbox>>>,
    /// Calls whose answers come later.
    waiting: HashMap<Ticket, Caller>,
    /// The latest time that the room was told.
    time: u64,
}

impl State {
    /// What time it is for the room. Clocks of machines are set back now and then; those of games are not.
    fn now(&mut self) -> u64 {
        self.time = self.time.max(now());
        self.time
    }
}

/// Who gets the answer to a call.
#[derive(Debug)]
pub(crate) enum Caller {
    /// A viewer with a connection of its own, in a message with this id.
    Live {
        outbox: Arc<Outbox>,
        id: Value,
        /// One of the calls that a viewer may have under way.
        permit: OwnedSemaphorePermit,
    },
    /// Somebody who waits.
    Once(oneshot::Sender<Answer>),
}

/// The answer to a call.
pub(crate) type Answer = Result<Value, Refusal>;

impl Desk {
    pub(crate) fn new(room: Room, keeper: Keeper, scheduler: Arc<Scheduler>, log: Log) -> Self {
        Self {
            state: Mutex::new(State {
                room,
                outboxes: HashMap::new(),
                waiting: HashMap::new(),
                time: 0,
            }),
            keeper,
            scheduler,
            log,
            viewers: AtomicU64::new(1),
        }
    }

    /// A viewer who was never here before.
    pub(crate) fn new_viewer(&self) -> Viewer {
        Viewer(self.viewers.fetch_add(1, Ordering::Relaxed))
    }

    /// A viewer comes, and its events go here.
    pub(crate) fn enter(&self, viewer: Viewer, outbox: Option<Arc<Outbox>>) {
        self.state().outboxes.insert(viewer, outbox);
    }

    /// A viewer is gone, and what only this one waited for ends.
    pub(crate) fn leave(&self, viewer: Viewer) {
        let mut state = self.state();
        state.outboxes.remove(&viewer);
        self.act(&mut state, |room, now| room.leave(viewer, now));
    }

    /// Hands a call to the room; its answer goes to the caller now or later.
    pub(crate) fn call(&self, viewer: Viewer, method: &str, params: Value, caller: Caller) {
        let mut state = self.state();
        // Who is gone by now would never take back what the call begins.
        if !state.outboxes.contains_key(&viewer) {
            return;
        }
        let mut letters = Vec::new();
        let now = state.now();
        let result = catch_unwind(AssertUnwindSafe(|| {
            state.room.call(method, params, viewer, now)
        }));
        match result {
            Ok(Ok(Reply::Later(ticket))) => {
                state.waiting.insert(ticket, caller);
            }
            Ok(Ok(Reply::Now(result))) => letters.push(caller.letter(Ok(result))),
            Ok(Err(refusal)) => letters.push(caller.letter(Err(refusal))),
            Err(_) => {
                self.log.say(format_args!(
                    "a mistake of the program: {method} has panicked"
                ));
                let refusal =
                    Refusal::new(Code::EngineFailed, "a mistake of the program; see its log");
                letters.push(caller.letter(Err(refusal)));
            }
        }
        self.carry_out(&mut state, letters);
    }

    /// Tells the room what became of a job.
    pub(crate) fn report(&self, job: JobId, report: Report) {
        self.act(&mut self.state(), |room, now| {
            _ = room.report(job, report, now);
        });
    }

    /// Tells the room what time it is.
    pub(crate) fn tick(&self) {
        self.act(&mut self.state(), Room::tick);
    }

    /// Looks at something in the room.
    pub(crate) fn look<T>(&self, look: impl FnOnce(&Room) -> T) -> T {
        look(&self.state().room)
    }

    /// Ends all connections, and returns when everything is saved.
    pub(crate) fn close(&self) {
        {
            let mut state = self.state();
            self.act(&mut state, Room::close);
            state
                .outboxes
                .values()
                .flatten()
                .for_each(|outbox| outbox.close());
            // Who still waits hears that nothing will come.
            state.waiting.clear();
        }
        self.keeper.close();
    }

    fn act(&self, state: &mut State, act: impl FnOnce(&mut Room, u64)) {
        let now = state.now();
        if catch_unwind(AssertUnwindSafe(|| act(&mut state.room, now))).is_err() {
            self.log
                .say("a mistake of the program: the room has panicked");
        }
        self.carry_out(state, Vec::new());
    }

    /// Does what the room wants done. Answers and events go out in the order in which they came up, and never before
    /// what they tell of is on disk.
    fn carry_out(&self, state: &mut State, mut letters: Vec<Letter>) {
        let outbox = state.room.take_outbox();
        for id in outbox.cancelled {
            self.scheduler.cancel(id);
        }
        for job in outbox.jobs {
            self.scheduler.begin(job);
        }
        for answer in outbox.answers {
            if let Some(caller) = state.waiting.remove(&answer.ticket) {
                letters.push(caller.letter(answer.result));
            }
        }
        for delivery in outbox.events {
            let Ok(text) = serde_json::to_string(&delivery.event) else {
                continue;
            };
            let message = Message {
                text: text.into(),
                key: key(&delivery.event),
            };
            let outboxes = delivery
                .viewers
                .iter()
                .filter_map(|viewer| state.outboxes.get(viewer)?.as_ref());
            letters.extend(outboxes.map(|outbox| Letter::Message(outbox.clone(), message.clone())));
        }
        self.keeper.deliver(Batch {
            saves: outbox.saves,
            letters,
        });
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Caller {
    /// Gives the answer at once.
    pub(crate) fn answer(self, answer: Answer) {
        self.letter(answer).send();
    }

    /// The answer on its way.
    fn letter(self, answer: Answer) -> Letter {
        match self {
            Self::Once(sender) => Letter::Answer(sender, answer),
            Self::Live { outbox, id, permit } => {
                drop(permit);
                Letter::Message(outbox, answer_message(id, answer))
            }
        }
    }
}

/// An answer as it is sent to a viewer.
pub(crate) fn answer_message(id: Value, answer: Answer) -> Message {
    Message {
        text: json!(AnswerMessage::new(id, answer)).to_string().into(),
        key: None,
    }
}

/// What a newer event of the same kind replaces.
fn key(event: &Event) -> Option<String> {
    match event {
        Event::Analysis(_) => Some("analysis".to_owned()),
        Event::Exact(_) => Some("exact".to_owned()),
        Event::Clock { game, .. } => Some(format!("clock {game}")),
        _ => None,
    }
}

/// Milliseconds since 1970.
pub(crate) fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |since| {
        u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
    })
}
