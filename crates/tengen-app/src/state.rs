//! What a saved game has besides its record, and how a game is restored.

use std::fmt;

use serde::{Deserialize, Serialize};
use tengen_core::{ByColor, Color, Point, PointSet, Settlement, Size};

use crate::clock::{Clock, ClockSettings, TimeLeft};
use crate::effort::spend;
use crate::game_tree::{GameTree, PRIVATE};
use crate::limits::SLOWEST;
use crate::refusal::Refusal;
use crate::score::names;
use crate::seat::Seat;
use crate::shared::Shared;
use crate::sheet::{Ending, Phase};
use crate::table::{Marking, Table};
use crate::verdict::{Comments, Verdicts, annotated};

/// The version of what is written.
const FORMAT: u32 = 1;

/// More numbers of nodes than any game has: a record that names more was not written here.
const MOST_NUMBERS: usize = 1 << 20;

/// What a saved game has besides its record: the JSON of the private property.
#[derive(Clone, Serialize, Deserialize)]
struct State {
    format: u32,
    phase: Phase,
    native: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    black: Seat,
    white: Seat,
    live: usize,
    version: u64,
    updated: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pace: Option<u32>,
    paused: bool,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    away: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    trouble: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    clock: Option<ClockState>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    marking: Option<MarkingState>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    ending: Option<Ending>,
    /// The numbers of nodes in the order of the record, as first numbers and counts of runs.
    nodes: Vec<(usize, usize)>,
    /// One more than the highest number ever used.
    count: usize,
}

#[derive(Clone, Serialize, Deserialize)]
struct ClockState {
    settings: ClockSettings,
    black: TimeLeft,
    white: TimeLeft,
}

#[derive(Clone, Serialize, Deserialize)]
struct MarkingState {
    dead: Vec<String>,
    seki: Vec<String>,
    awaited: bool,
}

/// A game as it was when it had to be saved. Writing it down takes longer than taking it, and needs no room.
#[derive(Clone)]
pub struct SavedGame {
    tree: Shared<GameTree>,
    state: State,
    verdicts: Verdicts,
}

impl SavedGame {
    /// The record for [`Room::restore`](crate::Room::restore), in UTF-8.
    ///
    /// # Panics
    ///
    /// Never: all keys of what is written as JSON are texts.
    pub fn to_sgf(&self) -> String {
        let state = State {
            nodes: runs(self.tree.in_order()),
            count: self.tree.count(),
            ..self.state.clone()
        };
        spend(2 * self.tree.node_count());
        let json = serde_json::to_string(&state).expect("a state has only keys that are texts");
        match self.verdicts.is_empty() {
            true => self.tree.to_sgf_with(&json),
            false => annotated(&self.tree, &self.verdicts, Comments::Own).to_sgf_with(&json),
        }
    }
}

impl fmt::Debug for SavedGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let nodes = self.tree.node_count();
        f.debug_struct("SavedGame")
            .field("nodes", &nodes)
            .finish_non_exhaustive()
    }
}

impl Table {
    /// The game with all that is needed to restore it.
    pub(crate) fn save(&self) -> SavedGame {
        let size = self.tree.size();
        let state = State {
            format: FORMAT,
            phase: self.phase,
            native: self.native,
            name: self.name.clone(),
            black: self.seats.black.clone(),
            white: self.seats.white.clone(),
            live: self.live,
            version: self.version,
            updated: self.updated,
            pace: (self.pace > 0).then_some(self.pace),
            paused: self.paused,
            away: self.away,
            trouble: self.trouble.clone(),
            clock: self.clock.as_ref().map(|clock| ClockState {
                settings: clock.settings(),
                black: clock.left(Color::Black, self.seen).unwrap_or_default(),
                white: clock.left(Color::White, self.seen).unwrap_or_default(),
            }),
            marking: self.marking.map(|marking| MarkingState {
                dead: names(&marking.settlement.dead, size),
                seki: names(&marking.settlement.seki, size),
                awaited: marking.awaited,
            }),
            ending: self.ending.clone(),
            // These are filled in when it is written.
            nodes: Vec::new(),
            count: 0,
        };
        SavedGame {
            tree: self.tree.clone(),
            state,
            verdicts: self.review.verdicts.clone(),
        }
    }

    /// A game from its record. One that no room has saved is in review.
    pub(crate) fn restored(id: String, text: &str, now: u64) -> Result<Self, Refusal> {
        let mut tree = GameTree::read(text)?;
        let private = tree.root().value(PRIVATE);
        let private = private.map(|value| value.text().into_owned());
        let state = private.and_then(|json| serde_json::from_str::<State>(&json).ok());
        tree.set(0, PRIVATE, [""; 0]);
        tree.take_changes();
        let mut table = Self::with_tree(id, tree, now)?;
        if let Some(state) = state.filter(|state| state.format == FORMAT) {
            table.take_state(state, now)?;
        }
        Ok(table)
    }

    fn take_state(&mut self, state: State, now: u64) -> Result<(), Refusal> {
        let size = self.tree.size();
        // Another program may have edited the record: then what the state says about nodes is not true any more.
        let count = state.count.min(MOST_NUMBERS);
        let numbers = numbers(&state.nodes, count);
        let known = self.tree.renumber(&numbers, count);
        if !known || self.tree.get(state.live).is_none() {
            return Ok(());
        }
        self.phase = state.phase;
        self.native = state.native;
        self.name = state.name;
        self.seats = ByColor::new(state.black, state.white);
        self.live = state.live;
        self.version = state.version;
        self.updated = state.updated;
        self.seen = now;
        self.pace = state.pace.unwrap_or(0).min(SLOWEST as u32);
        self.paused = state.paused;
        self.away = state.away;
        self.trouble = state.trouble;
        self.clock = state
            .clock
            .map(|clock| Clock::with_left(clock.settings, ByColor::new(clock.black, clock.white)));
        self.marking = state.marking.map(|marking| Marking {
            settlement: Settlement {
                dead: points(&marking.dead, size),
                seki: points(&marking.seki, size),
            },
            awaited: marking.awaited,
        });
        self.ending = state.ending;
        // Verdicts were read when nodes had the numbers of their order.
        let verdicts = std::mem::take(&mut self.review.verdicts).into_iter();
        self.review.verdicts = verdicts
            .filter_map(|(node, verdict)| Some((*numbers.get(node)?, verdict)))
            .collect();
        self.review.forget(&self.tree);
        self.refresh()
    }
}

fn points(names: &[String], size: Size) -> PointSet {
    let point = |name: &String| Point::from_gtp(name, size).ok();
    names.iter().filter_map(point).collect()
}

/// Numbers as runs: the first of each and how many there are.
fn runs(numbers: impl Iterator<Item = usize>) -> Vec<(usize, usize)> {
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for number in numbers {
        match runs.last_mut() {
            Some((first, count)) if *first + *count == number => *count += 1,
            _ => runs.push((number, 1)),
        }
    }
    runs
}

/// The numbers of runs, as far as they are below a limit.
fn numbers(runs: &[(usize, usize)], limit: usize) -> Vec<usize> {
    let mut numbers = Vec::new();
    for (first, count) in runs {
        let end = first.saturating_add(*count).min(limit);
        numbers.extend((*first).min(limit)..end);
        if numbers.len() > limit {
            break;
        }
    }
    numbers
}
