//! Counting move sequences, to compare two implementations of the rules.

use crate::game::Game;
use crate::moves::Move;

/// The number of move sequences of exactly this length. Passes are moves; a finished game has no continuation.
///
/// The game is the same afterwards.
///
/// ```
/// use tengen_core::{Game, Rules, Size, perft};
/// let mut game = Game::new(Size::square(3)?, Rules::default());
/// assert_eq!(perft(&mut game, 1), 10);
/// assert_eq!(perft(&mut game, 2), 9 * 9 + 10);
/// # Ok::<(), tengen_core::SizeError>(())
/// ```
pub fn perft(game: &mut Game, depth: u32) -> u64 {
    match depth {
        0 => return 1,
        _ if game.is_over() => return 0,
        1 => return last_turn(game),
        _ => {}
    }
    let mut count = 0;
    // Not recursive, so that no depth is too deep for the stack.
    let mut untried = vec![moves(game)];
    while let Some(choices) = untried.last_mut() {
        if let Some(action) = choices.next() {
            game.play_unchecked(action);
            if !game.is_over() {
                if untried.len() + 1 < depth as usize {
                    untried.push(moves(game));
                    continue;
                }
                count += last_turn(game);
            }
            game.undo();
        } else {
            untried.pop();
            if !untried.is_empty() {
                game.undo();
            }
        }
    }
    count
}

/// The number of moves in a game that is not over: each ends a sequence, so none of them has to be played.
fn last_turn(game: &Game) -> u64 {
    game.legal_moves().len() as u64 + 1
}

/// The sequences that [`perft`] counts, by their first move: points in reading order, then the pass.
///
/// ```
/// use tengen_core::{Game, Move, Rules, Size, perft_divide};
/// let mut game = Game::new(Size::new(2, 1)?, Rules::default());
/// let divided = perft_divide(&mut game, 2);
/// assert_eq!(divided.len(), 3);
/// assert_eq!(divided[2], (Move::Pass, 3));
/// # Ok::<(), tengen_core::SizeError>(())
/// ```
pub fn perft_divide(game: &mut Game, depth: u32) -> Vec<(Move, u64)> {
    if depth == 0 || game.is_over() {
        return Vec::new();
    }
    moves(game)
        .map(|action| (action, after(game, action, depth)))
        .collect()
}

/// All legal moves of a game that is not over.
pub(crate) fn moves(game: &Game) -> impl Iterator<Item = Move> + use<> {
    game.legal_moves()
        .iter()
        .map(Move::Play)
        .chain([Move::Pass])
}

fn after(game: &mut Game, action: Move, depth: u32) -> u64 {
    game.play_unchecked(action);
    let count = perft(game, depth - 1);
    game.undo();
    count
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Rules, Size};

    /// The definition, with nothing left out.
    fn plain(game: &Game, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let all = game.size().points();
        let actions = all.iter().map(Move::Play).chain([Move::Pass]);
        actions
            .filter_map(|action| {
                let mut next = game.clone();
                next.play(action).ok()?;
                Some(plain(&next, depth - 1))
            })
            .sum()
    }

    #[test]
    fn counts_what_the_definition_says() {
        for rules in [
            "tromp-taylor",
            "chinese",
            "aga",
            "new-zealand",
            "japanese",
            "pgx",
        ] {
            let rules: Rules = rules.parse().unwrap();
            for (size, depth) in [
                ("1", 5),
                ("1x2", 7),
                ("3x1", 7),
                ("2", 6),
                ("3x2", 4),
                ("3", 4),
            ] {
                let mut game = Game::new(size.parse::<Size>().unwrap(), rules);
                for depth in 0..=depth {
                    let expected = plain(&game, depth);
                    assert_eq!(perft(&mut game, depth), expected, "{size} {depth} {rules}");
                    let divided = perft_divide(&mut game, depth);
                    let sum: u64 = divided.iter().map(|(_, count)| count).sum();
                    assert_eq!(sum, if depth == 0 { 0 } else { expected });
                }
                assert!(game.turns().is_empty());
            }
        }
    }

    #[test]
    fn a_finished_game_has_no_continuation() {
        let mut game = Game::new(Size::square(2).unwrap(), Rules::default());
        game.play(Move::Pass).unwrap();
        game.play(Move::Pass).unwrap();
        assert_eq!(perft(&mut game, 0), 1);
        assert_eq!(perft(&mut game, 1), 0);
        assert_eq!(perft(&mut game, 3), 0);
        assert!(perft_divide(&mut game, 3).is_empty());
    }
}
