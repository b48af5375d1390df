//! Who may ask at all. These requests meet the router without a socket.

use std::net::SocketAddr;

use axum::body::{Body, to_bytes};
use axum::http::{Request, Response, StatusCode};
use serde_json::{Value, json};
use tengen_server::{Log, Server, ServerSettings};
use tower::ServiceExt;

use crate::paper::Paper;
use crate::running::settings;

const LOOPBACK: &str = "127.0.0.1:8361";
const NETWORK: &str = "0.0.0.0:8361";
const TOKEN: &str = "abcdefgh-12345678";

fn server(settings: &ServerSettings, address: &str) -> Server {
    Server::new(settings, address.parse::<SocketAddr>().unwrap()).unwrap()
}

/// Asks with these headers.
async fn ask(server: &Server, line: &str, headers: &[(&str, &str)]) -> Response<Body> {
    let (method, path) = line.split_once(' ').unwrap();
    let mut request = Request::builder().method(method).uri(path);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    server
        .router()
        .oneshot(request.body(Body::empty()).unwrap())
        .await
        .unwrap()
}

async fn status(server: &Server, line: &str, headers: &[(&str, &str)]) -> u16 {
    ask(server, line, headers).await.status().as_u16()
}

/// A call that needs no game. Whatever is wrong with it, it was let in unless its status says so.
const CALL: &str = "POST /api/games.list";
const JSON: (&str, &str) = ("content-type", "application/json");

#[tokio::test]
async fn a_request_must_be_meant_for_us() {
    let server = server(&settings(), LOOPBACK);
    for host in [
        "127.0.0.1:8361",
        "localhost:8361",
        "localhost",
        "[::1]:9000",
    ] {
        assert_eq!(
            status(&server, CALL, &[("host", host), JSON]).await,
            200,
            "{host}"
        );
    }
    for host in [
        "evil.example:8361",
        "127.0.0.1.evil.example",
        "192.168.1.7:8361",
        "localhost@evil.example",
        "",
    ] {
        for line in [
            CALL,
            "GET /",
            "GET /api/live",
            "GET /api/openapi.json",
            "GET /games/x.sgf",
        ] {
            let status = status(&server, line, &[("host", host), JSON]).await;
            assert_eq!(status, 421, "{host} {line}");
        }
    }
    assert_eq!(status(&server, CALL, &[JSON]).await, 400);
    let twice = [("host", "localhost"), ("host", "evil.example"), JSON];
    assert_eq!(status(&server, CALL, &twice).await, 400);
    // A whole address is for a proxy, and we are none.
    let line = "POST http://localhost:8361/api/games.list";
    assert_eq!(
        status(&server, line, &[("host", "localhost:8361"), JSON]).await,
        421
    );
}

#[tokio::test]
async fn a_name_that_was_given_is_ours() {
    let settings = ServerSettings {
        hosts: vec!["go.example".to_owned()],
        ..settings()
    };
    let server = server(&settings, LOOPBACK);
    assert_eq!(
        status(&server, CALL, &[("host", "go.example:8361"), JSON]).await,
        200
    );
    assert_eq!(
        status(&server, CALL, &[("host", "no.go.example"), JSON]).await,
        421
    );
}

#[tokio::test]
async fn pages_of_others_are_refused() {
    let server = server(&settings(), LOOPBACK);
    let host = ("host", "localhost:8361");
    for origin in ["http://localhost:8361", "https://localhost:8361"] {
        assert_eq!(
            status(&server, CALL, &[host, ("origin", origin), JSON]).await,
            200,
            "{origin}"
        );
    }
    for origin in [
        "http://evil.example",
        "http://localhost:3000",
        "http://localhost",
        "http://127.0.0.1:8361",
        "null",
        "file://",
        "http://localhost:8361.evil.example",
        "",
    ] {
        for line in [CALL, "GET /api/live", "GET /", "GET /games/x.png"] {
            let status = status(&server, line, &[host, ("origin", origin), JSON]).await;
            assert_eq!(status, 403, "{origin} {line}");
        }
    }
    let twice = [
        host,
        ("origin", "http://localhost:8361"),
        ("origin", "http://evil.example"),
        JSON,
    ];
    assert_eq!(status(&server, CALL, &twice).await, 403);
}

