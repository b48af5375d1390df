//! Text inside a picture.

use std::borrow::Cow;
use std::fmt::{self, Write};

/// The fonts that a picture asks for; the last one is whatever the reader has.
pub(crate) const FAMILY: &str = "Noto Sans,Helvetica,Arial,sans-serif";

/// Text as XML holds it: escaped, and without characters that XML or a line of text cannot have.
pub(crate) struct Escaped<'a>(pub(crate) &'a str);

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for symbol in self.0.chars().filter_map(printable) {
            match symbol {
                '&' => f.write_str("&amp;")?,
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                '"' => f.write_str("&quot;")?,
                _ => f.write_char(symbol)?,
            }
        }
        Ok(())
    }
}

/// The character itself, a space for white space, `None` for what has no place in a line of text.
fn printable(symbol: char) -> Option<char> {
    match symbol {
        '\t' | '\n' | '\r' | '\u{2028}' | '\u{2029}' => Some(' '),
        // An unclosed change of direction would reach into the text that follows.
        '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}' => None,
        '\u{FEFF}' | '\u{FFFE}' | '\u{FFFF}' => None,
        symbol if symbol.is_control() => None,
        symbol => Some(symbol),
    }
}

/// Is there nothing to see?
pub(crate) fn is_blank(text: &str) -> bool {
    text.chars().filter_map(printable).all(char::is_whitespace)
}

/// About how wide a text is in multiples of the font size. Fonts differ, so it is a little generous.
pub(crate) fn width(text: &str) -> f64 {
    text.chars().filter_map(printable).map(advance).sum()
}

fn advance(symbol: char) -> f64 {
    match symbol {
        ' ' | '.' | ',' | ':' | ';' | '\'' | '!' | '|' | 'i' | 'j' | 'l' | 'I' => 0.3,
        'f' | 't' | 'r' | '(' | ')' | '-' | '/' => 0.42,
        'm' | 'w' | 'M' | 'W' | '%' | '@' | '—' | '…' => 0.95,
        '0'..='9' => 0.572,
        'A'..='Z' => 0.68,
        // From Hangul on, most characters fill a square.
        '\u{1100}'..='\u{11FF}' | '\u{2E80}'..='\u{FFDC}' | '\u{1F000}'.. => 1.0,
        _ => 0.6,
    }
}

/// A text and the size at which it fits.
pub(crate) struct Fitted<'a> {
    pub(crate) text: Cow<'a, str>,
    pub(crate) font_size: f64,
}

/// Shrinks a text from the larger font size to the smaller one to fit into a width, and cuts it off if that is not
/// enough.
pub(crate) fn fit(text: &str, space: f64, [largest, smallest]: [f64; 2]) -> Fitted<'_> {
    let text = text.trim();
    let font_size = (space / width(text).max(0.1)).min(largest);
    if font_size >= smallest {
        return Fitted {
            text: text.into(),
            font_size,
        };
    }
    let mut room = space / smallest - advance('…');
    let mut kept: String = text
        .chars()
        .filter_map(printable)
        .take_while(|&symbol| {
            room -= advance(symbol);
            room >= 0.0
        })
        .collect();
    kept.truncate(kept.trim_end().len());
    kept.push('…');
    Fitted {
        text: kept.into(),
        font_size: smallest,
    }
}

/// How far the baseline is below the middle of a text, in multiples of the font size.
pub(crate) fn baseline(text: &str) -> f64 {
    let is_low =
        |symbol| matches!(symbol, 'a' | 'c' | 'e' | 'm'..='o' | 'r' | 's' | 'u'..='x' | 'z');
    if text.chars().all(is_low) {
        0.27
    } else {
        0.357
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn xml_is_escaped_and_control_characters_go() {
        let hostile = "a<b>&\"c\"\u{0}\u{1b}[31m\n\u{FFFF}\u{202E}z";
        assert_eq!(
            Escaped(hostile).to_string(),
            "a&lt;b&gt;&amp;&quot;c&quot;[31m z"
        );
        assert!(is_blank(" \n\u{7}"));
        assert!(!is_blank("1"));
    }

    #[test]
    fn a_text_shrinks_and_then_is_cut() {
        let sizes = [10.0, 5.0];
        let short = fit("1", 20.0, sizes);
        assert_eq!((short.text.as_ref(), short.font_size), ("1", 10.0));
        let longer = fit("1234", 20.0, sizes);
        assert_eq!(longer.text, "1234");
        assert!(longer.font_size < 10.0 && longer.font_size > 5.0);
        let longest = fit("a very long label", 20.0, sizes);
        assert_eq!(longest.font_size, 5.0);
        assert!(longest.text.ends_with('…') && longest.text.len() < 10);
        assert!(width(&longest.text) * 5.0 <= 20.0);
    }
}
