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
            self.report(Severity::Error, start, message);
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
        let Span { start, len } = self.collection.values[value];
        let written = self
            .bytes
            .get(start as usize..)
            .and_then(|rest| rest.get(..len as usize));
        let written = String::from_utf8_lossy(written.unwrap_or_default());
        self.is_go = Value::raw_text(&written)
            .number()
            .is_none_or(|game| game == 1);
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
            self.report(
                severity,
                start,
                format!("lower-case letters in a property's name: read as `{name}`"),
            );
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
        let mut at = start;
        // Brackets inside the value that should have been escaped.
        let mut unescaped = Vec::new();
        let end = loop {
            let Some(found) = memchr::memchr2(b']', b'\\', &self.bytes[at.min(self.bytes.len())..])
            else {
                let end = self.bytes.len();
                self.report(
                    Severity::Error,
                    start - 1,
                    "a `]` is missing: the value goes to the end of the file",
                );
                break end;
            };
            at += found;
            if self.bytes[at] == b'\\' {
                at += 2;
            } else if kind.is_text() && !self.may_follow_value(at + 1) {
                unescaped.push(at);
                at += 1;
            } else {
                break at;
            }
        };
        if !kind.is_text()
            && let Some(cut) = self.end_of_unclosed(start, end)
        {
            let message = "a `]` is missing: added before what can not be in this value";
            self.report(Severity::Error, start - 1, message);
            self.push_value(start, cut);
            self.at = cut;
            return;
        }
        self.at = (end + 1).min(self.bytes.len());
        if unescaped.is_empty()
            && !(end == self.bytes.len() && ends_in_escape(&self.bytes[start..end]))
        {
            self.push_value(start, end);
            return;
        }
        for bracket in &unescaped {
            self.report(
                Severity::Warning,
                *bracket,
                "a `]` inside a text is not escaped: taken as part of the text",
            );
        }
        self.push_repaired(start, end, &unescaped);
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
        let behind = self.bytes.len() + self.collection.text.len();
        self.collection.push_raw(&raw);
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

    /// Where a value that is no text must have ended, if what follows shows that its `]` was lost.
    fn end_of_unclosed(&self, start: usize, end: usize) -> Option<usize> {
        // A `;` or round bracket can be part of a value, unless another value opens behind it.
        let mut cut = None;
        let mut at = start;
        while at < end {
            match self.bytes[at] {
                b'\\' => at += 1,
                b'[' => return cut.or(Some(at)),
                b';' | b'(' | b')' => cut = cut.or(Some(at)),
                _ => {}
            }
            at += 1;
        }
        None
    }
}

/// Is the last backslash not escaped itself?
fn ends_in_escape(raw: &[u8]) -> bool {
    raw.iter().rev().take_while(|byte| **byte == b'\\').count() % 2 == 1
}
