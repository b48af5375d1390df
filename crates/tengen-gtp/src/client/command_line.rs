//! The words of a command line.

use std::str::FromStr;

/// A program and its arguments, split as a shell would split them but for its variables and patterns.
///
/// Spaces part words, quotes of both kinds keep them together. A backslash takes the meaning from a space, a quote or
/// another backslash, and is itself before anything else, so that the paths of Windows need no care.
///
/// ```
/// use tengen_gtp::client::CommandLine;
/// let line: CommandLine = r#"gnugo --mode gtp --infile "my game.sgf""#.parse()?;
/// assert_eq!(line.program(), "gnugo");
/// assert_eq!(line.arguments(), ["--mode", "gtp", "--infile", "my game.sgf"]);
/// # Ok::<(), tengen_gtp::client::CommandLineError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommandLine {
    program: String,
    arguments: Vec<String>,
}

impl CommandLine {
    /// What is started.
    pub fn program(&self) -> &str {
        &self.program
    }

    /// What it is given.
    pub fn arguments(&self) -> &[String] {
        &self.arguments
    }
}

/// Why a command line was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CommandLineError {
    /// It has no word.
    #[error("the command is empty")]
    Empty,
    /// This quote, at this character from 1 on, is never closed.
    #[error("the quote {0} at character {1} of the command is never closed")]
    Open(char, usize),
}

impl FromStr for CommandLine {
    type Err = CommandLineError;

    fn from_str(text: &str) -> Result<Self, CommandLineError> {
        let mut words = split(text)?.into_iter();
        let program = words.next().ok_or(CommandLineError::Empty)?;
        Ok(Self {
            program,
            arguments: words.collect(),
        })
    }
}

fn split(text: &str) -> Result<Vec<String>, CommandLineError> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut open: Option<(char, usize)> = None;
    let mut letters = text.chars().enumerate().peekable();
    while let Some((index, letter)) = letters.next() {
        match (letter, open) {
            (_, Some((quote, _))) if letter == quote => open = None,
            ('"' | '\'', None) => {
                open = Some((letter, index + 1));
                word.get_or_insert_default();
            }
            ('\\', None | Some(('"', _))) => {
                let escaped = letters.next_if(|(_, next)| match open {
                    None => matches!(next, ' ' | '\t' | '"' | '\'' | '\\'),
                    Some(_) => matches!(next, '"' | '\\'),
                });
                let meant = escaped.map_or(letter, |(_, next)| next);
                word.get_or_insert_default().push(meant);
            }
            (_, None) if letter.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(letter),
        }
    }
    if let Some((quote, place)) = open {
        return Err(CommandLineError::Open(quote, place));
    }
    words.extend(word);
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_those_of_a_shell() {
        for (text, words) in [
            ("a b  c", &["a", "b", "c"][..]),
            ("  a\tb ", &["a", "b"]),
            ("a 'b c' \"d e\"", &["a", "b c", "d e"]),
            ("a 'it \"is\"'", &["a", "it \"is\""]),
            ("a \"it 'is'\"", &["a", "it 'is'"]),
            ("a b' 'c", &["a", "b c"]),
            ("a ''", &["a", ""]),
            (r"a b\ c \' \\", &["a", "b c", "'", r"\"]),
            (r#"a "b\"c" 'd\'"#, &["a", "b\"c", r"d\"]),
            (r"C:\go\gnugo.exe", &[r"C:\go\gnugo.exe"]),
        ] {
            assert_eq!(split(text).unwrap(), words, "{text}");
        }
    }

    #[test]
    fn a_line_that_is_no_command_says_why() {
        let refusal = |text: &str| text.parse::<CommandLine>().unwrap_err();
        assert_eq!(refusal(" \t"), CommandLineError::Empty);
        assert_eq!(refusal("a 'b"), CommandLineError::Open('\'', 3));
        assert_eq!(refusal("\"a\" \""), CommandLineError::Open('"', 5));
    }
}
