//! Games come back as they stood.

use serde_json::{Value, json};
use tengen_app::{Room, RoomSettings, Viewer};

use crate::host::Host;

/// What of a sheet outlasts a restart: edits that could be taken back do not.
pub(crate) fn lasting(mut sheet: Value) -> Value {
    if let Some(fields) = sheet.as_object_mut() {
        fields.remove("can_undo");
        fields.remove("can_redo");
    }
    sheet
}

/// Restarts, and holds every sheet against what it was. Somebody watches before and after, so that engines think and
/// clocks run.
fn survives(host: &mut Host, game: &Value) {
    let watch = json!({"game": game});
    let before = lasting(host.ask("watch", watch.clone()));
    let jobs = host.jobs.len();
    host.restart();
    let after = lasting(host.ask("watch", watch));
    assert_eq!(after, before);
    assert_eq!(host.jobs.len(), jobs);
}

fn person() -> Value {
    json!({"kind": "person", "name": "Ada"})
}

#[expect(
    clippy::needless_pass_by_value,
    reason = "the params are written where the call is"
)]
fn start(host: &mut Host, extra: Value) -> Value {
    let mut params = json!({
        "width": 9, "height": 9, "rules": "japanese",
        "black": person(), "white": {"kind": "engine", "level": 4},
    });
    for (key, value) in extra.as_object().unwrap() {
        params[key] = value.clone();
    }
    host.ask("games.new", params)["id"].clone()
}

#[test]
fn in_every_phase() {
    let mut host = Host::new(RoomSettings::default());
    let clock = json!({"main_seconds": 30, "canadian": {"stones": 3, "seconds": 20}});
    let game = start(&mut host, json!({"clock": clock, "title": "A ] title"}));
    let of_game = || json!({"game": game});
    survives(&mut host, &game);
    host.tick(host.now + 7_500);
    survives(&mut host, &game);
    host.ask("game.play", json!({"game": game, "node": 0, "move": "E5"}));
    // The engine thinks, and its clock runs.
    host.now += 1_500;
    survives(&mut host, &game);
    host.engine_plays(Some("C3"));
    survives(&mut host, &game);
    // Numbers of nodes are not those of the record's order any more.
    host.ask("game.undo", of_game());
    host.ask("game.play", json!({"game": game, "node": 0, "move": "D4"}));
    host.engine_plays(Some("G7"));
    survives(&mut host, &game);
    host.ask("game.pause", of_game());
    survives(&mut host, &game);
    host.ask(
        "game.play",
        json!({"game": game, "node": 4, "move": "pass"}),
    );
    host.engine_plays(Some("pass"));
    // The engine looks for dead stones.
    survives(&mut host, &game);
    host.engine_proposes(&["G7"], &["D4"]);
    survives(&mut host, &game);
    host.ask("game.dead", json!({"game": game, "point": "D4"}));
    survives(&mut host, &game);
    host.ask("game.accept", of_game());
    survives(&mut host, &game);
    host.ask("game.review", of_game());
    survives(&mut host, &game);
    host.ask("game.play", json!({"game": game, "node": 3, "move": "A1"}));
    let edits = json!([
        {"do": "comment", "text": "two\nlines ] \\"},
        {"do": "setup", "point": "J9", "color": "white"},
        {"do": "promote"},
    ]);
    host.ask(
        "game.edit",
        json!({"game": game, "node": 4, "edits": edits}),
    );
    survives(&mut host, &game);
    host.ask("game.continue", json!({"game": game, "node": 3}));
    survives(&mut host, &game);
    host.ask("game.resign", of_game());
    survives(&mut host, &game);
}

#[test]
fn in_trouble() {
    let settings = RoomSettings {
        programs: vec!["other".to_owned()],
        ..RoomSettings::default()
    };
    let mut host = Host::new(settings);
    let game = start(
        &mut host,
        json!({"white": {"kind": "program", "name": "other"}}),
    );
    host.ask("game.play", json!({"game": game, "node": 0, "move": "E5"}));
    let job = host.jobs[0].id;
    host.report(
        job,
        tengen_app::Report::Failed("it has \"ended\"".to_owned()),
    );
    survives(&mut host, &game);
    // The next time the program is not there.
    host.settings.programs.clear();
    host.restart();
    host.ask("watch", json!({"game": game}));
    let sheet = host.ask("game.resume", json!({"game": game}));
    assert_eq!(sheet["trouble"], "no program is called \"other\"");
    assert_eq!(sheet["paused"], true);
}

