//! Matches as a library plays them. The players are scripts that pass.

use std::time::Duration;

use tengen_core::{Komi, Preset, Size};
use tengen_gtp::match_runner::{
    Abandoned, CannotBegin, End, MatchRunner, MatchSettings, Restart, Side, Sprt,
};
use tengen_search::Stop;

/// A program that answers to `genmove` with these words.
fn script(genmove: &str) -> String {
    let script = format!(
        "while read -r command rest; do case $command in \
         list_commands) printf '= play\\\\ngenmove\\\\n\\\\n';; \
         genmove) {genmove};; \
         *) printf '= \\\\n\\\\n';; esac; done"
    );
    format!("sh -c \"{script}\"")
}

fn passing() -> String {
    script("printf '= pass\\\\n\\\\n'")
}

fn settings(first: String, second: String) -> MatchSettings {
    MatchSettings {
        commands: [first, second],
        names: ["One", "Two"].map(str::to_owned),
        referee: None,
        size: Size::square(5).unwrap(),
        rules: Preset::Chinese.rules(),
        komi: Komi::from_halves(13),
        opening_moves: 0,
        seed: 1,
        max_moves: 75,
        move_timeout: Duration::from_secs(60),
        time: None,
        restart: Restart::AfterCrash,
    }
}

#[test]
fn every_game_is_played_once_and_told() {
    let settings = settings(passing(), passing());
    let runner = MatchRunner {
        settings: &settings,
        games: 4,
        sprt: None,
        stop: &Stop::new(),
    };
    let mut results = Vec::new();
    let mut told = Vec::new();
    let abandoned = runner.play(2, &mut results, None, &mut |finished, report| {
        told.push((finished.result.game, report.games));
    });
    assert!(abandoned.unwrap().is_none());
    results.sort_by_key(|result| result.game);
    let seen: Vec<_> = results
        .iter()
        .map(|result| (result.game, result.black, result.winner, result.end))
        .collect();
    // The empty board and the komi are White's.
    let won = |game, black: Side| (game, black, Some(black.other()), End::Passes);
    let (first, second) = (Side::First, Side::Second);
    let expected = [won(1, first), won(2, second), won(3, first), won(4, second)];
    assert_eq!(seen, expected);
    let counts: Vec<u32> = told.iter().map(|(_, count)| *count).collect();
    assert_eq!(counts, [1, 2, 3, 4]);
    // Nothing is left to play.
    let again = runner.play(2, &mut results, None, &mut |_, _| panic!("no game is left"));
    assert!(again.unwrap().is_none());
    assert_eq!(runner.report(&results).pairs.0, [0, 0, 2, 0, 0]);
}

#[test]
fn a_decided_match_is_not_played_on() {
    let settings = settings(script("printf '= resign\\\\n\\\\n'"), passing());
    let runner = MatchRunner {
        settings: &settings,
        games: 400,
        sprt: Some(Sprt {
            elo0: 0.0,
            elo1: 100.0,
            error: 0.05,
        }),
        stop: &Stop::new(),
    };
    let mut results = Vec::new();
    let abandoned = runner.play(2, &mut results, None, &mut |_, _| {});
    assert!(abandoned.unwrap().is_none());
    assert!(runner.report(&results).is_decided());
    assert!(results.len() < 100, "{}", results.len());
}

#[test]
fn a_stop_ends_a_match_and_a_wrong_command_never_begins_one() {
    let stop = Stop::new();
    stop.stop();
    let mut settings = settings(passing(), passing());
    let runner = MatchRunner {
        settings: &settings,
        games: 4,
        sprt: None,
        stop: &stop,
    };
    let mut results = Vec::new();
    let abandoned = runner.play(1, &mut results, None, &mut |_, _| {}).unwrap();
    assert!(matches!(abandoned, Some(Abandoned::Interrupted)));
    assert!(results.is_empty());

    settings
        .introduce([None, Some("Two")], &Stop::new())
        .unwrap();
    // A program that does not say its name is called by its place.
    assert_eq!(settings.names, ["first", "Two"]);
    settings.commands[1] = "no-such-program gtp".to_owned();
    let error = settings.introduce([None, None], &Stop::new()).unwrap_err();
    let CannotBegin::Command { side, .. } = error else {
        panic!("{error}");
    };
    assert_eq!(side, Side::Second);
}
