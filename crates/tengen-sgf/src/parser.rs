//! Reading the text of SGF files.

mod games;
mod properties;

use crate::diagnostic::{Diagnostic, Place, Severity};
use crate::findings::Findings;
use crate::ident::Ident;
use crate::property::{Kind, Role};
use crate::tree::{Collection, NodeId};

pub(crate) use games::Games;

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
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {message}")]
pub struct ParseError {
    /// Where.
    pub place: Place,
    /// What was wrong.
    pub message: String,
}

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
        let (mut collection, diagnostics) = (parser.collection, parser.diagnostics.into_vec());
        let refused = result.err().or_else(|| {
            let repaired = |diagnostic: &&Diagnostic| diagnostic.severity > Severity::Note;
            let first = diagnostics.iter().find(repaired).cloned();
            first.filter(|_| mode == Mode::Strict)
        });
        if let Some(problem) = refused {
            return Err(games::refuse(&text, problem));
        }
        collection.put_before(text);
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
    diagnostics: Findings,
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
        Self::resume(bytes, 0, collection)
    }

    /// A parser that goes on at a byte and fills a collection.
    const fn resume(bytes: &'a [u8], at: usize, collection: Collection) -> Self {
        Self {
            bytes,
            at,
            collection,
            diagnostics: Findings::new(),
            open: Vec::new(),
            is_go: true,
            game_is_known: false,
            begins: false,
        }
    }

    fn report(
        &mut self,
        severity: Severity,
        kind: &'static str,
        offset: usize,
        message: impl Into<String>,
    ) {
        self.diagnostics
            .push(Diagnostic::new(severity, kind, offset, message));
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
        self.begin()?;
        let mut last_root = None;
        let mut is_more = true;
        while is_more {
            let root = self.game();
            match (last_root, root) {
                (Some(last), Some(root)) => self.collection.link_sibling(last, root),
                (None, Some(root)) => self.collection.first_root = Some(root),
                (_, None) => {}
            }
            // Brackets around several games make them one game here, with several roots.
            last_root = root.or(last_root).map(|root| self.last_sibling(root));
            is_more = self.go_on();
        }
        Ok(())
    }

    /// Goes to the first game; an error is a file that holds none.
    fn begin(&mut self) -> Result<(), Diagnostic> {
        let refuse = |message| Diagnostic::new(Severity::Error, "no-record", 0, message);
        if u32::try_from(self.bytes.len()).is_err() {
            return Err(refuse("the file is larger than 4 GiB"));
        }
        let Some(start) = self.find_game(0) else {
            return Err(refuse(if self.bytes.iter().all(|byte| is_space(*byte)) {
                "the file is empty"
            } else {
                "this is not SGF: there is no game, which begins with `(;`"
            }));
        };
        if self.bytes[..start].iter().any(|byte| !is_space(*byte)) {
            let message = "text before the first game: skipped";
            self.report(Severity::Note, "text-outside", 0, message);
        }
        self.at = start;
        Ok(())
    }

    /// Goes from the end of a game to the next; false if there is none.
    fn go_on(&mut self) -> bool {
        let end = self.at;
        let next = self.find_game(end);
        self.at = next.unwrap_or(self.bytes.len());
        self.skip_between(end, self.at);
        next.is_some()
    }

    /// Where the next game begins: at a `(` with a `;` behind it, at a node whose `(` was lost or, in a file without
    /// any of these, at a `;` or `(` before a property.
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
        let bare = self.find_bare_game(from, strict.unwrap_or(self.bytes.len()));
        if bare.is_some() || strict.is_some() || from > 0 {
            return bare.or(strict);
        }
        let starts = memchr::memchr2_iter(b';', b'(', rest);
        starts.into_iter().find(|at| self.is_property(at + 1))
    }

    /// A `;` from which nodes go on to a bracket or to `end`, and whose `(` was lost. Behind a game, or behind prose,
    /// the first node must have something to say about a game.
    fn find_bare_game(&self, from: usize, end: usize) -> Option<usize> {
        let mut at = from;
        while let Some(found) = memchr::memchr(b';', &self.bytes[at.min(end)..end]) {
            let start = at + found;
            let (behind, has_header) = self.pass_nodes(start);
            let is_whole = behind >= end || matches!(self.bytes[behind], b'(' | b')');
            let is_first = || from == 0 && self.bytes[..start].iter().all(|byte| is_space(*byte));
            if is_whole && (has_header || behind > start + 1 && is_first()) {
                return Some(start);
            }
            // What was looked at is not looked at again.
            at = behind.max(start + 1);
        }
        None
    }

    /// Where nodes that begin at a `;` end, and whether the first is the header of a game.
    fn pass_nodes(&self, from: usize) -> (usize, bool) {
        let mut at = from;
        let mut nodes = 0;
        let mut has_header = false;
        let space = |at: usize| {
            let rest = &self.bytes[at..];
            at + rest.iter().take_while(|byte| is_space(**byte)).count()
        };
        loop {
            at = space(at);
            match self.bytes.get(at) {
                Some(b';') => {
                    nodes += 1;
                    at += 1;
                }
                Some(byte) if byte.is_ascii_alphabetic() => {
                    let rest = &self.bytes[at..];
                    let name = rest.iter().take_while(|byte| byte.is_ascii_alphanumeric());
                    let length = name.count();
                    let value = space(at + length);
                    if self.bytes.get(value) != Some(&b'[') {
                        return (at, has_header);
                    }
                    let role = Ident::short(&rest[..length]).map(Role::of);
                    has_header |= nodes == 1 && matches!(role, Some(Role::Root | Role::GameInfo));
                    at = value;
                }
                Some(b'[') => {
                    at += 1;
                    loop {
                        let rest = &self.bytes[at.min(self.bytes.len())..];
                        match memchr::memchr2(b']', b'\\', rest) {
                            Some(found) if rest[found] == b'\\' => at += found + 2,
                            Some(found) => {
                                at += found + 1;
                                break;
                            }
                            None => return (self.bytes.len(), has_header),
                        }
                    }
                }
                _ => return (at, has_header),
            }
        }
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
            self.report(severity, "text-outside", from + first, message);
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
            let message = "a `(` is missing: added before the game";
            self.report(Severity::Error, "missing-bracket", self.at, message);
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
                let end = self.bytes.len();
                self.report(Severity::Error, "missing-bracket", end, message);
                break;
            };
            match byte {
                b';' => {
                    if here.last_child.is_some() && !self.begins {
                        let message = "a node behind variations: read as one more variation";
                        self.report(Severity::Warning, "late-node", self.at, message);
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
                        let message = "a `(` without a node behind it: left out";
                        self.report(Severity::Warning, "extra-bracket", self.at, message);
                    }
                    self.at += 1;
                    self.begins = true;
                    self.open.push(here);
                }
                b')' => {
                    if self.begins {
                        let message = "a variation without nodes: left out";
                        self.report(Severity::Warning, "empty-variation", self.at, message);
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
                        self.report(Severity::Error, "missing-semicolon", self.at, message);
                        let node = self.add_node(here);
                        root = root.or(Some(node));
                        here = Branch {
                            parent: Some(node),
                            last_child: None,
                        };
                    } else if is_late {
                        let message = "a property behind variations: added to the node before them";
                        self.report(Severity::Error, "late-property", self.at, message);
                    }
                    if let Some(node) = here.parent {
                        self.property(node);
                    }
                }
                b'[' => {
                    let at = self.at;
                    let message = "a value without a property: left out";
                    self.report(Severity::Error, "lone-value", at, message);
                    let first = self.collection.values.len();
                    self.value(Kind::Unknown);
                    self.collection.values.truncate(first);
                }
                b']' => {
                    let at = self.at;
                    let message = "a `]` too many: left out";
                    self.report(Severity::Error, "extra-bracket", at, message);
                    self.at += 1;
                }
                _ => self.skip_garbage(),
            }
        }
        if root.is_none() {
            let message = "a game without nodes: left out";
            self.report(Severity::Error, "empty-game", first_bracket, message);
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
        self.report(Severity::Error, "garbage", start, message);
    }
}

/// Is it white space? Vertical tabs are.
const fn is_space(byte: u8) -> bool {
    byte.is_ascii_whitespace() || byte == 0x0b
}
