//! Moves, and what else players do.

use serde_json::json;
use tengen_core::{Color, Game, Move, Outcome, Reason};

use super::{Marking, Table};
use crate::edit::is_plain;
use crate::edit_history::EditHistory;
use crate::legality;
use crate::limits::Limits;
use crate::refusal::{Code, Refusal};
use crate::seat::Seat;
use crate::sheet::Phase;

/// A move that somebody asks for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Turn {
    pub node: usize,
    pub action: Move,
    /// Whose move it is, if that is said.
    pub color: Option<Color>,
}

impl Table {
    /// A move of a person, or of anybody in review. Says at which node it is.
    pub(crate) fn play(&mut self, turn: Turn, limits: &Limits, now: u64) -> Result<usize, Refusal> {
        self.tree.node(turn.node)?;
        match self.phase {
            Phase::Playing => self.play_live(turn, limits, now),
            Phase::Review => self.play_variation(turn, limits),
            Phase::Marking | Phase::Finished => Err(self.wrong_phase()),
        }
    }

    fn play_live(&mut self, turn: Turn, limits: &Limits, now: u64) -> Result<usize, Refusal> {
        if turn.node != self.live {
            let message = format!("the game stands at node {}", self.live);
            return Err(Refusal::new(Code::NotLive, message).with(json!({"live": self.live})));
        }
        let color = self.game.to_move();
        if !self.seats[color].is_person() || turn.color.is_some_and(|said| said != color) {
            return Err(not_their_turn(color));
        }
        legality::check(&self.tree.trail(self.live)?.going_on(), turn.action)?;
        self.check_room(self.live, limits)?;
        self.make_move(turn.action, now)?;
        // Who plays a move has seen that the game is paused.
        self.paused = false;
        self.trouble = None;
        Ok(self.live)
    }

    /// Refuses another move where the record has no room for it.
    fn check_room(&mut self, parent: usize, limits: &Limits) -> Result<(), Refusal> {
        const MOVE_BYTES: usize = 64;
        limits.check_child(&self.tree, parent)?;
        self.tree.check_len(MOVE_BYTES, limits)
    }

    /// A move of an engine or a program: `None` is a resignation.
    pub(crate) fn play_machine(
        &mut self,
        action: Option<Move>,
        limits: &Limits,
        now: u64,
    ) -> Result<(), Refusal> {
        let color = self.game.to_move();
        match action {
            None => {
                self.finish(Outcome::Win(!color, Reason::Resignation));
                Ok(())
            }
            Some(action) => {
                legality::check(&self.tree.trail(self.live)?.going_on(), action)?;
                self.check_room(self.live, limits)?;
                self.make_move(action, now)
            }
        }
    }

    /// Makes a legal move where the game stands, and what follows from it.
    fn make_move(&mut self, action: Move, now: u64) -> Result<(), Refusal> {
        let color = self.game.to_move();
        let node = match self.find_child(self.live, color, action) {
            Some(node) => node,
            None => self.tree.add_move(self.live, color, action),
        };
        if let Some(clock) = &mut self.clock {
            clock.press(color, now);
        }
        self.note_time(node, color, now);
        self.live = node;
        self.moved = now;
        // Not by `refresh`, which would play on behind the passes that end the game.
        self.game = self.tree.trail(node)?.game;
        if let Some(outcome) = self.game.outcome() {
            self.end_play(outcome);
        }
        Ok(())
    }

    /// The rules say that play is over.
    fn end_play(&mut self, outcome: Outcome) {
        if self.game.passes() >= self.game.rules().passes {
            self.phase = Phase::Marking;
            self.marking = Some(Marking {
                awaited: true,
                ..Marking::default()
            });
        } else {
            let counted = outcome == self.game.score().outcome(self.game.rules().ties);
            self.marking = counted.then(Marking::default);
            self.finish(outcome);
        }
    }

    fn find_child(&self, node: usize, color: Color, action: Move) -> Option<usize> {
        let mut children = self.tree.children(node).into_iter();
        children.find(|child| self.tree.turn(*child) == Some((color, action)))
    }

