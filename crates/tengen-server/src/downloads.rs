//! Games as files.

use std::fmt::Write as _;
use std::sync::Arc;

use axum::Extension;
use axum::body::Body;
use axum::extract::{Path, RawQuery, State};
use axum::http::{HeaderValue, Response, StatusCode, header};
use tengen_app::{Comments, Refusal, Rights};
use tengen_render::{Animation, Fonts, RenderError};
use tokio::sync::Semaphore;

use crate::calls::status;
use crate::refusal::{json_response, not_found, refuse};
use crate::server::App;

/// Pictures are that wide, unless another width is asked for.
const WIDTH: u32 = 800;

/// The widest picture.
const WIDEST: u32 = 2400;

/// The widest moving picture: all its frames are as large.
const WIDEST_MOVING: u32 = 800;

/// A picture may show what it likes, but it may not do anything.
const POLICY: &str =
    "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'";

/// What a game is asked for as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Sgf,
    CommentedSgf,
    Svg,
    Png,
    Gif,
}

/// Which picture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Query {
    node: Option<usize>,
    width: Option<u32>,
}

/// Why there is no file.
enum Problem {
    Refused(Refusal),
    NotDrawn(RenderError),
}

/// Pictures that are drawn at a time.
#[derive(Debug)]
pub(crate) struct Easel {
    places: Semaphore,
    fonts: Fonts,
}

impl Easel {
    pub(crate) fn new(threads: usize) -> Self {
        Self {
            places: Semaphore::new(threads.max(1)),
            fonts: Fonts::embedded(),
        }
    }
}

/// Sends a game as a file.
pub(crate) async fn download(
    State(app): State<Arc<App>>,
    rights: Option<Extension<Rights>>,
    Path(file): Path<String>,
    RawQuery(query): RawQuery,
) -> Response<Body> {
    let (Some((game, kind)), Some(query)) = (named(&file), Query::parse(query.as_deref())) else {
        return not_found();
    };
    let rights = rights.map_or(Rights::default(), |rights| rights.0);
    // Who was invited to one game sees no other.
    if !app.desk.look(|room| room.may_see(rights, game)) {
        return not_found();
    }
    let game = game.to_owned();
    let Ok(_place) = app.easel.places.acquire().await else {
        return not_found();
    };
    let drawing = {
        let app = app.clone();
        tokio::task::spawn_blocking(move || draw(&app, &game, kind, query))
    };
    match drawing.await {
        Ok(Ok((name, bytes))) => as_file(kind, &name, bytes),
        Ok(Err(Problem::Refused(refusal))) => {
            json_response(status(refusal.code), &serde_json::json!(refusal))
        }
        Ok(Err(Problem::NotDrawn(error))) => refuse(
            StatusCode::UNPROCESSABLE_ENTITY,
            "limit",
            &error.to_string(),
        ),
        Err(_) => refuse(
            StatusCode::INTERNAL_SERVER_ERROR,
            "engine_failed",
            "the file could not be made",
        ),
    }
}

/// The name of a file without its ending, and what is in it.
fn draw(app: &App, game: &str, kind: Kind, query: Query) -> Result<(String, Vec<u8>), Problem> {
    // All that takes its time happens without the room.
    let (copy, name) = app
        .desk
        .look(|room| Ok::<_, Refusal>((room.copy(game)?, room.file_name(game)?)))?;
    let fonts = &app.easel.fonts;
    let width = |widest: u32| query.width.unwrap_or(WIDTH).clamp(100, widest);
    let bytes = match kind {
        Kind::Sgf => copy.sgf(Comments::Own).into_bytes(),
        Kind::CommentedSgf => copy.sgf(Comments::Added).into_bytes(),
        Kind::Svg => copy.picture(query.node)?.to_svg().into_bytes(),
        Kind::Png => {
            let picture = copy.picture(query.node)?;
            picture.to_png_with(width(WIDEST), fonts)?
        }
        Kind::Gif => {
            let frames = copy.frames(query.node)?;
            Animation::new(frames)?.to_gif_with(width(WIDEST_MOVING), fonts)?
        }
    };
    Ok((name, bytes))
}

