//! What a board is worth under a superko rule, what it took to find out, and what the checker says to the proofs.
//!
//!     cargo run --release -p tengen-solver --example superko -- 4x4 positional --megabytes 1024

use std::io::{self, Write};
use std::ops::ControlFlow;
use std::time::Instant;

use tengen_core::{Color, Ko, Setup};
use tengen_solver::verify::{KoRule, verify};
use tengen_solver::{Options, Solver};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut words = std::env::args().skip(1);
    let usage = "superko SIZE positional|situational [--megabytes N]";
    let size = words.next().ok_or(usage)?.parse()?;
    let ko = match words.next().as_deref() {
        Some("positional") => Ko::Positional,
        Some("situational") => Ko::Situational,
        _ => return Err(usage.into()),
    };
    let mut options = Options::default();
    if let (Some("--megabytes"), Some(number)) = (words.next().as_deref(), words.next()) {
        options.memory = number.parse::<u64>()? << 20;
    }
    let mut solver = Solver::new(&Setup::empty(size), options)?;
    let start = Instant::now();
    let mut out = io::stdout().lock();
    let mut say = |line: String| writeln!(out, "{:8.2} s  {line}", start.elapsed().as_secs_f64());
    let any_rule = solver.solve(&mut |_, _| {});
    let before = solver.nodes();
    say(format!(
        "{size} under every ko rule: {any_rule}, {before} nodes"
    ))?;
    let interval = solver.solve_with_history(ko);
    let nodes = solver.nodes() - before;
    say(format!("{size}, {ko:?}: {interval}, {nodes} nodes more"))?;
    for color in Color::BOTH {
        let bound = interval.bound(color);
        let Some(derivation) = solver.derivation(ko, bound) else {
            continue;
        };
        let mut file = Vec::new();
        let written = derivation.write(&mut file)?;
        let theorem = verify(file.as_slice(), &mut |_| ControlFlow::Continue(()))?;
        let granted: Vec<&str> = theorem.ko_rules.granted().map(KoRule::name).collect();
        say(format!(
            "{theorem}: {} steps, {} bytes, {} replies, granted {}",
            written.entries,
            written.bytes,
            theorem.replies,
            granted.join(", ")
        ))?;
    }
    Ok(())
}
