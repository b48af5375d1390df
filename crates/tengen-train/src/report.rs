//! A page with curves of what a run has done.

use std::fmt::Write;

use crate::config::Config;
use crate::elo::{Estimate, Results};
use crate::log::{Log, Summary};
use crate::records::Exam;

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 220.0;
const MARGIN: f64 = 44.0;

/// One curve.
struct Curve {
    name: String,
    color: &'static str,
    /// Where it is, and how far the truth may be from there.
    points: Vec<(f64, f64, f64)>,
}

/// Colours that people with any kind of sight can tell apart, on white.
const COLORS: [&str; 5] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#555555"];

/// The axis that all pictures have in common: the time of the whole run.
#[derive(Clone, Copy)]
struct Axis {
    unit: &'static str,
    /// Units in an hour.
    per_hour: f64,
    /// Where it ends, in units.
    end: f64,
}

impl Axis {
    fn of(hours: f64) -> Self {
        let (unit, per_hour) = if hours < 1.0 {
            ("minutes", 60.0)
        } else {
            ("hours", 1.0)
        };
        let end = (hours * per_hour).max(1e-6);
        Self {
            unit,
            per_hour,
            end,
        }
    }
}

/// The page of a run with this name.
pub(crate) fn report(name: &str, config: &Config, log: &Log) -> String {
    let summaries = log.summaries();
    let name = escaped(name);
    let mut page = format!(
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<title>{name}: training run</title>\n"
    );
    page += "<style>\n\
         body { font: 16px/1.5 system-ui, sans-serif; max-width: 44rem; margin: 2rem auto; \
         padding: 0 1rem; color: #222 }\n\
         table { border-collapse: collapse } td, th { padding: 0 .7em 0 0; text-align: right }\n\
         th { font-weight: 600 }\n\
         svg { width: 100%; height: auto } figcaption { font-weight: 600 } figure { margin: 1.5rem 0 }\n\
         pre { overflow-x: auto; background: #f6f6f6; padding: .7em }\n</style>\n";
    let hours = log.seconds() / 3600.0;
    let last = summaries.last();
    // Writing to a string does not fail.
    let _ = write!(
        page,
        "<h1>{name}</h1>\n<p>A network of {} blocks of {} channels; \
         {} generations, {} games, {} positions, {} steps, {hours:.1} hours.</p>\n",
        config.network.blocks,
        config.network.channels,
        summaries.len(),
        last.map_or(0, |summary| summary.games),
        last.map_or(0, |summary| summary.positions),
        last.map_or(0, |summary| summary.steps),
    );
    if let Ok(settings) = toml::to_string(config) {
        let settings = escaped(&settings);
        let _ = writeln!(
            page,
            "<details><summary>Settings</summary><pre>{settings}</pre></details>"
        );
    }
    let axis = Axis::of(hours);
    let by_hour = hours_at(summaries);
    let curve = |name: &str, color: usize, value: &dyn Fn(&Summary) -> Option<f64>| Curve {
        name: name.to_owned(),
        color: COLORS[color % COLORS.len()],
        points: by_hour
            .iter()
            .zip(summaries)
            .filter_map(|(hour, summary)| Some((*hour, value(summary)?, 0.0)))
            .collect(),
    };
    figure(
        &mut page,
        axis,
        "How wrong it is: policy as divergence from what it should be, 0 being perfect",
        &[
            curve("policy", 0, &|summary| Some(summary.losses.policy)),
            curve("value", 1, &|summary| Some(summary.losses.value)),
            curve("lead", 2, &|summary| Some(summary.losses.lead)),
            curve("ownership", 3, &|summary| Some(summary.losses.ownership)),
        ],
    );
    let share = |value: &dyn Fn(&Exam) -> f64, summary: &Summary| {
        summary.exam.as_ref().map(|exam| 100.0 * value(exam))
    };
    figure(
        &mut page,
        axis,
        "Games held out, %",
        &[
            curve("top-1", 0, &|summary| share(&|exam| exam.top1, summary)),
            curve("top-5", 1, &|summary| share(&|exam| exam.top5, summary)),
            curve("winner", 2, &|summary| share(&|exam| exam.winner, summary)),
            curve("calibration error", 3, &|summary| {
                share(&|exam| exam.calibration_error, summary)
            }),
        ],
    );
    figure(
        &mut page,
        axis,
        "Positions a second, while it learns",
        &[curve("positions", 0, &|summary| {
            (summary.learned > 0).then(|| summary.examples_per_second())
        })],
    );
    if let Some(exam) = summaries
        .iter()
        .rev()
        .find_map(|summary| summary.exam.as_ref())
    {
        page += &exam_tables(exam);
    }
    let (strengths, table) = strengths(summaries, &by_hour);
    figure(&mut page, axis, "Strength (Elo)", &[strengths]);
    page += &table;
    let mut opponents: Vec<&str> = Vec::new();
    for versus in summaries.iter().flat_map(|summary| &summary.versus) {
        if versus.name.starts_with("rollouts") && !opponents.contains(&versus.name.as_str()) {
            opponents.push(&versus.name);
        }
    }
    let shares: Vec<Curve> = opponents
        .iter()
        .enumerate()
        .map(|(number, name)| {
            curve(&format!("points against {name}, %"), number, &|summary| {
                let versus = summary.versus.iter().find(|versus| versus.name == *name)?;
                Some(100.0 * versus.tally.share())
            })
        })
        .collect();
    figure(
        &mut page,
        axis,
        "Against the search without a network",
        &shares,
    );
    figure(
        &mut page,
        axis,
        "Games an hour, while it plays",
        &[curve("games", 0, &|summary| Some(summary.games_per_hour()))],
    );
    figure(
        &mut page,
        axis,
        "Moves of a game",
        &[curve("moves", 0, &|summary| {
            Some(summary.played.moves as f64 / summary.played.games.max(1) as f64)
        })],
    );
    figure(
        &mut page,
        axis,
        "Games that Black wins, %",
        &[curve("Black", 0, &|summary| {
            let played = &summary.played;
            let points = played.black_wins as f64 + played.draws as f64 / 2.0;
            Some(100.0 * points / played.games.max(1) as f64)
        })],
    );
    figure(
        &mut page,
        axis,
        "Players who would have given up and did not lose, %",
        &[curve("wrong", 1, &|summary| {
            let played = &summary.played;
            let checked = played.resignations_checked;
            (checked > 0).then(|| 100.0 * played.resignations_wrong as f64 / checked as f64)
        })],
    );
    let mut boards: Vec<&str> = Vec::new();
    for known in summaries.iter().flat_map(|summary| &summary.fair_komi) {
        if !boards.contains(&known.size.as_str()) {
            boards.push(&known.size);
        }
    }
    let komis: Vec<Curve> = boards
        .iter()
        .enumerate()
        .map(|(number, size)| {
            curve(size, number, &|summary| {
                let known = summary.fair_komi.iter().find(|known| known.size == *size)?;
                summary.knows_who_wins().then(|| f64::from(known.komi))
            })
        })
        .collect();
    figure(&mut page, axis, "Komi that it takes for fair", &komis);
    page += "</html>\n";
    page
}

