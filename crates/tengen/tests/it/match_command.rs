//! `tengen match`, with programs that play anything and misbehave as told.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::tengen::{Run, run};

/// A folder of its own for a test, empty.
fn folder(test: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join("match")
        .join(test);
    _ = fs::remove_dir_all(&path);
    path
}

/// The command of a dummy player.
fn dummy(arguments: &str) -> String {
    format!("'{}' dummy {arguments}", env!("CARGO_BIN_EXE_tengen"))
}

fn play(first: &str, second: &str, more: &[&str]) -> Run {
    let (first, second) = (dummy(first), dummy(second));
    let usual = [
        "match", "--first", &first, "--second", &second, "--size", "5",
    ];
    run(usual.iter().chain(more).copied(), "")
}

/// The summary of a match that went to its end.
fn summary(run: &Run) -> Value {
    assert_eq!(run.code, 0, "{}", run.stderr);
    serde_json::from_str(&run.stdout).expect("--json prints JSON")
}

fn results(folder: &Path) -> Vec<Value> {
    let text = fs::read_to_string(folder.join("results.jsonl")).expect("the match has results");
    let mut results: Vec<Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).expect("a line of JSON"))
        .collect();
    results.sort_by_key(|result| result["game"].as_u64());
    results
}

#[test]
fn a_match_is_played_counted_and_kept() {
    let folder = folder("kept");
    let path = folder.to_str().unwrap();
    let more = [
        "--games",
        "4",
        "--folder",
        path,
        "--name-second",
        "B",
        "--openings",
        "2",
        "--json",
    ];
    let run = play("--name A --seed {seed}", "--seed {seed}", &more);
    assert_eq!(run.stderr.lines().count(), 4, "{}", run.stderr);
    assert!(run.stderr.contains("game 2, B Black: "), "{}", run.stderr);
    let report = summary(&run);
    assert_eq!(report["names"], json!(["A", "B"]));
    assert_eq!(report["games"], 4);
    assert_eq!(report["ends"]["by_board"], 4);
    assert_eq!(report["first"]["forfeits"], 0);

    let results = results(&folder);
    assert_eq!(results.len(), 4);
    for (result, number) in results.iter().zip(1..) {
        assert_eq!(result["game"], number);
        assert_eq!(
            result["black"],
            if number % 2 == 1 { "first" } else { "second" }
        );
        assert_eq!(result["end"], "passes");
        assert_eq!(result["settled"], "board");
        let record = fs::read_to_string(folder.join(format!("{number:04}.sgf"))).unwrap();
        let names = if number % 2 == 1 {
            "PB[A]PW[B]"
        } else {
            "PB[B]PW[A]"
        };
        let score = format!("RE[{}]", result["result"].as_str().unwrap());
        assert!(
            record.contains(names) && record.contains(&score),
            "{record}"
        );
    }
    assert_eq!(results[0]["opening"], results[1]["opening"]);
    assert_ne!(results[1]["opening"], results[2]["opening"]);
    assert_eq!(results[0]["opening"].as_array().unwrap().len(), 2);

    // The same seed plays the same games.
    let again = folder.join("again");
    let path = again.to_str().unwrap();
    let more = [
        "--games",
        "4",
        "--folder",
        path,
        "--name-second",
        "B",
        "--openings",
        "2",
        "--json",
    ];
    play("--name A --seed {seed}", "--seed {seed}", &more);
    for number in 1..=4 {
        let name = format!("{number:04}.sgf");
        assert_eq!(
            fs::read_to_string(folder.join(&name)).unwrap(),
            fs::read_to_string(again.join(&name)).unwrap()
        );
    }
}

#[test]
fn a_person_gets_a_table() {
    let run = play(
        "--name A",
        "--name B --act resign@3",
        &["--games", "2", "--parallel", "1"],
    );
    let expected = "\
A against B, 2 games

                      wins draws losses   score (95 % interval)    Elo
A, all                   2     0      0   100.0 % (34.2…100.0)    > -113
  as Black               1     0      0   100.0 % (20.7…100.0)    > -234
  as White               1     0      0   100.0 % (20.7…100.0)    > -234
";
    assert!(run.stdout.starts_with(expected), "{}", run.stdout);
    assert!(
        run.stdout.contains("\nEnded: 2 by resignation\n"),
        "{}",
        run.stdout
    );
    assert_eq!(run.code, 0);
}

