//! The network as Python asks it.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{fs, io};

use numpy::{PyArray1, PyArrayDyn, PyArrayMethods, PyReadonlyArrayDyn, PyUntypedArrayMethods};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyTuple};
use tengen_core::{PointSet, Size};
use tengen_env::Features;
use tengen_nn::{Architecture, Baseline, Inputs, LONGEST_SIDE, WeightsError, katago};
use tengen_search::Judge;
use tengen_train::write_whole;

use crate::game::Game;
use crate::net_output::NetOutput;
use crate::network::{Network, ask_katago, ask_own, check_size, read_profile};

/// A network that judges positions, on boards of every size.
///
/// `Net.baseline` is the one that comes with the package, `Net.load` reads one from a file of Tengen or of KataGo,
/// `Net.random` makes one that knows nothing. Whoever asks may do so from several threads at once, and other Python
/// threads run meanwhile.
///
/// >>> from tengen import Game, Net
/// >>> net = Net.random(blocks=2, channels=32, seed=1)
/// >>> game = Game(9, komi=7)
/// >>> game.play('E5')
/// >>> said = net.evaluate(game)
/// >>> said.policy.shape, said.ownership.shape
/// ((82,), (9, 9))
/// >>> abs(float(said.win + said.draw + said.loss) - 1) < 1e-5
/// True
/// >>> net.evaluate([Game((7, 5))] * 3).policy.shape
/// (3, 36)
#[pyclass(frozen, module = "tengen")]
pub(crate) struct Net {
    network: Network,
    notes: BTreeMap<String, String>,
}

/// Why a file is not a network, or bytes are none.
fn refusal(path: Option<&Path>, error: &dyn Display) -> PyErr {
    PyValueError::new_err(match path {
        Some(path) => format!("{}: {error}", path.display()),
        None => error.to_string(),
    })
}

/// An error of the system with the name of the file.
fn file_error(path: &Path, error: &io::Error) -> PyErr {
    io::Error::new(error.kind(), format!("{}: {error}", path.display())).into()
}

/// Writes a file so that it is there as a whole or as it was before.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> PyResult<()> {
    write_whole(path, bytes).map_err(|failed| file_error(path, &failed.error))
}

/// What was noted in a file, the format's own notes left out.
fn notes(bytes: &[u8]) -> Result<BTreeMap<String, String>, WeightsError> {
    let mut notes: BTreeMap<String, String> = tengen_nn::Net::notes(bytes)?.into_iter().collect();
    notes.retain(|name, _| !tengen_nn::Net::OWN_NOTES.contains(&name.as_str()));
    Ok(notes)
}

/// Positions of one size that Python brings: one, or several.
struct Positions {
    inputs: Vec<Inputs>,
    /// How many there are if they came as several.
    count: Option<usize>,
}

impl Positions {
    fn size(&self) -> Size {
        self.inputs[0].size()
    }
}

/// Games with boards of one size, and how many there are if they came as several.
fn read_games(games: &Bound<'_, PyAny>) -> PyResult<(Vec<tengen_core::Game>, Option<usize>)> {
    let (games, count) = if let Ok(game) = games.cast::<Game>() {
        (vec![game.get().lock().clone()], None)
    } else {
        let games: Vec<tengen_core::Game> = games
            .try_iter()?
            .map(|game| Ok(game?.cast::<Game>()?.get().lock().clone()))
            .collect::<PyResult<_>>()?;
        let count = games.len();
        (games, Some(count))
    };
    let Some(size) = games.first().map(tengen_core::Game::size) else {
        return Err(PyValueError::new_err("there are no games"));
    };
    if let Some(other) = games.iter().find(|game| game.size() != size) {
        return Err(PyValueError::new_err(format!(
            "all games must have boards of one size, not {size} and {}",
            other.size()
        )));
    }
    Ok((games, count))
}

fn read_positions(py: Python<'_>, games: &Bound<'_, PyAny>) -> PyResult<Positions> {
    let (games, count) = read_games(games)?;
    let inputs = py.detach(|| games.iter().map(Inputs::new).collect());
    Ok(Positions { inputs, count })
}

