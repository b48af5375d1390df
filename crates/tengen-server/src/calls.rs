//! Calls over HTTP: a request each.

use std::sync::Arc;
use std::time::Duration;

use axum::Extension;
use axum::body::Body as HttpBody;
use axum::extract::{Path, Request, State};
use axum::http::{HeaderMap, HeaderValue, Response, StatusCode, header};
use futures_util::StreamExt;
use serde_json::{Value, json};
use tengen_app::{Code, OPENAPI, Refusal, Rights, Viewer};
use tokio::sync::oneshot;
use tokio::time::timeout;

use crate::bodies::{Reserved, weight};
use crate::client::{Peer, guest};
use crate::connections::Ticket;
use crate::desk::{Body, Caller};
use crate::refusal::{json_response, json_text, refuse};
use crate::server::App;

/// Answers a method with its params as the body.
pub(crate) async fn call(
    State(app): State<Arc<App>>,
    Path(method): Path<String>,
    peer: Option<Extension<Peer>>,
    rights: Option<Extension<Rights>>,
    request: Request,
) -> Response<HttpBody> {
    // A page elsewhere can make a browser send other types without asking us.
    if !is_json(request.headers()) {
        return refuse(
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            "invalid_params",
            "params are sent as application/json",
        );
    }
    // What is reserved is kept until the call is done.
    let (params, _reserved) = match params(&app, request).await {
        Ok(params) => params,
        Err(response) => return response,
    };
    let guest = guest(peer.map(|peer| peer.0), rights.map(|rights| rights.0));
    let (sender, receiver) = oneshot::channel();
    let visit = Visit {
        viewer: app.desk.new_viewer(),
        app,
    };
    visit.app.desk.enter(visit.viewer, guest, None);
    visit
        .app
        .call((visit.viewer, guest), method, params, Caller::Once(sender))
        .await;
    match receiver.await {
        Ok(Ok(Body::Value(result))) => json_response(StatusCode::OK, &result),
        Ok(Ok(Body::Text(text))) => json_text(StatusCode::OK, text),
        Ok(Err(refusal)) => json_response(status(refusal.code), &json!(refusal)),
        Err(_) => json_response(
            StatusCode::SERVICE_UNAVAILABLE,
            &json!(Refusal::new(Code::Cancelled, "the server ends")),
        ),
    }
}

/// What all methods are, for machines.
pub(crate) async fn openapi() -> Response<HttpBody> {
    let mut response = Response::new(HttpBody::from(OPENAPI));
    let json = HeaderValue::from_static("application/json");
    response.headers_mut().insert(header::CONTENT_TYPE, json);
    response
}

/// A viewer for the time of one request, who leaves however it ends.
struct Visit {
    app: Arc<App>,
    viewer: Viewer,
}

impl Drop for Visit {
    fn drop(&mut self) {
        let (app, viewer) = (self.app.clone(), self.viewer);
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            runtime.spawn_blocking(move || app.desk.leave(viewer));
        }
    }
}

fn is_json(headers: &HeaderMap) -> bool {
    let kind = headers
        .get(header::CONTENT_TYPE)
        .and_then(|kind| kind.to_str().ok());
    let kind = kind
        .and_then(|kind| kind.split(';').next())
        .unwrap_or_default();
    kind.trim().eq_ignore_ascii_case("application/json")
}

/// The body of a request as JSON, and the memory for it; none is an object without fields.
async fn params(app: &App, request: Request) -> Result<(Value, Reserved), Response<HttpBody>> {
    let limits = &app.limits;
    let (body, mut reserved) = receive(app, request, limits.body, limits.patience).await?;
    if body.is_empty() {
        return Ok((json!({}), reserved));
    }
    let refused = |refusal: Refusal| json_response(status(refusal.code), &json!(refusal));
    app.bodies
        .grow(&mut reserved, weight(&body))
        .map_err(refused)?;
    let params = serde_json::from_slice(&body).map_err(|error| {
        let refusal = Refusal::new(Code::InvalidParams, format!("this is no JSON: {error}"));
        json_response(StatusCode::BAD_REQUEST, &json!(refusal))
    })?;
    Ok((params, reserved))
}

/// The body of a request of at most so many bytes, and the memory for it.
pub(crate) async fn receive(
    app: &App,
    request: Request,
    limit: usize,
    patience: Duration,
) -> Result<(Vec<u8>, Reserved), Response<HttpBody>> {
    let too_large = || {
        let refusal = Refusal::new(Code::Limit, format!("a body has {limit} bytes at most"))
            .with(json!({ "what": "bytes_of_a_body", "limit": limit }));
        json_response(StatusCode::PAYLOAD_TOO_LARGE, &json!(refusal))
    };
    let ticket = request.extensions().get::<Arc<Ticket>>().cloned();
    let promised = request.headers().get(header::CONTENT_LENGTH);
    let promised = promised.and_then(|length| length.to_str().ok()?.parse::<u64>().ok());
    if promised.is_some_and(|length| length > limit as u64) {
        return Err(too_large());
    }
    let refused = |refusal: Refusal| json_response(status(refusal.code), &json!(refusal));
    let mut reserved = Reserved::default();
    let mut body = Vec::new();
    let receive = async {
        let mut parts = request.into_body().into_data_stream();
        while let Some(part) = parts.next().await {
            // A body that ends early has the connection end, and nobody hears the answer.
            let part = part.map_err(|_| too_large())?;
            if body.len() + part.len() > limit {
                return Err(too_large());
            }
            // What did come is counted, not what was promised: promises cost those nothing who break them.
            let bytes = body.len() + part.len();
            app.bodies.grow(&mut reserved, bytes).map_err(refused)?;
            body.extend_from_slice(&part);
        }
        Ok(())
    };
    match timeout(patience, receive).await {
        Ok(received) => received?,
        Err(_) => {
            let seconds = patience.as_secs();
            let message = format!("the body was not there after {seconds} seconds");
            return Err(refuse(StatusCode::REQUEST_TIMEOUT, "limit", &message));
        }
    }
    // From now on it is us for whom the connection waits.
    if let Some(ticket) = ticket {
        ticket.begin();
    }
    Ok((body, reserved))
}

/// The status that comes nearest to why a call was refused.
pub(crate) const fn status(code: Code) -> StatusCode {
    match code {
        Code::UnknownMethod | Code::NoGame | Code::NoNode => StatusCode::NOT_FOUND,
        Code::InvalidParams => StatusCode::BAD_REQUEST,
        Code::IllegalMove | Code::IllegalSetup | Code::Unreadable => {
            StatusCode::UNPROCESSABLE_ENTITY
        }
        Code::NotYourTurn
        | Code::NotLive
        | Code::WrongPhase
        | Code::NothingToUndo
        | Code::Busy
        | Code::Cancelled => StatusCode::CONFLICT,
        Code::Limit => StatusCode::TOO_MANY_REQUESTS,
        Code::ReadOnly => StatusCode::FORBIDDEN,
        Code::NotSaved => StatusCode::INSUFFICIENT_STORAGE,
        Code::EngineFailed => StatusCode::INTERNAL_SERVER_ERROR,
        Code::Unsupported => StatusCode::NOT_IMPLEMENTED,
    }
}
