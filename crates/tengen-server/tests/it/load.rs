//! Many viewers at once. `cargo run --release -p tengen-server --example load` does the same for longer.

use serde_json::json;
use tengen_server::ServerSettings;

use crate::running::{Live, Running, person, settings};

const VIEWERS: usize = 200;

#[tokio::test(flavor = "multi_thread")]
async fn two_hundred_viewers_all_get_updates() {
    let settings = ServerSettings {
        threads: 2,
        memory: 256 << 20,
        ..settings()
    };
    let server = Running::start(&settings).await;
    let mut viewers = Vec::new();
    for _ in 0..VIEWERS {
        viewers.push(server.viewer().await);
    }
    let mut tasks = Vec::new();
    for mut viewer in viewers {
        tasks.push(tokio::spawn(async move {
            let game = viewer.new_game(9, person(), person()).await;
            watch(&mut viewer, &game["id"]).await
        }));
    }
    for task in tasks {
        let visits = task.await.unwrap();
        assert!(visits[0] > 0 && visits[1] > 0, "{visits:?}");
    }
    server.stop().await;
}

/// Analyses until the second update, and says how far both were.
async fn watch(viewer: &mut Live, game: &serde_json::Value) -> [u64; 2] {
    viewer
        .call(
            "analysis.watch",
            json!({ "game": game, "node": 0, "max_visits": 1_000_000 }),
        )
        .await;
    let mut visits = [0; 2];
    for count in &mut visits {
        *count = viewer.event("analysis").await["visits"].as_u64().unwrap();
    }
    visits
}
