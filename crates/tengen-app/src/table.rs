//! One game: its record, who plays it, and how it stands.

use std::collections::{BTreeMap, BTreeSet};

use tengen_core::{ByColor, Color, Game, Outcome, PointSet, Scoring, Settlement};

use crate::aside::Look;
use crate::clock::{Clock, ClockSettings};
use crate::difference::Told;
use crate::draft::EditedTree;
use crate::edit::{Edit, INFO, sgf_points};
use crate::edit_history::EditHistory;
use crate::effort::spend;
use crate::game_tree::{GameTree, Trail, sets_up};
use crate::guest::Client;
use crate::job::JobId;
use crate::limits::at_most;
use crate::refusal::{Code, Refusal};
use crate::results::Listing;
use crate::review::Review;
use crate::room::Viewer;
use crate::rules;
use crate::score::{ScoreMessage, names};
use crate::seat::Seat;
use crate::shared::Shared;
use crate::sheet::{
    EndReason, Ending, Head, Phase, ResultMessage, Sheet, StyleMessage, TerritoryMessage,
    TreeMessage,
};
use crate::view::action_text;

mod founding;
mod marking;
mod playing;

pub(crate) use playing::Turn;

/// One game: its record, who plays it, and how it stands.
#[derive(Debug)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "they are facts about a game that do not depend on each other"
)]
pub(crate) struct Table {
    pub id: String,
    pub tree: Shared<GameTree>,
    /// Is it listed and saved?
    pub keep: bool,
    /// Was it begun here? Then names of players follow their seats.
    pub native: bool,
    /// What it is called if its record says nothing.
    pub name: Option<String>,
    pub seats: ByColor<Seat>,
    pub phase: Phase,
    /// The node where the game stands.
    pub live: usize,
    /// The game there.
    pub game: Game,
    /// Milliseconds between two moves of engines, at least.
    pub pace: u32,
    /// When the last move was made.
    pub moved: u64,
    /// When an engine begins to think that waits so that people can follow.
    pub waits_until: Option<u64>,
    pub paused: bool,
    /// Was it paused because nobody was there?
    pub away: bool,
    /// Since when nobody is there while a clock runs against an engine.
    pub alone_since: Option<u64>,
    /// Has anybody watched it who may play?
    pub was_watched: bool,
    /// The colour that somebody elsewhere was invited to play.
    pub guest: Option<Color>,
    /// Why it could not be saved.
    pub unsaved: Option<String>,
    /// Who has made it.
    pub client: Option<Client>,
    pub trouble: Option<String>,
    pub clock: Option<Clock>,
    /// What is dead, while it is marked and once it is counted.
    pub marking: Option<Marking>,
    pub ending: Option<Ending>,
    pub version: u64,
    /// Another one after all that may have changed anything, even if nobody is told.
    pub stamp: u64,
    pub updated: u64,
    /// When the room last looked at it.
    pub seen: u64,
    /// Who has last acted here, and pays for the thinking.
    pub owner: Option<Viewer>,
    pub watchers: BTreeSet<Viewer>,
    /// What an engine or a program thinks about.
    pub thought: Option<Thought>,
    pub review: Review,
    /// What edits have made of the record, so that they can be taken back.
    pub edits: EditHistory,
}

/// How many times one call may have the whole record written anew.
const REWRITES: usize = 10;

/// Which stones are dead.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Marking {
    pub settlement: Settlement,
    /// Is a proposal of the engine awaited?
    pub awaited: bool,
}

/// What an engine or a program ought to think about at a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Wanted {
    /// A move of this player.
    Move(Color, Seat),
    /// The dead stones.
    Proposal,
}

/// What an engine or a program thinks about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Thought {
    pub job: JobId,
    pub node: usize,
    pub wanted: Wanted,
}

impl Table {
    /// Replays the game to where it stands.
    pub(crate) fn refresh(&mut self) -> Result<(), Refusal> {
        let trail = self.tree.trail(self.live)?;
        self.stand(trail);
        Ok(())
    }

