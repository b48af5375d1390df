//! Disks that are full, or fail otherwise.

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use tengen_files::Faulty;
use tengen_server::{Limits, Log, ServerSettings};

use crate::folder::Folder;
use crate::http::post;
use crate::paper::Paper;
use crate::running::{Live, Running, engine, person, settings};

fn keeping(folder: &Folder, files: &Faulty) -> ServerSettings {
    ServerSettings {
        data: Some(folder.path().to_owned()),
        files: Arc::new(files.clone()),
        limits: Limits {
            saving: Duration::from_millis(50),
            ..Limits::default()
        },
        ..settings()
    }
}

/// How many moves of a game a server finds that begins with this folder.
async fn moves(folder: &Folder, game: &Value) -> Option<u64> {
    let server = Running::start(&keeping(folder, &Faulty::sound())).await;
    let list = server.viewer().await.call("games.list", json!({})).await;
    server.stop().await;
    let games = list["games"].as_array().unwrap();
    let found = games.iter().find(|found| found["id"] == *game)?;
    found["moves"].as_u64()
}

async fn play(viewer: &mut Live, game: &Value, node: usize, at: &str) -> Result<Value, Value> {
    let params = json!({ "game": game, "node": node, "move": at });
    viewer.try_call("game.play", params).await
}

/// The head of a game once it is saved, or not.
async fn heard(viewer: &mut Live, game: &Value, unsaved: bool) -> Value {
    loop {
        let sheet = viewer.call("game.get", json!({ "game": game })).await;
        if (sheet["unsaved"] == true) == unsaved {
            return sheet;
        }
        viewer.event("game").await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_failure_at_any_call_loses_no_move_that_was_acknowledged() {
    // The calls of a server that saves a game and a move.
    let folder = Folder::new();
    let sound = Faulty::sound();
    let server = Running::start(&keeping(&folder, &sound)).await;
    let mut viewer = server.viewer().await;
    let before = sound.calls();
    let game = viewer.new_game(5, person(), person()).await["id"].clone();
    play(&mut viewer, &game, 0, "C3").await.unwrap();
    let calls = sound.calls();
    server.stop().await;
    for call in before + 1..=calls {
        let folder = Folder::new();
        let faulty = Faulty::failing_at(call);
        let mut settings = keeping(&folder, &faulty);
        // As on a machine that is so busy that the first attempt takes longer than anybody is to wait.
        settings.limits.saving = Duration::ZERO;
        let server = Running::start(&settings).await;
        let mut viewer = server.viewer().await;
        let game = viewer.new_game(5, person(), person()).await["id"].clone();
        assert_eq!(moves(&folder.copied(), &game).await, Some(0), "call {call}");
        play(&mut viewer, &game, 0, "C3").await.unwrap();
        // It failed once, and was tried again before anybody was answered.
        assert_eq!(moves(&folder.copied(), &game).await, Some(1), "call {call}");
        server.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn who_plays_on_a_full_disk_is_told_and_goes_on_when_there_is_space() {
    let folder = Folder::new();
    let files = Faulty::sound();
    let server = Running::start(&keeping(&folder, &files)).await;
    let mut viewer = server.viewer().await;
    let clock = json!({ "main_seconds": 3600 });
    let params = json!({
        "width": 5, "height": 5, "rules": "tromp-taylor", "clock": clock,
        "black": person(), "white": person(),
    });
    let game = viewer.call("games.new", params).await["id"].clone();
    viewer.call("watch", json!({ "game": game })).await;
    play(&mut viewer, &game, 0, "C3").await.unwrap();
    files.break_down();
    let refused = play(&mut viewer, &game, 1, "D4").await.unwrap_err();
    assert_eq!(refused["code"], "not_saved");
    let said = refused["message"].as_str().unwrap();
    assert!(said.contains("the disk is full"), "{said}");
    assert_eq!(moves(&folder.copied(), &game).await, Some(1));
    // The banner of the page: it stays, whoever looks.
    let sheet = heard(&mut viewer, &game, true).await;
    assert_eq!(
        (&sheet["trouble"], &sheet["live"]),
        (&refused["message"], &json!(2))
    );
    assert_eq!(sheet["clock"]["black"]["running"], false);
    assert_eq!(sheet["clock"]["white"]["running"], false);
    let refused = play(&mut viewer, &game, 2, "B2").await.unwrap_err();
    assert_eq!(refused["code"], "not_saved");
    let body = json!({ "game": game, "node": 2, "move": "B2" });
    let answer = post(server.address, "game.play", &body).await;
    assert_eq!(answer.status, 507);
    // Others are told as well, and nothing is begun that could not be kept.
    let mut other = server.viewer().await;
    let sheet = other.call("watch", json!({ "game": game })).await;
    assert_eq!(sheet["unsaved"], true);
    let params = json!({
        "width": 5, "height": 5, "rules": "tromp-taylor", "black": person(), "white": person(),
    });
    let refused = other.try_call("games.new", params).await.unwrap_err();
    assert_eq!(refused["code"], "not_saved");
    files.mend();
    let sheet = heard(&mut viewer, &game, false).await;
    assert_eq!(sheet["trouble"], Value::Null);
    assert_eq!(sheet["clock"]["black"]["running"], true);
    assert_eq!(moves(&folder.copied(), &game).await, Some(2));
    play(&mut viewer, &game, 2, "B2").await.unwrap();
    server.stop().await;
    assert_eq!(moves(&folder, &game).await, Some(3));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_engine_waits_for_the_disk() {
    let folder = Folder::new();
    let files = Faulty::sound();
    let server = Running::start(&keeping(&folder, &files)).await;
    let mut viewer = server.viewer().await;
    let game = viewer.new_game(5, person(), engine(1)).await["id"].clone();
    viewer.call("watch", json!({ "game": game })).await;
    files.break_down();
    assert!(play(&mut viewer, &game, 0, "C3").await.is_err());
    heard(&mut viewer, &game, true).await;
    files.mend();
    loop {
        let sheet = viewer.call("game.get", json!({ "game": game })).await;
        if sheet["live"] == 2 {
            break;
        }
        viewer.event("game").await;
    }
    server.stop().await;
    assert_eq!(moves(&folder, &game).await, Some(2));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_graceful_stop_writes_what_could_not_be_written() {
    for has_space in [true, false] {
        let folder = Folder::new();
        let files = Faulty::sound();
        let paper = Paper::default();
        let settings = ServerSettings {
            log: Log::to(paper.clone()),
            ..keeping(&folder, &files)
        };
        let server = Running::start(&settings).await;
        let mut viewer = server.viewer().await;
        let game = viewer.new_game(5, person(), person()).await["id"].clone();
        files.break_down();
        assert!(play(&mut viewer, &game, 0, "C3").await.is_err());
        if has_space {
            files.mend();
        }
        server.stop().await;
        let expected = if has_space { 1 } else { 0 };
        assert_eq!(moves(&folder, &game).await, Some(expected));
        let said = paper.text();
        assert_eq!(said.contains("are lost"), !has_space, "{said}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_that_cannot_be_deleted_is_said_to_be_there() {
    let folder = Folder::new();
    let files = Faulty::sound();
    let server = Running::start(&keeping(&folder, &files)).await;
    let mut viewer = server.viewer().await;
    let game = viewer.new_game(5, person(), person()).await["id"].clone();
    files.break_down();
    let refused = viewer
        .try_call("games.delete", json!({ "game": game }))
        .await;
    assert_eq!(refused.unwrap_err()["code"], "not_saved");
    files.mend();
    server.stop().await;
    assert_eq!(moves(&folder, &game).await, None);
}
