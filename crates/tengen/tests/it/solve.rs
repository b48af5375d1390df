//! `tengen solve`.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::tengen::{run, tengen};

fn solve(line: &str) -> Value {
    let out = tengen(&format!("solve {line} --json")).out();
    serde_json::from_str(&out).expect("JSON was printed")
}

/// A folder of this test alone.
fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("solve-{name}"));
    _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder for the test");
    folder
}

#[test]
fn tells_programs_what_three_by_three_is_worth() {
    let report = solve("3x3 --komi 2.5");
    for (field, value) in [
        ("board", json!("3x3")),
        ("to_move", json!("black")),
        ("lower", json!(9)),
        ("upper", json!(9)),
        ("value", json!(9)),
        ("any_ko_rule", json!(true)),
        ("best", json!(["B2"])),
        ("complete", json!(true)),
        ("result", json!("B+6.5")),
    ] {
        assert_eq!(report[field], value, "{field}");
    }
    assert!(report["nodes"].as_u64() > Some(0));
}

#[test]
fn tells_people_too() {
    let out = tengen("solve 1x4 --all-moves").out();
    assert!(
        out.starts_with("1x4, Black to move: 4 under every ko rule\nBest: A3 A2\n"),
        "{out}"
    );
    assert!(out.contains("\n  A4   -4\n"), "{out}");
}

#[test]
fn the_ko_rule_decides_where_bounds_do_not_meet() {
    let open = solve("2x3");
    assert_eq!((&open["lower"], &open["upper"]), (&json!(-6), &json!(6)));
    assert_eq!(open["value"], Value::Null);
    for rule in ["positional", "situational"] {
        let report = solve(&format!("2x3 --rules {rule} --komi 0"));
        assert_eq!(report["rule"]["value"], json!(0), "{rule}");
        assert_eq!(report["value"], json!(0), "{rule}");
        assert_eq!(report["rule"]["ko"], json!(rule));
        assert_eq!(report["result"], json!("draw"));
    }
}

/// An answer and the answer to a question about it have one meaning: these positions had two.
#[test]
fn what_simple_ko_means_does_not_depend_on_the_question() {
    for (board, value) in [
        (".OO./OX.O --to-move black", -1),
        ("XXOX/.X.. --to-move white", 1),
    ] {
        let report = solve(&format!("{board} --rules simple"));
        assert_eq!(report["value"], json!(value), "{report}");
        assert_eq!(
            (&report["exact"], &report["rule"]["ko"]),
            (&json!(true), &json!("simple"))
        );
        for (margin, is_forced) in [(value, true), (value + 1, false)] {
            let report = solve(&format!("{board} --rules simple --at-least {margin}"));
            assert_eq!(report["asked"]["proven"], json!(is_forced), "{report}");
            let lower = report["rule"]["lower"].as_i64().expect("a number");
            assert_eq!(lower >= i64::from(margin), is_forced, "{report}");
        }
    }
    let closed = solve(".O./X.O/O.O --to-move black");
    assert_eq!(
        (&closed["value"], &closed["exact"]),
        (&json!(9), &json!(true))
    );
}

#[test]
fn under_simple_ko_an_endless_game_is_a_tie() {
    let report = solve("2x2 --rules simple --komi 0.5");
    assert_eq!(
        (&report["lower"], &report["upper"]),
        (&json!(-4), &json!(4))
    );
    assert_eq!(
        (&report["value"], &report["result"]),
        (&json!(0), &json!("W+0.5"))
    );
    let out = tengen("solve 2x2 --rules simple").out();
    assert!(
        out.contains(
            "between -4 and 4, as repetitions decide\nSimple ko, an endless game is a tie: 0\n"
        ),
        "{out}"
    );
}

#[test]
fn a_record_is_told_what_the_answer_leaves_out() {
    let folder = folder("history");
    let file = folder.join("game.sgf");
    fs::write(&file, "(;FF[4]SZ[3];B[bb];W[aa])").expect("the record is written");
    let file = file.to_str().expect("the path is text");
    assert_eq!(solve(file)["ignored_moves"], json!(2));
    let out = tengen(&format!("solve {file}")).out();
    assert!(
        out.contains("9 under every ko rule, in a game that begins here\n"),
        "{out}"
    );
    assert!(
        out.contains("The 2 moves of the record are not looked at"),
        "{out}"
    );
    assert_eq!(
        solve(&format!("{file} --move 0"))["ignored_moves"],
        Value::Null
    );
}

