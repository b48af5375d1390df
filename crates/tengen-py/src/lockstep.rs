//! Searches of many games at once, whose leaves Python evaluates.

use std::sync::{Mutex, MutexGuard, PoisonError};

use numpy::{PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1, PyReadwriteArray1};
use pyo3::exceptions::{PyIndexError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use tengen_core::Color;
use tengen_env::Actions;
use tengen_search::Stop;
use tengen_train::{
    Answers, Dirichlet, GumbelOptions, Halving, LeafArrays, LockstepError, Look, Method, Noise,
    Plan, PuctOptions, Values,
};

use crate::batch::{Batch, PlanesArray, read};
use crate::game::Game;
use crate::illegal_move;
use crate::interruptible::interruptible;
use crate::net::Net;
use crate::size::Size;

/// Searches of many games at once: the engine room of `Search`, which is what programs use.
///
/// Calls take turns: one from another thread waits until the one before it is done.
#[pyclass(frozen, module = "tengen._native")]
pub(crate) struct Lockstep {
    lockstep: Mutex<tengen_train::Lockstep>,
    /// How many games there are.
    #[pyo3(get)]
    num_games: usize,
    /// How many actions a game has, the pass included.
    #[pyo3(get)]
    num_actions: usize,
    /// Columns and rows of the frame.
    #[pyo3(get)]
    size: Size,
    /// The dimensions of the planes of one position.
    #[pyo3(get)]
    observation_shape: [usize; 3],
}

/// How games are searched, as `Search` names it.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
struct SearchOptions {
    method: String,
    considered: u32,
    noise: bool,
    halving: String,
    rescale_values: bool,
    value_visits: f64,
    value_scale: f64,
    score_weight: f64,
    exploration: f64,
    exploration_base: f64,
    untried_reduction: f64,
    dirichlet_share: f64,
    dirichlet_alpha: f64,
    temperature: f64,
    observation: String,
    layout: String,
    frame: Option<Size>,
    seed: u64,
    first: u64,
    num_threads: usize,
}

impl SearchOptions {
    fn method(&self) -> PyResult<Method> {
        let values = match self.rescale_values {
            true => Values::Rescaled,
            false => Values::AsTheyAre,
        };
        let halving = match self.halving.as_str() {
            "ranked" => Halving::Ranked,
            "counted" => Halving::Counted,
            other => {
                return Err(PyValueError::new_err(format!(
                    "halving is 'ranked' or 'counted', not {other:?}"
                )));
            }
        };
        match self.method.as_str() {
            "gumbel" => Ok(Method::Gumbel(GumbelOptions {
                simulations: 0,
                considered: self.considered,
                noise: match self.noise {
                    true => Noise::Gumbel,
                    false => Noise::Off,
                },
                halving,
                values,
                value_visits: self.value_visits,
                value_scale: self.value_scale,
                score_weight: self.score_weight,
            })),
            "puct" => Ok(Method::Puct(PuctOptions {
                simulations: 0,
                exploration: self.exploration,
                exploration_base: self.exploration_base,
                values,
                untried_reduction: self.untried_reduction,
                noise: Dirichlet {
                    share: match self.noise {
                        true => self.dirichlet_share,
                        false => 0.0,
                    },
                    alpha: self.dirichlet_alpha,
                },
                temperature: self.temperature,
                score_weight: self.score_weight,
            })),
            other => Err(PyValueError::new_err(format!(
                "method is 'gumbel' or 'puct', not {other:?}"
            ))),
        }
    }

    fn make(&self, py: Python<'_>, games: Vec<tengen_core::Game>) -> PyResult<Lockstep> {
        let method = self.method()?;
        if games.is_empty() {
            return Err(PyValueError::new_err("there are no games to search"));
        }
        let look = Look {
            features: read(&self.observation)?,
            layout: read(&self.layout)?,
            frame: self.frame.map(|Size(size)| size),
        };
        if let Some(Size(frame)) = self.frame
            && let Some(game) = games.iter().find(|game| !fits(frame, game))
        {
            return Err(misfit(frame, game));
        }
        let seeds = (self.seed, self.first);
        let lockstep =
            py.detach(|| tengen_train::Lockstep::new(games, method, look, seeds, self.num_threads));
        Ok(Lockstep {
            num_games: lockstep.len(),
            num_actions: lockstep.actions().count(),
            size: Size(lockstep.actions().frame()),
            observation_shape: lockstep.observer().shape(),
            lockstep: Mutex::new(lockstep),
        })
    }
}

fn fits(frame: tengen_core::Size, game: &tengen_core::Game) -> bool {
    let size = game.size();
    size.width() <= frame.width() && size.height() <= frame.height()
}

fn misfit(frame: tengen_core::Size, game: &tengen_core::Game) -> PyErr {
    PyValueError::new_err(format!(
        "a board of {} does not fit into the frame of {frame}",
        game.size()
    ))
}

/// Flat views of the arrays that leaves are written into.
#[derive(FromPyObject)]
struct Buffers<'py> {
    planes: PlanesArray<'py>,
    globals: PyReadwriteArray1<'py, f32>,
    mask: PyReadwriteArray1<'py, u8>,
    to_move: PyReadwriteArray1<'py, u8>,
    games: PyReadwriteArray1<'py, i32>,
}

