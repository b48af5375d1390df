//! Play under rules.

use std::sync::Arc;

use crate::board::Board;
use crate::color::{ByColor, Color};
use crate::handicap::HandicapError;
use crate::history::History;
use crate::illegal_move::IllegalMove;
use crate::komi::Komi;
use crate::moves::Move;
use crate::outcome::{Outcome, Reason};
use crate::point::Point;
use crate::point_set::PointSet;
use crate::rules::{RepetitionEffect, Rules, Scoring};
use crate::score::{Score, Settlement};
use crate::setup::{Setup, SetupError};
use crate::size::Size;

mod legality;
mod rewind;
mod saved;

pub use saved::{SavedGameError, SavedGameProblem};

/// A game in progress: a board, its rules, whose turn it is, and all that was played. The judge of legality.
///
/// ```
/// use tengen_core::{Color, Game, Move, Point, Rules, Size};
///
/// let mut game = Game::new(Size::square(9)?, Rules::default());
/// game.play(Move::Play(Point::new(4, 4)))?;
/// assert_eq!(game.to_move(), Color::White);
/// assert_eq!(game.legal_moves().len(), 80);
/// game.play(Move::Pass)?;
/// game.play(Move::Pass)?;
/// assert_eq!(game.outcome().unwrap().to_string(), "B+73.5");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Game {
    rules: Rules,
    komi: Komi,
    start: Arc<Start>,
    handicap: u16,
    board: Board,
    to_move: Color,
    turns: Vec<Turn>,
    /// The stones that left the board, turn after turn.
    removed: Vec<Point>,
    history: History,
    /// Where each colour has had a stone in any position of the game.
    stood: ByColor<PointSet>,
    /// The first position with the stone, of those of each colour that stand now, that was the last to stand on its
    /// point for the first time: no position before it holds that stone. 0 where all were there from the start.
    standing_since: ByColor<u32>,
    /// The position after the last move that took stones of each colour off, or a later one where moves were undone.
    last_loss: ByColor<u32>,
    /// How many stones of each colour are on the board.
    stones: ByColor<u32>,
    prisoners: ByColor<u32>,
    passes: u8,
    outcome: Option<Outcome>,
}

/// What a game started from: the same for all its copies.
#[derive(Debug)]
struct Start {
    setup: Setup,
    board: Board,
}

/// What [`Game::addresses`] names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ahead {
    /// What lies around the stone, and what the history writes.
    Stone,
    /// The chains beside it.
    Chains,
}

/// One move of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Turn {
    /// Who moved.
    pub color: Color,
    /// What was played.
    pub action: Move,
    /// How many stones it took off the board.
    pub removed: u16,
    /// Were they the player's own?
    pub suicide: bool,
    first_stand: bool,
    ko_before: Option<Point>,
    passes_before: u8,
}

impl Game {
    /// A game on an empty board.
    pub fn new(size: Size, rules: Rules) -> Self {
        Self::on_board(Board::new(size), Setup::empty(size), rules)
    }

    /// A game from a position that was set up. It counts as the first position for superko.
    pub fn from_setup(setup: &Setup, rules: Rules) -> Result<Self, SetupError> {
        Ok(Self::on_board(setup.board()?, *setup, rules))
    }

    /// A game in which Black has placed these stones and White moves first.
    pub fn with_handicap(
        size: Size,
        rules: Rules,
        stones: &[Point],
    ) -> Result<Self, HandicapError> {
        let mut setup = Setup::empty(size);
        for &point in stones {
            if !size.contains(point) || !setup.stones.black.insert(point) {
                return Err(HandicapError::Point(point));
            }
        }
        if !stones.is_empty() {
            setup.to_move = Color::White;
        }
        // Stones of one colour lack liberties only when they fill the board.
        let mut game =
            Self::from_setup(&setup, rules).map_err(|error| HandicapError::Point(error.point()))?;
        game.set_handicap(stones.len() as u16);
        Ok(game)
    }

