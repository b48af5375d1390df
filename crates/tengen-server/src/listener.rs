//! Connections accepted, watched and ended.

use std::convert::Infallible;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::http::{HeaderValue, Request, Response, StatusCode, header};
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::time::{sleep, timeout};
use tower::ServiceExt;

use crate::bodies::Bodies;
use crate::client::Peer;
use crate::connections::{Connections, Ticket};
use crate::intake::Intake;
use crate::log::Log;
use crate::refusal::refuse;
use crate::settings::{Limits, ListenAddress, Port};
use crate::stream::Stream;

/// How many ports are tried before it is given up.
const PORTS: u16 = 50;

/// How long connections have to end by themselves when the server does.
const GOODBYE: Duration = Duration::from_secs(2);

/// Listens at the address, or at the next free port.
pub(crate) async fn bind(wanted: ListenAddress) -> io::Result<TcpListener> {
    let at = |port| TcpListener::bind(SocketAddr::new(wanted.address, port));
    match wanted.port {
        Port::Exactly(port) => at(port).await,
        Port::From(first) => {
            let mut last = first;
            loop {
                match at(last).await {
                    Err(error)
                        if error.kind() == io::ErrorKind::AddrInUse
                            && last < first.saturating_add(PORTS) =>
                    {
                        last += 1;
                    }
                    result => return result,
                }
            }
        }
    }
}

/// Serves all who connect until the switch is pulled, and then gives them a moment to end.
pub(crate) async fn serve(
    listener: TcpListener,
    app: Router,
    (limits, bodies): (&Limits, &Bodies),
    log: &Log,
    mut ending: watch::Receiver<bool>,
) {
    let connections = Connections::new(limits.connections, limits.requests);
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            _ = ending.wait_for(|ending| *ending) => break,
        };
        let (stream, peer) = match accepted {
            Ok((stream, address)) => (stream, Peer(address.ip())),
            Err(error) => {
                // Most likely the system has no more files to give. It will when others are closed.
                log.say(format_args!("a connection was not accepted: {error}"));
                sleep(Duration::from_millis(50)).await;
                continue;
            }
        };
        let Some(ticket) = connections.admit(peer.client()) else {
            log.say(format_args!(
                "refused a connection: there are {} already",
                limits.connections
            ));
            continue;
        };
        let intake = Intake::new(bodies.clone(), limits.patience);
        let came = (stream, peer, intake);
        let connection = converse(came, app.clone(), *limits, ticket, ending.clone());
        tokio::spawn(connection);
    }
    drop(listener);
    let all_gone = async {
        while connections.count() > 0 {
            sleep(Duration::from_millis(10)).await;
        }
    };
    // Connections that are still open then end with the program.
    _ = timeout(GOODBYE, all_gone).await;
}

/// Serves one connection to its end.
async fn converse(
    (stream, peer, intake): (TcpStream, Peer, Arc<Intake>),
    app: Router,
    limits: Limits,
    ticket: Arc<Ticket>,
    mut ending: watch::Receiver<bool>,
) {
    // Moves are small and wanted at once.
    _ = stream.set_nodelay(true);
    let stream = TokioIo::new(Stream::new(stream, intake.clone(), limits.reading));
    let own = ticket.clone();
    let service = service_fn(move |mut request: Request<Incoming>| {
        request.extensions_mut().insert(intake.clone());
        answer(app.clone(), own.clone(), peer, request)
    });
    let mut builder = hyper::server::conn::http1::Builder::new();
    builder
        .timer(TokioTimer::new())
        .header_read_timeout(limits.patience)
        .max_buf_size(limits.head.max(8192))
        .max_headers(100);
    let connection = builder.serve_connection(stream, service).with_upgrades();
    let mut connection = std::pin::pin!(connection);
    // A client that breaks the protocol or goes away is no news.
    tokio::select! {
        _ = connection.as_mut() => return,
        () = ticket.ended() => return,
        _ = ending.wait_for(|ending| *ending) => {}
    }
    connection.as_mut().graceful_shutdown();
    _ = timeout(GOODBYE, connection).await;
}

/// Answers one request, if there were not too many on this connection.
async fn answer(
    app: Router,
    ticket: Arc<Ticket>,
    peer: Peer,
    request: Request<Incoming>,
) -> Result<Response<Body>, Infallible> {
    if !ticket.allows_request() {
        let mut response = refuse(
            StatusCode::TOO_MANY_REQUESTS,
            "limit",
            "too many requests a second on one connection",
        );
        let close = HeaderValue::from_static("close");
        response.headers_mut().insert(header::CONNECTION, close);
        return Ok(response);
    }
    // One whose body is still to come gives way to others: it may never come.
    if hyper::body::Body::is_end_stream(request.body()) {
        ticket.begin();
    }
    let mut request = request.map(Body::new);
    request.extensions_mut().insert(ticket.clone());
    request.extensions_mut().insert(peer);
    let response = app.oneshot(request).await;
    if let Ok(response) = &response
        && response.status() != StatusCode::SWITCHING_PROTOCOLS
    {
        ticket.rest();
    }
    response
}
