//! Training runs, to look at while they go on or afterwards.

mod curves;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use tengen_app::{Code, Refusal};
use tengen_core::Color;
use tengen_sgf::Node;
use tengen_train::{GameRecord, Log, Window};

/// How many games are listed at once.
const LISTED: usize = 200;

/// The folders of training runs that were named when the server was started. They are read, never written.
#[derive(Clone, Debug, Default)]
pub(crate) struct Runs(Vec<Run>);

#[derive(Clone, Debug)]
struct Run {
    /// What the page calls it: the name of its folder, and a number if another one has the same.
    id: String,
    folder: PathBuf,
}

/// What a method about runs comes to.
#[derive(Debug)]
pub(crate) enum Found {
    /// The answer.
    Answer(Value),
    /// A record that is to be opened as a game.
    Record {
        /// What it is called.
        name: String,
        /// The record.
        sgf: String,
    },
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct NoParams {}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OneRun {
    run: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Listing {
    run: String,
    generation: Option<u64>,
    #[serde(default)]
    offset: usize,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Opening {
    run: String,
    generation: u64,
    index: usize,
}

impl Runs {
    /// The runs in these folders.
    pub(crate) fn new(folders: &[PathBuf]) -> Self {
        let mut runs: Vec<Run> = Vec::new();
        for folder in folders {
            let name = folder.file_name().map_or_else(
                || "run".to_owned(),
                |name| name.to_string_lossy().into_owned(),
            );
            let mut ids = (1..).map(|number| match number {
                1 => name.clone(),
                _ => format!("{name}-{number}"),
            });
            let is_free = |id: &String| runs.iter().all(|run| run.id != *id);
            let id = ids.find(is_free).unwrap_or(name.clone());
            runs.push(Run {
                id,
                folder: folder.clone(),
            });
        }
        Self(runs)
    }

    /// Is there nothing to look at?
    pub(crate) const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Answers a method whose name begins with `runs.`. It reads files, which takes its time.
    pub(crate) fn call(&self, method: &str, params: Value) -> Result<Found, Refusal> {
        match method {
            "runs.list" => {
                let NoParams {} = read(params)?;
                let runs: Result<Vec<Value>, Refusal> = self.0.iter().map(Run::summary).collect();
                Ok(Found::Answer(json!({ "runs": runs? })))
            }
            "runs.get" => {
                let OneRun { run } = read(params)?;
                let run = self.run(&run)?;
                Ok(Found::Answer(curves::curves(
                    &run.id,
                    run.log()?.summaries(),
                )))
            }
            "runs.games" => {
                let listing: Listing = read(params)?;
                self.run(&listing.run)?.games(&listing).map(Found::Answer)
            }
            "runs.open" => {
                let opening: Opening = read(params)?;
                self.run(&opening.run)?.record(&opening)
            }
            _ => Err(Refusal::new(
                Code::UnknownMethod,
                format!("there is no method {method:?}"),
            )),
        }
    }

    fn run(&self, id: &str) -> Result<&Run, Refusal> {
        let run = self.0.iter().find(|run| run.id == id);
        run.ok_or_else(|| Refusal::new(Code::InvalidParams, format!("there is no run {id:?}")))
    }
}

impl Run {
    fn log(&self) -> Result<Log, Refusal> {
        Log::open(&self.folder).map_err(|error| unreadable(&error))
    }

    fn summary(&self) -> Result<Value, Refusal> {
        let log = self.log()?;
        let last = log.summaries().last();
        Ok(json!({
            "run": self.id,
            "generations": log.summaries().len(),
            "games": last.map_or(0, |last| last.games),
            "positions": last.map_or(0, |last| last.positions),
            "hours": log.seconds() / 3600.0,
        }))
    }

    /// The generations whose games are there, in order.
    fn generations(&self) -> Result<Vec<u64>, Refusal> {
        let entries = match fs::read_dir(self.folder.join("games")) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(unreadable(&error)),
        };
        let number = |name: &str| {
            name.strip_prefix("games-")?
                .strip_suffix(".tgr")?
                .parse()
                .ok()
        };
        let names = entries
            .filter_map(Result::ok)
            .map(|entry| entry.file_name());
        let mut generations: Vec<u64> = names
            .filter_map(|name| number(&name.to_string_lossy()))
            .collect();
        generations.sort_unstable();
        Ok(generations)
    }

    /// The games of a generation, as far as they can be read.
    fn records(&self, generation: u64) -> Result<Vec<GameRecord>, Refusal> {
        let file = self
            .folder
            .join("games")
            .join(format!("games-{generation:08}.tgr"));
        match Window::games_in(&file) {
            Ok(games) => Ok(games),
            Err(failed) if failed.error.kind() == io::ErrorKind::NotFound => {
                let message = format!("generation {generation} has no games here");
                Err(Refusal::new(Code::InvalidParams, message))
            }
            Err(failed) => Err(unreadable(&failed)),
        }
    }

    fn games(&self, listing: &Listing) -> Result<Value, Refusal> {
        let generations = self.generations()?;
        let generation = listing.generation.or(generations.last().copied());
        let records = match generation {
            Some(generation) => self.records(generation)?,
            None => Vec::new(),
        };
        let listed = records.iter().enumerate().skip(listing.offset);
        let games: Vec<Value> = listed
            .take(LISTED)
            .map(|(index, record)| line(index, record))
            .collect();
        Ok(json!({
            "run": self.id,
            "generations": generations,
            "generation": generation,
            "offset": listing.offset,
            "total": records.len(),
            "games": games,
        }))
    }

    fn record(&self, opening: &Opening) -> Result<Found, Refusal> {
        let &Opening {
            generation, index, ..
        } = opening;
        let records = self.records(generation)?;
        let record = records.get(index).ok_or_else(|| {
            let message = format!("generation {generation} has no game {index}");
            Refusal::new(Code::InvalidParams, message)
        })?;
        let games = record.to_sgf().map_err(|error| unreadable(&error))?;
        let sgf = games.roots().next().map(Node::to_sgf).unwrap_or_default();
        Ok(Found::Record {
            name: format!("{} {generation}.{index}", self.id),
            sgf,
        })
    }
}

/// A game in a list of games.
fn line(index: usize, record: &GameRecord) -> Value {
    let lead = f64::from(record.lead_halves.abs()) / 2.0;
    let result = match record.winner {
        Some(Color::Black) => format!("B+{lead}"),
        Some(Color::White) => format!("W+{lead}"),
        None => "Draw".to_owned(),
    };
    json!({
        "index": index,
        "width": record.size.width(),
        "height": record.size.height(),
        "rules": record.rules.to_string(),
        "komi": record.rules.komi.map(|komi| f64::from(komi.halves()) / 2.0),
        "moves": record.moves.len(),
        "result": result,
    })
}

fn read<T: DeserializeOwned>(params: Value) -> Result<T, Refusal> {
    serde_json::from_value(params)
        .map_err(|error| Refusal::new(Code::InvalidParams, error.to_string()))
}

fn unreadable(error: &dyn std::error::Error) -> Refusal {
    Refusal::new(Code::Unreadable, format!("the run cannot be read: {error}"))
}

/// Is this the folder of a training run?
pub fn is_run(folder: &Path) -> bool {
    folder.join("log.jsonl").is_file()
        || folder.join("journal.tgr").is_file()
        || folder.join("games").is_dir()
}
