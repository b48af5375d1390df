//! Too much of anything.

use std::net::SocketAddr;
use std::time::Duration;

use serde_json::json;
use tengen_server::{Limits, Rate, ServerSettings};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

use crate::http::{exchange, post, request};
use crate::running::{Live, Running, TEST_TIMEOUT, person, settings};

fn limited(limits: Limits) -> ServerSettings {
    ServerSettings {
        limits,
        ..settings()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn huge_bodies_are_refused() {
    let limits = Limits {
        body: 10_000,
        ..Limits::default()
    };
    let server = Running::start(&limited(limits)).await;
    let address = server.address;
    let json = "Content-Type: application/json";
    let huge = vec![b' '; 10_001];
    let refused = request(address, "POST /api/about", &[json], &huge).await;
    assert_eq!(
        (refused.status, &refused.json()["code"]),
        (413, &json!("limit"))
    );
    assert_eq!(refused.json()["data"]["limit"], 10_000);
    // A promise is enough to be refused: nothing of a terabyte is read.
    let head = format!(
        "POST /api/about HTTP/1.1\r\nHost: {address}\r\n{json}\r\nContent-Length: 1099511627776\r\nConnection: \
            close\r\n\r\n"
    );
    assert_eq!(exchange(address, head.as_bytes()).await.status, 413);
    // Who promises nothing is cut off, too.
    let mut chunks = format!(
        "POST /api/about HTTP/1.1\r\nHost: {address}\r\n{json}\r\nTransfer-Encoding: chunked\r\nConnection: \
            close\r\n\r\n"
    );
    for _ in 0..11 {
        chunks += &format!("3e8\r\n{}\r\n", " ".repeat(1000));
    }
    chunks += "0\r\n\r\n";
    assert_eq!(exchange(address, chunks.as_bytes()).await.status, 413);
    // On a WebSocket the connection ends, and others do not notice.
    let [mut rude, mut polite] = [server.viewer().await, server.viewer().await];
    rude.send(&" ".repeat(10_001)).await;
    assert!(rude.hear().await.is_none());
    polite.call("about", json!({})).await;
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn huge_heads_are_refused() {
    let server = Running::start(&settings()).await;
    let address = server.address;
    let long = format!("X-Long: {}", "x".repeat(40_000));
    assert_eq!(request(address, "GET /", &[&long], b"").await.status, 431);
    let many: Vec<String> = (0..200).map(|number| format!("X-{number}: y")).collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    assert_eq!(request(address, "GET /", &many, b"").await.status, 431);
    let path = format!("GET /{}", "x".repeat(40_000));
    assert!([414, 431].contains(&request(address, &path, &[], b"").await.status));
    assert_eq!(exchange(address, b"NONSENSE\r\n\r\n").await.status, 400);
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn who_asks_too_fast_is_told_so() {
    let rate = Rate {
        burst: 5.0,
        per_second: 0.001,
    };
    let limits = Limits {
        requests: rate,
        messages: rate,
        ..Limits::default()
    };
    let server = Running::start(&limited(limits)).await;
    let address = server.address;
    let mut viewer = server.viewer().await;
    for _ in 0..5 {
        viewer.call("about", json!({})).await;
    }
    let error = viewer.try_call("about", json!({})).await.unwrap_err();
    assert_eq!(
        (&error["code"], &error["data"]["what"]),
        (&json!("limit"), &json!("messages_per_second"))
    );
    // Requests on one connection, one after the other.
    let mut stream = TcpStream::connect(address).await.unwrap();
    for _ in 0..7 {
        // The connection may be closed by now.
        _ = stream
            .write_all(format!("GET /nothing HTTP/1.1\r\nHost: {address}\r\n\r\n").as_bytes())
            .await;
    }
    let mut answers = String::new();
    _ = stream.read_to_string(&mut answers).await;
    assert_eq!(answers.matches("HTTP/1.1 404").count(), 5, "{answers}");
    assert_eq!(answers.matches("HTTP/1.1 429").count(), 1, "{answers}");
    // Another connection has a pace of its own.
    assert_eq!(post(address, "about", &json!({})).await.status, 200);
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn calls_that_wait_are_counted() {
    let limits = Limits {
        calls: 2,
        ..Limits::default()
    };
    let server = Running::start(&limited(limits)).await;
    let mut viewer = server.viewer().await;
    let game = viewer.new_game(9, person(), person()).await;
    let id = &game["id"];
    // Both wait for the only engine, which is busy with a search that nothing but its end ends.
    let mut busy = server.viewer().await;
    busy.call(
        "analysis.watch",
        json!({ "game": id, "node": 0, "max_visits": 1_000_000 }),
    )
    .await;
    for method in ["game.hint", "game.estimate", "about"] {
        viewer
            .send(&json!({ "id": method, "method": method, "params": { "game": id } }).to_string())
            .await;
    }
    let refused = viewer.hear().await.unwrap();
    assert_eq!(
        (&refused["id"], &refused["error"]["code"]),
        (&json!("about"), &json!("limit"))
    );
    for _ in 0..2 {
        let answer = viewer.hear().await.unwrap();
        assert!(answer.get("result").is_some(), "{answer}");
    }
    viewer.call("about", json!({})).await;
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_thousand_half_open_connections_disturb_nobody() {
    let limits = Limits {
        connections: 100,
        ..Limits::default()
    };
    let server = Running::start(&limited(limits)).await;
    let mut viewer = server.viewer().await;
    let game = viewer.new_game(5, person(), person()).await;
    let id = &game["id"];
    let mut half_open = Vec::new();
    for number in 0..1000 {
        let mut stream = TcpStream::connect(server.address).await.unwrap();
        // Some say nothing, some never come to the end of what they say. A few of them have been cut off already.
        _ = match number % 3 {
            0 => Ok(()),
            1 => stream.write_all(b"GET / HTTP/1.1\r\nHost: loc").await,
            _ => {
                stream
                    .write_all(b"POST /api/about HTTP/1.1\r\nContent-Length: 9\r\n")
                    .await
            }
        };
        half_open.push(stream);
        if number % 200 == 199 {
            let node = number / 200;
            let action = ["C3", "B2", "D4", "A1", "E5"][node];
            viewer
                .call(
                    "game.play",
                    json!({ "game": id, "node": node, "move": action }),
                )
                .await;
        }
    }
    // Somebody new comes in as well.
    let mut late = Live::connect(server.address).await;
    let sheet = late.call("game.get", json!({ "game": id })).await;
    assert_eq!(sheet["live"], 5);
    assert_eq!(post(server.address, "about", &json!({})).await.status, 200);
    drop(half_open);
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn half_a_request_is_not_waited_for() {
    let limits = Limits {
        patience: Duration::from_millis(200),
        ..Limits::default()
    };
    let server = Running::start(&limited(limits)).await;
    let address = server.address;
    // Reading to the end returns because the server closes the connection.
    for half in ["", "GET / HTTP/1.1\r\nHost: loc"] {
        let mut stream = TcpStream::connect(address).await.unwrap();
        stream.write_all(half.as_bytes()).await.unwrap();
        let mut answer = Vec::new();
        _ = stream.read_to_end(&mut answer).await;
        assert!(!answer.starts_with(b"HTTP/1.1 200"), "{half}");
    }
    let body = format!(
        "POST /api/about HTTP/1.1\r\nHost: {address}\r\nContent-Type: application/json\r\nContent-Length: \
            100\r\nConnection: close\r\n\r\n{{"
    );
    assert_eq!(exchange(address, body.as_bytes()).await.status, 408);
    server.stop().await;
}

/// Lets the server another connection in?
async fn answers(address: SocketAddr) -> bool {
    let mut stream = TcpStream::connect(address).await.unwrap();
    let request = format!("GET / HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
    let mut answer = Vec::new();
    // A connection that is not let in ends while something is said on it.
    _ = stream.write_all(request.as_bytes()).await;
    _ = stream.read_to_end(&mut answer).await;
    answer.starts_with(b"HTTP/1.1 200")
}

#[tokio::test(flavor = "multi_thread")]
async fn who_never_reads_is_given_up() {
    const CALLS: usize = 1000;
    let limits = Limits {
        messages: Rate {
            burst: 1e9,
            per_second: 1e9,
        },
        outbox: 500_000,
        reading: Duration::from_millis(100),
        // Room for these two alone: somebody else comes in when one of them is gone.
        connections: 2,
        ..Limits::default()
    };
    let server = Running::start(&limited(limits)).await;
    let [mut lazy, mut keen] = [server.viewer().await, server.viewer().await];
    let game = keen.new_game(5, person(), person()).await;
    let id = &game["id"];
    let comment = json!({ "do": "comment", "text": "x".repeat(60_000) });
    keen.call(
        "game.edit",
        json!({ "game": id, "node": 0, "edits": [comment] }),
    )
    .await;
    // Far more than what the system holds for a connection.
    let call =
        json!({ "id": 1, "method": "game.view", "params": { "game": id, "node": 0 } }).to_string();
    for _ in 0..CALLS {
        if !lazy.try_send(&call).await {
            break;
        }
    }
    // Who begins to read before it was given up is not given up.
    let given_up = async {
        while !answers(server.address).await {
            tokio::task::yield_now().await;
        }
    };
    let given_up = timeout(TEST_TIMEOUT, given_up).await;
    given_up.expect("the connection ends although nobody reads");
    let mut heard = 0;
    while lazy.hear().await.is_some() {
        heard += 1;
    }
    assert!(heard < CALLS, "{heard}");
    keen.call("game.view", json!({ "game": id, "node": 0 }))
        .await;
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn bodies_that_never_end_shut_nobody_out() {
    let limits = Limits {
        connections: 50,
        patience: TEST_TIMEOUT,
        ..Limits::default()
    };
    let server = Running::start(&limited(limits)).await;
    let address = server.address;
    let mut viewer = server.viewer().await;
    let mut half_sent = Vec::new();
    for _ in 0..60 {
        let mut stream = TcpStream::connect(address).await.unwrap();
        let head = format!(
            "POST /api/about HTTP/1.1\r\nHost: {address}\r\nContent-Type: application/json\r\n\
             Content-Length: 100\r\n\r\n{{"
        );
        _ = stream.write_all(head.as_bytes()).await;
        half_sent.push(stream);
    }
    // New ones are let in, and those who were there before go on.
    for _ in 0..5 {
        assert_eq!(post(address, "about", &json!({})).await.status, 200);
    }
    viewer.call("about", json!({})).await;
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn bodies_are_counted_in_the_memory() {
    // A quarter of it is for what people send.
    let settings = ServerSettings {
        memory: 16 << 20,
        ..settings()
    };
    let server = Running::start(&settings).await;
    let address = server.address;
    // Small numbers take many times their text.
    let heavy = json!({ "game": vec![1; 200_000] });
    let refused = post(address, "game.get", &heavy).await;
    assert_eq!(refused.status, 429);
    assert_eq!(refused.json()["data"]["what"], "bytes_of_all_bodies");
    let mut viewer = server.viewer().await;
    let id_of_none = json!({ "id": 1, "method": "game.get", "params": heavy });
    viewer.send(&id_of_none.to_string()).await;
    let refused = viewer.hear().await.unwrap();
    assert_eq!(refused["error"]["data"]["what"], "bytes_of_all_bodies");
    // Bodies that are under way are counted, and given back when their senders are gone.
    let head = format!(
        "POST /api/about HTTP/1.1\r\nHost: {address}\r\nContent-Type: application/json\r\nContent-Length: \
            5000000\r\n\r\n"
    );
    let body = json!({ "text": " ".repeat(1 << 20) });
    let open = async || post(address, "games.open", &body).await.json()["data"]["what"].clone();
    assert_ne!(open().await, "bytes_of_all_bodies");
    let mut senders = Vec::new();
    for _ in 0..3 {
        let mut sender = TcpStream::connect(address).await.unwrap();
        sender.write_all(head.as_bytes()).await.unwrap();
        sender.write_all(&vec![b' '; 1_200_000]).await.unwrap();
        senders.push(sender);
    }
    let taken = async {
        while open().await != "bytes_of_all_bodies" {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    timeout(TEST_TIMEOUT, taken).await.unwrap();
    // Little ones get through all the same.
    assert_eq!(post(address, "about", &json!({})).await.status, 200);
    drop(senders);
    let free = async {
        while open().await == "bytes_of_all_bodies" {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    timeout(TEST_TIMEOUT, free).await.unwrap();
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn messages_on_their_way_are_counted_in_the_memory() {
    let settings = ServerSettings {
        memory: 16 << 20,
        limits: Limits {
            patience: Duration::from_secs(1),
            ..Limits::default()
        },
        ..settings()
    };
    let server = Running::start(&settings).await;
    let json = "Content-Type: application/json";
    let body = format!("{{{}}}", " ".repeat(1_200_000));
    let ask = async || request(server.address, "POST /api/about", &[json], body.as_bytes()).await;
    let mut slow = server.viewer().await;
    assert_eq!(ask().await.status, 200);
    // Of four megabytes for all, half of a message takes two.
    assert!(slow.begin_message(&" ".repeat(1_900_000)).await);
    let refused = ask().await;
    assert_eq!(refused.status, 429);
    assert_eq!(refused.json()["data"]["what"], "bytes_of_all_bodies");
    // For three more there is no memory, and it is not waited for without end.
    let mut greedy = server.viewer().await;
    assert!(!greedy.begin_message(&" ".repeat(3_000_000)).await);
    // Others go on, and who sends the rest is heard.
    server.viewer().await.call("about", json!({})).await;
    slow.end_message(r#"{"id":1,"method":"about","params":{}}"#)
        .await;
    let answer = slow.hear().await.unwrap();
    assert!(answer.get("result").is_some(), "{answer}");
    assert_eq!(ask().await.status, 200);
    server.stop().await;
}
