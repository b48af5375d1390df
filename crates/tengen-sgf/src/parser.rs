//! Reading the text of SGF files.

mod properties;

use std::fmt;

use crate::diagnostic::{Diagnostic, Place, Places, Severity};
use crate::property::Kind;
use crate::tree::{Collection, NodeId};

/// How to treat what is against the format.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// Repair it and say so.
    #[default]
    Lenient,
    /// Refuse it.
    Strict,
}

/// A file that was read, and what had to be repaired.
#[derive(Clone, Debug)]
pub struct Parsed {
    /// The games.
    pub collection: Collection,
    /// What was repaired, in the order of the file.
    pub diagnostics: Vec<Diagnostic>,
}

/// Why a file was refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    /// Where.
    pub place: Place,
    /// What was wrong.
    pub message: String,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.message)
    }
}

impl std::error::Error for ParseError {}

impl Collection {
    /// Reads a text.
    ///
    /// ```
    /// use tengen_sgf::{Collection, Mode};
    /// let parsed = Collection::parse("(;SZ[9];B[ee];W[ge]", Mode::Lenient)?;
    /// assert_eq!(parsed.collection.node_count(), 3);
    /// assert_eq!(parsed.diagnostics[0].message, "a `)` is missing: added at the end");
    /// assert!(Collection::parse("(;SZ[9];B[ee];W[ge]", Mode::Strict).is_err());
    /// # Ok::<(), tengen_sgf::ParseError>(())
    /// ```
    pub fn parse(text: impl Into<String>, mode: Mode) -> Result<Parsed, ParseError> {
        let text = text.into();
        let mut parser = Parser::new(text.as_bytes());
        let result = parser.run();
        let (mut collection, diagnostics) = (parser.collection, parser.diagnostics);
        let refused = result.err().or_else(|| {
            let repaired = |diagnostic: &&Diagnostic| diagnostic.severity > Severity::Note;
            let first = diagnostics.iter().find(repaired).cloned();
            first.filter(|_| mode == Mode::Strict)
        });
        if let Some(Diagnostic {
            offset, message, ..
        }) = refused
        {
            let place = Places::new(&text).at(offset);
            return Err(ParseError { place, message });
        }
        // Values that were repaired stand in a text of their own so far: their places count on from the file's end.
        let repaired = std::mem::replace(&mut collection.text, text);
        collection.text.push_str(&repaired);
        Ok(Parsed {
            collection,
            diagnostics,
        })
    }
}

struct Parser<'a> {
    bytes: &'a [u8],
    at: usize,
    collection: Collection,
    diagnostics: Vec<Diagnostic>,
    /// Where each open `(` goes back to when it is closed.
    open: Vec<Branch>,
    /// Is the game Go? The values of other games can be anything.
    is_go: bool,
    /// Has the root said which game it is?
    game_is_known: bool,
    /// Has a `(` no node yet?
    begins: bool,
}

/// A place where nodes are added.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Branch {
    /// The parent of the next node; `None` for a root.
    parent: Option<NodeId>,
    /// The child of that parent that the next node comes behind.
    last_child: Option<NodeId>,
}

impl<'a> Parser<'a> {
    fn new(bytes: &'a [u8]) -> Self {
        let count = |byte| memchr::memchr_iter(byte, bytes).count();
        let mut collection = Collection::new();
        // Upper bounds, since comments may hold these characters too; they spare the doubling of large vectors.
        collection.nodes.reserve(count(b';'));
        let values = count(b'[');
        collection.values.reserve(values);
        collection.properties.reserve(values);
        Self {
            bytes,
            at: 0,
            collection,
            diagnostics: Vec::new(),
            open: Vec::new(),
            is_go: true,
            game_is_known: false,
            begins: false,
        }
    }

    fn report(&mut self, severity: Severity, offset: usize, message: impl Into<String>) {
        self.diagnostics
            .push(Diagnostic::new(severity, offset, message));
    }

    #[inline]
    fn skip_space(&mut self) {
        while let Some(byte) = self.bytes.get(self.at)
            && is_space(*byte)
        {
            self.at += 1;
        }
    }