#[test]
fn diagrams_and_records_are_positions() {
    let inline = solve(".X.X/XXXX/.OO. --to-move white");
    assert_eq!(inline["board"], json!("4x3"));
    assert_eq!(inline["value"], json!(12));
    let folder = folder("record");
    let record = folder.join("game.sgf");
    fs::write(&record, "(;FF[4]SZ[3];B[bb];W[aa];B[])").expect("the record is written");
    let record = record.to_str().expect("the path is text");
    let report = solve(&format!("{record} --move 2"));
    assert_eq!(
        (&report["to_move"], &report["value"]),
        (&json!("black"), &json!(9))
    );
    assert_eq!(solve(record)["to_move"], json!("white"));
    let refused = tengen(&format!("solve {record} --move 7"));
    assert_eq!(refused.code, 2);
    assert!(
        refused.stderr.contains("there is no move 7"),
        "{}",
        refused.stderr
    );
}

#[test]
fn mistakes_are_one_line() {
    for (line, problem) in [
        ("solve 9x9", "81 points"),
        ("solve nonsense", "neither a size"),
        ("solve 3x3 --at-least 12", "no margin is beyond 9"),
        ("solve 3x3 --memory lots", "512M"),
        ("solve 3x3 --time=-1", "seconds"),
    ] {
        let refused = tengen(line);
        assert_eq!(refused.code, 2, "{line}");
        assert!(refused.stderr.contains(problem), "{}", refused.stderr);
        assert_eq!(refused.stderr.lines().count(), 1, "{}", refused.stderr);
    }
}

#[test]
fn proofs_are_accepted_by_the_checker() {
    let folder = folder("proof");
    let file = folder.join("3x3.proof");
    let file = file.to_str().expect("the path is text");
    let report = solve(&format!("3x3 --at-least 9 --proof {file}"));
    assert_eq!(
        report["asked"],
        json!({"bound": "black >= 9", "proven": true})
    );
    let proof = &report["proofs"][0];
    assert_eq!(proof["claim"], json!("black >= 9"));
    assert_eq!(proof["checked"], json!(true));
    assert_eq!(
        proof["ko_rules"],
        json!(["simple", "situational", "positional"])
    );
    let checked = tengen(&format!("verify {file} --json")).out();
    let checked: Value = serde_json::from_str(&checked).expect("JSON was printed");
    assert_eq!(checked["claim"], json!("black >= 9 on 3x3, black to move"));
    assert_eq!(
        checked["ko_rules"],
        json!(["simple", "situational", "positional"])
    );
}

#[test]
fn both_sides_have_their_proofs() {
    let folder = folder("both");
    let file = folder.join("1x2.proof");
    let name = file.to_str().expect("the path is text");
    assert_eq!(solve(&format!("1x2 --proof {name}"))["value"], json!(0));
    for (file, claim) in [
        (name.to_owned(), "black >= 0"),
        (format!("{name}.upper"), "black <= 0"),
    ] {
        let checked = tengen(&format!("verify {file}")).out();
        assert!(checked.contains(claim), "{checked}");
    }
}

#[test]
fn proofs_under_one_ko_rule_are_granted_that_rule() {
    let folder = folder("rule");
    let file = folder.join("2x3.proof");
    let name = file.to_str().expect("the path is text");
    for rule in ["positional", "situational"] {
        let report = solve(&format!("2x3 --rules {rule} --proof {name}"));
        assert_eq!(report["rule"]["value"], json!(0));
        for proof in report["proofs"].as_array().expect("two proofs") {
            assert_eq!(
                (&proof["checked"], &proof["ko_rules"]),
                (&json!(true), &json!([rule]))
            );
        }
        for (file, claim) in [
            (name.to_owned(), "black >= 0 on 2x3, black to move"),
            (format!("{name}.upper"), "black <= 0 on 2x3, black to move"),
        ] {
            let checked = tengen(&format!("verify {file} --json")).out();
            let checked: Value = serde_json::from_str(&checked).expect("JSON was printed");
            assert_eq!(checked["claim"], json!(claim));
            assert_eq!(checked["ko_rules"], json!([rule]));
        }
    }
}

