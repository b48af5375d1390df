//! `tengen sgf info`: who played, when and how it ended.

use std::io::{self, Write};

use anyhow::Result;
use clap::Args;
use serde::Serialize;
use tengen_sgf::{GameInfo, Mode};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::files::{self, Source};
use super::pool;
use crate::failure::Worst;

/// List the games of records: players, result, rules, moves.
#[derive(Args)]
#[command(after_long_help = "\
Fields of --json, an object for each game: file, game (its number in the file, from 1), black, black_rank, white,
white_rank, result, date, event, place, rules, komi, handicap, size, all as the record gives them, moves (of the
main line) and nodes.")]
pub(crate) struct InfoArgs {
    /// Files, folders, patterns, or - for standard input.
    #[arg(required = true)]
    files: Vec<String>,
    /// Print a JSON object for each game.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Report<'a> {
    file: &'a str,
    game: usize,
    black: &'a str,
    black_rank: &'a str,
    white: &'a str,
    white_rank: &'a str,
    result: &'a str,
    date: &'a str,
    event: &'a str,
    place: &'a str,
    rules: &'a str,
    komi: &'a str,
    handicap: &'a str,
    size: &'a str,
    moves: usize,
    nodes: usize,
}

/// Prints a table, or JSON.
pub(crate) fn run(args: &InfoArgs) -> Result<()> {
    let found = files::find(&args.files)?;
    let mut failed = found.unreadable;
    let mut out = io::stdout().lock();
    let mut table = Table::default();
    let work = |source: &Source| {
        let record = source.read(Mode::Lenient)?;
        let games: Vec<GameInfo> = record.collection.roots().map(GameInfo::of).collect();
        Ok::<_, String>(games)
    };
    pool::for_each(&found.sources, work, |source, games| {
        let games = match games {
            Ok(games) => games,
            Err(problem) => {
                failed += 1;
                writeln!(io::stderr(), "tengen: {source}: {problem}")?;
                return Ok(());
            }
        };
        let file = source.to_string();
        for (game, info) in (1..).zip(&games) {
            if args.json {
                writeln!(
                    out,
                    "{}",
                    serde_json::to_string(&report(&file, game, info))?
                )?;
            } else {
                let place = match games.len() {
                    1 => file.clone(),
                    _ => format!("{file} #{game}"),
                };
                table.rows.push(row(place, info));
            }
        }
        Ok(())
    })?;
    if !args.json {
        table.print(&mut out)?;
    }
    if failed > 0 {
        return Err(Worst::Unreadable.into());
    }
    Ok(())
}

fn report<'a>(file: &'a str, game: usize, info: &'a GameInfo) -> Report<'a> {
    Report {
        file,
        game,
        black: &info.black,
        black_rank: &info.black_rank,
        white: &info.white,
        white_rank: &info.white_rank,
        result: &info.result,
        date: &info.date,
        event: &info.event,
        place: &info.place,
        rules: &info.rules,
        komi: &info.komi,
        handicap: &info.handicap,
        size: &info.size,
        moves: info.moves,
        nodes: info.nodes,
    }
}

const COLUMNS: [&str; 9] = [
    "Black", "White", "Result", "Date", "Rules", "Komi", "Size", "Moves", "File",
];

type Row = [String; COLUMNS.len()];

fn row(place: String, info: &GameInfo) -> Row {
    let player = |name: &str, rank: &str| match rank {
        "" => name.to_owned(),
        _ => format!("{name} {rank}"),
    };
    let cells = [
        player(&info.black, &info.black_rank),
        player(&info.white, &info.white_rank),
        info.result.clone(),
        info.date.clone(),
        info.rules.clone(),
        info.komi.clone(),
        info.size.clone(),
        info.moves.to_string(),
    ];
    // The name of the file comes last and is never cut: somebody may want to open it.
    let mut row = Row::default();
    for (cell, text) in row.iter_mut().zip(cells) {
        *cell = cut(text);
    }
    row[COLUMNS.len() - 1] = place;
    row
}

/// At most thirty columns of a terminal.
fn cut(text: String) -> String {
    if text.width() <= 30 {
        return text;
    }
    let mut width = 0;
    let mut cut: String = text
        .chars()
        .take_while(|c| {
            width += c.width().unwrap_or(0);
            width < 30
        })
        .collect();
    cut.push('…');
    cut
}

/// Columns as wide as their widest entry; those of no game are left out.
#[derive(Default)]
struct Table {
    rows: Vec<Row>,
}

impl Table {
    fn print(&self, out: &mut impl Write) -> io::Result<()> {
        if self.rows.is_empty() {
            return Ok(());
        }
        let widths: Vec<usize> = (0..COLUMNS.len())
            .map(|column| {
                self.rows
                    .iter()
                    .map(|row| row[column].width())
                    .max()
                    .unwrap_or(0)
            })
            .collect();
        let print = |out: &mut dyn Write, cells: &[&str]| {
            let mut line = String::new();
            for (cell, width) in cells.iter().zip(&widths).filter(|(_, width)| **width > 0) {
                line.push_str(cell);
                let width = (*width).max(5);
                line.extend(std::iter::repeat_n(
                    ' ',
                    2 + width.saturating_sub(cell.width()),
                ));
            }
            writeln!(out, "{}", line.trim_end())
        };
        print(out, &COLUMNS)?;
        for row in &self.rows {
            let cells: Vec<&str> = row.iter().map(String::as_str).collect();
            print(out, &cells)?;
        }
        Ok(())
    }
}