#[test]
fn a_player_that_breaks_the_rules_forfeits_that_game() {
    for (act, reason) in [
        ("illegal", "illegal: occupied"),
        ("crash", "it ended (exit "),
        ("garbage", "with `what?`, which is no GTP"),
        ("refuse", "it refused `genmove "),
        ("stall", "within 5 s"),
    ] {
        let folder = folder(act);
        let path = folder.to_str().unwrap();
        let bad = format!("--name Bad --act {act}@3");
        let timeout = if act == "stall" { "5" } else { "100" };
        let more = [
            "--games",
            "2",
            "--folder",
            path,
            "--move-timeout",
            timeout,
            "--json",
        ];
        let run = play("--name Good", &bad, &more);
        let report = summary(&run);
        assert_eq!(report["second"]["forfeits"], 2, "{act}: {}", run.stderr);
        assert_eq!(report["total"], json!({"wins": 2, "draws": 0, "losses": 0}));
        for (result, number) in results(&folder).iter().zip(1..) {
            assert_eq!(result["end"], "forfeit");
            assert_eq!(result["winner"], "first");
            let why = result["reason"].as_str().unwrap();
            assert!(
                why.starts_with("Bad: ") && why.contains(reason),
                "{act}: {why}"
            );
            let log = fs::read_to_string(folder.join(format!("{number:04}.second.log"))).unwrap();
            assert!(log.contains("> genmove ") && log.contains("\n# "), "{log}");
            assert!(folder.join(format!("{number:04}.first.log")).exists());
            let record = fs::read_to_string(folder.join(format!("{number:04}.sgf"))).unwrap();
            assert!(
                record.contains("+F]") && record.contains("Forfeited by Bad"),
                "{record}"
            );
        }
    }
}

#[test]
fn a_match_goes_on_where_it_stopped() {
    let folder = folder("resumed");
    let path = folder.to_str().unwrap();
    let (first, second) = ("--name A", "--name B --act resign@2");
    let go = |games: &str, more: &[&str]| {
        let usual = ["--games", games, "--folder", path, "--json"];
        play(first, second, &[&usual, more].concat())
    };
    assert_eq!(summary(&go("3", &[]))["games"], 3);
    let before = results(&folder);

    // A game that was lost, and a line that was cut off, as after a loss of power.
    let file = folder.join("results.jsonl");
    let lines: Vec<String> = before[..2]
        .iter()
        .map(|result| format!("{result}\n"))
        .collect();
    fs::write(&file, lines.concat() + "{\"game\":3,\"bl").unwrap();

    let run = go("6", &["--parallel", "1"]);
    assert!(
        run.stderr.starts_with("2 games are finished already\n"),
        "{}",
        run.stderr
    );
    assert_eq!(run.stderr.lines().count(), 5);
    assert_eq!(summary(&run)["games"], 6);
    let after = results(&folder);
    assert_eq!(after.len(), 6);
    assert_eq!(after[..2], before[..2]);

    // Nothing is left to do, and nothing is done.
    let run = go("6", &[]);
    assert_eq!(run.stderr, "6 games are finished already\n");
    assert_eq!(summary(&run)["games"], 6);

    let refusal = go("6", &["--komi", "5", "--seed", "2"]).refusal();
    assert!(
        refusal.contains("other settings: komi was \"7.5\" and is \"5\"; seed was 1 and is 2; "),
        "{refusal}"
    );
}