#[test]
fn one_bound_is_asked_for_under_one_ko_rule() {
    let folder = folder("bound");
    let file = folder.join("2x3.proof");
    let name = file.to_str().expect("the path is text");
    let line = format!("2x3 --rules positional --at-least 0 --proof {name}");
    let report = solve(&line);
    assert_eq!(report["rule"]["lower"], json!(0));
    assert_eq!(report["proofs"][0]["claim"], json!("black >= 0"));
    let checked = tengen(&format!("verify {name}")).out();
    assert!(checked.contains("Positional superko: holds"), "{checked}");

    let report = solve("2x3 --rules positional --at-least 1");
    assert_eq!(report["rule"]["upper"], json!(0));
    let report = solve("2x3 --rules positional --at-most 0");
    assert_eq!(report["rule"]["upper"], json!(0));
    assert_eq!(report["rule"]["lower"], json!(-6));
}

#[test]
fn what_was_found_in_time_is_saved_and_taken_up_again() {
    let folder = folder("time");
    let file = folder.join("state");
    let state = file.to_str().expect("the path is text");
    let line = format!("5x5 --memory 32M --time 0.5 --resume {state}");
    let first = solve(&line);
    assert_eq!(first["complete"], json!(false));
    assert!(file.exists());
    let second = solve(&line);
    assert!(second["nodes"].as_u64() > first["nodes"].as_u64());
    let refused = tengen(&format!("solve 3x3 --resume {state}"));
    assert_eq!(refused.code, 2);
    assert!(
        refused.stderr.contains("another position"),
        "{}",
        refused.stderr
    );
}

#[test]
fn an_interrupt_loses_nothing() {
    let folder = folder("interrupt");
    let file = folder.join("state");
    let mut child = Command::new(env!("CARGO_BIN_EXE_tengen"))
        .args([
            "solve",
            "5x5",
            "--memory",
            "32M",
            "--json",
            "--progress",
            "--resume",
        ])
        .arg(&file)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("tengen was built for this test");
    // Once it reports progress, it listens to interrupts as well.
    let mut progress = BufReader::new(child.stderr.take().expect("standard error is a pipe"));
    let mut line = String::new();
    progress.read_line(&mut line).expect("progress is reported");
    assert!(line.contains("trying black"), "{line}");
    let sent = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(sent.expect("kill is there").success());
    let output = child.wait_with_output().expect("the command ends");
    assert!(output.status.success(), "{output:?}");
    let report: Value = serde_json::from_slice(&output.stdout).expect("JSON was printed");
    assert_eq!(report["complete"], json!(false));
    assert!(file.exists());
}

#[test]
fn a_guide_is_asked_and_changes_no_value() {
    let guide = format!("'{}' dummy", env!("CARGO_BIN_EXE_tengen"));
    let guided = run(["solve", "2x2", "--json", "--guide", &guide], "");
    let report: Value = serde_json::from_str(&guided.out()).expect("JSON was printed");
    assert_eq!(
        (&report["lower"], &report["upper"]),
        (&json!(-4), &json!(4))
    );
}

/// The guide plays the same game as the solver, or its moves are for another.
#[cfg(unix)]
#[test]
fn a_guide_is_told_the_rules() {
    let heard = folder("guide").join("heard.gtp");
    let guide = format!(
        "sh -c \"tee '{}' | '{}' gtp --net none --visits 1 --threads 1\"",
        heard.display(),
        env!("CARGO_BIN_EXE_tengen")
    );
    run(["solve", "2x3", "--json", "--guide", &guide], "").out();
    let heard = fs::read_to_string(heard).expect("the guide was spoken to");
    let begun: Vec<&str> = heard.lines().take(5).collect();
    let expected = [
        "list_commands",
        "rectangular_boardsize 2 3",
        "clear_board",
        "kata-set-rules koSIMPLEscoreAREAtaxNONEsui0",
    ];
    assert_eq!(begun[..4], expected);
    assert!(begun[4].starts_with("komi "), "{begun:?}");
}