/// A text as it may stand in a page.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('"', "&quot;")
}

/// What the network knew at its last exam, by phase of the game, and what its win rates were worth.
fn exam_tables(exam: &Exam) -> String {
    let mut tables = String::from(
        "<h2>The last exam</h2>\n<table><tr><th>from move<th>positions<th>top-1 %<th>top-5 %<th>winner %</tr>\n",
    );
    for phase in &exam.phases {
        let _ = writeln!(
            tables,
            "<tr><td>{}<td>{}<td>{:.1}<td>{:.1}<td>{:.1}</tr>",
            phase.from + 1,
            phase.positions,
            100.0 * phase.top1,
            100.0 * phase.top5,
            100.0 * phase.winner
        );
    }
    tables += "</table>\n<table><tr><th>win rate %<th>positions<th>won %</tr>\n";
    for bin in &exam.bins {
        let _ = writeln!(
            tables,
            "<tr><td>{:.1}<td>{}<td>{:.1}</tr>",
            100.0 * bin.said,
            bin.positions,
            100.0 * bin.won
        );
    }
    tables += "</table>\n";
    tables
}

/// When each generation ended, in hours.
fn hours_at(summaries: &[Summary]) -> Vec<f64> {
    let mut seconds = 0.0;
    let ends = summaries.iter().map(|summary| {
        seconds += summary.seconds();
        seconds / 3600.0
    });
    ends.collect()
}

