//! `tengen analysis`: KataGo's JSON analysis over standard input and output.

use std::ffi::OsString;
use std::fs;
use std::io::{self, BufReader, Write};
use std::path::{Path, PathBuf};
use std::thread;

use anyhow::Result;
use clap::Args;
use tengen_core::Rules;
use tengen_gtp::analysis::{
    AtEnd, ConfigError, Entry, Perspective, Settings, read_config, read_overrides, serve,
};
use tengen_search::Judge;

use crate::failure::Usage;
use crate::judge::JudgeArgs;

/// Analyse positions for another program: JSON queries on standard input, answers on standard output.
///
/// Speaks the protocol of KataGo's parallel analysis engine, as KaTrain and tools on the web do: a query a line, an answer a
/// line, many positions at once. It can stand in for `katago analysis`, whose options with a single dash it understands.
#[derive(Args)]
#[command(after_long_help = "\
Examples:
  tengen analysis
  tengen analysis --analysis-threads 8 --search-threads 1 --visits 2000
  tengen analysis -config analysis.cfg -model any.bin.gz -override-config \"maxTime=2,maxVisits=500\"
  echo '{\"id\":\"a\",\"moves\":[[\"B\",\"D4\"]],\"rules\":\"chinese\",\"boardXSize\":9,\"boardYSize\":9}' | tengen analysis

A configuration file that ends in .toml has the options above, without their dashes, as keys, and also time (seconds a position) and
variation-length. Any other is read as one of KataGo: numAnalysisThreads, numSearchThreadsPerAnalysisThread, maxVisits, maxTime,
reportAnalysisWinratesAs, analysisPVLen, warnUnusedFields and assumeMultipleStartingBlackMovesAreHandicap count, other keys are named
once and left out. Options of the command line come before --override-config, which comes before files.

docs/analysis.md has the fields of queries and answers.")]
pub(crate) struct AnalysisArgs {
    /// Visits of a position whose query does not say; 1000 if nobody does.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    visits: Option<u32>,
    /// Positions that are searched at a time; 2 unless given.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    analysis_threads: Option<u16>,
    /// Threads that search a position; all cores unless given. With one, the same seed finds the same every time.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    search_threads: Option<u16>,
    /// Whose win rates are reported: BLACK, WHITE or SIDETOMOVE; Black's unless given.
    #[arg(long, value_name = "SIDE")]
    report_winrates_as: Option<Perspective>,
    /// The rules of queries that name none; without it, such a query is an error.
    #[arg(long)]
    rules: Option<Rules>,
    /// The seed of all that is random.
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Memory for all searches together, in MiB; 1024 unless given.
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u32).range(1..))]
    memory: Option<u32>,
    /// A configuration: TOML, or one of KataGo.
    #[arg(long, value_name = "FILE")]
    config: Vec<PathBuf>,
    /// Entries that go before those of files: "key=value,key=value".
    #[arg(long, value_name = "ENTRIES")]
    override_config: Vec<String>,
    /// When the input ends, end at once instead of answering what is left.
    #[arg(long)]
    quit_without_waiting: bool,
    /// The network to think with: a file that `tengen train` made, or `none` for rollouts; the one that is part of the program
    /// unless given. A network of KataGo cannot be read, and is named and left out.
    #[arg(long, visible_alias = "net", value_name = "FILE")]
    model: Option<String>,
    /// Not used: there is no network that plays like people.
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    human_model: Option<PathBuf>,
}

/// Answers queries until there are no more.
pub(crate) fn run(args: &AnalysisArgs) -> Result<()> {
    let settings = settings(args)?;
    let judge = judge(args)?;
    if args.human_model.is_some() {
        note("there is no network that plays like people: -human-model is not used");
    }
    note(format_args!(
        "ready: {} at a time, {} each, judged by {}",
        count(settings.positions, "position"),
        count(settings.engine.threads, "search thread"),
        judge.name()
    ));
    // A lock cannot go to the threads that read and write; each of the two is used by one thread alone.
    serve(BufReader::new(io::stdin()), io::stdout(), &settings, &judge)?;
    Ok(())
}

/// The judge that was asked for. Whoever has set up another program's network for us has a game to analyse all the same.
fn judge(args: &AnalysisArgs) -> Result<Judge, Usage> {
    let is_foreign = |name: &&String| name.ends_with(".bin.gz") || name.ends_with(".txt.gz");
    if let Some(foreign) = args.model.as_ref().filter(is_foreign) {
        note(format_args!(
            "{foreign} is not used: networks of other programs cannot be read"
        ));
        return JudgeArgs::default().judge();
    }
    JudgeArgs {
        net: args.model.clone(),
    }
    .judge()
}

