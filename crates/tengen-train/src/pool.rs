//! Threads that play games.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

use tengen_search::Stop;

/// Threads that do tasks, such as games, until there are no more or somebody stops them.
///
/// ```
/// use tengen_search::Stop;
/// use tengen_train::Pool;
///
/// let stop = Stop::new();
/// let pool = Pool { threads: 2, stop: &stop };
/// let mut sum = 0;
/// let kept: Result<(), ()> = pool.run(&[1, 2, 3], || 10, |ten, task| *ten * task, |_, product| {
///     sum += product;
///     Ok(())
/// });
/// assert_eq!((kept, sum), (Ok(()), 60));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Pool<'a> {
    /// How many there are.
    pub threads: usize,
    /// What ends them: a task that was begun is finished, and no other is begun.
    pub stop: &'a Stop,
}

impl Pool<'_> {
    /// Does tasks in their order, each thread with a player of its own. What comes of a task is kept on this thread, as
    /// soon as it is there. If it cannot be kept, all are stopped, and what was under way is lost.
    pub fn run<T: Sync, P, R: Send, E>(
        &self,
        tasks: &[T],
        player: impl Fn() -> P + Sync,
        play: impl Fn(&mut P, &T) -> R + Sync,
        mut keep: impl FnMut(&T, R) -> Result<(), E>,
    ) -> Result<(), E> {
        let next = AtomicUsize::new(0);
        let (sender, receiver) = mpsc::channel();
        let worker = |sender: mpsc::Sender<(usize, R)>| {
            let mut player = player();
            loop {
                let place = next.fetch_add(1, Ordering::Relaxed);
                let Some(task) = tasks.get(place).filter(|_| !self.stop.is_stopped()) else {
                    return;
                };
                // Nobody listens any more only if something could not be kept.
                if sender.send((place, play(&mut player, task))).is_err() {
                    return;
                }
            }
        };
        thread::scope(|scope| {
            for _ in 0..self.threads.min(tasks.len()) {
                let sender = sender.clone();
                scope.spawn(|| worker(sender));
            }
            drop(sender);
            for (place, result) in receiver {
                let kept = keep(&tasks[place], result);
                if kept.is_err() {
                    self.stop.stop();
                    return kept;
                }
            }
            Ok(())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_task_is_done_once() {
        let tasks: Vec<usize> = (0..100).collect();
        for threads in [1, 3, 200] {
            let stop = Stop::new();
            let mut done = Vec::new();
            let pool = Pool {
                threads,
                stop: &stop,
            };
            let kept: Result<(), ()> = pool.run(
                &tasks,
                || (),
                |(), task| 2 * task,
                |task, double| {
                    assert_eq!(double, 2 * task);
                    done.push(*task);
                    Ok(())
                },
            );
            assert_eq!(kept, Ok(()));
            done.sort_unstable();
            assert_eq!(done, tasks);
            assert!(!stop.is_stopped());
        }
    }

    #[test]
    fn what_is_stopped_begins_nothing_more() {
        let stop = Stop::new();
        let pool = Pool {
            threads: 1,
            stop: &stop,
        };
        let tasks: Vec<usize> = (0..100).collect();
        let mut done = 0;
        let play = |_: &mut (), task: &usize| {
            if *task == 3 {
                stop.stop();
            }
        };
        let kept: Result<(), ()> = pool.run(
            &tasks,
            || (),
            play,
            |_, ()| {
                done += 1;
                Ok(())
            },
        );
        assert_eq!((kept, done), (Ok(()), 4));
    }

    #[test]
    fn what_cannot_be_kept_stops_all() {
        let stop = Stop::new();
        let pool = Pool {
            threads: 2,
            stop: &stop,
        };
        let kept = pool.run(&[1, 2, 3, 4], || (), |(), task| *task, |_, _| Err("full"));
        assert_eq!(kept, Err("full"));
        assert!(stop.is_stopped());
    }
}
