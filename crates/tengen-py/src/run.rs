//! Training runs as Python directs them.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Instant;

use pyo3::exceptions::{PyRuntimeError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use serde_json::{Value, json};
use tengen_search::Stop;
use tengen_train::{Config, Event, GameRecord, Progress, RunError};

use crate::interruptible::CHECK_SIGNALS_EVERY;

/// A training run in a folder, which is begun or gone on with: the same as `tengen train`, one generation at a time.
///
/// `config` is the text of a configuration. Learning is on so many `threads`, all cores unless given; on as many, the
/// same games teach the same. Games that are due can be played elsewhere, by a `SelfPlayer`, and be handed in as they
/// come; those that nobody has handed in are played here. It cannot be pickled, since it alone writes to its folder.
///
/// >>> import tempfile
/// >>> from tengen import Run, SelfPlayer
/// >>> config = '''
/// ... [network]
/// ... blocks = 1
/// ... channels = 16
/// ... [self_play]
/// ... boards = [{ size = "3" }]
/// ... full_visits = 4
/// ... [generation]
/// ... games = 3
/// ... [until]
/// ... generations = 1
/// ... '''
/// >>> folder = tempfile.TemporaryDirectory()
/// >>> run = Run(config, folder.name, threads=1)
/// >>> player = SelfPlayer(config, run.net_bytes())
/// >>> [run.accept(player.play(*game)) for game in run.due()]
/// [True, True, True]
/// >>> run.advance(), run.is_complete
/// (True, True)
/// >>> del run
/// >>> folder.cleanup()
#[pyclass(frozen, module = "tengen")]
pub(crate) struct Run {
    run: Mutex<tengen_train::Run>,
    /// Set while a generation goes on, which takes long and calls back.
    busy: AtomicBool,
    folder: PathBuf,
    complaints: Vec<String>,
}

/// An error of a run as Python knows them.
fn raised(error: &RunError) -> PyErr {
    match error {
        RunError::File(failed) => {
            std::io::Error::new(failed.error.kind(), failed.to_string()).into()
        }
        RunError::Diverged(_) | RunError::Replay(_) => PyRuntimeError::new_err(error.to_string()),
        RunError::Weights(..)
        | RunError::Other(_)
        | RunError::Config(_)
        | RunError::Library(_)
        | RunError::Tutor(_)
        | RunError::SelfPlay(_) => PyValueError::new_err(error.to_string()),
    }
}

/// What a signal that came in the meantime raises.
fn check_signals(py: Python<'_>) -> PyResult<()> {
    py.check_signals()
}

/// A configuration from its text.
pub(crate) fn read_config(text: &str) -> PyResult<Config> {
    Config::parse(text).map_err(|error| PyValueError::new_err(error.to_string()))
}

/// What happened, as a dictionary.
fn told<'py>(py: Python<'py>, event: &Event) -> PyResult<Bound<'py, PyAny>> {
    let value = match event {
        Event::Complaint(text) => json!({ "event": "complaint", "text": text }),
        Event::Game {
            generation,
            played,
            games,
            rate,
        } => json!({
            "event": "game", "generation": generation, "played": played, "games": games, "rate": rate,
        }),
        Event::Step {
            generation,
            step,
            steps,
            losses,
        } => json!({
            "event": "step", "generation": generation, "step": step, "steps": steps, "losses": losses,
        }),
        Event::Reading { path, games } => json!({
            "event": "reading", "path": path.display().to_string(), "games": games,
        }),
        Event::Library {
            lessons,
            held_out,
            skipped,
        } => json!({
            "event": "library", "lessons": lessons, "held_out": held_out,
            "skipped": {
                "unreadable": skipped.unreadable, "filtered": skipped.filtered,
                "length": skipped.length, "doubles": skipped.doubles,
            },
        }),
        Event::Exam => json!({ "event": "exam" }),
        Event::Match(opponent) => json!({ "event": "match", "opponent": opponent }),
        Event::Generation(summary) => {
            let mut value = serde_json::to_value(summary)
                .map_err(|error| PyRuntimeError::new_err(error.to_string()))?;
            if let Value::Object(fields) = &mut value {
                fields.insert("event".to_owned(), json!("generation"));
                let knows = json!(summary.knows_who_wins());
                fields.insert("knows_who_wins".to_owned(), knows);
            }
            value
        }
    };
    py.import("json")?
        .call_method1("loads", (value.to_string(),))
}

impl Run {
    /// Does something short with the run.
    fn with<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut tengen_train::Run) -> T + Send,
    ) -> PyResult<T> {
        // Whoever is called back would wait for itself.
        if self.busy.load(Ordering::Acquire) {
            return Err(PyRuntimeError::new_err("a generation is under way"));
        }
        Ok(py.detach(|| work(&mut self.lock())))
    }

    fn lock(&self) -> MutexGuard<'_, tengen_train::Run> {
        // A run that failed goes on from what it has written down, as after a crash.
        self.run.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Goes on with the generation in another thread, while this one listens to signals and calls back.
    fn go_on(&self, call: Option<&Py<PyAny>>) -> PyResult<Progress> {
        let stop = Stop::new();
        let stop = &stop;
        thread::scope(|scope| {
            let (sender, receiver) = mpsc::channel();
            let worker = scope.spawn(move || {
                self.lock().generation(stop, &mut |event| {
                    // If nobody listens any more, the run was asked to stop.
                    _ = sender.send(event);
                })
            });
            let mut failure = Ok(());
            let mut asked = Instant::now();
            loop {
                let event = match receiver.recv_timeout(CHECK_SIGNALS_EVERY) {
                    Ok(event) => Some(event),
                    Err(RecvTimeoutError::Timeout) => None,
                    Err(RecvTimeoutError::Disconnected) => break,
                };
                if failure.is_err() {
                    continue;
                }
                failure = match (event, call) {
                    (Some(event), Some(call)) => Python::attach(|py| {
                        let told = told(py, &event)?;
                        call.call1(py, (told,)).map(|_| ())
                    }),
                    _ => Ok(()),
                };
                if failure.is_ok() && asked.elapsed() >= CHECK_SIGNALS_EVERY {
                    asked = Instant::now();
                    failure = Python::attach(check_signals);
                }
                if failure.is_err() {
                    stop.stop();
                }
            }
            let progress = match worker.join() {
                Ok(progress) => progress,
                Err(cause) => std::panic::resume_unwind(cause),
            };
            failure?;
            progress.map_err(|error| raised(&error))
        })
    }
}

