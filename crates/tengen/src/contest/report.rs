//! How a match stands, in text.

use std::io::{self, Write};

use tengen_gtp::match_runner::{Estimate, GameResult, Report, Side, Sprt, SprtDecision, Tally};

/// One line on how the match stands after a game.
pub(crate) fn line(report: &Report<'_>, last: &GameResult, games: u32) -> String {
    let [first, second] = report.names;
    let black = match last.black {
        Side::First => first,
        Side::Second => second,
    };
    let mut line = format!(
        "{}/{games}  game {}, {black} Black: {}",
        report.games, last.game, last.result
    );
    if let Some(reason) = &last.reason {
        line += &format!(" ({reason})");
    }
    line += &format!(
        "  {first} {}  {}  Elo {}  as Black {}, as White {}",
        plain(report.total),
        report.score.map(percent).unwrap_or_default(),
        report.elo.map(elo).unwrap_or_default(),
        plain(report.as_black),
        plain(report.as_white),
    );
    if let Some(sprt) = report.sprt {
        line += &format!("  LLR {:.2} (±{:.2})", sprt.llr, sprt.bound);
    }
    line
}

/// All about the match, for a person.
pub(crate) fn print(report: &Report<'_>, out: &mut impl Write) -> io::Result<()> {
    let [first, second] = report.names;
    let width = 8 + first.chars().count().max(second.chars().count()).max(12);
    writeln!(out, "{first} against {second}, {} games\n", report.games)?;
    writeln!(
        out,
        "{:width$}  wins draws losses   score (95 % interval)    Elo",
        ""
    )?;
    let rows = [
        (format!("{first}, all"), report.total),
        ("  as Black".to_owned(), report.as_black),
        ("  as White".to_owned(), report.as_white),
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
    for (name, effort) in [(first, report.first), (second, report.second)] {
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
    print_ends(report, out)?;
    if let Some(sprt) = report.sprt {
        let Sprt { elo0, elo1, error } = sprt.test;
        let verdict = match sprt.verdict {
            SprtDecision::AcceptElo0 => format!("{elo0:+} Elo or less"),
            SprtDecision::AcceptElo1 => format!("{elo1:+} Elo or more"),
            SprtDecision::Open => "undecided".to_owned(),
        };
        writeln!(
            out,
            "SPRT of {elo0:+} and {elo1:+} Elo, errors {error}: LLR {:.2} of ±{:.2}, {verdict}",
            sprt.llr, sprt.bound
        )?;
    }
    Ok(())
}

fn print_ends(report: &Report<'_>, out: &mut impl Write) -> io::Result<()> {
    let ends = report.ends;
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
    let [lost_both, .., won_both] = report.pairs.0;
    let [_, lost, even, won, _] = report.pairs.0;
    writeln!(
        out,
        "Pairs of games with 2, 1½, 1, ½, 0 points: {won_both} {won} {even} {lost} {lost_both}"
    )
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
