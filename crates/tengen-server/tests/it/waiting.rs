//! Nobody waits for what others do, measured in work and not in time.

use std::net::SocketAddr;
use std::sync::Arc;

use axum::body::Body;
use axum::http::{Request, StatusCode};
use serde_json::{Value, json};
use tengen_server::{Server, ServerSettings};
use tower::ServiceExt;

use crate::folder::Folder;
use crate::running::settings;

const ADDRESS: &str = "127.0.0.1:8361";

/// A server without a socket.
struct Bare(Arc<Server>);

impl Bare {
    fn start(settings: &ServerSettings) -> Self {
        let address: SocketAddr = ADDRESS.parse().unwrap();
        Self(Arc::new(Server::new(settings, address).unwrap()))
    }

    async fn send(&self, line: &str, body: String) -> (StatusCode, Vec<u8>) {
        let (method, path) = line.split_once(' ').unwrap();
        let request = Request::builder()
            .method(method)
            .uri(path)
            .header("host", ADDRESS)
            .header("content-type", "application/json")
            .body(Body::from(body))
            .unwrap();
        let response = self.0.router().oneshot(request).await.unwrap();
        let status = response.status();
        let bytes = axum::body::to_bytes(response.into_body(), 1 << 26).await;
        (status, bytes.unwrap().to_vec())
    }

    async fn call(&self, method: &str, params: &Value) -> Value {
        let (status, body) = self
            .send(&format!("POST /api/{method}"), params.to_string())
            .await;
        let value = serde_json::from_slice(&body).unwrap();
        assert_eq!(status, 200, "{method}: {value}");
        value
    }
}

/// A record with variations: so many lines of so many moves each, a pass every other move.
fn record(lines: usize, moves: usize) -> String {
    let line = "(;B[dd];W[]".to_owned() + &";B[];W[]".repeat(moves / 2 - 1) + ")";
    format!("(;GM[1]SZ[9]{})", line.repeat(lines))
}

#[tokio::test(flavor = "multi_thread")]
async fn large_records_are_read_written_and_sent_while_others_go_on() {
    let folder = Folder::new();
    let settings = ServerSettings {
        data: Some(folder.path().to_owned()),
        ..settings()
    };
    let server = Bare::start(&settings);
    let (lines, moves) = (100, 600);
    let opened = server
        .call("games.open", &json!({ "text": record(lines, moves) }))
        .await;
    let game = &opened["games"][0]["id"];
    let sheet = server.call("game.get", &json!({ "game": game })).await;
    assert_eq!(
        sheet["tree"]["moves"].as_array().unwrap().len(),
        lines * moves + 1
    );
    server.call("watch", &json!({ "game": game })).await;
    server
        .call("game.view", &json!({ "game": game, "node": 500 }))
        .await;
    server.call("game.record", &json!({ "game": game })).await;
    server
        .call("game.picture", &json!({ "game": game, "node": 500 }))
        .await;
    let id = game.as_str().unwrap();
    assert_eq!(
        server
            .send(&format!("GET /games/{id}.sgf"), String::new())
            .await
            .0,
        200
    );
    assert_eq!(
        server
            .send(&format!("GET /games/{id}.svg"), String::new())
            .await
            .0,
        200
    );
    let edit = json!({ "game": game, "node": 0, "edits": [{ "do": "comment", "text": "x" }] });
    server.call("game.edit", &edit).await;
    // Each change begins while the one before is being saved.
    let of_game = json!({ "game": game });
    for (node, name) in [(1, "E5"), (1, "F5"), (600, "G5")] {
        let play = json!({ "game": game, "node": node, "move": name });
        server.call("game.play", &play).await;
    }
    for method in ["edit.undo", "edit.redo", "edit.undo", "edit.undo"] {
        server.call(method, &of_game).await;
    }
    let from = json!({ "game": game, "node": 600 });
    server.call("game.continue", &from).await;
    let play = json!({ "game": game, "node": 600, "move": "C3" });
    server.call("game.play", &play).await;
    for method in ["game.undo", "game.resign", "game.review", "review.get"] {
        server.call(method, &of_game).await;
    }
    server.call("games.list", &json!({})).await;
    // One line of the record is played for a move. All of it was read, copied, changed, written and sent, many times.
    let longest = server.0.longest_wait();
    assert!(
        longest <= 4 * moves as u64,
        "{longest} nodes of {}",
        lines * moves
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_too_large_is_refused_before_it_is_read() {
    let server = Bare::start(&settings());
    let deep = record(1, 40_000);
    let many = "(;GM[1]SZ[9])".repeat(101);
    for (text, what) in [(deep, "nodes_in_a_row"), (many, "games_of_a_file")] {
        let body = json!({ "text": text }).to_string();
        let (status, answer) = server.send("POST /api/games.open", body).await;
        let answer: Value = serde_json::from_slice(&answer).unwrap();
        assert_eq!(
            (status.as_u16(), &answer["data"]["what"]),
            (429, &json!(what))
        );
    }
    assert!(server.0.longest_wait() <= 1);
}
