//! How far the solver has come, in a line.

use std::time::Duration;

use tengen_solver::{Progress, Solver, StrategyProgress, StrategyStage};

/// How far a search has come that has taken so much time.
pub(super) fn search_line(solver: &Solver, progress: &Progress, elapsed: Duration) -> String {
    let Progress {
        interval,
        trying,
        depth,
        nodes,
        table,
    } = progress;
    let line = solver.line(interval.bound(trying.prover));
    let line: Vec<String> = line
        .iter()
        .take(6)
        .map(|action| action.to_gtp(solver.setup().size))
        .collect();
    format!(
        "{interval}, trying {trying} at depth {depth}: {:.1} million nodes, {:.2} a second, table {:.0} %  {}",
        *nodes as f64 / 1e6,
        *nodes as f64 / 1e6 / elapsed.as_secs_f64(),
        100.0 * table,
        line.join(" ")
    )
}

/// How far the writing of a proof has come.
pub(super) fn strategy_line(progress: StrategyProgress) -> String {
    let StrategyProgress {
        round,
        repeating,
        stage,
    } = progress;
    let again = match repeating {
        Some(lines) => {
            format!(", attempt {round}, with {lines} lines that come back to boards so far")
        }
        None => String::new(),
    };
    let millions = |count: usize| count as f64 / 1e6;
    let done = match stage {
        StrategyStage::Proving { met, proven } => format!(
            "{:.1} million situations, {:.1} of them proven",
            millions(met),
            millions(proven)
        ),
        StrategyStage::Choosing { done } => {
            format!("moves chosen in {:.1} million situations", millions(done))
        }
        StrategyStage::Comparing => "looking for boards that come back".to_owned(),
        StrategyStage::Chosen => "the strategy is chosen".to_owned(),
        StrategyStage::Collecting { done } => {
            format!("{:.1} million entries collected", millions(done))
        }
    };
    format!("writing the proof{again}: {done}")
}
