//! Who is in a room, what they may do, and how much of it is theirs.

use serde_json::{Value, json};
use tengen_app::{Client, Code, Guest, Limits, Rights, RoomSettings, Viewer};

use crate::host::Host;

fn game() -> Value {
    let person = json!({"kind": "person"});
    json!({"width": 5, "height": 5, "rules": "tromp-taylor", "black": person, "white": person})
}

/// A host for ten games, five of one client, with two viewers of client 1 and one of client 2.
fn host() -> Host {
    let limits = Limits {
        games: 10,
        games_of_a_client: 5,
        ..Limits::default()
    };
    let mut host = Host::new(RoomSettings {
        limits,
        ..RoomSettings::default()
    });
    for (viewer, client) in [(1, 1), (2, 1), (3, 2)] {
        let guest = Guest {
            client: Some(Client(client)),
            rights: Rights::Play,
        };
        host.room.welcome(Viewer(viewer), guest);
    }
    host
}

/// Begins a game and plays a move in it, so that it is not idle.
fn played(host: &mut Host, viewer: u64) -> Result<Value, tengen_app::Refusal> {
    host.now += 1;
    let id = host.call(viewer, "games.new", game())?["id"].clone();
    let play = json!({"game": id, "node": 0, "move": "C3"});
    host.call(viewer, "game.play", play)?;
    Ok(id)
}

#[test]
fn one_client_does_not_fill_the_room() {
    let mut host = host();
    for viewer in [1, 2, 1, 2, 1] {
        played(&mut host, viewer).unwrap();
    }
    let refused = played(&mut host, 2).unwrap_err();
    assert_eq!(refused.code, Code::Limit);
    assert_eq!(refused.data["what"], "games_of_a_client");
    for _ in 0..5 {
        played(&mut host, 3).unwrap();
    }
    // The room is full for everybody who comes now.
    let refused = host.call(9, "games.new", game()).unwrap_err();
    assert_eq!(refused.data["what"], "games");
    assert_eq!(host.room.games().count(), 10);
}

#[test]
fn the_oldest_games_in_which_nothing_happened_give_way() {
    let mut host = host();
    let first = played(&mut host, 1).unwrap();
    let mut idle = Vec::new();
    for _ in 0..4 {
        host.now += 1;
        idle.push(host.call(1, "games.new", game()).unwrap()["id"].clone());
    }
    // Somebody looks at the oldest.
    host.call(3, "watch", json!({"game": idle[0]})).unwrap();
    played(&mut host, 2).unwrap();
    let there = |host: &Host, id: &Value| host.room.games().any(|game| json!(game) == *id);
    assert!(there(&host, &first) && there(&host, &idle[0]));
    assert!(!there(&host, &idle[1]), "the oldest that nobody looks at");
    assert!(there(&host, &idle[2]) && there(&host, &idle[3]));
    assert_eq!(
        host.saves.iter().filter(|(_, sgf)| sgf.is_none()).count(),
        1
    );
    // A file with more games than can be made room for makes none.
    let file = json!({"text": "(;GM[1]SZ[5];B[aa])".repeat(3)});
    let refused = host.call(1, "games.open", file).unwrap_err();
    assert_eq!(refused.data["what"], "games_of_a_client");
    assert_eq!(host.room.games().count(), 5);
}

#[test]
fn an_invitation_takes_one_seat_and_no_more() {
    const SECRET: &str = "0123456789abcdef";
    let mut settings = RoomSettings::default();
    settings.features.insert("invite".to_owned(), true);
    let mut host = Host::new(settings);
    let id = host.ask("games.new", game())["id"].clone();
    let other = host.ask("games.new", game())["id"].clone();
    let invite = |secret: &str| json!({"game": id, "color": "white", "secret": secret});
    for short in ["", "0123456789abcde", "0123456789 abcdef"] {
        let refused = host.call(1, "game.invite", invite(short)).unwrap_err();
        assert_eq!(refused.code, Code::InvalidParams);
    }
    assert_eq!(host.room.invited(SECRET), None);
    let sheet = host.ask("game.invite", invite(SECRET));
    assert_eq!(sheet["guest"], "white");
    let invitation = host.room.invited(SECRET).unwrap();
    assert_eq!(host.room.invited("0123456789abcdeg"), None);
    let rights = Rights::Seat(invitation);
    let guest = Guest {
        client: None,
        rights,
    };
    host.room.welcome(Viewer(7), guest);
    let id_text = id.as_str().unwrap();
    assert!(host.room.may_see(rights, id_text));
    assert!(!host.room.may_see(rights, other.as_str().unwrap()));
    let about = host.call(7, "about", json!({})).unwrap();
    assert_eq!(about["may_play"], true);
    assert_eq!(about["seat"], json!({"game": id, "color": "white"}));
    assert_eq!(host.ask("about", json!({})).get("seat"), None);

    let play = |node: usize, point: &str| json!({"game": id, "node": node, "move": point});
    host.call(7, "watch", json!({"game": id})).unwrap();
    // Black is not theirs to move, and neither is anything else.
    let refused = host.call(7, "game.play", play(0, "C3")).unwrap_err();
    assert_eq!(refused.code, Code::NotYourTurn);
    host.ask("game.play", play(0, "C3"));
    host.call(7, "game.play", play(1, "C2")).unwrap();
    for (method, params) in [
        ("game.undo", json!({"game": id})),
        (
            "game.seats",
            json!({"game": id, "black": {"kind": "engine", "level": 1}}),
        ),
        ("games.list", json!({})),
        ("games.new", game()),
        ("games.delete", json!({"game": id})),
        ("game.get", json!({"game": other})),
        ("game.play", json!({"game": other, "node": 0, "move": "C3"})),
        ("game.invite", invite("fedcba9876543210")),
    ] {
        let refused = host.call(7, method, params).unwrap_err();
        assert_eq!(refused.code, Code::ReadOnly, "{method}");
    }
    // Whoever gives up, gives up their own colour.
    let ended = host.call(7, "game.resign", json!({"game": id, "color": "black"}));
    assert_eq!(ended.unwrap()["result"]["text"], "B+R");

    // A new invitation to the seat takes the place of the former.
    host.ask("game.continue", json!({"game": id}));
    host.ask("game.invite", invite("fedcba9876543210"));
    assert_eq!(host.room.invited(SECRET), None);
    let refused = host.call(7, "game.get", json!({"game": id})).unwrap_err();
    assert_eq!(refused.code, Code::ReadOnly);
    host.ask("games.delete", json!({"game": id}));
    assert_eq!(host.room.invited("fedcba9876543210"), None);
    // A host that nobody else reaches invites nobody.
    let mut alone = Host::new(RoomSettings::default());
    let id = alone.ask("games.new", game())["id"].clone();
    let params = json!({"game": id, "color": "white", "secret": SECRET});
    let refused = alone.call(1, "game.invite", params).unwrap_err();
    assert_eq!(refused.code, Code::Unsupported);
}

