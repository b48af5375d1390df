//! Servers that end, and go on.

use std::fs;

use serde_json::json;
use tengen_server::{Log, ServerSettings};
#[cfg(unix)]
use tengen_server::{Server, StartError, StoreError};

use crate::folder::Folder;
use crate::paper::Paper;
use crate::running::{Running, engine, person, settings};

fn keeping(folder: &Folder) -> ServerSettings {
    ServerSettings {
        data: Some(folder.path().to_owned()),
        ..settings()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_crash_loses_no_move() {
    let folder = Folder::new();
    let server = Running::start(&keeping(&folder)).await;
    let mut viewer = server.viewer().await;
    let game = viewer.new_game(5, person(), person()).await;
    let id = &game["id"];
    let mut crashes = Vec::new();
    for (node, action) in ["C3", "B2", "D4", "pass", "A1"].into_iter().enumerate() {
        viewer
            .call(
                "game.play",
                json!({ "game": id, "node": node, "move": action }),
            )
            .await;
        // What is answered is on disk.
        crashes.push(folder.copied());
    }
    for (crash, moves) in crashes.iter().zip(1..) {
        let server = Running::start(&keeping(crash)).await;
        let mut viewer = server.viewer().await;
        let list = viewer.call("games.list", json!({})).await;
        assert_eq!(
            (&list["games"][0]["id"], &list["games"][0]["moves"]),
            (id, &json!(moves))
        );
        let sheet = viewer.call("game.get", json!({ "game": id })).await;
        assert_eq!(
            (&sheet["phase"], &sheet["live"]),
            (&json!("playing"), &json!(moves))
        );
        server.stop().await;
    }
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_engine_goes_on_where_it_was() {
    let folder = Folder::new();
    let server = Running::start(&keeping(&folder)).await;
    let mut viewer = server.viewer().await;
    let game = viewer.new_game(5, person(), engine(20)).await;
    let id = game["id"].clone();
    viewer
        .call("game.play", json!({ "game": id, "node": 0, "move": "C3" }))
        .await;
    server.stop().await;
    assert!(
        viewer
            .hear()
            .await
            .is_none_or(|event| event["event"] == "game")
    );
    let server = Running::start(&keeping(&folder)).await;
    let mut viewer = server.viewer().await;
    let mut sheet = viewer.call("watch", json!({ "game": id })).await;
    while sheet["live"] == 1 {
        viewer.event("game").await;
        sheet = viewer.call("game.get", json!({ "game": id })).await;
    }
    assert_eq!(sheet["live"], 2);
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn damaged_files_are_set_aside_and_told_of() {
    let folder = Folder::new();
    let server = Running::start(&keeping(&folder)).await;
    let mut viewer = server.viewer().await;
    let good = viewer.new_game(5, person(), person()).await;
    server.stop().await;
    let games = folder.path().join("games");
    fs::write(games.join("empty.sgf"), "").unwrap();
    fs::write(games.join("noise.sgf"), [0xff, 0xfe, 0x00, 0x9c]).unwrap();
    fs::write(games.join("UPPER case.sgf"), "(;GM[1]SZ[5])").unwrap();
    fs::write(games.join("half.part"), "(;GM[1]SZ[5]").unwrap();
    let paper = Paper::default();
    let settings = ServerSettings {
        log: Log::to(paper.clone()),
        ..keeping(&folder)
    };
    let server = Running::start(&settings).await;
    let mut viewer = server.viewer().await;
    let list = viewer.call("games.list", json!({})).await;
    let games = list["games"].as_array().unwrap();
    assert_eq!((games.len(), &games[0]["id"]), (1, &good["id"]));
    assert_eq!(
        fs::read(folder.path().join("damaged/noise.sgf")).unwrap(),
        [0xff, 0xfe, 0x00, 0x9c]
    );
    assert!(folder.path().join("damaged/UPPER case.sgf").exists());
    let said = paper.text();
    assert!(
        said.contains("noise cannot be read") && said.contains("damaged"),
        "{said}"
    );
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn deleted_games_stay_away() {
    let folder = Folder::new();
    let server = Running::start(&keeping(&folder)).await;
    let mut viewer = server.viewer().await;
    let game = viewer.new_game(5, person(), person()).await;
    let other = viewer.new_game(7, person(), person()).await;
    viewer
        .call("games.delete", json!({ "game": game["id"] }))
        .await;
    server.stop().await;
    let server = Running::start(&keeping(&folder)).await;
    let list = server.viewer().await.call("games.list", json!({})).await;
    assert_eq!(list["games"].as_array().unwrap().len(), 1);
    assert_eq!(list["games"][0]["id"], other["id"]);
    server.stop().await;
}

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread")]
async fn two_servers_do_not_share_a_folder() {
    let folder = Folder::new();
    let server = Running::start(&keeping(&folder)).await;
    let second = Server::new(&keeping(&folder), server.address);
    let Err(StartError::Store(StoreError::Used(_, Some(address)))) = second else {
        panic!("the folder is in use");
    };
    assert_eq!(address, format!("http://{}/", server.address));
    server.stop().await;
    assert!(Server::new(&keeping(&folder), "127.0.0.1:1".parse().unwrap()).is_ok());
}
