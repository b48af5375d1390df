//! How many situations a search looks at, with all techniques or without one of them.
//!
//!     cargo run --release -p tengen-solver --example effort -- 4x4 1 --without symmetry

use std::io::{self, Write};
use std::time::Instant;

use tengen_core::{Color, Setup};
use tengen_solver::{Bound, Options, Solver, Techniques};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut words = std::env::args().skip(1);
    let usage = "effort SIZE MARGIN [--megabytes N] [--threads N] [--without TECHNIQUE]";
    let size = words.next().ok_or(usage)?.parse()?;
    let margin = words.next().ok_or(usage)?.parse()?;
    let mut options = Options::default();
    while let Some(word) = words.next() {
        let value = words.next().ok_or(usage)?;
        match word.as_str() {
            "--megabytes" => options.memory = value.parse::<u64>()? << 20,
            "--threads" => options.threads = value.parse()?,
            "--without" => {
                let techniques = &mut options.techniques;
                match value.as_str() {
                    "table" => techniques.table = false,
                    "symmetry" => techniques.symmetry = false,
                    "life" => techniques.life = false,
                    "lookahead" => techniques.lookahead = false,
                    "ordering" => techniques.ordering = false,
                    "narrow" => techniques.narrow = false,
                    _ => *techniques = Techniques::ALL,
                }
            }
            _ => return Err(usage.into()),
        }
    }
    let mut solver = Solver::new(&Setup::empty(size), options)?;
    let bound = Bound {
        prover: Color::Black,
        margin,
    };
    let start = Instant::now();
    let mut out = io::stdout().lock();
    let mut report =
        |line: String| _ = writeln!(out, "{:8.2} s  {line}", start.elapsed().as_secs_f64());
    let verdict = solver.prove(bound, &mut |_, progress| {
        report(format!(
            "depth {:3}  {:12} nodes  table {:.1} %",
            progress.depth,
            progress.nodes,
            100.0 * progress.table
        ));
    });
    report(format!("{bound}: {verdict:?}, {} nodes", solver.nodes()));
    Ok(())
}
