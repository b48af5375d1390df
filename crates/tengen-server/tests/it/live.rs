//! Messages that make sense, and messages that do not.

use serde_json::{Value, json};

use crate::http::{post, request};
use crate::running::{Running, person, settings};

#[tokio::test(flavor = "multi_thread")]
async fn nonsense_is_answered_and_the_conversation_goes_on() {
    let server = Running::start(&settings()).await;
    let mut viewer = server.viewer().await;
    for nonsense in [
        "",
        "hello",
        "{",
        "[]",
        "null",
        "{}",
        r#"{"id":1}"#,
        r#"{"id":1,"method":5}"#,
        r#"{"id":null,"method":"about"}"#,
        r#"{"id":{"a":1},"method":"about"}"#,
        r#"{"id":1,"method":"about","params":{},"more":1}"#,
        "{\"id\":1,\"method\":\"about\"",
        "\u{0}\u{1}",
    ] {
        viewer.send(nonsense).await;
        let answer = viewer.hear().await.unwrap();
        assert_eq!(
            answer["error"]["code"], "invalid_params",
            "{nonsense}: {answer}"
        );
    }
    // As deep as nobody nests params.
    viewer
        .send(&format!(
            "{{\"id\":1,\"method\":\"about\",\"params\":{}",
            "[".repeat(100_000)
        ))
        .await;
    assert_eq!(
        viewer.hear().await.unwrap()["error"]["code"],
        "invalid_params"
    );
    for (method, params, code) in [
        ("no.such", json!({}), "unknown_method"),
        ("game.get", json!({ "game": "nothing" }), "no_game"),
        ("game.get", json!([]), "invalid_params"),
        ("game.get", json!({ "gme": "x" }), "invalid_params"),
        ("runs.list", json!({}), "unsupported"),
    ] {
        let error = viewer.try_call(method, params).await.unwrap_err();
        assert_eq!(error["code"], code, "{method}");
        assert!(!error["message"].as_str().unwrap().is_empty());
    }
    let about = viewer.call("about", json!({})).await;
    assert_eq!(about["features"]["runs"], false);
    assert_eq!(about["features"]["export_png"], true);
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_same_methods_are_there_over_http() {
    let server = Running::start(&settings()).await;
    let address = server.address;
    let params = json!({ "width": 5, "height": 7, "rules": "japanese", "black": person(), "white": person() });
    let game = post(address, "games.new", &params).await;
    assert_eq!(game.status, 200);
    let id = game.json()["id"].clone();
    let played = post(
        address,
        "game.play",
        &json!({ "game": id, "node": 0, "move": "C3" }),
    )
    .await;
    assert_eq!(
        (played.status, &played.json()["view"]["last"]["point"]),
        (200, &json!("C3"))
    );
    let again = post(
        address,
        "game.play",
        &json!({ "game": id, "node": 1, "move": "C3" }),
    )
    .await;
    assert_eq!(
        (again.status, &again.json()["code"]),
        (422, &json!("illegal_move"))
    );
    assert_eq!(
        post(address, "game.get", &json!({ "game": "nothing" }))
            .await
            .status,
        404
    );
    assert_eq!(post(address, "no.such", &json!({})).await.status, 404);
    assert_eq!(post(address, "game.get", &json!(7)).await.status, 400);
    let broken = request(
        address,
        "POST /api/game.get",
        &["Content-Type: application/json"],
        b"{\"game\":",
    )
    .await;
    assert_eq!(
        (broken.status, &broken.json()["code"]),
        (400, &json!("invalid_params"))
    );
    assert_eq!(
        request(address, "GET /api/game.get", &[], b"").await.status,
        405
    );
    let openapi = request(address, "GET /api/openapi.json", &[], b"").await;
    assert!(
        openapi.json()["openapi"]
            .as_str()
            .unwrap()
            .starts_with("3.1")
    );
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn games_are_downloaded() {
    let server = Running::start(&settings()).await;
    let address = server.address;
    let mut viewer = server.viewer().await;
    let game = viewer.new_game(5, person(), person()).await;
    let id = game["id"].as_str().unwrap();
    for (node, action) in ["C3", "C2", "D2", "pass"].into_iter().enumerate() {
        viewer
            .call(
                "game.play",
                json!({ "game": id, "node": node, "move": action }),
            )
            .await;
    }
    let get = async |file: String| request(address, &format!("GET /games/{file}"), &[], b"").await;
    let sgf = get(format!("{id}.sgf")).await;
    assert_eq!(sgf.status, 200);
    let disposition = &sgf.headers["content-disposition"];
    assert!(
        disposition.ends_with("Black%20%E2%80%93%20White.sgf"),
        "{disposition}"
    );
    let text = String::from_utf8(sgf.body).unwrap();
    assert!(text.contains(";B[cc]") && text.contains("SZ[5]"), "{text}");
    let svg = get(format!("{id}.svg?node=1")).await;
    assert_eq!(svg.headers["content-type"], "image/svg+xml");
    assert!(svg.headers["content-security-policy"].contains("sandbox"));
    assert!(svg.body.starts_with(b"<svg"));
    let small = get(format!("{id}.png?width=200")).await;
    let large = get(format!("{id}.png?width=400&node=2")).await;
    assert!(small.body.starts_with(b"\x89PNG") && large.body.starts_with(b"\x89PNG"));
    assert!(small.body.len() < large.body.len());
    let gif = get(format!("{id}.gif?width=150")).await;
    assert!(gif.body.starts_with(b"GIF89a"));
    for wrong in [
        format!("{id}.exe"),
        id.to_owned(),
        "nothing.sgf".to_owned(),
        format!("{id}.png?node=99"),
        format!("{id}.png?x=1"),
    ] {
        assert_eq!(get(wrong.clone()).await.status, 404, "{wrong}");
    }
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_small_board_is_solved_while_others_analyse() {
    let server = Running::start(&settings()).await;
    let [mut one, mut other] = [server.viewer().await, server.viewer().await];
    let large = other.new_game(9, person(), person()).await;
    let watch = json!({ "game": large["id"], "node": 0 });
    other.call("analysis.watch", watch).await;
    let small = one.new_game(3, person(), person()).await;
    let id = &small["id"];
    one.call("exact.watch", json!({ "game": id, "node": 0 }))
        .await;
    let last = loop {
        let event = one.event("exact").await;
        if event["done"] == true {
            break event;
        }
    };
    assert_eq!(
        (&last["lower"], &last["upper"], &last["more"]),
        (&json!(9), &json!(9), &json!(false))
    );
    other.event("analysis").await;
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn two_viewers_see_the_same() {
    let server = Running::start(&settings()).await;
    let [mut one, mut other] = [server.viewer().await, server.viewer().await];
    let game = one.new_game(5, person(), person()).await;
    let id = &game["id"];
    let seen = other.call("watch", json!({ "game": id })).await;
    assert_eq!(seen["version"], game["version"]);
    one.call("watch", json!({ "game": id })).await;
    let mut versions = Vec::new();
    for (node, action) in ["C3", "B2", "D4"].into_iter().enumerate() {
        let player = if node % 2 == 0 { &mut one } else { &mut other };
        player
            .call(
                "game.play",
                json!({ "game": id, "node": node, "move": action }),
            )
            .await;
        let [mine, theirs] = [one.event("game").await, other.event("game").await];
        assert_eq!(mine, theirs);
        assert_eq!(mine["change"]["added"][0]["node"], node + 1);
        versions.push(mine["version"].as_u64().unwrap());
    }
    assert!(
        versions.windows(2).all(|pair| pair[0] < pair[1]),
        "{versions:?}"
    );
    // A viewer who looks at an old state is told where the game stands.
    let late = one
        .try_call("game.play", json!({ "game": id, "node": 0, "move": "A1" }))
        .await
        .unwrap_err();
    assert_eq!(
        (&late["code"], &late["data"]["live"]),
        (&json!("not_live"), &json!(3))
    );
    let sheets: Vec<Value> = vec![
        one.call("game.get", json!({ "game": id })).await,
        other.call("game.get", json!({ "game": id })).await,
    ];
    assert_eq!(sheets[0], sheets[1]);
    server.stop().await;
}
