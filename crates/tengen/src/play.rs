//! `tengen play`: a game against the engine in the terminal.

mod archive;
mod command;
mod opponent;
mod session;
mod view;

use std::io::{self, BufRead, IsTerminal, Write};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use std::{env, num};

use anyhow::{Context, Result};
use clap::Args;
use tengen_core::{Color, Game, Komi, Rules, Size};
use tengen_search::{Level, Options};

use crate::failure::Usage;
use crate::judge::JudgeArgs;
pub(crate) use archive::folder as games_folder;
use archive::{Found, Unfinished};
use opponent::{Opponent, Tengen};
use session::{Response, Session, Show, Then};
use view::Style;

/// Play a game in the terminal.
///
/// Moves are typed: d4, pass, undo, hint, score, save FILE, resign, help, quit. The game is kept after every move, and
/// one that was not finished is offered again the next time.
#[derive(Args)]
#[command(after_long_help = "\
Examples:
  tengen play
  tengen play --size 13 --level 12 --color white
  tengen play --size 19 --handicap 4 --rules japanese
  printf 'd4\\nquit\\n' | tengen play --new --plain

Games are kept in tengen/games below the folder for the data of programs: XDG_DATA_HOME, ~/.local/share,
~/Library/Application Support or %APPDATA%.")]
pub(crate) struct PlayArgs {
    /// The board.
    #[arg(long, default_value = "9")]
    size: Size,
    /// The rules: a name such as japanese, or a text such as koPOSITIONALsui0.
    #[arg(long, default_value = "chinese")]
    rules: Rules,
    /// White's komi; what the rules say if it is left out, and 0.5 in games with a handicap.
    #[arg(long, allow_negative_numbers = true)]
    komi: Option<Komi>,
    /// How well the engine plays, from 1 (whom a beginner beats) to 20 (full strength).
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u8).range(LEVELS), long_help = levels_help())]
    level: u8,
    /// Your colour: black, white or random.
    #[arg(long, value_name = "COLOUR", default_value = "black")]
    color: Choice,
    /// How many stones Black has before the game begins.
    #[arg(long, value_name = "STONES", default_value_t = 0)]
    handicap: u8,
    /// How many visits the engine has for a move, whatever its level.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    visits: Option<u32>,
    /// How much time the engine has for a move.
    #[arg(long, value_name = "SECONDS")]
    time: Option<f64>,
    #[command(flatten)]
    judge: JudgeArgs,
    /// How many threads search; all cores if it is left out.
    #[arg(long, value_name = "N")]
    threads: Option<num::NonZero<usize>>,
    /// The seed of all that is random; another one each time if it is left out.
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Keep the game in this file, and go on with what it holds.
    #[arg(long, value_name = "SGF")]
    file: Option<PathBuf>,
    /// Begin a new game without asking about an unfinished one.
    #[arg(long)]
    new: bool,
    /// Draw the board with letters only.
    #[arg(long)]
    plain: bool,
}

/// The numbers of levels.
const LEVELS: RangeInclusive<i64> = Level::LOWEST.number() as i64..=Level::FULL.number() as i64;

/// What the levels are, with about the rank of a person who wins every other game.
fn levels_help() -> String {
    let mut help = format!(
        "How well the engine plays, from {} (whom a beginner beats) to {} (full strength). About the rank of a person \
         who wins every other game:",
        LEVELS.start(),
        LEVELS.end(),
    );
    for level in Level::all() {
        help += &format!(" {} {},", level.number(), level.skill().rank);
    }
    help.pop();
    help
}

/// A colour, or either.
#[derive(Clone, Copy)]
enum Choice {
    Color(Color),
    Random,
}

impl FromStr for Choice {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, &'static str> {
        if text.eq_ignore_ascii_case("random") {
            return Ok(Self::Random);
        }
        let color = text
            .parse()
            .map_err(|_| "a colour is black, white or random")?;
        Ok(Self::Color(color))
    }
}

/// Plays a game on standard input and output.
pub(crate) fn run(args: &PlayArgs) -> Result<()> {
    let mut screen = Screen {
        input: io::stdin().lock(),
        out: io::stdout().lock(),
        style: style(args),
        manner: match io::stdin().is_terminal() && io::stdout().is_terminal() {
            true => Manner::Asking,
            false => Manner::Silent,
        },
    };
    let seed = args.seed.unwrap_or_else(some_seed);
    let (place, unfinished) = find_place(args, &mut screen)?;
    let (game, person, level) = match unfinished {
        Some(Unfinished {
            game,
            person,
            level,
            ..
        }) => (game, person, level),
        None => {
            let level = Level::new(args.level).unwrap_or_default();
            (new_game(args, seed)?, person(args, seed), level)
        }
    };
    let session = Session::new(game, person, opponent(args, level, seed)?);
    screen.play(session, &place)
}

