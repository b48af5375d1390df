//! What was said between us and a program.

use std::collections::VecDeque;
use std::fmt;

/// What was said between us and a program, in order. It keeps the latest lines when there are too many.
#[derive(Clone, Debug, Default)]
pub struct Transcript {
    lines: VecDeque<Line>,
    bytes: usize,
    /// Were older lines given up?
    shortened: bool,
}

/// One line, and whose it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Who said it.
    pub speaker: Speaker,
    /// What was said.
    pub text: String,
}

/// Whose a line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Speaker {
    /// We sent it.
    Us,
    /// The program answered it.
    Program,
    /// The program wrote it to standard error.
    Aside,
    /// It is a remark about what happened.
    Note,
}

impl Transcript {
    /// How much is kept.
    const MAX_BYTES: usize = 1 << 20;
    /// What is kept of a single line.
    const MAX_LINE: usize = 4096;

    /// Adds a line.
    pub(crate) fn push(&mut self, speaker: Speaker, text: &str) {
        let text = shorten(text, Self::MAX_LINE).to_owned();
        self.bytes += text.len() + 1;
        self.lines.push_back(Line { speaker, text });
        while self.bytes > Self::MAX_BYTES
            && let Some(oldest) = self.lines.pop_front()
        {
            self.bytes -= oldest.text.len() + 1;
            self.shortened = true;
        }
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        *self = Self::default();
    }

    /// The lines, the oldest first.
    pub fn lines(&self) -> impl DoubleEndedIterator<Item = &Line> {
        self.lines.iter()
    }
}

/// The beginning of a text, at most so many bytes.
pub(crate) fn shorten(text: &str, bytes: usize) -> &str {
    let mut cut = bytes.min(text.len());
    while !text.is_char_boundary(cut) {
        cut -= 1;
    }
    &text[..cut]
}

/// `> ` is before what we sent, `< ` before answers, `! ` before standard error, `# ` before remarks.
impl fmt::Display for Transcript {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.shortened {
            writeln!(f, "# earlier lines were given up")?;
        }
        for line in &self.lines {
            writeln!(f, "{line}")?;
        }
        Ok(())
    }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = match self.speaker {
            Speaker::Us => '>',
            Speaker::Program => '<',
            Speaker::Aside => '!',
            Speaker::Note => '#',
        };
        write!(f, "{sign} {}", self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_latest_lines_are_kept() {
        let mut transcript = Transcript::default();
        transcript.push(Speaker::Us, "genmove b");
        transcript.push(Speaker::Program, "= D4");
        transcript.push(Speaker::Aside, "thinking");
        assert_eq!(transcript.to_string(), "> genmove b\n< = D4\n! thinking\n");

        let long = "ü".repeat(3000);
        for _ in 0..2000 {
            transcript.push(Speaker::Program, &long);
        }
        let kept: Vec<&Line> = transcript.lines().collect();
        assert!(kept.iter().all(|line| line.text.len() == 4096));
        assert_eq!(kept.len(), 255);
        assert!(transcript.to_string().starts_with("# earlier"));
    }
}
