//! `tengen review`: what each move of a game lost.

use std::collections::HashSet;
use std::fs;
use std::io::{self, Write};
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::thread;

use anyhow::{Context, Result};
use clap::Args;
use tengen_app::Effort;
use tengen_core::Stop;
use tengen_files::write_whole;
use tengen_sgf::{Charset, printable_line};

mod losses;
mod report;
mod reviewer;

use self::losses::Losses;
use self::report::Report;
use self::reviewer::{Asked, Progress};
use crate::failure::{Usage, Worst};
use crate::interrupt::Interrupt;
use crate::judge::JudgeArgs;
use crate::progress::ProgressLine;
use crate::sgf::{files, pool};
use crate::terminal;

/// Look through games and tell what each move lost, as the page does.
///
/// Every position of the main line is searched a little, and then those again that matter, with up to four times the
/// visits each time. What is within the noise of a search is no loss. With one thread a game, the same games give the
/// same answers.
///
/// Records are SGF and whatever else `tengen sgf` reads. FILES can be files, folders, which are searched for records,
/// patterns such as 'games/*.sgf', or - for standard input.
#[derive(Args)]
#[command(after_long_help = "\
Examples:
  tengen review game.sgf
  tengen review games --write reviewed --comments
  tengen review collection.sgf.xz --games 20 --json > losses.jsonl
  tengen review game.sgf --net kata1-….bin.gz --visits 2000

Fields of --json, an object for each game: file, game (its number in the file, from 1), title, black and white (moves,
mean, median, over_2, over_5), worst (the worst moves: number, color, move, lost, error, best, line, winrate, lead,
settled, facts). Leads and win rates are Black's.")]
pub(crate) struct ReviewArgs {
    /// Files, folders, patterns, or - for standard input.
    #[arg(required = true)]
    files: Vec<String>,
    /// The encoding of the files, whatever they say: UTF-8, GBK, Big5, Shift_JIS and others.
    #[arg(long, value_name = "NAME")]
    encoding: Option<Charset>,
    /// Review at most so many games.
    #[arg(long, value_name = "N")]
    games: Option<usize>,
    /// The visits of the positions that matter most.
    #[arg(long, value_name = "N", default_value_t = Effort::default().review_visits,
        value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    visits: u32,
    /// The visits of each position in the first look.
    #[arg(long, value_name = "N", default_value_t = Effort::default().first_visits,
        value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    first_visits: u32,
    /// Tell so many of the worst moves of each game.
    #[arg(long, value_name = "N", default_value_t = 5)]
    worst: usize,
    /// Write the records with what was found into this folder, made if it does not exist. The page reads it back.
    #[arg(long, value_name = "FOLDER")]
    write: Option<PathBuf>,
    /// Write what was found into comments, too, for other programs.
    #[arg(long, requires = "write")]
    comments: bool,
    /// Replace files that exist.
    #[arg(long, requires = "write")]
    force: bool,
    #[command(flatten)]
    judge: JudgeArgs,
    /// How many threads think, one for each game while there are as many; all cores if it is left out.
    #[arg(long, value_name = "N")]
    threads: Option<NonZero<usize>>,
    /// How many megabytes all searches may take together.
    #[arg(long, value_name = "MB", default_value_t = 512,
        value_parser = clap::value_parser!(u32).range(16..=1_000_000))]
    memory: u32,
    /// What is random in searches depends on this number.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Print a JSON object for each game.
    #[arg(long)]
    json: bool,
}

/// A game to be reviewed.
struct Game {
    file: String,
    /// Its number in the file, from 1.
    number: usize,
    /// What a file about it is called, without an ending.
    stem: String,
    text: String,
}