/// Where a game is kept, and when it was begun.
struct GameFile {
    /// `None` if the system has no place for it.
    file: Option<PathBuf>,
    date: String,
}

/// Finds a file for the game, and a game to go on with if there is one and it is wanted.
fn find_place<I: BufRead, O: Write>(
    args: &PlayArgs,
    screen: &mut Screen<I, O>,
) -> Result<(GameFile, Option<Unfinished>)> {
    let (date, time) = archive::now();
    let folder = archive::folder();
    let unfinished = match &args.file {
        Some(file) => match archive::look(file)? {
            Found::Nothing => None,
            Found::Unfinished(unfinished) => Some(*unfinished),
            Found::Other => {
                return Err(Usage::new(format_args!(
                    "{} holds another game; choose another file",
                    file.display()
                ))
                .into());
            }
        },
        None => folder
            .as_deref()
            .filter(|_| !args.new)
            .and_then(archive::latest_unfinished),
    };
    if let Some(unfinished) = unfinished {
        // A file that was named is meant to be gone on with.
        if args.file.is_some() || screen.offers(&unfinished)? {
            let place = GameFile {
                file: Some(unfinished.file.clone()),
                date: unfinished.date.clone(),
            };
            return Ok((place, Some(unfinished)));
        }
        archive::give_up(&unfinished)?;
    }
    let named = |folder: PathBuf| unused(&folder.join(format!("{date}-{time}.sgf")));
    let file = args.file.clone().or_else(|| folder.map(named));
    Ok((GameFile { file, date }, None))
}

/// The name of a file that is not there yet: two games may begin in one second.
fn unused(file: &Path) -> PathBuf {
    let mut free = file.to_owned();
    for number in 2.. {
        if !free.exists() {
            break;
        }
        let stem = file.file_stem().unwrap_or_default().to_string_lossy();
        free = file.with_file_name(format!("{stem}-{number}.sgf"));
    }
    free
}

fn new_game(args: &PlayArgs, seed: u64) -> Result<Game> {
    let stones = match args.handicap {
        0 | 1 => Vec::new(),
        stones => match args.size.fixed_handicap(stones) {
            Ok(points) => points,
            // The board has no star points for so many.
            Err(_) => {
                let empty = Game::new(args.size, args.rules);
                let mut engine = args.judge.judge()?.engine(options(args, seed));
                let placed = engine.place_handicap(&empty, stones.into());
                let placed = placed.ok_or_else(|| {
                    Usage::new(format_args!(
                        "--handicap: there is no room for {stones} stones on a {} board",
                        args.size
                    ))
                })?;
                placed.iter().collect()
            }
        },
    };
    let mut game = Game::with_handicap(args.size, args.rules, &stones).map_err(Usage::new)?;
    match args.komi {
        Some(komi) => game.set_komi(komi),
        None if args.handicap > 0 => game.set_komi(Komi::from_halves(1)),
        None => {}
    }
    Ok(game)
}

fn person(args: &PlayArgs, seed: u64) -> Color {
    match args.color {
        Choice::Color(color) => color,
        // Any bit will do, but a small seed has few of them.
        Choice::Random if seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 63 == 0 => Color::Black,
        Choice::Random => Color::White,
    }
}

fn opponent(args: &PlayArgs, level: Level, seed: u64) -> Result<Tengen, Usage> {
    let time = args.time.map(Duration::try_from_secs_f64).transpose();
    let time = time.map_err(|_| Usage::new("--time: not a number of seconds"))?;
    let engine = args.judge.judge()?.engine(options(args, seed));
    Ok(Tengen::new(engine, level, args.visits, time))
}

fn options(args: &PlayArgs, seed: u64) -> Options {
    let options = Options {
        seed,
        ..Options::default()
    };
    match args.threads {
        Some(threads) => Options {
            threads: threads.get(),
            ..options
        },
        None => options,
    }
}

/// A seed that is another one each time.
pub(crate) fn some_seed() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |since| since.as_nanos() as u64)
}

fn style(args: &PlayArgs) -> Style {
    let set = |name| env::var(name).ok().filter(|value| !value.is_empty());
    let locale = set("LC_ALL")
        .or_else(|| set("LC_CTYPE"))
        .or_else(|| set("LANG"));
    let locale = locale.unwrap_or_default().to_lowercase();
    let has_unicode = cfg!(windows) || locale.contains("utf-8") || locale.contains("utf8");
    let has_color = io::stdout().is_terminal()
        && set("NO_COLOR").is_none()
        && set("TERM").is_none_or(|terminal| terminal != "dumb");
    match (args.plain || !has_unicode, has_color) {
        (true, _) => Style::Plain,
        (false, true) => Style::Color,
        (false, false) => Style::Unicode,
    }
}

/// Does somebody sit in front of it?
#[derive(Clone, Copy, PartialEq, Eq)]
enum Manner {
    /// Each line is asked for.
    Asking,
    /// Lines come from a file or a program, and answers go to one.
    Silent,
}

