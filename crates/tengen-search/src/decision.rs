//! What to play, after a search.

use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use tengen_core::{Game, Move, Outcome, Settlement};

use crate::aim::Aim;
use crate::analysis::{Analysis, Candidate};
use crate::engine::{Engine, Task};
use crate::level::Level;
use crate::limits::{Limits, Stop};
use crate::settlement::{is_settled, settlement, turned};
use crate::thinking::Thinking;

/// A player who wins less often than this gives up.
const HOPELESS: f32 = 0.06;

/// A player who may not give up passes when winning is less likely than this.
const BEYOND_HOPE: f32 = 0.02;

/// A pass is not safe if the opponent wins more often than this after it.
const THREATENING: f32 = 0.25;

/// How to choose a move.
#[derive(Clone, Debug, Default)]
pub struct Choice {
    /// What to search.
    pub task: Task,
    /// How well to play.
    pub level: Level,
    /// May it resign?
    pub may_resign: bool,
    /// Must dead stones be captured before it passes?
    pub cleanup: bool,
}

impl Choice {
    fn may_pass(&self, game: &Game) -> bool {
        let restrictions = &self.task.restrictions;
        restrictions.permit(game.to_move(), Move::Pass, 0)
    }
}

/// What the engine wants to do, and why.
#[derive(Clone, Debug)]
pub struct Decision {
    /// The move, or `None` if it resigns.
    pub action: Option<Move>,
    /// What the search found.
    pub analysis: Analysis,
}

impl Engine {
    /// Chooses a move for the player to move.
    pub fn choose(
        &mut self,
        game: &Game,
        choice: &Choice,
        stop: &Stop,
        report: &mut dyn FnMut(&Analysis),
    ) -> Decision {
        let thinking = self.begin_choice(game, choice);
        let analysis = self.finish(thinking, stop, report);
        let after_pass = self
            .begin_second_look(game, choice, &analysis)
            .map(|thinking| self.finish(thinking, stop, &mut |_| {}));
        self.decide(game, choice, analysis, after_pass.as_ref())
    }

    /// Begins the search by which a move is chosen.
    pub fn begin_choice(&mut self, game: &Game, choice: &Choice) -> Thinking {
        let aim = Aim::Moves(choice.level);
        let Some(visits) = self.prepare(game, aim) else {
            return self.begin(game, &choice.task);
        };
        let mut task = choice.task.clone();
        task.limits.visits = Some(task.limits.visits.unwrap_or(visits).min(visits));
        task.limits.may_end_early = false;
        // A weak player neither thinks ahead on somebody else's time nor knows what a stronger one has found.
        self.begin_aside(game, &task, aim)
    }

    /// Begins a search of the position after a pass, if passing may be right and must be looked into.
    pub fn begin_second_look(
        &mut self,
        game: &Game,
        choice: &Choice,
        analysis: &Analysis,
    ) -> Option<Thinking> {
        let resigns = choice.may_resign && is_hopeless(game, analysis);
        if resigns
            || !choice.may_pass(game)
            || passing(game, analysis, choice.cleanup) != Passing::IfSafe
        {
            return None;
        }
        let task = Task {
            limits: Limits::visits((analysis.visits / 4).clamp(200, 2000)),
            ..Task::default()
        };
        Some(self.begin_aside(&turned(game), &task, Aim::Moves(choice.level)))
    }

    /// Chooses a move after the search, and after the second look if there was one.
    pub fn decide(
        &self,
        game: &Game,
        choice: &Choice,
        analysis: Analysis,
        after_pass: Option<&Analysis>,
    ) -> Decision {
        if choice.may_resign && is_hopeless(game, &analysis) {
            return Decision {
                action: None,
                analysis,
            };
        }
        let may_pass = choice.may_pass(game);
        // A search says whose points are if its own player goes on, and a pass may leave a ko or a threat to the other.
        let is_safe = |after: &Analysis| {
            is_settled(game, after)
                && wins(game, &settlement(game, after))
                && after.worth.win_rate < THREATENING
        };
        let action = match passing(game, &analysis, choice.cleanup) {
            Passing::Must if may_pass => Move::Pass,
            Passing::IfSafe if may_pass && after_pass.is_some_and(is_safe) => Move::Pass,
            Passing::Must | Passing::IfSafe | Passing::May => {
                self.pick(game, &analysis.moves, choice.level)
            }
            Passing::MustNot => {
                let is_stone = |candidate: &&Candidate| candidate.action != Move::Pass;
                let stones: Vec<Candidate> =
                    analysis.moves.iter().filter(is_stone).cloned().collect();
                self.pick(game, &stones, choice.level)
            }
        };
        Decision {
            action: Some(action),
            analysis,
        }
    }

    /// The best move, or at lower levels one that seems good; a pass if there is none.
    fn pick(&self, game: &Game, moves: &[Candidate], level: Level) -> Move {
        let best = moves.first().map_or(Move::Pass, |best| best.action);
        let Some(temperature) = level.temperature() else {
            return best;
        };
        let total: u32 = moves.iter().map(|candidate| candidate.visits).sum();
        // Before much is searched a player goes by the looks of a move, which is what its prior is.
        let weight = |candidate: &Candidate| {
            let share = (candidate.visits as f32 + 4.0 * candidate.prior) / (total as f32 + 4.0);
            libm::powf(share, 1.0 / temperature)
        };
        let sum: f32 = moves.iter().map(weight).sum();
        let seed = self.options().seed ^ game.board().hash();
        let drawn = Xoshiro256PlusPlus::seed_from_u64(seed).next_u32() as f32 / 2_f32.powi(32);
        let mut rest = drawn * sum;
        for candidate in moves {
            rest -= weight(candidate);
            if rest < 0.0 {
                return candidate.action;
            }
        }
        best
    }
}

/// Has the player so little hope that playing on is a waste of the other's time?
fn is_hopeless(game: &Game, analysis: &Analysis) -> bool {
    let best = analysis
        .moves
        .first()
        .map_or(1.0, |best| best.worth.win_rate);
    analysis.visits >= 100
        && analysis.worth.win_rate < HOPELESS
        && best < HOPELESS
        && game.turns().len() > game.size().area() / 4
}

/// Whether a pass is the thing to do, whatever the search says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Passing {
    /// Nothing is left to play for.
    Must,
    /// Nothing seems to be left to play for.
    IfSafe,
    /// The search knows.
    May,
    /// Something is left to be done that the search thinks little of.
    MustNot,
}

/// Does the player to move win if the game is counted like this?
fn wins(game: &Game, settlement: &Settlement) -> bool {
    let outcome = game.score_settled(settlement).outcome(game.rules().ties);
    matches!(outcome, Outcome::Win(winner, _) if winner == game.to_move())
}

fn passing(game: &Game, analysis: &Analysis, cleanup: bool) -> Passing {
    let settlement = settlement(game, analysis);
    if cleanup {
        let dead_enemies = settlement.dead & *game.board().stones(!game.to_move());
        let ends_game = game.passes() + 1 >= game.rules().passes;
        if !dead_enemies.is_empty() {
            Passing::MustNot
        } else if ends_game && wins(game, &Settlement::default()) {
            Passing::Must
        } else {
            Passing::May
        }
    } else if !is_settled(game, analysis) {
        Passing::May
    } else if wins(game, &settlement) {
        Passing::IfSafe
    } else if analysis.worth.win_rate < BEYOND_HOPE {
        Passing::Must
    } else {
        Passing::May
    }
}
