//! Requests by hand, as no library would send them.

use std::collections::HashMap;
use std::net::SocketAddr;

use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// An answer.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    /// Names are in small letters.
    pub(crate) headers: HashMap<String, String>,
    pub(crate) body: Vec<u8>,
}

impl Answer {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap()
    }

    fn read(bytes: &[u8]) -> Self {
        let end = bytes
            .windows(4)
            .position(|four| four == b"\r\n\r\n")
            .expect("an answer has a head");
        let head = String::from_utf8(bytes[..end].to_vec()).unwrap();
        let mut lines = head.split("\r\n");
        let status = lines
            .next()
            .unwrap()
            .split(' ')
            .nth(1)
            .unwrap()
            .parse()
            .unwrap();
        let headers = lines.map(|line| {
            let (name, value) = line.split_once(':').unwrap();
            (name.to_ascii_lowercase(), value.trim().to_owned())
        });
        Self {
            status,
            headers: headers.collect(),
            body: bytes[end + 4..].to_vec(),
        }
    }
}

/// Sends these bytes on a new connection and reads until it is closed.
pub(crate) async fn exchange(address: SocketAddr, bytes: &[u8]) -> Answer {
    let mut stream = TcpStream::connect(address).await.unwrap();
    // A server may answer, and close, before it has heard everything.
    _ = stream.write_all(bytes).await;
    let mut answer = Vec::new();
    _ = stream.read_to_end(&mut answer).await;
    Answer::read(&answer)
}

/// A request with these headers besides those that it must have.
pub(crate) async fn request(
    address: SocketAddr,
    line: &str,
    headers: &[&str],
    body: &[u8],
) -> Answer {
    let mut head = format!("{line} HTTP/1.1\r\nConnection: close\r\n");
    if !headers.iter().any(|header| header.starts_with("Host:")) {
        head += &format!("Host: {address}\r\n");
    }
    if !body.is_empty() {
        head += &format!("Content-Length: {}\r\n", body.len());
    }
    for header in headers {
        head += &format!("{header}\r\n");
    }
    let bytes = [head.as_bytes(), b"\r\n", body].concat();
    exchange(address, &bytes).await
}

/// Calls a method.
pub(crate) async fn post(address: SocketAddr, method: &str, params: &Value) -> Answer {
    let line = format!("POST /api/{method}");
    let body = params.to_string();
    request(
        address,
        &line,
        &["Content-Type: application/json"],
        body.as_bytes(),
    )
    .await
}
