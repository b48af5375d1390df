//! The threads that a batch is stepped on.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use rayon::{ThreadPool, ThreadPoolBuilder};

/// Pieces of work for each thread, so that one that is held up does not hold up all.
const PIECES_A_THREAD: usize = 4;

/// How long a thread stays awake at most for the next step, or for the others to finish this one. Waking a thread that
/// sleeps takes tens of microseconds, which is a good part of a step.
const SPIN_FOR: Duration = Duration::from_micros(200);

/// A thread stays awake for the next step so many times as long as this one took, so that small batches do not burn a
/// core while their caller thinks.
const SPIN_STEPS: u32 = 2;

/// Threads of one batch. The one that calls is one of them.
#[derive(Debug)]
pub(crate) struct Workers {
    threads: usize,
    helpers: Option<ThreadPool>,
    /// The process that started the helpers: a forked child does not have them.
    process: u32,
    /// How many times there was work, which helpers that stay awake watch.
    calls: Arc<AtomicU64>,
}

impl Workers {
    /// So many threads, or one for each core if 0. Helpers start when they are first needed.
    pub(crate) fn new(threads: usize) -> Self {
        let cores = || std::thread::available_parallelism().map_or(1, Into::into);
        Self {
            threads: if threads == 0 { cores() } else { threads },
            helpers: None,
            process: 0,
            calls: Arc::default(),
        }
    }

    pub(crate) const fn threads(&self) -> usize {
        self.threads
    }

    /// Does this work, cut into pieces for the threads.
    pub(crate) fn run<W: Divisible>(&mut self, work: W) {
        let games = work.games();
        let piece = (games.div_ceil(PIECES_A_THREAD * self.threads)).max(work.smallest());
        let helping = (self.threads - 1).min(games.div_ceil(piece) - 1);
        let calls = self.calls.clone();
        let Some(helpers) = (helping > 0).then(|| self.helpers()).flatten() else {
            return work.run();
        };
        let call = calls.fetch_add(1, Ordering::Relaxed) + 1;
        let began = Instant::now();
        let pieces = Mutex::new(cut(work, piece));
        let finished = AtomicUsize::new(0);
        helpers.in_place_scope(|scope| {
            for _ in 0..helping {
                scope.spawn(|_| {
                    work_off(&pieces);
                    finished.fetch_add(1, Ordering::Release);
                });
            }
            work_off(&pieces);
            wait(SPIN_FOR, || finished.load(Ordering::Acquire) == helping);
        });
        let awake = SPIN_FOR.min(SPIN_STEPS * began.elapsed());
        for _ in 0..helping {
            let calls = calls.clone();
            helpers.spawn(move || wait(awake, || calls.load(Ordering::Relaxed) != call));
        }
    }

    /// The threads besides the one that calls, if the system gives any.
    fn helpers(&mut self) -> Option<&ThreadPool> {
        let process = std::process::id();
        if self.helpers.is_none() || self.process != process {
            // What a fork leaves of a pool has no threads and perhaps a lock held for ever: it must not even be
            // dropped.
            std::mem::forget(self.helpers.take());
            let builder = ThreadPoolBuilder::new()
                .num_threads(self.threads - 1)
                .thread_name(|index| format!("tengen-env-{index}"));
            self.helpers = builder.build().ok();
            self.process = process;
        }
        self.helpers.as_ref()
    }
}

/// Work on a row of games that can be cut in two.
pub(crate) trait Divisible: Send + Sized {
    /// Fewer games than this are not worth another thread.
    fn smallest(&self) -> usize;

    /// How many games are left.
    fn games(&self) -> usize;

    /// The work on the first games, and on the others.
    fn divide(self, games: usize) -> (Self, Self);

    /// Does it.
    fn run(self);
}

/// Cuts work into pieces of so many games.
fn cut<W: Divisible>(mut work: W, piece: usize) -> Vec<W> {
    let mut pieces = Vec::with_capacity(work.games().div_ceil(piece));
    while work.games() > piece {
        let (first, rest) = work.divide(piece);
        pieces.push(first);
        work = rest;
    }
    pieces.push(work);
    pieces
}

/// Takes piece after piece until none is left.
fn work_off<W: Divisible>(pieces: &Mutex<Vec<W>>) {
    loop {
        let next = pieces.lock().unwrap_or_else(PoisonError::into_inner).pop();
        match next {
            Some(piece) => piece.run(),
            None => return,
        }
    }
}

/// Waits for something without going to sleep, unless it takes longer than this.
fn wait(longest: Duration, happened: impl Fn() -> bool) {
    let start = Instant::now();
    while !happened() && start.elapsed() < longest {
        for _ in 0..32 {
            std::hint::spin_loop();
        }
    }
}
