//! Who may ask at all.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, Response, StatusCode, Uri, header};
use axum::middleware::Next;

use crate::desk::Desk;
use crate::hosts::Hosts;
use crate::log::Log;
use crate::refusal::refuse;
use crate::token::Token;
use tengen_app::{Invitation, Rights};

/// What the page may do: load what this server sends and talk to it, and nothing else.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; \
    font-src 'self'; connect-src 'self'; worker-src 'self'; manifest-src 'self'; base-uri 'none'; \
    form-action 'none'; frame-ancestors 'none'";

/// Said with every answer.
const HEADERS: [(HeaderName, &str); 6] = [
    (header::SERVER, "tengen"),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (header::REFERRER_POLICY, "no-referrer"),
    (
        HeaderName::from_static("cross-origin-opener-policy"),
        "same-origin",
    ),
    (
        HeaderName::from_static("cross-origin-resource-policy"),
        "same-origin",
    ),
];

/// Lets requests in that come from our own page, or from a program of whoever knows the token.
#[derive(Debug)]
pub(crate) struct Guard {
    pub(crate) hosts: Hosts,
    /// What must be known, if the server can be reached from other machines.
    pub(crate) token: Option<Token>,
    /// What must be known to look on, and change nothing.
    pub(crate) spectators: Option<Token>,
    /// Who knows which secrets of invitations hold.
    pub(crate) desk: Arc<Desk>,
    /// The name of the cookie with the token. Cookies do not care for ports, so that the name has to.
    pub(crate) cookie: String,
    pub(crate) log: Log,
}

/// Why a request was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reason {
    /// It does not say, or says twice, to whom it is sent.
    NoHost,
    /// It is sent to somebody else.
    ForeignHost,
    /// A page of somebody else sends it.
    ForeignOrigin,
    /// It needs a token.
    NoToken,
}

/// Looks at every request, and adds what every answer has.
pub(crate) async fn guard(
    State(guard): State<Arc<Guard>>,
    mut request: Request,
    next: Next,
) -> Response<Body> {
    let mut response = match guard.check(&request) {
        Err(reason) => guard.refuse(reason, &request),
        Ok(rights) => match guard.token_in_query(request.uri()) {
            Some(elsewhere) => guard.with_cookie(request.uri(), &elsewhere),
            None => {
                request.extensions_mut().insert(rights);
                next.run(request).await
            }
        },
    };
    let headers = response.headers_mut();
    for (name, value) in &HEADERS {
        headers.insert(name.clone(), HeaderValue::from_static(value));
    }
    headers
        .entry(header::CONTENT_SECURITY_POLICY)
        .or_insert(HeaderValue::from_static(POLICY));
    response
}

impl Guard {
    fn check(&self, request: &Request) -> Result<Rights, Reason> {
        let headers = request.headers();
        // A whole address in the first line is for proxies.
        if request.uri().authority().is_some() {
            return Err(Reason::ForeignHost);
        }
        let mut hosts = headers.get_all(header::HOST).iter();
        let (Some(host), None) = (hosts.next(), hosts.next()) else {
            return Err(Reason::NoHost);
        };
        let host = host.to_str().map_err(|_| Reason::ForeignHost)?;
        if !self.hosts.know(host) {
            return Err(Reason::ForeignHost);
        }
        if !is_own(headers, request.method(), host) {
            return Err(Reason::ForeignOrigin);
        }
        let knows = |token: &Option<Token>, rights| {
            let token = token.as_ref()?;
            self.knows_token(token, rights, request).then_some(rights)
        };
        match &self.token {
            None => Ok(Rights::Play),
            Some(_) => knows(&self.token, Rights::Play)
                .or_else(|| self.seat(request))
                .or_else(|| knows(&self.spectators, Rights::Look))
                .ok_or(Reason::NoToken),
        }
    }

    /// The name of the cookie with the token for these rights. There are two, so that a player who tries the link for
    /// spectators is still a player.
    fn cookie_name(&self, rights: Rights) -> String {
        match rights {
            Rights::Play => self.cookie.clone(),
            Rights::Look => format!("{}_look", self.cookie),
            Rights::Seat(_) => format!("{}_seat", self.cookie),
        }
    }

    /// The seat that whoever asks was invited to.
    fn seat(&self, request: &Request) -> Option<Rights> {
        let cookie = self.cookie_name(Rights::Seat(Invitation(0)));
        let cookies = request.headers().get_all(header::COOKIE).iter();
        let by_cookie = cookies
            .filter_map(|value| value.to_str().ok())
            .flat_map(|cookies| cookies.split(';'))
            .filter_map(|cookie| cookie.trim().split_once('='))
            .filter(|(name, _)| *name == cookie)
            .map(|(_, secret)| secret);
        said_token(request.uri())
            .into_iter()
            .chain(by_cookie)
            .find_map(|secret| self.invited(secret))
    }

