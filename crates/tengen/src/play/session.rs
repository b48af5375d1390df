//! A game between a person and an opponent: what is typed goes in, what is to be shown comes out.

use std::path::PathBuf;

use tengen_core::{
    ByColor, Color, Game, IllegalMove, Move, Outcome, Point, PointSet, Reason, Score, Settlement,
};

use super::command::{Command, HELP, SETTLE_HELP};
use super::opponent::Opponent;
use super::view::View;

/// A game between a person and an opponent.
pub(crate) struct Session<O> {
    game: Game,
    person: Color,
    opponent: O,
    phase: Phase,
}

/// What is going on.
enum Phase {
    Moves,
    /// They settle which stones are dead.
    Settling(Box<Settlement>),
    Over,
}

/// What comes of a line, or of the opponent's turn.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Response {
    /// What to say.
    pub(crate) text: String,
    pub(crate) show: Show,
    pub(crate) then: Then,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Show {
    #[default]
    Nothing,
    Board,
}

/// What is to be done besides.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum Then {
    #[default]
    Nothing,
    /// The game has changed and is to be kept.
    Keep,
    /// Write the game to this file.
    Save(PathBuf),
    Quit,
}

impl Response {
    fn say(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            ..Self::default()
        }
    }

    fn changed(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            show: Show::Board,
            then: Then::Keep,
        }
    }
}

impl<O: Opponent> Session<O> {
    /// Begins a game, or goes on with one.
    pub(crate) fn new(game: Game, person: Color, opponent: O) -> Self {
        let mut session = Self {
            game,
            person,
            opponent,
            phase: Phase::Moves,
        };
        if session.game.is_over() {
            session.begin_settling();
        }
        session
    }

    pub(crate) const fn game(&self) -> &Game {
        &self.game
    }

    pub(crate) const fn person(&self) -> Color {
        self.person
    }

    pub(crate) fn opponent_name(&self) -> String {
        self.opponent.name()
    }

    pub(crate) const fn is_over(&self) -> bool {
        matches!(self.phase, Phase::Over)
    }

    /// Must the opponent move before anything else happens?
    pub(crate) fn is_opponents_turn(&self) -> bool {
        matches!(self.phase, Phase::Moves) && self.game.to_move() != self.person
    }

    /// What is said before the first move.
    pub(crate) fn greeting(&self) -> String {
        let game = &self.game;
        let mut text = format!(
            "You are {} against {}: {} board, {} rules, komi {}",
            self.person,
            self.opponent.name(),
            game.size(),
            game.rules(),
            game.komi(),
        );
        if game.handicap() > 0 {
            text += &format!(", {} handicap stones", game.handicap());
        }
        text + ".\nType a point such as D4, pass, undo, hint, score or help."
    }

    /// What asks for the next line.
    pub(crate) fn prompt(&self) -> String {
        match self.phase {
            Phase::Settling(_) => "agree, play, or a point> ".to_owned(),
            Phase::Moves | Phase::Over => {
                format!("{} {}> ", self.game.to_move(), self.game.turns().len() + 1)
            }
        }
    }