#[test]
fn a_test_ends_a_match_that_is_decided() {
    let decide = |first: &str, second: &str| {
        let more = [
            "--games",
            "1000",
            "--sprt",
            "0",
            "200",
            "--parallel",
            "2",
            "--json",
        ];
        let report = summary(&play(first, second, &more));
        assert!(report["games"].as_u64().unwrap() < 100, "{report}");
        report["sprt"]["verdict"].clone()
    };
    assert_eq!(decide("--name A", "--act resign@1"), "accept-elo1");
    assert_eq!(decide("--act resign@1", "--name B"), "accept-elo0");
    let more = ["--games", "2", "--sprt", "5", "0"];
    let refusal = play("", "", &more).refusal();
    assert!(refusal.contains("--sprt"), "{refusal}");
}

#[test]
fn dead_stones_are_those_that_somebody_names() {
    // Everybody passes on a board with one black and one white stone.
    let settle = |first: &str, second: &str, more: &[&str]| {
        let folder = folder("settled");
        let path = folder.to_str().unwrap();
        let usual = [
            "--games",
            "1",
            "--folder",
            path,
            "--openings",
            "2",
            "--json",
        ];
        let pass = |arguments: &str| format!("{arguments} --act pass@1");
        let run = play(&pass(first), &pass(second), &[&usual, more].concat());
        let report = summary(&run);
        let mut results = results(&folder);
        (results.remove(0), report)
    };
    let (nobody, _) = settle("", "", &[]);
    assert_eq!(
        (&nobody["settled"], &nobody["result"]),
        (&json!("board"), &json!("W+7.5"))
    );
    let stones: Vec<&str> = nobody["opening"]
        .as_array()
        .unwrap()
        .iter()
        .map(|v| v.as_str().unwrap())
        .collect();
    let black_dies = format!("--dead {}", stones[0]);
    let white_dies = format!("--dead {}", stones[1]);

    let (agreed, _) = settle(&white_dies, &white_dies, &[]);
    assert_eq!(
        (&agreed["settled"], &agreed["result"]),
        (&json!("agreed"), &json!("B+17.5"))
    );
    let (only_first, _) = settle(&black_dies, "", &[]);
    assert_eq!(
        (&only_first["settled"], &only_first["result"]),
        (&json!("first"), &json!("W+32.5"))
    );
    let (only_second, _) = settle("", &white_dies, &[]);
    assert_eq!(
        (&only_second["settled"], &only_second["result"]),
        (&json!("second"), &json!("B+17.5"))
    );
    let (disputed, report) = settle(&black_dies, &white_dies, &[]);
    assert_eq!(
        (&disputed["settled"], &disputed["result"]),
        (&json!("second"), &json!("B+17.5"))
    );
    assert_eq!(disputed["disputed"], json!([-65, 35]));
    assert_eq!(report["ends"]["winner_disputed"], 1);
    let referee = dummy("--dead none");
    let (refereed, _) = settle(&black_dies, &white_dies, &["--referee", &referee]);
    assert_eq!(
        (&refereed["settled"], &refereed["result"]),
        (&json!("referee"), &json!("W+7.5"))
    );
    // Points without a stone make no sense, and such a list is no opinion.
    let (nonsense, _) = settle("--dead Z9", &black_dies, &[]);
    assert_eq!(nonsense["settled"], "second");
}

#[test]
fn a_long_game_is_counted_at_the_limit_and_a_clock_runs_out() {
    let run = play("", "", &["--games", "2", "--max-moves", "7", "--json"]);
    assert_eq!(summary(&run)["ends"]["max_moves"], 2);
    let clock = [
        "--games",
        "2",
        "--main-time",
        "0",
        "--period-time",
        "0",
        "--period-stones",
        "1",
        "--json",
    ];
    let report = summary(&play("", "", &clock));
    assert_eq!(report["ends"]["time"], 2);
    // Black moves first and has no time.
    assert_eq!(report["total"], json!({"wins": 1, "draws": 0, "losses": 1}));
}

