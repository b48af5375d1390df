//! A player and analyst: search, and what is kept from one search to the next.

use std::fmt;
use std::time::Duration;

use tengen_core::Game;

use crate::aim::Aim;
use crate::analysis::Analysis;
use crate::evaluator::Evaluator;
use crate::judge::Judge;
use crate::level::{Level, Skill};
use crate::limits::{Beside, Limits, Restrictions, Stop};
use crate::memory::Memory;
use crate::options::Options;
use crate::raw::{Model, Raw, RawQuery};
use crate::stopwatch::{Time, system_time};
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
    pub(crate) evaluators: Vec<Box<dyn Evaluator>>,
    pub(crate) memory: Option<Memory>,
    pub(crate) time: Time,
}

/// What to search.
#[derive(Clone, Debug, Default)]
pub struct Task {
    /// When to end.
    pub limits: Limits,
    /// What to leave out.
    pub restrictions: Restrictions,
    /// A move that is looked at whatever it seems worth, if there is one.
    pub beside: Option<Beside>,
    /// How often to report before the end, if at all.
    pub report_every: Option<Duration>,
    /// Numbers that this search is tuned by otherwise than its evaluators say.
    pub tuning: Vec<Adjustment>,
}

/// A number of a search that is to be another one.
#[derive(Clone, Copy, Debug)]
pub struct Adjustment {
    /// What is done with the number.
    pub apply: fn(&mut Tuning, f32),
    /// The number.
    pub value: f32,
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
            time: system_time,
        }
    }

    /// The same engine, asking here for the time.
    #[must_use]
    pub fn timed_by(mut self, time: Time) -> Self {
        self.time = time;
        self
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
        let thinking = self.begin(game, task);
        self.finish(thinking, stop, report)
    }

    /// What the network says about a position before any search, or `None` if none judges boards of this size.
    pub fn raw(&mut self, game: &Game, query: &RawQuery) -> Option<Raw> {
        self.evaluators.first_mut()?.raw(game, query)
    }

    /// The networks that it judges by.
    pub fn models(&self) -> Vec<Model> {
        let first = self.evaluators.first();
        first.map_or_else(Vec::new, |evaluator| evaluator.models())
    }

    /// Tells every evaluator what is searched for.
    pub(crate) fn prepare(&mut self, game: &Game, aim: Aim) {
        for evaluator in &mut self.evaluators {
            evaluator.prepare(game, aim);
        }
    }

    /// The visits that a search for a move may have at most, if there is a limit. All evaluators have the same opinion.
    pub(crate) fn most_visits(&self, game: &Game, aim: Aim) -> Option<u32> {
        let evaluator = self.evaluators.first()?;
        evaluator.most_visits(game, aim)
    }

    /// What a player of this level is made of, or `None` if it plays the best.
    pub(crate) fn skill(&self, level: Level) -> Option<Skill> {
        self.evaluators.first()?.skill(level)
    }

    /// Gives every evaluator a seed that depends on the engine's own and on the position alone.
    pub(crate) fn seed(&mut self, game: &Game) {
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
