//! `tengen perft`: how many move sequences there are.

use std::io::{self, Write};

use anyhow::Result;
use clap::Args;
use serde::Serialize;
use tengen_core::{Game, Rules, Size, perft, perft_divide};

use crate::json_count::JsonCount;

/// Count the move sequences of a given length from the empty board.
///
/// Passes are moves, and a game that has ended has no continuation. Two programs that play by the same rules
/// count the same, and --divide finds the move where they differ.
#[derive(Args)]
#[command(after_long_help = "\
Examples:
  tengen perft 3x3 6
  tengen perft 9x9 3 --rules japanese --divide

Fields of --json: size, rules, depth, sequences and, with --divide, divide: a list of objects with move and
sequences. Counts are numbers up to 2^53 and strings beyond.")]
pub(crate) struct PerftArgs {
    /// The board, such as 3x3.
    size: Size,
    /// The number of moves, at most 1000.
    #[arg(value_parser = clap::value_parser!(u32).range(0..=1000))]
    depth: u32,
    /// The rules: a name such as aga, or a text such as koPOSITIONALsui0.
    #[arg(long, default_value_t)]
    rules: Rules,
    /// Print the count for each first move, too.
    #[arg(long)]
    divide: bool,
    /// Print a JSON object.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Report {
    size: String,
    rules: String,
    depth: u32,
    sequences: JsonCount,
    #[serde(skip_serializing_if = "Option::is_none")]
    divide: Option<Vec<Part>>,
}

/// The sequences that begin with a move.
#[derive(Serialize)]
struct Part {
    r#move: String,
    sequences: JsonCount,
}

/// Counts and prints the result.
pub(crate) fn run(args: &PerftArgs) -> Result<()> {
    let mut game = Game::new(args.size, args.rules);
    let divided = args.divide.then(|| perft_divide(&mut game, args.depth));
    let sequences = match &divided {
        Some(parts) if args.depth > 0 => parts.iter().map(|(_, count)| count).sum(),
        _ => perft(&mut game, args.depth),
    };
    let parts = divided.into_iter().flatten();
    let parts = parts.map(|(action, count)| (action.to_gtp(args.size), count));
    let mut out = io::stdout().lock();
    if args.json {
        let part = |(r#move, count)| Part {
            r#move,
            sequences: JsonCount(u128::from(count)),
        };
        let report = Report {
            size: args.size.to_string(),
            rules: args.rules.to_string(),
            depth: args.depth,
            sequences: JsonCount(u128::from(sequences)),
            divide: args.divide.then(|| parts.map(part).collect()),
        };
        writeln!(out, "{}", serde_json::to_string(&report)?)?;
        return Ok(());
    }
    for (action, count) in parts {
        writeln!(out, "{action:<4} {count}")?;
    }
    writeln!(out, "{sequences}")?;
    Ok(())
}