fn read_planes(planes: &Bound<'_, PyAny>, globals: &Bound<'_, PyAny>) -> PyResult<Positions> {
    let [planes, globals] = [floats(planes)?, floats(globals)?];
    let wrong = || {
        PyValueError::new_err(format!(
            "planes are rows × columns × 23 with 8 globals, or n × rows × columns × 23 with n × 8, not {:?} with \
                {:?}",
            planes.shape(),
            globals.shape()
        ))
    };
    let (count, height, width, depth) = match *planes.shape() {
        [height, width, depth] => (None, height, width, depth),
        [count, height, width, depth] => (Some(count), height, width, depth),
        _ => return Err(wrong()),
    };
    let (globals, rest) = globals.as_slice()?.as_chunks();
    let boards = count.unwrap_or(1);
    if depth != Features::Tactical.count() || globals.len() != boards || !rest.is_empty() {
        return Err(wrong());
    }
    if boards == 0 {
        return Err(PyValueError::new_err("there are no planes"));
    }
    let side = |length: usize| u8::try_from(length).unwrap_or(0);
    let size = Size::new(side(width), side(height))
        .map_err(|error| PyValueError::new_err(error.to_string()))?;
    let boards = planes.as_slice()?.chunks_exact(size.area() * depth);
    let mut inputs = Vec::with_capacity(globals.len());
    for (board, globals) in boards.zip(globals) {
        let planes = read_sets(board, size)?;
        inputs.push(Inputs::from_planes(size, planes, *globals).ok_or_else(wrong)?);
    }
    Ok(Positions { inputs, count })
}

/// The planes of one board, which come point by point.
fn read_sets(board: &[f32], size: Size) -> PyResult<Vec<PointSet>> {
    let depth = board.len() / size.area();
    let mut sets = vec![PointSet::EMPTY; depth];
    for (point, values) in size.points().iter().zip(board.chunks_exact(depth)) {
        for (set, value) in sets.iter_mut().zip(values) {
            if *value == 1.0 {
                set.insert(point);
            } else if *value != 0.0 {
                return Err(PyValueError::new_err(format!(
                    "planes are of 0 and 1, and have no {value}"
                )));
            }
        }
    }
    if sets[0] != size.points() {
        return Err(PyValueError::new_err(
            "the first plane is 1 everywhere: a board that is smaller than its frame must be cut out of it",
        ));
    }
    Ok(sets)
}

/// Numbers of any shape.
type Array<'py> = Bound<'py, PyArrayDyn<f32>>;

/// Anything that NumPy makes an array of.
pub(crate) fn floats<'py>(value: &Bound<'py, PyAny>) -> PyResult<PyReadonlyArrayDyn<'py, f32>> {
    let numpy = value.py().import("numpy")?;
    let array = numpy.call_method1("ascontiguousarray", (value, "float32"))?;
    Ok(array.cast_into::<PyArrayDyn<f32>>()?.readonly())
}

/// Arrays of weights, or of their gradients, by their names.
pub(crate) fn arrays<'py>(
    py: Python<'py>,
    architecture: Architecture,
    values: &[f32],
) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    for part in architecture.parts() {
        let array = PyArray1::from_slice(py, &values[part.range()]);
        dict.set_item(part.name(), array.reshape(part.shape())?)?;
    }
    Ok(dict)
}

impl Net {
    pub(crate) fn new_with(net: tengen_nn::Net, notes: BTreeMap<String, String>) -> Self {
        Self::shared(Arc::new(net), notes)
    }

    fn shared(net: Arc<tengen_nn::Net>, notes: BTreeMap<String, String>) -> Self {
        Self {
            network: Network::own(net),
            notes,
        }
    }

    /// The network, if it is one of Tengen's own.
    pub(crate) fn net(&self) -> PyResult<&Arc<tengen_nn::Net>> {
        Ok(self.network.tengens()?.0)
    }

    /// Who judges by it for an engine.
    pub(crate) fn judge(&self) -> Judge {
        self.network
            .judge(self.notes.get(LONGEST_SIDE).map(String::as_str))
    }

