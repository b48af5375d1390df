//! Networks that people bring.

use std::fs;
use std::sync::Arc;

use serde_json::{Value, json};
use tengen_files::Faulty;
use tengen_search::Judge;
use tengen_server::{ServerSettings, Token};

use crate::folder::Folder;
use crate::http::request;
use crate::running::{Live, Running, settings};

/// Whatever begins like this is a network here.
const START: &[u8] = b"network ";

/// As many bytes as it has are its weights.
fn read(bytes: &[u8], most_weights: usize) -> Result<Judge, String> {
    if bytes.len() > most_weights {
        return Err(format!("it has more than {most_weights} weights"));
    }
    let name = bytes
        .strip_prefix(START)
        .ok_or("it does not begin like one")?;
    let name = String::from_utf8_lossy(name).into_owned();
    Ok(Judge::new(&name, |options| {
        Judge::default().evaluator(options)
    }))
}

fn with_networks(folder: &Folder) -> ServerSettings {
    ServerSettings {
        data: Some(folder.path().to_owned()),
        networks: Some(read),
        ..settings()
    }
}

async fn bring(server: &Running, name: &str, bytes: &[u8]) -> (u16, Value) {
    let answer = request(server.address, &format!("PUT /networks/{name}"), &[], bytes).await;
    (answer.status, answer.json())
}

async fn network(viewer: &mut Live) -> Value {
    let about = viewer.call("about", json!({})).await;
    about["engine"]["network"].clone()
}

#[tokio::test]
async fn a_network_is_kept_chosen_and_still_chosen_after_a_restart() {
    let folder = Folder::new();
    let server = Running::start(&with_networks(&folder)).await;
    let mut viewer = server.viewer().await;
    assert_eq!(network(&mut viewer).await, Value::Null);
    let (status, list) = bring(&server, "one.bin.gz", b"network One").await;
    assert_eq!(status, 200);
    let one = json!({"name": "one.bin.gz", "about": "One", "bytes": 11, "chosen": true});
    assert_eq!(list["networks"], json!([one]));
    assert_eq!(network(&mut viewer).await, "One");
    bring(&server, "two.bin.gz", b"network Two").await;
    assert_eq!(network(&mut viewer).await, "Two");
    viewer
        .call("networks.choose", json!({"name": "one.bin.gz"}))
        .await;
    server.stop().await;

    let server = Running::start(&with_networks(&folder)).await;
    let mut viewer = server.viewer().await;
    assert_eq!(network(&mut viewer).await, "One");
    let list = viewer.call("networks.choose", json!({})).await;
    assert!(list["networks"][0]["chosen"] == false && list["networks"][1]["chosen"] == false);
    assert_eq!(network(&mut viewer).await, Value::Null);
    viewer
        .call("networks.choose", json!({"name": "two.bin.gz"}))
        .await;
    let list = viewer
        .call("networks.delete", json!({"name": "two.bin.gz"}))
        .await;
    assert_eq!(list["networks"].as_array().unwrap().len(), 1);
    assert_eq!(network(&mut viewer).await, Value::Null);
    server.stop().await;
}

#[tokio::test]
async fn what_is_no_network_and_what_leads_elsewhere_is_refused() {
    let folder = Folder::new();
    let server = Running::start(&with_networks(&folder)).await;
    let (status, error) = bring(&server, "wrong.bin.gz", b"something else").await;
    assert_eq!(
        (status, &error["code"], &error["message"]),
        (
            422,
            &json!("unreadable"),
            &json!("it does not begin like one")
        )
    );
    for name in [
        "..%2Fgames%2Fx.gz",
        ".hidden.gz",
        "x.exe",
        "a%5Cb.gz",
        "chosen",
    ] {
        let (status, error) = bring(&server, name, b"network X").await;
        assert_eq!(
            (status, &error["code"]),
            (400, &json!("invalid_params")),
            "{name}"
        );
    }
    let most_weights = settings().memory / 12;
    let heavy = [START, &vec![b'x'; most_weights]].concat();
    let (status, error) = bring(&server, "heavy.gz", &heavy).await;
    assert_eq!((status, &error["code"]), (422, &json!("unreadable")));
    let memory = settings().memory / 4;
    let (status, _) = bring(&server, "large.gz", &vec![b'x'; memory + 1]).await;
    assert_eq!(status, 413);
    assert_eq!(
        fs::read_dir(folder.path().join("networks"))
            .unwrap()
            .count(),
        0
    );
    server.stop().await;
}