#[tokio::test]
async fn what_browsers_say_about_a_request_counts() {
    let server = server(&settings(), LOOPBACK);
    let host = ("host", "localhost:8361");
    let said = |site, mode| [host, ("sec-fetch-site", site), ("sec-fetch-mode", mode)];
    // A picture in a page elsewhere, and a link there.
    assert_eq!(
        status(&server, "GET /games/x.png", &said("cross-site", "no-cors")).await,
        403
    );
    assert_eq!(
        status(&server, "GET /api/openapi.json", &said("same-site", "cors")).await,
        403
    );
    assert_eq!(
        status(
            &server,
            "GET /api/openapi.json",
            &said("cross-site", "navigate")
        )
        .await,
        200
    );
    assert_eq!(
        status(&server, "GET /api/openapi.json", &said("none", "navigate")).await,
        200
    );
    assert_eq!(
        status(
            &server,
            "GET /api/openapi.json",
            &said("same-origin", "cors")
        )
        .await,
        200
    );
    assert_eq!(
        status(&server, CALL, &said("cross-site", "navigate")).await,
        403
    );
}

#[tokio::test]
async fn a_form_is_no_call() {
    let server = server(&settings(), LOOPBACK);
    let host = ("host", "localhost:8361");
    for kind in [
        "text/plain",
        "application/x-www-form-urlencoded",
        "multipart/form-data",
        "text/json",
    ] {
        let status = status(&server, CALL, &[host, ("content-type", kind)]).await;
        assert_eq!(status, 415, "{kind}");
    }
    assert_eq!(status(&server, CALL, &[host]).await, 415);
    let kind = ("content-type", "Application/JSON; charset=utf-8");
    assert_eq!(status(&server, CALL, &[host, kind]).await, 200);
}

#[tokio::test]
async fn others_need_the_token_for_everything() {
    let settings = ServerSettings {
        token: Some(TOKEN.parse().unwrap()),
        ..settings()
    };
    let server = server(&settings, NETWORK);
    let host = ("host", "192.168.1.7:8361");
    for line in [
        CALL,
        "GET /",
        "GET /api/live",
        "GET /api/openapi.json",
        "GET /games/x.sgf",
        "GET /nothing",
    ] {
        assert_eq!(status(&server, line, &[host, JSON]).await, 401, "{line}");
        let wrong = ("authorization", "Bearer abcdefgh-12345679");
        assert_eq!(
            status(&server, line, &[host, JSON, wrong]).await,
            401,
            "{line}"
        );
        let other = ("cookie", "tengen_8362=abcdefgh-12345678");
        assert_eq!(
            status(&server, line, &[host, JSON, other]).await,
            401,
            "{line}"
        );
    }
    let bearer = ("authorization", "Bearer abcdefgh-12345678");
    assert_eq!(status(&server, CALL, &[host, JSON, bearer]).await, 200);
    let cookie = ("cookie", "a=b; tengen_8361=abcdefgh-12345678");
    assert_eq!(status(&server, CALL, &[host, JSON, cookie]).await, 200);
    // The token does not help a page of somebody else.
    let evil = ("origin", "http://evil.example");
    assert_eq!(
        status(&server, CALL, &[host, JSON, cookie, evil]).await,
        403
    );
    assert_eq!(
        status(&server, CALL, &[("host", "evil.example"), JSON, cookie]).await,
        421
    );
}

#[tokio::test]
async fn the_token_in_the_address_becomes_a_cookie() {
    let settings = ServerSettings {
        token: Some(TOKEN.parse().unwrap()),
        ..settings()
    };
    let server = server(&settings, NETWORK);
    let host = ("host", "192.168.1.7:8361");
    let response = ask(&server, &format!("GET /?token={TOKEN}"), &[host]).await;
    assert_eq!(response.status(), StatusCode::SEE_OTHER);
    assert_eq!(response.headers()["location"], "/");
    let cookie = response.headers()["set-cookie"].to_str().unwrap();
    assert!(
        cookie.starts_with("tengen_8361=abcdefgh-12345678; ") && cookie.contains("HttpOnly"),
        "{cookie}"
    );
    assert_eq!(
        status(&server, "GET /?token=abcdefgh-12345679", &[host]).await,
        401
    );
    assert!(
        server
            .url(NETWORK.parse().unwrap())
            .ends_with(&format!("/?token={TOKEN}"))
    );
}

