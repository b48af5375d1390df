//! `tengen review`.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::tengen::{run, tengen, tengen_reading};

/// Black throws five stones away at the edge, which White captures.
const THROWN_AWAY: &str = "(;SZ[7]KM[9]RU[Chinese]PB[Ada]PW[Bo];B[dd];W[de];B[ce];W[ee];B[cd];W[ed]\
;B[ga];W[cf];B[gb];W[be];B[gc];W[ec];B[gd];W[dc])";

const QUICK: &str = "--net none --first-visits 60 --visits 240 --threads 1";

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join("review")
        .join(name);
    _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a test may make a folder");
    folder
}

fn review(line: &str, record: &str) -> Value {
    tengen_reading(&format!("review - {QUICK} --json {line}"), record).json()
}

#[test]
fn the_worst_moves_come_first() {
    let found = review("--worst 3", THROWN_AWAY);
    assert_eq!(
        (&found["title"], &found["game"]),
        (&"Ada – Bo".into(), &1.into())
    );
    assert_eq!(
        (&found["black"]["moves"], &found["white"]["moves"]),
        (&7.into(), &7.into())
    );
    let worst = found["worst"].as_array().expect("it is a list");
    assert!((1..=3).contains(&worst.len()), "{found:#}");
    let lost: Vec<f64> = worst
        .iter()
        .map(|one| one["lost"].as_f64().expect("it is a number"))
        .collect();
    assert!(lost.is_sorted_by(|a, b| a >= b), "{lost:?}");
    // Stones at the edge are what loses.
    let first = &worst[0];
    assert_eq!(first["color"], "black");
    assert!(
        first["move"]
            .as_str()
            .is_some_and(|name| name.starts_with('G')),
        "{first:#}"
    );
    assert!(first["lost"].as_f64() > Some(3.0), "{first:#}");
    assert_ne!(first["move"], first["best"]);
    let [black, white] = ["black", "white"].map(|side| found[side]["mean"].as_f64());
    assert!(black > white, "{found:#}");
}

#[test]
fn the_same_game_is_reviewed_alike_alone_and_among_others() {
    let alone = review("", THROWN_AWAY);
    let other = "(;SZ[5]KM[0];B[cc];W[bb];B[cb];W[bc])";
    let line = format!("review - {QUICK} --json");
    let both = tengen_reading(&line, format!("{other}{THROWN_AWAY}")).out();
    let second = both.lines().nth(1).expect("there are two games");
    let second: Value = serde_json::from_str(second).expect("it is JSON");
    assert_eq!(second["game"], 2);
    assert_eq!(second["worst"], alone["worst"]);
    assert_eq!(second["black"], alone["black"]);
}

#[test]
fn people_read_a_table_for_each_game_and_one_for_all() {
    let other = "(;SZ[5]KM[0];B[cc];W[bb];B[cb];W[bc])";
    let text = tengen_reading(
        &format!("review - {QUICK}"),
        format!("{THROWN_AWAY}{other}"),
    )
    .out();
    for part in [
        "Ada – Bo\n",
        "  Black      7",
        "  White      7",
        "Black G",
        "; better ",
        "2 games\n",
    ] {
        assert!(text.contains(part), "{part:?} in {text}");
    }
    let all = text.lines().last().expect("there is a last line");
    assert!(all.starts_with("  all       18"), "{text}");
    let first = tengen_reading(
        &format!("review - {QUICK} --games 1"),
        format!("{THROWN_AWAY}{other}"),
    );
    assert!(!first.out().contains("2 games"));
}

#[test]
fn records_are_written_with_what_was_found_and_never_over_others() {
    let folder = folder("written");
    let game = folder.join("ada.sgf");
    fs::write(&game, THROWN_AWAY).expect("a test may write a file");
    let to = folder.join("reviewed");
    let [from, into] = [&game, &to].map(|path| path.display().to_string());
    let arguments = || {
        let named = [
            "review",
            from.as_str(),
            "--write",
            into.as_str(),
            "--comments",
        ];
        named.into_iter().chain(QUICK.split_whitespace())
    };
    run(arguments(), "").out();
    let written = fs::read_to_string(to.join("ada.sgf")).expect("it was written");
    for part in ["TGA[", "PB[Ada]", "loses", "Better: ", ";B[ga]"] {
        assert!(written.contains(part), "{part} in {written}");
    }
    let refusal = run(arguments(), "").refusal();
    assert!(
        refusal.ends_with("ada.sgf exists already; --force replaces it"),
        "{refusal}"
    );
    run(arguments().chain(["--force"]), "").out();
    assert_eq!(
        fs::read_to_string(to.join("ada.sgf")).expect("it is there"),
        written
    );
}

#[test]
fn games_of_files_with_one_name_are_not_written_over_each_other() {
    let folder = folder("alike");
    for (inner, name, player) in [("a", "game.sgf", "Ada"), ("b", "Game.sgf", "Bo")] {
        let inner = folder.join(inner);
        fs::create_dir_all(&inner).expect("a test may make a folder");
        let text = format!("(;SZ[5]PB[{player}];B[cc];W[bb])");
        fs::write(inner.join(name), text).expect("a test may write a file");
    }
    let path = folder.display();
    tengen(&format!("review {path} --write {path}/out {QUICK}")).out();
    for (name, player) in [("game.sgf", "Ada"), ("Game-2.sgf", "Bo")] {
        let text = fs::read_to_string(folder.join("out").join(name)).expect("it was written");
        assert!(text.contains(player), "{name}: {text}");
    }
}

#[test]
fn what_cannot_be_read_is_told_and_the_rest_is_reviewed() {
    let folder = folder("unreadable");
    fs::write(folder.join("good.sgf"), "(;SZ[5];B[cc];W[bb])").expect("a test may write a file");
    let path = folder.display();
    let run = tengen(&format!("review {path}/good.sgf {path}/gone.sgf {QUICK}"));
    assert_eq!(run.code, 5);
    assert!(run.stderr.contains("gone.sgf: "), "{}", run.stderr);
    assert!(run.stdout.contains("  Black      1"), "{}", run.stdout);
    let refusal = tengen("review game.sgf --comments").refusal();
    assert!(refusal.contains("--write"), "{refusal}");
}
