//! `tengen selfplay`: games of a network with itself, outside of a training run.

mod archive;

use std::collections::{HashMap, HashSet};
use std::fs;
use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;
use std::thread;
use std::time::Instant;

use anyhow::{Context, Result, bail};
use clap::Args;
use tengen_core::Color;
use tengen_nn::{Architecture, Net};
use tengen_search::Stop;
use tengen_train::{
    Config, End, GameRecord, Pool, Resignations, SelfPlay, SelfPlayer, Teacher, write_whole,
};

use crate::failure::Usage;
use crate::interrupt::Interrupt;
use crate::named_net::{AnyNet, NamedNet};
use crate::progress::ProgressLine;
use archive::Archive;

/// Let a network play against itself, and keep the games.
///
/// Games are set up and played as in `tengen train`, by the section `self_play` of a configuration; without one, on
/// 9x9, with 64 visits for a quarter of the turns, which are the ones to learn from, and 16 for all others. Somebody
/// has to play: a network in a file (`--net`), one that knows nothing (`--random`), or, without either, the search with
/// rollouts that may teach a network at first.
///
/// A game is written to OUT as soon as it has ended. Ctrl-C ends the command after the games under way, and at once if
/// it comes again; the same command then plays what is missing. What game number 12 of a seed is like depends on the
/// player, the settings and the seed alone, neither on threads nor on interruptions.
#[derive(Args)]
#[command(after_long_help = "\
Examples:
  tengen selfplay --net runs/9x9/net.safetensors --config configs/9x9.toml --games 20 --sgf look games.tgr
  tengen selfplay --random 4x32 --visits 64 --games 200 /tmp/speed.tgr     # games an hour, everything included")]
pub(crate) struct SelfPlayArgs {
    /// The file for the games: it is begun, or added to
    out: PathBuf,

    /// The network that plays: a file that `tengen train` or KataGo made, or `baseline`
    #[arg(long, value_name = "FILE", conflicts_with = "random")]
    net: Option<PathBuf>,

    /// A network with random weights plays, of so many blocks and channels, such as 4x32
    #[arg(long, value_name = "BLOCKSxCHANNELS")]
    random: Option<Shape>,

    /// The configuration whose sections `self_play` and `teacher` say how games are played
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,

    /// Search every turn with so many visits, and learn from all of them
    #[arg(long, value_name = "V", value_parser = clap::value_parser!(u32).range(1..))]
    visits: Option<u32>,

    /// How many games OUT shall have of this seed
    #[arg(long, value_name = "N", default_value_t = 100)]
    games: usize,

    /// The seed of all that is random
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,

    /// How many games are played at once; as many as there are cores if it is left out
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,

    /// Write the games to this folder as well, as SGF with what the search thought
    #[arg(long, value_name = "FOLDER")]
    sgf: Option<PathBuf>,

    /// Report progress even if standard error is not a terminal
    #[arg(long)]
    progress: bool,
}

/// The size of a network as people write it: `4x32`.
#[derive(Clone, Copy, Debug)]
struct Shape(Architecture);

impl FromStr for Shape {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let numbers = text.split_once(['x', '×']);
        let numbers = numbers.and_then(|(blocks, channels)| {
            Some((blocks.trim().parse().ok()?, channels.trim().parse().ok()?))
        });
        let (blocks, channels) =
            numbers.ok_or("blocks and channels are written like 4x32".to_owned())?;
        let architecture = Architecture { blocks, channels };
        let checked = architecture.check().map_err(|error| error.to_string());
        checked.map(Self)
    }
}

pub(crate) fn run(args: &SelfPlayArgs) -> Result<()> {
    let (settings, teacher) = settings(args)?;
    let player = player(args, teacher)?;
    let seeds = SelfPlayer::seeds(args.seed, args.games);
    let numbers: HashMap<u64, usize> = seeds.iter().copied().zip(1..).collect();
    let album = Album::open(args.sgf.as_deref(), args.seed, &numbers)?;
    let mut known = HashSet::new();
    let mut all = Statistics::default();
    let archive = Archive::open(&args.out, &mut |record| {
        if numbers.contains_key(&record.seed) {
            check_player(&args.out, &record, &player)?;
            album.add(&record)?;
            all.add(&record);
            known.insert(record.seed);
        }
        Ok(())
    })?;
    let due: Vec<u64> = seeds
        .into_iter()
        .filter(|seed| !known.contains(seed))
        .collect();
    if !known.is_empty() {
        let games = known.len();
        writeln!(io::stderr(), "{games} games are finished already")?;
    }

    let stop = Stop::new();
    Interrupt::stops(&stop)?;
    let threads = match args.threads {
        Some(threads) => threads.get(),
        None => thread::available_parallelism().map_or(1, usize::from),
    };
    let pool = Pool {
        threads,
        stop: &stop,
    };
    let mut sink = GameSink {
        archive,
        album,
        all,
        played: 0,
        progress: ProgressLine::new(args.progress),
    };
    let started = Instant::now();
    player.play_games(&settings, &due, pool, |record| {
        sink.keep(&record, due.len())
    })?;
    let hours = started.elapsed().as_secs_f64() / 3600.0;
    let GameSink { all, played, .. } = sink;
    all.print((played > 0).then(|| played as f64 / hours))?;
    if played < due.len() {
        let finished = known.len() + played;
        bail!("interrupted after {finished} of {} games", args.games);
    }
    Ok(())
}

