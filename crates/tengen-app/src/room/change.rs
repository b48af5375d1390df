//! What follows from a change of a game.

use super::{Errand, Purpose, Room, Viewer, no_game};
use crate::difference::{Before, Change, Told};
use crate::event::Event;
use crate::game_tree::Changes;
use crate::guest::Rights;
use crate::job::JobKind;
use crate::refusal::{Code, Refusal};
use crate::seat::Seat;
use crate::settings::RoomSettings;
use crate::table::{Table, Thought, Wanted};

impl Room {
    /// Changes a game and sees to all that follows: clocks, engines, events, saves. What fails must change nothing.
    pub(crate) fn change<T>(
        &mut self,
        id: &str,
        viewer: Option<Viewer>,
        now: u64,
        change: impl FnOnce(&mut Table, &RoomSettings) -> Result<T, Refusal>,
    ) -> Result<T, Refusal> {
        self.change_told(id, viewer, now, |table, settings| {
            Ok((change(table, settings)?, None))
        })
    }

    /// The same for a change that may know already what has happened to the tree.
    pub(crate) fn change_told<T>(
        &mut self,
        id: &str,
        viewer: Option<Viewer>,
        now: u64,
        change: impl FnOnce(&mut Table, &RoomSettings) -> Result<(T, Option<Told>), Refusal>,
    ) -> Result<T, Refusal> {
        let table = self.tables.get_mut(id).ok_or_else(|| no_game(id))?;
        if let (Some(_), Some(problem)) = (viewer, &table.unsaved) {
            return Err(not_saved(problem));
        }
        let before = Before::of(table);
        let (result, told) = change(table, &self.settings)?;
        if viewer.is_some() {
            table.owner = viewer;
            table.alone_since = None;
        }
        self.settle(id, &before, told, now);
        Ok(result)
    }

    /// Sees to what may have to be done although the game has not changed: somebody came or went.
    pub(crate) fn touch(&mut self, id: &str, now: u64) {
        if let Some(table) = self.tables.get(id) {
            let before = Before::of(table);
            self.settle(id, &before, None, now);
        }
    }

    fn settle(&mut self, id: &str, before: &Before, told: Option<Told>, now: u64) {
        let Some(table) = self.tables.get_mut(id) else {
            return;
        };
        let ran = table
            .clock
            .as_ref()
            .and_then(|clock| clock.stage(table.seen));
        table.run_clock(now);
        let may_play = |viewer: &Viewer| {
            self.guests
                .get(viewer)
                .is_none_or(|guest| guest.rights != Rights::Look)
        };
        table.note_presence(table.watchers.iter().any(may_play), now);
        table.seen = now;
        let runs = table.clock.as_ref().and_then(|clock| clock.stage(now));
        table.stamp += 1;
        let told = told.unwrap_or_else(|| before.told(&mut table.tree));
        self.forget(id, &told.changes);
        self.arrange(id, now);
        let Some(table) = self.tables.get_mut(id) else {
            return;
        };
        let change = Change::since(before, table, told);
        let has_changed = !change.is_empty();
        if has_changed {
            table.version += 1;
            table.updated = now.saturating_add_signed(self.calendar);
            if table.keep {
                self.dirty.insert(id.to_owned());
            }
            let viewers = table.watchers.iter().copied().collect();
            let event = Event::Game {
                game: id.to_owned(),
                version: table.version,
                change: Box::new(change),
            };
            self.deliver(viewers, event);
        }
        if has_changed || ran != runs {
            self.tell_clock(id, now);
        }
    }

    /// Gives up what was to be found out about positions that are gone.
    fn forget(&mut self, id: &str, changes: &Changes) {
        if !changes.positions && changes.removed.is_empty() {
            return;
        }
        let Some(table) = self.tables.get_mut(id) else {
            return;
        };
        table.review.forget(&table.tree);
        if changes.positions {
            table.review.verdicts.clear();
        }
        let Ok(Table { tree, .. }) = self.table(id) else {
            return;
        };
        let stale = self.errands_about(id, |errand| match errand.purpose {
            Purpose::Seat | Purpose::Proposal => false,
            _ => changes.positions || tree.get(errand.node).is_none(),
        });
        for job in stale {
            self.cancel_gone(job);
        }
        if changes.positions {
            self.stop_review(id);
        } else {
            self.advance_review(id);
        }
    }

    /// Lets engines think about what they ought to, and about nothing else.
    fn arrange(&mut self, id: &str, now: u64) {
        let Some(table) = self.tables.get_mut(id) else {
            return;
        };
        let wanted = table.wanted();
        table.waits_until = None;
        if let Some(thought) = &table.thought {
            if thought.node == table.live && Some(&thought.wanted) == wanted.as_ref() {
                return;
            }
            let job = thought.job;
            table.thought = None;
            self.cancel(job);
        }
        let Some(wanted) = wanted else { return };
        let Some(table) = self.tables.get_mut(id) else {
            return;
        };
        if matches!(wanted, Wanted::Move(..)) && now < table.next_move_at() {
            table.waits_until = Some(table.next_move_at());
            return;
        }
        let kind = match job_kind(table, &wanted, &self.settings, now) {
            Ok(kind) => kind,
            Err(trouble) => {
                table.stumble(trouble);
                table.run_clock(now);
                return;
            }
        };
        let errand = Errand {
            game: id.to_owned(),
            node: table.live,
            size: table.game.size(),
            purpose: match wanted {
                Wanted::Move(..) => Purpose::Seat,
                Wanted::Proposal => Purpose::Proposal,
            },
        };
        let (node, owner, position) = (table.live, table.owner, table.game.clone());
        let job = self.send(errand, owner, position, kind);
        if let Some(table) = self.tables.get_mut(id) {
            table.thought = Some(Thought { job, node, wanted });
        }
    }
}

/// Why a game does not go on that could not be saved.
pub(crate) fn not_saved(problem: &str) -> Refusal {
    Refusal::new(Code::NotSaved, problem)
}

/// What an engine or a program is asked, or why it cannot be asked.
fn job_kind(
    table: &Table,
    wanted: &Wanted,
    settings: &RoomSettings,
    now: u64,
) -> Result<JobKind, String> {
    let Wanted::Move(color, seat) = wanted else {
        return Ok(JobKind::Propose);
    };
    let effort = &settings.effort;
    match seat {
        Seat::Program { name } if settings.programs.contains(name) => Ok(JobKind::Program {
            name: name.clone(),
            clock: table.clock.as_ref().map(crate::clock::Clock::settings),
            left: table
                .clock
                .as_ref()
                .map_or_else(Vec::new, |clock| clock.gtp(now)),
        }),
        Seat::Program { name } => Err(format!("no program is called {name:?}")),
        Seat::Engine { level } => {
            let level = tengen_search::Level::new(*level).unwrap_or_default();
            let lag = std::time::Duration::from_millis(effort.lag_ms);
            let moves = table.game.turns().len();
            let on_clock = table
                .clock
                .as_ref()
                .and_then(|clock| clock.for_move(*color, table.game.size(), moves, lag, now));
            let at_most =
                (effort.move_ms > 0).then(|| std::time::Duration::from_millis(effort.move_ms));
            Ok(JobKind::Move {
                level,
                time: on_clock.or(at_most),
                visits: effort.move_visits,
            })
        }
        Seat::Person { .. } => Err("a person moves without being asked".to_owned()),
    }
}
