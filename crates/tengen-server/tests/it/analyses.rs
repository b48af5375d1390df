//! What the engine of a server finds out, written down for the edition of the app without one: it has to find the same
//! (`web/site/module.test.js`).

use std::fs;
use std::path::Path;
use std::sync::Arc;

use serde_json::{Value, json};
use tengen_nn::{Expert, Kernels, Net};
use tengen_search::Judge;
use tengen_server::ServerSettings;

use crate::folder::Folder;
use crate::running::{Running, settings};

const FILE: &str = "../../testdata/analyses.json";

/// The name of a game decides what its engine draws.
const GAME: &str = "same";

const MODELS: [&[u8]; 2] = [
    include_bytes!("../../../tengen-nn/models/baseline.safetensors"),
    include_bytes!("../../../tengen-nn/models/baseline-large.safetensors"),
];

/// Who judges, the board, and moves of Black and White by turns.
const CASES: [(&str, u8, &str, u32); 3] = [
    ("rollouts", 7, "dd ec cc df", 400),
    ("networks", 9, "ee gc cg cc", 200),
    ("networks", 13, "dd jj jd dj", 60),
];

/// Networks add up with the same instructions as those of WebAssembly, which fuse nothing.
fn networks() -> Judge {
    let [small, large] = MODELS.map(|bytes| {
        let net = Net::from_bytes(bytes).unwrap();
        Arc::new(net.with_kernels(Kernels::PORTABLE))
    });
    Expert::pair(&small, &large)
}

fn record(side: u8, moves: &str) -> String {
    let moves = moves.split(' ').zip(["B", "W"].into_iter().cycle());
    let moves: String = moves
        .map(|(point, color)| format!(";{color}[{point}]"))
        .collect();
    format!("(;GM[1]FF[4]SZ[{side}]KM[7]RU[Chinese]{moves})")
}

/// What a server with one thread says of the last position of a game.
async fn analysed(judge: Judge, sgf: &str, visits: u32) -> Value {
    let folder = Folder::new();
    let games = folder.path().join("games");
    fs::create_dir_all(&games).unwrap();
    fs::write(games.join(format!("{GAME}.sgf")), sgf).unwrap();
    let settings = ServerSettings {
        judge,
        data: Some(folder.path().to_owned()),
        ..settings()
    };
    let server = Running::start(&settings).await;
    let mut viewer = server.viewer().await;
    let watch = json!({ "game": GAME, "node": 4, "max_visits": visits });
    viewer.call("analysis.watch", watch).await;
    let done = loop {
        let event = viewer.event("analysis").await;
        if event["done"] == true {
            break event;
        }
    };
    server.stop().await;
    let moves = done["moves"].as_array().unwrap().iter().take(4);
    let moves: Vec<Value> = moves
        .map(|one| json!({ "move": one["move"], "visits": one["visits"], "winrate": one["winrate"] }))
        .collect();
    json!(moves)
}

#[tokio::test(flavor = "multi_thread")]
async fn analyses_are_those_that_the_site_must_find() {
    let mut cases = Vec::new();
    for (judge, side, moves, visits) in CASES {
        // Portable kernels fuse multiplication and addition there.
        if judge == "networks" && cfg!(target_arch = "aarch64") {
            continue;
        }
        let sgf = record(side, moves);
        let trusted = match judge {
            "rollouts" => Judge::default(),
            _ => networks(),
        };
        let found = analysed(trusted, &sgf, visits).await;
        cases.push(json!({ "judge": judge, "sgf": sgf, "visits": visits, "moves": found }));
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(FILE);
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        let text = serde_json::to_string_pretty(&cases).unwrap() + "\n";
        fs::write(path, text).unwrap();
        return;
    }
    let written: Vec<Value> = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    let is_here = |case: &&Value| cases.iter().any(|found| found["sgf"] == case["sgf"]);
    let written: Vec<&Value> = written.iter().filter(is_here).collect();
    assert_eq!(
        cases.iter().collect::<Vec<_>>(),
        written,
        "call `UPDATE_EXPECT=1 cargo test -p tengen-server analyses` and commit what it writes"
    );
}
