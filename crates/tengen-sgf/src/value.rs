//! Values of properties, read when asked for.

use std::borrow::Cow;

use tengen_core::Color;

/// A value as it stands between the brackets of a file, escapes included.
///
/// ```
/// use tengen_sgf::Value;
/// let value = Value::raw_text("a \\] bracket,\ta tab\\\n and a line broken softly");
/// assert_eq!(value.text(), "a ] bracket, a tab and a line broken softly");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Value<'a> {
    raw: &'a str,
    offset: usize,
}

impl<'a> Value<'a> {
    pub(crate) const fn new(raw: &'a str, offset: usize) -> Self {
        Self { raw, offset }
    }

    /// A value that is in no collection.
    pub const fn raw_text(raw: &'a str) -> Self {
        Self::new(raw, 0)
    }

    /// What the file says, escapes included.
    #[inline]
    pub const fn raw(self) -> &'a str {
        self.raw
    }

    /// Where it begins in the text of its collection, in bytes.
    pub const fn offset(self) -> usize {
        self.offset
    }

    /// The value as text: escapes resolved, line breaks kept, other white space made into spaces.
    pub fn text(self) -> Cow<'a, str> {
        unescape(self.raw, "\n")
    }

    /// The value as a line: as [`Value::text`], with line breaks made into spaces.
    pub fn simple_text(self) -> Cow<'a, str> {
        unescape(self.raw, " ")
    }

    /// The text escaped so that it can stand between brackets.
    pub fn escape(text: &str) -> Cow<'_, str> {
        if memchr::memchr2(b']', b'\\', text.as_bytes()).is_none() {
            return Cow::Borrowed(text);
        }
        let mut escaped = String::with_capacity(text.len() + 8);
        for character in text.chars() {
            if matches!(character, ']' | '\\') {
                escaped.push('\\');
            }
            escaped.push(character);
        }
        Cow::Owned(escaped)
    }

    /// The text escaped so that it can be one half of a composed value.
    pub fn escape_composed(text: &str) -> String {
        Self::escape(text).replace(':', "\\:")
    }

    /// The two halves of a composed value: what stands before and behind the first `:` that is not escaped.
    pub fn halves(self) -> Option<(Self, Self)> {
        let bytes = self.raw.as_bytes();
        let mut at = 0;
        while let Some(found) = memchr::memchr2(b':', b'\\', &bytes[at..]) {
            at += found;
            if bytes[at] == b':' {
                let behind = Self::new(&self.raw[at + 1..], self.offset + at + 1);
                return Some((Self::new(&self.raw[..at], self.offset), behind));
            }
            at = (at + 2).min(bytes.len());
        }
        None
    }

    /// A whole number, white space around it ignored.
    pub fn number(self) -> Option<i64> {
        let text = self.raw.trim();
        text.strip_prefix('+').unwrap_or(text).parse().ok()
    }

    /// A decimal number, white space around it ignored.
    pub fn real(self) -> Option<f64> {
        let text = self.raw.trim();
        let plain = |c: char| c.is_ascii_digit() || matches!(c, '.' | '-' | '+');
        if text.is_empty() || !text.chars().all(plain) {
            return None;
        }
        text.parse().ok()
    }

    /// `B` or `W`; whole words, lower case and the numbers 1 and 2 are understood too.
    pub fn color(self) -> Option<Color> {
        match self.raw.trim() {
            "1" => Some(Color::Black),
            "2" => Some(Color::White),
            word => word.parse().ok(),
        }
    }

    /// Columns and rows of a board: one number for both, or two.
    pub(crate) fn sides(self) -> Option<(u8, u8)> {
        let side = |value: Self| value.number().and_then(|side| u8::try_from(side).ok());
        match self.halves() {
            Some((width, height)) => Some((side(width)?, side(height)?)),
            None => Some((side(self)?, side(self)?)),
        }
    }

    /// A point, white space ignored.
    #[inline]
    pub fn point(self) -> Option<SgfPoint> {
        if let [x, y] = self.raw.as_bytes() {
            return SgfPoint::from_letters(*x, *y);
        }
        let mut letters = self.raw.bytes().filter(|byte| !byte.is_ascii_whitespace());
        match (letters.next(), letters.next(), letters.next()) {
            (Some(x), Some(y), None) => SgfPoint::from_letters(x, y),
            _ => None,
        }
    }

    /// A point or a rectangle of points, given by two opposite corners.
    pub fn points(self) -> Option<impl Iterator<Item = SgfPoint>> {
        let (first, last) = match self.halves() {
            Some((first, last)) => (first.point()?, last.point()?),
            None => {
                let point = self.point()?;
                (point, point)
            }
        };
        let columns = first.x.min(last.x)..=first.x.max(last.x);
        let rows = first.y.min(last.y)..=first.y.max(last.y);
        Some(rows.flat_map(move |y| columns.clone().map(move |x| SgfPoint { x, y })))
    }
}

