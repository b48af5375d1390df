//! `tengen match`: games between two programs that speak GTP.

mod report;

use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Duration;
use std::{num, thread};

use anyhow::{Result, bail};
use clap::Args;
use tengen_core::{Komi, Rules, Size};
use tengen_gtp::client::TimeSettings;
use tengen_gtp::match_runner::{
    Abandoned, CannotBegin, FolderError, MatchFolder, MatchRunner, MatchSettings, Restart, Sprt,
    last_lines,
};
use tengen_search::Stop;
use tengen_sgf::printable_line;

use crate::failure::Usage;
use crate::interrupt::Interrupt;
use crate::terminal;

/// Let two programs that speak GTP play against each other.
///
/// Colours change after each game, and every two games have a random opening in common. A program that crashes, does
/// not answer or makes an illegal move loses that game. Progress goes to standard error, the summary to standard
/// output.
#[derive(Args)]
#[command(after_long_help = "\
Examples:
  tengen match --games 100 --first 'tengen gtp --time 1 --threads 1' \\
    --second 'gnugo --mode gtp --chinese-rules --positional-superko'
  tengen match --first 'a --seed {seed}' --second b --games 2000 --sprt 0 30 --folder matches/a-b

In a command {seed} becomes a number that differs from game to game and is the same in every run, and {game} the number
of the game; the program is then started anew for each game.

A folder gets the settings (settings.json), the results (results.jsonl), a record of each game (0001.sgf) and, of games
that a player forfeited, what was said (0001.first.log, 0001.second.log). The same command goes on where it was
interrupted.

Dead stones are those that both players name with `final_status_list dead`; if only one knows the command, those of
that one; if they disagree or none knows it, those of the referee; without a referee those of the second player;
otherwise the board counts as it stands.")]
pub(crate) struct MatchArgs {
    /// The command of the first player.
    #[arg(long, value_name = "COMMAND")]
    first: String,
    /// The command of the second player.
    #[arg(long, value_name = "COMMAND")]
    second: String,
    /// The name of the first player, instead of what the program calls itself.
    #[arg(long, value_name = "NAME")]
    name_first: Option<String>,
    /// The name of the second player, instead of what the program calls itself.
    #[arg(long, value_name = "NAME")]
    name_second: Option<String>,
    /// How many games to play, those of earlier runs included.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    games: u32,
    /// The board.
    #[arg(long, default_value = "9")]
    size: Size,
    /// The rules: a name such as chinese, or a text such as koPOSITIONALsui0.
    #[arg(long, default_value = "chinese")]
    rules: Rules,
    /// White's komi.
    #[arg(long, default_value = "7.5", allow_negative_numbers = true)]
    komi: Komi,
    /// How many moves of each game are random.
    #[arg(long, value_name = "MOVES", default_value_t = 4)]
    openings: usize,
    /// The seed of all that is random.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// How many games to play at once; all cores if it is left out.
    #[arg(long, value_name = "N")]
    parallel: Option<num::NonZero<usize>>,
    /// A folder for results and games. A match that was interrupted goes on there.
    #[arg(long, value_name = "FOLDER")]
    folder: Option<PathBuf>,
    /// Stop when it is clear whether the first player is stronger by the one or by the other difference in Elo.
    #[arg(long, num_args = 2, value_names = ["ELO0", "ELO1"], allow_negative_numbers = true)]
    sprt: Option<Vec<f64>>,
    /// Count the board after so many moves; three times the number of points if it is left out.
    #[arg(long, value_name = "MOVES")]
    max_moves: Option<usize>,
    /// How many seconds a program may take for a move.
    #[arg(long, value_name = "SECONDS", default_value_t = 120.0)]
    move_timeout: f64,
    /// Main time in seconds, for a game with clocks.
    #[arg(long, value_name = "SECONDS")]
    main_time: Option<u32>,
    /// Seconds of each period after the main time.
    #[arg(long, value_name = "SECONDS", requires = "period_stones")]
    period_time: Option<u32>,
    /// Stones to be played in each period.
    #[arg(long, value_name = "N", requires = "period_time")]
    period_stones: Option<u32>,
    /// Start the programs anew for each game.
    #[arg(long)]
    restart: bool,
    /// The command of a program that says which stones are dead when the players disagree.
    #[arg(long, value_name = "COMMAND")]
    referee: Option<String>,
    /// Print the summary as a JSON object.
    #[arg(long)]
    json: bool,
}

/// How many lines of a transcript show why a game was forfeited.
const LINES_OF_FORFEIT: usize = 8;

/// How wide such a line may be.
const COLUMNS_OF_FORFEIT: usize = 200;