    /// The game stands where this leads.
    fn stand(&mut self, trail: Trail) {
        self.game = match self.phase {
            Phase::Playing => trail.going_on().game,
            Phase::Marking | Phase::Finished | Phase::Review => trail.game,
        };
    }

    /// Refuses what cannot be done in this phase.
    pub(crate) fn check_phase(&self, phases: &[Phase]) -> Result<(), Refusal> {
        match phases.contains(&self.phase) {
            true => Ok(()),
            false => Err(self.wrong_phase()),
        }
    }

    fn wrong_phase(&self) -> Refusal {
        let phase = self.phase.name();
        let message = format!("this cannot be done in the phase {phase}");
        Refusal::new(Code::WrongPhase, message).with(serde_json::json!({"phase": phase}))
    }

    pub(crate) fn has_person(&self) -> bool {
        self.seats.black.is_person() || self.seats.white.is_person()
    }

    /// Does it go on? A game without persons waits while nobody watches, and every game after a restart until somebody
    /// looks at it.
    fn is_attended(&self) -> bool {
        self.has_person() && self.owner.is_some() || !self.watchers.is_empty()
    }

    /// What an engine or a program ought to think about now.
    pub(crate) fn wanted(&self) -> Option<Wanted> {
        self.due()
            .filter(|_| self.is_attended() && self.unsaved.is_none())
    }

    /// What an engine or a program ought to think about as soon as somebody is there.
    fn due(&self) -> Option<Wanted> {
        match self.phase {
            Phase::Playing if !self.paused => {
                let color = self.game.to_move();
                let seat = &self.seats[color];
                (!seat.is_person()).then(|| Wanted::Move(color, seat.clone()))
            }
            Phase::Marking => {
                let marking = self.marking.filter(|marking| marking.awaited);
                marking.map(|_| Wanted::Proposal)
            }
            Phase::Playing | Phase::Finished | Phase::Review => None,
        }
    }

    /// When the next move may be thought about, in a game that people only watch.
    pub(crate) fn next_move_at(&self) -> u64 {
        match self.has_person() || self.clock.is_some() {
            true => 0,
            false => self.moved.saturating_add(u64::from(self.pace)),
        }
    }

    /// Lets the clock run that ought to.
    pub(crate) fn run_clock(&mut self, now: u64) {
        let runs = self.phase == Phase::Playing
            && !self.paused
            && self.is_attended()
            && self.unsaved.is_none();
        let color = runs.then(|| self.game.to_move());
        if let Some(clock) = &mut self.clock {
            clock.run(color, now);
        }
    }

    /// Notes whether anybody who may play is there: a clock does not run for ever against somebody who has gone.
    pub(crate) fn note_presence(&mut self, is_watched: bool, now: u64) {
        self.was_watched |= is_watched;
        if !self.paused {
            self.away = false;
        }
        let against_machine = self.seats.black.is_person() != self.seats.white.is_person();
        let is_alone = against_machine
            && self.was_watched
            && !is_watched
            && self.clock.as_ref().is_some_and(Clock::is_running);
        self.alone_since = is_alone.then(|| self.alone_since.unwrap_or(now));
    }

    /// Is it a game in which nothing has happened, and at which nobody looks?
    pub(crate) fn is_idle(&self) -> bool {
        let root = self.tree.root();
        self.native
            && self.watchers.is_empty()
            && self.tree.node_count() == 1
            && root.property("C").is_none()
            && (self.game.handicap() > 0 || !sets_up(root))
    }

    pub(crate) fn title(&self) -> String {
        title(&self.tree, self.name.as_deref())
    }