impl<'a> Value<'a> {
    /// A point of a board with so many columns and rows, as SGF writes it or as GTP does: `rd` or `R16`.
    pub fn point_on(self, sides: (u8, u8)) -> Option<SgfPoint> {
        self.point()
            .or_else(|| SgfPoint::from_vertex(self.raw.trim_ascii(), sides))
    }

    /// The points of a value as SGF writes them, as GTP does, or several with commas between: `fc,pc`.
    pub fn points_on(self, sides: (u8, u8)) -> Option<Vec<SgfPoint>> {
        if let Some(points) = self.points() {
            return Some(points.collect());
        }
        let word = |word: &'a str| Self::raw_text(word).point_on(sides);
        self.raw.split(',').map(word).collect()
    }
}

/// A point as SGF knows it, on boards of up to 52×52: column and row from the top left, from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SgfPoint {
    /// The column.
    pub x: u8,
    /// The row.
    pub y: u8,
}

impl SgfPoint {
    #[inline]
    fn from_letters(x: u8, y: u8) -> Option<Self> {
        Some(Self {
            x: line(x)?,
            y: line(y)?,
        })
    }

    /// A vertex as GTP writes it, such as `R16`: a letter without `I`, and a row that counts from the bottom.
    pub(crate) fn from_vertex(word: &str, (columns, rows): (u8, u8)) -> Option<Self> {
        let (letter, row) = word.split_at_checked(1)?;
        let letter = letter.as_bytes()[0].to_ascii_uppercase();
        let x = match letter {
            b'A'..=b'H' => letter - b'A',
            b'J'..=b'Z' => letter - b'A' - 1,
            _ => return None,
        };
        let is_number = row.bytes().all(|byte| byte.is_ascii_digit());
        let row: u8 = row.parse().ok().filter(|_| is_number)?;
        let y = rows.checked_sub(row).filter(|_| row > 0)?;
        (x < columns).then_some(Self { x, y })
    }

    /// The two letters of its column and row.
    pub fn letters(self) -> String {
        let letter = |line: u8| match line {
            0..=25 => char::from(b'a' + line),
            _ => char::from(b'A' + (line - 26) % 26),
        };
        [letter(self.x), letter(self.y)].into_iter().collect()
    }

    /// The point of a board of up to 25×25.
    #[inline]
    pub const fn to_point(self) -> Option<tengen_core::Point> {
        tengen_core::Point::checked_new(self.x, self.y)
    }
}

/// The number of a line from its letter.
#[inline]
const fn line(letter: u8) -> Option<u8> {
    match letter {
        b'a'..=b'z' => Some(letter - b'a'),
        b'A'..=b'Z' => Some(letter - b'A' + 26),
        _ => None,
    }
}

/// Resolves escapes; every line break becomes `line_break`, every other white space a space.
fn unescape<'a>(raw: &'a str, line_break: &str) -> Cow<'a, str> {
    let bytes = raw.as_bytes();
    // A line feed stays as it is unless it may be one half of a line break of two characters.
    let keep_feed = line_break == "\n" && memchr::memchr(b'\r', bytes).is_none();
    let is_plain = |byte: u8| byte != b'\\' && (byte >= b' ' || (byte == b'\n' && keep_feed));
    let Some(first) = bytes.iter().position(|byte| !is_plain(*byte)) else {
        return Cow::Borrowed(raw);
    };
    let mut text = String::with_capacity(raw.len());
    let mut at = 0;
    let mut next = first;
    loop {
        text.push_str(&raw[at..next]);
        at = next;
        let Some(&byte) = bytes.get(at) else {
            return Cow::Owned(text);
        };
        match byte {
            b'\\' => {
                at += 1;
                let escaped = line_break_len(&bytes[at..]);
                if escaped > 0 {
                    at += escaped;
                } else if let Some(character) = raw[at..].chars().next() {
                    let is_space = matches!(character, '\t' | '\x0b' | '\x0c');
                    text.push(if is_space { ' ' } else { character });
                    at += character.len_utf8();
                }
            }
            b'\n' | b'\r' => {
                text.push_str(line_break);
                at += line_break_len(&bytes[at..]);
            }
            b'\t' | b'\x0b' | b'\x0c' => {
                text.push(' ');
                at += 1;
            }
            control => {
                text.push(char::from(control));
                at += 1;
            }
        }
        let rest = bytes[at..].iter().position(|byte| !is_plain(*byte));
        next = rest.map_or(bytes.len(), |plain| at + plain);
    }
}

