//! Positions that wait for an engine, and those that have one.

use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use tengen_search::Stop;

use super::request::Job;
use super::settings::AtEnd;

/// Positions that wait for an engine, the most urgent first, and those that have one.
#[derive(Debug, Default)]
pub struct Queue {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    waiting: BinaryHeap<Waiting>,
    running: Vec<Running>,
    arrivals: u64,
    end: Option<AtEnd>,
}

/// The right to search a position: to be given back with [`Queue::done`].
#[derive(Debug)]
pub struct Ticket {
    number: u64,
    /// Pulled when the search is no longer wanted.
    pub stop: Stop,
}

/// Which queries are meant.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Which {
    /// Those with this id; `None` is all.
    pub id: Option<String>,
    /// Of these, the positions of these turns; `None` is all.
    pub turns: Option<Vec<i64>>,
}

impl Which {
    fn includes(&self, id: &str, turn: usize) -> bool {
        let turn = i64::try_from(turn).unwrap_or(i64::MAX);
        self.id.as_ref().is_none_or(|wanted| wanted == id)
            && self
                .turns
                .as_ref()
                .is_none_or(|turns| turns.contains(&turn))
    }
}

#[derive(Debug)]
struct Running {
    number: u64,
    id: String,
    turn: usize,
    stop: Stop,
}

#[derive(Debug)]
struct Waiting {
    arrival: u64,
    job: Job,
}

impl Waiting {
    /// Who is served first: the higher priority, then who came first.
    fn urgency(&self) -> (i64, std::cmp::Reverse<u64>) {
        (self.job.priority, std::cmp::Reverse(self.arrival))
    }
}

impl PartialEq for Waiting {
    fn eq(&self, other: &Self) -> bool {
        self.urgency() == other.urgency()
    }
}

impl Eq for Waiting {}

impl PartialOrd for Waiting {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Waiting {
    fn cmp(&self, other: &Self) -> Ordering {
        self.urgency().cmp(&other.urgency())
    }
}

impl Queue {
    /// Adds positions.
    pub fn add(&self, jobs: Vec<Job>) {
        let mut state = self.state();
        for job in jobs {
            let arrival = state.arrivals;
            state.arrivals += 1;
            state.waiting.push(Waiting { arrival, job });
        }
        drop(state);
        self.changed.notify_all();
    }

    /// The most urgent position, as soon as there is one; `None` when there will be none any more.
    pub fn take(&self) -> Option<(Job, Ticket)> {
        let mut state = self.state();
        loop {
            if state.end == Some(AtEnd::Abandon) {
                return None;
            }
            if let Some(Waiting { arrival, job }) = state.waiting.pop() {
                let stop = Stop::new();
                state.running.push(Running {
                    number: arrival,
                    id: job.id.clone(),
                    turn: job.turn,
                    stop: stop.clone(),
                });
                let number = arrival;
                return Some((job, Ticket { number, stop }));
            }
            if state.end.is_some() {
                return None;
            }
            state = self
                .changed
                .wait(state)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// A search has ended. Is its result wanted?
    #[expect(
        clippy::needless_pass_by_value,
        reason = "a ticket is good for one search"
    )]
    pub fn done(&self, ticket: Ticket) -> bool {
        let mut state = self.state();
        state
            .running
            .retain(|running| running.number != ticket.number);
        state.end != Some(AtEnd::Abandon)
    }

    /// Ends queries: running ones end their search, waiting ones are returned, in the order in which they came.
    pub fn terminate(&self, which: &Which) -> Vec<Job> {
        let mut state = self.state();
        for running in &state.running {
            if which.includes(&running.id, running.turn) {
                running.stop.stop();
            }
        }
        let (mut ended, others): (Vec<_>, Vec<_>) = std::mem::take(&mut state.waiting)
            .into_iter()
            .partition(|waiting| which.includes(&waiting.job.id, waiting.job.turn));
        state.waiting = others.into();
        drop(state);
        ended.sort_by_key(|waiting| waiting.arrival);
        ended.into_iter().map(|waiting| waiting.job).collect()
    }

