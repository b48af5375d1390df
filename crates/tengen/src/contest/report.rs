//! How a match stands.

use std::io::{self, Write};

use serde::Serialize;

use super::result::{End, GameResult, Settled};
use super::settings::{Settings, Side};
use super::statistics::{Estimate, Pairs, Sprt, Tally, Verdict};

/// How a match stands, as the first player sees it.
#[derive(Serialize)]
pub(crate) struct Report<'a> {
    names: &'a [String; 2],
    games: u32,
    total: Tally,
    as_black: Tally,
    as_white: Tally,
    score: Option<Estimate>,
    elo: Option<Estimate>,
    pairs: Pairs,
    sprt: Option<SprtReport>,
    ends: Ends,
    first: EffortReport,
    second: EffortReport,
}

#[derive(Clone, Copy, Serialize)]
struct SprtReport {
    #[serde(flatten)]
    test: Sprt,
    llr: f64,
    bound: f64,
    verdict: Verdict,
}

/// How many games ended in which way.
#[derive(Clone, Copy, Default, Serialize)]
struct Ends {
    passes: u32,
    resignation: u32,
    max_moves: u32,
    repetition: u32,
    time: u32,
    forfeit: u32,
    agreed: u32,
    by_first: u32,
    by_second: u32,
    by_referee: u32,
    by_board: u32,
    disputed: u32,
    winner_disputed: u32,
}

/// What a player spent, in seconds.
#[derive(Clone, Copy, Default, Serialize)]
struct EffortReport {
    moves: u32,
    cpu_per_move: Option<f64>,
    wall_per_move: Option<f64>,
    slowest_move: f64,
    forfeits: u32,
}

impl<'a> Report<'a> {
    pub(crate) fn of(settings: &'a Settings, results: &[GameResult], sprt: Option<Sprt>) -> Self {
        let tally = |wanted: &dyn Fn(&GameResult) -> bool| {
            let mut tally = Tally::default();
            for result in results.iter().filter(|result| wanted(result)) {
                tally.add(result.halves(Side::First));
            }
            tally
        };
        let total = tally(&|_| true);
        let pairs = pairs(results);
        Self {
            names: &settings.names,
            games: total.games(),
            total,
            as_black: tally(&|result| result.black == Side::First),
            as_white: tally(&|result| result.black == Side::Second),
            score: total.score(),
            elo: total.elo(),
            pairs,
            sprt: sprt.map(|test| SprtReport {
                test,
                llr: test.llr(&pairs),
                bound: test.bound(),
                verdict: test.verdict(&pairs),
            }),
            ends: ends(results),
            first: effort(results, Side::First),
            second: effort(results, Side::Second),
        }
    }

    /// Has the test of the match been decided?
    pub(crate) fn is_decided(&self) -> bool {
        self.sprt.is_some_and(|sprt| sprt.verdict != Verdict::Open)
    }

    /// One line on how the match stands after a game.
    pub(crate) fn line(&self, last: &GameResult, games: u32) -> String {
        let [first, second] = self.names;
        let black = match last.black {
            Side::First => first,
            Side::Second => second,
        };
        let mut line = format!(
            "{}/{games}  game {}, {black} Black: {}",
            self.games, last.game, last.result
        );
        if let Some(reason) = &last.reason {
            line += &format!(" ({reason})");
        }
        line += &format!(
            "  {first} {}  {}  Elo {}  as Black {}, as White {}",
            plain(self.total),
            self.score.map(percent).unwrap_or_default(),
            self.elo.map(elo).unwrap_or_default(),
            plain(self.as_black),
            plain(self.as_white),
        );
        if let Some(sprt) = self.sprt {
            line += &format!("  LLR {:.2} (±{:.2})", sprt.llr, sprt.bound);
        }
        line
    }

    /// All about the match, for a person.
    pub(crate) fn print(&self, out: &mut impl Write) -> io::Result<()> {
        let [first, second] = self.names;
        let width = 8 + first.chars().count().max(second.chars().count()).max(12);
        writeln!(out, "{first} against {second}, {} games\n", self.games)?;
        writeln!(
            out,
            "{:width$}  wins draws losses   score (95 % interval)    Elo",
            ""
        )?;
        let rows = [
            (format!("{first}, all"), self.total),
            ("  as Black".to_owned(), self.as_black),
            ("  as White".to_owned(), self.as_white),
        ];
        for (name, tally) in rows {
            let Tally {
                wins,
                draws,
                losses,
            } = tally;
            let score = tally.score().map(percent).unwrap_or_default();
            let elo = tally.elo().map(elo).unwrap_or_default();
            writeln!(
                out,
                "{name:width$} {wins:5} {draws:5} {losses:6}   {score:22}  {elo}"
            )?;
        }
        writeln!(
            out,
            "\n{:width$} moves  CPU s/move  wall s/move  slowest  forfeits",
            ""
        )?;
        for (name, effort) in [(first, self.first), (second, self.second)] {
            let number =
                |value: Option<f64>| value.map_or("-".to_owned(), |value| format!("{value:.3}"));
            writeln!(
                out,
                "{name:width$} {:5}  {:>10}  {:>11}  {:7.2}  {:8}",
                effort.moves,
                number(effort.cpu_per_move),
                number(effort.wall_per_move),
                effort.slowest_move,
                effort.forfeits
            )?;
        }
        self.print_ends(out)?;
        if let Some(sprt) = self.sprt {
            let Sprt { elo0, elo1, error } = sprt.test;
            let verdict = match sprt.verdict {
                Verdict::AcceptElo0 => format!("{elo0:+} Elo or less"),
                Verdict::AcceptElo1 => format!("{elo1:+} Elo or more"),
                Verdict::Open => "undecided".to_owned(),
            };
            writeln!(
                out,
                "SPRT of {elo0:+} and {elo1:+} Elo, errors {error}: LLR {:.2} of ±{:.2}, {verdict}",
                sprt.llr, sprt.bound
            )?;
        }
        Ok(())
    }

