//! Edits that are taken back, branches that are copied, and positions that are looked for in other games.

use serde_json::{Value, json};
use tengen_app::{Code, RoomSettings};

use crate::host::Host;

fn open(host: &mut Host, text: &str) -> Value {
    let opened = host.ask("games.open", json!({"text": text}));
    opened["games"][0]["id"].clone()
}

fn record(host: &mut Host, game: &Value) -> String {
    let record = host.ask("game.record", json!({"game": game}));
    record["sgf"].as_str().unwrap().to_owned()
}

fn edit(host: &mut Host, game: &Value, node: usize, edit: &Value) -> Value {
    host.ask(
        "game.edit",
        json!({"game": game, "node": node, "edits": [edit]}),
    )
}

#[test]
fn every_edit_can_be_taken_back_and_made_again() {
    let mut host = Host::new(RoomSettings::default());
    let game = open(
        &mut host,
        "(;SZ[9]PB[Ada];B[ee]C[first];W[cc](;B[gg]C[kept])(;B[gc]))",
    );
    let of_game = json!({"game": game});
    let sheet = host.ask("game.get", of_game.clone());
    assert_eq!(sheet.get("can_undo"), None);
    let mut records = vec![record(&mut host, &game)];
    for (node, change) in [
        (1, json!({"do": "comment", "text": "other"})),
        (2, json!({"do": "setup", "point": "A1", "color": "black"})),
        (4, json!({"do": "promote"})),
        (3, json!({"do": "remove"})),
        (0, json!({"do": "info", "key": "black", "value": "Bo"})),
        (
            0,
            json!({"do": "info", "key": "tags", "value": "joseki, mine"}),
        ),
    ] {
        edit(&mut host, &game, node, &change);
        records.push(record(&mut host, &game));
    }
    host.ask("game.play", json!({"game": game, "node": 1, "move": "A9"}));
    records.push(record(&mut host, &game));
    let last = records.len() - 1;
    for at in (0..last).rev() {
        let edited = host.ask("edit.undo", of_game.clone());
        assert!(edited["view"]["node"].is_number());
        assert_eq!(record(&mut host, &game), records[at], "{at}");
    }
    let refused = host.call(1, "edit.undo", of_game.clone());
    assert_eq!(refused.unwrap_err().code, Code::NothingToUndo);
    // The numbers of nodes are what they were.
    let view = host.ask("game.view", json!({"game": game, "node": 3}));
    assert_eq!(view["comment"], "kept");
    for (at, expected) in records.iter().enumerate().skip(1) {
        host.ask("edit.redo", of_game.clone());
        assert_eq!(&record(&mut host, &game), expected, "{at}");
    }
    assert!(host.call(1, "edit.redo", of_game.clone()).is_err());
    // A new edit forgets what was taken back.
    host.ask("edit.undo", of_game.clone());
    let sheet = host.ask("game.get", of_game.clone());
    assert_eq!(
        (&sheet["can_undo"], &sheet["can_redo"]),
        (&json!(true), &json!(true))
    );
    edit(
        &mut host,
        &game,
        1,
        &json!({"do": "comment", "text": "new"}),
    );
    let sheet = host.ask("game.get", of_game);
    assert_eq!(sheet.get("can_redo"), None);
}

#[test]
fn moves_of_a_game_are_not_taken_back_as_edits() {
    let mut host = Host::new(RoomSettings::default());
    let game = open(&mut host, "(;SZ[9];B[ee];W[cc])");
    let of_game = json!({"game": game});
    edit(&mut host, &game, 1, &json!({"do": "comment", "text": "x"}));
    host.ask("game.continue", of_game.clone());
    let refused = host.call(1, "edit.undo", of_game.clone());
    assert_eq!(refused.unwrap_err().code, Code::WrongPhase);
    host.ask("game.play", json!({"game": game, "node": 2, "move": "G7"}));
    host.ask("game.review", of_game.clone());
    let refused = host.call(1, "edit.undo", of_game);
    assert_eq!(refused.unwrap_err().code, Code::NothingToUndo);
}

