//! The games of a text one after the other.

use super::{Mode, ParseError, Parser};
use crate::diagnostic::{Diagnostic, Places, Severity};
use crate::findings::Findings;
use crate::tree::Collection;

/// Reads a text game by game, so that a collection of any length takes little more memory than its text.
#[derive(Debug)]
pub(crate) struct Games {
    /// The last game, with the text of all.
    collection: Collection,
    /// How long the text is; behind it stand the repaired values of the last game.
    length: usize,
    /// Where the first game begins.
    first: usize,
    /// Where the next game begins.
    next: Option<usize>,
    /// What was found before the first game.
    before: Findings,
    has_begun: bool,
    mode: Mode,
}

impl Games {
    /// Goes to the first game; an error is a text that holds none.
    pub(crate) fn new(text: String, mode: Mode) -> Result<Self, ParseError> {
        let mut parser = Parser::resume(text.as_bytes(), 0, Collection::new());
        let begun = parser.begin();
        let (next, before) = (parser.at, parser.diagnostics);
        if let Err(problem) = begun {
            return Err(refuse(&text, problem));
        }
        Ok(Self {
            length: text.len(),
            collection: Collection::from_text(text),
            first: next,
            next: Some(next),
            before,
            has_begun: false,
            mode,
        })
    }

    /// Reads the next game, which [`Games::take`] hands over then, and returns what had to be repaired; `None` behind
    /// the last. Brackets around several games make one game with several roots.
    pub(crate) fn read_next(&mut self) -> Result<Option<Vec<Diagnostic>>, ParseError> {
        let Some(start) = self.next.take() else {
            return Ok(None);
        };
        self.has_begun = true;
        let mut text = self.collection.clear();
        text.truncate(self.length);
        let collection = std::mem::take(&mut self.collection);
        let mut parser = Parser::resume(text.as_bytes(), start, collection);
        parser.diagnostics = std::mem::take(&mut self.before);
        let root = parser.game();
        self.next = parser.go_on().then_some(parser.at);
        let diagnostics = parser.diagnostics.into_vec();
        self.collection = parser.collection;
        self.collection.first_root = root;
        let mut wrong = diagnostics
            .iter()
            .filter(|diagnostic| diagnostic.severity > Severity::Note);
        if let Some(problem) = wrong.next().filter(|_| self.mode == Mode::Strict) {
            return Err(refuse(&text, problem.clone()));
        }
        self.collection.put_before(text);
        Ok(Some(diagnostics))
    }

    /// Goes back to the first game.
    pub(crate) const fn rewind(&mut self) {
        self.next = Some(self.first);
    }

    /// Has a game been read already?
    pub(crate) const fn has_begun(&self) -> bool {
        self.has_begun
    }

    /// Hands the last game over, and with it the text. It has to come back by [`Games::take_back`].
    pub(crate) fn take(&mut self) -> Collection {
        std::mem::take(&mut self.collection)
    }

    /// Takes the last game back.
    pub(crate) fn take_back(&mut self, collection: Collection) {
        if self.has_begun {
            self.collection = collection;
        }
    }
}

pub(super) fn refuse(text: &str, problem: Diagnostic) -> ParseError {
    let place = Places::new(text).at(problem.offset);
    let message = problem.message;
    ParseError { place, message }
}