    fn read(bytes: &[u8], path: Option<&Path>) -> PyResult<Self> {
        if katago::Net::looks_like_one(bytes) {
            let net = katago::Net::from_bytes(bytes).map_err(|error| refusal(path, &error))?;
            return Ok(Self {
                network: Network::katago(net, path.map(Path::to_path_buf)),
                notes: BTreeMap::new(),
            });
        }
        let wrong = |error: WeightsError| refusal(path, &error);
        let net = tengen_nn::Net::from_bytes(bytes).map_err(wrong)?;
        Ok(Self::new_with(net, notes(bytes).map_err(wrong)?))
    }

    fn write(&self, notes: Option<&BTreeMap<String, String>>) -> PyResult<Vec<u8>> {
        let notes = notes.unwrap_or(&self.notes);
        if let Some(name) = tengen_nn::Net::OWN_NOTES
            .into_iter()
            .find(|name| notes.contains_key(*name))
        {
            return Err(PyValueError::new_err(format!(
                "the format uses the note {name:?} itself"
            )));
        }
        let notes: Vec<(&str, &str)> = notes
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_str()))
            .collect();
        Ok(self.net()?.to_bytes(&notes))
    }
}

#[expect(
    clippy::needless_pass_by_value,
    reason = "Python hands paths and notes over"
)]
#[pymethods]
impl Net {
    /// Reads a network from a safetensors file, or from a file of KataGo (`.bin.gz`, `.txt.gz` or unpacked, versions 8
    /// to 17).
    ///
    /// A network of KataGo judges boards up to 19x19. It can neither learn nor be written, and a pickled one is the
    /// name of its file.
    #[staticmethod]
    pub(crate) fn load(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        py.detach(|| {
            let bytes = fs::read(&path).map_err(|error| file_error(&path, &error))?;
            Self::read(&bytes, Some(&path))
        })
    }

    /// The network that comes with the package: the one for boards up to 9x9, or the one for larger boards up to 19x19.
    ///
    /// >>> Net.baseline()
    /// <Net 6x64>
    /// >>> Net.baseline().evaluate(Game(9)).policy.argmax() < 81
    /// True
    /// >>> Net.baseline(large=True).evaluate(Game(19)).policy.argmax() < 361
    /// True
    #[staticmethod]
    #[pyo3(signature = (*, large=false))]
    pub(crate) fn baseline(py: Python<'_>, large: bool) -> PyResult<Self> {
        let baseline = match large {
            false => Baseline::Small,
            true => Baseline::Large,
        };
        let net = py.detach(|| baseline.net());
        let mut notes = notes(baseline.file()).map_err(|error| refusal(None, &error))?;
        // Copies, such as pickled ones, know as much as the network itself.
        let side = baseline.longest_side().to_string();
        notes.entry(LONGEST_SIDE.to_owned()).or_insert(side);
        Ok(Self::shared(net, notes))
    }

    /// A network that knows nothing: residual blocks of two convolutions with so many channels each, a multiple of 16.
    ///
    /// >>> Net.random(blocks=4, channels=32, seed=1)
    /// <Net 4x32>
    #[staticmethod]
    #[pyo3(signature = (blocks, channels, seed=0))]
    fn random(py: Python<'_>, blocks: usize, channels: usize, seed: u64) -> PyResult<Self> {
        let net = py.detach(|| tengen_nn::Net::random(Architecture { blocks, channels }, seed));
        let net = net.map_err(|error| PyValueError::new_err(error.to_string()))?;
        Ok(Self::new_with(net, BTreeMap::new()))
    }

