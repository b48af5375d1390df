//! The project's chores as one command, `cargo xtask …`, so that no other task runner is needed.

#![forbid(unsafe_code)]

mod bench;
mod cargo;
mod fuzz;
mod instructions;
mod lint;
mod page;
mod peers;
mod python;
mod python_bench;
mod report;
mod sabaki;
mod site;
mod strength;
mod system_package;
mod tally;
mod tengen;
mod test;
mod wasm;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask", about, version)]
struct Cli {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Check everything that can be checked on this machine; say what was left out, and why
    Test(test::Args),
    /// Check formatting, clippy, documentation and dependencies
    Lint,
    /// Run `tengen bench` and add the instructions that each unit of work takes
    Bench(bench::Args),
    /// Feed the fuzz targets with inputs nobody thought of
    Fuzz(fuzz::Args),
    /// Write the app as a folder of files that needs no server: rules, records and engine as WebAssembly
    Site(site::Args),
}

fn main() -> ExitCode {
    let done = match Cli::parse().task {
        Task::Test(args) => test::run(&args),
        Task::Lint => lint::run(),
        Task::Bench(args) => bench::run(&args),
        Task::Fuzz(args) => fuzz::run(&args),
        Task::Site(args) => site::run(&args),
    };
    done.unwrap_or_else(|error| {
        eprintln!("error: {error:#}");
        ExitCode::FAILURE
    })
}
