//! The way from a command back to the client.

use std::io::{self, Write};

use tengen_search::Stop;

use crate::gtp::failure::Reply;
use crate::gtp::inbox::{Inbox, SearchEnd, Watch};

/// Where the reply to one command goes, and what may end its search.
pub(crate) struct Channel<'a> {
    out: &'a mut dyn Write,
    /// What arrives meanwhile; `None` if nothing can, since somebody waits for the reply.
    inbox: Option<&'a Inbox>,
    id: &'a str,
    has_begun: bool,
    /// What was written has not arrived: the client is gone.
    error: Option<io::Error>,
}

impl<'a> Channel<'a> {
    pub(crate) fn new(out: &'a mut dyn Write, inbox: Option<&'a Inbox>, id: &'a str) -> Self {
        Self {
            out,
            inbox,
            id,
            has_begun: false,
            error: None,
        }
    }

    /// Can nothing arrive before the reply is complete? Then a search needs an end of its own.
    pub(crate) const fn is_alone(&self) -> bool {
        self.inbox.is_none()
    }

    /// A switch that what arrives pulls, as long as the watch lives.
    pub(crate) fn watch(&self, end: SearchEnd) -> (Stop, Option<Watch<'a>>) {
        let stop = Stop::new();
        let watch = self.inbox.map(|inbox| inbox.watch(&stop, end));
        (stop, watch)
    }

    /// Waits until something arrives.
    pub(crate) fn wait_for_line(&self) {
        if let Some(inbox) = self.inbox {
            inbox.wait_for_line();
        }
    }

    /// Is the client gone?
    pub(crate) const fn is_broken(&self) -> bool {
        self.error.is_some()
    }

    fn write(&mut self, text: &str) {
        if self.error.is_some() {
            return;
        }
        let written = self.out.write_all(text.as_bytes());
        self.error = written.and_then(|()| self.out.flush()).err();
    }

    /// Says that the command succeeds, before all of its reply is known. Lines can follow.
    pub(crate) fn begin(&mut self) {
        let first = format!("={}\n", self.id);
        self.write(&first);
        self.has_begun = true;
    }

    /// Writes a line of a reply that has begun.
    pub(crate) fn line(&mut self, text: &str) {
        debug_assert!(self.has_begun && !text.is_empty() && !text.contains('\n'));
        self.write(&format!("{text}\n"));
    }

    /// Completes the reply.
    pub(crate) fn finish(mut self, reply: &Reply) -> io::Result<()> {
        let (sign, text) = match reply {
            Ok(text) => ('=', without_blank_lines(text)),
            Err(failure) => ('?', failure.to_string().replace(['\n', '\r'], " ")),
        };
        if self.has_begun {
            if !text.is_empty() {
                self.line(&text);
            }
            self.write("\n");
        } else {
            let id = self.id;
            self.write(&format!("{sign}{id} {text}\n\n"));
        }
        self.error.map_or(Ok(()), Err)
    }
}

/// An empty line would end the reply. The first line may be empty, since it stands behind the sign.
fn without_blank_lines(text: &str) -> String {
    let mut lines = text.trim_end_matches('\n').split('\n');
    let mut kept = lines.next().unwrap_or_default().to_owned();
    for line in lines.filter(|line| !line.trim().is_empty()) {
        kept.push('\n');
        kept.push_str(line);
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gtp::failure::Failure;

    fn reply(id: &str, reply: &Reply) -> String {
        let mut out = Vec::new();
        Channel::new(&mut out, None, id).finish(reply).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn a_reply_ends_with_its_only_blank_line() {
        assert_eq!(reply("7", &Ok("a\n\n \nb\n".into())), "=7 a\nb\n\n");
        assert_eq!(reply("", &Ok(String::new())), "= \n\n");
        assert_eq!(reply("", &Ok("\n A B\n".into())), "= \n A B\n\n");
        assert_eq!(
            reply("3", &Err(Failure::because("one\n\ntwo"))),
            "?3 one  two\n\n"
        );
    }
}
