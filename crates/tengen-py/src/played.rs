//! What is asked about games that were played out, and about the results of many.

use numpy::{PyArray1, PyArray2, PyArrayDyn, PyArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use tengen_core::Move;
use tengen_env::{Actions, Observer};
use tengen_train::{Against, Results};

use crate::batch::read;
use crate::game::Game;
use crate::vertex::names;

/// The dead stones of a game in which every point is settled for certain, or None.
#[pyfunction]
pub(crate) fn decided(game: &Bound<'_, Game>) -> Option<Vec<String>> {
    let game = game.get().lock();
    tengen_train::decided(&game).map(|settlement| names(&settlement.dead, game.size()))
}

/// Planes, globals and legal actions of these turns of a game, as the player to move sees them.
#[pyfunction]
#[expect(clippy::type_complexity, reason = "three arrays")]
#[expect(
    clippy::needless_pass_by_value,
    reason = "what Python hands over comes by value"
)]
pub(crate) fn observe_turns<'py>(
    py: Python<'py>,
    game: &Bound<'py, Game>,
    turns: Vec<usize>,
    observation: &str,
    layout: &str,
) -> PyResult<(
    Bound<'py, PyArrayDyn<u8>>,
    Bound<'py, PyArray2<f32>>,
    Bound<'py, PyArray2<bool>>,
)> {
    let mut game = game.get().lock().clone();
    if let Some(turn) = turns.iter().find(|turn| **turn > game.turns().len()) {
        return Err(PyValueError::new_err(format!(
            "the game has {} turns, so none with the number {turn}",
            game.turns().len()
        )));
    }
    let actions = Actions::on(game.size());
    let observer = Observer::new(read(observation)?, read(layout)?, game.size());
    let (values, count) = (observer.len(), actions.count());
    let mut planes = vec![0; turns.len() * values];
    let mut globals = vec![0.0; turns.len() * tengen_train::GLOBALS];
    let mut mask = vec![false; turns.len() * count];
    py.detach(|| {
        let mut rows: Vec<usize> = (0..turns.len()).collect();
        rows.sort_by_key(|row| std::cmp::Reverse(turns[*row]));
        for row in rows {
            while game.turns().len() > turns[row] {
                game.undo();
            }
            // A game that was ended by agreement goes on where it stands.
            if game.is_over() {
                game.resume();
            }
            let player = game.to_move();
            observer.observe(&game, player, &mut planes[row * values..][..values]);
            let numbers = tengen_nn::globals(&game, player);
            globals[row * tengen_train::GLOBALS..][..tengen_train::GLOBALS]
                .copy_from_slice(&numbers);
            let mask = &mut mask[row * count..][..count];
            mask[actions.pass()] = true;
            for point in game.legal_moves() {
                mask[actions.number(Move::Play(point))] = true;
            }
        }
    });
    let shape = [&[turns.len()], &observer.shape()[..]].concat();
    Ok((
        PyArray1::from_vec(py, planes).reshape(shape)?,
        PyArray1::from_vec(py, globals).reshape([turns.len(), tengen_train::GLOBALS])?,
        PyArray1::from_vec(py, mask).reshape([turns.len(), count])?,
    ))
}

/// The Elo of a player whose games are (Elo of the opponent, points, games), and how far the interval goes that has the
/// true one 95 times of 100.
#[pyfunction]
pub(crate) fn rate(games: Vec<(f64, f64, f64)>) -> PyResult<(f64, f64)> {
    let games: Vec<Against> = games
        .into_iter()
        .map(|(elo, points, games)| Against { elo, points, games })
        .collect();
    let found = tengen_train::rate(&games);
    let found = found.ok_or_else(|| PyValueError::new_err("there are no games to rate by"))?;
    Ok((found.value, found.error))
}

/// The Elo of all players, the first of whom has 0, and how far their intervals go. Results are (first player, second
/// player, points of the first, games).
#[pyfunction]
pub(crate) fn ratings(
    players: usize,
    results: Vec<(usize, usize, f64, u32)>,
) -> PyResult<Vec<(f64, f64)>> {
    let wrong = |error: tengen_train::UnknownPlayer| PyValueError::new_err(error.to_string());
    let mut all = Results::new(players);
    for (first, second, points, games) in results {
        for _ in 0..games {
            all.add(first, second, points / f64::from(games))
                .map_err(wrong)?;
        }
    }
    let found = all.ratings().against(0).map_err(wrong)?;
    Ok(found.iter().map(|of| (of.value, of.error)).collect())
}
