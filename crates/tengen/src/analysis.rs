//! `tengen analysis`: KataGo's JSON analysis over standard input and output.

use std::ffi::OsString;
use std::io::{self, BufReader, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;

use anyhow::Result;
use clap::Args;
use tengen_gtp::analysis::{AnalysisSettings, People, Role, serve};
use tengen_gtp::config::{ConfigError, Entry, read_overrides};
use tengen_nn::katago::{self, KataGoEvaluator, Profile, UnknownProfile};
use tengen_search::Judge;

use crate::failure::Usage;
use crate::given::{Given, Notation, read_file};
use crate::judge::JudgeArgs;
use crate::named_net::AnyNet;

/// Analyse positions for another program: JSON queries on standard input, answers on standard output.
///
/// Speaks the protocol of KataGo's parallel analysis engine, as KaTrain and tools on the web do: a query a line, an
/// answer a line, many positions at once. It can stand in for `katago analysis`, whose options with a single dash it
/// understands.
#[derive(Args)]
#[command(after_long_help = "\
Examples:
  tengen analysis
  tengen analysis --analysis-threads 8 --search-threads 1 --visits 2000
  tengen analysis -config analysis.cfg -model kata1.bin.gz -override-config \"maxTime=2,maxVisits=500\"
  echo '{\"id\":\"a\",\"moves\":[],\"rules\":\"aga\",\"boardXSize\":9,\"boardYSize\":9}' | tengen analysis

A configuration file that ends in .toml has the options above, without their dashes, as keys. Any other is read as one
of KataGo; docs/analysis.md has the names that count, other keys are named once and left out. Options of the command
line come before --override-config, which comes before files.

docs/analysis.md has the fields of queries and answers.")]
pub(crate) struct AnalysisArgs {
    #[command(flatten)]
    given: Given<AnalysisSettings>,
    /// A configuration: TOML, or one of KataGo.
    #[arg(long, value_name = "FILE")]
    config: Vec<PathBuf>,
    /// Entries that go before those of files: "key=value,key=value".
    #[arg(long, value_name = "ENTRIES")]
    override_config: Vec<String>,
    /// A network of KataGo that has learned from people: a query names players by `humanSLProfile`, and is told what
    /// they would play. Without it, that is the main network if it has learned from people.
    #[arg(long, value_name = "FILE")]
    human_model: Option<PathBuf>,
}

/// Answers queries until there are no more.
pub(crate) fn run(args: &AnalysisArgs) -> Result<()> {
    let mut settings = settings(args)?;
    let (judge, own_people) = judge(settings.net.as_ref())?;
    settings.defaults.people = match &args.human_model {
        Some(file) => people_of(file)?,
        None => own_people.map(|net| people(Role::Searching, net)),
    };
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

/// Is it a network of KataGo that is not here? Whoever has set up another program with it has a game to analyse all the
/// same, so that it is only named.
fn is_gone(name: &str) -> bool {
    let is_foreign = name.ends_with(".bin.gz") || name.ends_with(".txt.gz");
    let is_gone = is_foreign && !Path::new(name).exists();
    if is_gone {
        note(format_args!("{name} is not used: there is no such file"));
    }
    is_gone
}

/// The network that tells what people would play.
fn people_of(file: &Path) -> Result<Option<People>, Usage> {
    let name = file.display().to_string();
    if is_gone(&name) {
        return Ok(None);
    }
    match AnyNet::read(file)? {
        AnyNet::KataGo(net, _) if net.about().has_metadata => Ok(Some(people(Role::Beside, net))),
        _ => Err(Usage::new(format_args!(
            "--human-model: {name} has not learned from people"
        ))),
    }
}

fn people(role: Role, net: Arc<katago::Net>) -> People {
    People::new(role, move |name| {
        let profile: Profile = name
            .parse()
            .map_err(|error: UnknownProfile| error.to_string())?;
        Ok(KataGoEvaluator::judge_imitating(&net, profile))
    })
}

/// The judge that was asked for, and its network if that imitates people.
fn judge(net: Option<&String>) -> Result<(Judge, Option<Arc<katago::Net>>), Usage> {
    if net.is_some_and(|name| is_gone(name)) {
        return JudgeArgs::default().read();
    }
    let args = JudgeArgs {
        net: net.cloned(),
        ..JudgeArgs::default()
    };
    args.read()
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

/// Files, over them the overrides, over them the options.
fn settings(args: &AnalysisArgs) -> Result<AnalysisSettings, Usage> {
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let mut settings = AnalysisSettings::default();
    let mut ignored = Vec::new();
    let mut apply = |source: &dyn std::fmt::Display, entries: &[Entry]| {
        let unused = settings
            .apply(entries, cores)
            .map_err(|error| wrong(source, &error))?;
        ignored.extend(unused.into_iter().map(str::to_owned));
        Ok::<(), Usage>(())
    };
    for file in &args.config {
        apply(&file.display(), &read_file(file, Notation::ByName)?)?;
    }
    for text in &args.override_config {
        let source = "--override-config";
        let entries = read_overrides(text).map_err(|error| wrong(&source, &error))?;
        apply(&source, &entries)?;
    }
    if !ignored.is_empty() {
        ignored.sort();
        ignored.dedup();
        note(format_args!("without effect here: {}", ignored.join(", ")));
    }
    args.given.apply(&mut settings)?;
    Ok(settings)
}

fn wrong(source: &dyn std::fmt::Display, error: &ConfigError) -> Usage {
    Usage::new(format_args!("{source}: {error}"))
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
