//! A session with an opponent that does as it is told.

use std::collections::VecDeque;

use tengen_core::{Preset, Rules, Size};

use super::*;
use crate::play::opponent::Hint;
use crate::play::view::Style;

/// Makes these moves one after the other (`resign` among them), then passes.
struct Scripted {
    moves: VecDeque<&'static str>,
    dead: &'static [&'static str],
}

impl Opponent for Scripted {
    fn name(&self) -> String {
        "Script".to_owned()
    }

    fn choose(&mut self, game: &Game) -> Option<Move> {
        match self.moves.pop_front().unwrap_or("pass") {
            "resign" => None,
            vertex => Some(Move::from_gtp(vertex, game.size()).unwrap()),
        }
    }

    fn hint(&mut self, game: &Game) -> Hint {
        Hint {
            action: Move::from_gtp("E5", game.size()).unwrap(),
            win_rate: 0.634,
            lead: -2.25,
        }
    }

    fn settle(&mut self, game: &Game) -> Settlement {
        let point = |vertex: &&str| Point::from_gtp(vertex, game.size()).unwrap();
        Settlement {
            dead: self.dead.iter().map(point).collect(),
            ..Settlement::default()
        }
    }
}

fn session(person: Color, moves: &[&'static str]) -> Session<Scripted> {
    with_rules(Preset::Chinese.rules(), person, moves, &[])
}

fn with_rules(
    rules: Rules,
    person: Color,
    moves: &[&'static str],
    dead: &'static [&'static str],
) -> Session<Scripted> {
    let moves = moves.iter().copied().collect();
    Session::new(
        Game::new(Size::square(5).unwrap(), rules),
        person,
        Scripted { moves, dead },
    )
}

/// Types a line, and lets the opponent answer if it is its turn. Returns all that was said.
fn turn(session: &mut Session<Scripted>, line: &str) -> String {
    let mut text = session.handle(line).text;
    while session.is_opponents_turn() {
        text = format!("{text}\n{}", session.opponents_turn().text);
    }
    text.trim_start().to_owned()
}

fn vertices(session: &Session<Scripted>) -> Vec<String> {
    let game = session.game();
    let turns = game.turns().iter();
    turns.map(|turn| turn.action.to_gtp(game.size())).collect()
}

#[test]
fn a_move_is_answered() {
    let mut session = session(Color::Black, &["D4", "A2"]);
    assert!(
        session
            .greeting()
            .starts_with("You are Black against Script: 5x5 board, chinese rules, komi ")
    );
    assert_eq!(session.prompt(), "Black 1> ");
    let response = session.handle("c3");
    assert_eq!((response.show, response.then), (Show::Board, Then::Keep));
    assert!(session.is_opponents_turn());
    let response = session.opponents_turn();
    assert_eq!(response.text, "Script plays D4.");
    assert_eq!((response.show, response.then), (Show::Board, Then::Keep));
    assert!(!session.is_opponents_turn());
    assert_eq!(turn(&mut session, "a1"), "Script plays A2.");
    let drawn = session.view().draw(Style::Plain);
    assert!(drawn.contains(" 2(O)"), "{drawn}");
}

#[test]
fn the_opponent_begins_if_it_has_black() {
    let mut session = session(Color::White, &["C3"]);
    assert!(session.is_opponents_turn());
    session.opponents_turn();
    assert_eq!(vertices(&session), ["C3"]);
    assert_eq!(session.prompt(), "White 2> ");
}

#[test]
fn a_wrong_move_changes_nothing_and_says_why() {
    let mut session = session(Color::Black, &["D4"]);
    turn(&mut session, "c3");
    for (line, answer) in [
        ("c3", "You cannot play C3: there is a stone."),
        ("c9", "C9 is not on a 5x5 board."),
        ("i3", "There is no column I: J follows H."),
        (
            "hello",
            "I do not know `hello`. Type a point such as D4, pass, or help.",
        ),
        (
            "agree",
            "That is for counting: type score first, or a point such as D4.",
        ),
        ("", ""),
    ] {
        let response = session.handle(line);
        assert_eq!(response.text, answer);
        assert_eq!(
            (response.show, response.then),
            (Show::Nothing, Then::Nothing)
        );
    }
    assert_eq!(vertices(&session), ["C3", "D4"]);
}

#[test]
fn captures_are_told_and_counted() {
    let mut session = session(Color::Black, &["A1", "E5"]);
    turn(&mut session, "a2");
    assert_eq!(
        turn(&mut session, "b1"),
        "You play B1 and capture a stone.\nScript plays E5."
    );
    assert_eq!(session.status(), "Captured by Black 1, by White 0.");
}

#[test]
fn undo_goes_back_to_the_own_last_move() {
    let mut session = session(Color::White, &["C3", "D3", "E3"]);
    session.opponents_turn();
    assert_eq!(turn(&mut session, "undo"), "There is nothing to take back.");
    turn(&mut session, "c4");
    turn(&mut session, "d4");
    assert_eq!(vertices(&session), ["C3", "C4", "D3", "D4", "E3"]);
    let response = session.handle("undo");
    assert_eq!((response.show, response.then), (Show::Board, Then::Keep));
    assert_eq!(vertices(&session), ["C3", "C4", "D3"]);
    session.handle("undo");
    assert_eq!(vertices(&session), ["C3"]);
    assert_eq!(turn(&mut session, "undo"), "There is nothing to take back.");
}

#[test]
fn two_passes_lead_to_the_count() {
    let mut session = with_rules(Preset::Chinese.rules(), Color::Black, &["A1"], &["A1"]);
    turn(&mut session, "c3");
    let text = turn(&mut session, "pass");
    assert!(
        text.starts_with("You pass.\nScript passes.\nAre these the dead stones?"),
        "{text}"
    );
    assert_eq!(session.prompt(), "agree, play, or a point> ");
    assert!(session.view().draw(Style::Plain).contains("\n 1 o b"));
    assert!(session.view().legend(Style::Plain).contains("dead"));
    assert_eq!(session.status(), "Black has 25 points, White 25: 0.");

    // The stone lives after all, and is dead again.
    assert_eq!(turn(&mut session, "b5"), "There is no stone at B5.");
    turn(&mut session, "a1");
    assert_eq!(session.status(), "Black has 1 point, White 26: W+25.");
    turn(&mut session, "a1");
    assert!(turn(&mut session, "pass").starts_with("The stones are being counted"));

    let response = session.handle("agree");
    assert_eq!(
        response.text,
        "Black has 25 points, White 25: 0. It is a draw."
    );
    assert_eq!(response.then, Then::Keep);
    assert!(session.is_over());
    assert_eq!(session.game().outcome(), Some(Outcome::Draw));
}

#[test]
fn play_goes_on_after_two_passes() {
    let mut session = session(Color::Black, &["A1", "pass", "B3"]);
    turn(&mut session, "c3");
    turn(&mut session, "pass");
    assert_eq!(session.handle("play").text, "The game goes on.");
    assert!(!session.is_over() && !session.is_opponents_turn());
    assert_eq!(turn(&mut session, "c2"), "Script plays B3.");
    assert_eq!(vertices(&session), ["C3", "A1", "pass", "pass", "C2", "B3"]);
    // From the next count one can also go back by a move.
    turn(&mut session, "pass");
    assert!(session.handle("help").text.contains("agree"));
    session.handle("undo");
    assert_eq!(vertices(&session), ["C3", "A1", "pass", "pass", "C2", "B3"]);
    assert!(session.handle("help").text.contains("hint"));
}

#[test]
fn a_game_can_be_counted_at_any_time() {
    let mut session = session(Color::Black, &["D4"]);
    turn(&mut session, "c3");
    assert_eq!(session.view().legend(Style::Plain), "");
    assert!(session.takes_thought("score") && !session.takes_thought("c4"));
    let response = session.handle("score");
    assert_eq!((response.show, response.then), (Show::Board, Then::Nothing));
    session.handle("play");
    assert_eq!(turn(&mut session, "c4"), "Script passes.");
}

#[test]
fn either_player_resigns() {
    let mut session1 = session(Color::Black, &[]);
    assert_eq!(
        session1.handle("resign").text,
        "You resign. Script wins (W+R)."
    );
    assert!(session1.is_over());
    assert_eq!(session1.handle("c3").text, "The game is over.");

    let mut session2 = session(Color::Black, &["resign"]);
    assert_eq!(turn(&mut session2, "c3"), "Script resigns. You win (B+R).");
    assert!(session2.is_over());
}

#[test]
fn an_opponent_that_breaks_the_rules_loses() {
    let mut session = session(Color::Black, &["C3"]);
    let text = turn(&mut session, "c3");
    assert_eq!(
        text,
        "Script wants to play C3, which is illegal (occupied). You win (B+F)."
    );
    assert!(session.is_over());
}

#[test]
fn a_hint_is_from_the_persons_view() {
    let mut session = session(Color::Black, &[]);
    assert_eq!(
        session.handle("hint").text,
        "I would play E5: you win 63 % of such games and are about 2.2 points behind."
    );
}

#[test]
fn a_game_that_ended_with_passes_is_counted_when_it_is_taken_up_again() {
    let mut game = Game::new(Size::square(5).unwrap(), Preset::Chinese.rules());
    game.play(Move::Pass).unwrap();
    game.play(Move::Pass).unwrap();
    let script = Scripted {
        moves: VecDeque::new(),
        dead: &[],
    };
    let session = Session::new(game, Color::Black, script);
    assert_eq!(session.prompt(), "agree, play, or a point> ");
}

#[test]
fn saving_and_leaving_are_left_to_the_terminal() {
    let mut session = session(Color::Black, &[]);
    assert_eq!(
        session.handle("save a b.sgf").then,
        Then::Save("a b.sgf".into())
    );
    assert_eq!(session.handle("quit").then, Then::Quit);
    assert_eq!(session.handle("board").show, Show::Board);
}
