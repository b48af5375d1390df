//! A search in portions, so that an engine's host can do something else in between.

use std::fmt;
use std::sync::OnceLock;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use tengen_core::Game;

use crate::aim::Aim;
use crate::analysis::Analysis;
use crate::engine::{Adjustment, Engine, Task};
use crate::limits::{Limits, Stop};
use crate::memory::{Memory, pruned};
use crate::root;
use crate::search::{Search, Seen};
use crate::stopwatch::Stopwatch;
use crate::summary::summary;
use crate::team::{Ended, run};
use crate::tree::Tree;
use crate::tuning::Tuning;
use crate::utility::ScoreUtility;

/// How much of a search to do at once. The default is all of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Portion {
    /// Visits to add, if there is a limit.
    pub visits: Option<u32>,
    /// How long it may take, if there is a limit.
    pub time: Option<Duration>,
}

/// A search that has begun and goes on when [`Engine::go_on`] is called. In portions, an engine finds exactly what it
/// would have found in one go, if it does nothing else in between.
///
/// ```
/// use tengen_core::{Game, Rules, Size};
/// use tengen_search::{Engine, Limits, Options, Portion, Stop, Task};
///
/// let game = Game::new(Size::square(5)?, Rules::default());
/// let task = Task { limits: Limits::visits(100), ..Task::default() };
/// let options = Options { threads: 1, ..Options::default() };
/// let mut engine = Engine::new(options);
/// let mut thinking = engine.begin(&game, &task);
/// let portion = Portion { visits: Some(30), time: None };
/// let mut portions = 1;
/// while !engine.go_on(&mut thinking, portion, &Stop::new(), &mut |_| {}) {
///     portions += 1;
/// }
/// assert_eq!(portions, 4);
/// let whole = Engine::new(options).analyze(&game, &task, &Stop::new(), &mut |_| {});
/// assert_eq!(engine.end(thinking).worth, whole.worth);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Thinking {
    game: Game,
    task: Task,
    tuning: Tuning,
    tree: Tree,
    center: OnceLock<f32>,
    seen: Seen,
    spent: Duration,
    purpose: Purpose,
}

/// What becomes of a tree when its search has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Purpose {
    /// It is searched further with the next moves of the game.
    Game,
    /// It is forgotten.
    Aside,
}

impl Thinking {
    /// What was found so far.
    pub fn so_far(&self) -> Analysis {
        summary(&self.game, &self.tree, &self.seen, &self.tuning)
    }
}

impl Engine {
    /// Begins to search a position. What an earlier search found about it is kept.
    pub fn begin(&mut self, game: &Game, task: &Task) -> Thinking {
        let remembered = self.memory.take();
        self.begin_with(game, task, Aim::BEST, remembered, Purpose::Game)
    }

    /// Begins a search aside from the game: what was learnt before is neither used nor lost.
    pub(crate) fn begin_aside(&mut self, game: &Game, task: &Task, aim: Aim) -> Thinking {
        self.begin_with(game, task, aim, None, Purpose::Aside)
    }

    fn begin_with(
        &mut self,
        game: &Game,
        task: &Task,
        aim: Aim,
        remembered: Option<Memory>,
        purpose: Purpose,
    ) -> Thinking {
        let mut game = game.clone();
        // A game that has ended is searched as if it went on.
        if game.is_over() {
            game.resume();
        }
        let half = self.half_memory();
        let seen_from = remembered.as_ref().and_then(|memory| memory.center);
        let tree = remembered
            .filter(|_| task.restrictions.is_empty())
            .and_then(|memory| memory.after(&game, half))
            .unwrap_or_else(|| Tree::new(half));
        self.prepare(&game, aim);
        self.seed(&game);
        let mut tuning = self
            .evaluators
            .first()
            .map_or_else(Tuning::default, |evaluator| evaluator.tuning());
        for Adjustment { apply, value } in &task.tuning {
            apply(&mut tuning, *value);
        }
        let center = OnceLock::new();
        if tree.root().visits() > 0 {
            _ = center.set(recentered(&tree, &game, &tuning, seen_from));
        }
        if let Some(evaluator) = self.evaluators.first_mut() {
            root::refresh(&tree, evaluator.as_mut(), &game, &tuning);
        }
        let mut task = task.clone();
        // A tree that is searched already says nothing about ownership, so that a few visits are added to it.
        if let Some(most) = &mut task.limits.visits {
            let before = tree.root().visits();
            *most = (*most).max(before.saturating_add((*most / 10).clamp(1, 50)));
        }
        Thinking {
            game,
            task,
            tuning,
            tree,
            center,
            seen: Seen::default(),
            spent: Duration::ZERO,
            purpose,
        }
    }