fn as_file(kind: Kind, name: &str, bytes: Vec<u8>) -> Response<Body> {
    let (ending, content_type, disposition) = match kind {
        Kind::Sgf | Kind::CommentedSgf => {
            ("sgf", "application/x-go-sgf; charset=utf-8", "attachment")
        }
        Kind::Svg => ("svg", "image/svg+xml", "inline"),
        Kind::Png => ("png", "image/png", "inline"),
        Kind::Gif => ("gif", "image/gif", "inline"),
    };
    let mut response = Response::new(Body::from(bytes));
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(content_type));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(
        header::CONTENT_SECURITY_POLICY,
        HeaderValue::from_static(POLICY),
    );
    // Names of players have all letters that there are.
    let name = encoded(&format!("{name}.{ending}"));
    if let Ok(value) = HeaderValue::try_from(format!("{disposition}; filename*=UTF-8''{name}")) {
        headers.insert(header::CONTENT_DISPOSITION, value);
    }
    response
}

/// The game and the kind of a file such as `abc.png`.
/// A text as headers write it that have only some letters (RFC 8187).
fn encoded(text: &str) -> String {
    let mut letters = String::new();
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            letters.push(char::from(byte));
        } else {
            // Writing to a string does not fail.
            _ = write!(letters, "%{byte:02X}");
        }
    }
    letters
}

fn named(file: &str) -> Option<(&str, Kind)> {
    let (game, kind) = file.split_once('.')?;
    let kind = match kind {
        "sgf" => Kind::Sgf,
        "comments.sgf" => Kind::CommentedSgf,
        "svg" => Kind::Svg,
        "png" => Kind::Png,
        "gif" => Kind::Gif,
        _ => return None,
    };
    let is_plain = !game.is_empty() && game.bytes().all(|letter| letter.is_ascii_alphanumeric());
    is_plain.then_some((game, kind))
}

impl Query {
    /// Reads `node=3&width=400`; `None` if anything else is there.
    fn parse(query: Option<&str>) -> Option<Self> {
        let mut read = Self::default();
        let pairs = query
            .unwrap_or_default()
            .split('&')
            .filter(|pair| !pair.is_empty());
        for pair in pairs {
            match pair.split_once('=')? {
                ("node", number) => read.node = Some(number.parse().ok()?),
                ("width", number) => read.width = Some(number.parse().ok()?),
                _ => return None,
            }
        }
        Some(read)
    }
}

impl From<Refusal> for Problem {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

impl From<RenderError> for Problem {
    fn from(error: RenderError) -> Self {
        Self::NotDrawn(error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_named_after_games() {
        assert_eq!(named("ab12.sgf"), Some(("ab12", Kind::Sgf)));
        assert_eq!(
            named("ab12.comments.sgf"),
            Some(("ab12", Kind::CommentedSgf))
        );
        assert_eq!(named("ab12.gif"), Some(("ab12", Kind::Gif)));
        for wrong in [
            "ab12",
            ".sgf",
            "ab12.exe",
            "a/b.sgf",
            "../x.sgf",
            "a.b.sgf",
            "a\".sgf",
            "a\r\n.sgf",
        ] {
            assert_eq!(named(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn names_of_players_are_written_in_a_header() {
        assert_eq!(
            encoded("2026 古 – a.sgf"),
            "2026%20%E5%8F%A4%20%E2%80%93%20a.sgf"
        );
    }

    #[test]
    fn queries_say_which_picture() {
        let query = |node, width| Some(Query { node, width });
        assert_eq!(Query::parse(None), query(None, None));
        assert_eq!(
            Query::parse(Some("node=3&width=400")),
            query(Some(3), Some(400))
        );
        for wrong in ["node=x", "node=-1", "node", "other=1"] {
            assert_eq!(Query::parse(Some(wrong)), None, "{wrong}");
        }
    }
}
