//! The project's chores as one command, `cargo xtask …`, so that no other task runner is needed.

#![forbid(unsafe_code)]

mod bench;
mod book;
mod cage;
mod cargo;
mod console;
mod cross;
mod dependencies;
mod dist;
mod fuzz;
mod hook;
mod instructions;
mod katago;
mod lint;
mod metadata;
mod page;
mod peers;
mod plot;
mod python;
mod python_bench;
mod record;
mod release;
mod report;
mod sabaki;
mod sanitize;
mod setup;
mod site;
mod soak;
mod strength;
mod system_package;
mod tally;
mod tengen;
mod test;
mod test_time;
mod tidy;
mod wasm;
mod workflows;

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
    /// Check everything, as CI does; what cannot be checked on this machine fails
    Test(test::Args),
    /// Check formatting, documents, clippy, documentation and dependencies
    Lint(lint::Args),
    /// Check that documents are true to the code, and that lines can be read
    Tidy,
    /// Write all documents as a book with a search to target/book, and follow its links
    Docs,
    /// Run `tengen bench` and add the instructions that each unit of work takes
    Bench(bench::Args),
    /// Feed the fuzz targets with inputs nobody thought of
    Fuzz(fuzz::Args),
    /// Test under the address sanitizer what has unsafe code, and under the thread sanitizer what threads share
    Sanitize(sanitize::Args),
    /// Test the rules and the network on a processor that QEMU plays: aarch64
    Cross(cross::Args),
    /// Let random clients, kills, full disks and clock jumps have at server, GTP and analysis, and count what is lost
    Soak(soak::Args),
    /// Write the app as a folder of files that needs no server: rules, records and engine as WebAssembly
    Site(site::Args),
    /// Make what a release holds, for this machine's platform, or install and try it
    Dist(dist::Args),
    /// Check that everything is ready for a tag, or write a new version to all places
    Release(release::Args),
    /// Install what the tests need
    Setup(setup::Args),
    /// Let git check format and documents before every commit
    Hook,
}

/// Would these words be taken, were they on the command line?
pub(crate) fn knows(words: &[&str]) -> bool {
    Cli::try_parse_from(["cargo xtask"].iter().chain(words)).is_ok()
}

fn main() -> ExitCode {
    let done = match Cli::parse().task {
        Task::Test(args) => test::run(&args),
        Task::Lint(args) => lint::run(&args),
        Task::Tidy => tidy::run(),
        Task::Docs => book::run(),
        Task::Bench(args) => bench::run(&args),
        Task::Fuzz(args) => fuzz::run(&args),
        Task::Sanitize(args) => sanitize::run(&args),
        Task::Cross(args) => cross::run_with(&args),
        Task::Soak(args) => soak::run(&args),
        Task::Site(args) => site::run(&args),
        Task::Dist(args) => dist::run(&args),
        Task::Release(args) => release::run(&args),
        Task::Setup(args) => setup::run(&args),
        Task::Hook => hook::run(),
    };
    done.unwrap_or_else(|error| {
        eprintln!("error: {error:#}");
        ExitCode::FAILURE
    })
}
