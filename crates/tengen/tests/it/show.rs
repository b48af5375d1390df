//! `tengen show`.

use serde_json::json;

use crate::tengen::{run, tengen_reading};

const KO: &str = "
    . X O .
    X . X O
    . X O .
    White to move";

#[test]
fn shows_a_position_to_a_person() {
    let shown = run(["show", "-", "--rules", "chinese", "--moves", "B2"], KO).out();
    let expected = "\
4x3 board, chinese rules, komi 7.5
Move 1 was White B2

   A B C D
 3 * X O .  3
 2 X(O). O  2
 1 * X O .  1
   A B C D

Black to move: 2 legal moves (*), or pass
Illegal:
  ko: C2
  suicide: D3 D1

Chains      stones  liberties
  Black B3       1          1  atari at A3
  White C3       1          2
  Black A2       1          2
  White B2       1          1  atari at C2
  White D2       1          3
  Black B1       1          1  atari at A1
  White C1       1          2

Score         Black   White
  stones          3       4
  territory       2       3
  prisoners       0       1
  komi                  7.5
By area           5    14.5  W+9.5  by these rules
By territory      2    11.5  W+9.5

Hash ";
    let (text, hash) = shown.split_at(expected.len());
    assert_eq!(text, expected);
    assert_eq!(hash.trim_end().len(), 16);
}

#[test]
fn shows_a_position_to_a_machine() {
    let shown = run(
        ["show", "-", "--json", "--to-move", "white"],
        "X . O\n. . O",
    )
    .json();
    assert_eq!(shown["size"], "3x2");
    assert_eq!(shown["rules"], "tromp-taylor");
    assert_eq!(shown["to_move"], "white");
    assert_eq!(shown["moves"], 0);
    assert_eq!(shown["board"], json!(["X.O", "..O"]));
    assert_eq!(shown["legal"], json!(["B2", "A1", "B1"]));
    assert_eq!(shown["illegal"], json!([]));
    assert_eq!(
        shown["chains"][1],
        json!({
            "color": "white",
            "stones": ["C2", "C1"],
            "liberties": ["B2", "B1"],
            "atari": false,
            "pass_alive": false,
        })
    );
    assert_eq!(
        shown["score"]["white"],
        json!({"stones": 2, "territory": 0, "prisoners": 0})
    );
    assert_eq!(
        (&shown["score"]["dame"], &shown["score"]["komi"]),
        (&json!(3), &json!(0.0))
    );
    assert_eq!(
        shown["score"]["margin"],
        json!({"area": -1.0, "territory": 0.0, "area_and_prisoners": -1.0})
    );
    assert_eq!(shown["outcome"], json!(null));
    assert_eq!(shown["hash"].as_str().map(str::len), Some(16));
}

#[test]
fn tells_suicide_under_superko_from_other_repetitions() {
    let shown = tengen_reading("show -", KO).out();
    assert!(
        shown.contains("  superko by suicide, which recreates a board: A3 A1\n"),
        "{shown}"
    );
}

#[test]
fn a_finished_game_shows_its_result() {
    let shown = run(["show", "-", "--moves", "A1,pass pass"], ". . .").out();
    assert!(shown.contains("The game is over: 0\n"), "{shown}");
    let json = run(["show", "-", "--json", "--moves", "A1 pass pass"], ". . .").json();
    assert_eq!(
        (&json["outcome"], &json["legal"]),
        (&json!("0"), &json!([]))
    );
}

#[test]
fn reads_back_what_it_prints() {
    let shown = tengen_reading("show -", "X . O\n. O .").out();
    let diagram: String = shown
        .lines()
        .filter(|line| line.starts_with(' '))
        .take(4)
        .fold(String::new(), |diagram, line| diagram + line + "\n");
    assert_eq!(tengen_reading("show -", diagram).out(), shown);
}
