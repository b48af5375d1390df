//! `tengen sgf info`: who played, when and how it ended.

use std::io::{self, Write};

use anyhow::Result;
use clap::Args;
use serde::Serialize;
use tengen_core::{Color, Outcome, Reason};
use tengen_sgf::{Charset, GameInfo, read_dates, read_rank};
use unicode_width::UnicodeWidthStr;

use super::files;
use crate::failure::Worst;
use crate::terminal;

/// List the games of records: players, result, rules, moves.
#[derive(Args)]
#[command(after_long_help = "\
Fields of --json, an object for each game: file, game (its number in the file, from 1), encoding, encoding_sure (in
percent; below 100 it was guessed), black, black_rank (such as 9p or 3k), white, white_rank, result (winner, by,
points), dates (ISO 8601), event, place, rules, komi (in points: 7.5 for 375), handicap, size, moves (of the main
line), nodes, and given: ranks, result, date, komi and handicap as the record has them. What is not known is null or
empty.")]
pub(crate) struct InfoArgs {
    /// Files, folders, patterns, or - for standard input.
    #[arg(required = true)]
    files: Vec<String>,
    /// Print a JSON object for each game.
    #[arg(long)]
    json: bool,
}

/// What is known of a game, and the texts that it was read from.
#[derive(Serialize)]
struct Report<'a> {
    file: &'a str,
    game: usize,
    encoding: &'a str,
    encoding_sure: u8,
    black: &'a str,
    black_rank: Option<String>,
    white: &'a str,
    white_rank: Option<String>,
    result: Option<Ending>,
    dates: Vec<String>,
    event: &'a str,
    place: &'a str,
    rules: &'a str,
    komi: Option<f64>,
    handicap: Option<u32>,
    size: &'a str,
    moves: usize,
    nodes: usize,
    given: Given<'a>,
}

/// How a game ended.
#[derive(Serialize)]
struct Ending {
    /// Nobody, if it was a draw or has no result.
    winner: Option<&'static str>,
    by: &'static str,
    points: Option<f64>,
}

/// What the record says where the report says what was meant.
#[derive(Serialize)]
struct Given<'a> {
    black_rank: &'a str,
    white_rank: &'a str,
    result: &'a str,
    date: &'a str,
    komi: &'a str,
    handicap: &'a str,
}

/// The games of a file.
struct Listed {
    games: Vec<GameInfo>,
    encoding: &'static str,
    confidence: u8,
}

/// Prints a table, or JSON.
pub(crate) fn run(args: &InfoArgs, charset: Option<Charset>) -> Result<()> {
    let found = files::find(&args.files)?;
    let mut failed = found.unreadable;
    let mut out = io::stdout().lock();
    let mut table = InfoColumns::default();
    let work = |bytes| {
        let mut games = files::open(bytes, charset)?;
        let (encoding, confidence) = (games.encoding(), games.confidence());
        let mut infos = Vec::new();
        while let Some(record) = games.next_game().map_err(|error| error.to_string())? {
            infos.extend(record.collection.roots().map(GameInfo::of));
        }
        Ok(Listed {
            games: infos,
            encoding,
            confidence,
        })
    };
    files::for_each_record(&found.sources, work, |input, listed| {
        let listed = match listed {
            Ok(listed) => listed,
            Err(problem) => {
                failed += 1;
                writeln!(io::stderr(), "tengen: {input}: {problem}")?;
                return Ok(());
            }
        };
        let file = input.to_string();
        for (game, info) in (1..).zip(&listed.games) {
            if args.json {
                writeln!(
                    out,
                    "{}",
                    terminal::json(&report(&file, game, info, &listed))?
                )?;
            } else {
                let place = match listed.games.len() {
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

fn report<'a>(file: &'a str, game: usize, info: &'a GameInfo, listed: &Listed) -> Report<'a> {
    Report {
        file,
        game,
        encoding: listed.encoding,
        encoding_sure: listed.confidence,
        black: &info.black,
        black_rank: read_rank(&info.black_rank),
        white: &info.white,
        white_rank: read_rank(&info.white_rank),
        result: info.outcome().map(ending),
        dates: read_dates(&info.date),
        event: &info.event,
        place: &info.place,
        rules: &info.rules,
        komi: info
            .komi_points()
            .map(|komi| f64::from(komi.halves()) / 2.0),
        handicap: info.handicap.trim().parse().ok(),
        size: &info.size,
        moves: info.moves,
        nodes: info.nodes,
        given: Given {
            black_rank: &info.black_rank,
            white_rank: &info.white_rank,
            result: &info.result,
            date: &info.date,
            komi: &info.komi,
            handicap: &info.handicap,
        },
    }
}

fn ending(outcome: Outcome) -> Ending {
    let (winner, by, points) = match outcome {
        Outcome::Draw => (None, "draw", None),
        Outcome::NoResult => (None, "no result", None),
        Outcome::Win(winner, reason) => {
            let winner = match winner {
                Color::Black => "black",
                Color::White => "white",
            };
            match reason {
                Reason::Score(halves) => (Some(winner), "score", Some(f64::from(halves) / 2.0)),
                Reason::Resignation => (Some(winner), "resignation", None),
                Reason::Time => (Some(winner), "time", None),
                Reason::Forfeit => (Some(winner), "forfeit", None),
                Reason::Repetition => (Some(winner), "repetition", None),
            }
        }
    };
    Ending { winner, by, points }
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
        *cell = terminal::name(&text, 30);
    }
    row[COLUMNS.len() - 1] = place;
    row
}

/// Columns as wide as their widest entry; those of no game are left out.
#[derive(Default)]
struct InfoColumns {
    rows: Vec<Row>,
}

impl InfoColumns {
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
