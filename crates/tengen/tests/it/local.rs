//! `tengen solve --region`.

use std::fs;
use std::path::PathBuf;

use serde_json::{Value, json};
use tengen_sgf::{Collection, Mode};

use crate::tengen::{run, tengen};

/// A folder of this test alone.
fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("local-{name}"));
    _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder for the test");
    folder
}

/// Three points in a row in the corner of a 19x19 board, marked, and bent four in the corner, which is not.
const PROBLEMS: &str =
    "(;FF[4]GM[1]SZ[19]PL[B]AB[ea][eb][ac][bc][cc][dc][ec]AW[da][ab][bb][cb][db]TR[da];B[ba])
(;FF[4]GM[1]SZ[9]PL[B]C[bent four]
;AB[fa][fb][cc][dc][ec][fc][cd][ae][be][ce]AW[ca][da][ea][bb][cb][eb][bc][ad][bd];B[ac])";

fn solve(line: &str) -> Vec<Value> {
    let out = run(line.split_whitespace(), PROBLEMS).out();
    let rows = out.lines();
    rows.map(|row| serde_json::from_str(row).expect("JSON was printed"))
        .collect()
}

#[test]
fn problems_of_a_record_are_answered_one_by_one() {
    let answers = solve("solve - --region --json");
    assert_eq!(answers.len(), 2);
    let [row, bent] = [&answers[0], &answers[1]];
    assert_eq!(row["problem"], json!(1));
    assert_eq!(row["board"], json!("19x19"));
    assert_eq!(row["defender"], json!("white"));
    assert_eq!(row["region"].as_array().map(Vec::len), Some(8));
    let [black, white] = [&row["answers"][0], &row["answers"][1]];
    for (answer, first, verdict, reached) in [
        (black, "black", "dies", "capture"),
        (white, "white", "lives", "live"),
    ] {
        assert_eq!(answer["first"], json!(first));
        assert_eq!(answer["verdict"], json!(verdict));
        assert_eq!(answer["reached"], json!(reached));
        assert_eq!(answer["moves"], json!(["B19"]));
    }
    let ko = &bent["answers"][0];
    assert_eq!(ko["verdict"], json!("ko"));
    assert_eq!(ko["outcomes"][1]["outcome"], json!("stands"));
    assert_eq!(
        ko["outcomes"][2],
        json!({"attacker": "none", "defender": "none", "outcome": "captured"})
    );
    assert_eq!(bent["complete"], json!(true));
}

#[test]
fn people_are_told_about_ko_threats() {
    let out = run(["solve", "-", "--region", "--to-move", "black"], PROBLEMS).out();
    assert!(
        out.starts_with("Problem 1: White at D19 A18 B18 C18 D18, playing on 8 points of 19x19\nBlack first: dies\n  \
            Moves that do it: B19\n"),
        "{out}"
    );
    assert!(
        out.contains("Black first: ko\n  White has any number of ko threats: stands\n  White has one ko threat: \
            stands\n  nobody has ko threats: captured\n"),
        "{out}"
    );
    assert!(!out.contains("White first"), "{out}");
}

#[test]
fn proofs_are_accepted_by_the_checker_and_spoiled_ones_refused() {
    let folder = folder("proof");
    let file = folder.join("proof");
    let name = file.to_str().expect("the path is text");
    let answers = solve(&format!("solve - --region --json --proof {name}"));
    let proofs = answers[1]["proofs"].as_array().expect("proofs");
    // A ko has a proof for either player.
    assert_eq!(proofs.len(), 3, "{proofs:?}");
    for answer in &answers {
        for proof in answer["proofs"].as_array().expect("proofs") {
            let file = proof["file"].as_str().expect("a name");
            let checked = tengen(&format!("verify {file} --json")).out();
            let checked: Value = serde_json::from_str(&checked).expect("JSON was printed");
            assert_eq!(checked["claim"], proof["claim"]);
            assert_eq!(checked["valid"], json!(true));
        }
    }
    let first = format!("{name}.1");
    let told = tengen(&format!("verify {first}")).out();
    assert!(
        told.starts_with("Valid: black captures white's D19 A18"),
        "{told}"
    );
    assert!(told.contains("\nRegion: A19 B19"), "{told}");
    let mut bytes = fs::read(&first).expect("the certificate is there");
    let last = bytes.len() - 20;
    bytes[last] ^= 4;
    let refused = run(["verify", "-"], &bytes);
    assert_eq!((refused.code, refused.stdout.as_str()), (1, ""));
}

#[test]
fn solutions_are_records_with_marks() {
    let folder = folder("solution");
    let file = folder.join("solutions.sgf");
    let name = file.to_str().expect("the path is text");
    solve(&format!("solve - --region --json --solution {name}"));
    let text = fs::read_to_string(&file).expect("the record is there");
    let parsed = Collection::parse(&text, Mode::Strict).expect("a record without faults");
    let roots: Vec<_> = parsed.collection.roots().collect();
    assert_eq!(roots.len(), 2);
    let told = roots[0].value("C").expect("a comment");
    assert_eq!(told.text(), "Black first: dies\nWhite first: lives");
    let marked = |mark: &str, color: &str| -> Vec<String> {
        let first = roots[0].children();
        let first = first.filter(|node| node.value(mark).is_some());
        first
            .filter_map(|node| node.value(color).map(|at| at.text().into_owned()))
            .collect()
    };
    assert_eq!(marked("TE", "B"), ["ba"]);
    assert_eq!(marked("TE", "W"), ["ba"]);
    assert!(marked("BM", "B").contains(&"aa".to_owned()), "{text}");
}

/// The carpenter's square takes longer than this.
#[test]
fn what_was_found_out_in_time_is_told() {
    let square = ".....X./...OXX./...OX../.OOOX../.XXXX../XX...../.......";
    let line = format!("solve {square} --region --to-move black --json");
    for limit in ["--time 0.2", "--memory 1M"] {
        let report = tengen(&format!("{line} {limit}")).out();
        let report: Value = serde_json::from_str(&report).expect("JSON was printed");
        assert_eq!(report["complete"], json!(false), "{limit}");
        assert_eq!(report["answers"][0]["verdict"], json!("open"), "{limit}");
    }
}

#[test]
fn regions_and_targets_can_be_named() {
    let diagram = "...OX./OOOOX./XXXXX./......";
    let report = tengen(&format!(
        "solve {diagram} --region=A3:D4 --target D4 --json"
    ))
    .out();
    let report: Value = serde_json::from_str(&report).expect("JSON was printed");
    assert_eq!(report["answers"][0]["verdict"], json!("dies"));
    for (line, problem) in [
        ("solve 3x3 --region", "shut in"),
        (
            "solve .X./... --region=A1:C9 --target B2",
            "`C9` is no point",
        ),
        (
            "solve .X./... --region=A1 --target B2",
            "liberty beyond the region",
        ),
        ("solve .X./... --region=A1:C2 --target A1", "no stones"),
        ("solve XO./... --region=A1:C2", "both players"),
        ("solve XO./... --region --komi 3", "cannot be used with"),
        ("solve XO./... --target A1", "--region"),
    ] {
        let refused = tengen(line);
        assert_eq!(refused.code, 2, "{line}: {}", refused.stderr);
        assert!(
            refused.stderr.contains(problem),
            "{line}: {}",
            refused.stderr
        );
        assert_eq!(refused.stderr.lines().count(), 1, "{}", refused.stderr);
    }
}