/// The length of the line break at the beginning, of one or two characters, or three where a program has written text
/// with line breaks as text once more.
fn line_break_len(bytes: &[u8]) -> usize {
    match bytes {
        [b'\r', b'\r', b'\n', ..] => 3,
        [b'\r', b'\n', ..] | [b'\n', b'\r', ..] => 2,
        [b'\r' | b'\n', ..] => 1,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(raw: &str) -> Value<'_> {
        Value::raw_text(raw)
    }

    #[test]
    fn text_follows_the_rules_of_ff4() {
        for (raw, text, simple) in [
            ("plain", "plain", "plain"),
            ("a\nb", "a\nb", "a b"),
            ("a\r\nb\n\rc\rd", "a\nb\nc\nd", "a b c d"),
            ("a\\\nb", "ab", "ab"),
            ("a\\\r\nb", "ab", "ab"),
            ("a\\\tb\tc", "a b c", "a b c"),
            ("\\\\ \\] \\: \\a", "\\ ] : a", "\\ ] : a"),
            ("天\\元", "天元", "天元"),
            ("", "", ""),
            ("trailing\\", "trailing", "trailing"),
        ] {
            assert_eq!(value(raw).text(), text, "{raw:?}");
            assert_eq!(value(raw).simple_text(), simple, "{raw:?}");
        }
    }

    #[test]
    fn what_is_escaped_reads_back() {
        for text in ["", "]", "\\", "a]b\\c:d", "天]元", "two\nlines"] {
            let escaped = Value::escape(text);
            assert_eq!(value(&escaped).text(), text);
            let composed = format!("{}:x", Value::escape_composed(text));
            let (first, second) = value(&composed).halves().unwrap();
            assert_eq!((first.text().as_ref(), second.raw()), (text, "x"));
        }
        assert_eq!(value("no colon\\: here").halves(), None);
        assert_eq!(value("\\").halves(), None);
    }

    #[test]
    fn numbers_are_read_as_people_write_them() {
        assert_eq!(value(" +7 ").number(), Some(7));
        assert_eq!(value("7.5").number(), None);
        assert_eq!(value(" 7.5").real(), Some(7.5));
        assert_eq!(value("inf").real(), None);
        assert_eq!(value("1e5").real(), None);
        assert_eq!(value("").real(), None);
    }

    #[test]
    fn points_are_letters_with_room_for_spaces() {
        assert_eq!(value("dp").point(), Some(SgfPoint { x: 3, y: 15 }));
        assert_eq!(value(" d p\n").point(), Some(SgfPoint { x: 3, y: 15 }));
        assert_eq!(value("zA").point(), Some(SgfPoint { x: 25, y: 26 }));
        for raw in ["", "d", "d1", "ddd", "é"] {
            assert_eq!(value(raw).point(), None, "{raw}");
        }
        assert_eq!(value("cc:ba").points().unwrap().count(), 6);
        assert!(value("cc:b").points().is_none());
    }

    #[test]
    fn points_are_read_as_other_programs_write_them() {
        let letters = |raw: &str, sides| value(raw).point_on(sides).map(SgfPoint::letters);
        for (raw, sides, expected) in [
            ("R16", (19, 19), Some("qd")),
            ("rd", (19, 19), Some("rd")),
            (" t19 ", (19, 19), Some("sa")),
            ("A13", (9, 13), Some("aa")),
            ("J1", (9, 13), Some("im")),
            ("K1", (9, 13), None),
            ("A14", (9, 13), None),
            ("A0", (9, 9), None),
            ("I5", (9, 9), None),
            ("A+1", (9, 9), None),
            ("é5", (9, 9), None),
            ("", (9, 9), None),
        ] {
            assert_eq!(letters(raw, sides).as_deref(), expected, "{raw}");
        }
        let list = |raw: &str| {
            let points = value(raw).points_on((19, 19))?;
            Some(
                points
                    .into_iter()
                    .map(SgfPoint::letters)
                    .collect::<Vec<_>>()
                    .join(" "),
            )
        };
        assert_eq!(list("fc,pc").as_deref(), Some("fc pc"));
        assert_eq!(list("C3, dd,Q16").as_deref(), Some("cq dd pd"));
        assert_eq!(list("aa:ba").as_deref(), Some("aa ba"));
        assert_eq!(list("fc,,pc"), None);
        assert_eq!(list("fc,nonsense"), None);
    }
}