/// Marks a run as busy as long as it is there.
struct Busy<'a>(&'a AtomicBool);

impl Drop for Busy<'_> {
    fn drop(&mut self) {
        self.0.store(false, Ordering::Release);
    }
}

#[pymethods]
impl Run {
    /// A run has its folder, and two that write to it would spoil it.
    #[expect(clippy::unused_self, reason = "Python calls it with the object")]
    fn __reduce__(&self) -> PyResult<()> {
        Err(PyTypeError::new_err(
            "a Run cannot be pickled or copied, since it alone writes to its folder: \
             make it with Run(config, folder) where it is needed, \
             and send config, run.net_bytes() and run.due() to those who play its games with a SelfPlayer",
        ))
    }

    #[new]
    #[pyo3(signature = (config, folder, threads=None))]
    fn new(
        py: Python<'_>,
        config: &str,
        folder: PathBuf,
        threads: Option<usize>,
    ) -> PyResult<Self> {
        let threads = match threads {
            None => thread::available_parallelism().map_or(1, usize::from),
            Some(threads) if (1..=1024).contains(&threads) => threads,
            Some(threads) => {
                return Err(PyValueError::new_err(format!(
                    "threads are 1 to 1024, not {threads}"
                )));
            }
        };
        let config = read_config(config)?;
        let mut complaints = Vec::new();
        let mut hear = |event| {
            if let Event::Complaint(text) = event {
                complaints.push(text);
            }
        };
        let run = py.detach(|| tengen_train::Run::open(&folder, config, threads, &mut hear));
        Ok(Self {
            run: Mutex::new(run.map_err(|error| raised(&error))?),
            busy: AtomicBool::new(false),
            folder,
            complaints,
        })
    }

    /// The games of this generation that are yet to be played: number, seed, and the step of the network that is to
    /// play them. None while the generation learns.
    fn due(&self, py: Python<'_>) -> PyResult<Vec<(u64, u64, u64)>> {
        let due = self.with(py, |run| run.due())?;
        let parts = due.iter().map(|due| (due.number, due.seed, due.network));
        Ok(parts.collect())
    }

    /// The network that is to play, as the bytes of a file.
    fn net_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = self.with(py, |run| run.net().to_bytes(&[]))?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// Takes a game that was due, as `SelfPlayer.play` returns it, and writes it down. False if it was of no use:
    /// handed in already, or not due.
    fn accept(&self, py: Python<'_>, record: &[u8]) -> PyResult<bool> {
        let record = GameRecord::from_bytes(record)
            .map_err(|error| PyValueError::new_err(error.to_string()))?;
        self.with(py, |run| run.accept(record))?
            .map_err(|error| raised(&error))
    }

    /// Plays what is still due, learns, measures, and goes on to the next generation. False if it was stopped in
    /// between.
    ///
    /// `call` is told what happens as dictionaries, whose 'event' is 'game', 'step', 'match' or 'generation'. If it
    /// raises something, or somebody interrupts, all that was learnt is written down first, and the next call goes on
    /// from there.
    #[pyo3(signature = (call=None))]
    fn advance(&self, py: Python<'_>, call: Option<&Bound<'_, PyAny>>) -> PyResult<bool> {
        if self.busy.swap(true, Ordering::AcqRel) {
            return Err(PyRuntimeError::new_err("a generation is under way"));
        }
        let busy = Busy(&self.busy);
        let call = call.map(|call| call.clone().unbind());
        let progress = py.detach(|| self.go_on(call.as_ref()));
        drop(busy);
        Ok(progress? == Progress::Complete)
    }

    /// Writes `report.html`, a page with curves of all that was measured.
    fn write_report(&self, py: Python<'_>) -> PyResult<()> {
        self.with(py, |run| run.write_report())?
            .map_err(|error| raised(&error))
    }

    /// The generation that is under way or comes next.
    #[getter]
    fn generation(&self, py: Python<'_>) -> PyResult<u64> {
        self.with(py, |run| run.current_generation())
    }

    /// Whether the end of the run is reached, as the configuration has it.
    #[getter]
    fn is_complete(&self, py: Python<'_>) -> PyResult<bool> {
        self.with(py, |run| run.is_complete())
    }

    /// The hours that all generations have taken.
    #[getter]
    fn hours(&self, py: Python<'_>) -> PyResult<f64> {
        self.with(py, |run| run.hours())
    }

    /// Where it lives.
    #[getter]
    fn folder(&self) -> String {
        self.folder.display().to_string()
    }

    /// What was found in the folder and left out.
    #[getter]
    fn complaints(&self) -> Vec<String> {
        self.complaints.clone()
    }

    fn __repr__(&self) -> String {
        format!("<Run in {}>", self.folder.display())
    }
}