    /// What a list says of the game, to be found out where nobody waits.
    pub(crate) fn listing(&self) -> impl FnOnce() -> Listing + Send + use<> {
        let (id, tree, name) = (self.id.clone(), self.tree.clone(), self.name.clone());
        let (seats, size, result) = (self.seats.clone(), self.game.size(), self.result_text());
        let (updated, phase, native) = (self.updated, self.phase, self.native);
        let live = self.live;
        move || Listing {
            id,
            title: title(&tree, name.as_deref()),
            updated,
            width: size.width(),
            height: size.height(),
            moves: tree.moves_before(live),
            phase,
            black: seats.black,
            white: seats.white,
            native,
            result,
            black_name: tree.line(0, "PB"),
            white_name: tree.line(0, "PW"),
            date: tree.line(0, "DT"),
            tags: tree.line(0, "KW"),
        }
    }

    /// The result as records write it.
    pub(crate) fn result_text(&self) -> Option<String> {
        self.ending.as_ref().map(|ending| ending.text.clone())
    }

    pub(crate) fn head(&self) -> Head {
        let size = self.game.size();
        let settlement = self.marking.map(|marking| marking.settlement);
        let score = settlement.map(|settlement| {
            let score = self.game.score_settled(&settlement);
            ScoreMessage::from(&score)
        });
        let points = |points| names(&points, size);
        Head {
            title: self.title(),
            width: size.width(),
            height: size.height(),
            rules: rules::name(self.game.rules(), self.tree.line(0, "RU").as_deref()),
            komi: rules::points(self.game.komi()),
            handicap: self.game.handicap(),
            black: self.seats.black.clone(),
            white: self.seats.white.clone(),
            phase: self.phase,
            live: self.live,
            to_move: self.game.to_move(),
            thinking: self.due().is_some(),
            pace: (self.pace > 0).then_some(self.pace),
            paused: self.paused,
            away: self.away,
            guest: self.guest,
            unsaved: self.unsaved.is_some(),
            can_undo: self.phase == Phase::Review && self.edits.can_undo(),
            can_redo: self.phase == Phase::Review && self.edits.can_redo(),
            trouble: self.unsaved.clone().or_else(|| self.trouble.clone()),
            result: self.ending.clone().map(|ending| ResultMessage {
                ending,
                parts: score.clone(),
            }),
            dead: settlement.map(|settlement| points(settlement.dead)),
            seki: settlement.map(|settlement| points(settlement.seki)),
            score,
            territory: self
                .marking
                .filter(|marking| !marking.awaited)
                .map(|marking| {
                    let owned = self.territory(marking.settlement);
                    TerritoryMessage {
                        black: points(owned.black),
                        white: points(owned.white),
                    }
                }),
        }
    }

    pub(crate) fn info(&self) -> BTreeMap<&'static str, String> {
        let fact =
            |(key, property): (&'static str, &str)| Some((key, self.tree.line(0, property)?));
        INFO.into_iter().filter_map(fact).collect()
    }

    /// The sheet, but for its tree.
    fn sheet_without_tree(&self, now: u64) -> Sheet {
        let style = self
            .tree
            .root()
            .value("ST")
            .and_then(tengen_sgf::Value::number);
        Sheet {
            id: self.id.clone(),
            version: self.version,
            keep: self.keep,
            updated: self.updated,
            head: self.head(),
            clock: self.clock.as_ref().map(|clock| clock.message(now)),
            info: self.info(),
            style: StyleMessage::from_number(style.unwrap_or(0)),
            tree: TreeMessage::default(),
        }
    }

    /// The sheet, which is made where nobody waits.
    pub(crate) fn sheet(&self, now: u64) -> Look<Sheet> {
        Look::sheet(self.sheet_without_tree(now), self.tree.clone())
    }

    /// Refuses edits that cannot be made in this phase, or are too many.
    pub(crate) fn check_edits(&self, node: usize, edits: &[Edit]) -> Result<(), Refusal> {
        self.tree.node(node)?;
        if edits.iter().any(Edit::needs_review) {
            self.check_phase(&[Phase::Review])?;
        }
        let rewrites = edits.iter().filter(|edit| edit.rewrites()).count();
        at_most("removals_and_promotions", rewrites, REWRITES)
    }

