//! All games of an app and what happens to them.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::marker::PhantomData;

use serde_json::Value;
use tengen_render::Picture;

use crate::clock::{Clock, ClockMessage};
use crate::copy::Copy;
use crate::difference::Change;
use crate::event::Event;
use crate::exact::Archive;
use crate::file::file_name;
use crate::guest::{Client, Guest, Invitation, Rights};
use crate::invitation::Invited;
use crate::job::JobId;
use crate::outbox::{Delivery, Outbox, Save};
use crate::refusal::{Code, Refusal};
use crate::settings::RoomSettings;
use crate::table::Table;
use crate::verdict::Comments;
use crate::walk::Proofs;

mod change;
mod errand;
mod proof;
mod seek;
mod walk;

pub(crate) use change::not_saved;
pub(crate) use errand::{Errand, Purpose};

/// Whoever looks at games: a tab, a connection, a program. The host numbers them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Viewer(pub u64);

/// Names a call that is answered later.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Ticket(pub u64);

/// A call that is answered later, with an `R`.
pub(crate) struct Later<R> {
    pub ticket: Ticket,
    pub result: PhantomData<R>,
}

/// What a call leads to.
#[derive(Clone, Debug, PartialEq)]
pub enum Reply {
    /// The result.
    Now(Value),
    /// The result as JSON.
    Text(String),
    /// An [`Answer`](crate::Answer) with this ticket will be in the outbox when an engine is done.
    Later(Ticket),
}

impl Reply {
    /// The result, if there is one already.
    pub fn now(self) -> Option<Value> {
        match self {
            Self::Now(value) => Some(value),
            Self::Text(text) => serde_json::from_str(&text).ok(),
            Self::Later(_) => None,
        }
    }
}

/// All games of an app and what happens to them.
///
/// Times are milliseconds that never go back, from about 1970 on ([`Room::set_calendar`]). After every call, tick and
/// report the host empties the outbox ([`Room::take_outbox`]): it sends the events and answers, begins and ends jobs,
/// and writes the saves.
#[derive(Debug, Default)]
pub struct Room {
    pub(crate) settings: RoomSettings,
    pub(crate) tables: BTreeMap<String, Table>,
    outbox: Outbox,
    /// Games to be saved.
    dirty: BTreeSet<String>,
    /// What engines are asked, by the numbers of the jobs.
    errands: BTreeMap<JobId, Errand>,
    /// What each viewer waits for.
    waiting: HashMap<Viewer, Waiting>,
    /// What is proven about positions.
    archive: Archive,
    /// Proofs that somebody walks through.
    proofs: Proofs,
    /// What is known about viewers.
    guests: HashMap<Viewer, Guest>,
    /// Who was invited to a seat.
    pub(crate) invitations: BTreeMap<Invitation, Invited>,
    pub(crate) last_invitation: u64,
    /// What has to be added to a time to have the one of the calendar.
    calendar: i64,
    last_job: u64,
    last_ticket: u64,
    last_id: u64,
}

/// What a viewer waits for: one of each at a time.
#[derive(Clone, Copy, Debug, Default)]
struct Waiting {
    analysis: Option<JobId>,
    hint: Option<JobId>,
    estimate: Option<JobId>,
    judgement: Option<JobId>,
    exact: Option<JobId>,
    proof: Option<JobId>,
}

/// How often a game whose clock runs is saved, in milliseconds, so that a crash gives nobody much time back.
const SAVE_CLOCK_EVERY: u64 = 10_000;

impl Room {
    /// An empty room.
    pub fn new(settings: RoomSettings) -> Self {
        Self {
            settings,
            ..Self::default()
        }
    }

    /// What the host has said about itself.
    pub const fn settings(&self) -> &RoomSettings {
        &self.settings
    }

    /// The engine trusts another network from now on, or none.
    pub fn set_network(&mut self, network: Option<String>) {
        self.settings.network = network;
    }

    /// The games that are in the room.
    pub fn games(&self) -> impl Iterator<Item = &str> {
        self.tables.keys().map(String::as_str)
    }

    /// Takes what the host has to do.
    pub fn take_outbox(&mut self) -> Outbox {
        for id in std::mem::take(&mut self.dirty) {
            if let Some(table) = self.tables.get(&id) {
                let record = Some(table.save());
                self.outbox.saves.push(Save { game: id, record });
            }
        }
        std::mem::take(&mut self.outbox)
    }

    /// Brings a saved game back. Its clock stands still, and an engine whose turn it is waits, until somebody watches
    /// it.
    pub fn restore(&mut self, game: &str, sgf: &str, now: u64) -> Result<(), Refusal> {
        let fits = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
        if game.is_empty() || game.len() > 32 || !game.bytes().all(fits) {
            return Err(Refusal::params(format_args!(
                "{game:?} is no name of a game"
            )));
        }
        if self.tables.contains_key(game) {
            return Err(Refusal::params(format_args!(
                "{game} is in the room already"
            )));
        }
        let table = Table::restored(game.to_owned(), sgf, now)?;
        self.tables.insert(game.to_owned(), table);
        Ok(())
    }