#[tokio::test]
async fn no_more_are_kept_than_there_is_room_for() {
    let folder = Folder::new();
    let server = Running::start(&with_networks(&folder)).await;
    let kept = folder.path().join("networks");
    for number in 0..16 {
        let (status, _) = bring(&server, &format!("{number}.gz"), b"network Some").await;
        assert_eq!(status, 200);
    }
    let (status, error) = bring(&server, "more.gz", b"network More").await;
    assert_eq!((status, &error["code"]), (429, &json!("limit")));
    assert_eq!(error["data"]["what"], "networks");
    // One with the same name takes the place of the other.
    let (status, list) = bring(&server, "3.gz", b"network Another").await;
    assert_eq!((status, &list["networks"][9]["bytes"]), (200, &json!(15)));
    let mut viewer = server.viewer().await;
    assert_eq!(network(&mut viewer).await, "Another");
    for number in 4..16 {
        let name = json!({"name": format!("{number}.gz")});
        viewer.call("networks.delete", name).await;
    }
    // All together have a limit too, and files take no space on the disk until something is written to them.
    let large = fs::File::create(kept.join("large.gz")).unwrap();
    large.set_len(2_000_000_000).unwrap();
    let (status, error) = bring(&server, "more.gz", b"network More").await;
    assert_eq!((status, &error["code"]), (429, &json!("limit")));
    assert_eq!(error["data"]["what"], "bytes_of_networks");
    viewer
        .call("networks.delete", json!({"name": "large.gz"}))
        .await;
    assert_eq!(bring(&server, "more.gz", b"network More").await.0, 200);
    assert!(!kept.join("large.gz").exists());
    server.stop().await;
}

#[tokio::test]
async fn a_disk_that_fails_leaves_the_network_before() {
    let folder = Folder::new();
    let files = Faulty::sound();
    let settings = ServerSettings {
        files: Arc::new(files.clone()),
        ..with_networks(&folder)
    };
    let server = Running::start(&settings).await;
    bring(&server, "one.gz", b"network One").await;
    files.break_down();
    let (status, error) = bring(&server, "one.gz", b"network Two").await;
    assert_eq!((status, &error["code"]), (507, &json!("not_saved")));
    files.mend();
    let mut viewer = server.viewer().await;
    assert_eq!(network(&mut viewer).await, "One");
    let kept = fs::read(folder.path().join("networks").join("one.gz")).unwrap();
    assert_eq!(kept, b"network One");
    server.stop().await;
}

#[tokio::test]
async fn a_network_that_was_damaged_meanwhile_is_not_chosen() {
    let folder = Folder::new();
    let server = Running::start(&with_networks(&folder)).await;
    bring(&server, "one.gz", b"network One").await;
    server.stop().await;
    fs::write(folder.path().join("networks").join("one.gz"), b"rubbish").unwrap();
    let server = Running::start(&with_networks(&folder)).await;
    let mut viewer = server.viewer().await;
    assert_eq!(network(&mut viewer).await, Value::Null);
    let list = viewer.call("networks.list", json!({})).await;
    assert_eq!(list["networks"][0]["chosen"], false);
    server.stop().await;
}

#[tokio::test]
async fn nobody_brings_networks_who_may_not() {
    let folder = Folder::new();
    let server = Running::start(&ServerSettings {
        networks: None,
        ..with_networks(&folder)
    })
    .await;
    let mut viewer = server.viewer().await;
    let about = viewer.call("about", json!({})).await;
    assert_eq!(about["features"]["networks"], false);
    assert_eq!(bring(&server, "one.gz", b"network One").await.0, 404);
    server.stop().await;

    let token = |text: &str| Some(text.parse::<Token>().unwrap());
    let server = Running::start(&ServerSettings {
        token: token("abcdefgh-12345678"),
        spectators: token("hgfedcba-87654321"),
        ..with_networks(&folder)
    })
    .await;
    let headers = ["Authorization: Bearer hgfedcba-87654321"];
    let line = "PUT /networks/one.gz";
    let answer = request(server.address, line, &headers, b"network One").await;
    assert_eq!(answer.status, 403);
    assert_eq!(answer.json()["code"], "read_only");
    server.stop().await;
}