    fn on_board(board: Board, setup: Setup, rules: Rules) -> Self {
        Self {
            rules,
            komi: rules.komi_for(setup.size),
            handicap: 0,
            to_move: setup.to_move,
            turns: Vec::new(),
            removed: Vec::new(),
            history: History::new(&board, setup.to_move),
            stones: board.count_stones(),
            stood: setup.stones,
            standing_since: ByColor::default(),
            last_loss: ByColor::default(),
            prisoners: ByColor::default(),
            passes: 0,
            outcome: None,
            board: board.clone(),
            start: Arc::new(Start { setup, board }),
        }
    }

    /// Back to the starting position, without giving memory back.
    pub fn restart(&mut self) {
        self.board.clone_from(&self.start.board);
        self.to_move = self.start.setup.to_move;
        self.turns.clear();
        self.removed.clear();
        self.history.restart(&self.board, self.to_move);
        self.stones = self.board.count_stones();
        self.stood = self.start.setup.stones;
        self.standing_since = ByColor::default();
        self.last_loss = ByColor::default();
        self.prisoners = ByColor::default();
        self.passes = 0;
        self.outcome = None;
    }

    /// The rules.
    pub const fn rules(&self) -> &Rules {
        &self.rules
    }

    /// White's komi in this game.
    pub const fn komi(&self) -> Komi {
        self.komi
    }

    /// Agrees on another komi.
    pub const fn set_komi(&mut self, komi: Komi) {
        self.komi = komi;
    }

    /// How many handicap stones White is compensated for, as far as the rules do.
    pub const fn handicap(&self) -> u16 {
        self.handicap
    }

    /// Says how many of Black's stones are handicap.
    pub const fn set_handicap(&mut self, stones: u16) {
        self.handicap = stones;
    }

    /// The position that the game started from.
    pub fn start(&self) -> &Setup {
        &self.start.setup
    }

    /// The current position.
    pub fn position(&self) -> Setup {
        Setup::of(&self.board, self.to_move)
    }

    /// The board.
    #[inline]
    pub const fn board(&self) -> &Board {
        &self.board
    }

    /// The dimensions of the board.
    #[inline]
    pub const fn size(&self) -> Size {
        self.board.size()
    }

    /// Whose turn it is.
    #[inline]
    pub const fn to_move(&self) -> Color {
        self.to_move
    }

    /// Gives the turn to this player, as records and protocols sometimes do. Situational superko remembers the position
    /// with the player who was to move when it arose.
    pub const fn set_to_move(&mut self, color: Color) {
        self.to_move = color;
    }

    /// All moves so far.
    pub fn turns(&self) -> &[Turn] {
        &self.turns
    }

    /// The last move.
    pub fn last_turn(&self) -> Option<&Turn> {
        self.turns.last()
    }

    /// The points that the last move took stones off.
    pub fn last_removed(&self) -> &[Point] {
        let removed = self.last_turn().map_or(0, |turn| turn.removed);
        &self.removed[self.removed.len() - usize::from(removed)..]
    }

    /// How many enemy stones this player has captured.
    pub fn prisoners(&self, color: Color) -> u32 {
        self.prisoners[color]
    }

    /// The passes in a row just now.
    pub const fn passes(&self) -> u8 {
        self.passes
    }

    /// The hashes of all positions so far, the starting one first.
    pub fn hashes(&self) -> impl ExactSizeIterator<Item = u64> {
        self.history
            .positions()
            .iter()
            .map(|position| position.hash)
    }

    /// The result, once the game has ended.
    #[inline]
    pub const fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    /// Has the game ended?
    #[inline]
    pub const fn is_over(&self) -> bool {
        self.outcome.is_some()
    }

    /// Where in memory a move looks first. Whoever steps many games in turn can have the processor fetch it ahead.
    ///
    /// It depends on what is fetched already: first the game itself must be, then what `Ahead::Stone` names.
    #[inline]
    pub fn addresses(&self, action: Move, ahead: Ahead) -> [*const u8; 6] {
        let Move::Play(point) = action else {
            return [std::ptr::null(); 6];
        };
        let index = point.index();
        match ahead {
            Ahead::Stone => {
                let [above, left, right, below] = self.board.lean().addresses_beside(index);
                let position = self.history.address();
                let turn = self.turns.as_ptr().wrapping_add(self.turns.len());
                [above, left, right, below, position, turn.cast()]
            }
            Ahead::Chains => {
                let [above, left, right, below] = self.board.lean().addresses_of_heads(index);
                [above, left, right, below, above, above]
            }
        }
    }

