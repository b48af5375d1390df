//! Words of others on a terminal.
//!
//! What stands in records and what other programs say goes through here before anybody sees it: no escape sequence
//! reaches a terminal, and nobody's name takes up the whole line.

use serde::Serialize;
use tengen_sgf::{is_obeyed, printable_line};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// How many columns a name may have.
pub(crate) const NAME: usize = 40;

/// A name, or anything else that stands in a line with other things: safe, and at most so many columns wide.
pub(crate) fn name(text: &str, columns: usize) -> String {
    cut(&printable_line(text), columns)
}

/// The beginning of a text, at most so many columns of a terminal.
fn cut(text: &str, columns: usize) -> String {
    // More characters than this on one letter are no name.
    let most = 4 * columns;
    if text.width() <= columns && text.chars().count() <= most {
        return text.to_owned();
    }
    let mut width = 0;
    let mut cut: String = text
        .chars()
        .take(most)
        .take_while(|c| {
            width += c.width().unwrap_or(0);
            width < columns
        })
        .collect();
    cut.push('…');
    cut
}

/// A value as a line of JSON, in which what a terminal would obey is escaped. JSON allows most of it as it is.
pub(crate) fn json(value: &impl Serialize) -> serde_json::Result<String> {
    let text = serde_json::to_string(value)?;
    if !text.contains(is_obeyed) {
        return Ok(text);
    }
    // Outside of its strings JSON has no such characters.
    let mut safe = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match is_obeyed(c) {
            true => {
                let mut units = [0; 2];
                for unit in c.encode_utf16(&mut units) {
                    safe.push_str(&format!("\\u{unit:04x}"));
                }
            }
            false => safe.push(c),
        }
    }
    Ok(safe)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_cut_to_a_width_and_not_to_a_number_of_letters() {
        assert_eq!(name("Ada", 10), "Ada");
        assert_eq!(name("Ada\u{1b}]0;title\u{7}", 40), "Ada·]0;title·");
        assert_eq!(name(&"本".repeat(30), 10), "本本本本…");
        assert_eq!(name(&"a".repeat(1_000_000), 10), "aaaaaaaaa…");
        // Accents on one letter have no width at all.
        let pile = format!("a{}", "\u{301}".repeat(1_000_000));
        assert!(name(&pile, 10).chars().count() <= 41);
    }

    #[test]
    fn json_means_the_same_and_holds_nothing_that_a_terminal_obeys() {
        let text = "a\u{1b}[2J\u{9b}1m\u{202e}\u{7f}\u{2028}\u{e0041}é本\n\"";
        let line = json(&text).unwrap();
        assert!(!line.contains(is_obeyed), "{line}");
        assert_eq!(serde_json::from_str::<String>(&line).unwrap(), text);
        assert_eq!(json(&"plain 本").unwrap(), "\"plain 本\"");
    }
}