#[test]
fn nobody_loses_time_while_nobody_is_there() {
    let mut host = Host::new(RoomSettings::default());
    let clock = json!({"main_seconds": 30});
    let game = start(&mut host, json!({"clock": clock, "white": person()}));
    host.now += 10_000;
    host.restart();
    host.tick(host.now + 3_600_000);
    let sheet = host.ask("game.get", json!({"game": game}));
    assert_eq!(
        sheet["clock"]["black"],
        json!({"seconds": 20.0, "overtime": false, "running": false})
    );
    let sheet = host.ask("watch", json!({"game": game}));
    assert_eq!(sheet["clock"]["black"]["running"], true);
    host.tick(host.now + 20_000);
    let sheet = host.ask("game.get", json!({"game": game}));
    assert_eq!(sheet["result"]["text"], "W+T");
}

#[test]
fn a_crash_gives_back_little_time() {
    let mut host = Host::new(RoomSettings::default());
    let game = start(
        &mut host,
        json!({"clock": {"main_seconds": 300}, "white": person()}),
    );
    assert_eq!(host.room.next_tick(host.now), Some(host.now + 10_000));
    for _ in 0..29 {
        host.tick(host.now + 1_000);
    }
    // No word to the room before it ends.
    let mut room = Room::new(RoomSettings::default());
    room.restore(
        game.as_str().unwrap(),
        host.saves[0].1.as_ref().unwrap(),
        host.now,
    )
    .unwrap();
    let sheet = room
        .call("game.get", json!({"game": game}), Viewer(1), host.now)
        .unwrap();
    assert_eq!(sheet.now().unwrap()["clock"]["black"]["seconds"], 280.0);
}

#[test]
fn a_record_that_another_program_has_changed_is_reviewed() {
    let mut host = Host::new(RoomSettings::default());
    let game = start(&mut host, json!({}));
    host.ask("game.play", json!({"game": game, "node": 0, "move": "E5"}));
    let saved = host.saves[0].1.clone().unwrap();
    let longer = saved.replace(";B[ee]", ";B[ee];W[cc];B[dd]");
    assert_ne!(longer, saved);
    let broken = saved.replace("\"phase\"", "\"fase\"");
    for (name, text) in [
        ("longer", &longer),
        ("broken", &broken),
        ("plain", &"(;SZ[9];B[ee])".to_owned()),
    ] {
        let mut room = Room::new(RoomSettings::default());
        room.restore(name, text, 5).unwrap();
        let sheet = room
            .call("game.get", json!({"game": name}), Viewer(1), 5)
            .unwrap()
            .now()
            .unwrap();
        assert_eq!(sheet["phase"], "review", "{name}");
        assert!(!room.sgf(name).unwrap().contains("TG["));
    }
    let mut room = Room::new(RoomSettings::default());
    for (name, text) in [
        ("../etc", "(;)"),
        ("", "(;)"),
        ("A", "(;)"),
        ("a", "no game"),
    ] {
        assert!(room.restore(name, text, 0).is_err(), "{name}");
    }
    room.restore("a", "(;)", 0).unwrap();
    assert!(room.restore("a", "(;)", 0).is_err());
}

#[test]
fn names_of_games_are_not_given_twice() {
    let mut host = Host::new(RoomSettings::default());
    let ids: Vec<Value> = (0..3).map(|_| start(&mut host, json!({}))).collect();
    host.ask("games.delete", json!({"game": ids[2]}));
    assert_eq!(
        host.saves.last().unwrap(),
        &(ids[2].as_str().unwrap().to_owned(), None)
    );
    let next = start(&mut host, json!({}));
    assert!(!ids.contains(&next));
}
