//! `cargo xtask bench env` and `cargo xtask bench net`: what is measured from Python, beside the packages of others.

use std::process::ExitCode;

use anyhow::{Context, Result, bail};

use crate::python::{self, PythonEnvironment};
use crate::report::Outcome;

/// How to measure the learning environment: steps a second, and those of its peers.
#[derive(clap::Args)]
pub(crate) struct EnvArgs {
    /// Also measure Pgx, OpenSpiel, EnvPool and PettingZoo, which are installed below `target/`
    #[arg(long)]
    peers: bool,
    #[command(flatten)]
    length: Length,
}

/// How to measure the network: positions a second, judged and learnt from, beside onnxruntime and JAX.
#[derive(clap::Args)]
pub(crate) struct NetArgs {
    #[command(flatten)]
    length: Length,
}

#[derive(clap::Args)]
struct Length {
    /// How long to measure each
    #[arg(long, value_name = "SECONDS", default_value_t = 3.0)]
    seconds: f64,
}

pub(crate) fn env(args: &EnvArgs) -> Result<ExitCode> {
    if args.peers {
        measure(python::with_peers()?, "env.py", &args.length, &["--peers"])
    } else {
        measure(python::alone()?, "env.py", &args.length, &[])
    }
}

pub(crate) fn net(args: &NetArgs) -> Result<ExitCode> {
    measure(python::with_frameworks()?, "net.py", &args.length, &[])
}

fn measure(
    environment: Result<PythonEnvironment, Outcome>,
    script: &str,
    length: &Length,
    options: &[&str],
) -> Result<ExitCode> {
    let environment = match environment {
        Ok(environment) => environment,
        Err(Outcome::Missing(reason) | Outcome::Failed(_, reason)) => bail!("{reason}"),
        Err(Outcome::Passed(_)) => bail!("the environment vanished"),
    };
    let mut python = environment.run();
    python
        .arg(format!("python/benchmarks/{script}"))
        .args(["--seconds", &length.seconds.to_string()])
        .args(options);
    let status = python.status().context("cannot start Python")?;
    Ok(if status.success() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}