    /// What the calendar says at a time. It may be set while time itself goes on steadily, and games are dated by it.
    pub fn set_calendar(&mut self, now: u64, date: u64) {
        self.calendar = date.cast_signed().wrapping_sub(now.cast_signed());
    }

    /// The date of a time.
    pub(crate) const fn date(&self, now: u64) -> u64 {
        now.saturating_add_signed(self.calendar)
    }

    /// Says who a viewer is, before it calls anything.
    pub fn welcome(&mut self, viewer: Viewer, guest: Guest) {
        self.guests.insert(viewer, guest);
    }

    pub(crate) fn rights(&self, viewer: Viewer) -> Rights {
        self.guests.get(&viewer).copied().unwrap_or_default().rights
    }

    pub(crate) fn client(&self, viewer: Viewer) -> Option<Client> {
        self.guests.get(&viewer)?.client
    }

    /// A game could not be saved, and why; or it was, with `None`. Meanwhile it does not go on.
    pub fn note_saved(&mut self, game: &str, problem: Option<&str>, now: u64) {
        let noted = self.change(game, None, now, |table, _| {
            table.unsaved = problem.map(str::to_owned);
            Ok(())
        });
        // One that was deleted meanwhile needs no note.
        debug_assert!(noted.is_ok() || !self.tables.contains_key(game));
    }

    /// The time goes on: flags fall and periods end, even if nobody acts, and engines that waited go on.
    pub fn tick(&mut self, now: u64) {
        let due: Vec<String> = self
            .waiting_tables()
            .filter(|(_, until)| *until <= now)
            .map(|(table, _)| table.id.clone())
            .collect();
        for id in due {
            self.touch(&id, now);
        }
        let ids: Vec<String> = self.with_clock().map(|table| table.id.clone()).collect();
        for id in ids {
            let Some(table) = self.tables.get_mut(&id) else {
                continue;
            };
            let Some(clock) = &table.clock else { continue };
            let stage = clock.stage(table.seen);
            let fallen = clock.fallen(now);
            if let Some(color) = fallen {
                let lost = self.change(&id, None, now, |table, _| {
                    table.lose_on_time(color);
                    Ok(())
                });
                debug_assert_eq!(lost, Ok(()));
                continue;
            }
            let grace = u64::from(self.settings.limits.absence_seconds) * 1000;
            if table
                .alone_since
                .is_some_and(|since| now >= since.saturating_add(grace))
            {
                let paused = self.change(&id, None, now, |table, _| {
                    table.paused = true;
                    table.away = true;
                    Ok(())
                });
                debug_assert_eq!(paused, Ok(()));
                continue;
            }
            let has_moved_on = stage != clock.stage(now);
            let is_due = now.saturating_sub(table.seen) >= SAVE_CLOCK_EVERY;
            if has_moved_on || is_due {
                table.seen = now;
                if table.keep {
                    self.dirty.insert(id.clone());
                }
            }
            if has_moved_on {
                self.tell_clock(&id, now);
            }
        }
    }

    /// When [`Room::tick`] has something to do next, if a clock runs or an engine waits. More ticks do no harm.
    pub fn next_tick(&self, now: u64) -> Option<u64> {
        let changes = self.with_clock().filter_map(|table| {
            let next = table.clock.as_ref()?.next_change(now)?;
            let grace = u64::from(self.settings.limits.absence_seconds) * 1000;
            let next = match table.alone_since {
                Some(since) => next.min(since.saturating_add(grace)),
                None => next,
            };
            Some(next.min(table.seen + SAVE_CLOCK_EVERY).max(now))
        });
        let waits = self.waiting_tables().map(|(_, until)| until.max(now));
        changes.chain(waits).min()
    }

    /// The games in which an engine waits so that people can follow, and until when.
    fn waiting_tables(&self) -> impl Iterator<Item = (&Table, u64)> {
        self.tables
            .values()
            .filter_map(|table| Some((table, table.waits_until?)))
    }

    /// The games whose clock runs.
    fn with_clock(&self) -> impl Iterator<Item = &Table> {
        let runs = |table: &&Table| table.clock.as_ref().is_some_and(Clock::is_running);
        self.tables.values().filter(runs)
    }

    /// The host is about to end: what clocks show is saved once more.
    pub fn close(&mut self, now: u64) {
        self.tick(now);
        let ids: Vec<String> = self
            .with_clock()
            .filter(|table| table.keep)
            .map(|table| table.id.clone())
            .collect();
        for id in ids {
            if let Some(table) = self.tables.get_mut(&id) {
                table.seen = now;
            }
            self.dirty.insert(id);
        }
    }

