//! Collections of problems, and what the solver says while somebody tries to solve one.

use serde_json::{Value, json};
use tengen_app::{Code, RoomSettings};

use crate::host::Host;

/// Three points in a row: Black captures by playing in the middle.
const ROW: &str = "(;FF[4]GM[1]SZ[7]GN[row]GE[capture]DI[15k]PL[B]\
    AB[ea][eb][ac][bc][cc][dc][ec]AW[da][ab][bb][cb][db]TR[da]SL[aa][ba][ca][da][ab][bb][cb][db]\
    (;B[ba]TE[1];W[aa];B[ca]TE[1])(;B[aa]BM[1];W[ba])(;B[ca]BM[1];W[ba]))";

fn read(host: &mut Host, text: &str) -> Vec<Value> {
    let set = host.ask("problems.read", json!({"text": text}));
    set["problems"].as_array().unwrap().clone()
}

#[test]
fn a_problem_is_read_with_its_solution() {
    let mut host = Host::new(RoomSettings::default());
    let problems = read(&mut host, ROW);
    let problem = &problems[0];
    assert_eq!(problem["title"], "row");
    assert_eq!(problem["to_move"], "black");
    assert_eq!(problem["goal"], "capture");
    assert_eq!(problem["level"], "15k");
    assert_eq!(problem["target"], json!(["D7"]));
    assert_eq!(problem["region"].as_array().unwrap().len(), 8);
    assert!(
        problem["position"]
            .as_str()
            .unwrap()
            .starts_with("...OX..\nOOOOX..\nXXXXX..\n")
    );
    let tree = &problem["tree"];
    let right: Vec<&str> = (0..8)
        .filter(|node| tree["right"][node] == true)
        .map(|node| tree["moves"][node].as_str().unwrap())
        .collect();
    assert_eq!(right, ["setup", "B B7", "W A7", "B C7"]);
    // They are no games.
    assert_eq!(host.ask("games.list", json!({}))["games"], json!([]));
}

#[test]
fn collections_say_in_many_ways_what_is_right() {
    let mut host = Host::new(RoomSettings::default());
    let mut right = |text: &str| -> Vec<bool> {
        let problems = read(&mut host, text);
        let right = problems[0]["tree"]["right"].as_array().unwrap();
        right.iter().map(|right| right == true).collect()
    };
    // Words on the last move of a right line.
    let words = "(;SZ[9]AB[aa](;B[bb];W[cc])(;B[cb];W[cc];B[dd]C[RIGHT]))";
    assert_eq!(right(words), [true, false, false, true, true, true]);
    let chinese = "(;SZ[9]AB[aa](;B[bb]C[失败])(;B[cb]C[正解]))";
    assert_eq!(right(chinese), [true, false, true]);
    // Only what is wrong is marked.
    let wrong = "(;SZ[9]AB[aa](;B[bb]BM[1];W[cc])(;B[cb];W[cc])(;B[db]))";
    assert_eq!(right(wrong), [true, false, false, true, true, true]);
    // Nothing is marked: the main line is right.
    let plain = "(;SZ[9]AB[aa](;B[bb];W[cc])(;B[cb]))";
    assert_eq!(right(plain), [true, true, true, false]);
}

#[test]
fn a_position_may_stand_behind_the_root_and_belong_to_white() {
    let mut host = Host::new(RoomSettings::default());
    let problems = read(
        &mut host,
        "(;SZ[9]C[a book];AB[aa]AW[bb]C[White lives];W[cc])",
    );
    let problem = &problems[0];
    assert_eq!(problem["to_move"], "white");
    assert_eq!(problem["comment"], "White lives");
    assert_eq!(problem["tree"]["moves"], json!(["setup", "W C7"]));
    assert_eq!(problem["tree"]["parents"], json!([null, 0]));
}

/// A game from a problem, in which somebody plays some moves.
fn tried(host: &mut Host, problem: &Value, moves: &[&str]) -> (Value, Value) {
    let person = json!({"kind": "person"});
    let sheet = host.ask(
        "games.new",
        json!({
            "rules": "japanese", "position": problem["position"], "komi": 0.0, "keep": false,
            "black": person, "white": person,
        }),
    );
    let game = sheet["id"].clone();
    let mut node = sheet["live"].clone();
    for action in moves {
        let played = host.ask(
            "game.play",
            json!({"game": game, "node": node, "move": action}),
        );
        node = played["node"].clone();
    }
    (game, node)
}

#[test]
fn the_solver_refutes_any_move_with_a_proof() {
    let mut host = Host::new(RoomSettings::default());
    let problem = read(&mut host, ROW).remove(0);
    let mut judge = |moves: &[&str]| {
        let (game, node) = tried(&mut host, &problem, moves);
        let (target, region) = (&problem["target"], &problem["region"]);
        let params = json!({"game": game, "node": node, "target": target, "region": region});
        host.ask("problem.judge", params)
    };
    let start = judge(&[]);
    assert_eq!(start["verdict"], "dies");
    assert_eq!(start["moves"], json!(["B7"]));
    assert_eq!(start["reply"], "B7");
    assert_eq!(judge(&["B7"])["verdict"], "dies");
    let wrong = judge(&["A7"]);
    assert_eq!(
        (&wrong["verdict"], &wrong["reply"]),
        (&json!("lives"), &json!("B7"))
    );
    let lost = judge(&["A7", "B7"]);
    assert_eq!(lost["decided"], true);
    assert_eq!(lost["reply"], json!(null));
}

#[test]
fn what_is_no_problem_is_refused() {
    let mut host = Host::new(RoomSettings::default());
    let empty = json!({"position": ".....\n.....\n.....\n.....\n....."});
    let (game, node) = tried(&mut host, &empty, &["C3"]);
    let refused = host.call(1, "problem.judge", json!({"game": game, "node": node}));
    assert_eq!(refused.unwrap_err().code, Code::InvalidParams);
    let refused = host.call(
        1,
        "problem.judge",
        json!({"game": game, "node": node, "target": ["Z9"]}),
    );
    assert_eq!(refused.unwrap_err().code, Code::InvalidParams);
}
