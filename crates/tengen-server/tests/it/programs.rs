//! Other programs at the board.
#![cfg(unix)]

use serde_json::{Value, json};
use tengen_server::{Program, ServerSettings};

use crate::running::{Live, Running, person, settings};

/// A program that passes on its second move, or does what it is told.
fn program(name: &str, genmove: &str) -> Program {
    let script = format!(
        "n=0; while read -r command rest; do case $command in \
         list_commands) printf '= list_commands\\nplay\\ngenmove\\n\\n';; \
         genmove) n=$((n+1)); {genmove};; \
         quit) printf '=\\n\\n'; exit;; \
         *) printf '=\\n\\n';; esac; done"
    );
    Program {
        name: name.to_owned(),
        command: format!(
            "sh -c \"{}\"",
            script.replace('\\', "\\\\").replace('"', "\\\"")
        )
        .parse()
        .unwrap(),
    }
}

fn with_programs() -> ServerSettings {
    ServerSettings {
        programs: vec![
            program(
                "Honest",
                "if [ $n -eq 1 ]; then printf '= c3\\n\\n'; else printf '= PASS\\n\\n'; fi",
            ),
            program("Quitter", "printf '= resign\\n\\n'"),
            program("Cheat", "printf '= Z99\\n\\n'"),
            program("Crash", "exit 3"),
            program("Thinker", "sleep 1000"),
        ],
        ..settings()
    }
}

async fn game_with(viewer: &mut Live, name: &str) -> Value {
    let program = json!({ "kind": "program", "name": name });
    let game = viewer.new_game(5, program, person()).await;
    viewer.call("watch", json!({ "game": game["id"] })).await;
    game["id"].clone()
}

/// The sheet when nobody thinks any more.
async fn settled(viewer: &mut Live, game: &Value) -> Value {
    loop {
        let sheet = viewer.call("game.get", json!({ "game": game })).await;
        if sheet["thinking"] == false {
            return sheet;
        }
        viewer.event("game").await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_program_plays() {
    let server = Running::start(&with_programs()).await;
    let mut viewer = server.viewer().await;
    let about = viewer.call("about", json!({})).await;
    assert_eq!(about["programs"][0], "Honest");
    let game = game_with(&mut viewer, "Honest").await;
    let sheet = settled(&mut viewer, &game).await;
    assert_eq!(sheet["tree"]["moves"][1], "B C3");
    viewer
        .call(
            "game.play",
            json!({ "game": game, "node": 1, "move": "B2" }),
        )
        .await;
    let sheet = settled(&mut viewer, &game).await;
    assert_eq!(sheet["tree"]["moves"][3], "B pass");
    let game = game_with(&mut viewer, "Quitter").await;
    let sheet = settled(&mut viewer, &game).await;
    assert_eq!(
        (&sheet["phase"], &sheet["result"]["text"]),
        (&json!("finished"), &json!("W+R"))
    );
    let unknown = json!({ "kind": "program", "name": "rm -rf" });
    let params =
        json!({ "width": 5, "height": 5, "rules": "chinese", "black": unknown, "white": person() });
    let error = viewer.try_call("games.new", params).await.unwrap_err();
    assert_eq!(error["code"], "invalid_params");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_program_that_fails_stops_its_game_alone() {
    let server = Running::start(&with_programs()).await;
    let mut viewer = server.viewer().await;
    for (name, trouble) in [("Cheat", "Z99"), ("Crash", "ended")] {
        let game = game_with(&mut viewer, name).await;
        let sheet = settled(&mut viewer, &game).await;
        assert_eq!(
            (&sheet["phase"], &sheet["paused"]),
            (&json!("playing"), &json!(true))
        );
        let said = sheet["trouble"].as_str().unwrap();
        assert!(said.contains(name) && said.contains(trouble), "{said}");
    }
    // One that thinks for ever is interrupted with its game, and by the end of the server.
    let game = game_with(&mut viewer, "Thinker").await;
    viewer.call("games.delete", json!({ "game": game })).await;
    game_with(&mut viewer, "Thinker").await;
    server.stop().await;
}
