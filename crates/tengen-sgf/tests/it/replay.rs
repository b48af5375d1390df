//! The cases in `testdata/sgf/replay.toml`, and games that become records and games again.

use proptest::prelude::{Just, Strategy, any, prop_oneof, proptest};
use serde::Deserialize;
use tengen_core::{Color, Game, Move, Preset, Rules, Setup, Size};
use tengen_sgf::{Collection, Mode, Node, Places, Replay, Severity};

use crate::repairs::lines;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Cases {
    case: Vec<Case>,
    refusal: Vec<Refusal>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    name: String,
    record: String,
    diagnostics: Vec<String>,
    moves: usize,
    rules: Option<String>,
    komi: Option<String>,
    handicap: Option<u16>,
    to_move: String,
    board: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Refusal {
    name: String,
    record: String,
    message: String,
}

fn cases() -> Cases {
    let text = include_str!("../../../../testdata/sgf/replay.toml");
    toml::from_str(text).expect("the corpus is well-formed")
}

fn parse(record: &str) -> Collection {
    Collection::parse(record, Mode::Strict)
        .expect(record)
        .collection
}

fn root(games: &Collection) -> Node<'_> {
    games.roots().next().expect("a game")
}

#[test]
fn records_are_played() {
    for case in cases().case {
        let Case { name, record, .. } = &case;
        let games = parse(record);
        let replay = Replay::main_line(root(&games), Mode::Lenient).expect(name);
        let game = replay.game();
        assert_eq!(
            lines(record, replay.diagnostics()),
            case.diagnostics,
            "{name}"
        );
        assert_eq!(replay.moves(), case.moves, "{name}");
        let to_move: Color = case.to_move.parse().expect(name);
        assert_eq!(game.to_move(), to_move, "{name}");
        if let Some(rules) = &case.rules {
            assert_eq!(game.rules().to_string(), *rules, "{name}");
        }
        if let Some(komi) = &case.komi {
            assert_eq!(game.komi().to_string(), *komi, "{name}");
        }
        if let Some(handicap) = case.handicap {
            assert_eq!(game.handicap(), handicap, "{name}");
        }
        if let Some(board) = &case.board {
            let board: Setup = board.parse().expect(name);
            assert_eq!(
                game.position().stones,
                board.stones,
                "{name}:\n{}",
                game.board()
            );
        }
    }
}

#[test]
fn strict_mode_stops_at_the_first_thing_that_is_wrong() {
    for Case { name, record, .. } in cases().case {
        let games = parse(&record);
        let lenient = Replay::main_line(root(&games), Mode::Lenient).expect(&name);
        let strict = Replay::main_line(root(&games), Mode::Strict);
        let mut diagnostics = lenient.diagnostics().iter();
        let first = diagnostics.find(|d| d.severity > Severity::Note);
        assert_eq!(strict.err().as_ref(), first, "{name}");
    }
}

#[test]
fn boards_that_cannot_be_played_on_are_refused_in_both_modes() {
    for Refusal {
        name,
        record,
        message,
    } in cases().refusal
    {
        let games = parse(&record);
        for mode in [Mode::Lenient, Mode::Strict] {
            let refused = Replay::start(root(&games), mode).expect_err(&name);
            let place = Places::new(&record).at(refused.offset);
            assert_eq!(
                format!("{} {place}: {}", refused.severity, refused.message),
                message,
                "{name}"
            );
        }
    }
}

#[test]
fn a_node_in_a_variation_is_reached_by_its_own_path() {
    let games = parse("(;SZ[5];B[cc](;W[dd];B[bb])(;AE[cc]AW[aa];W[ee]))");
    let last = root(&games).descendants().last().expect("nodes");
    let replay = Replay::to_node(last, Mode::Strict).expect("nothing is wrong");
    let expected: Setup = "O . . . .\n. . . . .\n. . . . .\n. . . . .\n. . . . O"
        .parse()
        .expect("a diagram");
    assert_eq!(replay.game().position().stones, expected.stones);
    assert_eq!(replay.moves(), 2);
}

/// What a game is, as far as a record can tell.
fn facts(game: &Game) -> (Setup, Setup, Rules, u16, Vec<(Color, Move)>) {
    let turns = game
        .turns()
        .iter()
        .map(|turn| (turn.color, turn.action))
        .collect();
    let mut rules = *game.rules();
    rules.komi = Some(game.komi());
    (
        *game.start(),
        game.position(),
        rules,
        game.handicap(),
        turns,
    )
}

#[track_caller]
fn survives(game: &Game) {
    let record = Collection::from_game(game);
    let again = parse(&record.to_string());
    assert_eq!(again, record);
    let replay = Replay::main_line(root(&again), Mode::Strict).expect("a record of a legal game");
    assert_eq!(facts(replay.game()), facts(game), "{record}");
    let canonical = parse(&record.to_canonical());
    let replay = Replay::main_line(root(&canonical), Mode::Strict).expect("the same record");
    assert_eq!(facts(replay.game()), facts(game), "{record}");
}

fn sizes() -> impl Strategy<Value = Size> {
    let any_size = (1..=25_u8, 1..=25_u8).prop_map(|(w, h)| Size::new(w, h).expect("in range"));
    let usual = |side| Just(Size::square(side).expect("in range"));
    prop_oneof![
        any_size,
        usual(5),
        usual(9),
        usual(19),
        usual(20),
        usual(25)
    ]
}

/// Plays legal moves that the numbers choose.
fn play(game: &mut Game, choices: &[u16]) {
    for &choice in choices {
        if game.is_over() {
            return;
        }
        let legal: Vec<_> = game.legal_moves().iter().collect();
        let action = match usize::from(choice) % (legal.len() + 1) {
            0 => Move::Pass,
            number => Move::Play(legal[number - 1]),
        };
        game.play(action).expect("it was among the legal moves");
    }
}

proptest! {
    #[test]
    fn games_become_records_and_the_same_games_again(
        size in sizes(),
        preset in 0..Preset::ALL.len(),
        handicap in 0..=9_u8,
        choices in proptest::collection::vec(any::<u16>(), 0..80),
    ) {
        let rules = Preset::ALL[preset].rules();
        let stones = size.fixed_handicap(handicap).unwrap_or_default();
        let mut game = Game::with_handicap(size, rules, &stones).expect("star points are on the board");
        play(&mut game, &choices);
        survives(&game);
    }

    #[test]
    fn games_that_start_from_any_position_survive(
        size in sizes(),
        stones in proptest::collection::vec((any::<u16>(), any::<bool>()), 0..60),
        white_begins in any::<bool>(),
        choices in proptest::collection::vec(any::<u16>(), 0..40),
    ) {
        let mut setup = Setup::empty(size);
        let points: Vec<_> = size.points().iter().collect();
        for (number, is_black) in stones {
            let point = points[usize::from(number) % points.len()];
            let color = if is_black { Color::Black } else { Color::White };
            let mut next = setup;
            next.stones.black.remove(point);
            next.stones.white.remove(point);
            next.stones[color].insert(point);
            if next.board().is_ok() {
                setup = next;
            }
        }
        setup.to_move = if white_begins { Color::White } else { Color::Black };
        let mut game = Game::from_setup(&setup, Preset::TrompTaylor.rules()).expect("every chain has a liberty");
        // Black stones and White to begin are a handicap in a record that does not deny it.
        let is_handicap = white_begins && setup.stones.black.len() >= 2 && setup.stones.white.is_empty();
        game.set_handicap(if is_handicap { setup.stones.black.len() as u16 } else { 0 });
        play(&mut game, &choices);
        survives(&game);
    }
}