    fn play_variation(&mut self, turn: Turn, limits: &Limits) -> Result<usize, Refusal> {
        let mut trail = self.tree.trail(turn.node)?.going_on();
        if let Some(color) = turn.color {
            trail.game.set_to_move(color);
        }
        let color = trail.game.to_move();
        if let Some(child) = self.find_child(turn.node, color, turn.action) {
            return Ok(child);
        }
        legality::check(&trail, turn.action)?;
        self.check_room(turn.node, limits)?;
        let before = self.tree.clone();
        let node = self.tree.add_move(turn.node, color, turn.action);
        self.edits.note(before, turn.node, node);
        Ok(node)
    }

    /// Takes moves back until it is a person's turn.
    pub(crate) fn undo(&mut self) -> Result<(), Refusal> {
        self.check_phase(&[Phase::Playing, Phase::Marking])?;
        let nothing = || Refusal::new(Code::NothingToUndo, "no move can be taken back");
        let anybody = !self.has_person();
        let mut taken = Vec::new();
        let mut node = self.live;
        loop {
            let (color, _) = self.tree.turn(node).ok_or_else(nothing)?;
            taken.push(node);
            node = self.tree.parent(node).ok_or_else(nothing)?;
            if anybody || self.seats[color].is_person() {
                break;
            }
        }
        for taken in taken {
            // What was said or tried there is worth more than a tidy record, and so is what others have played.
            let is_leaf = self.tree.children(taken).is_empty();
            if self.native && is_leaf && is_plain(&self.tree, taken) {
                self.tree.remove(taken);
            }
        }
        self.live = node;
        self.phase = Phase::Playing;
        self.marking = None;
        self.trouble = None;
        self.refresh()
    }

    /// A player gives up.
    pub(crate) fn resign(&mut self, color: Option<Color>) -> Result<(), Refusal> {
        self.check_phase(&[Phase::Playing, Phase::Marking])?;
        let turn = self.game.to_move();
        let may = |color: Color| self.seats[color].is_person() || !self.has_person();
        let loser = match color {
            Some(color) if may(color) => color,
            Some(color) => return Err(not_their_turn(color)),
            None if !self.has_person() => {
                return Err(Refusal::params("it is not said who resigns"));
            }
            None if may(turn) => turn,
            None => !turn,
        };
        self.finish(Outcome::Win(!loser, Reason::Resignation));
        Ok(())
    }

    /// Back to play.
    pub(crate) fn continue_play(&mut self, node: Option<usize>) -> Result<(), Refusal> {
        match self.phase {
            Phase::Review => {
                let node = node.unwrap_or(self.live);
                self.tree.node(node)?;
                if node == self.live {
                    self.reopen();
                } else {
                    // The record keeps its result: what is played now is a variation.
                    self.marking = None;
                    self.ending = None;
                }
                self.live = node;
            }
            Phase::Marking | Phase::Finished => {
                if node.is_some_and(|node| node != self.live) {
                    return Err(self.wrong_phase());
                }
                self.reopen();
            }
            Phase::Playing => return Err(self.wrong_phase()),
        }
        self.phase = Phase::Playing;
        self.paused = false;
        self.trouble = None;
        // Moves of play are not taken back as edits.
        self.edits = EditHistory::default();
        self.refresh()
    }

    /// From play to review.
    pub(crate) fn begin_review(&mut self) -> Result<(), Refusal> {
        if self.phase == Phase::Marking {
            self.marking = None;
        }
        self.phase = Phase::Review;
        self.paused = false;
        self.trouble = None;
        self.refresh()
    }

    /// Somebody takes a seat.
    pub(crate) fn sit(&mut self, color: Color, seat: Seat) {
        if self.seats[color] != seat {
            self.seats[color] = seat;
            self.note_player(color);
        }
        self.trouble = None;
    }

    /// A clock has run out.
    pub(crate) fn lose_on_time(&mut self, color: Color) {
        self.finish(Outcome::Win(!color, Reason::Time));
    }

    /// An engine or a program could not move.
    pub(crate) fn stumble(&mut self, trouble: String) {
        self.trouble = Some(trouble);
        self.paused = true;
    }

    /// A position to think about: the game goes on there, whatever the rules say.
    pub(crate) fn position(&self, node: usize) -> Result<Game, Refusal> {
        Ok(self.tree.trail(node)?.going_on().game)
    }
}

fn not_their_turn(color: Color) -> Refusal {
    let message = format!("{color} is not yours to play now");
    Refusal::new(Code::NotYourTurn, message).with(json!({"color": color}))
}
