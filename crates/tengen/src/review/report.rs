//! What is told about a game that was looked through.

use std::fmt::{self, Write as _};

use serde::Serialize;
use tengen_app::Fact;
use tengen_core::Color;

use super::losses::{Losses, Summary};
use super::reviewer::{Review, ReviewedMove};
use crate::terminal;

/// What is told about a game.
#[derive(Serialize)]
pub(super) struct Report<'a> {
    file: &'a str,
    game: usize,
    title: &'a str,
    black: Summary,
    white: Summary,
    /// The worst moves, the one that lost most first.
    worst: Vec<Mistake<'a>>,
}

/// A move that lost something.
#[derive(Serialize)]
struct Mistake<'a> {
    number: usize,
    color: Color,
    #[serde(rename = "move")]
    action: &'a str,
    lost: f64,
    error: f64,
    best: &'a str,
    line: &'a [String],
    winrate: f64,
    lead: f64,
    settled: bool,
    facts: &'a [Fact],
}

impl<'a> Report<'a> {
    pub(super) fn new(file: &'a str, game: usize, review: &'a Review, worst: usize) -> Self {
        let of = |color: Color| {
            let mut losses = Losses::default();
            losses.add(review.moves.iter().filter(|moved| moved.color == color));
            losses.summary()
        };
        let mut mistakes: Vec<&ReviewedMove> = review
            .moves
            .iter()
            .filter(|moved| moved.lost > 0.0)
            .collect();
        mistakes.sort_by(|a, b| b.lost.total_cmp(&a.lost));
        Self {
            file,
            game,
            title: &review.title,
            black: of(Color::Black),
            white: of(Color::White),
            worst: mistakes.into_iter().take(worst).map(Mistake::new).collect(),
        }
    }
}

impl<'a> Mistake<'a> {
    fn new(moved: &'a ReviewedMove) -> Self {
        Self {
            number: moved.number,
            color: moved.color,
            action: &moved.action,
            lost: moved.lost,
            error: moved.error,
            best: &moved.best,
            line: &moved.line,
            winrate: moved.winrate,
            lead: moved.lead,
            settled: moved.settled,
            facts: &moved.facts,
        }
    }
}

impl fmt::Display for Report<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", terminal::name(self.title, 2 * terminal::NAME))?;
        let sides = [("Black", self.black), ("White", self.white)];
        f.write_str(&table(sides))?;
        for mistake in &self.worst {
            let Mistake {
                number,
                color,
                action,
                lost,
                error,
                best,
                ..
            } = mistake;
            let color = match color {
                Color::Black => "Black",
                Color::White => "White",
            };
            let doubt = match mistake.settled {
                true => "",
                false => " (not settled)",
            };
            writeln!(
                f,
                "  {number:4}. {color} {action:<4} loses {lost:4.1} ± {error:.1}; better {best}{doubt}"
            )?;
        }
        Ok(())
    }
}

/// A row of numbers for each name.
pub(super) fn table<const ROWS: usize>(rows: [(&str, Summary); ROWS]) -> String {
    let mut text =
        String::from("         moves  points lost: mean  median  moves over 2 points  over 5\n");
    for (name, summary) in rows {
        let Summary {
            moves,
            mean,
            median,
            over_2,
            over_5,
        } = summary;
        let share = |count: usize| 100.0 * count as f64 / moves.max(1) as f64;
        // A text that is written cannot fail.
        _ = writeln!(
            text,
            "  {name:<6}{moves:6}  {mean:17.2}  {median:6.2}  {over_2:9} {:6.1} %  {over_5:6} {:4.1} %",
            share(over_2),
            share(over_5),
        );
    }
    text
}
