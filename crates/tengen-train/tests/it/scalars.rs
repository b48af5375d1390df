//! What a run measures, for other programs.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use tengen_nn::Losses;
use tengen_train::{Komi, Played, ScalarLog, Summary, Tally, Versus};

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join("scalars")
        .join(name);
    _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a test may make a folder");
    folder
}

fn losses(value: f64) -> Losses {
    Losses {
        policy: 0.5,
        value,
        lead: f64::NAN,
        ..Losses::default()
    }
}

fn summary(value: f64) -> Summary {
    let tally = Tally {
        wins: 3,
        draws: 0,
        losses: 1,
    };
    Summary {
        generation: 4,
        steps: 300,
        games: 40,
        positions: 900,
        window: 900,
        play_seconds: 3.0,
        learn_seconds: 2.0,
        measure_seconds: 1.0,
        losses: losses(value),
        played: Played {
            games: 10,
            moves: 250,
            black_wins: 6,
            draws: 1,
            ..Played::default()
        },
        versus: vec![Versus {
            name: "rollouts 20".to_owned(),
            tally,
        }],
        fair_komi: vec![Komi {
            size: "5x5".to_owned(),
            komi: 25,
        }],
        learned: 512,
        recorded: 0,
        exam: None,
    }
}

#[test]
fn lines_are_flat_objects_that_are_added_to() {
    let path = folder("lines").join("run.jsonl");
    for step in [7, 8] {
        let mut log = ScalarLog::open(&path).expect("it can be written");
        log.step(step, &losses(0.6)).expect("it can be written");
        log.generation(&summary(0.6)).expect("it can be written");
        assert_eq!(log.path(), path);
    }
    let text = fs::read_to_string(&path).expect("it is there");
    let lines: Vec<Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).expect("it is JSON"))
        .collect();
    let steps: Vec<u64> = lines
        .iter()
        .filter_map(|line| line["_step"].as_u64())
        .collect();
    assert_eq!(steps, [7, 300, 8, 300]);
    assert_eq!(lines[0]["step/policy"], 0.5);
    // What is not a number has no place there.
    assert!(lines[0].get("step/lead").is_none());
    assert_eq!(lines[1]["share/rollouts 20"], 0.75);
    assert_eq!(lines[1]["games/black_share"], 0.65);
    assert_eq!(lines[1]["rate/positions_a_second"], 256.0);
    assert_eq!(lines[1]["fair_komi/5x5"], 25.0);
    assert!(lines[1]["_timestamp"].as_f64().is_some_and(|at| at > 1e9));
}

#[test]
fn a_network_that_knows_nothing_has_no_fair_komi() {
    let path = folder("komi").join("run.jsonl");
    let mut log = ScalarLog::open(&path).expect("it can be written");
    log.generation(&summary(0.69)).expect("it can be written");
    let text = fs::read_to_string(&path).expect("it is there");
    assert!(text.contains("share/rollouts 20") && !text.contains("fair_komi"));
    assert!(summary(0.6).knows_who_wins() && !summary(0.69).knows_who_wins());
}

#[test]
fn event_files_are_records_of_events() {
    let folder = folder("events");
    for _ in 0..2 {
        let mut log = ScalarLog::open(&folder).expect("it can be written");
        log.step(300, &losses(0.25)).expect("it can be written");
        let bytes = fs::read(log.path()).expect("it is there");
        let mut records = Vec::new();
        let mut rest = &bytes[..];
        while !rest.is_empty() {
            let length = u64::from_le_bytes(rest[..8].try_into().expect("8 bytes")) as usize;
            records.push(&rest[12..12 + length]);
            rest = &rest[12 + length + 4..];
        }
        assert_eq!(records.len(), 2);
        // The time, which is a double, and the version.
        assert_eq!(records[0][0], 9);
        assert_eq!(&records[0][9..], b"\x1a\x0dbrain.Event:2");
        // The time, the step, and a summary of two values or three: what is not a number is left out.
        let values = b"\x10\xac\x02\x2a";
        assert_eq!(&records[1][9..13], values);
        let value = b"\x0a\x11\x0a\x0astep/value\x15\x00\x00\x80\x3e";
        assert!(records[1].windows(value.len()).any(|part| part == value));
        assert!(!records[1].windows(4).any(|part| part == b"lead"));
    }
    // A program that is started again has a file of its own.
    assert_eq!(fs::read_dir(&folder).expect("it is there").count(), 2);
}

#[test]
fn a_folder_that_cannot_be_is_named() {
    let file = folder("refused").join("file");
    fs::write(&file, "").expect("a test may write a file");
    let refused = ScalarLog::open(&file.join("below")).expect_err("a file is no folder");
    assert!(refused.to_string().contains("below"), "{refused}");
}