/// The strength of each network that was measured, beside the first one; as a curve and as a table.
fn strengths(summaries: &[Summary], by_hour: &[f64]) -> (Curve, String) {
    let mut names: Vec<String> = Vec::new();
    let mut results = Results::new(0);
    let mut number =
        |name: &str, results: &mut Results| match names.iter().position(|own| own == name) {
            Some(number) => number,
            None => {
                names.push(name.to_owned());
                results.add_player()
            }
        };
    let mut measured = Vec::new();
    for (summary, hour) in summaries.iter().zip(by_hour) {
        if summary.versus.is_empty() {
            continue;
        }
        let own = number(&format!("{:06}", summary.generation), &mut results);
        measured.push((own, *hour, summary.generation));
        for versus in &summary.versus {
            let other = number(&versus.name, &mut results);
            let tally = versus.tally;
            for (points, games) in [(1.0, tally.wins), (0.5, tally.draws), (0.0, tally.losses)] {
                for _ in 0..games {
                    // Both players are known.
                    let _ = results.add(own, other, points);
                }
            }
        }
    }
    let ratings = results.ratings();
    let anchor = measured.first().map_or(0, |(own, ..)| *own);
    let rating = |player: usize| {
        let unknown = Estimate {
            value: 0.0,
            error: 0.0,
        };
        ratings.difference(player, anchor).unwrap_or(unknown)
    };
    let mut table = String::new();
    if !measured.is_empty() {
        table += "<table><tr><th>player<th>Elo<th>±</tr>\n";
        for (player, name) in names.iter().enumerate() {
            let Estimate { value, error } = rating(player);
            let _ = writeln!(table, "<tr><td>{name}<td>{value:.0}<td>{error:.0}</tr>");
        }
        table += "</table>\n";
    }
    let curve = Curve {
        name: "network".to_owned(),
        color: COLORS[0],
        points: measured
            .iter()
            .map(|(player, hour, _)| {
                let Estimate { value, error } = rating(*player);
                (*hour, value, error)
            })
            .collect(),
    };
    (curve, table)
}

/// Round numbers between two others, three to six of them.
fn ticks(low: f64, high: f64) -> Vec<f64> {
    let rough = ((high - low) / 4.0).max(f64::MIN_POSITIVE);
    let magnitude = 10_f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0]
        .map(|factor| factor * magnitude)
        .into_iter()
        .find(|step| *step >= rough)
        .unwrap_or(rough);
    let (first, last) = ((low / step).ceil() as i64, (high / step).floor() as i64);
    (first..=last).map(|number| number as f64 * step).collect()
}

