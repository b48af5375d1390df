//! Conversations over a WebSocket.

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::Extension;
use axum::body::Body;
use axum::extract::State;
use axum::extract::ws::{CloseFrame, Message, WebSocket, WebSocketUpgrade, close_code};
use axum::http::Response;
use futures_util::stream::{SplitSink, SplitStream};
use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tengen_app::{Call, Code, Guest, Refusal, Rights, Viewer};
use tokio::sync::Semaphore;
use tokio::time::{interval, timeout};

use crate::bodies::{SMALL, weight};
use crate::client::{Peer, guest};
use crate::connections::Ticket;
use crate::desk::{Answer, Caller, answer_message};
use crate::intake::Intake;
use crate::outbox::Outbox;
use crate::pace::Pace;
use crate::server::App;

/// How often we make sure that somebody is there.
const PING: Duration = Duration::from_secs(20);

/// A viewer of whom nothing was heard for so long is gone.
const SILENCE: Duration = Duration::from_secs(65);

/// A viewer who goes on and on after it was told that it is too fast.
const STUBBORN: u32 = 1000;

/// Why a conversation ends.
enum End {
    /// The viewer has closed it, or the connection has broken.
    Gone,
    /// The server ends.
    Restart,
    /// The viewer reads too slowly.
    Slow,
    /// There is no memory for what the viewer sends.
    Full,
    /// The viewer breaks the rules: how.
    Rude(&'static str),
}

/// Turns a request into a conversation.
pub(crate) async fn live(
    State(app): State<Arc<App>>,
    ticket: Option<Extension<Arc<Ticket>>>,
    peer: Option<Extension<Peer>>,
    rights: Option<Extension<Rights>>,
    intake: Option<Extension<Arc<Intake>>>,
    upgrade: WebSocketUpgrade,
) -> Response<Body> {
    let limit = app.limits.body;
    let guest = guest(peer.map(|peer| peer.0), rights.map(|rights| rights.0));
    // Without a connection of ours, nothing is counted.
    let unused = || Intake::new(app.bodies.clone(), app.limits.patience);
    let intake = intake.map_or_else(unused, |intake| intake.0);
    upgrade
        .read_buffer_size(SMALL)
        .max_message_size(limit)
        .max_frame_size(limit)
        .on_upgrade(move |socket| async move {
            // As long as this is kept, the connection does not give way to others.
            let _ticket = ticket;
            converse(app, guest, &intake, socket).await;
        })
}

async fn converse(app: Arc<App>, guest: Guest, intake: &Intake, socket: WebSocket) {
    intake.begin();
    let outbox = Arc::new(Outbox::new(app.limits.outbox));
    let viewer = app.desk.new_viewer();
    app.desk.enter(viewer, guest, Some(outbox.clone()));
    let (mut sink, mut stream) = socket.split();
    let mut ending = app.ending.clone();
    let end = tokio::select! {
        end = speak(&outbox, &mut sink) => end,
        end = listen(&app, (viewer, guest), &outbox, (intake, &mut stream)) => end,
        _ = ending.wait_for(|ending| *ending) => End::Restart,
    };
    app.leave(viewer).await;
    let (code, reason) = match end {
        End::Gone => return,
        End::Restart => (close_code::RESTART, "the server ends"),
        End::Full => (
            close_code::AGAIN,
            "there is no memory for such a message now",
        ),
        End::Slow => (close_code::POLICY, "too slow a reader"),
        End::Rude(how) => (close_code::POLICY, how),
    };
    if !matches!(end, End::Restart) {
        app.log.say(format_args!("ended a connection: {reason}"));
    }
    let frame = CloseFrame {
        code,
        reason: reason.into(),
    };
    // Nobody may be there any more to hear it.
    _ = timeout(
        Duration::from_secs(1),
        sink.send(Message::Close(Some(frame))),
    )
    .await;
}

/// Sends what there is to be sent.
async fn speak(outbox: &Outbox, sink: &mut SplitSink<WebSocket, Message>) -> End {
    let mut pings = interval(PING);
    loop {
        let message = tokio::select! {
            text = outbox.take() => match text {
                Some(text) => Message::Text(text),
                None => return End::Slow,
            },
            _ = pings.tick() => Message::Ping(Vec::new().into()),
        };
        if sink.send(message).await.is_err() {
            return End::Gone;
        }
    }
}

/// Hears what the viewer says.
async fn listen(
    app: &Arc<App>,
    viewer: (Viewer, Guest),
    outbox: &Arc<Outbox>,
    (intake, stream): (&Intake, &mut SplitStream<WebSocket>),
) -> End {
    let mut pace = Pace::new(app.limits.messages);
    let calls = Arc::new(Semaphore::new(app.limits.calls));
    let mut refused = 0;
    loop {
        let text = match timeout(SILENCE, stream.next()).await {
            Ok(Some(Err(_))) if intake.was_refused() => return End::Full,
            Err(_) | Ok(None | Some(Err(_) | Ok(Message::Close(_)))) => return End::Gone,
            Ok(Some(Ok(Message::Binary(_)))) => return End::Rude("messages are texts"),
            Ok(Some(Ok(Message::Ping(bytes) | Message::Pong(bytes)))) => {
                intake.forget(bytes.len());
                continue;
            }
            Ok(Some(Ok(Message::Text(text)))) => text,
        };
        let say = |id: Value, answer: Answer| outbox.put(answer_message(id, answer));
        // Who sends much waits until there is memory to read it.
        let weight = weight(text.as_bytes());
        let memory = app.bodies.wait(intake.take(), weight, app.limits.patience);
        let _reserved = match memory.await {
            Ok(reserved) => reserved,
            Err(refusal) => {
                say(Value::Null, Err(refusal));
                continue;
            }
        };
        let call: Call = match serde_json::from_str(&text) {
            Ok(call) => call,
            Err(error) => {
                let message = format!("this is no call: {error}");
                say(Value::Null, Err(Refusal::new(Code::InvalidParams, message)));
                if !pace.allows(Instant::now()) {
                    return End::Rude("too much nonsense");
                }
                continue;
            }
        };
        if !matches!(call.id, Value::Number(_) | Value::String(_)) || text_length(&call.id) > 100 {
            let message = "the id of a call is a number or a short text";
            say(Value::Null, Err(Refusal::new(Code::InvalidParams, message)));
            continue;
        }
        if !pace.allows(Instant::now()) {
            refused += 1;
            if refused > STUBBORN {
                return End::Rude("too many messages");
            }
            let refusal = limit("messages_per_second", app.limits.messages.per_second);
            say(call.id, Err(refusal));
            continue;
        }
        refused = 0;
        let Ok(permit) = calls.clone().try_acquire_owned() else {
            say(
                call.id,
                Err(limit("calls_under_way", app.limits.calls as f64)),
            );
            continue;
        };
        let caller = Caller::Live {
            outbox: outbox.clone(),
            id: call.id,
            permit,
        };
        app.call(viewer, call.method, call.params, caller).await;
    }
}

fn text_length(id: &Value) -> usize {
    id.as_str().map_or(0, str::len)
}

fn limit(what: &str, limit: f64) -> Refusal {
    let message = format!("the limit is {limit} {}", what.replace('_', " "));
    Refusal::new(Code::Limit, message).with(json!({ "what": what, "limit": limit }))
}
