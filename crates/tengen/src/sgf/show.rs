//! `tengen sgf show`: a position of a record as a diagram.

use std::io::{self, Write};

use anyhow::Result;
use clap::Args;
use serde::Serialize;
use tengen_core::{Color, Diagram};
use tengen_sgf::{Charset, GameInfo, printable_text};

use super::files;
use super::position::Chosen;
use crate::terminal;

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
pub(crate) fn run(args: &ShowArgs, charset: Option<Charset>) -> Result<()> {
    let opened = files::open_one(&args.file, charset)?;
    let (record, number) = args.chosen.record(opened.games)?;
    let root = Chosen::root(&record, number)?;
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
        writeln!(out, "{}", terminal::json(&report)?)?;
        return Ok(());
    }
    let info = GameInfo::of(root);
    writeln!(
        out,
        "{} (Black) – {} (White)  {}",
        or_unknown(&terminal::name(&info.black, terminal::NAME)),
        or_unknown(&terminal::name(&info.white, terminal::NAME)),
        terminal::name(&info.result, terminal::NAME)
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
        writeln!(out, "\n{}", printable_text(&comment))?;
    }
    Ok(())
}

fn or_unknown(name: &str) -> &str {
    if name.is_empty() { "?" } else { name }
}
