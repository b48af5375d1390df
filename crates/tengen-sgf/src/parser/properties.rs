//! Reading properties and their values.

use super::{Parser, is_space};
use crate::diagnostic::Severity;
use crate::ident::Ident;
use crate::property::Kind;
use crate::tree::{NodeId, Span};
use crate::value::Value;

const GM: Ident = Ident::short(b"GM").expect("two letters are short");

impl Parser<'_> {
    /// Reads a property: its name and all its values.
    #[inline]
    pub(super) fn property(&mut self, node: NodeId) {
        let start = self.at;
        let mut end = start;
        let mut lower = 0;
        while let Some(byte) = self.bytes.get(end)
            && byte.is_ascii_alphanumeric()
        {
            lower += usize::from(byte.is_ascii_lowercase());
            end += 1;
        }
        self.at = end;
        self.skip_space();
        let has_value = self.bytes.get(self.at) == Some(&b'[');
        if !has_value {
            let name = String::from_utf8_lossy(&self.bytes[start..end.min(start + 20)]);
            let message = format!("`{name}` without a value: left out");
            self.report(Severity::Error, "no-value", start, message);
            return;
        }
        let ident = match Ident::short(&self.bytes[start..end]) {
            Some(ident) if lower == 0 => ident,
            _ => self.unusual_name(start, end, lower),
        };
        let kind = if self.is_go {
            Kind::of(ident)
        } else {
            Kind::Unknown
        };
        let first = self.collection.values.len();
        while self.bytes.get(self.at) == Some(&b'[') {
            self.value(kind);
            self.skip_space();
        }
        if ident == GM {
            self.read_game(node, first);
        }
        self.collection.close_property(node, ident, first);
    }

    /// Takes note of which game it is; the first word of the root counts.
    #[cold]
    fn read_game(&mut self, node: NodeId, value: usize) {
        let node = self.collection.node(node);
        if node.parent().is_some() || std::mem::replace(&mut self.game_is_known, true) {
            return;
        }
        let game = Value::raw_text(&self.written(value)).number();
        self.is_go = game.is_none_or(|game| game == 1);
    }

    /// A value as the file has it.
    fn written(&self, value: usize) -> String {
        let Span { start, len } = self.collection.values[value];
        let (start, len) = (start as usize, len as usize);
        let written = self.bytes.get(start..start + len).unwrap_or_default();
        String::from_utf8_lossy(written).into_owned()
    }

    /// The name of a property that is long or has lower-case letters.
    #[cold]
    fn unusual_name(&mut self, start: usize, end: usize, lower: usize) -> Ident {
        let written = String::from_utf8_lossy(&self.bytes[start..end]).into_owned();
        let name = match lower {
            0 => written,
            // `AddBlack` is how FF[1] to FF[3] may write `AB`; `ab` and `aB` can only mean `AB`.
            _ if !written.starts_with(|c: char| c.is_ascii_uppercase()) => {
                written.to_ascii_uppercase()
            }
            _ => written
                .chars()
                .filter(|c| !c.is_ascii_lowercase())
                .collect(),
        };
        if lower > 0 {
            let severity = if self.bytes[start].is_ascii_lowercase() {
                Severity::Warning
            } else {
                Severity::Note
            };
            let message = format!("lower-case letters in a property's name: read as `{name}`");
            self.report(severity, "lower-case-name", start, message);
        }
        self.collection.ident(&name)
    }

    /// Reads one value, from its `[` to behind its `]`.
    #[inline]
    pub(super) fn value(&mut self, kind: Kind) {
        let start = self.at + 1;
        // Most values are a point: two letters.
        if self.bytes.get(start + 2) == Some(&b']')
            && self.bytes[start].is_ascii_lowercase()
            && self.bytes[start + 1].is_ascii_lowercase()
        {
            self.push_value(start, start + 2);
            self.at = start + 3;
            return;
        }
        self.long_value(start, kind);
    }

    fn push_value(&mut self, start: usize, end: usize) {
        self.collection.values.push(Span {
            start: start as u32,
            len: (end - start) as u32,
        });
    }

    /// Reads a value that is not simply a point.
    fn long_value(&mut self, start: usize, kind: Kind) {
        match kind {
            Kind::Text | Kind::Unknown => self.text_value(start, LineBreaks::Meant),
            _ if kind.is_text() => self.text_value(start, LineBreaks::Unusual),
            _ => self.plain_value(start, kind),
        }
    }

    /// Reads a value that may hold any text.
    fn text_value(&mut self, start: usize, line_breaks: LineBreaks) {
        let mut at = start;
        // Brackets inside the value that should have been escaped.
        let mut unescaped = Vec::new();
        let end = loop {
            let rest = &self.bytes[at.min(self.bytes.len())..];
            let found = match line_breaks {
                LineBreaks::Meant => memchr::memchr2(b']', b'\\', rest),
                LineBreaks::Unusual => {
                    let stop = |byte: &u8| matches!(byte, b']' | b'\\' | b'\n' | b'\r');
                    rest.iter().position(stop)
                }
            };
            let Some(found) = found else {
                let end = self.bytes.len();
                let message = "a `]` is missing: the value goes to the end of the file";
                self.report(Severity::Error, "missing-bracket", start - 1, message);
                break end;
            };
            at += found;
            match self.bytes[at] {
                b'\\' => at += 2,
                b']' if self.may_follow_value(at + 1) => break at,
                b']' => {
                    unescaped.push(at);
                    at += 1;
                }
                _ if self.is_known_property(at) => {
                    let message = "a `]` is missing: added before the line break";
                    self.report(Severity::Error, "missing-bracket", start - 1, message);
                    break at;
                }
                _ => at += 1,
            }
        };
        // What ended the value is part of it, unless it was no bracket.
        let is_closed = self.bytes.get(end) == Some(&b']');
        self.at = end + usize::from(is_closed);
        let is_cut = !is_closed && ends_in_escape(&self.bytes[start..end]);
        if unescaped.is_empty() && !is_cut {
            self.push_value(start, end);
            return;
        }
        for bracket in &unescaped {
            let message = "a `]` inside a text is not escaped: taken as part of the text";
            self.report(Severity::Warning, "unescaped-bracket", *bracket, message);
        }
        self.push_repaired(start, end, &unescaped);
    }

    /// Reads a value that is a point, a number or the like. No such value has a `[` inside: the one before it has
    /// lost its `]` then.
    fn plain_value(&mut self, start: usize, kind: Kind) {
        let mut at = start;
        // A `;` or round bracket can be part of a value, unless another value opens behind it.
        let mut cut = None;
        loop {
            match self.bytes.get(at) {
                Some(b']') => {
                    self.at = at + 1;
                    break;
                }
                Some(b'\\') => at += 1,
                Some(b'[') => {
                    let cut = cut.unwrap_or_else(|| self.before_name(start, at, kind));
                    let message = "a `]` is missing: added before what can not be in this value";
                    self.report(Severity::Error, "missing-bracket", start - 1, message);
                    self.at = cut;
                    return self.push_cut(start, cut);
                }
                Some(b';' | b'(' | b')') => cut = cut.or(Some(at)),
                Some(b'\n' | b'\r') if self.is_known_property(at) => cut = cut.or(Some(at)),
                Some(_) => {}
                None => {
                    at = self.bytes.len();
                    let message = "a `]` is missing: the value goes to the end of the file";
                    self.report(Severity::Error, "missing-bracket", start - 1, message);
                    self.at = at;
                    break;
                }
            }
            at += 1;
        }
        match self.at == at {
            true => self.push_cut(start, at),
            false => self.push_value(start, at),
        }
    }

    /// Keeps a value that ends at no bracket.
    fn push_cut(&mut self, start: usize, end: usize) {
        match ends_in_escape(&self.bytes[start..end]) {
            true => self.push_repaired(start, end, &[]),
            false => self.push_value(start, end),
        }
    }

    /// Where a value ends that runs into the `[` of another property: before the letters of its name.
    fn before_name(&self, start: usize, bracket: usize, kind: Kind) -> usize {
        let value = &self.bytes[start..bracket];
        let capitals = value.iter().rev().take_while(|b| b.is_ascii_uppercase());
        let length = capitals.count().min(2);
        let is_point = |value: &[u8]| value.len() == 2 && value.is_ascii();
        let points = matches!(kind, Kind::Move | Kind::Points);
        (1..=length)
            .rev()
            .map(|letters| bracket - letters)
            .find(|cut| {
                let is_known = Ident::short(&self.bytes[*cut..bracket])
                    .is_some_and(|ident| Kind::of(ident) != Kind::Unknown);
                // Capital letters are lines of large boards too.
                is_known && (!points || is_point(&self.bytes[start..*cut]))
            })
            .unwrap_or(bracket)
    }

    /// Keeps a value with some of its brackets escaped, and a lone escape at its end left out.
    fn push_repaired(&mut self, start: usize, end: usize, brackets: &[usize]) {
        let mut raw = Vec::with_capacity(end - start + brackets.len());
        let mut from = start;
        for bracket in brackets {
            raw.extend_from_slice(&self.bytes[from..*bracket]);
            raw.push(b'\\');
            from = *bracket;
        }
        raw.extend_from_slice(&self.bytes[from..end]);
        if ends_in_escape(&raw) {
            raw.pop();
        }
        // Cut at ASCII characters only, so it is still text.
        let raw = String::from_utf8_lossy(&raw);
        self.push_text(&raw);
    }

    /// Keeps a value that the file does not hold as it is.
    fn push_text(&mut self, raw: &str) {
        let behind = self.bytes.len() + self.collection.text.len();
        self.collection.push_raw(raw);
        if let Some(span) = self.collection.values.last_mut() {
            span.start = u32::try_from(behind).unwrap_or(u32::MAX);
        }
    }

    /// Can what stands here, white space aside, come behind a value that has ended?
    #[inline]
    fn may_follow_value(&self, from: usize) -> bool {
        let rest = &self.bytes[from..];
        let Some(at) = rest.iter().position(|byte| !is_space(*byte)) else {
            return true;
        };
        match rest[at] {
            b';' | b'(' | b')' | b'[' => true,
            byte if byte.is_ascii_alphabetic() => self.is_property(from + at),
            _ => false,
        }
    }

    /// Does one of the properties of `FF[4]` begin behind a line break, in this node or in another?
    fn is_known_property(&self, line_break: usize) -> bool {
        let rest = &self.bytes[line_break..];
        let begins = |byte: &u8| !is_space(*byte) && *byte != b';';
        // A blank line is looked at from each of its ends, a page of them is not.
        let Some(at) = rest.iter().take(MOST_SPACE).position(begins) else {
            return false;
        };
        let name = rest[at..]
            .iter()
            .take_while(|byte| byte.is_ascii_uppercase());
        let behind = at + name.take(3).count();
        let ident = Ident::short(&rest[at..behind]);
        rest.get(behind) == Some(&b'[')
            && ident.is_some_and(|ident| Kind::of(ident) != Kind::Unknown)
    }
}

/// What a line break in a text means.
#[derive(Clone, Copy)]
enum LineBreaks {
    /// The text has many lines.
    Meant,
    /// The text has one line, and may have lost its bracket.
    Unusual,
}

/// How much white space before a property is looked at.
const MOST_SPACE: usize = 16;

/// Is the last backslash not escaped itself?
fn ends_in_escape(raw: &[u8]) -> bool {
    raw.iter().rev().take_while(|byte| **byte == b'\\').count() % 2 == 1
}