    fn print_ends(&self, out: &mut impl Write) -> io::Result<()> {
        let ends = self.ends;
        let list = |parts: &[(u32, &str)]| {
            let parts = parts.iter().filter(|(count, _)| *count > 0);
            let parts: Vec<String> = parts
                .map(|(count, name)| format!("{count} {name}"))
                .collect();
            parts.join(", ")
        };
        let ended = list(&[
            (ends.passes, "by two passes"),
            (ends.resignation, "by resignation"),
            (ends.max_moves, "at the move limit"),
            (ends.repetition, "by repetition"),
            (ends.time, "on time"),
            (ends.forfeit, "by forfeit"),
        ]);
        writeln!(out, "\nEnded: {ended}")?;
        let counted = list(&[
            (ends.agreed, "agreed"),
            (ends.by_first, "by the first player"),
            (ends.by_second, "by the second player"),
            (ends.by_referee, "by the referee"),
            (ends.by_board, "as the board stood"),
        ]);
        if !counted.is_empty() {
            write!(out, "Dead stones: {counted}")?;
            match ends.disputed {
                0 => writeln!(out)?,
                disputed => writeln!(
                    out,
                    "; {disputed} disputed, {} of them about the winner",
                    ends.winner_disputed
                )?,
            }
        }
        let [lost_both, .., won_both] = self.pairs.0;
        let [_, lost, even, won, _] = self.pairs.0;
        writeln!(
            out,
            "Pairs of games with 2, 1½, 1, ½, 0 points: {won_both} {won} {even} {lost} {lost_both}"
        )
    }
}

/// The pairs of which both games are finished.
pub(crate) fn pairs(results: &[GameResult]) -> Pairs {
    let mut pairs = Pairs::default();
    let mut halves: std::collections::BTreeMap<u32, u32> = std::collections::BTreeMap::new();
    for result in results {
        let worth = result.halves(Side::First);
        match halves.remove(&Settings::pair(result.game)) {
            Some(other) => pairs.add((worth + other) as usize),
            None => {
                halves.insert(Settings::pair(result.game), worth);
            }
        }
    }
    pairs
}

fn ends(results: &[GameResult]) -> Ends {
    let mut ends = Ends::default();
    for result in results {
        *match result.end {
            End::Passes => &mut ends.passes,
            End::Resignation => &mut ends.resignation,
            End::MaxMoves => &mut ends.max_moves,
            End::Repetition => &mut ends.repetition,
            End::Time => &mut ends.time,
            End::Forfeit => &mut ends.forfeit,
        } += 1;
        if let Some(settled) = result.settled {
            *match settled {
                Settled::Agreed => &mut ends.agreed,
                Settled::First => &mut ends.by_first,
                Settled::Second => &mut ends.by_second,
                Settled::Referee => &mut ends.by_referee,
                Settled::Board => &mut ends.by_board,
            } += 1;
        }
        if let Some([first, second]) = result.disputed {
            ends.disputed += 1;
            ends.winner_disputed += u32::from(first.signum() != second.signum());
        }
    }
    ends
}

fn effort(results: &[GameResult], side: Side) -> EffortReport {
    let mut report = EffortReport::default();
    let (mut cpu, mut cpu_moves, mut wall) = (0.0, 0, 0.0);
    for result in results {
        let effort = result.effort(side);
        report.moves += effort.moves;
        report.slowest_move = report.slowest_move.max(effort.slowest);
        report.forfeits += u32::from(result.is_forfeited_by(side));
        wall += effort.wall;
        if let Some(seconds) = effort.cpu {
            cpu += seconds;
            cpu_moves += effort.moves;
        }
    }
    let per = |seconds: f64, moves: u32| (moves > 0).then(|| seconds / f64::from(moves));
    report.cpu_per_move = per(cpu, cpu_moves);
    report.wall_per_move = per(wall, report.moves);
    report
}

fn plain(tally: Tally) -> String {
    let Tally {
        wins,
        draws,
        losses,
    } = tally;
    match draws {
        0 => format!("{wins}-{losses}"),
        draws => format!("{wins}-{losses}-{draws}"),
    }
}

fn percent(score: Estimate) -> String {
    format!(
        "{:.1} % ({:.1}…{:.1})",
        100.0 * score.value,
        100.0 * score.low,
        100.0 * score.high
    )
}

/// With the larger of the two errors behind ±, as the interval is not quite even.
fn elo(elo: Estimate) -> String {
    if elo.value == f64::INFINITY {
        return format!("> {:+.0}", elo.low);
    }
    if elo.value == f64::NEG_INFINITY {
        return format!("< {:+.0}", elo.high);
    }
    // Zero has a sign that nobody wants to see.
    let value = elo.value.round() + 0.0;
    let error = (elo.high - elo.value).max(elo.value - elo.low);
    format!("{value:+.0} ± {error:.0}")
}