#[test]
fn who_may_only_look_changes_nothing_and_keeps_no_clock_running() {
    let mut host = host();
    let guest = Guest {
        client: None,
        rights: Rights::Look,
    };
    host.room.welcome(Viewer(7), guest);
    let mut params = game();
    params["white"] = json!({"kind": "engine", "level": 3});
    params["clock"] = json!({"main_seconds": 600});
    let id = host.ask("games.new", params)["id"].clone();
    let of_game = json!({"game": id});
    host.ask("watch", of_game.clone());
    assert_eq!(host.call(7, "about", json!({})).unwrap()["may_play"], false);
    assert_eq!(host.ask("about", json!({}))["may_play"], true);
    host.call(7, "watch", of_game.clone()).unwrap();
    let play = json!({"game": id, "node": 0, "move": "C3"});
    for (method, params) in [
        ("game.play", play.clone()),
        ("game.pause", of_game.clone()),
        ("games.delete", of_game.clone()),
        ("game.hint", of_game.clone()),
        ("review.judge", json!({"game": id, "node": 0, "move": "A1"})),
        ("analysis.watch", json!({"game": id, "node": 0})),
    ] {
        let refused = host.call(7, method, params).unwrap_err();
        assert_eq!(refused.code, Code::ReadOnly, "{method}");
    }
    // The player goes, the spectator stays: that does not keep the clock running.
    host.leave(1);
    let grace = u64::from(Limits::default().absence_seconds) * 1000;
    assert!(host.room.next_tick(host.now).unwrap() <= host.now + grace);
    host.tick(host.now + grace - 1);
    assert_eq!(
        host.call(7, "game.get", of_game.clone()).unwrap()["paused"],
        false
    );
    host.tick(host.now + 1);
    let sheet = host.call(7, "game.get", of_game.clone()).unwrap();
    assert_eq!(
        (&sheet["paused"], &sheet["away"]),
        (&json!(true), &json!(true))
    );
    assert_eq!(sheet["clock"]["black"]["seconds"], 570.0);
    // It stays so when everything begins anew, until somebody plays on.
    host.restart();
    let sheet = host.ask("watch", of_game.clone());
    assert_eq!(sheet["away"], true);
    host.ask("game.play", play);
    let sheet = host.ask("game.get", of_game);
    assert_eq!(
        (&sheet["paused"], &sheet["away"]),
        (&json!(false), &Value::Null)
    );
}

#[test]
fn what_is_made_without_the_room_is_made_again_if_the_game_has_changed() {
    use tengen_app::Begun;
    let mut host = host();
    let id = played(&mut host, 1).unwrap();
    let viewer = Viewer(1);
    let of_game = json!({"game": id});
    let begun = host.room.begin("watch", of_game, viewer, host.now).unwrap();
    let Begun::Aside(aside) = begun else {
        panic!("a sheet is made aside");
    };
    let brought = aside.run();
    host.ask("game.play", json!({"game": id, "node": 1, "move": "D4"}));
    let Begun::Aside(aside) = host.room.finish(brought, viewer, host.now).unwrap() else {
        panic!("it is old by now");
    };
    let Begun::Reply(reply) = host.room.finish(aside.run(), viewer, host.now).unwrap() else {
        panic!("now it is not");
    };
    assert_eq!(reply.now().unwrap()["live"], 2);
}
