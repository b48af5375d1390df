//! Collections of game trees, as Python sees them.

use std::sync::{Mutex, MutexGuard, PoisonError};

use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::{PyIterator, PyList, PyTuple};
use tengen_sgf::{Mode, NodeId, Record, Replay, validate};

use crate::diagnostic::Diagnostic;
use crate::node::Node;
use crate::pickle;
use crate::record::Text;

/// The games of a file: a sequence of their roots. `tengen.sgf.read` and `tengen.sgf.loads` make one, and
/// `Collection()` has no game yet.
///
/// >>> from tengen import sgf
/// >>> games = sgf.loads('(;SZ[9]PB[Alice];B[ee]C[The centre.])(;SZ[13])')
/// >>> len(games), games[0]['PB']
/// (2, ['Alice'])
/// >>> str(games) == '(;SZ[9]PB[Alice];B[ee]C[The centre.])\n(;SZ[13])'
/// True
#[pyclass(frozen, eq, module = "tengen.sgf")]
pub(crate) struct Collection {
    games: Mutex<tengen_sgf::Collection>,
    /// What had to be repaired when it was read.
    diagnostics: Vec<Diagnostic>,
    /// The encoding of the file that was read, such as 'UTF-8' or 'GBK'. What is written is always UTF-8.
    #[pyo3(get)]
    encoding: String,
    /// The format of the file that was read, such as 'SGF' or 'GIB'.
    #[pyo3(get)]
    format: String,
}

impl Collection {
    /// The games. No Python may run before the guard is dropped.
    pub(crate) fn lock(&self) -> MutexGuard<'_, tengen_sgf::Collection> {
        self.games.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn of_record(record: Record) -> Self {
        let (encoding, format) = (record.encoding.to_owned(), record.format().to_owned());
        let names_utf_8 = |root: tengen_sgf::Node<'_>| {
            let declared = root.value("CA");
            declared.is_none_or(|value| value.raw().trim().eq_ignore_ascii_case("utf-8"))
        };
        let diagnostics = Diagnostic::all(record.collection.text(), record.diagnostics.clone());
        // Only what is no longer true is changed.
        let games = if encoding == "UTF-8" && record.collection.roots().all(names_utf_8) {
            record.collection
        } else {
            record.into_utf8()
        };
        Self {
            games: Mutex::new(games),
            diagnostics,
            encoding,
            format,
        }
    }

    fn roots(&self) -> Vec<NodeId> {
        self.lock().roots().map(tengen_sgf::Node::id).collect()
    }
}

/// Collections are equal when their trees, property names and values are.
impl PartialEq for Collection {
    fn eq(&self, other: &Self) -> bool {
        // One lock at a time, for somebody may compare them the other way round.
        let other = other.lock().clone();
        *self.lock() == other
    }
}

#[pymethods]
impl Collection {
    #[new]
    fn new() -> Self {
        Self {
            games: Mutex::new(tengen_sgf::Collection::new()),
            diagnostics: Vec::new(),
            encoding: "UTF-8".to_owned(),
            format: "SGF".to_owned(),
        }
    }

    /// Reads a text, or the bytes of a file: `tengen.sgf.loads`.
    #[staticmethod]
    #[pyo3(signature = (record, *, strict=false))]
    fn loads(py: Python<'_>, record: Text, strict: bool) -> PyResult<Self> {
        let mode = if strict { Mode::Strict } else { Mode::Lenient };
        py.detach(|| record.read(mode).map(Self::of_record))
    }

    /// The games as SGF: every value as it was read, or in the canonical form of FF[4].
    ///
    /// >>> print(sgf.loads('(;SiZe[9];White[ e e ])').to_sgf(canonical=True))
    /// (;FF[4]
    /// GM[1]
    /// CA[UTF-8]
    /// SZ[9]
    /// ;W[ee])
    /// <BLANKLINE>
    #[pyo3(signature = (*, canonical=false))]
    fn to_sgf(&self, py: Python<'_>, canonical: bool) -> String {
        py.detach(|| {
            let games = self.lock();
            if canonical {
                games.to_canonical()
            } else {
                games.to_string()
            }
        })
    }

