//! `tengen sgf show`: a position of a record as a diagram.

use std::io::{self, Write};

use anyhow::Result;
use clap::Args;
use serde::Serialize;
use tengen_core::{Color, Diagram};
use tengen_sgf::{GameInfo, Mode};

use super::files;
use super::position::Chosen;

/// Print a position of a game as a diagram.
#[derive(Args)]
#[command(after_long_help = "\
Example:
  tengen sgf show game.sgf --move 50

Fields of --json: move, to_move, board (a string a row), last (a point or null), comment, prisoners (black, white).")]
pub(crate) struct ShowArgs {
    /// A record, or - for standard input.
    file: String,
    #[command(flatten)]
    chosen: Chosen,
    /// Print a JSON object.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Report<'a> {
    #[serde(rename = "move")]
    number: usize,
    to_move: String,
    board: Vec<&'a str>,
    last: Option<String>,
    comment: &'a str,
    prisoners: [u32; 2],
}

/// Prints the chosen position.
pub(crate) fn run(args: &ShowArgs) -> Result<()> {
    let record = files::find_one(&args.file)?.read_or_refuse(Mode::Lenient)?;
    let root = args.chosen.root(&record.collection)?;
    let (replay, node) = args.chosen.replay(root)?;
    let game = replay.game();
    let turn = game.last_turn();
    let last = turn.and_then(|turn| turn.action.point());
    let comment = node
        .value("C")
        .map(|value| value.text().into_owned())
        .unwrap_or_default();
    let prisoners = Color::BOTH.map(|color| game.prisoners(color));
    let mut out = io::stdout().lock();
    if args.json {
        let rows = game.position().to_string();
        let report = Report {
            number: replay.moves(),
            to_move: game.to_move().to_string().to_lowercase(),
            board: rows
                .lines()
                .take(usize::from(game.size().height()))
                .collect(),
            last: turn.map(|turn| turn.action.to_gtp(game.size())),
            comment: &comment,
            prisoners,
        };
        writeln!(out, "{}", serde_json::to_string(&report)?)?;
        return Ok(());
    }
    let info = GameInfo::of(root);
    writeln!(
        out,
        "{} (Black) – {} (White)  {}",
        or_unknown(&info.black),
        or_unknown(&info.white),
        info.result
    )?;
    write!(out, "Move {} of {}", replay.moves(), info.moves)?;
    if let Some(turn) = turn {
        write!(out, ": {} {}", turn.color, turn.action.to_gtp(game.size()))?;
    }
    writeln!(out, "\n\n{}", Diagram::new(game.board()).last(last))?;
    writeln!(
        out,
        "{} to move. Prisoners: Black {}, White {}",
        game.to_move(),
        prisoners[0],
        prisoners[1]
    )?;
    if !comment.is_empty() {
        writeln!(out, "\n{comment}")?;
    }
    Ok(())
}

fn or_unknown(name: &str) -> &str {
    if name.is_empty() { "?" } else { name }
}
