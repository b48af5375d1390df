//! `cargo xtask bench env`: steps a second of the learning environment, and of its peers.

use std::process::ExitCode;

use anyhow::{Context, Result, bail};

use crate::python;
use crate::report::Outcome;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Also measure Pgx, OpenSpiel, EnvPool and PettingZoo, which are installed below `target/`
    #[arg(long)]
    peers: bool,
    /// How long to measure each
    #[arg(long, value_name = "SECONDS", default_value_t = 3.0)]
    seconds: f64,
}

pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let environment = if args.peers {
        python::with_peers()?
    } else {
        python::alone()?
    };
    let environment = match environment {
        Ok(environment) => environment,
        Err(Outcome::LeftOut(reason) | Outcome::Failed(_, reason)) => bail!("{reason}"),
        Err(Outcome::Passed(_)) => bail!("the environment vanished"),
    };
    let mut python = environment.run();
    python.args(["python/benchmarks/env.py", "--seconds"]);
    python.arg(args.seconds.to_string());
    if args.peers {
        python.arg("--peers");
    }
    let status = python.status().context("cannot start Python")?;
    Ok(if status.success() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}