fn refusal(py: Python<'_>, error: &LockstepError) -> PyErr {
    illegal_move::refusal(py, error, error.refused())
}

/// What was found about all games: arrays by their names.
type Found<'py> = (
    Bound<'py, PyArray1<i32>>,
    Bound<'py, PyArray2<i32>>,
    Bound<'py, PyArray2<f32>>,
    Bound<'py, PyArray2<f32>>,
    Bound<'py, PyArray2<f32>>,
    Bound<'py, PyArray2<f32>>,
    Vec<Vec<i32>>,
);

impl Lockstep {
    fn lock(&self) -> MutexGuard<'_, tengen_train::Lockstep> {
        // Each game is searched by itself, so that one that panicked has left the others whole.
        self.lockstep.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn checked(&self, index: usize) -> PyResult<usize> {
        match index < self.num_games {
            true => Ok(index),
            false => Err(PyIndexError::new_err(format!(
                "there are {} games, so no game {index}",
                self.num_games
            ))),
        }
    }
}

#[expect(
    clippy::needless_pass_by_value,
    reason = "an array that Python hands over is borrowed by a value"
)]
#[pymethods]
impl Lockstep {
    /// Searches of copies of these games, none of which has begun.
    #[new]
    fn new(py: Python<'_>, games: Vec<PyRef<'_, Game>>, options: SearchOptions) -> PyResult<Self> {
        let games = games.iter().map(|game| game.lock().clone()).collect();
        options.make(py, games)
    }

    /// The same with some of the games of a batch, as far as they are.
    #[staticmethod]
    fn of_batch(
        py: Python<'_>,
        batch: &Batch,
        start: usize,
        stop: usize,
        options: SearchOptions,
    ) -> PyResult<Self> {
        let games = py.detach(|| {
            let batch = batch.lock();
            let games = start..stop.min(batch.len());
            games.map(|index| batch.game(index).clone()).collect()
        });
        options.make(py, games)
    }

    /// Begins to search all games, each with so many simulations; a negative number leaves a game alone.
    fn begin(&self, py: Python<'_>, simulations: PyReadonlyArray1<'_, i32>) -> PyResult<()> {
        let simulations = simulations.as_slice()?;
        py.detach(|| self.lock().begin(simulations))
            .map_err(|error| refusal(py, &error))
    }

    /// Goes on until each search has a leaf to be evaluated or is done, and writes these leaves into the first rows.
    /// Returns how many there are.
    fn advance(&self, py: Python<'_>, mut out: Buffers<'_>) -> PyResult<usize> {
        let rows = self.num_games;
        let values: usize = self.observation_shape.iter().product();
        let out = LeafArrays {
            planes: out.planes.planes()?,
            globals: out.globals.as_slice_mut()?,
            mask: out.mask.as_slice_mut()?,
            to_move: out.to_move.as_slice_mut()?,
            games: out.games.as_slice_mut()?,
        };
        let lengths = [
            out.planes.len() / values,
            out.globals.len() / tengen_train::GLOBALS,
            out.mask.len() / self.num_actions,
            out.to_move.len(),
            out.games.len(),
        ];
        if lengths.into_iter().any(|length| length < rows) {
            return Err(PyValueError::new_err(format!(
                "there is not room for {rows} leaves"
            )));
        }
        Ok(py.detach(|| self.lock().advance(out)))
    }

    /// Takes the evaluation of these leaves.
    fn answer(
        &self,
        py: Python<'_>,
        logits: PyReadonlyArray1<'_, f32>,
        values: PyReadonlyArray1<'_, f32>,
        leads: Option<PyReadonlyArray1<'_, f32>>,
    ) -> PyResult<()> {
        let answers = Answers {
            logits: logits.as_slice()?,
            values: values.as_slice()?,
            leads: leads.as_ref().map(|leads| leads.as_slice()).transpose()?,
        };
        py.detach(|| self.lock().answer(answers))
            .map_err(|error| refusal(py, &error))
    }

    /// Does all searches that were begun, with a network that is evaluated here, without Python.
    fn finish(&self, py: Python<'_>, net: &Net) -> PyResult<()> {
        let stop = Stop::new();
        let net = net.net()?;
        interruptible(py, || stop.stop(), || self.lock().finish(net, &stop))
    }

    /// Refuses actions of which one is illegal, as `play` does.
    fn check(&self, py: Python<'_>, actions: PyReadonlyArray1<'_, i32>) -> PyResult<()> {
        let actions = actions.as_slice()?;
        py.detach(|| self.lock().check_actions(actions).map(|_| ()))
            .map_err(|error| refusal(py, &error))
    }