    /// Searches on, and says whether that was the last portion.
    pub fn go_on(
        &mut self,
        thinking: &mut Thinking,
        portion: Portion,
        stop: &Stop,
        report: &mut dyn FnMut(&Analysis),
    ) -> bool {
        let watch = Stopwatch::start(self.time);
        let before = thinking.tree.root().visits();
        let pause = Limits {
            visits: portion
                .visits
                .map(|more| before.saturating_add(more.max(1))),
            time: portion.time,
            may_end_early: false,
        };
        let ended = loop {
            let search = Search {
                tree: &thinking.tree,
                root: &thinking.game,
                tuning: &thinking.tuning,
                breadth: thinking.tuning.breadth(thinking.game.size()),
                center: &thinking.center,
                restrictions: &thinking.task.restrictions,
                beside: thinking.task.beside,
                limits: thinking.task.limits,
                pause,
                spent: thinking.spent,
                watch,
                stop,
                ended: AtomicBool::new(false),
                full: AtomicBool::new(false),
            };
            let ended = run(
                &search,
                &mut self.evaluators,
                &mut thinking.seen,
                thinking.task.report_every,
                report,
            );
            if ended != Ended::Full {
                break ended;
            }
            thinking.tree = pruned(&thinking.tree, self.half_memory());
        };
        thinking.spent += watch.elapsed();
        ended == Ended::ForGood
    }

    /// Ends a search, wherever it stands, and says what was found.
    pub fn end(&mut self, thinking: Thinking) -> Analysis {
        let analysis = thinking.so_far();
        let Thinking {
            game,
            task,
            tree,
            center,
            purpose,
            ..
        } = thinking;
        if purpose == Purpose::Game && task.restrictions.is_empty() {
            let center = center.into_inner();
            self.memory = Some(Memory { game, tree, center });
        }
        analysis
    }

    /// Does all of a search.
    pub(crate) fn finish(
        &mut self,
        mut thinking: Thinking,
        stop: &Stop,
        report: &mut dyn FnMut(&Analysis),
    ) -> Analysis {
        while !self.go_on(&mut thinking, Portion::default(), stop, report) {}
        self.end(thinking)
    }

    /// Half the memory is for the copy that is made when the other half is full.
    const fn half_memory(&self) -> usize {
        self.options().memory / 2
    }
}

/// From where a search sees scores that goes on with a tree whose search saw them from elsewhere. What was found is
/// corrected by the difference.
fn recentered(tree: &Tree, game: &Game, tuning: &Tuning, seen_from: Option<f32>) -> f32 {
    let (size, to_move) = (game.size(), game.to_move());
    let led_here = tree.root().worth().map_or(0.0, |worth| worth.lead);
    let center = tuning.center((!to_move).sign(1) as f32 * led_here, size);
    if tuning.centered_score_weight > 0.0
        && let Some(before) = seen_from
    {
        let (before, after) = (tuning.score(before, size), tuning.score(center, size));
        tree.shift_utilities(|worth, depth| {
            let sign = match depth % 2 {
                0 => (!to_move).sign(1),
                _ => to_move.sign(1),
            } as f32;
            let seen = |score: &ScoreUtility| score.centered(sign * worth.lead, worth.lead_spread);
            sign * tuning.centered_score_weight * (seen(&after) - seen(&before))
        });
    }
    center
}

impl fmt::Debug for Thinking {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Thinking")
            .field("task", &self.task)
            .field("visits", &self.tree.root().visits())
            .finish_non_exhaustive()
    }
}
