//! What has arrived, and the search that it may end.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tengen_search::Stop;

use crate::gtp::line::Line;

/// A client that sends without waiting for replies has to wait once so many lines are unread.
const CAPACITY: usize = 1024;

/// The lines that one thread reads and another answers. Who reads can end the search of who answers.
#[derive(Debug, Default)]
pub(crate) struct Inbox {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    lines: VecDeque<Line>,
    /// Will nothing more arrive?
    ended: bool,
    /// Has it been over for so long that no search may go on?
    overdue: bool,
    /// Does nobody answer any more?
    abandoned: bool,
    search: Option<(Stop, SearchEnd)>,
}

/// When a search ends by what arrives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SearchEnd {
    /// Any line ends it: an analysis.
    AtAnyLine,
    /// It goes on until it is done, unless it is interrupted or the client has long been gone: a move.
    WhenDone,
}

impl State {
    /// Ends the search if something is there that ends it.
    fn end_search(&self) {
        if let Some((stop, end)) = &self.search
            && (self.overdue
                || (*end == SearchEnd::AtAnyLine && (self.ended || !self.lines.is_empty())))
        {
            stop.stop();
        }
    }
}

impl Inbox {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'a>(
        &'a self,
        state: MutexGuard<'a, State>,
        go_on: impl FnMut(&mut State) -> bool,
    ) -> MutexGuard<'a, State> {
        self.changed
            .wait_while(state, go_on)
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a line, and waits before if there are too many. False if nobody answers any more.
    pub(crate) fn push(&self, line: Line) -> bool {
        let mut state = self.wait(self.state(), |state| {
            state.lines.len() >= CAPACITY && !state.abandoned
        });
        if line == Line::Interrupt
            && let Some((stop, _)) = &state.search
        {
            stop.stop();
        }
        state.lines.push_back(line);
        state.end_search();
        self.changed.notify_all();
        !state.abandoned
    }

    /// Says that nothing more will arrive. What was asked before is still answered, but searches end when the time is
    /// over.
    pub(crate) fn end(&self, linger: Duration) {
        let mut state = self.state();
        state.ended = true;
        state.end_search();
        self.changed.notify_all();
        let (mut state, _) = self
            .changed
            .wait_timeout_while(state, linger, |state| !state.abandoned)
            .unwrap_or_else(PoisonError::into_inner);
        state.overdue = true;
        state.end_search();
    }

    /// The next line, or `None` once there will be none.
    pub(crate) fn next(&self) -> Option<Line> {
        let mut state = self.wait(self.state(), |state| state.lines.is_empty() && !state.ended);
        let line = state.lines.pop_front();
        self.changed.notify_all();
        line
    }

    /// Waits until something is there that ends an analysis.
    pub(crate) fn wait_for_line(&self) {
        drop(self.wait(self.state(), |state| state.lines.is_empty() && !state.ended));
    }

    /// Is nothing there, and may something still come?
    pub(crate) fn is_quiet(&self) -> bool {
        let state = self.state();
        state.lines.is_empty() && !state.ended
    }

    /// Has the client been gone for so long that searches are cut short?
    pub(crate) fn is_overdue(&self) -> bool {
        self.state().overdue
    }

    /// Lets what arrives end a search, from now until the watch is dropped.
    pub(crate) fn watch(&self, stop: &Stop, end: SearchEnd) -> Watch<'_> {
        let mut state = self.state();
        state.search = Some((stop.clone(), end));
        state.end_search();
        Watch { inbox: self }
    }

    /// Says that nobody will answer any more.
    pub(crate) fn abandon(&self) {
        self.state().abandoned = true;
        self.changed.notify_all();
    }
}

/// As long as it lives, what arrives can end the search.
#[derive(Debug)]
pub(crate) struct Watch<'a> {
    inbox: &'a Inbox,
}

impl Drop for Watch<'_> {
    fn drop(&mut self) {
        self.inbox.state().search = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(text: &str) -> Line {
        Line::Text(text.to_owned())
    }

    #[test]
    fn a_line_ends_an_analysis_whether_it_comes_before_or_after() {
        let inbox = Inbox::default();
        let stop = Stop::new();
        let watch = inbox.watch(&stop, SearchEnd::AtAnyLine);
        assert!(!stop.is_stopped());
        inbox.push(line(""));
        assert!(stop.is_stopped());
        drop(watch);
        let late = Stop::new();
        let _watch = inbox.watch(&late, SearchEnd::AtAnyLine);
        assert!(late.is_stopped());
    }

    #[test]
    fn a_move_is_searched_to_its_end_unless_it_is_interrupted() {
        let inbox = Inbox::default();
        let stop = Stop::new();
        let _watch = inbox.watch(&stop, SearchEnd::WhenDone);
        inbox.push(line("name"));
        assert!(!stop.is_stopped());
        inbox.push(Line::Interrupt);
        assert!(stop.is_stopped());
    }

    #[test]
    fn a_move_for_a_client_that_is_gone_is_cut_short() {
        let inbox = Inbox::default();
        let stop = Stop::new();
        let _watch = inbox.watch(&stop, SearchEnd::WhenDone);
        inbox.end(Duration::from_millis(1));
        assert!(stop.is_stopped());
        assert_eq!(inbox.next(), None);
    }
}
