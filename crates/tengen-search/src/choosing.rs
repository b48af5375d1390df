//! The choice of a move, in portions.

use tengen_core::Game;

use crate::aim::Aim;
use crate::analysis::Analysis;
use crate::decision::{Choice, Decision, Draw};
use crate::engine::{Engine, Task};
use crate::level::Level;
use crate::limits::{Limits, Stop};
use crate::settlement::turned;
use crate::thinking::{Portion, Thinking};

/// A move that is being chosen for the player to move. It goes on when [`Choosing::step`] is called: the position is
/// searched, then the position after a pass if that may be the move, and then it is decided. In portions, an engine
/// chooses exactly what it would have chosen in one go, if it does nothing else in between.
///
/// ```
/// use tengen_core::{Game, Rules, Size};
/// use tengen_search::{Choice, Choosing, Engine, Limits, Options, Portion, Stop, Task};
///
/// let game = Game::new(Size::square(5)?, Rules::default());
/// let task = Task { limits: Limits::visits(100), ..Task::default() };
/// let choice = Choice { task, ..Choice::default() };
/// let options = Options { threads: 1, ..Options::default() };
/// let whole = Engine::new(options).choose(&game, &choice, &Stop::new(), &mut |_| {});
///
/// let mut engine = Engine::new(options);
/// let mut choosing = Choosing::new(&game, &choice);
/// let portion = Portion { visits: Some(30), time: None };
/// let decision = loop {
///     if let Some(decision) = choosing.step(&mut engine, portion, &Stop::new(), &mut |_| {}) {
///         break decision;
///     }
/// };
/// assert_eq!(decision.action, whole.action);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Choosing {
    game: Game,
    choice: Choice,
    /// What the search of the position found, once it has ended.
    found: Option<Analysis>,
    thinking: Option<Thinking>,
}

impl Choosing {
    /// A choice that nobody has begun.
    pub fn new(game: &Game, choice: &Choice) -> Self {
        Self {
            game: game.clone(),
            choice: choice.clone(),
            found: None,
            thinking: None,
        }
    }

    /// Does a portion of it, and says what was decided if that was the last one; after that it begins anew. The search
    /// of the position is reported.
    pub fn step(
        &mut self,
        engine: &mut Engine,
        portion: Portion,
        stop: &Stop,
        report: &mut dyn FnMut(&Analysis),
    ) -> Option<Decision> {
        let begun = self.thinking.take();
        let mut thinking = begun.unwrap_or_else(|| self.begin(engine));
        if !engine.go_on(&mut thinking, portion, stop, report) {
            self.thinking = Some(thinking);
            return None;
        }
        let analysis = engine.end(thinking);
        let (found, after_pass) = match self.found.take() {
            Some(found) => (found, Some(analysis)),
            None if self.choice.needs_second_look(&self.game, &analysis) => {
                self.found = Some(analysis);
                return None;
            }
            None => (analysis, None),
        };
        let draw = Draw {
            seed: engine.options().seed,
            skill: engine.skill(self.choice.level),
        };
        let decision = self
            .choice
            .decide(&self.game, found, after_pass.as_ref(), draw);
        Some(decision)
    }

    /// Ends it without a decision. What the engine has learnt about the position is kept.
    pub fn abandon(self, engine: &mut Engine) {
        if let Some(thinking) = self.thinking {
            engine.end(thinking);
        }
    }

    /// Begins the next of its searches.
    fn begin(&self, engine: &mut Engine) -> Thinking {
        let aim = Aim::Moves(self.choice.level);
        if let Some(found) = &self.found {
            let enough = (found.visits / 4).clamp(200, 2000);
            // A lower level looks no further than it did before.
            let visits = match self.choice.level {
                Level::FULL => enough,
                _ => enough.min(found.visits),
            };
            let task = Task {
                limits: Limits::visits(visits),
                ..Task::default()
            };
            return engine.begin_aside(&turned(&self.game), &task, aim);
        }
        let Some(visits) = engine.most_visits(&self.game, aim) else {
            return engine.begin(&self.game, &self.choice.task);
        };
        let mut task = self.choice.task.clone();
        task.limits.visits = Some(task.limits.visits.unwrap_or(visits).min(visits));
        task.limits.may_end_early = false;
        // A weak player neither thinks ahead on somebody else's time nor knows what a stronger one has found.
        engine.begin_aside(&self.game, &task, aim)
    }
}

impl Engine {
    /// Chooses a move for the player to move: all of [`Choosing`] at once.
    pub fn choose(
        &mut self,
        game: &Game,
        choice: &Choice,
        stop: &Stop,
        report: &mut dyn FnMut(&Analysis),
    ) -> Decision {
        let mut choosing = Choosing::new(game, choice);
        loop {
            if let Some(decision) = choosing.step(self, Portion::default(), stop, report) {
                return decision;
            }
        }
    }
}