    /// A network with these arrays of weights, named as `weights` names them.
    ///
    /// >>> net = Net.random(1, 16)
    /// >>> weights = net.weights()
    /// >>> weights['pass.bias'] += 1
    /// >>> changed = Net.from_weights(1, 16, weights)
    /// >>> rise = changed.evaluate(Game(5)).logits - net.evaluate(Game(5)).logits
    /// >>> round(float(rise[-1]), 4), float(abs(rise[:-1]).max())
    /// (1.0, 0.0)
    #[staticmethod]
    fn from_weights(blocks: usize, channels: usize, weights: &Bound<'_, PyDict>) -> PyResult<Self> {
        let architecture = Architecture { blocks, channels }
            .check()
            .map_err(|error| PyValueError::new_err(error.to_string()))?;
        let parts = architecture.parts();
        for name in weights.keys() {
            let name: String = name.extract()?;
            if !parts.iter().any(|part| part.name() == name) {
                return Err(PyValueError::new_err(format!(
                    "a network of {architecture} has no weights {name:?}"
                )));
            }
        }
        let mut all = Vec::with_capacity(architecture.count());
        for part in &parts {
            let name = part.name().to_owned();
            let wrong = |error: &WeightsError| refusal(None, error);
            let Some(array) = weights.get_item(&name)? else {
                return Err(wrong(&WeightsError::Missing(name)));
            };
            let array = floats(&array)?;
            let array = array.as_array();
            if array.shape() != part.shape() {
                return Err(wrong(&WeightsError::Shape {
                    name,
                    found: format!("{:?}", array.shape()),
                    wanted: format!("{:?}", part.shape()),
                }));
            }
            if array.iter().any(|value| !value.is_finite()) {
                return Err(wrong(&WeightsError::NotFinite(name)));
            }
            all.extend(array.iter());
        }
        let net = tengen_nn::Net::from_weights(architecture, all)
            .expect("there are as many weights as the shapes have");
        Ok(Self::new_with(net, BTreeMap::new()))
    }