    /// Plays an action in each game; a negative one leaves the game alone.
    fn play(
        &self,
        py: Python<'_>,
        actions: PyReadonlyArray1<'_, i32>,
        reuse: bool,
    ) -> PyResult<()> {
        let actions = actions.as_slice()?;
        py.detach(|| self.lock().play(actions, reuse))
            .map_err(|error| refusal(py, &error))
    }

    /// Puts a copy of a game in the place of one.
    fn replace(&self, index: usize, game: &Bound<'_, Game>) -> PyResult<()> {
        let index = self.checked(index)?;
        let game = game.get().lock().clone();
        let Size(frame) = self.size;
        if !fits(frame, &game) {
            return Err(misfit(frame, &game));
        }
        self.lock().replace(index, &game);
        Ok(())
    }

    /// A copy of one of the games.
    fn game(&self, index: usize) -> PyResult<Game> {
        let index = self.checked(index)?;
        Ok(Game::new_from(self.lock().game(index).clone()))
    }

    /// Which games are over, or have so many turns, or, if that counts, have every point settled for certain.
    #[pyo3(signature = (most_turns=None, decided=false))]
    fn over(&self, py: Python<'_>, most_turns: Option<usize>, decided: bool) -> Vec<bool> {
        py.detach(|| {
            let lockstep = self.lock();
            let over = |index: usize| {
                let game = lockstep.game(index);
                game.is_over()
                    || most_turns.is_some_and(|most| game.turns().len() >= most)
                    || decided && tengen_train::decided(game).is_some()
            };
            (0..self.num_games).map(over).collect()
        })
    }

    /// The results: actions; visits, improved policy, prior policy and values of each action; values and leads of
    /// each position after and before the search; principal variations.
    fn found<'py>(&self, py: Python<'py>) -> PyResult<Found<'py>> {
        let (actions, rows) = py.detach(|| {
            let lockstep = self.lock();
            let rows = (0..self.num_games).map(|index| Row::of(&lockstep, index));
            (lockstep.actions(), rows.collect::<Vec<_>>())
        });
        let count = actions.count();
        let mut visits = Vec::with_capacity(rows.len() * count);
        let [mut policy, mut prior, mut values] = [const { Vec::new() }; 3];
        for row in &rows {
            visits.extend(&row.visits);
            policy.extend(&row.policy);
            prior.extend(&row.prior);
            values.extend(&row.values);
        }
        let shape = [rows.len(), count];
        let chosen: Vec<i32> = rows.iter().map(|row| row.action).collect();
        let said: Vec<f32> = rows.iter().flat_map(|row| row.said).collect();
        let floats = |numbers: Vec<f32>, shape| PyArray1::from_vec(py, numbers).reshape(shape);
        Ok((
            PyArray1::from_vec(py, chosen),
            PyArray1::from_vec(py, visits).reshape(shape)?,
            floats(policy, shape)?,
            floats(prior, shape)?,
            floats(values, shape)?,
            floats(said, [rows.len(), 4])?,
            rows.into_iter().map(|row| row.variation).collect(),
        ))
    }

    /// What is known about positions stays here.
    #[expect(clippy::unused_self, reason = "Python calls it with the object")]
    fn __reduce__(&self) -> PyResult<()> {
        Err(PyTypeError::new_err(
            "searches under way cannot be pickled or copied: send the games, and search them there",
        ))
    }
}

/// What was found about a game.
struct Row {
    action: i32,
    visits: Vec<i32>,
    policy: Vec<f32>,
    prior: Vec<f32>,
    values: Vec<f32>,
    /// Value and lead after the search, and before it.
    said: [f32; 4],
    variation: Vec<i32>,
}

impl Row {
    fn of(lockstep: &tengen_train::Lockstep, index: usize) -> Self {
        let actions: Actions = lockstep.actions();
        let number = |action| actions.number(action) as i32;
        let player: Color = lockstep.game(index).to_move();
        let sign = player.sign(1) as f32;
        let value = |black_wins: f32| sign * (2.0 * black_wins - 1.0);
        let plan: Plan = lockstep.plan(index);
        let count = actions.count();
        let mut row = Self {
            action: number(plan.action),
            visits: vec![0; count],
            policy: vec![0.0; count],
            prior: vec![0.0; count],
            values: vec![f32::NAN; count],
            said: [
                value(plan.black_wins),
                sign * plan.black_lead,
                value(plan.raw.black_wins),
                sign * plan.raw.black_lead,
            ],
            variation: lockstep.variation(index).into_iter().map(number).collect(),
        };
        for of in &plan.moves {
            let place = actions.number(of.action);
            row.visits[place] = of.visits as i32;
            row.policy[place] = of.policy;
            row.prior[place] = of.prior;
            row.values[place] = of.black_wins.map_or(f32::NAN, value);
        }
        row
    }
}