#[tokio::test]
async fn whoever_can_be_reached_has_a_token() {
    let open = server(&settings(), NETWORK);
    let url = open.url(NETWORK.parse().unwrap());
    let token = url.strip_prefix("http://localhost:8361/?token=").unwrap();
    assert!(token.len() >= 32, "{token}");
    assert_eq!(
        status(&open, CALL, &[("host", "localhost"), JSON]).await,
        401
    );
    let other = server(&settings(), NETWORK);
    assert_ne!(other.url(NETWORK.parse().unwrap()), url);
    let private = server(&settings(), LOOPBACK);
    assert_eq!(
        private.url(LOOPBACK.parse().unwrap()),
        "http://127.0.0.1:8361/"
    );
}

#[tokio::test]
async fn every_answer_is_locked_up() {
    let server = server(&settings(), LOOPBACK);
    for (line, host) in [
        ("GET /", "localhost"),
        (CALL, "localhost"),
        ("GET /nothing", "localhost"),
        ("GET /", "evil.example"),
    ] {
        let response = ask(&server, line, &[("host", host), JSON]).await;
        let headers = response.headers();
        let policy = headers["content-security-policy"].to_str().unwrap();
        assert!(
            policy.contains("default-src 'none'") && policy.contains("frame-ancestors 'none'"),
            "{policy}"
        );
        assert!(!policy.contains("unsafe"), "{policy}");
        assert_eq!(headers["x-content-type-options"], "nosniff");
        assert_eq!(headers["cross-origin-resource-policy"], "same-origin");
        assert_eq!(headers["referrer-policy"], "no-referrer");
        assert_eq!(headers["server"], "tengen");
        assert!(!headers.contains_key("access-control-allow-origin"));
    }
}

#[tokio::test]
async fn refusals_say_why_and_are_logged() {
    let paper = Paper::default();
    let settings = ServerSettings {
        log: Log::to(paper.clone()),
        ..settings()
    };
    let server = server(&settings, LOOPBACK);
    let response = ask(&server, "GET /some/path", &[("host", "evil.example")]).await;
    let body = to_bytes(response.into_body(), 10_000).await.unwrap();
    let error: Value = serde_json::from_slice(&body).unwrap();
    assert_eq!(error["code"], "host");
    assert!(
        error["message"].as_str().unwrap().contains("--host"),
        "{error}"
    );
    let log = paper.text();
    assert!(log.contains("refused GET \"/some/path\""), "{log}");
}

#[tokio::test]
async fn the_token_in_the_address_leads_to_no_other_server() {
    let settings = ServerSettings {
        token: Some(TOKEN.parse().unwrap()),
        ..settings()
    };
    let server = server(&settings, NETWORK);
    let host = ("host", "192.168.1.7:8361");
    for path in [
        "//evil.example/",
        "///evil.example",
        "//evil.example/%2e%2e",
        "/games",
    ] {
        let response = ask(&server, &format!("GET {path}?token={TOKEN}"), &[host]).await;
        // What no address may have is refused; what may be leads to a path of ours.
        if response.status() == StatusCode::SEE_OTHER {
            let place = response.headers()["location"].to_str().unwrap();
            assert!(place.starts_with('/'), "{place}");
            assert!(!place[1..].starts_with(['/', '\\']), "{place}");
        } else {
            assert!(response.status().is_client_error(), "{path}");
        }
    }
}

