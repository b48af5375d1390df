//! `tengen train`: a network learns from games with itself.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result};
use clap::Args;
use tengen_nn::Losses;
use tengen_search::Stop;
use tengen_train::{Config, Event, Exam, Progress, Run, ScalarLog, Summary};

use crate::failure::Usage;
use crate::interrupt::Interrupt;
use crate::progress::ProgressLine;

/// How often a line says how far a run has come where there is no terminal.
const LINE_EVERY: Duration = Duration::from_secs(60);

/// Train a network by games with itself: play, learn, measure, generation after generation.
///
/// All that belongs to a run is in one folder: games, networks, a log, and `report.html` with curves of it all. It may
/// be stopped at any moment, by Ctrl-C or otherwise, and goes on where it was when the same command is given again. The
/// network that it has now is `net.safetensors` there; those that were measured are in `nets`.
///
/// CONFIG is a TOML file; `configs/5x5.toml` in the source is one that needs less than half an hour, and
/// docs/training.md says what can be set.
#[derive(Args)]
pub(crate) struct TrainArgs {
    /// What to train, and how
    config: PathBuf,

    /// Where the run lives; `runs/` and the name of the configuration if it is left out
    #[arg(long, value_name = "FOLDER")]
    folder: Option<PathBuf>,

    /// How many threads play and learn; all cores if it is left out
    #[arg(long, value_name = "N")]
    threads: Option<usize>,

    /// Also write all numbers for programs that draw curves: JSON lines to a file that ends in `.jsonl`, as Weights &
    /// Biases reads them, or an event file for TensorBoard to a folder
    #[arg(long, value_name = "PATH")]
    log: Option<PathBuf>,

    /// Print nothing while it works
    #[arg(long)]
    quiet: bool,
}

pub(crate) fn run(args: &TrainArgs) -> Result<()> {
    let text = fs::read_to_string(&args.config)
        .with_context(|| format!("cannot read {}", args.config.display()))?;
    let config = Config::parse(&text)
        .map_err(|error| Usage::new(format_args!("{}: {error}", args.config.display())))?;
    let folder = match &args.folder {
        Some(folder) => folder.clone(),
        None => Path::new("runs").join(args.config.file_stem().unwrap_or_default()),
    };
    let threads = args
        .threads
        .unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from));

    let stop = Stop::new();
    Interrupt::stops(&stop)?;

    let mut view = ProgressLine::of_hours(LINE_EVERY, args.quiet);
    let mut run = Run::open(&folder, config, threads, &mut |event| {
        show(&mut view, &event);
    })?;
    view.say(&format!(
        "{} in {}, generation {}, {threads} threads",
        run.net().architecture(),
        folder.display(),
        run.current_generation(),
    ));
    let mut scalars = args.log.as_deref().map(ScalarLog::open).transpose()?;
    while !run.is_complete() {
        // What is learned is counted from the start of the generation.
        let before = run.log().summaries().last().map_or(0, |last| last.steps);
        let mut written = Ok(());
        let progress = run.generation(&stop, &mut |event| {
            show(&mut view, &event);
            if let (Some(scalars), Ok(())) = (&mut scalars, &written) {
                written = match &event {
                    Event::Step { step, losses, .. } => scalars.step(before + step, losses),
                    Event::Generation(summary) => scalars.generation(summary),
                    _ => Ok(()),
                };
            }
        })?;
        written?;
        run.write_report()?;
        if progress == Progress::Stopped {
            view.say("stopped; the same command goes on from here");
            return Ok(());
        }
    }
    view.clear();
    writeln!(
        io::stdout(),
        "{} generations, {:.2} hours: {}",
        run.current_generation(),
        run.hours(),
        folder.join("net.safetensors").display()
    )?;
    Ok(())
}

/// Tells people what happens in a run.
fn show(progress: &mut ProgressLine, event: &Event) {
    match event {
        Event::Complaint(complaint) => progress.say(complaint),
        Event::Game {
            generation,
            played,
            games,
            rate,
        } => progress.mention(|| {
            format!("generation {generation}: {played} of {games} games, {rate:.0} an hour")
        }),
        Event::Step {
            generation,
            step,
            steps,
            losses,
        } => progress.mention(|| {
            format!(
                "generation {generation}: step {step} of {steps}, {}",
                in_words(losses)
            )
        }),
        Event::Reading { path, games } => {
            progress.mention(|| format!("{}: {games} games so far", path.display()));
        }
        Event::Library {
            lessons,
            held_out,
            skipped,
        } => progress.say(&format!(
            "{lessons} games to learn from, {held_out} held out; left out: {} by filters, {} by their length, \
             {} doubles, {} unreadable files",
            skipped.filtered, skipped.length, skipped.doubles, skipped.unreadable
        )),
        Event::Exam => progress.mention(|| "asking it about games held out".to_owned()),
        Event::Match(opponent) => {
            progress.mention(|| format!("measuring it against {opponent}"));
        }
        Event::Generation(summary) => progress.say(&line_of(summary)),
    }
}

fn in_words(losses: &Losses) -> String {
    format!(
        "policy {:.3}, value {:.3}, lead {:.3}, ownership {:.3}",
        losses.policy, losses.value, losses.lead, losses.ownership
    )
}

pub(crate) fn exam_in_words(exam: &Exam) -> String {
    let beside = exam.beside.map_or_else(String::new, |beside| {
        format!(
            "; beside the other network: divergence {:.3}, same favourite {:.1} %, win rate ±{:.1} %, lead ±{:.1}",
            beside.divergence,
            100.0 * beside.top1,
            100.0 * beside.win_rate,
            beside.lead
        )
    });
    let own = format!(
        "top-1 {:.1} %, top-5 {:.1} %, policy {:.3}, value {:.3}, winner {:.1} %, \
         calibration error {:.1} %, lead error {:.1}",
        100.0 * exam.top1,
        100.0 * exam.top5,
        exam.policy_loss,
        exam.value_loss,
        100.0 * exam.winner,
        100.0 * exam.calibration_error,
        exam.lead_error
    );
    own + &beside
}

fn line_of(summary: &Summary) -> String {
    let played = &summary.played;
    let games = played.games.max(1) as f64;
    let mut line = format!("{:>5}  ", summary.generation);
    if played.games > 0 {
        line += &format!(
            "{} games, {:.0} an hour, {:.0} moves, Black {:.0} %; ",
            summary.games,
            summary.games_per_hour(),
            played.moves as f64 / games,
            100.0 * (played.black_wins as f64 + played.draws as f64 / 2.0) / games,
        );
    }
    line += &format!("step {}, {}", summary.steps, in_words(&summary.losses));
    if summary.recorded > 0 {
        line += &format!(
            "; {} positions of records, {:.0} a second",
            summary.recorded,
            summary.examples_per_second()
        );
    }
    if let Some(exam) = &summary.exam {
        line += &format!("; held out: {}", exam_in_words(exam));
    }
    for versus in &summary.versus {
        let tally = versus.tally;
        line += &format!(
            "; {:.0} % against {} ({}-{}-{})",
            100.0 * tally.share(),
            versus.name,
            tally.wins,
            tally.draws,
            tally.losses
        );
    }
    let fair_komi = summary.fair_komi.iter();
    for known in fair_komi.filter(|_| summary.knows_who_wins()) {
        line += &format!("; fair komi {} on {}", known.komi, known.size);
    }
    line
}
