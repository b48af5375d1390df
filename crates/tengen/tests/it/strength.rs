//! The engine plays Go: it beats a player of random moves.

use serde_json::{Value, json};

use crate::tengen::run;

#[test]
fn every_game_against_random_moves_is_won() {
    wins_all("--net none --visits 100");
}

#[test]
fn the_baseline_needs_hardly_a_search_for_it() {
    wins_all("--net baseline --visits 10");
}

fn wins_all(settings: &str) {
    let program = env!("CARGO_BIN_EXE_tengen");
    let engine = format!("'{program}' gtp {settings} --threads 1 --seed {{seed}}");
    let random = format!("'{program}' dummy --seed {{seed}}");
    let players = ["match", "--first", &engine, "--second", &random];
    let settings = ["--size", "7", "--games", "4", "--seed", "1", "--json"];
    let run = run(players.into_iter().chain(settings), "");
    assert_eq!(run.code, 0, "{}", run.stderr);
    let report: Value = serde_json::from_str(&run.stdout).expect("--json prints JSON");
    let won = json!({"wins": 4, "draws": 0, "losses": 0});
    assert_eq!(report["total"], won, "{}", run.stderr);
    // A game that the other player forfeits is won as well, and says nothing about strength.
    for player in ["first", "second"] {
        assert_eq!(report[player]["forfeits"], 0, "{player}: {}", run.stderr);
    }
}
