//! A player and analyst: search, and what is kept from one search to the next.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use tengen_core::Game;

use crate::analysis::Analysis;
use crate::evaluator::Evaluator;
use crate::judge::Judge;
use crate::limits::{Limits, Restrictions, Stop};
use crate::memory::{Memory, pruned};
use crate::options::Options;
use crate::search::{Search, Seen};
use crate::summary::summary;
use crate::team::run;
use crate::tree::Tree;
use crate::tuning::Tuning;

/// Searches positions, keeps what it learnt from one move to the next, and decides what to play.
///
/// ```
/// use tengen_core::{Game, Rules, Setup};
/// use tengen_search::{Engine, Limits, Options, Stop, Task};
///
/// // White's three stones can be captured.
/// let setup: Setup = "
///     . X O O .
///     . X O X .
///     . X X X .
///     . . . . .
///     . . . . .".parse()?;
/// let game = Game::from_setup(&setup, Rules::default().with_komi("0.5".parse()?))?;
/// let mut engine = Engine::new(Options { threads: 1, ..Options::default() });
/// let task = Task { limits: Limits::visits(400), ..Task::default() };
/// let analysis = engine.analyze(&game, &task, &Stop::new(), &mut |_| {});
/// assert!(analysis.worth.win_rate > 0.9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Engine {
    options: Options,
    evaluators: Vec<Box<dyn Evaluator>>,
    memory: Option<Memory>,
}

/// What to search.
#[derive(Clone, Debug, Default)]
pub struct Task {
    /// When to end.
    pub limits: Limits,
    /// What to leave out.
    pub restrictions: Restrictions,
    /// How often to report before the end, if at all.
    pub report_every: Option<Duration>,
}

impl Engine {
    /// An engine that thinks with rollouts.
    pub fn new(options: Options) -> Self {
        Judge::default().engine(options)
    }

    /// An engine whose threads have these evaluators, one each.
    pub fn with_evaluators(options: Options, evaluators: Vec<Box<dyn Evaluator>>) -> Self {
        Self {
            options,
            evaluators,
            memory: None,
        }
    }

    /// How it thinks.
    pub const fn options(&self) -> &Options {
        &self.options
    }

    /// Forgets all that it learnt.
    pub fn clear(&mut self) {
        self.memory = None;
    }

    /// Searches a position. What an earlier search found about it is kept.
    ///
    /// A game that has ended is searched as if it went on.
    pub fn analyze(
        &mut self,
        game: &Game,
        task: &Task,
        stop: &Stop,
        report: &mut dyn FnMut(&Analysis),
    ) -> Analysis {
        let mut game = game.clone();
        if game.is_over() {
            game.resume();
        }
        // Half the memory is for the copy that is made when the other half is full.
        let half = self.options.memory / 2;
        let remembered = self.memory.take().filter(|_| task.restrictions.is_empty());
        let mut tree = remembered
            .and_then(|memory| memory.after(&game, half))
            .unwrap_or_else(|| Tree::new(half));
        self.seed(&game);
        let tuning = self
            .evaluators
            .first()
            .map_or_else(Tuning::default, |evaluator| evaluator.tuning());
        let mut limits = task.limits;
        // A tree that is searched already says nothing about ownership, so that a few visits are added to it.
        if let Some(most) = &mut limits.visits {
            let before = tree.root().visits();
            *most = (*most).max(before.saturating_add((*most / 10).clamp(1, 50)));
        }
        let started = Instant::now();
        let mut seen = Seen::default();
        loop {
            let search = Search {
                tree: &tree,
                root: &game,
                tuning: &tuning,
                breadth: tuning.breadth(game.size()),
                restrictions: &task.restrictions,
                limits,
                started,
                stop,
                ended: AtomicBool::new(false),
                full: AtomicBool::new(false),
            };
            run(
                &search,
                &mut self.evaluators,
                &mut seen,
                task.report_every,
                report,
            );
            if !search.full.load(Ordering::Relaxed) {
                break;
            }
            tree = pruned(&tree, half);
        }
        let analysis = summary(&game, &tree, &seen);
        if task.restrictions.is_empty() {
            self.memory = Some(Memory { game, tree });
        }
        analysis
    }

    /// Searches a position that is not part of the game: what was learnt before is neither used nor lost.
    pub(crate) fn analyze_aside(&mut self, game: &Game, limits: Limits, stop: &Stop) -> Analysis {
        let memory = self.memory.take();
        let task = Task {
            limits,
            ..Task::default()
        };
        let analysis = self.analyze(game, &task, stop, &mut |_| {});
        self.memory = memory;
        analysis
    }

    /// Gives every evaluator a seed that depends on the engine's own and on the position alone.
    fn seed(&mut self, game: &Game) {
        const ODD: u64 = 0x9e37_79b9_7f4a_7c15;
        let seed = self.options.seed.wrapping_mul(ODD) ^ game.board().hash();
        for (thread, evaluator) in self.evaluators.iter_mut().enumerate() {
            evaluator.begin(game, seed.wrapping_add(ODD.wrapping_mul(thread as u64)));
        }
    }
}

impl fmt::Debug for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Engine")
            .field("options", &self.options)
            .finish_non_exhaustive()
    }
}
