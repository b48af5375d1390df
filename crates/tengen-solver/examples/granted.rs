//! Which ko rules the checker grants to the proof of a bound, and what it took.
//!
//!     cargo run --release -p tengen-solver --example granted -- 3x5 black 15

use std::io::{self, Write};
use std::ops::ControlFlow;
use std::time::Instant;

use tengen_core::{Color, Setup};
use tengen_solver::verify::{KoRule, verify};
use tengen_solver::{Bound, Options, Solver};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut words = std::env::args().skip(1);
    let usage = "granted SIZE black|white MARGIN [MEGABYTES]";
    let size = words.next().ok_or(usage)?.parse()?;
    let prover = match words.next().ok_or(usage)?.as_str() {
        "black" => Color::Black,
        "white" => Color::White,
        _ => return Err(usage.into()),
    };
    let margin = words.next().ok_or(usage)?.parse()?;
    let mut options = Options::default();
    if let Some(megabytes) = words.next() {
        options.memory = megabytes.parse::<u64>()? << 20;
    }
    let bound = Bound { prover, margin };
    let mut solver = Solver::new(&Setup::empty(size), options)?;
    let mut out = io::stdout().lock();
    let start = Instant::now();
    let verdict = solver.prove(bound, &mut |_, _| {});
    let searched = start.elapsed();
    writeln!(out, "{size} {bound}: {verdict:?} in {searched:.2?}")?;
    let nodes = solver.nodes();
    let writer = solver.certificate(bound)?;
    let mut file = Vec::new();
    let written = writer.finish(&mut file)?;
    let extracted = start.elapsed() - searched;
    let more = solver.nodes() - nodes;
    writeln!(
        out,
        "{} entries, {} bytes, extracted in {extracted:.2?} with {more} more nodes",
        written.entries, written.bytes
    )?;
    let theorem = verify(file.as_slice(), &mut |_| ControlFlow::Continue(()))?;
    let granted: Vec<&str> = theorem.ko_rules.granted().map(KoRule::name).collect();
    writeln!(out, "granted: {granted:?}")?;
    Ok(())
}
