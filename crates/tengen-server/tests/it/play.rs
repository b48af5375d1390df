//! A whole game against the engine.

use serde_json::{Value, json};

use crate::running::{Live, Running, engine, person, settings};

/// Waits until it is this player's turn, or the game is over.
async fn until_turn(viewer: &mut Live, game: &Value, color: &str) -> Value {
    loop {
        let sheet = viewer.call("game.get", json!({ "game": game })).await;
        let is_turn = sheet["to_move"] == color && sheet["thinking"] == false;
        if sheet["phase"] != "playing" || is_turn {
            return sheet;
        }
        viewer.event("game").await;
    }
}

/// The first legal point in reading order that is no eye of Black's own, or a pass.
fn simple_move(view: &Value) -> String {
    let stones = view["stones"].as_str().unwrap().as_bytes();
    let illegal: Vec<&str> = view["illegal"]
        .as_array()
        .unwrap()
        .iter()
        .map(|entry| entry["point"].as_str().unwrap())
        .collect();
    let at = |x: i32, y: i32| (0..5).contains(&x) && (0..5).contains(&y);
    for y in 0..5_i32 {
        for x in 0..5_i32 {
            let name = format!("{}{}", char::from(b'A' + x as u8), 5 - y);
            let is_free = stones[(y * 5 + x) as usize] == b'.' && !illegal.contains(&name.as_str());
            let beside = [(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)];
            let is_eye = beside
                .iter()
                .all(|(x, y)| !at(*x, *y) || stones[(y * 5 + x) as usize] == b'X');
            if is_free && !is_eye {
                return name;
            }
        }
    }
    "pass".to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_is_played_to_its_score() {
    let server = Running::start(&settings()).await;
    let mut viewer = server.viewer().await;
    let game = viewer.new_game(5, person(), engine(1)).await;
    let id = game["id"].clone();
    viewer.call("watch", json!({ "game": id })).await;
    let mut moves = 0;
    let last = loop {
        let sheet = until_turn(&mut viewer, &id, "black").await;
        if sheet["phase"] != "playing" {
            break sheet;
        }
        let node = &sheet["live"];
        let view = viewer
            .call("game.view", json!({ "game": id, "node": node }))
            .await;
        let action = simple_move(&view);
        viewer
            .call(
                "game.play",
                json!({ "game": id, "node": node, "move": action }),
            )
            .await;
        moves += 1;
        assert!(moves < 200, "two players who fill the board come to an end");
    };
    assert!(moves > 3, "{last}");
    if last["phase"] == "marking" {
        // Accepted as soon as the engine has proposed what is dead.
        let finished = loop {
            match viewer.try_call("game.accept", json!({ "game": id })).await {
                Ok(sheet) => break sheet,
                Err(error) => assert_eq!(error["code"], "busy"),
            }
            viewer.event("game").await;
        };
        assert_eq!(finished["phase"], "finished");
    }
    let sheet = viewer.call("game.get", json!({ "game": id })).await;
    assert_eq!(sheet["phase"], "finished");
    let result = sheet["result"]["text"].as_str().unwrap();
    assert!(
        result.starts_with("B+") || result.starts_with("W+") || result == "0",
        "{result}"
    );
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn engines_are_asked_and_answer() {
    let server = Running::start(&settings()).await;
    let mut viewer = server.viewer().await;
    let game = viewer.new_game(5, person(), person()).await;
    let id = &game["id"];
    viewer
        .call("game.play", json!({ "game": id, "node": 0, "move": "C3" }))
        .await;
    let hint = viewer.call("game.hint", json!({ "game": id })).await;
    assert!(
        hint["visits"].as_u64().unwrap() > 0
            && hint["pv"].as_array().is_some_and(|pv| !pv.is_empty()),
        "{hint}"
    );
    let estimate = viewer.call("game.estimate", json!({ "game": id })).await;
    let ownership = estimate["ownership"].as_array().unwrap();
    assert_eq!(ownership.len(), 25);
    viewer
        .call(
            "analysis.watch",
            json!({ "game": id, "node": 1, "max_visits": 3000, "ownership": true }),
        )
        .await;
    let mut last = 0;
    loop {
        let found = viewer.event("analysis").await;
        let visits = found["visits"].as_u64().unwrap();
        assert!(visits >= last, "{last} {found}");
        last = visits;
        assert_eq!(found["ownership"].as_array().unwrap().len(), 25);
        if found["done"] == true {
            break;
        }
    }
    assert!(last >= 3000);
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_only_a_closed_page_waited_for_ends() {
    let server = Running::start(&settings()).await;
    let [mut gone, mut here] = [server.viewer().await, server.viewer().await];
    let game = gone.new_game(9, person(), person()).await;
    let id = &game["id"];
    gone.call(
        "analysis.watch",
        json!({ "game": id, "node": 0, "max_visits": 1_000_000 }),
    )
    .await;
    gone.event("analysis").await;
    drop(gone);
    // With the only thread free again, this comes to its end.
    here.call(
        "analysis.watch",
        json!({ "game": id, "node": 0, "max_visits": 300 }),
    )
    .await;
    while here.event("analysis").await["done"] != true {}
    server.stop().await;
}
