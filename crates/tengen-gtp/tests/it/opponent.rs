//! What other programs are told when a game begins. The programs are scripts that know some commands and obey all.

use std::time::Duration;

use tengen_core::{Color, Komi, Move, Point, Preset, Setup, Size};
use tengen_gtp::client::{Client, NewGame, TimeSettings};
use tengen_search::Stop;

/// Longer than any answer takes on a busy machine.
const REPLY_TIMEOUT: Duration = Duration::from_secs(60);

/// A program that knows these commands, and refuses one.
fn program(known: &str, refused: &str) -> Client {
    let list = known.replace(' ', "\\n");
    let script = format!(
        "while read -r command rest; do case $command in \
         list_commands) printf '= {list}\\n\\n';; \
         {refused}) printf '? no\\n\\n';; \
         *) printf '= \\n\\n';; esac; done"
    );
    let line = format!("sh -c \"{}\"", script.replace('\\', "\\\\"));
    let mut client = Client::start(&line.parse().unwrap(), &Stop::new()).unwrap();
    client.learn_commands(REPLY_TIMEOUT).unwrap();
    client.forget();
    client
}

/// The commands that were sent since the program was asked what it knows.
fn sent(client: &Client) -> Vec<String> {
    let transcript = client.transcript().to_string();
    let lines = transcript.lines();
    lines
        .filter_map(|line| line.strip_prefix("> "))
        .map(str::to_owned)
        .collect()
}

fn told(known: &str, refused: &str, start: &Setup, time: Option<TimeSettings>) -> Vec<String> {
    let mut client = program(known, refused);
    let game = NewGame {
        start,
        rules: &Preset::Chinese.rules(),
        komi: Komi::from_halves(13),
        time,
    };
    client.begin_game(&game, REPLY_TIMEOUT).unwrap();
    sent(&client)
}

fn with_stones(size: Size, black: &[(u8, u8)], white: &[(u8, u8)]) -> Setup {
    let mut setup = Setup::empty(size);
    for (color, points) in [(Color::Black, black), (Color::White, white)] {
        for (x, y) in points {
            setup.stones[color].insert(Point::new(*x, *y));
        }
    }
    setup
}

#[test]
fn a_program_is_told_what_it_can_understand() {
    let square = Setup::empty(Size::square(9).unwrap());
    let katago = "kata-set-rules koPOSITIONALscoreAREAtaxNONEsui0";
    for (known, refused, rules) in [
        ("play", "nothing", vec![]),
        ("kgs-rules", "nothing", vec!["kgs-rules chinese"]),
        ("kata-set-rules kgs-rules", "nothing", vec![katago]),
        // Rules that are refused are told in other words, and are no reason to give up.
        (
            "kata-set-rules kgs-rules",
            "kata-set-rules",
            vec![katago, "kgs-rules chinese"],
        ),
        ("kgs-rules", "kgs-rules", vec!["kgs-rules chinese"]),
    ] {
        let expected = [vec!["boardsize 9", "clear_board"], rules, vec!["komi 6.5"]].concat();
        assert_eq!(told(known, refused, &square, None), expected, "{known}");
    }
}

#[test]
fn sizes_clocks_and_stones_are_told_in_the_words_of_the_program() {
    let oblong = Size::new(5, 7).unwrap();
    let clocks = Some(TimeSettings {
        main: 60,
        period: 30,
        stones: 5,
    });
    let fight = with_stones(oblong, &[(0, 6), (1, 6)], &[(2, 5)]);
    assert_eq!(
        told(
            "rectangular_boardsize time_settings",
            "nothing",
            &fight,
            clocks
        ),
        [
            "rectangular_boardsize 5 7",
            "clear_board",
            "komi 6.5",
            "time_settings 60 30 5",
            "play b A1",
            "play b B1",
            "play w C2",
        ]
    );
    let handicap = with_stones(oblong, &[(0, 6), (1, 6)], &[]);
    assert_eq!(
        told("set_free_handicap", "nothing", &handicap, clocks),
        [
            "boardsize 5 7",
            "clear_board",
            "komi 6.5",
            "set_free_handicap A1 B1"
        ]
    );
    assert_eq!(
        told("play", "nothing", &handicap, None)[3..],
        ["play b A1", "play b B1"]
    );
}

#[test]
fn what_must_be_accepted_is_not_swallowed() {
    let game = NewGame {
        start: &Setup::empty(Size::square(9).unwrap()),
        rules: &Preset::Chinese.rules(),
        komi: Komi::from_halves(13),
        time: None,
    };
    for command in ["boardsize", "clear_board", "komi"] {
        let error = program("play", command)
            .begin_game(&game, REPLY_TIMEOUT)
            .unwrap_err();
        assert!(error.to_string().contains(command), "{error}");
    }
}

#[test]
fn moves_and_times_are_told() {
    let mut client = program("time_left", "nothing");
    let (size, point) = (Size::square(9).unwrap(), Point::new(0, 8));
    client
        .play(Color::White, Move::Play(point), size, REPLY_TIMEOUT)
        .unwrap();
    client.time_left(Color::Black, 9, 2, REPLY_TIMEOUT).unwrap();
    client.genmove(Color::Black, REPLY_TIMEOUT).unwrap();
    assert_eq!(sent(&client), ["play w A1", "time_left b 9 2", "genmove b"]);
    let mut client = program("play", "nothing");
    client.time_left(Color::Black, 9, 2, REPLY_TIMEOUT).unwrap();
    assert!(sent(&client).is_empty());
}