    /// Reads all games of the file; an error is a file that holds none.
    fn run(&mut self) -> Result<(), Diagnostic> {
        if u32::try_from(self.bytes.len()).is_err() {
            return Err(Diagnostic::new(
                Severity::Error,
                0,
                "the file is larger than 4 GiB",
            ));
        }
        let Some(start) = self.find_game(0) else {
            let what = if self.bytes.iter().all(|byte| is_space(*byte)) {
                "the file is empty"
            } else {
                "this is not SGF: there is no game, which begins with `(;`"
            };
            return Err(Diagnostic::new(Severity::Error, 0, what));
        };
        if self.bytes[..start].iter().any(|byte| !is_space(*byte)) {
            self.report(Severity::Note, 0, "text before the first game: skipped");
        }
        self.at = start;
        let mut last_root = None;
        loop {
            let root = self.game();
            match (last_root, root) {
                (Some(last), Some(root)) => self.collection.link_sibling(last, root),
                (None, Some(root)) => self.collection.first_root = Some(root),
                (_, None) => {}
            }
            // Brackets around several games make them one game here, with several roots.
            last_root = root.or(last_root).map(|root| self.last_sibling(root));
            let end = self.at;
            let Some(next) = self.find_game(end) else {
                break;
            };
            self.skip_between(end, next);
            self.at = next;
        }
        let end = self.at;
        self.skip_between(end, self.bytes.len());
        Ok(())
    }

    /// Where the next game begins: at a `(` with a `;` behind it or, in a file without any, at a `;` or `(` before a
    /// property.
    fn find_game(&self, from: usize) -> Option<usize> {
        let rest = &self.bytes[from..];
        let mut at = 0;
        let strict = loop {
            let Some(found) = memchr::memchr(b'(', &rest[at..]) else {
                break None;
            };
            let bracket = at + found;
            // More brackets may come before the first node. They are looked at once, however many they are.
            let behind = rest[bracket..]
                .iter()
                .position(|byte| !(is_space(*byte) || *byte == b'('));
            let Some(behind) = behind else {
                break None;
            };
            at = bracket + behind;
            if rest[at] == b';' {
                break Some(from + bracket);
            }
        };
        if strict.is_some() || from > 0 {
            return strict;
        }
        let starts = memchr::memchr2_iter(b';', b'(', rest);
        starts.into_iter().find(|at| self.is_property(at + 1))
    }

    /// Does a property begin here, white space aside? Prose may have words before a `[` too.
    fn is_property(&self, from: usize) -> bool {
        let rest = &self.bytes[from.min(self.bytes.len())..];
        let mut at = 0;
        loop {
            at += rest[at..]
                .iter()
                .take_while(|byte| is_space(**byte))
                .count();
            let len = rest[at..]
                .iter()
                .take_while(|byte| byte.is_ascii_alphanumeric())
                .count();
            let name = &rest[at..at + len];
            at += len;
            let is_short = len <= 2;
            let is_name = match name.first() {
                Some(first) => first.is_ascii_uppercase() || first.is_ascii_lowercase() && is_short,
                None => false,
            };
            let space = rest[at..]
                .iter()
                .take_while(|byte| is_space(**byte))
                .count();
            match rest.get(at + space) {
                Some(b'[') => {
                    return is_name && (space == 0 || !name.iter().any(u8::is_ascii_lowercase));
                }
                // A property that has lost its value comes before another.
                Some(_) if is_name && is_short && space > 0 && name[0].is_ascii_uppercase() => {}
                _ => return false,
            }
        }
    }

    /// Says what was skipped between two games.
    fn skip_between(&mut self, from: usize, to: usize) {
        let skipped = self.bytes[from..to]
            .iter()
            .position(|byte| !is_space(*byte));
        if let Some(first) = skipped {
            // Some systems end a text file with control-Z or zeros.
            let rest = &self.bytes[from + first..to];
            let harmless = rest
                .iter()
                .all(|byte| matches!(byte, 0 | 0x1a) || is_space(*byte));
            let severity = if harmless {
                Severity::Note
            } else {
                Severity::Warning
            };
            let message = if rest.iter().all(|byte| *byte == b')' || is_space(*byte)) {
                "a `)` too many: left out"
            } else {
                "text behind a game: skipped"
            };
            self.report(severity, from + first, message);
        }
    }

