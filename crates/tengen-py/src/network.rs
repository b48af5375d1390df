//! What is behind a network of Python: one of Tengen, or one of KataGo.

use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use tengen_core::{Game, PointSet, Size, Symmetry};
use tengen_nn::katago::{self, InputOptions, KataGoEvaluator, Position, Profile};
use tengen_nn::{Expert, Inputs, Output, Workspace};
use tengen_search::Judge;

/// The network is asked about so many positions at once: more would not stay in the caches.
const TOGETHER: usize = 8;

/// A network that judges positions.
pub(crate) enum Network {
    /// One of Tengen's own, and memory of calls that are over, for those to come.
    Own(Arc<tengen_nn::Net>, Spare<Workspace>),
    /// One of KataGo, the file that it was read from, and memory likewise.
    KataGo(Arc<katago::Net>, Option<PathBuf>, Spare<katago::Workspace>),
}

impl Network {
    pub(crate) fn own(net: Arc<tengen_nn::Net>) -> Self {
        Self::Own(net, Spare::default())
    }

    pub(crate) fn katago(net: katago::Net, path: Option<PathBuf>) -> Self {
        Self::KataGo(Arc::new(net), path, Spare::default())
    }

    /// The network and its memory, for what only one of Tengen's own can do.
    pub(crate) fn tengens(&self) -> PyResult<(&Arc<tengen_nn::Net>, &Spare<Workspace>)> {
        match self {
            Self::Own(net, spare) => Ok((net, spare)),
            Self::KataGo(net, ..) => Err(PyTypeError::new_err(format!(
                "only a network of Tengen can do this, and {} is one of KataGo",
                net.about().name
            ))),
        }
    }

    /// Who judges by it for an engine. One of Tengen's own is trusted on boards as its note says.
    pub(crate) fn judge(&self, longest_side: Option<&str>) -> Judge {
        match self {
            Self::Own(net, _) => Expert::judge_by_note(net, longest_side),
            Self::KataGo(net, ..) => KataGoEvaluator::judge(net),
        }
    }
}

/// What a network of Tengen's own says about positions, each with the points where a stone may change something.
pub(crate) fn ask_own(
    net: &tengen_nn::Net,
    spare: &Spare<Workspace>,
    positions: Vec<Inputs>,
    threads: usize,
) -> Vec<(Output, PointSet)> {
    let worth: Vec<PointSet> = positions.iter().map(Inputs::worth_playing).collect();
    let as_they_are = |inputs| (inputs, Symmetry::IDENTITY);
    let positions: Vec<_> = positions.into_iter().map(as_they_are).collect();
    let outputs = spare.share_out(&positions, threads, |workspace, positions| {
        net.evaluate(workspace, positions)
    });
    outputs.into_iter().zip(worth).collect()
}

/// What a network of KataGo says about games of these players, if they are known, with boards of one size; each with
/// the points where a stone is legal.
pub(crate) fn ask_katago(
    net: &katago::Net,
    spare: &Spare<katago::Workspace>,
    games: &[Game],
    threads: usize,
    players: Option<Profile>,
) -> Vec<(katago::Output, PointSet)> {
    let options = InputOptions::for_net(net);
    spare.share_out(games, threads, |workspace, games| {
        let inputs = games.iter().map(|game| katago::Inputs::of(game, &options));
        let inputs: Vec<katago::Inputs> = inputs.collect();
        let metadata: Vec<Vec<f32>> = games
            .iter()
            .map(|game| players.map_or_else(Vec::new, |of| of.inputs(game.to_move(), game.size())))
            .collect();
        let positions: Vec<Position<'_>> = games
            .iter()
            .zip(&inputs)
            .zip(&metadata)
            .map(|((game, inputs), metadata)| Position {
                metadata,
                ..Position::of(game, inputs, Symmetry::IDENTITY)
            })
            .collect();
        let Some(size) = games.first().map(Game::size) else {
            return Vec::new();
        };
        let legal = games.iter().map(Game::legal_moves);
        net.evaluate(workspace, size, &positions)
            .into_iter()
            .zip(legal)
            .collect()
    })
}

/// The players of this name, if the network imitates people.
pub(crate) fn read_profile(name: Option<&str>, network: &Network) -> PyResult<Option<Profile>> {
    let Some(name) = name else {
        return Ok(None);
    };
    let imitates = matches!(network, Network::KataGo(net, ..) if net.about().has_metadata);
    if !imitates {
        return Err(PyValueError::new_err(
            "only a network that learned from people takes a profile",
        ));
    }
    let profile = name.parse();
    profile
        .map(Some)
        .map_err(|error: katago::UnknownProfile| PyValueError::new_err(error.to_string()))
}

/// Refuses boards that networks of KataGo do not know.
pub(crate) fn check_size(size: Size) -> PyResult<()> {
    let most = katago::Net::LONGEST_SIDE;
    match size.width().max(size.height()) > most {
        true => Err(PyValueError::new_err(format!(
            "networks of KataGo know boards up to {most}x{most}, not {size}"
        ))),
        false => Ok(()),
    }
}

/// Memory that calls leave to later ones.
pub(crate) struct Spare<W>(Mutex<Vec<W>>);

impl<W> Default for Spare<W> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<W: Default + Send> Spare<W> {
    /// What `ask` says about all items, a few at a time, in so many threads.
    fn share_out<T: Sync, R: Send>(
        &self,
        items: &[T],
        threads: usize,
        ask: impl Fn(&mut W, &[T]) -> Vec<R> + Sync,
    ) -> Vec<R> {
        let portions: Vec<&[T]> = items.chunks(TOGETHER).collect();
        let next = AtomicUsize::new(0);
        let work = || {
            let mut workspace = self.lock().pop().unwrap_or_default();
            let mut said = Vec::new();
            loop {
                let place = next.fetch_add(1, Ordering::Relaxed);
                let Some(portion) = portions.get(place) else {
                    break;
                };
                said.push((place, ask(&mut workspace, portion)));
            }
            self.lock().push(workspace);
            said
        };
        let mut said = thread::scope(|scope| {
            let more = threads.min(portions.len()).saturating_sub(1);
            let helpers: Vec<_> = (0..more).map(|_| scope.spawn(work)).collect();
            let mut said = work();
            for helper in helpers {
                match helper.join() {
                    Ok(more) => said.extend(more),
                    Err(panic) => std::panic::resume_unwind(panic),
                }
            }
            said
        });
        said.sort_by_key(|(place, _)| *place);
        said.into_iter().flat_map(|(_, said)| said).collect()
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<W>> {
        // They are taken out and put back whole.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
