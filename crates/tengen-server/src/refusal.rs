//! Answers to requests that are not served.

use axum::body::Body;
use axum::http::{HeaderValue, Response, StatusCode, header};
use serde_json::json;

/// An answer with this status, with an error as its body.
pub(crate) fn refuse(status: StatusCode, code: &str, message: &str) -> Response<Body> {
    let error = json!({ "code": code, "message": message });
    json_response(status, &error)
}

/// There is nothing under this path.
pub(crate) fn not_found() -> Response<Body> {
    refuse(StatusCode::NOT_FOUND, "not_found", "there is nothing here")
}

/// JSON with this status.
pub(crate) fn json_response(status: StatusCode, value: &serde_json::Value) -> Response<Body> {
    json_text(status, value.to_string())
}

/// JSON that is written already, with this status.
pub(crate) fn json_text(status: StatusCode, text: String) -> Response<Body> {
    let mut response = Response::new(Body::from(text));
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(
        header::CONTENT_TYPE,
        HeaderValue::from_static("application/json"),
    );
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}
