//! `cargo xtask bench`: the rates of `tengen bench`, with instruction counts beside them.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::{fmt, fs};

use anyhow::{Context, Result, bail, ensure};
use serde::Deserialize;

use crate::cargo;
use crate::instructions::{self, Cost, Run};
use crate::python_bench;
use crate::record;
use crate::system_package::VALGRIND;
use crate::tengen::{self, Profile};

#[derive(clap::Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct Args {
    #[command(subcommand)]
    what: Option<What>,
    /// Add what is measured to docs/record/bench.jsonl, and draw the history anew
    #[arg(long)]
    record: bool,
    /// What one should know about the record, such as that the machine was busy
    #[arg(long, value_name = "TEXT", requires = "record")]
    remark: Option<String>,
    /// Measure this program instead of building one
    #[arg(long, value_name = "FILE")]
    program: Option<PathBuf>,
    /// Passed on to `tengen bench`, such as `--only steps-9x9`
    #[arg(
        trailing_var_arg = true,
        allow_hyphen_values = true,
        value_name = "ARGS"
    )]
    bench: Vec<String>,
}

#[derive(clap::Subcommand)]
enum What {
    /// Measure the learning environment from Python
    Env(python_bench::EnvArgs),
    /// Measure the network beside onnxruntime and JAX, which are installed below `target/`
    Net(python_bench::NetArgs),
}

/// What `tengen bench --json` prints on each line.
#[derive(Deserialize)]
struct Rate {
    name: String,
    per_second: f64,
    signature: String,
    /// How many units of work a run of fixed length did, where an iteration is not one unit.
    units: Option<u64>,
}

impl Rate {
    fn parse(line: &str) -> Result<Self> {
        serde_json::from_str(line)
            .with_context(|| format!("tengen bench printed something else than a rate: {line}"))
    }
}

struct Row {
    rate: Rate,
    cost: Option<Cost>,
}

pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    match &args.what {
        Some(What::Env(args)) => return python_bench::env(args),
        Some(What::Net(args)) => return python_bench::net(args),
        None => (),
    }
    let tengen = match &args.program {
        Some(program) => program.clone(),
        None => tengen::build(Profile::Release)?,
    };
    let rates = rates(&tengen, &args.bench)?;
    let valgrind = VALGRIND.ensure();
    let mut rows = Vec::new();
    for rate in rates {
        let cost = match &valgrind {
            Ok(_) => Some(cost(&tengen, &rate.name)?),
            Err(_) => None,
        };
        rows.push(Row { rate, cost });
    }
    write!(std::io::stdout(), "{}", BenchTable(&rows)).context("cannot print the table")?;
    if let Err(reason) = valgrind {
        eprintln!("instruction counts left out: {reason:#}");
    }
    if args.record {
        let recorded = rows.into_iter().map(|row| record::Rate {
            name: row.rate.name,
            per_second: row.rate.per_second,
            instructions: row.cost.map(|cost| cost.instructions),
            signature: row.rate.signature,
        });
        record::add(recorded.collect(), args.remark.clone())?;
    }
    Ok(ExitCode::SUCCESS)
}

fn rates(tengen: &Path, arguments: &[String]) -> Result<Vec<Rate>> {
    let mut child = Command::new(tengen)
        .args(["bench", "--json"])
        .args(arguments)
        .stdout(Stdio::piped())
        .spawn()
        .context("cannot start tengen")?;
    let stdout = child.stdout.take().context("tengen has no output")?;
    let mut rates = Vec::new();
    for line in BufReader::new(stdout).lines() {
        let rate = Rate::parse(&line.context("cannot read what tengen bench prints")?)?;
        eprintln!("{}: {} per second", rate.name, grouped(rate.per_second));
        rates.push(rate);
    }
    let status = child.wait().context("cannot wait for tengen")?;
    ensure!(status.success(), "tengen bench failed: {status}");
    Ok(rates)
}

fn cost(tengen: &Path, name: &str) -> Result<Cost> {
    eprintln!("{name}: counting instructions");
    let folder = cargo::root()?.join("target/release/callgrind");
    fs::create_dir_all(&folder).with_context(|| format!("cannot create {}", folder.display()))?;
    // The file of the longest run stays, for callgrind_annotate.
    let file = folder.join(format!("{name}.out"));
    instructions::per_unit(|iterations| run_counted(tengen, name, iterations, &file))
        .with_context(|| format!("cannot count the instructions of {name}"))
}

fn run_counted(tengen: &Path, name: &str, iterations: u64, file: &Path) -> Result<Run> {
    let mut out_file = std::ffi::OsString::from("--callgrind-out-file=");
    out_file.push(file);
    let output = Command::new("valgrind")
        .arg("--tool=callgrind")
        .arg(out_file)
        .arg(tengen)
        .args([
            "bench",
            "--json",
            "--only",
            name,
            "--iterations",
            &iterations.to_string(),
        ])
        .output()
        .context("cannot start valgrind")?;
    if !output.status.success() {
        bail!(
            "{}:\n{}",
            output.status,
            String::from_utf8_lossy(&output.stderr).trim_end()
        );
    }
    let written =
        fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
    let rate = Rate::parse(String::from_utf8_lossy(&output.stdout).trim_end())?;
    Ok(Run {
        instructions: instructions::callgrind_total(&written)?,
        units: rate.units.unwrap_or(iterations),
    })
}

struct BenchTable<'a>(&'a [Row]);

impl fmt::Display for BenchTable<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = self
            .0
            .iter()
            .map(|row| row.rate.name.len())
            .max()
            .unwrap_or(0)
            .max(4);
        writeln!(
            f,
            "{:width$}  {:>14}  {:>14}  {:>10}  signature",
            "name", "per second", "instructions", "mean of"
        )?;
        for Row { rate, cost } in self.0 {
            let (instructions, units) = match cost {
                Some(cost) if cost.instructions < 100.0 => {
                    (format!("{:.1}", cost.instructions), cost.units.to_string())
                }
                Some(cost) => (grouped(cost.instructions), cost.units.to_string()),
                None => ("-".to_owned(), "-".to_owned()),
            };
            writeln!(
                f,
                "{:width$}  {:>14}  {instructions:>14}  {units:>10}  {}",
                rate.name,
                grouped(rate.per_second),
                rate.signature
            )?;
        }
        Ok(())
    }
}

/// A whole number with commas between the thousands.
fn grouped(number: f64) -> String {
    let digits = format!("{number:.0}");
    let mut grouped = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

#[cfg(test)]
mod tests {
    use super::{BenchTable, Cost, Rate, Row, grouped};

    #[test]
    fn thousands_are_grouped() {
        assert_eq!(grouped(0.0), "0");
        assert_eq!(grouped(999.4), "999");
        assert_eq!(grouped(1000.0), "1,000");
        assert_eq!(grouped(1_234_567.0), "1,234,567");
    }

    #[test]
    fn a_row_without_instructions_is_still_a_row() {
        let row = |name: &str, per_second, cost| Row {
            rate: Rate {
                name: name.to_owned(),
                per_second,
                signature: "f00d".to_owned(),
                units: None,
            },
            cost,
        };
        let rows = [
            row(
                "playouts-9x9",
                131_072.0,
                Some(Cost {
                    instructions: 51_234.4,
                    units: 9_000,
                }),
            ),
            row("copies-9x9", 5e7, None),
        ];
        assert_eq!(
            BenchTable(&rows).to_string(),
            "name              per second    instructions     mean of  signature\n\
             playouts-9x9         131,072          51,234        9000  f00d\n\
             copies-9x9        50,000,000               -           -  f00d\n"
        );
    }
}
