//! Clocks of games, and those of machines.

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use tengen_server::{ManualTime, ServerSettings};

use crate::running::{Live, Running, engine, person, settings};

const DAY: u64 = 24 * 3600 * 1000;

/// Somewhere in 2026.
const DATE: u64 = 56 * 365 * DAY;

async fn start(time: &Arc<ManualTime>) -> (Running, Live) {
    let settings = ServerSettings {
        time: time.clone(),
        ..settings()
    };
    let server = Running::start(&settings).await;
    let viewer = server.viewer().await;
    (server, viewer)
}

async fn timed(viewer: &mut Live, white: Value) -> Value {
    let params = json!({
        "width": 5, "height": 5, "rules": "tromp-taylor",
        "black": person(), "white": white, "clock": { "main_seconds": 60 },
    });
    let sheet = viewer.call("games.new", params).await;
    viewer.call("watch", json!({ "game": sheet["id"] })).await;
    sheet["id"].clone()
}

async fn sheet(viewer: &mut Live, game: &Value) -> Value {
    viewer.call("game.get", json!({ "game": game })).await
}

#[tokio::test(flavor = "multi_thread")]
async fn clocks_of_games_do_not_follow_the_calendar() {
    let time = Arc::new(ManualTime::at(DATE));
    let (server, mut viewer) = start(&time).await;
    let game = timed(&mut viewer, person()).await;
    time.go_on(Duration::from_secs(10));
    assert_eq!(
        sheet(&mut viewer, &game).await["clock"]["black"]["seconds"],
        50.0
    );
    for date in [DATE + DAY, DATE - DAY] {
        time.set_date(date);
        let sheet = sheet(&mut viewer, &game).await;
        assert_eq!(sheet["phase"], "playing");
        assert_eq!(sheet["clock"]["black"]["seconds"], 50.0, "at {date}");
    }
    // What happens now has today's date, and the clock has gone on.
    time.go_on(Duration::from_secs(20));
    let play = json!({ "game": game, "node": 0, "move": "C3" });
    viewer.call("game.play", play).await;
    let now = sheet(&mut viewer, &game).await;
    assert_eq!(now["updated"], DATE - DAY + 20_000);
    assert_eq!(now["clock"]["black"]["seconds"], 30.0);
    // A clock that stood still would never fall.
    time.go_on(Duration::from_secs(60));
    assert_eq!(sheet(&mut viewer, &game).await["result"]["reason"], "time");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_against_an_engine_waits_for_who_has_gone() {
    let time = Arc::new(ManualTime::at(DATE));
    let (server, mut viewer) = start(&time).await;
    let about = viewer.call("about", json!({})).await;
    let grace = about["limits"]["seconds_of_absence"].as_u64().unwrap();
    let alone = timed(&mut viewer, engine(1)).await;
    let people = timed(&mut viewer, person()).await;
    let mut other = server.viewer().await;
    drop(viewer);
    // The server notices at its own pace that the connection is gone.
    let gone = async |time: &ManualTime, other: &mut Live| {
        for _ in 0..600 {
            let sheet = sheet(other, &alone).await;
            if sheet["paused"] == true {
                return sheet;
            }
            time.go_on(Duration::from_millis(100));
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        panic!("the game waits");
    };
    let paused = gone(&time, &mut other).await;
    assert_eq!(
        (&paused["phase"], &paused["away"]),
        (&json!("playing"), &json!(true))
    );
    let left = paused["clock"]["black"]["seconds"].as_f64().unwrap();
    assert!(left > 0.0 && left <= 60.0 - grace as f64, "{left}");
    assert_eq!(paused["clock"]["black"]["running"], false);
    // Two people may be in one room without the app.
    assert_eq!(sheet(&mut other, &people).await["paused"], false);
    // Who comes back goes on with what is left.
    other.call("watch", json!({ "game": alone })).await;
    time.go_on(Duration::from_secs(3600));
    let resumed = other.call("game.resume", json!({ "game": alone })).await;
    assert_eq!(
        (&resumed["paused"], &resumed["away"]),
        (&json!(false), &Value::Null)
    );
    assert_eq!(resumed["clock"]["black"]["seconds"], left);
    server.stop().await;
}
