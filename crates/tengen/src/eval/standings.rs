//! How a tournament stands.

use std::io::{self, Write};

use serde::Serialize;
use tengen_train::{Estimate, Results, Tally};

use super::EvalArgs;
use super::player::Contender;

/// The results of all games so far.
pub(super) struct Standings<'a> {
    players: &'a [Contender],
    args: &'a EvalArgs,
    results: Results,
    /// Row by row, how each player did against each other one.
    tallies: Vec<Tally>,
}

/// The standings as a program reads them.
#[derive(Serialize)]
pub(super) struct Report<'a> {
    size: String,
    seed: u64,
    players: Vec<Row<'a>>,
    pairs: Vec<Encounter<'a>>,
}

/// How a player stands.
#[derive(Serialize)]
struct Row<'a> {
    name: &'a str,
    games: u32,
    points: f64,
    /// Against the player that was named first.
    elo: f64,
    /// How far the interval goes either way.
    error: f64,
    #[serde(skip)]
    number: usize,
}

/// How two players did against each other.
#[derive(Serialize)]
struct Encounter<'a> {
    first: &'a str,
    second: &'a str,
    #[serde(flatten)]
    tally: Tally,
}

const fn games(tally: Tally) -> u32 {
    tally.wins + tally.draws + tally.losses
}

fn points(tally: Tally) -> f64 {
    f64::from(tally.wins) + f64::from(tally.draws) / 2.0
}

impl<'a> Standings<'a> {
    pub(super) fn new(players: &'a [Contender], args: &'a EvalArgs) -> Self {
        let count = players.len();
        Self {
            players,
            args,
            results: Results::new(count),
            tallies: vec![Tally::default(); count * count],
        }
    }

    /// Adds games as the first of two players sees them.
    pub(super) fn add(&mut self, [first, second]: [usize; 2], tally: Tally) {
        let count = self.players.len();
        for (row, column, add) in [(first, second, tally), (second, first, turned(tally))] {
            let sum = &mut self.tallies[row * count + column];
            sum.wins += add.wins;
            sum.draws += add.draws;
            sum.losses += add.losses;
        }
        for (games, points) in [(tally.wins, 1.0), (tally.draws, 0.5), (tally.losses, 0.0)] {
            for _ in 0..games {
                let added = self.results.add(first, second, points);
                added.expect("the players have these numbers");
            }
        }
    }

    fn tally(&self, row: usize, column: usize) -> Tally {
        self.tallies[row * self.players.len() + column]
    }

    /// All players, the strongest first.
    fn rows(&self) -> Vec<Row<'a>> {
        let elo = self.results.ratings().against(0);
        let elo: Vec<Estimate> = elo.expect("there are two players or more");
        let all = 0..self.players.len();
        let row = |number: usize| {
            let own = || all.clone().map(|other| self.tally(number, other));
            Row {
                name: &self.players[number].name,
                games: own().map(games).sum(),
                points: own().map(points).sum(),
                elo: elo[number].value,
                error: elo[number].error,
                number,
            }
        };
        let mut rows: Vec<Row<'a>> = all.clone().map(row).collect();
        rows.sort_by(|one, other| other.elo.total_cmp(&one.elo));
        rows
    }

    pub(super) fn report(&self) -> Report<'a> {
        let count = self.players.len();
        let mut pairs = Vec::new();
        for first in 0..count {
            for second in first + 1..count {
                pairs.push(Encounter {
                    first: &self.players[first].name,
                    second: &self.players[second].name,
                    tally: self.tally(first, second),
                });
            }
        }
        Report {
            size: self.args.size.to_string(),
            seed: self.args.seed,
            players: self.rows(),
            pairs,
        }
    }

    /// Prints the ratings, and how each player, a row, did against each other one, a column.
    pub(super) fn print(&self, out: &mut impl Write) -> io::Result<()> {
        let rows = self.rows();
        let width = rows
            .iter()
            .map(|row| row.name.chars().count())
            .max()
            .unwrap_or(0);
        write!(
            out,
            "    {:width$}  {:>6} {:>7}  {:>7}        ",
            "", "games", "points", "Elo"
        )?;
        for place in 1..=rows.len() {
            write!(out, " {place:>7}")?;
        }
        writeln!(out)?;
        for (place, row) in rows.iter().enumerate() {
            let error = match row.number {
                0 => String::new(),
                _ => format!("± {:.0}", row.error),
            };
            write!(
                out,
                "{:>3} {:width$}  {:>6} {:>7.1}  {:>+7.0} {error:<7}",
                place + 1,
                row.name,
                row.games,
                row.points,
                row.elo,
            )?;
            for other in &rows {
                let tally = self.tally(row.number, other.number);
                let share = match games(tally) {
                    0 => "-".to_owned(),
                    _ => format!("{:.1} %", 100.0 * tally.share()),
                };
                write!(out, " {share:>7}")?;
            }
            writeln!(out)?;
        }
        Ok(())
    }
}

/// The same games as the other player sees them.
const fn turned(tally: Tally) -> Tally {
    Tally {
        wins: tally.losses,
        draws: tally.draws,
        losses: tally.wins,
    }
}