/// Reviews all games and prints what was found.
pub(crate) fn run(args: &ReviewArgs) -> Result<()> {
    let judge = args.judge.judge()?;
    let (games, mut failed) = games(args)?;
    if let Some(folder) = &args.write {
        fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
        let mut paths = games.iter().map(|game| path(folder, game));
        if let Some(taken) = paths.find(|path| path.exists() && !args.force) {
            let taken = taken.display();
            let problem = format_args!("{taken} exists already; --force replaces it");
            return Err(Usage::new(problem).into());
        }
    }
    let threads = args
        .threads
        .or_else(|| thread::available_parallelism().ok());
    let threads = threads.map_or(1, NonZero::get);
    let workers = threads.min(games.len()).max(1);
    let stop = Stop::new();
    let interrupt = Interrupt::stops(&stop)?;
    let effort = Effort {
        first_visits: args.first_visits,
        review_visits: args.visits,
        ..Effort::default()
    };
    let asked = Asked {
        judge,
        effort,
        threads: threads / workers,
        memory: ((args.memory as usize) << 20) / workers,
        seed: args.seed,
    };
    let mut all = Losses::default();
    let mut reviewed = 0;
    let mut progress = ProgressLine::new(false);
    let mut out = io::stdout().lock();
    let work = |game: &Game, say: &dyn Fn(String)| {
        if stop.is_stopped() {
            return Ok(None);
        }
        asked.review(&game.text, &stop, &|progress| {
            let Progress { round, done, total } = progress;
            let round = round + 1;
            say(format!(
                "{}: {done} of {total} positions in round {round}",
                game.stem
            ));
        })
    };
    pool::for_each_with_news(&games, workers, work, |heard| {
        let (game, result) = match heard {
            pool::Heard::News(news) => {
                progress.mention(|| printable_line(&news).into_owned());
                return Ok(());
            }
            pool::Heard::Done(game, result) => (game, result),
        };
        let review = match result {
            // What was not looked through whole is not told.
            Ok(None) => return Ok(()),
            Ok(Some(review)) => review,
            Err(problem) => {
                failed += 1;
                progress.clear();
                let problem = printable_line(&problem);
                writeln!(
                    io::stderr(),
                    "tengen: {}, game {}: {problem}",
                    game.file,
                    game.number
                )?;
                return Ok(());
            }
        };
        if let Some(folder) = &args.write {
            let path = path(folder, game);
            let sgf = review.sgf(args.comments);
            write_whole(&path, sgf.as_bytes())?;
        }
        reviewed += 1;
        all.add(&review.moves);
        progress.clear();
        let report = Report::new(&game.file, game.number, &review, args.worst);
        match args.json {
            true => writeln!(out, "{}", terminal::json(&report)?)?,
            false => writeln!(out, "{report}")?,
        }
        Ok(())
    })?;
    if !args.json && reviewed > 1 {
        write!(
            out,
            "{reviewed} games\n{}",
            report::table([("all", all.summary())])
        )?;
    }
    if interrupt.was_heard() {
        let rest = games.len() - reviewed - failed;
        writeln!(
            io::stderr(),
            "tengen: interrupted; {rest} games were not looked through"
        )?;
    }
    if failed > 0 {
        return Err(Worst::Unreadable.into());
    }
    Ok(())
}

/// Where the record of a game is written.
fn path(folder: &Path, game: &Game) -> PathBuf {
    folder.join(format!("{}.sgf", game.stem))
}

/// All games of all files, and how many files could not be read.
fn games(args: &ReviewArgs) -> Result<(Vec<Game>, usize)> {
    let found = files::find(&args.files)?;
    let mut failed = found.unreadable;
    let mut games: Vec<Game> = Vec::new();
    let most = args.games.unwrap_or(usize::MAX);
    let work = |bytes| {
        let mut games = files::open(bytes, args.encoding)?;
        let mut texts = Vec::new();
        while let Some(record) = games.next_game().map_err(|error| error.to_string())? {
            record.declare_utf8();
            for root in record.collection.roots() {
                texts.push(root.to_sgf());
            }
            if texts.len() >= most {
                break;
            }
        }
        Ok(texts)
    };
    files::for_each_record(&found.sources, work, |input, texts| {
        match texts {
            Ok(texts) => {
                let (file, stem, several) = (input.to_string(), input.stem(), texts.len() > 1);
                for (place, text) in texts.into_iter().enumerate() {
                    let number = place + 1;
                    let stem = match several {
                        true => format!("{stem}-{number:03}"),
                        false => stem.clone(),
                    };
                    let file = file.clone();
                    games.push(Game {
                        file,
                        number,
                        stem,
                        text,
                    });
                }
            }
            Err(problem) => {
                failed += 1;
                writeln!(io::stderr(), "tengen: {input}: {problem}")?;
            }
        }
        Ok(())
    })?;
    games.truncate(most);
    tell_apart(&mut games);
    Ok((games, failed))
}

/// Gives games of files with one name names of their own, so that none is written over another. Some systems see no
/// difference between small and large letters.
fn tell_apart(games: &mut [Game]) {
    let mut taken = HashSet::new();
    for game in games {
        let stem = game.stem.clone();
        let mut number = 1;
        while !taken.insert(game.stem.to_lowercase()) {
            number += 1;
            game.stem = format!("{stem}-{number}");
        }
    }
}