/// Where lines are typed and boards are shown.
struct Screen<I, O> {
    input: I,
    out: O,
    style: Style,
    manner: Manner,
}

impl<I: BufRead, O: Write> Screen<I, O> {
    /// Plays a game to its end, or until the person leaves.
    fn play(&mut self, mut session: Session<impl Opponent>, place: &GameFile) -> Result<()> {
        writeln!(self.out, "{}", session.greeting())?;
        self.show(&session)?;
        while !session.is_over() {
            let response = if session.is_opponents_turn() {
                self.while_thinking(|| session.opponents_turn())?
            } else {
                match self.ask(&session.prompt())? {
                    Some(line) if session.takes_thought(&line) => {
                        self.while_thinking(|| session.handle(&line))?
                    }
                    Some(line) => session.handle(&line),
                    None => Response {
                        then: Then::Quit,
                        ..Response::default()
                    },
                }
            };
            // Between a move and its answer nobody needs a board.
            if response.show == Show::Board && !session.is_opponents_turn() {
                self.show(&session)?;
            }
            if !response.text.is_empty() {
                writeln!(self.out, "{}", response.text)?;
            }
            match response.then {
                Then::Nothing => {}
                Then::Keep => self.keep(&session, place)?,
                Then::Save(file) => self.save(&session, &file, &place.date)?,
                Then::Quit => return self.leave(&session, place),
            }
        }
        match &place.file {
            Some(file) => writeln!(self.out, "The game is in {}.", file.display())?,
            None => writeln!(self.out, "The game was not kept: there is no place for it.")?,
        }
        Ok(())
    }

    fn leave(&mut self, session: &Session<impl Opponent>, place: &GameFile) -> Result<()> {
        if !session.game().turns().is_empty() && place.file.is_some() {
            writeln!(self.out, "Goodbye. The game goes on when you come back.")?;
        }
        Ok(())
    }

    /// Asks whether to go on with a game. Whoever says nothing does.
    fn offers(&mut self, unfinished: &Unfinished) -> Result<bool> {
        let Unfinished {
            game, date, level, ..
        } = unfinished;
        let question = format!(
            "There is an unfinished game from {date} ({} board, level {}, {} moves). Go on? [Y/n] ",
            game.size(),
            level.number(),
            game.turns().len()
        );
        if self.manner == Manner::Silent {
            writeln!(self.out, "{question}")?;
        }
        let answer = self.ask(&question)?.unwrap_or_default();
        Ok(!answer.trim().to_lowercase().starts_with('n'))
    }

    /// The next line, asked for where somebody sits. `None` at the end of all lines.
    fn ask(&mut self, prompt: &str) -> Result<Option<String>> {
        if self.manner == Manner::Asking {
            write!(self.out, "{prompt}")?;
        }
        self.out.flush()?;
        let mut bytes = Vec::new();
        let count = self
            .input
            .read_until(b'\n', &mut bytes)
            .context("cannot read what you type")?;
        if count == 0 {
            return Ok(None);
        }
        Ok(Some(String::from_utf8_lossy(&bytes).into_owned()))
    }

    /// Says on a terminal that something takes a while, for as long as it does.
    fn while_thinking<T>(&mut self, think: impl FnOnce() -> T) -> Result<T> {
        if self.manner == Manner::Silent {
            return Ok(think());
        }
        write!(self.out, "Tengen thinks …")?;
        self.out.flush()?;
        let thought = think();
        write!(self.out, "\r\x1b[K")?;
        Ok(thought)
    }

    fn show(&mut self, session: &Session<impl Opponent>) -> Result<()> {
        let view = session.view();
        writeln!(self.out, "\n{}", view.draw(self.style))?;
        for line in [view.legend(self.style), &session.status()] {
            if !line.is_empty() {
                writeln!(self.out, "{line}")?;
            }
        }
        Ok(())
    }

    /// Keeps the game. A game can go on even if it cannot be kept.
    fn keep(&mut self, session: &Session<impl Opponent>, place: &GameFile) -> Result<()> {
        if let Some(file) = &place.file {
            let record = record(session, &place.date);
            if let Err(error) = archive::write(file, &record) {
                let file = file.display();
                writeln!(self.out, "The game could not be kept in {file}: {error}")?;
            }
        }
        Ok(())
    }

    fn save(&mut self, session: &Session<impl Opponent>, file: &Path, date: &str) -> Result<()> {
        let record = record(session, date);
        match archive::write(file, &record) {
            Ok(()) => writeln!(self.out, "Saved in {}.", file.display())?,
            Err(error) => writeln!(self.out, "{} cannot be written: {error}", file.display())?,
        }
        Ok(())
    }
}

fn record(session: &Session<impl Opponent>, date: &str) -> tengen_sgf::Collection {
    archive::record(
        session.game(),
        session.person(),
        &session.opponent_name(),
        date,
    )
}