/// Adds a picture of curves over the time of the run.
fn figure(page: &mut String, axis: Axis, caption: &str, curves: &[Curve]) {
    let points = || curves.iter().flat_map(|curve| &curve.points);
    if points().count() < 2 {
        return;
    }
    let low = points()
        .map(|(_, y, error)| y - error)
        .fold(f64::INFINITY, f64::min)
        .min(0.0);
    let high = points()
        .map(|(_, y, error)| y + error)
        .fold(f64::NEG_INFINITY, f64::max);
    let high = if high > low { high } else { low + 1.0 };
    let x_of = |hours: f64| MARGIN + hours * axis.per_hour / axis.end * (WIDTH - 2.0 * MARGIN);
    let y_of = |y: f64| HEIGHT - MARGIN / 2.0 - (y - low) / (high - low) * (HEIGHT - MARGIN);
    let _ = write!(
        page,
        "<figure><figcaption>{caption}</figcaption>\n\
         <svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"{caption}\">\n"
    );
    for value in ticks(low, high) {
        let y = y_of(value);
        let _ = writeln!(
            page,
            "<line x1=\"{MARGIN}\" x2=\"{}\" y1=\"{y:.1}\" y2=\"{y:.1}\" stroke=\"#ddd\"/>\
             <text x=\"{}\" y=\"{:.1}\" font-size=\"11\" text-anchor=\"end\">{}</text>",
            WIDTH - MARGIN,
            MARGIN - 4.0,
            y + 4.0,
            round(value)
        );
    }
    for value in ticks(0.0, axis.end) {
        let x = x_of(value / axis.per_hour);
        let unit = if value == 0.0 { axis.unit } else { "" };
        let _ = writeln!(
            page,
            "<line x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"{}\" y2=\"{}\" stroke=\"#999\"/>\
             <text x=\"{x:.1}\" y=\"{}\" font-size=\"11\" text-anchor=\"middle\">{} {unit}</text>",
            HEIGHT - MARGIN / 2.0,
            HEIGHT - MARGIN / 2.0 + 4.0,
            HEIGHT - 4.0,
            round(value)
        );
    }
    for (number, curve) in curves.iter().enumerate() {
        let color = curve.color;
        let line: Vec<String> = curve
            .points
            .iter()
            .map(|(x, y, _)| format!("{:.1},{:.1}", x_of(*x), y_of(*y)))
            .collect();
        let _ = writeln!(
            page,
            "<polyline fill=\"none\" stroke=\"{color}\" stroke-width=\"1.5\" points=\"{}\"/>",
            line.join(" ")
        );
        for (x, y, error) in curve.points.iter().filter(|(.., error)| *error > 0.0) {
            let _ = writeln!(
                page,
                "<line x1=\"{0:.1}\" x2=\"{0:.1}\" y1=\"{1:.1}\" y2=\"{2:.1}\" stroke=\"{color}\"/>",
                x_of(*x),
                y_of(y - error),
                y_of(y + error)
            );
        }
        let last = curve.points.last().map_or(0.0, |(_, y, _)| *y);
        let _ = writeln!(
            page,
            "<text x=\"{}\" y=\"12\" font-size=\"12\" fill=\"{color}\">{} {}</text>",
            MARGIN + 150.0 * number as f64,
            curve.name,
            short(last)
        );
    }
    *page += "</svg></figure>\n";
}

/// A round number, with the digits that it has.
fn round(value: f64) -> String {
    let text = format!("{value:.6}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0" } else { text }.to_owned()
}

/// A number in few digits.
fn short(value: f64) -> String {
    match value.abs() {
        size if size >= 100.0 => format!("{value:.0}"),
        size if size >= 10.0 => format!("{value:.1}"),
        _ => format!("{value:.2}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_inside() {
        for (low, high, expected) in [
            (0.0, 1.0, "0 0.5 1"),
            (0.0, 3.37, "0 1 2 3"),
            (-12.0, 95.0, "0 50"),
            (0.0, 0.031, "0 0.01 0.02 0.03"),
            (-230.0, 1480.0, "0 500 1000"),
        ] {
            let found: Vec<String> = ticks(low, high).into_iter().map(round).collect();
            assert_eq!(found.join(" "), expected, "{low} to {high}");
        }
    }

    #[test]
    fn a_short_run_has_minutes() {
        assert_eq!(Axis::of(0.25).unit, "minutes");
        assert!((Axis::of(0.25).end - 15.0).abs() < 1e-9);
        assert_eq!(Axis::of(2.0).unit, "hours");
    }
}