    /// The board with all that is marked on it.
    pub(crate) fn view(&self) -> View<'_> {
        let game = &self.game;
        let last = game.last_turn().and_then(|turn| turn.action.point());
        let mut view = View {
            board: game.board(),
            last: last.filter(|point| game.board().color_at(*point).is_some()),
            dead: PointSet::EMPTY,
            territory: ByColor::default(),
        };
        if let Phase::Settling(settlement) = &self.phase {
            view.dead = settlement.dead;
            view.territory = game.board().territory(settlement).owned;
        }
        view
    }

    /// A line below the board.
    pub(crate) fn status(&self) -> String {
        let game = &self.game;
        match &self.phase {
            Phase::Settling(settlement) => count(&game.score_settled(settlement)),
            Phase::Moves | Phase::Over => {
                let [black, white] = Color::BOTH.map(|color| game.prisoners(color));
                match black + white {
                    0 => String::new(),
                    _ => format!("Captured by Black {black}, by White {white}."),
                }
            }
        }
    }

    /// Lets the opponent move.
    pub(crate) fn opponents_turn(&mut self) -> Response {
        let name = self.opponent.name();
        let color = self.game.to_move();
        let Some(action) = self.opponent.choose(&self.game) else {
            self.game.resign(color);
            self.phase = Phase::Over;
            return Response::changed(format!("{name} resigns. {}", self.result()));
        };
        let vertex = action.to_gtp(self.game.size());
        if let Err(reason) = self.game.play(action) {
            // An opponent that breaks the rules has lost, whatever it meant.
            self.game.end(Outcome::Win(!color, Reason::Forfeit));
            self.phase = Phase::Over;
            return Response::changed(format!(
                "{name} wants to play {vertex}, which is illegal ({reason}). {}",
                self.result()
            ));
        }
        let text = match action {
            Move::Pass => format!("{name} passes."),
            Move::Play(_) => format!("{name} plays {vertex}{}.", self.taken("s")),
        };
        self.after_move(text)
    }

    /// Does a line ask for something that the opponent has to think about?
    pub(crate) fn takes_thought(&self, line: &str) -> bool {
        let command = Command::read(line, self.game.size());
        matches!(self.phase, Phase::Moves)
            && matches!(
                command,
                Ok(Some(
                    Command::Hint | Command::Score | Command::Move(Move::Pass)
                ))
            )
    }

    /// Does what a line asks for.
    pub(crate) fn handle(&mut self, line: &str) -> Response {
        let command = match Command::read(line, self.game.size()) {
            Ok(Some(command)) => command,
            Ok(None) => return Response::default(),
            Err(mistake) => return Response::say(mistake),
        };
        match (command, &mut self.phase) {
            (Command::Help, Phase::Settling(_)) => Response::say(SETTLE_HELP),
            (Command::Help, _) => Response::say(HELP),
            (Command::Quit, _) => Response {
                then: Then::Quit,
                ..Response::default()
            },
            (Command::Board, _) => Response {
                show: Show::Board,
                ..Response::default()
            },
            (Command::Save(file), _) => Response {
                then: Then::Save(file),
                ..Response::default()
            },
            (_, Phase::Over) => Response::say("The game is over."),
            (Command::Resign, _) => {
                self.game.resign(self.person);
                self.phase = Phase::Over;
                Response::changed(format!("You resign. {}", self.result()))
            }
            (Command::Undo, _) => self.undo(),
            (Command::Hint, Phase::Moves) => Response::say(self.hint()),
            (Command::Score, Phase::Moves) => {
                self.begin_settling();
                Self::show_settling()
            }
            (Command::Move(action), Phase::Moves) => self.play(action),
            (Command::Agree | Command::PlayOn, Phase::Moves) => {
                Response::say("That is for counting: type score first, or a point such as D4.")
            }
            (Command::Agree, Phase::Settling(settlement)) => {
                let score = self.game.score_settled(settlement);
                self.game.end(score.outcome(self.game.rules().ties));
                self.phase = Phase::Over;
                Response::changed(format!("{} {}", count(&score), self.result()))
            }
            (Command::PlayOn, Phase::Settling(_)) => {
                self.phase = Phase::Moves;
                self.game.resume();
                Response {
                    text: "The game goes on.".to_owned(),
                    show: Show::Board,
                    then: Then::Nothing,
                }
            }
            (Command::Move(Move::Play(point)), Phase::Settling(settlement)) => {
                match toggle(&self.game, settlement, point) {
                    Ok(()) => Self::show_settling(),
                    Err(mistake) => Response::say(mistake),
                }
            }
            (Command::Move(Move::Pass) | Command::Hint | Command::Score, Phase::Settling(_)) => {
                Response::say(
                    "The stones are being counted: type agree, play to go on, or a point.",
                )
            }
        }
    }

    fn play(&mut self, action: Move) -> Response {
        let vertex = action.to_gtp(self.game.size());
        match self.game.play(action) {
            Ok(()) => {
                let text = match (action, self.taken("")) {
                    (Move::Pass, _) => "You pass.".to_owned(),
                    (Move::Play(_), captured) if captured.is_empty() => String::new(),
                    (Move::Play(_), captured) => format!("You play {vertex}{captured}."),
                };
                self.after_move(text)
            }
            Err(reason) => Response::say(format!("You cannot play {vertex}: {}.", why(reason))),
        }
    }

    /// Sees whether the game has ended.
    fn after_move(&mut self, text: String) -> Response {
        if !self.game.is_over() {
            return Response::changed(text);
        }
        if self.game.passes() >= self.game.rules().passes {
            self.begin_settling();
            let settling = Self::show_settling();
            let text = format!("{text}\n{}", settling.text);
            return Response::changed(text.trim_start());
        }
        // A repetition or the length of the game has ended it.
        self.phase = Phase::Over;
        Response::changed(format!("{text} {}", self.result()).trim_start())
    }

    fn begin_settling(&mut self) {
        self.phase = Phase::Settling(Box::new(self.opponent.settle(&self.game)));
    }

    fn show_settling() -> Response {
        Response {
            text: "Are these the dead stones? Type agree, play to go on, or the point of a stone to change it."
                .to_owned(),
            show: Show::Board,
            then: Then::Nothing,
        }
    }

    /// Goes back to the person's last move.
    fn undo(&mut self) -> Response {
        let person = self.person;
        if !self.game.turns().iter().any(|turn| turn.color == person) {
            return Response::say("There is nothing to take back.");
        }
        while let Some(turn) = self.game.undo() {
            if turn.color == person {
                break;
            }
        }
        self.phase = Phase::Moves;
        Response::changed("")
    }

    fn hint(&mut self) -> String {
        let hint = self.opponent.hint(&self.game);
        let advice = match hint.action {
            Move::Pass => "I would pass".to_owned(),
            Move::Play(point) => format!("I would play {}", point.to_gtp(self.game.size())),
        };
        let percent = 100.0 * hint.win_rate;
        let side = if hint.lead < 0.0 { "behind" } else { "ahead" };
        let lead = hint.lead.abs();
        format!(
            "{advice}: you win {percent:.0} % of such games and are about {lead:.1} points {side}."
        )
    }

    /// What the last move took, as part of a sentence whose verbs have this ending.
    fn taken(&self, ending: &str) -> String {
        let Some(turn) = self.game.last_turn().filter(|turn| turn.removed > 0) else {
            return String::new();
        };
        let verb = if turn.suicide { "lose" } else { "capture" };
        match turn.removed {
            1 => format!(" and {verb}{ending} a stone"),
            stones => format!(" and {verb}{ending} {stones} stones"),
        }
    }

    /// Who has won, and how.
    fn result(&self) -> String {
        let winner = |color: Color| match color == self.person {
            true => "You win".to_owned(),
            false => format!("{} wins", self.opponent.name()),
        };
        match self.game.outcome() {
            Some(outcome @ Outcome::Win(color, _)) => format!("{} ({outcome}).", winner(color)),
            Some(Outcome::Draw) => "It is a draw.".to_owned(),
            Some(Outcome::NoResult) | None => "The game has no result.".to_owned(),
        }
    }
}