    /// Takes the record that edits have made of its own. Says at which node they ended.
    pub(crate) fn take_edited(
        &mut self,
        edited: EditedTree,
    ) -> Result<(usize, Option<Told>), Refusal> {
        let EditedTree {
            draft,
            tree,
            told,
            at,
            live,
            trail,
        } = edited;
        if self.phase == Phase::Review {
            self.edits.note(self.tree.clone(), draft.node, at);
        }
        self.tree = tree;
        if live != self.live {
            self.live = live;
            self.marking = None;
        }
        if draft
            .edits
            .iter()
            .any(|edit| matches!(edit, Edit::Info { key, .. } if key == "result"))
        {
            self.ending = self.tree.line(0, "RE").map(|text| Ending::of_text(&text));
            self.marking = None;
        }
        self.stand(trail);
        Ok((at, Some(told)))
    }

    /// A copy that can be changed without the room. What only the room knows is missing: who looks at it, and what
    /// engines think about.
    pub(crate) fn fork(&self) -> Self {
        Self {
            id: self.id.clone(),
            tree: self.tree.clone(),
            name: self.name.clone(),
            seats: self.seats.clone(),
            game: self.game.clone(),
            unsaved: self.unsaved.clone(),
            trouble: self.trouble.clone(),
            clock: self.clock.clone(),
            ending: self.ending.clone(),
            edits: self.edits.clone(),
            watchers: BTreeSet::new(),
            thought: None,
            review: Review::default(),
            ..*self
        }
    }

    /// Becomes what a copy was made into.
    pub(crate) fn take_fork(&mut self, fork: Self) {
        self.tree = fork.tree;
        self.seats = fork.seats;
        self.phase = fork.phase;
        self.live = fork.live;
        self.game = fork.game;
        self.pace = fork.pace;
        self.moved = fork.moved;
        self.paused = fork.paused;
        self.guest = fork.guest;
        self.trouble = fork.trouble;
        self.clock = fork.clock;
        self.marking = fork.marking;
        self.ending = fork.ending;
        self.edits = fork.edits;
    }

    /// Takes the last edit back, and says which node to look at.
    pub(crate) fn undo_edit(&mut self) -> Result<usize, Refusal> {
        self.check_phase(&[Phase::Review])?;
        let step = self.edits.undo(&self.tree);
        self.revert(step)
    }

    /// Makes the last edit again that was taken back.
    pub(crate) fn redo_edit(&mut self) -> Result<usize, Refusal> {
        self.check_phase(&[Phase::Review])?;
        let step = self.edits.redo(&self.tree);
        self.revert(step)
    }

    fn revert(&mut self, step: Option<(Shared<GameTree>, usize)>) -> Result<usize, Refusal> {
        let nothing = || Refusal::new(Code::NothingToUndo, "no edit can be taken back");
        let (other, node) = step.ok_or_else(nothing)?;
        let before = std::mem::replace(&mut self.tree, other);
        let mut tree = self.tree.copied();
        tree.note_difference(&before);
        let live = std::iter::successors(Some(self.live), |node| before.parent(*node))
            .find(|node| tree.get(*node).is_some());
        self.tree = Shared::new(tree);
        if live != Some(self.live) {
            self.live = live.unwrap_or(0);
            self.marking = None;
        }
        self.ending = self.tree.line(0, "RE").map(|text| Ending::of_text(&text));
        self.refresh()?;
        Ok(node)
    }

    /// Ends the game.
    pub(crate) fn finish(&mut self, outcome: Outcome) {
        let ending = Ending::of_outcome(outcome);
        // The result of a variation is not that of the record.
        if self.tree.is_main(self.live) {
            self.tree.set(0, "RE", [&ending.text]);
            self.tree.note_info();
        }
        match (ending.reason, self.marking) {
            (EndReason::Score | EndReason::Draw, Some(marking)) => {
                self.draw_territory(marking.settlement);
            }
            _ => self.marking = None,
        }
        self.ending = Some(ending);
        self.phase = Phase::Finished;
        self.paused = false;
        self.trouble = None;
    }