    fn invited(&self, secret: &str) -> Option<Rights> {
        self.desk
            .look(|room| room.invited(secret))
            .map(Rights::Seat)
    }

    fn knows_token(&self, token: &Token, rights: Rights, request: &Request) -> bool {
        let cookie = self.cookie_name(rights);
        let headers = request.headers();
        let texts = |name| {
            headers
                .get_all(name)
                .iter()
                .filter_map(|value| value.to_str().ok())
        };
        let by_cookie = texts(header::COOKIE)
            .flat_map(|cookies| cookies.split(';'))
            .filter_map(|cookie| cookie.trim().split_once('='))
            .any(|(name, value)| name == cookie && token.is(value));
        let by_header = texts(header::AUTHORIZATION)
            .filter_map(|value| value.strip_prefix("Bearer "))
            .any(|value| token.is(value));
        let by_query = said_token(request.uri()).is_some_and(|said| token.is(said));
        by_cookie || by_header || by_query
    }

    /// Where to go on without the token in the address, if a page was asked for with it. It is right by now.
    fn token_in_query(&self, uri: &Uri) -> Option<String> {
        self.token.as_ref()?;
        said_token(uri)?;
        // Tools that put the token into every address are not sent elsewhere.
        (!uri.path().starts_with("/api/")).then(|| own_path(uri.path()))
    }

    fn with_cookie(&self, uri: &Uri, elsewhere: &str) -> Response<Body> {
        let mut response = Response::new(Body::empty());
        *response.status_mut() = StatusCode::SEE_OTHER;
        let said = said_token(uri).unwrap_or_default();
        let is = |token: &Option<Token>| token.as_ref().is_some_and(|token| token.is(said));
        let rights = if is(&self.token) {
            Some(Rights::Play)
        } else if is(&self.spectators) {
            Some(Rights::Look)
        } else {
            self.invited(said)
        };
        // A wrong one in the address of somebody who has a cookie leaves the cookie as it is.
        let cookie = rights.map_or_else(String::new, |rights| {
            format!(
                "{}={said}; Path=/; HttpOnly; SameSite=Lax; Max-Age=31536000",
                self.cookie_name(rights),
            )
        });
        let headers = response.headers_mut();
        for (name, value) in [
            (header::SET_COOKIE, cookie.as_str()),
            (header::LOCATION, elsewhere),
            (header::CACHE_CONTROL, "no-store"),
        ] {
            if let Ok(value) = HeaderValue::from_str(value)
                && !value.is_empty()
            {
                headers.insert(name, value);
            }
        }
        response
    }

    fn refuse(&self, reason: Reason, request: &Request) -> Response<Body> {
        let (status, code, message) = match reason {
            Reason::NoHost => (
                StatusCode::BAD_REQUEST,
                "host",
                "a request says in one Host header to whom it is sent",
            ),
            Reason::ForeignHost => (
                StatusCode::MISDIRECTED_REQUEST,
                "host",
                "this is Tengen, which does not know itself by this name; start it with --host NAME if it should",
            ),
            Reason::ForeignOrigin => (
                StatusCode::FORBIDDEN,
                "origin",
                "only the page of this server may ask it",
            ),
            Reason::NoToken => (
                StatusCode::UNAUTHORIZED,
                "token",
                "this server needs a token: open the address that it printed when it started",
            ),
        };
        let shown: String = request.uri().path().chars().take(80).collect();
        self.log.say(format_args!(
            "refused {} {shown:?}: {message}",
            request.method()
        ));
        refuse(status, code, message)
    }
}

/// Is this not the request of another page?
///
/// A browser names the page in `Origin`, or at least says in `Sec-Fetch-Site` that it is another one. It says nothing
/// when somebody typed the address, and a link elsewhere that leads here may be followed.
fn is_own(headers: &HeaderMap, method: &Method, host: &str) -> bool {
    let mut origins = headers.get_all(header::ORIGIN).iter();
    if let Some(origin) = origins.next() {
        let own = |scheme: &str| {
            let authority = origin
                .to_str()
                .ok()
                .and_then(|origin| origin.strip_prefix(scheme));
            authority.is_some_and(|authority| authority.eq_ignore_ascii_case(host))
        };
        return origins.next().is_none() && (own("http://") || own("https://"));
    }
    let said = |name: &str| headers.get(name).map(|value| value.to_str().unwrap_or("?"));
    match said("sec-fetch-site") {
        None | Some("same-origin" | "none") => true,
        Some(_) => method == Method::GET && said("sec-fetch-mode") == Some("navigate"),
    }
}

/// A path of this server as the place to go on at. One that begins with two slashes would be another server's, and
/// browsers take backslashes for slashes.
fn own_path(path: &str) -> String {
    let path = path.trim_start_matches(['/', '\\']);
    format!("/{path}")
}

/// The token in the query of an address.
fn said_token(uri: &Uri) -> Option<&str> {
    uri.query()?
        .split('&')
        .find_map(|pair| pair.strip_prefix("token="))
}