    /// Makes a move for the player to move.
    pub fn play(&mut self, action: Move) -> Result<(), IllegalMove> {
        self.check(action)?;
        self.play_unchecked(action);
        Ok(())
    }

    /// Makes a move that the caller knows to be legal, for instance because it is from [`Game::legal_moves`].
    ///
    /// Never undefined behaviour, but after an illegal move the game is nonsense.
    #[inline]
    pub fn play_unchecked(&mut self, action: Move) {
        let color = self.to_move;
        let mut turn = Turn {
            color,
            action,
            removed: 0,
            suicide: false,
            first_stand: false,
            ko_before: self.board.ko(),
            passes_before: self.passes,
        };
        match action {
            Move::Pass => {
                self.passes = self.passes.saturating_add(1);
                self.board.set_ko(None);
            }
            Move::Play(point) => {
                self.passes = 0;
                let before = self.removed.len();
                let removed = &mut self.removed;
                turn.suicide = self
                    .board
                    .play_unchecked(point, color, |stone| removed.push(stone));
                turn.removed = (self.removed.len() - before) as u16;
                let captor = if turn.suicide { !color } else { color };
                self.prisoners[captor] += u32::from(turn.removed);
                self.stones[color] += 1;
                self.stones[!captor] -= u32::from(turn.removed);
                if turn.removed > 0 {
                    self.forget_standing(!captor);
                    self.last_loss[!captor] = self.turns.len() as u32 + 1;
                }
                turn.first_stand = !turn.suicide && self.stood[color].insert(point);
                if turn.first_stand {
                    self.standing_since[color] = self.turns.len() as u32 + 1;
                }
                // A stone where none of its colour has stood makes a board that is new.
                if self.rules.repetition.effect != RepetitionEffect::PlayOn && !turn.first_stand {
                    self.outcome = self.outcome_of_repetition(color);
                }
            }
        }
        self.to_move = !color;
        self.turns.push(turn);
        self.history
            .push(self.board.hash(), self.to_move, self.stones);
        let out_of_moves = || {
            let limit = self.rules.max_moves.moves(self.size());
            limit.is_some_and(|limit| self.turns.len() >= limit as usize)
        };
        if self.outcome.is_none() && (self.passes >= self.rules.passes || out_of_moves()) {
            self.outcome = Some(self.score().outcome(self.rules.ties));
        }
    }

    /// The result if the stone that `color` has just played recreated an earlier board; it is not yet in the history.
    #[cold]
    fn outcome_of_repetition(&self, color: Color) -> Option<Outcome> {
        let hash = self.board.hash();
        let repeated = match self.rules.repetition.window {
            Some(window) => self.history.contains_lately(hash, usize::from(window)),
            None => self.history.contains(hash, None, self.since_standing()),
        };
        if !repeated {
            return None;
        }
        match self.rules.repetition.effect {
            RepetitionEffect::PlayOn => None,
            RepetitionEffect::Loses => Some(Outcome::Win(!color, Reason::Repetition)),
            RepetitionEffect::Draws => Some(Outcome::Draw),
            RepetitionEffect::NoResult => Some(Outcome::NoResult),
        }
    }

    /// Ends the game with this result: a resignation, a forfeit, a count that the players agreed on.
    pub const fn end(&mut self, outcome: Outcome) {
        self.outcome = Some(outcome);
    }

    /// This player gives up.
    pub fn resign(&mut self, color: Color) {
        self.end(Outcome::Win(!color, Reason::Resignation));
    }

    /// Plays on after the game has ended, as when players disagree about what is dead.
    pub const fn resume(&mut self) {
        self.outcome = None;
        self.passes = 0;
    }

