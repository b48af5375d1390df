//! Viewers who all analyse, for some time: does everybody get updates, and does memory stay flat?
//!
//!     cargo run --release -p tengen-server --example load -- --viewers 200 --seconds 60
//!
//! Server and viewers are one process, so that the memory shown is that of both.

use std::error::Error;
use std::io::{self, Write};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tengen_server::{ListenAddress, Port, Server, ServerSettings, bind};
use tokio::net::TcpStream;
use tokio::sync::oneshot;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{WebSocketStream, client_async};

type Failure = Box<dyn Error + Send + Sync>;

/// What a viewer has seen.
#[derive(Debug, Default)]
struct Seen {
    updates: AtomicU64,
    visits: AtomicU64,
    /// Milliseconds: the longest time without an update.
    longest: AtomicU64,
}

struct Plan {
    viewers: usize,
    seconds: u64,
    side: u8,
    threads: usize,
}

fn main() -> Result<(), Failure> {
    let plan = plan()?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    runtime.block_on(load(&plan))
}

/// Reads the command line.
fn plan() -> Result<Plan, Failure> {
    let mut plan = Plan {
        viewers: 200,
        seconds: 60,
        side: 19,
        threads: ServerSettings::default().threads,
    };
    let mut arguments = std::env::args().skip(1);
    while let Some(name) = arguments.next() {
        let value = arguments
            .next()
            .ok_or_else(|| format!("{name} needs a number"))?;
        match name.as_str() {
            "--viewers" => plan.viewers = value.parse()?,
            "--seconds" => plan.seconds = value.parse()?,
            "--side" => plan.side = value.parse()?,
            "--threads" => plan.threads = value.parse()?,
            _ => return Err(format!("{name} is unknown").into()),
        }
    }
    Ok(plan)
}

async fn load(plan: &Plan) -> Result<(), Failure> {
    let settings = ServerSettings {
        threads: plan.threads,
        ..ServerSettings::default()
    };
    let listener = bind(ListenAddress {
        address: IpAddr::V4(Ipv4Addr::LOCALHOST),
        port: Port::Exactly(0),
    })
    .await?;
    let address = listener.local_addr()?;
    let server = Server::new(&settings, address)?;
    let (end, ended) = oneshot::channel::<()>();
    let serving = tokio::spawn(server.serve(listener, async {
        _ = ended.await;
    }));
    let mut viewers = Vec::new();
    for _ in 0..plan.viewers {
        let seen = Arc::new(Seen::default());
        let socket = begin(address, plan.side).await?;
        viewers.push((seen.clone(), tokio::spawn(watch(socket, seen))));
    }
    let mut out = io::stdout();
    writeln!(
        out,
        "{} viewers analyse {side} x {side} on {} threads",
        plan.viewers,
        plan.threads,
        side = plan.side
    )?;
    let started = Instant::now();
    while started.elapsed() < Duration::from_secs(plan.seconds) {
        tokio::time::sleep(Duration::from_secs(plan.seconds.clamp(1, 10))).await;
        let mut updates: Vec<u64> = viewers
            .iter()
            .map(|(seen, _)| seen.updates.load(Ordering::Relaxed))
            .collect();
        updates.sort_unstable();
        let visits: u64 = viewers
            .iter()
            .map(|(seen, _)| seen.visits.load(Ordering::Relaxed))
            .sum();
        let longest = viewers
            .iter()
            .map(|(seen, _)| seen.longest.load(Ordering::Relaxed))
            .max();
        writeln!(
            out,
            "{:>4} s: updates {} (fewest) {} (median) {} (most), longest pause {} ms, {visits} visits in all trees, {} \
                MB",
            started.elapsed().as_secs(),
            updates.first().copied().unwrap_or(0),
            updates.get(updates.len() / 2).copied().unwrap_or(0),
            updates.last().copied().unwrap_or(0),
            longest.unwrap_or(0),
            memory() / 1_000_000,
        )?;
    }
    let lost = viewers
        .iter()
        .filter(|(_, task)| task.is_finished())
        .count();
    writeln!(out, "{lost} viewers were lost")?;
    _ = end.send(());
    serving.await?;
    Ok(())
}

/// Connects, begins a game and analyses it.
async fn begin(address: SocketAddr, side: u8) -> Result<WebSocketStream<TcpStream>, Failure> {
    let stream = TcpStream::connect(address).await?;
    let (mut socket, _) = client_async(format!("ws://{address}/api/live"), stream).await?;
    let person = json!({ "kind": "person" });
    let params = json!({ "width": side, "height": side, "rules": "chinese", "black": person, "white": person });
    let game = call(&mut socket, "games.new", params).await?;
    let params =
        json!({ "game": game["id"], "node": 0, "max_visits": 1_000_000, "ownership": true });
    call(&mut socket, "analysis.watch", params).await?;
    Ok(socket)
}

async fn call(
    socket: &mut WebSocketStream<TcpStream>,
    method: &str,
    params: Value,
) -> Result<Value, Failure> {
    let text = json!({ "id": 1, "method": method, "params": params }).to_string();
    socket.send(Message::text(text)).await?;
    loop {
        let message = socket.next().await.ok_or("the connection has ended")??;
        if let Message::Text(text) = message {
            let mut answer: Value = serde_json::from_str(&text)?;
            if let Some(error) = answer.get("error") {
                return Err(error.to_string().into());
            }
            if answer["id"] == 1 {
                return Ok(answer["result"].take());
            }
        }
    }
}

/// Notes what comes, to the end of the connection.
async fn watch(mut socket: WebSocketStream<TcpStream>, seen: Arc<Seen>) {
    let mut last = Instant::now();
    while let Some(Ok(message)) = socket.next().await {
        let Message::Text(text) = message else {
            continue;
        };
        let Ok(event) = serde_json::from_str::<Value>(&text) else {
            return;
        };
        if event["event"] == "analysis" {
            seen.updates.fetch_add(1, Ordering::Relaxed);
            seen.visits
                .store(event["visits"].as_u64().unwrap_or(0), Ordering::Relaxed);
            let pause = u64::try_from(last.elapsed().as_millis()).unwrap_or(u64::MAX);
            seen.longest.fetch_max(pause, Ordering::Relaxed);
            last = Instant::now();
        }
    }
}

/// Bytes of memory that this process uses, as far as the system tells.
fn memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kilobytes = line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
    kilobytes.unwrap_or(0) * 1024
}