/// How games are played, and how the teacher plays.
fn settings(args: &SelfPlayArgs) -> Result<(SelfPlay, Option<Teacher>)> {
    let (mut settings, teacher) = match &args.config {
        None => (SelfPlay::default(), None),
        Some(path) => {
            let name = path.display();
            let text = fs::read_to_string(path)
                .map_err(|error| Usage::new(format_args!("{name}: {error}")))?;
            let config = Config::parse(&text)
                .map_err(|error| Usage::new(format_args!("{name}: {error}")))?;
            (config.self_play, config.teacher)
        }
    };
    if let Some(visits) = args.visits {
        settings.full_share = 1.0;
        settings.full_visits = visits;
        for board in &mut settings.boards {
            board.full_visits = None;
        }
    }
    Ok((settings, teacher))
}

fn player(args: &SelfPlayArgs, teacher: Option<Teacher>) -> Result<SelfPlayer> {
    if let Some(path) = &args.net {
        return Ok(match AnyNet::read(path)? {
            AnyNet::Own(NamedNet { net, bytes }) => {
                let notes = Net::notes(&bytes).unwrap_or_default();
                let step = notes.get("steps").and_then(|steps| steps.parse().ok());
                SelfPlayer::Network(net, step.unwrap_or(0))
            }
            AnyNet::KataGo(net, _) => SelfPlayer::KataGo(net),
        });
    }
    if let Some(Shape(architecture)) = args.random {
        let net = Net::random(architecture, args.seed).map_err(Usage::new)?;
        return Ok(SelfPlayer::Network(Arc::new(net), 0));
    }
    let usual = || toml::from_str("games = 0").expect("all else has a default");
    let mut teacher: Teacher = teacher.unwrap_or_else(usual);
    if let Some(visits) = args.visits {
        teacher.visits = visits;
    }
    Ok(SelfPlayer::Teacher(teacher))
}

/// Games of one seed are those of one player.
fn check_player(out: &Path, record: &GameRecord, player: &SelfPlayer) -> Result<()> {
    let (played, plays) = (record.network, player.step());
    if played == plays {
        return Ok(());
    }
    Err(Usage::new(format_args!(
        "{} has games of this seed by a network of step {played}, and this one is of step {plays}: name another seed \
            or file",
        out.display()
    ))
    .into())
}

/// Where games go that have ended.
struct GameSink<'a> {
    archive: Archive,
    album: Album<'a>,
    all: Statistics,
    played: usize,
    progress: ProgressLine,
}

impl GameSink<'_> {
    fn keep(&mut self, record: &GameRecord, due: usize) -> Result<()> {
        self.archive.add(record)?;
        self.album.add(record)?;
        self.all.add(record);
        self.played += 1;
        self.progress.report(self.played, due);
        Ok(())
    }
}

/// A folder of games to look at, if there is to be one.
struct Album<'a> {
    folder: Option<&'a Path>,
    seed: u64,
    numbers: &'a HashMap<u64, usize>,
}

impl<'a> Album<'a> {
    fn open(folder: Option<&'a Path>, seed: u64, numbers: &'a HashMap<u64, usize>) -> Result<Self> {
        if let Some(folder) = folder {
            fs::create_dir_all(folder)
                .with_context(|| format!("cannot make {}", folder.display()))?;
        }
        Ok(Self {
            folder,
            seed,
            numbers,
        })
    }

    /// Adds a game that is not there yet.
    fn add(&self, record: &GameRecord) -> Result<()> {
        let (Some(folder), Some(number)) = (self.folder, self.numbers.get(&record.seed)) else {
            return Ok(());
        };
        let path = folder.join(format!("seed-{}-game-{number:06}.sgf", self.seed));
        if path.exists() {
            return Ok(());
        }
        let games = record.to_sgf().context("a game cannot be replayed")?;
        write_whole(&path, games.to_string().as_bytes()).context("cannot write a record")
    }
}

/// What games were like.
#[derive(Default)]
struct Statistics {
    games: u64,
    moves: u64,
    positions: u64,
    black_wins: u64,
    draws: u64,
    ends: [u64; 3],
    resignations: Resignations,
}

impl Statistics {
    fn add(&mut self, record: &GameRecord) {
        self.games += 1;
        self.moves += record.moves.len() as u64;
        self.positions += record.positions() as u64;
        self.black_wins += u64::from(record.winner == Some(Color::Black));
        self.draws += u64::from(record.winner.is_none());
        self.ends[match record.end {
            End::Passes => 0,
            End::Decided => 1,
            End::MoveLimit => 2,
        }] += 1;
        self.resignations.add(record);
    }

    /// Prints what games were like, and how fast they were played if any were.
    fn print(&self, per_hour: Option<f64>) -> Result<()> {
        let mut out = io::stdout().lock();
        let games = self.games.max(1) as f64;
        writeln!(out, "games       {}", self.games)?;
        if let Some(per_hour) = per_hour {
            writeln!(out, "an hour     {per_hour:.0}")?;
        }
        writeln!(out, "moves       {:.1} a game", self.moves as f64 / games)?;
        let black = self.black_wins as f64 + self.draws as f64 / 2.0;
        writeln!(
            out,
            "Black       {:.1} % of the points, {} draws",
            100.0 * black / games,
            self.draws
        )?;
        writeln!(out, "positions   {} to learn from", self.positions)?;
        let [passes, decided, too_long] = self.ends;
        writeln!(
            out,
            "ended       {passes} by passes, {decided} when all was settled, {too_long} too long"
        )?;
        let Resignations {
            given_up,
            played_on,
            wrong,
            ..
        } = self.resignations;
        writeln!(
            out,
            "given up    {given_up}; {played_on} played on to check, {wrong} of them not lost"
        )?;
        out.flush()?;
        Ok(())
    }
}
