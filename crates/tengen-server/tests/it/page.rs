//! The files of the page.

use std::fs;

use tengen_server::{PageSource, ServerSettings};

use crate::folder::Folder;
use crate::http::request;
use crate::running::{Running, settings};

#[tokio::test(flavor = "multi_thread")]
async fn the_page_is_in_the_program() {
    let server = Running::start(&settings()).await;
    let page = request(server.address, "GET /", &[], b"").await;
    assert_eq!(page.status, 200);
    assert_eq!(page.headers["content-type"], "text/html; charset=utf-8");
    let text = String::from_utf8(page.body).unwrap();
    assert!(
        text.to_ascii_lowercase().starts_with("<!doctype html>"),
        "{text}"
    );
    // Who has it already is told so, and who can unpack gets less.
    let tag = format!("If-None-Match: {}", page.headers["etag"]);
    let again = request(server.address, "GET /", &[&tag], b"").await;
    assert_eq!((again.status, again.body.len()), (304, 0));
    let packed = request(server.address, "GET /", &["Accept-Encoding: gzip"], b"").await;
    if let Some(coding) = packed.headers.get("content-encoding") {
        assert_eq!(coding, "gzip");
        assert!(packed.body.len() < text.len() && packed.body.starts_with(&[0x1f, 0x8b]));
    }
    assert_eq!(
        request(server.address, "POST /", &[], b"").await.status,
        405
    );
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_folder_shows_its_files_and_no_others() {
    let folder = Folder::new();
    let page = folder.path().join("page");
    fs::create_dir_all(page.join("board")).unwrap();
    fs::write(
        page.join("index.html"),
        "<!doctype html><title>mine</title>",
    )
    .unwrap();
    fs::write(page.join("board/stone.js"), "export {}").unwrap();
    fs::write(page.join(".secret"), "secret").unwrap();
    fs::write(folder.path().join("secret.txt"), "secret").unwrap();
    let settings = ServerSettings {
        page: PageSource::Folder(page.clone()),
        ..settings()
    };
    let server = Running::start(&settings).await;
    let get = async |path: &str| request(server.address, &format!("GET {path}"), &[], b"").await;
    assert!(get("/").await.body.ends_with(b"<title>mine</title>"));
    let script = get("/board/stone.js").await;
    assert_eq!(
        script.headers["content-type"],
        "text/javascript; charset=utf-8"
    );
    fs::write(page.join("board/stone.js"), "export const stone = 1").unwrap();
    assert_eq!(get("/board/stone.js").await.body, b"export const stone = 1");
    for trick in [
        "/../secret.txt",
        "/board/../../secret.txt",
        "/%2e%2e/secret.txt",
        "/..%2fsecret.txt",
        "/%2e%2e%2fsecret.txt",
        "/..\\secret.txt",
        "/.secret",
        "//etc/passwd",
        "/board//stone.js",
        "/board/./stone.js",
        "/board",
        "/board/",
        "/etc/passwd",
        "/index.html%00.js",
        "/games/../secret.txt",
        "/games/..%2f..%2fsecret.txt",
        "/games/secret.txt",
        "/api/../secret.txt",
    ] {
        let answer = get(trick).await;
        assert!(
            [400, 404].contains(&answer.status),
            "{trick}: {}",
            answer.status
        );
        assert!(
            !answer
                .body
                .windows(6)
                .any(|part| part == b"secret" || part == b"root:x"),
            "{trick}"
        );
    }
    server.stop().await;
}
