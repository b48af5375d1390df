//! How much of the past is shown, and what a pass would do.

use tengen_core::{DeadStones, Game, Ko, Move};

use super::{InputOptions, is_area};

/// What the inputs say of past moves and of a pass.
pub(super) struct History {
    /// How many of the last moves are shown.
    pub(super) shown: usize,
    /// Is a pass said to end the phase?
    pub(super) pass_ends_phase: bool,
}

/// KataGo shows so many moves.
const MOVES: usize = 5;

impl History {
    /// `loses_now`: would the player to move not win if the game ended here?
    pub(super) fn of(game: &Game, options: &InputOptions, loses_now: bool) -> Self {
        let rules = game.rules();
        // Counted here, since a game that was resumed counts anew and KataGo does not.
        let passes = passes_until(game, game.turns().len()) + 1;
        let ends_by_count = passes >= usize::from(rules.passes);
        let ends_by_repetition = repeats_pass(game, game.turns().len());
        let pass_ends_phase = ends_by_count || ends_by_repetition;
        // Where the dead are agreed on, a pass after a pass only proposes the end.
        let friendly = rules.dead_stones == DeadStones::Agreed
            && passes == usize::from(rules.passes)
            && !ends_by_repetition;
        let suppressed =
            options.conservative_pass || friendly || (options.passing_hacks && loses_now);
        if pass_ends_phase && is_area(game) && suppressed {
            return Self {
                shown: 0,
                pass_ends_phase: false,
            };
        }
        let most = if game.is_over() { 1 } else { MOVES };
        Self {
            shown: alternating(game, most.min(options.max_history)),
            pass_ends_phase,
        }
    }
}

/// How many of the last moves alternate between the players and belong to this phase, up to `most`.
///
/// The pass that ended an earlier phase is shown, what came before it is not.
fn alternating(game: &Game, most: usize) -> usize {
    let mut player = game.to_move();
    let mut shown = 0;
    for (index, turn) in game.turns().iter().enumerate().rev().take(most) {
        if turn.color == player {
            break;
        }
        player = turn.color;
        shown += 1;
        if ended_phase(game, index) {
            break;
        }
    }
    shown
}

/// Was this turn a pass that ended the game, or a phase of it?
fn ended_phase(game: &Game, index: usize) -> bool {
    let passes = passes_until(game, index + 1);
    passes > 0 && (passes >= usize::from(game.rules().passes) || repeats_pass(game, index))
}

/// The passes in a row before the turn with this index.
fn passes_until(game: &Game, index: usize) -> usize {
    let turns = game.turns()[..index].iter().rev();
    turns.take_while(|turn| turn.action == Move::Pass).count()
}

/// Has the player of this turn passed before on the same board? That ends the phase under simple ko, where no superko
/// rule ends it. The turn after the last is that of the player to move.
fn repeats_pass(game: &Game, index: usize) -> bool {
    if game.rules().ko != Ko::Simple {
        return false;
    }
    let turns = game.turns();
    let player = turns.get(index).map_or(game.to_move(), |turn| turn.color);
    let passes = |turn: &tengen_core::Turn| turn.action == Move::Pass && turn.color == player;
    if !turns[..index].iter().any(passes) {
        return false;
    }
    let Some(hash) = game.hashes().nth(index) else {
        return false;
    };
    let mut earlier = turns[..index].iter().zip(game.hashes());
    earlier.any(|(turn, before)| passes(turn) && before == hash)
}
