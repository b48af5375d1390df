//! The documents about the messages, made from their types.
//!
//! The types and their comments are the only source. `UPDATE_EXPECT=1 cargo test -p tengen-app --lib reference` writes
//! the OpenAPI document, the types of the page and the reference in `docs/api.md`; without the variable, the same tests
//! fail when what is committed is something else.

mod markdown;
mod openapi;
mod schema;
mod typescript;

use std::fs;
use std::path::Path;

pub(crate) use schema::{Schemas, Signature};

use crate::event::Event;
use crate::methods::METHODS;
use crate::outbox::AnswerMessage;
use crate::refusal::{Code, Refusal};
use crate::request::Call;

/// All messages, described.
struct Reference {
    methods: Vec<Entry>,
    schemas: Schemas,
}

/// A method, described.
struct Entry {
    name: &'static str,
    section: &'static str,
    /// Paragraphs about it, the first of which is a summary.
    paragraphs: Vec<String>,
    signature: Signature,
}

impl Reference {
    fn new() -> Self {
        let mut schemas = Schemas::new();
        let describe = |method: &crate::methods::Method| Entry {
            name: method.name,
            section: method.section,
            paragraphs: paragraphs(method.text),
            signature: (method.describe)(&mut schemas),
        };
        let methods = METHODS.iter().map(describe).collect();
        schemas.sent::<Event>();
        schemas.sent::<Refusal>();
        schemas.sent::<Code>();
        schemas.sent::<AnswerMessage>();
        schemas.taken::<Call>();
        schemas.finish();
        Self { methods, schemas }
    }
}

/// The lines of a comment as paragraphs.
fn paragraphs(lines: &[&str]) -> Vec<String> {
    let lines: Vec<&str> = lines.iter().map(|line| line.trim()).collect();
    let paragraphs = lines.split(|line| line.is_empty());
    paragraphs.map(|lines| lines.join(" ")).collect()
}

/// Breaks a text into lines of at most 120 columns, the first of which begins with `first` and the others with `rest`.
fn wrapped(text: &str, first: &str, rest: &str) -> String {
    const COLUMNS: usize = 120;
    let mut out = String::new();
    let mut line = first.to_owned();
    let mut is_fresh = true;
    for word in text.split_whitespace() {
        let space = usize::from(!is_fresh);
        if !is_fresh && line.chars().count() + space + word.chars().count() > COLUMNS {
            out.push_str(line.trim_end());
            out.push('\n');
            line = rest.to_owned();
            is_fresh = true;
        }
        if !is_fresh {
            line.push(' ');
        }
        line.push_str(word);
        is_fresh = false;
    }
    out.push_str(line.trim_end());
    out.push('\n');
    out
}

/// Holds a file against what it ought to be, or writes it.
fn expect(path: &str, wanted: &str) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .join(path);
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        fs::write(&file, wanted).unwrap();
        return;
    }
    let found = fs::read_to_string(&file).unwrap().replace("\r\n", "\n");
    assert!(
        found == wanted,
        "{path} is not what the types of the messages say: \
         call `UPDATE_EXPECT=1 cargo test -p tengen-app --lib reference` and commit what it writes"
    );
}

#[test]
fn the_openapi_document_is_current() {
    expect(
        "crates/tengen-app/openapi.json",
        &openapi::document(&Reference::new()),
    );
}

#[test]
fn the_types_of_the_page_are_current() {
    expect(
        "web/messages.d.ts",
        &typescript::declarations(&Reference::new()),
    );
}

#[test]
fn the_page_for_people_is_current() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/api.md");
    let page = fs::read_to_string(path).unwrap().replace("\r\n", "\n");
    expect(
        "docs/api.md",
        &markdown::with_reference(&page, &Reference::new()),
    );
}

#[test]
fn lines_are_broken_between_words() {
    let text = "word ".repeat(50);
    let lines = wrapped(&text, "* ", "  ");
    assert!(lines.lines().all(|line| line.chars().count() <= 120));
    assert_eq!(lines.lines().count(), 3);
    assert_eq!(lines.matches("word").count(), 50);
}