    /// Nothing will be added any more. Abandoning also ends all searches, and is not taken back.
    pub fn close(&self, end: AtEnd) {
        let mut state = self.state();
        if state.end != Some(AtEnd::Abandon) {
            state.end = Some(end);
        }
        if end == AtEnd::Abandon {
            for running in &state.running {
                running.stop.stop();
            }
            state.waiting.clear();
        }
        drop(state);
        self.changed.notify_all();
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // What a thread that panicked left behind is whole: no change of the state is made in two steps.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::{QueryDefaults, Request};

    fn jobs(query: &str) -> Vec<Job> {
        let line = format!(
            r#"{{"rules":"aga","boardXSize":5,"boardYSize":5,"moves":[["B","A1"],["W","B1"]],{query}}}"#
        );
        match Request::read(line.as_bytes(), &QueryDefaults::default()) {
            Ok(Request::Analyze { jobs, .. }) => jobs,
            other => panic!("{other:?}"),
        }
    }

    fn names(jobs: &[Job]) -> Vec<String> {
        jobs.iter()
            .map(|job| format!("{}{}", job.id, job.turn))
            .collect()
    }

    fn take_all(queue: &Queue) -> Vec<String> {
        queue.close(AtEnd::Finish);
        let mut taken = Vec::new();
        while let Some((job, ticket)) = queue.take() {
            assert!(!ticket.stop.is_stopped());
            assert!(queue.done(ticket));
            taken.push(job);
        }
        names(&taken)
    }

    #[test]
    fn the_urgent_come_first_then_the_early() {
        let queue = Queue::default();
        queue.add(jobs(r#""id":"a","analyzeTurns":[0,1,2]"#));
        queue.add(jobs(r#""id":"b","priority":5"#));
        queue.add(jobs(r#""id":"c","analyzeTurns":[2,0],"priorities":[-3,5]"#));
        queue.add(jobs(r#""id":"d","priority":4611686018427387903"#));
        queue.add(jobs(r#""id":"e","priority":-4611686018427387903"#));
        assert_eq!(
            take_all(&queue),
            ["d2", "b2", "c0", "a0", "a1", "a2", "c2", "e2"]
        );
    }

    #[test]
    fn terminates_what_waits_and_what_runs() {
        let queue = Queue::default();
        queue.add(jobs(r#""id":"a","analyzeTurns":[0,1,2]"#));
        queue.add(jobs(r#""id":"b","analyzeTurns":[1,2]"#));
        let (_, first) = queue.take().unwrap();
        let (_, second) = queue.take().unwrap();
        let which = Which {
            id: Some("a".into()),
            turns: Some(vec![1, 2, -5, 99]),
        };
        assert_eq!(names(&queue.terminate(&which)), ["a2"]);
        assert!(!first.stop.is_stopped());
        assert!(second.stop.is_stopped());
        assert!(queue.terminate(&which).is_empty());
        let unknown = Which {
            id: Some("z".into()),
            turns: None,
        };
        assert!(queue.terminate(&unknown).is_empty());
        let turn = Which {
            id: None,
            turns: Some(vec![2]),
        };
        assert_eq!(names(&queue.terminate(&turn)), ["b2"]);
        assert_eq!(names(&queue.terminate(&Which::default())), ["b1"]);
        assert!(first.stop.is_stopped());
        assert!(queue.done(first) && queue.done(second));
        assert!(take_all(&queue).is_empty());
    }

    #[test]
    fn abandoning_ends_all() {
        let queue = Queue::default();
        queue.add(jobs(r#""id":"a","analyzeTurns":[0,1,2]"#));
        let (_, ticket) = queue.take().unwrap();
        queue.close(AtEnd::Abandon);
        queue.close(AtEnd::Finish);
        assert!(ticket.stop.is_stopped());
        assert!(!queue.done(ticket), "nobody wants the result");
        assert!(queue.take().is_none());
    }
}