#[test]
fn a_branch_is_copied_into_another_game() {
    let mut host = Host::new(RoomSettings::default());
    let from = open(
        &mut host,
        "(;SZ[9]PB[Ada];B[ee];W[cc]C[a \\] bracket]LB[aa:x](;B[gg])(;B[gc];W[gd]))",
    );
    let branch = host.ask("game.branch", json!({"game": from, "node": 2}));
    let text = branch["sgf"].as_str().unwrap();
    assert!(text.starts_with("(;W[cc]"), "{text}");
    let to = open(&mut host, "(;SZ[9]PB[Bo];B[ff])");
    let pasted = edit(&mut host, &to, 1, &json!({"do": "paste", "text": text}));
    assert_eq!(pasted["view"]["comment"], "a ] bracket");
    let copied = record(&mut host, &to);
    assert!(
        copied.ends_with(";B[ff];W[cc]C[a \\] bracket]LB[aa:x](;B[gg])(;B[gc];W[gd]))"),
        "{copied}"
    );
    // Of a whole game, the moves are taken and not the facts.
    let whole = record(&mut host, &from);
    edit(&mut host, &to, 0, &json!({"do": "paste", "text": whole}));
    let copied = record(&mut host, &to);
    assert_eq!(copied.matches("PB[").count(), 1, "{copied}");
    for wrong in ["nothing", "(;SZ[9]PB[x])", "(;SZ[13];B[aa])"] {
        let edits = json!([{"do": "paste", "text": wrong}]);
        let refused = host.call(
            1,
            "game.edit",
            json!({"game": to, "node": 0, "edits": edits}),
        );
        assert!(refused.is_err(), "{wrong}");
    }
    assert_eq!(record(&mut host, &to), copied);
}

#[test]
fn a_position_is_found_turned_and_mirrored() {
    let mut host = Host::new(RoomSettings::default());
    let asked = open(&mut host, "(;SZ[9];B[gc];W[cg];B[gg])");
    // The same opening in another corner, and one that is mirrored.
    open(
        &mut host,
        "(;SZ[9]GN[turned]RE[B+R];B[cg];W[gc];B[gg];W[ee])",
    );
    open(
        &mut host,
        "(;SZ[9]GN[mirrored]RE[W+2.5];B[cc];W[gg];B[cg];W[ec])",
    );
    open(&mut host, "(;SZ[9]GN[other];B[ee];W[cc])");
    open(&mut host, "(;SZ[13]GN[large];B[gc];W[cg];B[gg])");
    let found = host.ask(
        "games.search",
        json!({"game": asked, "node": 2, "part": "board"}),
    );
    let mut titles: Vec<&str> = found["games"]
        .as_array()
        .unwrap()
        .iter()
        .map(|game| game["title"].as_str().unwrap())
        .collect();
    titles.sort_unstable();
    assert_eq!(titles, ["Black – White", "mirrored", "turned"]);
    for game in found["games"].as_array().unwrap() {
        assert_eq!((&game["node"], &game["number"]), (&json!(2), &json!(2)));
    }
    let next = found["next"].as_array().unwrap();
    let count: u64 = next
        .iter()
        .map(|next| next["count"].as_u64().unwrap())
        .sum();
    assert_eq!(count, 3, "{next:?}");
    let wins: u64 = next
        .iter()
        .map(|next| next["black_wins"].as_u64().unwrap() + next["white_wins"].as_u64().unwrap())
        .sum();
    assert_eq!(wins, 2, "{next:?}");
    assert!(next.iter().all(|next| next["color"] == "black"));
    // In the upper right there is one black stone, as somewhere in the others.
    let corner = host.ask(
        "games.search",
        json!({"game": asked, "node": 1, "part": "upper_right"}),
    );
    assert_eq!(corner["games"].as_array().unwrap().len(), 3);
    let none = host.ask("games.search", json!({"game": asked, "node": 3}));
    let none: Vec<&Value> = none["games"].as_array().unwrap().iter().collect();
    assert!(!none.is_empty());
}

#[test]
fn games_are_listed_with_what_people_look_for() {
    let mut host = Host::new(RoomSettings::default());
    open(
        &mut host,
        "(;SZ[9]PB[Ada]PW[Bo]DT[2026-11-18]RE[B+R]KW[joseki, mine];B[ee])",
    );
    let list = host.ask("games.list", json!({}));
    let game = &list["games"][0];
    for (key, value) in [
        ("black_name", "Ada"),
        ("white_name", "Bo"),
        ("date", "2026-11-18"),
        ("result", "B+R"),
        ("tags", "joseki, mine"),
    ] {
        assert_eq!(game[key], value, "{key}");
    }
    // What is opened to be looked at once is not listed.
    host.ask(
        "games.open",
        json!({"text": "(;SZ[9];B[ee])", "keep": false}),
    );
    let list = host.ask("games.list", json!({}));
    assert_eq!(list["games"].as_array().unwrap().len(), 1);
}