#[test]
fn a_match_that_cannot_be_played_says_why() {
    let good = dummy("");
    let refusal = |first: &str, more: &[&str]| {
        let usual = ["match", "--first", first, "--second", &good, "--games", "2"];
        run(usual.iter().chain(more).copied(), "").refusal()
    };
    let problem = refusal("no-such-program", &[]);
    assert!(
        problem.contains("--first: no-such-program cannot be started"),
        "{problem}"
    );
    let problem = refusal("'open", &[]);
    assert!(problem.contains("never closed"), "{problem}");
    let problem = refusal(&good, &["--move-timeout", "inf"]);
    assert!(problem.contains("--move-timeout"), "{problem}");

    let ends = run(
        [
            "match",
            "--first",
            &dummy("--nonsense"),
            "--second",
            &good,
            "--games",
            "2",
        ],
        "",
    );
    assert_eq!((ends.code, ends.stdout.as_str()), (1, ""));
    assert!(
        ends.stderr.contains("--first: it ended (exit ") && ends.stderr.contains("! tengen: "),
        "{}",
        ends.stderr
    );
}

#[test]
fn the_engine_plays_by_the_rules() {
    let engine = format!(
        "'{}' gtp --visits 20 --threads 1 --seed {{seed}}",
        env!("CARGO_BIN_EXE_tengen")
    );
    let random = dummy("--seed {seed}");
    let usual = ["match", "--first", &engine, "--second", &random];
    let more = ["--size", "5", "--komi", "3.5", "--games", "2", "--json"];
    let run = run(usual.into_iter().chain(more), "");
    let report = summary(&run);
    assert_eq!(report["first"]["forfeits"], 0, "{}", run.stderr);
    assert_eq!(report["second"]["forfeits"], 0, "{}", run.stderr);
    assert!(report["first"]["cpu_per_move"].is_number());
}

/// What an interrupt leaves behind is whole, and the same command goes on from there.
#[cfg(unix)]
#[test]
fn an_interrupt_ends_a_match_and_loses_nothing() {
    use std::io::{BufRead, BufReader};
    use std::process::{Command, Stdio};

    let folder = folder("interrupted");
    let (first, second) = (dummy("--name A"), dummy("--name B"));
    let mut child = Command::new(env!("CARGO_BIN_EXE_tengen"))
        .args([
            "match", "--first", &first, "--second", &second, "--size", "5",
        ])
        .args(["--games", "1000000", "--folder"])
        .arg(&folder)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
    for _ in 0..3 {
        lines.next().unwrap().unwrap();
    }
    let killed = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(killed.unwrap().success());
    let last = lines.last().unwrap().unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{last}");
    let games = results(&folder).len();
    assert!(games >= 3);
    assert_eq!(
        last,
        format!("tengen: interrupted after {games} of 1000000 games")
    );
    let summary = String::from_utf8(output.stdout).unwrap();
    assert!(
        summary.starts_with(&format!("A against B, {games} games\n")),
        "{summary}"
    );
}

#[test]
fn nothing_that_a_terminal_obeys_comes_from_a_program() {
    let hostile = "\u{1b}]0;owned\u{7}\u{1b}[2J\u{9b}31m\u{202e}";
    let first = format!("--name '{hostile}{}' --seed 1", "x".repeat(5_000));
    let obeyed = |c: char| c.is_control() && c != '\n' || matches!(c, '\u{202e}' | '\u{9b}');
    for more in [&["--games", "2"][..], &["--games", "2", "--json"]] {
        let run = play(&first, "--seed 2", more);
        assert_eq!(run.code, 0, "{}", run.stderr);
        for text in [&run.stdout, &run.stderr] {
            assert!(!text.contains(obeyed), "{text:?}");
            assert!(!text.contains(&"x".repeat(61)), "{text:?}");
            assert!(text.contains("]0;owned"), "{text:?}");
        }
    }
    // A program that dies with such words as its last ones, or is none.
    let forfeit = play(
        &format!("--name '{hostile}' --act garbage@1"),
        "",
        &["--games", "1"],
    );
    let nothing = run(
        ["match", "--first", hostile, "--second", "b", "--games", "1"],
        "",
    );
    for run in [forfeit, nothing] {
        assert!(!run.stdout.contains(obeyed), "{:?}", run.stdout);
        assert!(!run.stderr.contains(obeyed), "{:?}", run.stderr);
    }
}
