//! Text of others, made safe for a terminal.
//!
//! Records, the names of players and what other programs say may hold any character. A terminal obeys some of them:
//! escape sequences move the cursor, clear the screen or change the title, and marks of direction turn a line around.

use std::borrow::Cow;

/// Stands for a character that is not shown.
const INSTEAD: &str = "·";

/// A text as one line without characters that a terminal obeys: line breaks and tabs become spaces, others `·`.
///
/// ```
/// use tengen_sgf::printable_line;
/// assert_eq!(printable_line("Ada\u{1b}[2J\tand\nGrace"), "Ada·[2J and Grace");
/// assert_eq!(printable_line("本因坊 道策"), "本因坊 道策");
/// ```
pub fn printable_line(text: &str) -> Cow<'_, str> {
    replace(text, |c| match c {
        '\n' | '\r' | '\t' => Some(" "),
        c if is_obeyed(c) => Some(INSTEAD),
        _ => None,
    })
}

/// [`printable_line`] for a text of many lines: line feeds and tabs stay, carriage returns before them go.
pub fn printable_text(text: &str) -> Cow<'_, str> {
    replace(text, |c| match c {
        '\n' | '\t' => None,
        '\r' => Some(""),
        c if is_obeyed(c) => Some(INSTEAD),
        _ => None,
    })
}

/// Does a terminal, or whoever draws the text, take this character for an order?
pub fn is_obeyed(c: char) -> bool {
    c.is_control()
        || matches!(
            c,
            // Marks of direction, line and paragraph separators, characters without width, tags.
            '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
                | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}'
        )
}

fn replace(text: &str, instead: impl Fn(char) -> Option<&'static str>) -> Cow<'_, str> {
    if !text.chars().any(|c| instead(c).is_some()) {
        return Cow::Borrowed(text);
    }
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match instead(c) {
            Some(other) => safe.push_str(other),
            None => safe.push(c),
        }
    }
    Cow::Owned(safe)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_a_terminal_obeys_is_left() {
        let hostile: String = (0..=0x11_ffff)
            .filter_map(char::from_u32)
            .filter(|c| is_obeyed(*c))
            .collect();
        assert!(hostile.contains(['\u{1b}', '\u{7f}', '\u{9b}', '\u{202e}', '\u{2028}']));
        assert!(!printable_line(&hostile).contains(is_obeyed));
        let text = printable_text(&hostile);
        assert!(!text.contains(|c| is_obeyed(c) && c != '\n' && c != '\t'));
        assert_eq!(printable_text("a\r\nb\tc"), "a\nb\tc");
    }

    #[test]
    fn plain_text_is_not_copied() {
        for text in ["", "Ada 9p", "李昌鎬", "é – ü"] {
            assert!(matches!(printable_line(text), Cow::Borrowed(same) if same == text));
        }
    }
}
