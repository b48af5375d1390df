//! Files that are packed, as public collections are.

use std::fs;
use std::io::Write;
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::{Value, json};

use crate::running::{Live, Running, settings};

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let three = |bytes: &[u8]| {
        let bits = (0..3).fold(0, |bits, place| {
            bits << 8 | u32::from(bytes.get(place).copied().unwrap_or(0))
        });
        let digits = (0..=bytes.len()).map(move |place| bits >> (18 - 6 * place) & 63);
        let text: String = digits
            .map(|digit| char::from(DIGITS[digit as usize]))
            .collect();
        text
    };
    bytes.chunks(3).map(three).collect()
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

async fn open(viewer: &mut Live, bytes: &[u8]) -> Result<Value, Value> {
    let params = json!({ "base64": base64(bytes), "name": "a file" });
    viewer.try_call("games.open", params).await
}

fn count(opened: &Value) -> usize {
    opened["games"].as_array().unwrap().len()
}

#[tokio::test(flavor = "multi_thread")]
async fn packed_files_open_as_in_the_command() {
    let server = Running::start(&settings()).await;
    let mut viewer = server.viewer().await;
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/packed");
    for name in ["game.sgf.xz", "games.zip"] {
        let bytes = fs::read(folder.join(name)).unwrap();
        let opened = open(&mut viewer, &bytes).await;
        assert!(count(&opened.unwrap()) >= 1, "{name}");
    }
    let games = gzip(b"(;GM[1]SZ[9];B[ee])(;GM[1]SZ[9];B[cc];W[gg])");
    assert_eq!(count(&open(&mut viewer, &games).await.unwrap()), 2);
    // Lines of an id and moves, as some collections ship, packed and not. All games together are longer than one game
    // may be.
    let moves = ";B[ee];W[]".repeat(150);
    let lines: String = (0..50).map(|id| format!("{id}\t{moves}\n")).collect();
    for bytes in [lines.as_bytes().to_vec(), gzip(lines.as_bytes())] {
        let opened = open(&mut viewer, &bytes).await.unwrap();
        assert_eq!(count(&opened), 50);
    }
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_unpacks_to_too_much_is_refused() {
    let server = Running::start(&settings()).await;
    let mut viewer = server.viewer().await;
    let bomb = gzip(&vec![b' '; 100 << 20]);
    assert!(bomb.len() < 1 << 20);
    let refused = open(&mut viewer, &bomb).await.unwrap_err();
    assert_eq!(refused["data"]["what"], "bytes_of_a_file");
    let torn = gzip(b"(;GM[1]SZ[9];B[ee])");
    let refused = open(&mut viewer, &torn[..torn.len() / 2])
        .await
        .unwrap_err();
    assert_eq!(refused["code"], "unreadable");
    server.stop().await;
}