/// A score in a sentence.
fn count(score: &Score) -> String {
    let [black, white] = Color::BOTH.map(|color| f64::from(score.halves(color)) / 2.0);
    let points = if black == 1.0 { "point" } else { "points" };
    format!("Black has {black} {points}, White {white}: {score}.")
}

/// Calls a chain dead, or alive if it was dead.
fn toggle(game: &Game, settlement: &mut Settlement, point: Point) -> Result<(), String> {
    let Some(chain) = game.board().chain_at(point) else {
        let vertex = point.to_gtp(game.size());
        return Err(format!("There is no stone at {vertex}."));
    };
    let dead = settlement.dead.contains(point);
    settlement.dead -= chain.stones;
    settlement.seki -= chain.stones;
    if !dead {
        settlement.dead |= chain.stones;
    }
    Ok(())
}

const fn why(reason: IllegalMove) -> &'static str {
    match reason {
        IllegalMove::Occupied => "there is a stone",
        IllegalMove::Suicide => "the stone would have no liberty",
        IllegalMove::Ko => "it is ko, so play elsewhere first",
        IllegalMove::Superko => "it would repeat an earlier position",
        IllegalMove::OffBoard => "it is not on the board",
        IllegalMove::GameOver => "the game is over",
    }
}

#[cfg(test)]
mod tests;
