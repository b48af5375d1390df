//! A server that runs, and a viewer of it.

use std::collections::VecDeque;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tengen_server::{ListenAddress, Log, Port, Server, ServerSettings, bind};
use tokio::net::TcpStream;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::protocol::frame::Frame;
use tokio_tungstenite::tungstenite::protocol::frame::coding::{Data, OpCode};
use tokio_tungstenite::{WebSocketStream, client_async};

/// Nothing takes that long, on whatever machine.
pub(crate) const TEST_TIMEOUT: Duration = Duration::from_secs(120);

/// A server on a port of its own.
pub(crate) struct Running {
    pub(crate) address: SocketAddr,
    end: oneshot::Sender<()>,
    task: JoinHandle<()>,
}

/// Settings for tests: a little memory, one thread, no words.
pub(crate) fn settings() -> ServerSettings {
    ServerSettings {
        threads: 1,
        memory: 64 << 20,
        log: Log::silent(),
        ..ServerSettings::default()
    }
}

impl Running {
    pub(crate) async fn start(settings: &ServerSettings) -> Self {
        let place = ListenAddress {
            address: IpAddr::V4(Ipv4Addr::LOCALHOST),
            port: Port::Exactly(0),
        };
        let listener = bind(place).await.unwrap();
        let address = listener.local_addr().unwrap();
        let server = Server::new(settings, address).unwrap();
        let (end, ended) = oneshot::channel();
        let task = tokio::spawn(server.serve(listener, async {
            _ = ended.await;
        }));
        Self { address, end, task }
    }

    /// Ends the server as Ctrl-C would.
    pub(crate) async fn stop(self) {
        _ = self.end.send(());
        timeout(TEST_TIMEOUT, self.task).await.unwrap().unwrap();
    }

    pub(crate) async fn viewer(&self) -> Live {
        Live::connect(self.address).await
    }
}

/// A viewer.
pub(crate) struct Live {
    socket: WebSocketStream<TcpStream>,
    calls: u64,
    events: VecDeque<Value>,
}

impl Live {
    pub(crate) async fn connect(address: SocketAddr) -> Self {
        let stream = TcpStream::connect(address).await.unwrap();
        let mut request = format!("ws://{address}/api/live")
            .into_client_request()
            .unwrap();
        let origin = format!("http://{address}").parse().unwrap();
        request.headers_mut().insert("origin", origin);
        let (socket, _) = timeout(TEST_TIMEOUT, client_async(request, stream))
            .await
            .unwrap()
            .unwrap();
        Self {
            socket,
            calls: 0,
            events: VecDeque::new(),
        }
    }

    pub(crate) async fn send(&mut self, text: &str) {
        assert!(self.try_send(text).await, "the connection stays open");
    }

    /// Sends a message, if the connection is still open.
    pub(crate) async fn try_send(&mut self, text: &str) -> bool {
        self.socket.send(Message::text(text)).await.is_ok()
    }

    /// Sends the first part of a message, and returns when the server has read it or has closed the connection: is it
    /// still open?
    pub(crate) async fn begin_message(&mut self, text: &str) -> bool {
        // The connection may end while this is sent.
        _ = self.send_part(text, Data::Text, false).await;
        _ = self.socket.send(Message::Ping(Vec::new().into())).await;
        let pong = async {
            loop {
                match self.socket.next().await {
                    Some(Ok(Message::Pong(_))) => return true,
                    Some(Ok(Message::Ping(_))) => {}
                    _ => return false,
                }
            }
        };
        let pong = timeout(TEST_TIMEOUT, pong).await;
        pong.expect("the server answers or ends the connection")
    }

    /// Sends the rest of a message.
    pub(crate) async fn end_message(&mut self, text: &str) {
        let is_sent = self.send_part(text, Data::Continue, true).await;
        assert!(is_sent, "the connection stays open");
    }

    async fn send_part(&mut self, text: &str, kind: Data, is_last: bool) -> bool {
        let frame = Frame::message(text.to_owned(), OpCode::Data(kind), is_last);
        self.socket.send(Message::Frame(frame)).await.is_ok()
    }

    /// The next message of the server, or `None` if it has closed the connection.
    pub(crate) async fn hear(&mut self) -> Option<Value> {
        let text = async {
            loop {
                match self.socket.next().await {
                    Some(Ok(Message::Text(text))) => return Some(text),
                    Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
                    _ => return None,
                }
            }
        };
        let text = timeout(TEST_TIMEOUT, text).await;
        let text = text.expect("the server says something")?;
        Some(serde_json::from_str(&text).unwrap())
    }

    /// Calls a method, and keeps events that come before the answer.
    pub(crate) async fn try_call(&mut self, method: &str, params: Value) -> Result<Value, Value> {
        self.calls += 1;
        let id = self.calls;
        self.send(&json!({ "id": id, "method": method, "params": params }).to_string())
            .await;
        loop {
            let mut message = self.hear().await.expect("the connection stays open");
            if message["id"] == id {
                return match message.get("error") {
                    Some(error) => Err(error.clone()),
                    None => Ok(message["result"].take()),
                };
            }
            self.events.push_back(message);
        }
    }

    pub(crate) async fn call(&mut self, method: &str, params: Value) -> Value {
        let result = self.try_call(method, params).await;
        result.unwrap_or_else(|error| panic!("{method}: {error}"))
    }

    /// The next event of this name.
    pub(crate) async fn event(&mut self, name: &str) -> Value {
        loop {
            let event = match self.events.pop_front() {
                Some(event) => event,
                None => self.hear().await.expect("the connection stays open"),
            };
            if event["event"] == name {
                return event;
            }
        }
    }

    /// A new game between these two.
    pub(crate) async fn new_game(&mut self, side: u8, black: Value, white: Value) -> Value {
        let params = json!({ "width": side, "height": side, "rules": "tromp-taylor", "black": black, "white": white });
        self.call("games.new", params).await
    }
}

/// Somebody at a screen.
pub(crate) fn person() -> Value {
    json!({ "kind": "person" })
}

/// The engine.
pub(crate) fn engine(level: u8) -> Value {
    json!({ "kind": "engine", "level": level })
}