    /// The arrays of weights by their names, as copies. Convolutions are 3 × 3 × inputs × outputs.
    ///
    /// >>> Net.random(1, 16).weights()['blocks.0.first.weight'].shape
    /// (3, 3, 16, 16)
    fn weights<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let net = self.net()?;
        arrays(py, net.architecture(), net.weights())
    }

    /// How many residual blocks it has.
    #[getter]
    fn blocks(&self) -> usize {
        match &self.network {
            Network::Own(net, _) => net.architecture().blocks,
            Network::KataGo(net, ..) => net.about().blocks,
        }
    }

    /// How many channels it has.
    #[getter]
    fn channels(&self) -> usize {
        match &self.network {
            Network::Own(net, _) => net.architecture().channels,
            Network::KataGo(net, ..) => net.about().channels,
        }
    }

    /// What a network of KataGo calls itself, and `None` of one of Tengen's own.
    #[getter]
    fn name(&self) -> Option<&str> {
        match &self.network {
            Network::Own(..) => None,
            Network::KataGo(net, ..) => Some(&net.about().name),
        }
    }

    /// What whoever wrote the file has noted in it.
    #[getter]
    fn notes(&self) -> BTreeMap<String, String> {
        self.notes.clone()
    }

    /// What the network says about a game, or about several games with boards of one size.
    ///
    /// The arrays of what it says about several games have one more dimension in front. So many threads share several
    /// games, eight at a time; what is said does not depend on that. A game that is over is judged as if it went on.
    ///
    /// A network of KataGo that learned from people (humanSL) takes a profile, the players that it imitates: 'rank_5k',
    /// 'rank_5k_2d' for Black and White, 'preaz_5k' for people before 2017, or 'proyear_1990' for professionals.
    #[pyo3(signature = (games, *, threads=1, profile=None))]
    fn evaluate(
        &self,
        py: Python<'_>,
        games: &Bound<'_, PyAny>,
        threads: usize,
        profile: Option<&str>,
    ) -> PyResult<NetOutput> {
        if !(1..=1024).contains(&threads) {
            return Err(PyValueError::new_err(format!(
                "threads are 1 to 1024, not {threads}"
            )));
        }
        let players = read_profile(profile, &self.network)?;
        match &self.network {
            Network::Own(net, spare) => {
                let positions = read_positions(py, games)?;
                let (size, count) = (positions.size(), positions.count);
                let said = py.detach(|| ask_own(net, spare, positions.inputs, threads));
                NetOutput::new(py, &said, size, count)
            }
            Network::KataGo(net, _, spare) => {
                let (games, count) = read_games(games)?;
                let size = games[0].size();
                check_size(size)?;
                let said = py.detach(|| ask_katago(net, spare, &games, threads, players));
                NetOutput::of_katago(py, &said, size, count)
            }
        }
    }

    /// What the network says about positions that come as arrays: planes as `inputs` or
    /// `VectorEnv(observation='tactical')` gives them, and globals as `inputs` gives them.
    ///
    /// >>> net = Net.random(1, 16)
    /// >>> planes, globals = net.inputs([Game(5), Game(5, komi=24)])
    /// >>> net.evaluate_planes(planes, globals).lead.shape
    /// (2,)
    fn evaluate_planes(
        &self,
        py: Python<'_>,
        planes: &Bound<'_, PyAny>,
        globals: &Bound<'_, PyAny>,
    ) -> PyResult<NetOutput> {
        let (net, spare) = self.network.tengens()?;
        let positions = read_planes(planes, globals)?;
        let (size, count) = (positions.size(), positions.count);
        let said = py.detach(|| ask_own(net, spare, positions.inputs, 1));
        NetOutput::new(py, &said, size, count)
    }

    /// What a network sees of a game, or of several games with boards of one size: planes as a float32 array of rows ×
    /// columns × 23, and 8 numbers about rules and komi. For several games both have one more dimension in front.
    ///
    /// >>> planes, globals = Net.inputs(Game((7, 5)))
    /// >>> planes.shape, globals.shape
    /// ((5, 7, 23), (8,))
    #[staticmethod]
    fn inputs<'py>(
        py: Python<'py>,
        games: &Bound<'py, PyAny>,
    ) -> PyResult<(Array<'py>, Array<'py>)> {
        let positions = read_positions(py, games)?;
        let size = positions.size();
        let depth = positions.inputs[0].planes().len();
        let mut planes = Vec::with_capacity(positions.inputs.len() * size.area() * depth);
        let mut globals = Vec::new();
        for inputs in &positions.inputs {
            for point in &size.points() {
                let yes = |plane: &PointSet| f32::from(u8::from(plane.contains(point)));
                planes.extend(inputs.planes().iter().map(yes));
            }
            globals.extend_from_slice(inputs.globals());
        }
        let sides = [size.height(), size.width()].map(usize::from);
        let count = positions.count.as_slice();
        let planes = PyArray1::from_vec(py, planes).reshape([count, &sides, &[depth]].concat())?;
        let per_board = globals.len() / positions.inputs.len();
        let globals = PyArray1::from_vec(py, globals).reshape([count, &[per_board]].concat())?;
        Ok((planes, globals))
    }

    /// Writes the network to a safetensors file, which is there as a whole or as it was before, with notes in place of
    /// its own.
    #[pyo3(signature = (path, notes=None))]
    fn save(
        &self,
        py: Python<'_>,
        path: PathBuf,
        notes: Option<BTreeMap<String, String>>,
    ) -> PyResult<()> {
        py.detach(|| write(&path, &self.write(notes.as_ref())?))
    }

    /// Writes the network to an ONNX file, which other programs can run: see the page about networks in the
    /// documentation.
    fn to_onnx(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        py.detach(|| write(&path, &self.net()?.to_onnx()))
    }

    /// The bytes of a safetensors file.
    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = py.detach(|| self.write(None))?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// A network from the bytes of a safetensors file, or of a file of KataGo.
    ///
    /// >>> Net.from_bytes(Net.random(1, 16).to_bytes())
    /// <Net 1x16>
    #[staticmethod]
    fn from_bytes(py: Python<'_>, data: &[u8]) -> PyResult<Self> {
        py.detach(|| Self::read(data, None))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let get = |name| py.get_type::<Self>().getattr(name);
        match &self.network {
            Network::Own(..) => (get("from_bytes")?, (self.to_bytes(py)?,)).into_pyobject(py),
            Network::KataGo(_, Some(path), _) => (get("load")?, (path,)).into_pyobject(py),
            Network::KataGo(_, None, _) => Err(PyTypeError::new_err(
                "a network of KataGo that was not loaded from a file cannot be pickled",
            )),
        }
    }

    fn __repr__(&self) -> String {
        match &self.network {
            Network::Own(net, _) => format!("<Net {}>", net.architecture()),
            Network::KataGo(net, ..) => format!("<Net {}>", net.about()),
        }
    }
}
