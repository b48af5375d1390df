//! What a survey of an empty board knows after how many situations: `survey 4x4 1500000`.

use std::error::Error;
use std::io::{self, Write};
use std::time::Instant;

use tengen_core::{Setup, Size};
use tengen_solver::{Options, Solver, Survey};

/// Situations between two looks at what is known.
const PORTION: u64 = 1 << 14;

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let (Some(size), Some(nodes)) = (args.next(), args.next()) else {
        return Err("survey SIZE NODES".into());
    };
    let size: Size = size.parse()?;
    let solver = Solver::new(&Setup::empty(size), Options::default())?;
    let mut survey = Survey::new(solver, None, nodes.parse()?);
    let start = Instant::now();
    let mut longest = 0.0_f64;
    let mut before = None;
    let mut out = io::stdout().lock();
    while !survey.is_done() {
        let portion = Instant::now();
        survey.go_on(PORTION);
        longest = longest.max(portion.elapsed().as_secs_f64());
        let values = survey.values();
        let known = (values.interval, values.moves.clone());
        if before.as_ref() != Some(&known) {
            let seconds = start.elapsed().as_secs_f64();
            let open = if values.is_complete { "" } else { "?" };
            write!(
                out,
                "{} nodes, {seconds:.2} s: {}{open} ",
                values.nodes, values.interval
            )?;
            for value in &values.moves {
                let open = if value.is_complete { "" } else { "?" };
                let action = value.action.to_gtp(size);
                write!(out, " {action} {}{open}", value.interval)?;
            }
            writeln!(out)?;
            before = Some(known);
        }
    }
    writeln!(out, "the longest portion took {longest:.2} s")?;
    Ok(())
}