#[tokio::test]
async fn who_has_the_link_for_spectators_looks_on_and_changes_nothing() {
    const LOOK: &str = "look-on-12345678";
    let settings = ServerSettings {
        token: Some(TOKEN.parse().unwrap()),
        spectators: Some(LOOK.parse().unwrap()),
        ..settings()
    };
    let server = server(&settings, NETWORK);
    let host = ("host", "192.168.1.7:8361");
    let url = server.spectators_url(NETWORK.parse().unwrap()).unwrap();
    assert!(url.ends_with(&format!("/?token={LOOK}")), "{url}");
    let response = ask(&server, &format!("GET /?token={LOOK}"), &[host]).await;
    let cookie = response.headers()["set-cookie"].to_str().unwrap();
    let cookie = cookie.split(';').next().unwrap().to_owned();
    assert_eq!(cookie, format!("tengen_8361_look={LOOK}"));
    let look = ("cookie", cookie.as_str());
    let bearer = format!("Bearer {LOOK}");
    for known in [look, ("authorization", bearer.as_str())] {
        for line in [CALL, "POST /api/about", "GET /"] {
            assert_eq!(
                status(&server, line, &[host, JSON, known]).await,
                200,
                "{line}"
            );
        }
        for method in tengen_app::methods() {
            let line = format!("POST /api/{method}");
            let is_look = tengen_app::Rights::Look.check(method).is_ok();
            let said = status(&server, &line, &[host, JSON, known]).await;
            assert_eq!(said == 403, !is_look, "{method}: {said}");
        }
    }
    // The token of spectators in the cookie of players is nothing.
    let swapped = format!("tengen_8361={LOOK}");
    assert_eq!(
        status(&server, CALL, &[host, JSON, ("cookie", &swapped)]).await,
        401
    );
    // A player who has tried the other link is still a player.
    let both = format!("{cookie}; tengen_8361={TOKEN}");
    let new = "POST /api/games.new";
    assert_eq!(
        status(&server, new, &[host, JSON, ("cookie", &both)]).await,
        400
    );
    // Without a token everybody on this machine may do everything.
    let private = Server::new(&crate::running::settings(), LOOPBACK.parse().unwrap()).unwrap();
    assert_eq!(private.spectators_url(LOOPBACK.parse().unwrap()), None);
}

/// Calls a method with params, and gives the status and the answer.
async fn call(
    server: &Server,
    method: &str,
    params: &Value,
    headers: &[(&str, &str)],
) -> (u16, Value) {
    let mut request = Request::builder()
        .method("POST")
        .uri(format!("/api/{method}"));
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let request = request.body(Body::from(params.to_string())).unwrap();
    let response = server.router().oneshot(request).await.unwrap();
    let status = response.status().as_u16();
    let bytes = to_bytes(response.into_body(), 1 << 20).await.unwrap();
    (status, serde_json::from_slice(&bytes).unwrap())
}

#[tokio::test]
async fn who_was_invited_takes_a_seat_and_sees_no_other_game() {
    const SECRET: &str = "come-and-play-with-me";
    let settings = ServerSettings {
        token: Some(TOKEN.parse().unwrap()),
        ..settings()
    };
    let server = server(&settings, NETWORK);
    let host = ("host", "192.168.1.7:8361");
    let own = format!("Bearer {TOKEN}");
    let owner = [host, JSON, ("authorization", own.as_str())];
    let person = json!({"kind": "person"});
    let new =
        json!({"width": 5, "height": 5, "rules": "chinese", "black": person, "white": person});
    let game = call(&server, "games.new", &new, &owner).await.1["id"].clone();
    let other = call(&server, "games.new", &new, &owner).await.1["id"].clone();
    // A secret that nobody was invited with is no token.
    let link = format!("GET /?token={SECRET}");
    assert_eq!(status(&server, &link, &[host]).await, 401);
    let invite = json!({"game": game, "color": "black", "secret": SECRET});
    assert_eq!(call(&server, "game.invite", &invite, &owner).await.0, 200);
    let response = ask(&server, &link, &[host]).await;
    assert_eq!(response.status().as_u16(), 303);
    let cookie = response.headers()["set-cookie"].to_str().unwrap();
    let cookie = cookie.split(';').next().unwrap().to_owned();
    assert_eq!(cookie, format!("tengen_8361_seat={SECRET}"));
    let guest = [host, JSON, ("cookie", cookie.as_str())];
    assert_eq!(status(&server, "GET /", &guest).await, 200);
    let about = call(&server, "about", &json!({}), &guest).await.1;
    assert_eq!(about["seat"], json!({"game": game, "color": "black"}));
    let play = json!({"game": game, "node": 0, "move": "C3"});
    assert_eq!(call(&server, "game.play", &play, &guest).await.0, 200);
    assert_eq!(call(&server, "games.list", &json!({}), &guest).await.0, 403);
    let of_other = json!({"game": other});
    assert_eq!(call(&server, "game.get", &of_other, &guest).await.0, 403);
    let file = |game: &Value| format!("GET /games/{}.sgf", game.as_str().unwrap());
    assert_eq!(status(&server, &file(&game), &guest).await, 200);
    assert_eq!(status(&server, &file(&other), &guest).await, 404);
    // The secret in the cookie of players is nothing.
    let swapped = format!("tengen_8361={SECRET}");
    assert_eq!(
        status(&server, CALL, &[host, JSON, ("cookie", &swapped)]).await,
        401
    );
}