    /// Reads one game and returns its root, if it has any node.
    fn game(&mut self) -> Option<NodeId> {
        let mut root = None;
        let mut here = Branch {
            parent: None,
            last_child: None,
        };
        let first_bracket = self.at;
        self.open.clear();
        self.begins = true;
        if self.bytes.get(self.at) == Some(&b'(') {
            self.at += 1;
        } else {
            self.report(
                Severity::Error,
                self.at,
                "a `(` is missing: added before the game",
            );
        }
        self.open.push(here);
        loop {
            self.skip_space();
            let Some(&byte) = self.bytes.get(self.at) else {
                let missing = self.open.len();
                let message = match missing {
                    1 => "a `)` is missing: added at the end".to_owned(),
                    _ => format!("{missing} `)` are missing: added at the end"),
                };
                self.report(Severity::Error, self.bytes.len(), message);
                break;
            };
            match byte {
                b';' => {
                    if here.last_child.is_some() && !self.begins {
                        let message = "a node behind variations: read as one more variation";
                        self.report(Severity::Warning, self.at, message);
                    }
                    self.at += 1;
                    let node = self.add_node(here);
                    root = root.or(Some(node));
                    here = Branch {
                        parent: Some(node),
                        last_child: None,
                    };
                }
                b'(' => {
                    if self.begins {
                        self.report(
                            Severity::Warning,
                            self.at,
                            "a `(` without a node behind it: left out",
                        );
                    }
                    self.at += 1;
                    self.begins = true;
                    self.open.push(here);
                }
                b')' => {
                    if self.begins {
                        self.report(
                            Severity::Warning,
                            self.at,
                            "a variation without nodes: left out",
                        );
                    }
                    self.at += 1;
                    self.begins = false;
                    let Some(branch) = self.open.pop() else {
                        break;
                    };
                    if self.open.is_empty() {
                        break;
                    }
                    here = Branch {
                        parent: branch.parent,
                        last_child: self.child_towards(here, branch),
                    };
                }
                _ if byte.is_ascii_alphabetic() => {
                    let is_late = here.last_child.is_some() && !self.begins;
                    if self.begins || here.parent.is_none() || is_late && self.is_full(here.parent)
                    {
                        let message = "a `;` is missing: added before the property";
                        self.report(Severity::Error, self.at, message);
                        let node = self.add_node(here);
                        root = root.or(Some(node));
                        here = Branch {
                            parent: Some(node),
                            last_child: None,
                        };
                    } else if is_late {
                        let message = "a property behind variations: added to the node before them";
                        self.report(Severity::Error, self.at, message);
                    }
                    if let Some(node) = here.parent {
                        self.property(node);
                    }
                }
                b'[' => {
                    let at = self.at;
                    self.report(Severity::Error, at, "a value without a property: left out");
                    let first = self.collection.values.len();
                    self.value(Kind::Unknown);
                    self.collection.values.truncate(first);
                }
                b']' => {
                    let at = self.at;
                    self.report(Severity::Error, at, "a `]` too many: left out");
                    self.at += 1;
                }
                _ => self.skip_garbage(),
            }
        }
        if root.is_none() {
            self.report(
                Severity::Error,
                first_bracket,
                "a game without nodes: left out",
            );
        }
        root
    }

    fn add_node(&mut self, place: Branch) -> NodeId {
        self.begins = false;
        if place.parent.is_none() {
            self.is_go = true;
            self.game_is_known = false;
        }
        let node = self.collection.new_node(place.parent);
        match (place.parent, place.last_child) {
            (_, Some(last)) => self.collection.link_sibling(last, node),
            (Some(parent), None) => self.collection.link_child(parent, node),
            (None, None) => {}
        }
        node
    }

    /// The last child of a branch's parent, once the variation that ends at `end` is part of it.
    fn child_towards(&self, end: Branch, branch: Branch) -> Option<NodeId> {
        let parent = |id: &NodeId| {
            self.collection
                .node(*id)
                .parent()
                .map(super::tree::Node::id)
        };
        std::iter::successors(end.parent, parent)
            .take_while(|id| Some(*id) != branch.parent)
            .last()
            .or(end.last_child)
    }

    /// Has a node so many properties that no more are added to it late? Each time they all move.
    fn is_full(&self, node: Option<NodeId>) -> bool {
        let node = node.map(|id| self.collection.node(id));
        node.is_some_and(|node| node.properties().len() >= 32)
    }

    /// The last of the roots from this one on.
    fn last_sibling(&self, root: NodeId) -> NodeId {
        let next = |id: &NodeId| {
            self.collection
                .node(*id)
                .next_sibling()
                .map(super::tree::Node::id)
        };
        std::iter::successors(Some(root), next)
            .last()
            .unwrap_or(root)
    }

    /// Leaves out what can begin nothing, up to something that can.
    fn skip_garbage(&mut self) {
        let start = self.at;
        let useful = |byte: &u8| byte.is_ascii_alphabetic() || b";()[]".contains(byte);
        let rest = self.bytes[start..].iter().position(useful);
        self.at = rest.map_or(self.bytes.len(), |skipped| start + skipped);
        let text = String::from_utf8_lossy(&self.bytes[start..self.at.min(start + 20)]);
        // The cut may go through a character.
        let text = text
            .trim_end_matches(char::REPLACEMENT_CHARACTER)
            .trim_end();
        let message = format!("`{text}` in a node: left out");
        self.report(Severity::Error, start, message);
    }
}

/// Is it white space? Vertical tabs are.
const fn is_space(byte: u8) -> bool {
    byte.is_ascii_whitespace() || byte == 0x0b
}
