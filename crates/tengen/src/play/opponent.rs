//! Whom one plays against.

use std::time::Duration;

use tengen_core::{Game, Move, Settlement};
use tengen_search::{Choice, Engine, Level, Limits, Stop, Task};

/// Whom one plays against, and who counts the stones.
pub(crate) trait Opponent {
    /// Its name, for people and for records.
    fn name(&self) -> String;

    /// Its move, or `None` if it resigns.
    fn choose(&mut self, game: &Game) -> Option<Move>;

    /// What it would do in the place of the player to move.
    fn hint(&mut self, game: &Game) -> Hint;

    /// Which stones are dead or in seki.
    fn settle(&mut self, game: &Game) -> Settlement;
}

/// What somebody else would do, and what would come of it for the player to move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Hint {
    pub(crate) action: Move,
    pub(crate) win_rate: f32,
    pub(crate) lead: f32,
}

/// The engine, at a level.
pub(crate) struct Tengen {
    engine: Engine,
    level: Level,
    limits: Limits,
    stop: Stop,
}

/// A player waits so long for the strongest moves, and for a hint.
const SECONDS: u64 = 3;

impl Tengen {
    /// Limits that are left open are those of the level; the strongest has seconds instead of visits.
    pub(crate) fn new(
        engine: Engine,
        level: Level,
        visits: Option<u32>,
        time: Option<Duration>,
    ) -> Self {
        let free = visits.is_none() && time.is_none();
        let limits = Limits {
            visits: visits.or(level.skill().rollouts.filter(|_| free)),
            time: time.or((free && level == Level::FULL).then_some(Duration::from_secs(SECONDS))),
            may_end_early: true,
        };
        Self {
            engine,
            level,
            limits,
            stop: Stop::new(),
        }
    }
}

/// The name of the engine at a level.
pub(crate) fn name(level: Level) -> String {
    format!("Tengen level {}", level.number())
}

/// The level that a name speaks of.
pub(crate) fn level_of(name: &str) -> Option<Level> {
    let number = name.strip_prefix("Tengen level ")?;
    number.parse().ok().and_then(Level::new)
}

impl Opponent for Tengen {
    fn name(&self) -> String {
        name(self.level)
    }

    fn choose(&mut self, game: &Game) -> Option<Move> {
        let choice = Choice {
            task: Task {
                limits: self.limits,
                ..Task::default()
            },
            level: self.level,
            may_resign: true,
            ..Choice::default()
        };
        let decision = self.engine.choose(game, &choice, &self.stop, &mut |_| {});
        decision.action
    }

    fn hint(&mut self, game: &Game) -> Hint {
        // A weak opponent still gives good advice, if it is not told to be quick.
        let limits = Limits {
            visits: self.limits.visits.map(|visits| visits.max(1000)),
            time: Some(self.limits.time.unwrap_or(Duration::from_secs(SECONDS))),
            may_end_early: true,
        };
        let task = Task {
            limits,
            ..Task::default()
        };
        let analysis = self.engine.analyze(game, &task, &self.stop, &mut |_| {});
        let worth = analysis
            .moves
            .first()
            .map_or(analysis.worth, |best| best.worth);
        Hint {
            action: analysis.best(),
            win_rate: worth.win_rate,
            lead: worth.lead,
        }
    }

    fn settle(&mut self, game: &Game) -> Settlement {
        self.engine.settle(game, &self.stop)
    }
}

#[cfg(test)]
mod tests {
    use tengen_search::Options;

    use super::*;

    #[test]
    fn a_name_tells_the_level() {
        for level in Level::all() {
            assert_eq!(level_of(&name(level)), Some(level));
        }
        assert_eq!(level_of("Tengen level 21"), None);
        assert_eq!(level_of("You"), None);
    }

    #[test]
    fn every_level_has_a_limit() {
        for level in Level::all() {
            let limits = |visits, time| {
                let engine = Engine::new(Options {
                    threads: 1,
                    memory: 1 << 20,
                    ..Options::default()
                });
                Tengen::new(engine, level, visits, time).limits
            };
            let usual = limits(None, None);
            assert!(usual.visits.is_some() != usual.time.is_some());
            assert_eq!(limits(Some(7), None).visits, Some(7));
            assert_eq!(limits(Some(7), None).time, None);
            let second = Duration::from_secs(1);
            assert_eq!(limits(None, Some(second)).time, Some(second));
            assert_eq!(limits(None, Some(second)).visits, None);
        }
    }
}
