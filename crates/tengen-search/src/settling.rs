//! The settling of a board, in portions.

use tengen_core::{Game, Settlement};

use crate::aim::Aim;
use crate::analysis::Analysis;
use crate::engine::{Engine, Task};
use crate::limits::{Limits, Stop};
use crate::settlement::{settlement, turned};
use crate::thinking::{Portion, Thinking};

/// The visits of each of the two searches that settle a board.
const VISITS: u32 = 1000;

/// A board that is being settled: which stones are dead and which are in seki, if the game ended here. It goes on when
/// [`Settling::step`] is called.
///
/// What is alive or dead whatever happens is proven; the rest is as it comes out of two searches, in which either
/// player moves first.
#[derive(Debug)]
pub struct Settling {
    game: Game,
    /// What the first search found, once it has ended.
    found: Option<Analysis>,
    thinking: Option<Thinking>,
}

impl Settling {
    /// A board that nobody has looked at.
    pub fn new(game: &Game) -> Self {
        Self {
            game: game.clone(),
            found: None,
            thinking: None,
        }
    }

    /// Does a portion of it, and says how the board is settled if that was the last one; after that it begins anew.
    pub fn step(
        &mut self,
        engine: &mut Engine,
        portion: Portion,
        stop: &Stop,
    ) -> Option<Settlement> {
        let begun = self.thinking.take();
        let mut thinking = begun.unwrap_or_else(|| self.begin(engine));
        if !engine.go_on(&mut thinking, portion, stop, &mut |_| {}) {
            self.thinking = Some(thinking);
            return None;
        }
        let analysis = engine.end(thinking);
        let Some(mut first) = self.found.take() else {
            self.found = Some(analysis);
            return None;
        };
        for point in self.game.size().points() {
            for (of_first, of_second) in [
                (&mut first.ownership, &analysis.ownership),
                (&mut first.ownership_spread, &analysis.ownership_spread),
            ] {
                of_first[point] = (of_first[point] + of_second[point]) / 2.0;
            }
        }
        Some(settlement(&self.game, &first))
    }

    /// Begins the next of the two searches.
    fn begin(&self, engine: &mut Engine) -> Thinking {
        let task = Task {
            limits: Limits::visits(VISITS),
            ..Task::default()
        };
        match self.found {
            None => engine.begin_aside(&self.game, &task, Aim::Life),
            Some(_) => engine.begin_aside(&turned(&self.game), &task, Aim::Life),
        }
    }
}

impl Engine {
    /// Which stones are dead and which are in seki, if the game ended here: all of [`Settling`] at once.
    pub fn settle(&mut self, game: &Game, stop: &Stop) -> Settlement {
        let mut settling = Settling::new(game);
        loop {
            if let Some(settlement) = settling.step(self, Portion::default(), stop) {
                return settlement;
            }
        }
    }
}
