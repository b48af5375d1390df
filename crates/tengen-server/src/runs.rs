//! Training runs, to look at while they go on or afterwards.

mod curves;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use tengen_app::{
    Code, Host, NoParams, OfGeneration, OfRun, OfRunGame, OpenFile, Refusal, RunGame, RunGames,
    RunList, RunMessage, RunSummary,
};
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

    /// The run with this name.
    fn named(&self, id: &str) -> Result<&Run, Refusal> {
        let run = self.all()?.iter().find(|run| run.id == id);
        run.ok_or_else(|| Refusal::new(Code::InvalidParams, format!("there is no run {id:?}")))
    }

    fn all(&self) -> Result<&[Run], Refusal> {
        match self.0.as_slice() {
            [] => {
                let message = "no training run was named when the server was started";
                Err(Refusal::new(Code::Unsupported, message))
            }
            runs => Ok(runs),
        }
    }
}

impl Host for Runs {
    fn list_runs(&self, _: NoParams) -> Result<RunList, Refusal> {
        let runs = self.all()?.iter().map(Run::summary);
        Ok(RunList {
            runs: runs.collect::<Result<_, _>>()?,
        })
    }

    fn run(&self, OfRun { run }: OfRun) -> Result<RunMessage, Refusal> {
        let run = self.named(&run)?;
        Ok(curves::message(&run.id, run.log()?.summaries()))
    }

    fn run_games(&self, params: OfGeneration) -> Result<RunGames, Refusal> {
        self.named(&params.run)?.games(&params)
    }

    fn run_record(&self, params: OfRunGame) -> Result<OpenFile, Refusal> {
        self.named(&params.run)?.record(&params)
    }
}

impl Run {
    fn log(&self) -> Result<Log, Refusal> {
        Log::open(&self.folder).map_err(|error| unreadable(&error))
    }

    fn summary(&self) -> Result<RunSummary, Refusal> {
        let log = self.log()?;
        let last = log.summaries().last();
        Ok(RunSummary {
            run: self.id.clone(),
            generations: log.summaries().len(),
            games: last.map_or(0, |last| last.games),
            positions: last.map_or(0, |last| last.positions),
            hours: log.seconds() / 3600.0,
        })
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

    fn games(&self, params: &OfGeneration) -> Result<RunGames, Refusal> {
        let generations = self.generations()?;
        let generation = params.generation.or(generations.last().copied());
        let records = match generation {
            Some(generation) => self.records(generation)?,
            None => Vec::new(),
        };
        let listed = records.iter().enumerate().skip(params.offset);
        let games = listed
            .take(LISTED)
            .map(|(index, record)| line(index, record))
            .collect();
        Ok(RunGames {
            run: self.id.clone(),
            generations,
            generation,
            offset: params.offset,
            total: records.len(),
            games,
        })
    }

    fn record(&self, params: &OfRunGame) -> Result<OpenFile, Refusal> {
        let &OfRunGame {
            generation, index, ..
        } = params;
        let records = self.records(generation)?;
        let record = records.get(index).ok_or_else(|| {
            let message = format!("generation {generation} has no game {index}");
            Refusal::new(Code::InvalidParams, message)
        })?;
        let games = record.to_sgf().map_err(|error| unreadable(&error))?;
        let sgf = games.roots().next().map(Node::to_sgf).unwrap_or_default();
        Ok(OpenFile {
            name: Some(format!("{} {generation}.{index}", self.id)),
            text: Some(sgf),
            ..OpenFile::default()
        })
    }
}

/// A game in a list of games.
fn line(index: usize, record: &GameRecord) -> RunGame {
    let lead = f64::from(record.lead_halves.abs()) / 2.0;
    let result = match record.winner {
        Some(Color::Black) => format!("B+{lead}"),
        Some(Color::White) => format!("W+{lead}"),
        None => "Draw".to_owned(),
    };
    RunGame {
        index,
        width: record.size.width(),
        height: record.size.height(),
        rules: record.rules.to_string(),
        komi: record.rules.komi.map(|komi| f64::from(komi.halves()) / 2.0),
        moves: record.moves.len(),
        result: Some(result),
    }
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
