//! What to play, after a search.

use tengen_core::{DeadStones, Game, Move, Outcome, Settlement};

use crate::analysis::{Analysis, Candidate};
use crate::engine::Task;
use crate::level::{Level, Skill};
use crate::oversight;
use crate::settlement::{is_settled, settlement};

/// A player who wins less often than this gives up.
const HOPELESS: f32 = 0.06;

/// After so many visits the win rate alone says whether there is hope.
const SURE: u32 = 100;

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
    /// Must dead stones be captured before it passes, even if players agree on what is dead under these rules?
    pub cleanup: bool,
}

/// How a move is drawn among those that seem good.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Draw {
    /// The seed of all that is random.
    pub(crate) seed: u64,
    /// What the player is made of, or `None` if the best is played.
    pub(crate) skill: Option<Skill>,
}

/// What the engine wants to do, and why.
#[derive(Clone, Debug)]
pub struct Decision {
    /// The move, or `None` if it resigns.
    pub action: Option<Move>,
    /// What the search found.
    pub analysis: Analysis,
}

impl Choice {
    /// Is passing perhaps right, so that the position after a pass must be looked into before it is decided?
    pub(crate) fn needs_second_look(&self, game: &Game, analysis: &Analysis) -> bool {
        !self.resigns(game, analysis)
            && self.may_pass(game)
            && self.passing(game, analysis) == Passing::IfSafe
    }

    /// Chooses a move after the search, and after the second look if there was one. Lower levels draw it.
    pub(crate) fn decide(
        &self,
        game: &Game,
        analysis: Analysis,
        after_pass: Option<&Analysis>,
        draw: Draw,
    ) -> Decision {
        if self.resigns(game, &analysis) {
            return Decision {
                action: None,
                analysis,
            };
        }
        let may_pass = self.may_pass(game);
        // A search says whose points are if its own player goes on, and a pass may leave a ko or a threat to the other.
        let is_safe = |after: &Analysis| {
            is_settled(game, after)
                && wins(game, &settlement(game, after))
                && after.worth.win_rate < THREATENING
        };
        let action = match self.passing(game, &analysis) {
            Passing::Must if may_pass => Move::Pass,
            Passing::IfSafe if may_pass && after_pass.is_some_and(is_safe) => Move::Pass,
            Passing::Must | Passing::IfSafe | Passing::May => pick(game, &analysis.moves, draw),
            Passing::MustNot => {
                let is_stone = |candidate: &&Candidate| candidate.action != Move::Pass;
                let stones: Vec<Candidate> =
                    analysis.moves.iter().filter(is_stone).cloned().collect();
                pick(game, &stones, draw)
            }
        };
        Decision {
            action: Some(action),
            analysis,
        }
    }

    fn may_pass(&self, game: &Game) -> bool {
        let restrictions = &self.task.restrictions;
        restrictions.permit(game.to_move(), Move::Pass, 0)
    }

    fn resigns(&self, game: &Game, analysis: &Analysis) -> bool {
        self.may_resign && is_hopeless(game, analysis)
    }

    /// Whether a pass is the thing to do, whatever the search says.
    fn passing(&self, game: &Game, analysis: &Analysis) -> Passing {
        let settlement = settlement(game, analysis);
        if self.cleanup || game.rules().dead_stones == DeadStones::Captured {
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
}

/// The best move, or one that a player with this skill would choose; a pass if there is none.
fn pick(game: &Game, moves: &[Candidate], draw: Draw) -> Move {
    match draw.skill {
        Some(skill) => oversight::draw(&skill, game, moves, draw.seed),
        None => moves.first().map_or(Move::Pass, |best| best.action),
    }
}

/// Has the player so little hope that playing on is a waste of the other's time?
fn is_hopeless(game: &Game, analysis: &Analysis) -> bool {
    let best = analysis
        .moves
        .first()
        .map_or(1.0, |best| best.worth.win_rate);
    let area = game.size().area();
    let turns = game.turns().len();
    // Who has hardly read ahead may be wrong, and so may an opponent of the same level.
    let is_sure = match analysis.visits {
        0..SURE => turns > area / 2 && analysis.worth.lead < -(area as f32) / 4.0,
        _ => turns > area / 4,
    };
    is_sure && analysis.worth.win_rate < HOPELESS && best < HOPELESS
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
