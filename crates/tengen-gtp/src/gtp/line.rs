//! A line of input.

/// What is left of a line once it was cleaned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Line {
    /// A command with its arguments, or nothing.
    Text(String),
    /// GoGui's wish that the command that is at work should come to its end.
    Interrupt,
    /// More than anybody has to say in one line.
    TooLong,
}

impl Line {
    /// Cleans a line as GTP asks: a tab is a space, other control characters and comments are dropped.
    pub(crate) fn clean(bytes: &[u8]) -> Self {
        let text = String::from_utf8_lossy(bytes);
        let text: String = text
            .chars()
            .map(|c| if c == '\t' { ' ' } else { c })
            .filter(|c| !c.is_control())
            .collect();
        let text = text.trim_matches(' ');
        if text == "# interrupt" {
            return Self::Interrupt;
        }
        let command = text.split('#').next().unwrap_or_default();
        Self::Text(command.trim_matches(' ').to_owned())
    }

    /// Does it end the session?
    pub(crate) fn is_quit(&self) -> bool {
        match self {
            Self::Text(text) => Request::read(text).is_some_and(|request| request.name == "quit"),
            Self::Interrupt | Self::TooLong => false,
        }
    }
}

/// A command, taken apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Request<'a> {
    /// The digits that the reply repeats; empty if there are none.
    pub(crate) id: &'a str,
    pub(crate) name: &'a str,
    /// All that follows the name.
    pub(crate) rest: &'a str,
}

impl<'a> Request<'a> {
    /// Reads a line that was cleaned; `None` if there is nothing in it.
    pub(crate) fn read(text: &'a str) -> Option<Self> {
        let split = |text: &'a str| text.split_once(' ').unwrap_or((text, ""));
        let text = text.trim_matches(' ');
        if text.is_empty() {
            return None;
        }
        let (first, after_first) = split(text);
        let (id, command) = match first.bytes().all(|byte| byte.is_ascii_digit()) {
            true => (first, after_first.trim_matches(' ')),
            false => ("", text),
        };
        let (name, rest) = split(command);
        Some(Self {
            id,
            name,
            rest: rest.trim_matches(' '),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clean(text: &str) -> String {
        match Line::clean(text.as_bytes()) {
            Line::Text(text) => text,
            line => panic!("{line:?}"),
        }
    }

    #[test]
    fn lines_are_cleaned_as_the_protocol_asks() {
        assert_eq!(clean("play\tb\x07 D4 \r\n"), "play b D4");
        assert_eq!(clean("  name # what is it? # really"), "name");
        assert_eq!(clean("# a comment"), "");
        assert_eq!(clean("\t \x7f\x00"), "");
        assert_eq!(Line::clean(b"# interrupt\n"), Line::Interrupt);
        assert_eq!(
            Line::clean(b"loadsgf \xff.sgf"),
            Line::Text("loadsgf \u{fffd}.sgf".into())
        );
    }

    #[test]
    fn identifiers_are_digits_alone() {
        let request = |text| Request::read(text).unwrap();
        assert_eq!(
            request("007   play  b D4"),
            Request {
                id: "007",
                name: "play",
                rest: "b D4"
            }
        );
        assert_eq!(request("12").name, "");
        assert_eq!((request("1x 2").id, request("1x 2").name), ("", "1x"));
        assert_eq!(Request::read("  "), None);
        assert!(Line::Text("3 quit now".into()).is_quit());
        assert!(!Line::Text("quitter".into()).is_quit());
    }
}
