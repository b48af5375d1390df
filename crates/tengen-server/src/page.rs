//! The page: its files, in the program or in a folder.

use std::collections::HashMap;
use std::io::Write;
use std::path::PathBuf;

use axum::body::Body;
use axum::http::{HeaderMap, HeaderValue, Response, StatusCode, header};
use flate2::Compression;
use flate2::write::GzEncoder;

use crate::refusal;

/// Files that are smaller than this are not worth compressing.
const WORTH_COMPRESSING: usize = 1000;

/// The files that were there when the program was built.
const EMBEDDED: &[(&str, &[u8])] = &include!(concat!(env!("OUT_DIR"), "/page_files.rs"));

/// Where the files of the page come from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum PageSource {
    /// The program itself.
    #[default]
    Embedded,
    /// A folder that is read at every request, for whoever works on the page.
    Folder(PathBuf),
}

/// The page, ready to be served.
#[derive(Debug)]
pub(crate) enum Page {
    Embedded(HashMap<&'static str, File>),
    Folder(PathBuf),
}

/// A file of the page.
#[derive(Debug)]
pub(crate) struct File {
    bytes: &'static [u8],
    compressed: Option<Vec<u8>>,
    tag: HeaderValue,
}

impl Page {
    /// The page from this source.
    pub(crate) fn new(source: &PageSource) -> Self {
        match source {
            PageSource::Embedded => {
                let files = EMBEDDED
                    .iter()
                    .map(|(name, bytes)| (*name, File::new(bytes)));
                Self::Embedded(files.collect())
            }
            PageSource::Folder(folder) => Self::Folder(folder.clone()),
        }
    }

    /// The answer to a request for this path, which begins with a slash.
    pub(crate) async fn get(&self, path: &str, asked: &HeaderMap) -> Response<Body> {
        let Some(name) = file_name(path) else {
            return refusal::not_found();
        };
        match self {
            Self::Embedded(files) => match files.get(name) {
                Some(file) => file.response(name, asked),
                None => refusal::not_found(),
            },
            Self::Folder(folder) => match tokio::fs::read(folder.join(name)).await {
                Ok(bytes) => with_type(name, bytes),
                Err(_) => refusal::not_found(),
            },
        }
    }
}

/// The name of a file below the page's folder, or `None` for a path that no file of the page can have.
///
/// Nothing is decoded and nothing made simpler: a path with `%`, `..`, an empty or a hidden part is no file of the
/// page.
fn file_name(path: &str) -> Option<&str> {
    let name = match path.strip_prefix('/')? {
        "" => return Some("index.html"),
        name => name,
    };
    let is_plain =
        |letter: u8| letter.is_ascii_alphanumeric() || matches!(letter, b'.' | b'-' | b'_');
    let is_part =
        |part: &str| !part.is_empty() && !part.starts_with('.') && part.bytes().all(is_plain);
    name.split('/').all(is_part).then_some(name)
}

impl File {
    fn new(bytes: &'static [u8]) -> Self {
        let tag = format!("\"{:016x}\"", checksum(bytes));
        Self {
            bytes,
            compressed: compressed(bytes),
            tag: HeaderValue::try_from(tag).unwrap_or(HeaderValue::from_static("\"\"")),
        }
    }

    fn response(&self, name: &str, asked: &HeaderMap) -> Response<Body> {
        let is_known = asked
            .get_all(header::IF_NONE_MATCH)
            .iter()
            .filter_map(|tags| tags.to_str().ok())
            .flat_map(|tags| tags.split(','))
            .any(|tag| tag.trim().trim_start_matches("W/").as_bytes() == self.tag.as_bytes());
        let mut response = match (&self.compressed, is_known) {
            (_, true) => {
                let mut response = Response::new(Body::empty());
                *response.status_mut() = StatusCode::NOT_MODIFIED;
                response
            }
            (Some(compressed), false) if takes_gzip(asked) => {
                let mut response = with_type(name, compressed.clone());
                let gzip = HeaderValue::from_static("gzip");
                response
                    .headers_mut()
                    .insert(header::CONTENT_ENCODING, gzip);
                response
            }
            (_, false) => with_type(name, self.bytes),
        };
        let headers = response.headers_mut();
        headers.insert(header::ETAG, self.tag.clone());
        headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
        response
    }
}

/// A file with its type. Whoever has it already asks whether it is still the same: a new version of the program must
/// not meet half of the old page.
fn with_type(name: &str, bytes: impl Into<Body>) -> Response<Body> {
    let mut response = Response::new(bytes.into());
    let headers = response.headers_mut();
    headers.insert(
        header::CONTENT_TYPE,
        HeaderValue::from_static(content_type(name)),
    );
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    response
}

fn content_type(name: &str) -> &'static str {
    match name.rsplit_once('.').map_or("", |(_, kind)| kind) {
        "css" => "text/css; charset=utf-8",
        "html" => "text/html; charset=utf-8",
        "ico" => "image/x-icon",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "json" | "map" => "application/json",
        "png" => "image/png",
        "svg" => "image/svg+xml",
        "txt" => "text/plain; charset=utf-8",
        "wasm" => "application/wasm",
        "webmanifest" => "application/manifest+json",
        "woff2" => "font/woff2",
        _ => "application/octet-stream",
    }
}

fn takes_gzip(asked: &HeaderMap) -> bool {
    let accepted = asked
        .get(header::ACCEPT_ENCODING)
        .and_then(|value| value.to_str().ok());
    accepted.unwrap_or_default().split(',').any(|coding| {
        let mut parts = coding.split(';').map(str::trim);
        parts.next() == Some("gzip") && !parts.any(|weight| matches!(weight, "q=0" | "q=0.0"))
    })
}

fn compressed(bytes: &[u8]) -> Option<Vec<u8>> {
    if bytes.len() < WORTH_COMPRESSING {
        return None;
    }
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).ok()?;
    let compressed = encoder.finish().ok()?;
    (compressed.len() < bytes.len()).then_some(compressed)
}

/// FNV-1a: enough to tell two versions of a file apart.
fn checksum(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_plain_paths_are_files() {
        assert_eq!(file_name("/"), Some("index.html"));
        assert_eq!(file_name("/board/svg.js"), Some("board/svg.js"));
        for trick in [
            "",
            "index.html",
            "//",
            "/../secret",
            "/a/../b",
            "/a//b",
            "/a/",
            "/.git/config",
            "/a/.hidden",
            "/%2e%2e/secret",
            "/a%2fb",
            "/a\\b",
            "/c:/windows",
            "/a\0b",
            "/./a",
        ] {
            assert_eq!(file_name(trick), None, "{trick}");
        }
    }

    #[test]
    fn compression_is_used_where_it_is_wanted() {
        let asked = |accepted| {
            HeaderMap::from_iter([(header::ACCEPT_ENCODING, HeaderValue::from_static(accepted))])
        };
        assert!(takes_gzip(&asked("gzip, deflate, br")));
        assert!(takes_gzip(&asked("br;q=1.0, gzip;q=0.8")));
        assert!(!takes_gzip(&asked("gzip;q=0, br")));
        assert!(!takes_gzip(&asked("br")));
        assert!(!takes_gzip(&HeaderMap::new()));
    }
}