/// Writes long options with one dash, as KataGo's users do, with the two that ours have.
pub(crate) fn spelled_out(
    arguments: impl IntoIterator<Item = OsString>,
) -> impl Iterator<Item = OsString> {
    let mut is_analysis = false;
    arguments
        .into_iter()
        .enumerate()
        .map(move |(index, argument)| {
            if index == 1 {
                is_analysis = argument == "analysis";
            }
            match argument.to_str().map(str::as_bytes) {
                Some([b'-', b'a'..=b'z', b'a'..=b'z', ..]) if is_analysis => {
                    let mut long = OsString::from("-");
                    long.push(argument);
                    long
                }
                _ => argument,
            }
        })
}

fn settings(args: &AnalysisArgs) -> Result<Settings> {
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let mut settings = Settings::default();
    let mut ignored = Vec::new();
    let mut apply = |source: &dyn std::fmt::Display, entries: Result<Vec<Entry>, ConfigError>| {
        let wrong = |error: ConfigError| Usage::new(format_args!("{source}: {error}"));
        let entries = entries.map_err(wrong)?;
        let unused = settings.apply(&entries, cores).map_err(wrong)?;
        ignored.extend(unused.into_iter().map(str::to_owned));
        Ok::<(), Usage>(())
    };
    for file in &args.config {
        apply(&file.display(), read_file(file)?)?;
    }
    for text in &args.override_config {
        apply(&"--override-config", read_overrides(text))?;
    }
    if !ignored.is_empty() {
        ignored.sort();
        ignored.dedup();
        note(format_args!("without effect here: {}", ignored.join(", ")));
    }

    let defaults = &mut settings.defaults;
    defaults.visits = args.visits.unwrap_or(defaults.visits);
    defaults.perspective = args.report_winrates_as.unwrap_or(defaults.perspective);
    defaults.rules = args.rules.or(defaults.rules);
    settings.positions = args
        .analysis_threads
        .map_or(settings.positions, usize::from);
    let engine = &mut settings.engine;
    engine.threads = args.search_threads.map_or(engine.threads, usize::from);
    engine.seed = args.seed.unwrap_or(engine.seed);
    engine.memory = match args.memory {
        Some(mebibytes) => (mebibytes as usize).saturating_mul(1 << 20),
        None => engine.memory,
    };
    if args.quit_without_waiting {
        settings.at_end = AtEnd::Abandon;
    }
    Ok(settings)
}

/// The entries of a file. That it cannot be read is a mistake of the user, too.
fn read_file(file: &Path) -> Result<Result<Vec<Entry>, ConfigError>> {
    let text = fs::read_to_string(file)
        .map_err(|error| Usage::new(format_args!("{}: {error}", file.display())))?;
    let is_toml = file
        .extension()
        .is_some_and(|extension| extension.eq_ignore_ascii_case("toml"));
    Ok(if is_toml {
        read_toml(&text)
    } else {
        read_config(&text)
    })
}

fn read_toml(text: &str) -> Result<Vec<Entry>, ConfigError> {
    let table: toml::Table = text.parse().map_err(|error: toml::de::Error| {
        let before = error.span().map(|span| &text[..span.start]);
        ConfigError {
            line: before.map(|before| 1 + before.matches('\n').count()),
            problem: error.message().to_owned(),
        }
    })?;
    let entry = |(key, value): (String, toml::Value)| Entry {
        key,
        value: match value {
            toml::Value::String(text) => text,
            other => other.to_string(),
        },
    };
    Ok(table.into_iter().map(entry).collect())
}

/// Says something to whoever watches. If nobody can, that is no reason to fail.
fn note(text: impl std::fmt::Display) {
    _ = writeln!(io::stderr(), "tengen: {text}");
}

/// A number with its noun.
fn count(number: usize, noun: &str) -> String {
    match number {
        1 => format!("1 {noun}"),
        _ => format!("{number} {noun}s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn katago_s_options_are_spelled_out() {
        let spelled = |line: &str| {
            let words = line.split(' ').map(OsString::from);
            let words: Vec<_> = spelled_out(words)
                .map(|word| word.into_string().unwrap())
                .collect();
            words.join(" ")
        };
        for (line, expected) in [
            (
                "tengen analysis -config a.cfg -model m -quit-without-waiting --seed 3 -h",
                "tengen analysis --config a.cfg --model m --quit-without-waiting --seed 3 -h",
            ),
            (
                "tengen analysis -config - --seed -1",
                "tengen analysis --config - --seed -1",
            ),
            ("tengen show -config", "tengen show -config"),
            ("tengen", "tengen"),
        ] {
            assert_eq!(spelled(line), expected);
        }
    }
}
