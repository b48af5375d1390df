//! Work on many records at once.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

use anyhow::Result;

use super::files::Source;
use crate::progress::ProgressLine;

/// Does the work for every source on all processors, and hands the results on in the order of the sources.
pub(crate) fn for_each<T: Send>(
    sources: &[Source],
    work: impl Fn(&Source) -> T + Sync,
    mut take: impl FnMut(&Source, T) -> Result<()>,
) -> Result<()> {
    let processors = thread::available_parallelism()
        .unwrap_or(NonZeroUsize::MIN)
        .get();
    let next = AtomicUsize::new(0);
    let mut progress = ProgressLine::new(false);
    thread::scope(|scope| {
        // A worker that is far ahead of the output waits.
        let (sender, receiver) = mpsc::sync_channel(64 * processors);
        for _ in 0..processors.min(sources.len()) {
            let sender = sender.clone();
            let (next, work) = (&next, &work);
            scope.spawn(move || {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(source) = sources.get(index) else {
                        return;
                    };
                    // Nobody listens any more only if the output has failed.
                    if sender.send((index, work(source))).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        let mut waiting = std::collections::BTreeMap::new();
        let mut due = 0;
        for (index, result) in receiver {
            waiting.insert(index, result);
            while let Some(result) = waiting.remove(&due) {
                take(&sources[due], result)?;
                due += 1;
                progress.report(due, sources.len());
            }
        }
        Ok(())
    })
}