    /// Puts another position on the board in the middle of the game, as records do. Superko and undo start over from
    /// there; rules, komi and prisoners stay.
    pub fn set_up(&mut self, setup: &Setup) -> Result<(), SetupError> {
        let fresh = Self::from_setup(setup, self.rules)?;
        *self = Self {
            komi: self.komi,
            handicap: self.handicap,
            prisoners: self.prisoners,
            ..fresh
        };
        Ok(())
    }

    /// Takes the last move back, together with the end of the game if it had ended. `None` at the start.
    pub fn undo(&mut self) -> Option<Turn> {
        let turn = self.turns.pop()?;
        self.history.pop();
        self.outcome = None;
        self.to_move = turn.color;
        self.passes = turn.passes_before;
        match turn.action {
            Move::Pass => self.board.set_ko(turn.ko_before),
            Move::Play(point) => {
                let first = self.removed.len() - usize::from(turn.removed);
                let removed = &self.removed[first..];
                self.board
                    .undo(point, turn.color, removed, turn.suicide, turn.ko_before);
                self.removed.truncate(first);
                let captor = if turn.suicide {
                    !turn.color
                } else {
                    turn.color
                };
                self.prisoners[captor] -= u32::from(turn.removed);
                self.stones[!captor] += u32::from(turn.removed);
                self.stones[turn.color] -= 1;
                if turn.first_stand {
                    self.stood[turn.color].remove(point);
                }
                self.forget_standing(turn.color);
                if turn.removed > 0 {
                    self.find_standing(!captor, self.turns.len());
                }
            }
        }
        Some(turn)
    }

    /// The count of the board as it stands, all stones alive.
    pub fn score(&self) -> Score {
        self.score_settled(&Settlement::default())
    }

    /// The count with dead stones and seki as the players agreed.
    ///
    /// ```
    /// use tengen_core::{Game, Preset, Settlement, Setup};
    /// let setup: Setup = ". X O .\n. X O .\nO X O .".parse()?;
    /// let game = Game::from_setup(&setup, Preset::Japanese.rules().with_komi("0".parse()?))?;
    /// let dead = setup.stones.white & tengen_core::PointSet::from(tengen_core::Point::new(0, 2));
    /// let score = game.score_settled(&Settlement { dead, ..Settlement::default() });
    /// assert_eq!((score.territory.black, score.prisoners.black, score.territory.white), (3, 1, 3));
    /// assert_eq!(score.to_string(), "B+1");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn score_settled(&self, settlement: &Settlement) -> Score {
        let seki = match self.rules.scoring {
            Scoring::Territory => settlement.seki,
            Scoring::Area | Scoring::AreaAndPrisoners => PointSet::EMPTY,
        };
        let dead = settlement.dead;
        let territory = self.board.territory(&Settlement { dead, seki });
        let count = |set: PointSet| set.len() as u32;
        let dead_stones = |color: Color| count(*self.board.stones(color) & dead);
        Score {
            scoring: self.rules.scoring,
            stones: Color::BOTH
                .map(|color| count(*self.board.stones(color) - dead))
                .into(),
            territory: territory.owned.map(count),
            prisoners: Color::BOTH
                .map(|color| self.prisoners[color] + dead_stones(!color))
                .into(),
            dame: count(territory.dame),
            komi: self.komi,
            compensation: self.rules.compensation.points(self.handicap),
        }
    }
}

impl Clone for Game {
    fn clone(&self) -> Self {
        Self {
            board: self.board.clone(),
            turns: self.turns.clone(),
            removed: self.removed.clone(),
            history: self.history.clone(),
            start: self.start.clone(),
            ..*self
        }
    }

    /// Copies without allocating where the memory suffices.
    fn clone_from(&mut self, source: &Self) {
        self.board.clone_from(&source.board);
        self.turns.clone_from(&source.turns);
        self.removed.clone_from(&source.removed);
        self.history.copy_from(&source.history);
        self.rules = source.rules;
        self.komi = source.komi;
        self.start.clone_from(&source.start);
        self.handicap = source.handicap;
        self.to_move = source.to_move;
        self.stood = source.stood;
        self.standing_since = source.standing_since;
        self.last_loss = source.last_loss;
        self.stones = source.stones;
        self.prisoners = source.prisoners;
        self.passes = source.passes;
        self.outcome = source.outcome;
    }
}
