//! Training runs to look at.

use std::fs::{self, OpenOptions};
use std::io::Write;

use serde_json::json;
use tengen_core::{Color, Rules, Size};
use tengen_server::{ServerSettings, is_run};
use tengen_train::{End, GameRecord, Window, WindowOptions};

use crate::folder::Folder;
use crate::running::{Running, settings};

/// A short game on a small board.
fn record(seed: u64) -> GameRecord {
    let size = Size::square(3).unwrap();
    GameRecord {
        size,
        rules: Rules::default(),
        moves: vec![4, 1, 9, 9],
        targets: Vec::new(),
        ownership: vec![1; 9],
        lead_halves: 3,
        winner: Some(Color::Black),
        end: End::Passes,
        hopeless: None,
        seed,
        network: 7,
    }
}

fn line(generation: u64, versus: &str) -> String {
    format!(
        r#"{{"generation":{generation},"steps":{},"games":{},"positions":100,"window":100,
        "play_seconds":3600.0,"learn_seconds":1800.0,"measure_seconds":0.0,
        "losses":{{"examples":1.0,"policies":1.0,"policy":0.5,"value":0.4,"lead":0.3,"ownership":0.2}},
        "played":{{"games":10,"moves":300,"black_wins":6,"draws":1,"too_long":0,
        "resignations_checked":0,"resignations_wrong":0}},
        "versus":[{versus}],"fair_komi":[{{"size":"9x9","komi":7}}]}}"#,
        generation * 10 + 10,
        generation * 100 + 100,
    )
    .replace('\n', " ")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_shows_its_curves_and_games() {
    let folder = Folder::new();
    let run = folder.path().join("small");
    fs::create_dir_all(&run).unwrap();
    let against = |name: &str, wins| {
        format!(
            r#"{{"name":"{name}","tally":{{"wins":{wins},"draws":0,"losses":{}}}}}"#,
            10 - wins
        )
    };
    let first = line(0, &against("rollouts 100", 2));
    let second = line(
        1,
        &format!("{},{}", against("rollouts 100", 5), against("000000", 8)),
    );
    // A run that goes on has a last line that is not finished.
    fs::write(
        run.join("log.jsonl"),
        format!("{first}\n{second}\n{{\"generation\":2,"),
    )
    .unwrap();
    let games = run.join("games");
    let (mut window, _) = Window::open(&games, WindowOptions::default()).unwrap();
    for generation in 0..2 {
        let records = (0..3).map(|game| record(generation * 3 + game));
        window.append(records.collect()).unwrap();
    }
    // A damaged file still has the games before the fault.
    let damaged = games.join("games-00000001.tgr");
    let mut file = OpenOptions::new().append(true).open(damaged).unwrap();
    file.write_all(b"half a rec").unwrap();
    assert!(is_run(&run) && !is_run(folder.path()));
    let settings = ServerSettings {
        runs: vec![run],
        ..settings()
    };
    let server = Running::start(&settings).await;
    let mut viewer = server.viewer().await;
    let list = viewer.call("runs.list", json!({})).await;
    assert_eq!(
        list["runs"],
        json!([{ "run": "small", "generations": 2, "games": 200, "positions": 100, "hours": 3.0 }])
    );
    let curves = viewer.call("runs.get", json!({ "run": "small" })).await;
    assert_eq!(
        (&curves["generations"], &curves["hours"]),
        (&json!([0, 1]), &json!([1.5, 3.0]))
    );
    assert_eq!(curves["curves"]["policy"], json!([0.5, 0.5]));
    assert_eq!(curves["curves"]["black_wins"], json!([0.65, 0.65]));
    assert_eq!(curves["curves"]["resignations_wrong"], json!([null, null]));
    assert_eq!(curves["versus"][0]["points"][1]["share"], 0.5);
    assert_eq!(curves["versus"].as_array().unwrap().len(), 1);
    assert_eq!(curves["fair_komi"][0]["points"][0]["komi"], 7);
    assert_eq!(curves["elo"][0]["elo"], 0.0);
    assert!(curves["elo"][1]["elo"].as_f64().unwrap() > 50.0, "{curves}");
    let games = viewer.call("runs.games", json!({ "run": "small" })).await;
    assert_eq!(
        (&games["generation"], &games["total"]),
        (&json!(1), &json!(3))
    );
    assert_eq!(
        (&games["games"][2]["moves"], &games["games"][2]["result"]),
        (&json!(4), &json!("B+1.5"))
    );
    let opened = viewer
        .call(
            "runs.open",
            json!({ "run": "small", "generation": 1, "index": 2 }),
        )
        .await;
    let sheet = viewer
        .call("game.get", json!({ "game": opened["games"][0]["id"] }))
        .await;
    assert_eq!(
        (&sheet["phase"], &sheet["tree"]["moves"][1]),
        (&json!("review"), &json!("B B2"))
    );
    for (method, params) in [
        ("runs.get", json!({ "run": "other" })),
        ("runs.get", json!({})),
        ("runs.games", json!({ "run": "small", "generation": 2 })),
        (
            "runs.open",
            json!({ "run": "small", "generation": 1, "index": 3 }),
        ),
        (
            "runs.open",
            json!({ "run": "../small", "generation": 1, "index": 0 }),
        ),
    ] {
        let error = viewer.try_call(method, params).await.unwrap_err();
        assert_eq!(error["code"], "invalid_params", "{error}");
    }
    assert_eq!(
        viewer.try_call("runs.more", json!({})).await.unwrap_err()["code"],
        "unknown_method"
    );
    server.stop().await;
}