    /// Takes the end of the game back.
    fn reopen(&mut self) {
        if let Some(ending) = self.ending.take() {
            if self.tree.is_main(self.live)
                && self.tree.line(0, "RE").as_ref() == Some(&ending.text)
            {
                self.tree.set(0, "RE", [""; 0]);
                self.tree.note_info();
            }
            if ending.reason == EndReason::Time {
                self.clock = None;
            }
        }
        if self.marking.take().is_some() {
            self.tree.set(self.live, "TB", [""; 0]);
            self.tree.set(self.live, "TW", [""; 0]);
        }
    }

    /// The points that count as territory.
    fn territory(&self, mut settlement: Settlement) -> ByColor<PointSet> {
        if self.game.rules().scoring != Scoring::Territory {
            settlement.seki = PointSet::EMPTY;
        }
        self.game.board().territory(&settlement).owned
    }

    /// Marks the territory of a counted game, where other programs look for it.
    fn draw_territory(&mut self, settlement: Settlement) {
        let owned = self.territory(settlement);
        for (name, color) in [("TB", Color::Black), ("TW", Color::White)] {
            self.tree.set(self.live, name, sgf_points(&owned[color]));
        }
    }

    /// Writes what a player has left into the node of the move just made.
    pub(crate) fn note_time(&mut self, node: usize, color: Color, now: u64) {
        let Some(clock) = &self.clock else { return };
        let message = clock.message(now);
        let (side, left, count) = match color {
            Color::Black => (message.black, "BL", "OB"),
            Color::White => (message.white, "WL", "OW"),
        };
        let seconds = format!("{:.3}", side.seconds);
        self.tree.set(node, left, [seconds]);
        if let Some(rest) = side.stones.or(side.periods) {
            self.tree.set(node, count, [rest.to_string()]);
        }
    }

    /// Says in the record how the time is regulated.
    fn note_clock(&mut self, settings: &ClockSettings) {
        self.tree.set(0, "TM", [settings.main_seconds.to_string()]);
        if let Some(overtime) = settings.overtime_text() {
            self.tree.set(0, "OT", [overtime]);
        }
    }

    /// Writes the name of a player into the record of a game that was begun here.
    pub(crate) fn note_player(&mut self, color: Color) {
        if !self.native {
            return;
        }
        let property = match color {
            Color::Black => "PB",
            Color::White => "PW",
        };
        let player = self.seats[color].player();
        self.tree.set(0, property, player);
        self.tree.note_info();
    }
}

/// What people call a game: by its record, or by another name if that says nothing.
fn title(tree: &GameTree, name: Option<&str>) -> String {
    let line = |name| tree.line(0, name);
    if let Some(title) = line("GN") {
        return title;
    }
    match (line("PB"), line("PW"), name) {
        (None, None, Some(name)) => name.to_owned(),
        (black, white, _) => {
            let black = black.unwrap_or_else(|| "Black".to_owned());
            let white = white.unwrap_or_else(|| "White".to_owned());
            format!("{black} – {white}")
        }
    }
}

/// The nodes of a tree for a message.
pub(crate) fn tree_message(tree: &GameTree) -> TreeMessage {
    spend(tree.count());
    let numbers = 0..tree.count();
    let action = |number| match tree.get(number) {
        Some(_) => action_text(tree, number),
        None => "removed".to_owned(),
    };
    TreeMessage {
        parents: numbers.clone().map(|number| tree.parent(number)).collect(),
        moves: numbers.clone().map(action).collect(),
        main: tree.main_line(),
        has_comment: numbers.map(|number| tree.has_comment(number)).collect(),
    }
}