    /// A viewer is gone: what it alone waited for is cancelled.
    pub fn leave(&mut self, viewer: Viewer, now: u64) {
        self.guests.remove(&viewer);
        if let Some(waiting) = self.waiting.remove(&viewer) {
            let Waiting {
                analysis,
                hint,
                estimate,
                judgement,
                exact,
                proof,
            } = waiting;
            let jobs = [analysis, hint, estimate, judgement, exact, proof];
            for job in jobs.into_iter().flatten() {
                self.cancel(job);
            }
        }
        let ids: Vec<String> = self.tables.keys().cloned().collect();
        for id in ids {
            let Some(table) = self.tables.get_mut(&id) else {
                continue;
            };
            let watched = table.watchers.remove(&viewer);
            let review = table.review.running.as_ref();
            if review.is_some_and(|review| review.viewer == viewer) {
                self.stop_review(&id);
            }
            let Some(table) = self.tables.get(&id) else {
                continue;
            };
            let is_unattended = table.watchers.is_empty();
            if !table.keep && is_unattended && (watched || table.owner == Some(viewer)) {
                self.delete(&id);
            } else if watched {
                self.touch(&id, now);
            }
        }
    }

    /// A game as it is now, to be made into files without the room.
    pub fn copy(&self, game: &str) -> Result<Copy, Refusal> {
        let table = self.table(game)?;
        Ok(Copy {
            tree: table.tree.clone(),
            live: table.live,
            verdicts: table.review.verdicts.clone(),
        })
    }

    /// The record of a game for other programs, with what a review has found.
    pub fn sgf(&self, game: &str) -> Result<String, Refusal> {
        Ok(self.copy(game)?.sgf(Comments::Own))
    }

    /// A position of a game as a picture; without a node, the one where the game stands.
    pub fn picture(&self, game: &str, node: Option<usize>) -> Result<Picture, Refusal> {
        self.copy(game)?.picture(node)
    }

    /// The positions of a game up to a node, as pictures; without a node, up to where the game stands.
    pub fn frames(&self, game: &str, node: Option<usize>) -> Result<Vec<Picture>, Refusal> {
        self.copy(game)?.frames(node)
    }

    /// What files of a game are called, but for their ending: when it was played, and its title.
    pub fn file_name(&self, game: &str) -> Result<String, Refusal> {
        let table = self.table(game)?;
        let date = table.tree.line(0, "DT");
        Ok(file_name(date.as_deref(), &table.title(), game))
    }

    pub(crate) fn table(&self, id: &str) -> Result<&Table, Refusal> {
        self.tables.get(id).ok_or_else(|| no_game(id))
    }

    /// A name for a new game: the time in letters and digits, and never the same twice.
    pub(crate) fn new_id(&mut self, now: u64) -> String {
        loop {
            self.last_id = now.max(self.last_id + 1);
            let id = base36(self.last_id);
            if !self.tables.contains_key(&id) {
                return id;
            }
        }
    }

    /// Puts a new game into the room.
    pub(crate) fn admit(&mut self, table: Table, viewer: Viewer, now: u64) {
        let id = table.id.clone();
        let keep = table.keep;
        self.tables.insert(id.clone(), table);
        let client = self.client(viewer);
        if let Some(table) = self.tables.get_mut(&id) {
            table.owner = Some(viewer);
            table.client = client;
        }
        if keep {
            self.dirty.insert(id.clone());
        }
        self.touch(&id, now);
    }

    /// Removes a game and all that was to be found out about it.
    pub(crate) fn delete(&mut self, id: &str) {
        let about: Vec<JobId> = self.errands_about(id, |_| true);
        for job in about {
            self.cancel_gone(job);
        }
        let Some(table) = self.tables.remove(id) else {
            return;
        };
        self.dirty.remove(id);
        self.invitations.retain(|_, invited| invited.game != id);
        let event = Event::Game {
            game: id.to_owned(),
            version: table.version + 1,
            change: Box::new(Change::deleted()),
        };
        self.deliver(table.watchers.into_iter().collect(), event);
        if table.keep {
            let game = id.to_owned();
            self.outbox.saves.push(Save { game, record: None });
        }
    }

    fn deliver(&mut self, viewers: Vec<Viewer>, event: Event) {
        if !viewers.is_empty() {
            self.outbox.events.push(Delivery { viewers, event });
        }
    }

    fn tell_clock(&mut self, id: &str, now: u64) {
        let Some(table) = self.tables.get(id) else {
            return;
        };
        let Some(clock) = &table.clock else { return };
        let ClockMessage { black, white, .. } = clock.message(now);
        let event = Event::Clock {
            game: id.to_owned(),
            black,
            white,
        };
        self.deliver(table.watchers.iter().copied().collect(), event);
    }
}

pub(crate) fn no_game(id: &str) -> Refusal {
    Refusal::new(Code::NoGame, format!("there is no game {id:?}"))
}

fn base36(mut number: u64) -> String {
    let mut digits = Vec::new();
    loop {
        let digit = (number % 36) as u8;
        digits.push(match digit {
            0..10 => b'0' + digit,
            _ => b'a' + digit - 10,
        });
        number /= 36;
        if number == 0 {
            break;
        }
    }
    digits.reverse();
    String::from_utf8_lossy(&digits).into_owned()
}
