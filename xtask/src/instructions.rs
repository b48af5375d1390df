//! Instructions per unit of work, which unlike time hardly change from run to run.

use anyhow::{Context, Result, ensure};

/// Two runs must differ by this much: enough to even out what one iteration does differently from
/// the next, and still only seconds under callgrind.
const ENOUGH: u64 = 100_000_000;

/// What one unit of work costs, and how many units that is the mean of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Cost {
    pub(crate) instructions: f64,
    pub(crate) units: u64,
}

/// What one run of a program did.
#[derive(Clone, Copy)]
pub(crate) struct Run {
    pub(crate) instructions: u64,
    pub(crate) units: u64,
}

/// Measures the cost of a unit of work with `run`, which runs a program for a number of iterations.
///
/// The difference of two runs is free of what the program does before and after its work. Their
/// lengths are powers of ten chosen by instructions, not by time, so that a slow machine and a fast
/// one do the same work and can be compared.
pub(crate) fn per_unit(mut run: impl FnMut(u64) -> Result<Run>) -> Result<Cost> {
    let mut iterations = 1;
    let mut short = run(iterations)?;
    loop {
        iterations *= 10;
        let long = run(iterations)?;
        let instructions = long.instructions.saturating_sub(short.instructions);
        let units = long.units.saturating_sub(short.units);
        if instructions >= ENOUGH {
            ensure!(
                units > 0,
                "{iterations} iterations do no more work than fewer"
            );
            return Ok(Cost {
                instructions: instructions as f64 / units as f64,
                units,
            });
        }
        // At less than one instruction each the work does not depend on the iterations at all.
        ensure!(
            iterations < ENOUGH,
            "{iterations} iterations take no more instructions than fewer"
        );
        short = long;
    }
}

/// The instructions in a file that callgrind wrote.
pub(crate) fn callgrind_total(file: &str) -> Result<u64> {
    let total = file
        .lines()
        .find_map(|line| line.strip_prefix("totals:"))
        .context("callgrind wrote no totals")?;
    total
        .trim()
        .parse()
        .with_context(|| format!("callgrind wrote strange totals: {total:?}"))
}

#[cfg(test)]
mod tests {
    use super::{Cost, Run, callgrind_total, per_unit};

    #[test]
    fn start_up_is_not_counted() {
        let run = |iterations| {
            Ok(Run {
                instructions: 123_456_789 + 50_000 * iterations,
                units: iterations,
            })
        };
        let cost = Cost {
            instructions: 50_000.0,
            units: 9_000,
        };
        assert_eq!(per_unit(run).unwrap(), cost);
    }

    #[test]
    fn an_iteration_can_be_many_units() {
        let run = |iterations| {
            Ok(Run {
                instructions: 1_000 + 12_000 * iterations,
                units: 80 * iterations,
            })
        };
        let cost = Cost {
            instructions: 150.0,
            units: 80 * 9_000,
        };
        assert_eq!(per_unit(run).unwrap(), cost);
    }

    #[test]
    fn work_that_ignores_its_length_is_refused() {
        let idle = |iterations| {
            Ok(Run {
                instructions: 1_000,
                units: iterations,
            })
        };
        assert!(per_unit(idle).is_err());
        let uncounted = |iterations| {
            Ok(Run {
                instructions: 1_000_000 * iterations,
                units: 7,
            })
        };
        assert!(per_unit(uncounted).is_err());
    }

    #[test]
    fn reads_the_totals_of_callgrind() {
        let file = "events: Ir\nsummary: 7\n\nfn=(1) main\n1 7\n\ntotals: 7\n";
        assert_eq!(callgrind_total(file).unwrap(), 7);
        assert!(callgrind_total("events: Ir\n").is_err());
        assert!(callgrind_total("totals: many\n").is_err());
    }
}