/// Plays the match and prints its summary.
pub(crate) fn run(args: &MatchArgs) -> Result<()> {
    let sprt = sprt(args)?;
    let stop = Stop::new();
    Interrupt::stops(&stop)?;
    let settings = settings(args, &stop)?;
    let (mut folder, mut results) = match &args.folder {
        Some(path) => {
            let (folder, results) = MatchFolder::open(path, &settings).map_err(failure)?;
            (Some(folder), results)
        }
        None => (None, Vec::new()),
    };
    results.retain(|result| result.game <= args.games);
    if !results.is_empty() {
        let games = results.len();
        writeln!(io::stderr(), "{games} games are finished already")?;
    }
    let runner = MatchRunner {
        settings: &settings,
        games: args.games,
        sprt,
        stop: &stop,
    };
    let is_kept = folder.is_some();
    let abandoned = runner
        .play(
            parallel(args),
            &mut results,
            folder.as_mut(),
            &mut |finished, report| {
                let mut err = io::stderr().lock();
                // Progress that cannot be shown is no reason to fail.
                let line = report::line(report, &finished.result, args.games);
                _ = writeln!(err, "{}", printable_line(&line));
                let transcripts = finished.transcripts.iter().filter(|_| !is_kept).flatten();
                for (name, said) in settings.names.iter().zip(transcripts) {
                    _ = writeln!(err, "  the last lines of {name}:");
                    for line in last_lines(said, LINES_OF_FORFEIT) {
                        _ = writeln!(err, "    {}", terminal::name(line, COLUMNS_OF_FORFEIT));
                    }
                }
            },
        )
        .map_err(failure)?;
    results.sort_by_key(|result| result.game);
    let report = runner.report(&results);
    let mut out = io::stdout().lock();
    if args.json {
        writeln!(out, "{}", terminal::json(&report)?)?;
    } else if !results.is_empty() {
        report::print(&report, &mut out)?;
    }
    match abandoned {
        Some(Abandoned::Interrupted) => {
            bail!(
                "interrupted after {} of {} games",
                results.len(),
                args.games
            )
        }
        Some(Abandoned::Command(side, problem)) => {
            let who = side.map_or("referee".to_owned(), |side| format!("{side} player"));
            bail!("the {who}: {problem}")
        }
        None => Ok(()),
    }
}

/// A folder of another match is a mistake of the user.
fn failure(error: FolderError) -> anyhow::Error {
    match error {
        FolderError::OtherMatch(problem) => Usage::new(problem).into(),
        error @ FolderError::File { .. } => error.into(),
    }
}

fn sprt(args: &MatchArgs) -> Result<Option<Sprt>, Usage> {
    match args.sprt.as_deref() {
        None => Ok(None),
        Some(&[elo0, elo1]) if elo0 < elo1 => Ok(Some(Sprt {
            elo0,
            elo1,
            error: 0.05,
        })),
        Some(_) => Err(Usage::new(
            "--sprt: the first number must be less than the second",
        )),
    }
}

fn parallel(args: &MatchArgs) -> usize {
    let all = || thread::available_parallelism().map_or(1, num::NonZero::get);
    args.parallel.map_or_else(all, num::NonZero::get)
}

/// The settings of the match, with the names of the programs.
fn settings(args: &MatchArgs, stop: &Stop) -> Result<MatchSettings> {
    let timeout = Duration::try_from_secs_f64(args.move_timeout)
        .map_err(|_| Usage::new("--move-timeout: not a number of seconds"))?;
    let has_clock = args.main_time.is_some() || args.period_time.is_some();
    let time = has_clock.then(|| TimeSettings {
        main: args.main_time.unwrap_or(0),
        period: args.period_time.unwrap_or(0),
        stones: args.period_stones.unwrap_or(0),
    });
    let mut settings = MatchSettings {
        commands: [args.first.clone(), args.second.clone()],
        names: [String::new(), String::new()],
        referee: args.referee.clone(),
        size: args.size,
        rules: args.rules,
        komi: args.komi,
        opening_moves: args.openings,
        seed: args.seed,
        max_moves: args.max_moves.unwrap_or(3 * args.size.area()),
        move_timeout: timeout,
        time,
        restart: match args.restart {
            true => Restart::EachGame,
            false => Restart::AfterCrash,
        },
    };
    let names = [args.name_first.as_deref(), args.name_second.as_deref()];
    match settings.introduce(names, stop) {
        Ok(()) => Ok(settings),
        Err(error @ CannotBegin::Command { .. }) => Err(Usage::new(error).into()),
        Err(error) => Err(error.into()),
    }
}
