//! Work on many records at once.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

use anyhow::Result;

use super::files::Source;
use crate::progress::ProgressLine;

/// What is heard while many things are worked on.
pub(crate) enum Heard<'a, S, T> {
    /// How far a worker has come.
    News(String),
    /// A thing is done, and what came of it.
    Done(&'a S, T),
}

/// Does the work for every source on all processors, and hands the results on in the order of the sources.
pub(crate) fn for_each<T: Send>(
    sources: &[Source],
    work: impl Fn(&Source) -> T + Sync,
    mut take: impl FnMut(&Source, T) -> Result<()>,
) -> Result<()> {
    let processors = thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    let mut progress = ProgressLine::new(false);
    let mut done = 0;
    let work = |source: &Source, _: &dyn Fn(String)| work(source);
    for_each_with_news(sources, processors.get(), work, |heard| {
        if let Heard::Done(source, result) = heard {
            take(source, result)?;
            done += 1;
            progress.report(done, sources.len());
        }
        Ok(())
    })
}

/// Does the work for every one of many things with so many workers, and hands the results on in their order, and at
/// once what workers say of how far they are.
pub(crate) fn for_each_with_news<S: Sync, T: Send>(
    things: &[S],
    workers: usize,
    work: impl Fn(&S, &dyn Fn(String)) -> T + Sync,
    mut take: impl FnMut(Heard<'_, S, T>) -> Result<()>,
) -> Result<()> {
    enum Said<T> {
        News(String),
        Done(usize, T),
    }
    let next = AtomicUsize::new(0);
    thread::scope(|scope| {
        // A worker that is far ahead of the output waits.
        let (sender, receiver) = mpsc::sync_channel(64 * workers);
        for _ in 0..workers.min(things.len()) {
            let sender = sender.clone();
            let (next, work) = (&next, &work);
            scope.spawn(move || {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(thing) = things.get(index) else {
                        return;
                    };
                    let say = |news| _ = sender.send(Said::News(news));
                    let result = work(thing, &say);
                    // Nobody listens any more only if the output has failed.
                    if sender.send(Said::Done(index, result)).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        let mut waiting = std::collections::BTreeMap::new();
        let mut due = 0;
        for said in receiver {
            match said {
                Said::News(news) => take(Heard::News(news))?,
                Said::Done(index, result) => _ = waiting.insert(index, result),
            }
            while let Some(result) = waiting.remove(&due) {
                take(Heard::Done(&things[due], result))?;
                due += 1;
            }
        }
        Ok(())
    })
}
