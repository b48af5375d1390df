//! The threads that a batch is stepped on.

use rayon::{ThreadPool, ThreadPoolBuilder};

/// A batch with fewer games than this for each thread is not worth waking another one for.
const GAMES_A_TASK: usize = 64;

/// Threads of one batch; none if it steps on the thread that calls it.
#[derive(Debug)]
pub(crate) struct Workers {
    threads: usize,
    pool: Option<ThreadPool>,
    /// The process that started the threads: a forked child does not have them.
    process: u32,
}

impl Workers {
    /// So many threads, or one for each core if 0. They start when they are first needed.
    pub(crate) fn new(threads: usize) -> Self {
        let cores = || std::thread::available_parallelism().map_or(1, Into::into);
        Self {
            threads: if threads == 0 { cores() } else { threads },
            pool: None,
            process: 0,
        }
    }

    pub(crate) const fn threads(&self) -> usize {
        self.threads
    }

    /// Does this work, cut into pieces for the threads.
    pub(crate) fn run<W: Divisible>(&mut self, work: W) {
        let games = work.games();
        // Two pieces a thread, so that one that is held up does not hold up all.
        let piece = games.div_ceil(2 * self.threads).max(GAMES_A_TASK);
        if self.threads == 1 || games <= piece {
            work.run();
            return;
        }
        match self.pool() {
            Some(pool) => pool.install(|| run_in_pieces(work, piece)),
            None => work.run(),
        }
    }

    /// The threads, if the system gives any.
    fn pool(&mut self) -> Option<&ThreadPool> {
        let process = std::process::id();
        if self.pool.is_none() || self.process != process {
            // What a fork leaves of a pool has no threads and perhaps a lock held for ever: it must not even be dropped.
            std::mem::forget(self.pool.take());
            let builder = ThreadPoolBuilder::new()
                .num_threads(self.threads)
                .thread_name(|index| format!("tengen-env-{index}"));
            self.pool = builder.build().ok();
            self.process = process;
        }
        self.pool.as_ref()
    }
}

/// Work on a row of games that can be cut in two.
pub(crate) trait Divisible: Send {
    /// How many games are left.
    fn games(&self) -> usize;

    /// The work on the first games, and on the others.
    fn divide(self, games: usize) -> (Self, Self)
    where
        Self: Sized;

    /// Does it.
    fn run(self);
}

fn run_in_pieces<W: Divisible>(work: W, piece: usize) {
    let games = work.games();
    if games <= piece {
        return work.run();
    }
    let (first, second) = work.divide(games / 2);
    rayon::join(
        || run_in_pieces(first, piece),
        || run_in_pieces(second, piece),
    );
}