    /// What had to be repaired when the file was read.
    #[getter]
    fn diagnostics(&self) -> Vec<Diagnostic> {
        self.diagnostics.clone()
    }

    /// All that is wrong: what had to be repaired, values against the format, and moves of the main lines against the
    /// rules.
    ///
    /// >>> for remark in sgf.loads('(;SZ[9]KM[375];B[ee];W[ee])').check():
    /// ...     print(remark)
    /// 1:11: warning: komi `375`: read as 7.5
    /// 1:24: error: move 2, White E5: occupied; played all the same
    fn check(&self, py: Python<'_>) -> Vec<Diagnostic> {
        py.detach(|| {
            let games = self.lock();
            let mut found = Vec::new();
            for root in games.roots().filter(|root| root.is_go()) {
                found.extend(validate(root));
                match Replay::main_line(root, Mode::Lenient) {
                    Ok(replay) => found.extend(replay.diagnostics().iter().cloned()),
                    Err(unplayable) => found.push(unplayable),
                }
            }
            found.sort_by_key(|diagnostic| diagnostic.offset);
            let mut all = self.diagnostics.clone();
            all.extend(Diagnostic::all(games.text(), found));
            all
        })
    }

    /// Adds a game behind all others and returns its root.
    ///
    /// >>> games = sgf.Collection()
    /// >>> root = games.add_game()
    /// >>> root['SZ'] = '9'
    /// >>> print(games)
    /// (;SZ[9])
    fn add_game(slf: Bound<'_, Self>) -> Node {
        let root = slf.get().lock().add_root();
        Node::new(slf.unbind(), root)
    }

    fn __len__(&self) -> usize {
        self.lock().roots().count()
    }

    fn __getitem__(slf: Bound<'_, Self>, index: isize) -> PyResult<Node> {
        let roots = slf.get().roots();
        let from_start = if index < 0 {
            roots.len().checked_add_signed(index)
        } else {
            usize::try_from(index).ok()
        };
        let root = from_start.and_then(|index| roots.get(index));
        match root {
            Some(root) => Ok(Node::new(slf.unbind(), *root)),
            None => Err(PyIndexError::new_err(format!(
                "there is no game {index}: the collection has {}",
                roots.len()
            ))),
        }
    }

    fn __iter__(slf: Bound<'_, Self>) -> PyResult<Bound<'_, PyIterator>> {
        let py = slf.py();
        let roots = slf.get().roots();
        let collection = slf.unbind();
        let roots = roots
            .into_iter()
            .map(|root| Node::new(collection.clone_ref(py), root));
        let roots: Vec<Node> = roots.collect();
        PyList::new(py, roots)?.as_any().try_iter()
    }

    fn __str__(&self, py: Python<'_>) -> String {
        self.to_sgf(py, false)
    }

    fn __repr__(&self) -> String {
        let games = self.lock();
        let (roots, nodes) = (games.roots().count(), games.node_count());
        format!("<Collection of {roots} games, {nodes} nodes>")
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let state = (
            self.to_sgf(py, false),
            self.diagnostics.clone(),
            &self.encoding,
            &self.format,
        );
        pickle::reduce::<Self>(py, state)
    }

    #[staticmethod]
    #[expect(
        clippy::needless_pass_by_value,
        reason = "what Python hands over comes by value"
    )]
    fn _restore(
        text: String,
        diagnostics: Vec<Bound<'_, Diagnostic>>,
        encoding: String,
        format: String,
    ) -> PyResult<Self> {
        let games = if text.is_empty() {
            tengen_sgf::Collection::new()
        } else {
            Text::Text(text).read(Mode::Lenient)?.collection
        };
        Ok(Self {
            games: Mutex::new(games),
            diagnostics: diagnostics.iter().map(|one| one.get().clone()).collect(),
            encoding,
            format,
        })
    }
}
