//! All threads of a search.

use std::panic::resume_unwind;
use std::sync::atomic::Ordering;
use std::thread;
use std::time::Duration;

use crate::analysis::Analysis;
use crate::evaluator::Evaluator;
use crate::search::{Search, Seen, Worker};
use crate::summary::summary;

/// Why all workers have ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ended {
    /// Nothing is left to do.
    ForGood,
    /// The portion is done.
    ForNow,
    /// The tree is full.
    Full,
}

/// Ends a search when a thread of it panics: the others would go on with a tree in which a descent never came back.
struct Alarm<'a>(&'a Search<'a>);

impl Drop for Alarm<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.ended.store(true, Ordering::Relaxed);
        }
    }
}

/// Searches with all evaluators, one of them on the calling thread. If one of the others panics, so does the calling
/// thread: half a search is none.
pub(crate) fn run(
    search: &Search<'_>,
    evaluators: &mut [Box<dyn Evaluator>],
    seen: &mut Seen,
    report_every: Option<Duration>,
    report: &mut dyn FnMut(&Analysis),
) -> Ended {
    let Some((own, others)) = evaluators.split_first_mut() else {
        return Ended::ForGood;
    };
    let mut decided = false;
    let mut worker = Worker::new(search, own.as_mut());
    // While the root has no moves there is nothing for others to do but to judge it again and again.
    if search.tree.children(search.tree.root()).is_empty() && !search.is_over() {
        worker.step();
    }
    thread::scope(|scope| {
        let helpers: Vec<_> = others
            .iter_mut()
            .map(|evaluator| {
                scope.spawn(move || {
                    let _alarm = Alarm(search);
                    let mut worker = Worker::new(search, evaluator.as_mut());
                    worker.run(|_| {});
                    worker.seen
                })
            })
            .collect();
        let _alarm = Alarm(search);
        let mut reported = search.watch;
        reported.restart();
        let mut steps = 0_u32;
        // Rollouts take less time than to look at all moves; a network takes far more.
        let every = match search.tuning.futile_share > 0.0 {
            true => 1,
            false => 64,
        };
        worker.run(|worker| {
            steps += 1;
            if let Some(every) = report_every
                && reported.elapsed() >= every
            {
                reported.restart();
                let mut so_far = seen.clone();
                so_far.merge(&worker.seen);
                report(&summary(search.root, search.tree, &so_far, search.tuning));
            }
            if search.limits.may_end_early && steps.is_multiple_of(every) && is_decided(search) {
                decided = true;
                search.ended.store(true, Ordering::Relaxed);
            }
        });
        search.ended.store(true, Ordering::Relaxed);
        seen.merge(&worker.seen);
        for helper in helpers {
            match helper.join() {
                Ok(more) => seen.merge(&more),
                Err(panic) => resume_unwind(panic),
            }
        }
    });
    if search.full.load(Ordering::Relaxed) {
        Ended::Full
    } else if decided || search.is_over_for_good() {
        Ended::ForGood
    } else {
        Ended::ForNow
    }
}

/// Can no other move overtake the best one in what is left of the search?
fn is_decided(search: &Search<'_>) -> bool {
    let children = search.tree.children(search.tree.root());
    let Some(left) = search.visits_left() else {
        return false;
    };
    if search.tuning.futile_share > 0.0 {
        let least = search.least_prospects(children);
        let mut prospects = children.iter().filter(|child| child.visits() >= least);
        return least > 0 && prospects.nth(1).is_none();
    }
    let mut best = [0, 0];
    for child in children {
        let count = child.visits();
        if count > best[0] {
            best = [count, best[0]];
        } else if count > best[1] {
            best[1] = count;
        }
    }
    best[0] - best[1] > left
}
