//! The room and all who deal with it.

use std::collections::HashMap;
use std::ops::{Deref, DerefMut};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::{Value, json};
use tengen_app::{
    AnswerMessage, Begun, Code, Copying, Event, Guest, JobId, Refusal, Reply, Report, Room, Ticket,
    Viewer, effort,
};
use tokio::sync::{OwnedSemaphorePermit, oneshot};

use crate::keeper::{Batch, Keeper, Letter};
use crate::log::Log;
use crate::outbox::{Message, Outbox};
use crate::scheduler::Scheduler;
use crate::time::Time;

/// How often a record is copied before it is copied while others wait.
const TRIES: usize = 3;

/// The room behind a lock. Each caller carries out what the room has left in its outbox before it releases the lock.
#[derive(Debug)]
pub(crate) struct Desk {
    state: Mutex<State>,
    keeper: Keeper,
    scheduler: Arc<Scheduler>,
    log: Log,
    time: Arc<dyn Time>,
    /// What the calendar said when the room was opened: its time begins there.
    start: u64,
    viewers: AtomicU64,
    /// The most nodes of records that were looked at while others waited for the room.
    longest: AtomicU64,
}

#[derive(Debug)]
struct State {
    room: Room,
    /// Where the events of those go who are here; nowhere for those who come for one call.
    outboxes: HashMap<Viewer, Option<Arc<Outbox>>>,
    /// Calls whose answers come later.
    waiting: HashMap<Ticket, Caller>,
}

/// The state while it is locked. It counts what is done meanwhile.
struct Locked<'a> {
    state: MutexGuard<'a, State>,
    before: u64,
    longest: &'a AtomicU64,
}

impl Deref for Locked<'_> {
    type Target = State;

    fn deref(&self) -> &State {
        &self.state
    }
}

impl DerefMut for Locked<'_> {
    fn deref_mut(&mut self) -> &mut State {
        &mut self.state
    }
}

