//! The protocol on two streams.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use crate::gtp::inbox::Inbox;
use crate::gtp::line::Line;
use crate::gtp::session::Session;

/// The longest line that is read. A whole game in one `gogui-play_sequence` is a hundredth of it.
const LONGEST_LINE: u64 = 1 << 20;

/// How a session came to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// Everything was answered in full.
    Complete,
    /// A search was ended because the client had gone away before.
    CutShort,
}

/// Answers all commands of a stream, until it ends, a command says `quit`, or nobody reads the replies any more.
///
/// The input is read on a thread of its own, so that a line can end an analysis. That thread may outlive this function
/// until its stream ends.
pub fn serve(
    session: &mut Session,
    input: impl Read + Send + 'static,
    output: &mut dyn Write,
) -> io::Result<Ending> {
    let inbox = Arc::new(Inbox::default());
    let linger = session.linger();
    thread::Builder::new().name("input".to_owned()).spawn({
        let inbox = Arc::clone(&inbox);
        move || read_lines(input, &inbox, linger)
    })?;
    let result = answer_lines(session, &inbox, output);
    let ending = match inbox.is_overdue() {
        true => Ending::CutShort,
        false => Ending::Complete,
    };
    inbox.abandon();
    result.map(|()| ending)
}

fn answer_lines(session: &mut Session, inbox: &Inbox, output: &mut dyn Write) -> io::Result<()> {
    loop {
        if inbox.is_quiet() {
            session.ponder(inbox);
        }
        let Some(line) = inbox.next() else {
            return Ok(());
        };
        session.obey(&line, Some(inbox), output)?;
        if session.has_quit() {
            return Ok(());
        }
    }
}

/// Reads until the stream ends or fails, or nothing that follows matters.
fn read_lines(input: impl Read, inbox: &Inbox, linger: Duration) {
    let mut input = BufReader::new(input);
    while let Ok(Some(line)) = read_line(&mut input) {
        let is_last = line.is_quit();
        if !inbox.push(line) || is_last {
            break;
        }
    }
    inbox.end(linger);
}

/// The next line, or `None` at the end of the stream.
fn read_line(input: &mut impl BufRead) -> io::Result<Option<Line>> {
    let mut bytes = Vec::new();
    input
        .by_ref()
        .take(LONGEST_LINE)
        .read_until(b'\n', &mut bytes)?;
    if bytes.len() as u64 == LONGEST_LINE && !bytes.ends_with(b"\n") {
        skip_line(input)?;
        return Ok(Some(Line::TooLong));
    }
    Ok((!bytes.is_empty()).then(|| Line::clean(&bytes)))
}

/// Reads what is left of a line, and keeps nothing of it.
fn skip_line(input: &mut impl BufRead) -> io::Result<()> {
    loop {
        let bytes = input.fill_buf()?;
        let end = bytes.iter().position(|byte| *byte == b'\n');
        let taken = end.map_or(bytes.len(), |end| end + 1);
        let is_over = end.is_some() || bytes.is_empty();
        input.consume(taken);
        if is_over {
            return Ok(());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_without_end_is_not_kept() {
        let mut text = vec![b'x'; 3 << 20];
        text.extend_from_slice(b"\nname\nversion");
        let mut input = &text[..];
        let mut next = || read_line(&mut input).unwrap();
        assert_eq!(next(), Some(Line::TooLong));
        assert_eq!(next(), Some(Line::Text("name".into())));
        assert_eq!(next(), Some(Line::Text("version".into())));
        assert_eq!(next(), None);
    }
}