impl Drop for Locked<'_> {
    fn drop(&mut self) {
        let done = effort().wrapping_sub(self.before);
        self.longest.fetch_max(done, Ordering::Relaxed);
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
pub(crate) type Answer = Result<Body, Refusal>;

/// The result of a call.
#[derive(Debug)]
pub(crate) enum Body {
    Value(Value),
    /// JSON that was written where nobody waited for it.
    Text(String),
}

impl Desk {
    pub(crate) fn new(
        room: Room,
        keeper: Keeper,
        scheduler: Arc<Scheduler>,
        time: Arc<dyn Time>,
        log: Log,
    ) -> Self {
        Self {
            state: Mutex::new(State {
                room,
                outboxes: HashMap::new(),
                waiting: HashMap::new(),
            }),
            keeper,
            scheduler,
            log,
            start: start_of(&*time),
            time,
            viewers: AtomicU64::new(1),
            longest: AtomicU64::new(0),
        }
    }

    /// Lets the keeper tell the room what could not be saved.
    pub(crate) fn listen_to_keeper(self: &Arc<Self>) {
        self.keeper.report_to(self);
    }

    /// The most nodes of records that were looked at while others waited.
    pub(crate) fn longest_wait(&self) -> u64 {
        self.longest.load(Ordering::Relaxed)
    }

    /// A viewer who was never here before.
    pub(crate) fn new_viewer(&self) -> Viewer {
        Viewer(self.viewers.fetch_add(1, Ordering::Relaxed))
    }

    /// A viewer comes, and its events go here.
    pub(crate) fn enter(&self, viewer: Viewer, guest: Guest, outbox: Option<Arc<Outbox>>) {
        let mut state = self.state();
        state.room.welcome(viewer, guest);
        state.outboxes.insert(viewer, outbox);
    }

    /// A viewer is gone, and what only this one waited for ends.
    pub(crate) fn leave(&self, viewer: Viewer) {
        let mut state = self.state();
        state.outboxes.remove(&viewer);
        self.act(&mut state, |room, now| room.leave(viewer, now));
    }

    /// Hands a call to the room; its answer goes to the caller now or later. What takes its time is done while others
    /// have the room.
    pub(crate) fn call(&self, viewer: Viewer, method: &str, params: Value, caller: Caller) {
        let mut state = self.state_to_change(|room| room.copying_for_tick(self.now()));
        // A viewer that has disconnected could never end what the call begins, so the call is dropped.
        if !state.outboxes.contains_key(&viewer) {
            return;
        }
        // What clocks have to save now is not what the caller waits for.
        self.act(&mut state, Room::tick);
        let now = self.now();
        let mut begun = self.guarded(method, || state.room.begin(method, params, viewer, now));
        let mut after = None;
        while let Ok(Begun::Aside(aside)) = begun {
            self.carry_out(&mut state, Batch::default());
            drop(state);
            let brought = self.guarded(method, || Ok(aside.run().written()));
            state = self.state();
            if !state.outboxes.contains_key(&viewer) {
                return;
            }
            let now = self.now();
            begun = brought.and_then(|brought| {
                after = brought.changed_game().map(str::to_owned);
                self.guarded(method, || state.room.finish(brought, viewer, now))
            });
        }
        let mut batch = Batch {
            after,
            ..Batch::default()
        };
        match begun {
            Ok(Begun::Reply(Reply::Later(ticket))) => {
                state.waiting.insert(ticket, caller);
            }
            Ok(Begun::Reply(Reply::Now(result))) => {
                batch.letters.push(caller.letter(Ok(Body::Value(result))));
            }
            Ok(Begun::Reply(Reply::Text(text))) => {
                batch.letters.push(caller.letter(Ok(Body::Text(text))));
            }
            Ok(Begun::Aside(_)) => {}
            Err(refusal) => batch.letters.push(caller.letter(Err(refusal))),
        }
        self.carry_out(&mut state, batch);
    }

    /// Does something that must not panic, and lets everybody go on if it does.
    fn guarded<T>(
        &self,
        method: &str,
        act: impl FnOnce() -> Result<T, Refusal>,
    ) -> Result<T, Refusal> {
        catch_unwind(AssertUnwindSafe(act)).unwrap_or_else(|_| {
            self.log.say(format_args!(
                "a mistake of the program: {method} has panicked"
            ));
            let message = "a mistake of the program; see its log";
            Err(Refusal::new(Code::EngineFailed, message))
        })
    }

    /// A game could not be saved, or was.
    pub(crate) fn note_saved(&self, game: &str, problem: Option<&str>) {
        self.act(&mut self.state(), |room, now| {
            room.note_saved(game, problem, now);
        });
    }

    /// Tells the room what became of a job.
    pub(crate) fn report(&self, job: JobId, report: Report) {
        let mut state = self.state_to_change(|room| room.copying_for_report(job));
        self.act(&mut state, |room, now| {
            _ = room.report(job, report, now);
        });
    }

    /// Tells the room what time it is.
    pub(crate) fn tick(&self) {
        let mut state = self.state_to_change(|room| room.copying_for_tick(self.now()));
        self.act(&mut state, Room::tick);
    }

    /// The engines trust another network, or none.
    pub(crate) fn set_network(&self, network: Option<String>) {
        self.state().room.set_network(network);
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
        let now = self.now();
        let date = self.time.date();
        if catch_unwind(AssertUnwindSafe(|| {
            state.room.set_calendar(now, date);
            act(&mut state.room, now);
        }))
        .is_err()
        {
            self.log
                .say("a mistake of the program: the room has panicked");
        }
        self.carry_out(state, Batch::default());
    }

    /// Does what the room wants done. Answers and events go out in the order in which they came up, and never before
    /// what they tell of is on disk.
    fn carry_out(&self, state: &mut State, mut batch: Batch) {
        let outbox = state.room.take_outbox();
        for id in outbox.cancelled {
            self.scheduler.cancel(id);
        }
        for job in outbox.jobs {
            self.scheduler.begin(job);
        }
        for answer in outbox.answers {
            if let Some(caller) = state.waiting.remove(&answer.ticket) {
                batch
                    .letters
                    .push(caller.letter(answer.result.map(Body::Value)));
            }
        }
        for delivery in outbox.events {
            let viewers = delivery.viewers.iter();
            let outboxes = viewers.filter_map(|viewer| state.outboxes.get(viewer)?.clone());
            let event = Box::new(delivery.event);
            batch.letters.push(Letter::Event(outboxes.collect(), event));
        }
        batch.saves = outbox.saves;
        self.keeper.deliver(batch);
    }

    /// The state, with a record of its own for the game that is about to change, if others read that one and it is
    /// large. It is copied while others have the room.
    fn state_to_change(&self, copying: impl Fn(&Room) -> Option<Copying>) -> Locked<'_> {
        let mut state = self.state();
        for _ in 0..TRIES {
            let Some(copying) = copying(&state.room) else {
                break;
            };
            drop(state);
            let copied = copying.run();
            state = self.state();
            state.room.take_copied(copied);
        }
        state
    }

    fn state(&self) -> Locked<'_> {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        Locked {
            state,
            before: effort(),
            longest: &self.longest,
        }
    }

    /// What time it is for the room: the calendar may be set, but clocks of games go on steadily.
    fn now(&self) -> u64 {
        let elapsed = u64::try_from(self.time.elapsed().as_millis()).unwrap_or(u64::MAX);
        self.start.saturating_add(elapsed)
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
            Self::Once(sender) => Letter::Once(sender, answer),
            Self::Live { outbox, id, permit } => {
                drop(permit);
                Letter::Live(outbox, id, answer)
            }
        }
    }
}

/// An answer as it is sent to a viewer.
pub(crate) fn answer_message(id: Value, answer: Answer) -> Message {
    let text = match answer {
        Ok(Body::Text(text)) => format!("{{\"id\":{id},\"result\":{text}}}"),
        Ok(Body::Value(value)) => json!(AnswerMessage::new(id, Ok(value))).to_string(),
        Err(refusal) => json!(AnswerMessage::new(id, Err(refusal))).to_string(),
    };
    Message {
        text: text.into(),
        key: None,
    }
}

/// An event as it is sent to viewers.
pub(crate) fn event_message(event: &Event) -> Option<Message> {
    Some(Message {
        text: serde_json::to_string(event).ok()?.into(),
        key: key(event),
    })
}

/// What a newer event of the same kind replaces.
fn key(event: &Event) -> Option<String> {
    match event {
        Event::Analysis(_) => Some("analysis".to_owned()),
        Event::Exact(_) => Some("exact".to_owned()),
        Event::Proof(_) => Some("proof".to_owned()),
        Event::Clock { game, .. } => Some(format!("clock {game}")),
        _ => None,
    }
}

/// The time of a room that is opened now, so that what is dated by it is dated right.
fn start_of(time: &dyn Time) -> u64 {
    let elapsed = u64::try_from(time.elapsed().as_millis()).unwrap_or(u64::MAX);
    time.date().saturating_sub(elapsed)
}
