//! The history of the benchmarks as a picture: a small graph for each.

use std::fmt::Write;

use crate::record::{Rate, Record};

const COLUMNS: usize = 4;
/// A graph, in pixels, and the room for it with its words.
const WIDTH: f64 = 176.0;
const HEIGHT: f64 = 72.0;
const LEFT: f64 = 12.0;
const ABOVE: f64 = 34.0;
const STEP: (f64, f64) = (200.0, 136.0);
/// Where the first row begins.
const TOP: f64 = 44.0;

const SPEED: &str = "#2563eb";
const WORK: &str = "#d97706";

/// What a graph shows of a rate: a number that is the larger, the better.
type Shown = fn(&Rate) -> Option<f64>;

/// Everything that the last record has, each beside its first value.
pub(crate) fn drawn(records: &[Record]) -> String {
    let names: Vec<&str> = records
        .last()
        .map(|last| last.rates.iter().map(|rate| rate.name.as_str()).collect())
        .unwrap_or_default();
    let width = LEFT * 2.0 + STEP.0 * (COLUMNS - 1) as f64 + WIDTH;
    let height = TOP + STEP.1 * names.len().div_ceil(COLUMNS) as f64;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" role=\"img\"\n \
         aria-label=\"Benchmarks over time\" font-family=\"sans-serif\" font-size=\"11\">\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"#fff\"/>\n\
         <text x=\"{LEFT}\" y=\"22\"><tspan fill=\"{SPEED}\">● a second</tspan> \
         <tspan fill=\"{WORK}\">● work for an instruction</tspan> \
         beside the first record, which is the dashed line; up is faster</text>\n"
    );
    for (i, name) in names.iter().enumerate() {
        let x = LEFT + STEP.0 * (i % COLUMNS) as f64;
        let y = TOP + STEP.1 * (i / COLUMNS) as f64;
        graph(&mut svg, records, name, x, y);
    }
    svg += "</svg>\n";
    svg
}

/// The graph of one benchmark, whose upper left corner is there.
fn graph(svg: &mut String, records: &[Record], name: &str, x: f64, y: f64) {
    let rates: Vec<Option<&Rate>> = records
        .iter()
        .map(|record| record.rates.iter().find(|rate| rate.name == name))
        .collect();
    let latest = rates.iter().rev().find_map(|rate| *rate);
    let latest = latest.map_or(0.0, |rate| rate.per_second);
    let shown: [(Shown, &str); 2] = [
        (|rate| Some(rate.per_second), SPEED),
        (|rate| rate.instructions.map(f64::recip), WORK),
    ];
    let lines = shown.map(|(shown, color)| (beside_first(&rates, shown), color));
    let most = lines
        .iter()
        .flat_map(|(line, _)| line)
        .map(|(_, ratio)| *ratio)
        .fold(1.0, f64::max)
        * 1.05;
    let bottom = y + ABOVE + HEIGHT;
    let at = |place: usize, ratio: f64| {
        let share = place as f64 / (records.len().max(2) - 1) as f64;
        (x + WIDTH * share, bottom - HEIGHT * ratio / most)
    };
    let one = at(0, 1.0).1;
    _ = writeln!(
        svg,
        "<text x=\"{x}\" y=\"{:.1}\">{name}</text>\n\
         <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{latest:.0} a second</text>\n\
         <path d=\"M{x} {bottom:.1}h{WIDTH}\" stroke=\"#999\"/>\n\
         <path d=\"M{x} {one:.1}h{WIDTH}\" stroke=\"#999\" stroke-dasharray=\"3 3\"/>",
        y + 22.0,
        x + WIDTH,
        y + 22.0,
    );
    for (line, color) in lines {
        let points: Vec<(f64, f64)> = line
            .iter()
            .map(|(place, ratio)| at(*place, *ratio))
            .collect();
        let path: Vec<String> = points
            .iter()
            .map(|(x, y)| format!("{x:.1},{y:.1}"))
            .collect();
        _ = writeln!(
            svg,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{color}\"/>",
            path.join(" ")
        );
        for (x, y) in points {
            _ = writeln!(
                svg,
                "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"2.5\" fill=\"{color}\"/>"
            );
        }
    }
}

/// Which records have a number, and what it is divided by the first one.
fn beside_first(rates: &[Option<&Rate>], shown: Shown) -> Vec<(usize, f64)> {
    let found = rates.iter().enumerate();
    let numbers: Vec<(usize, f64)> = found
        .filter_map(|(place, rate)| Some((place, shown((*rate)?)?)))
        .collect();
    let first = numbers.first().map_or(1.0, |(_, number)| *number);
    numbers
        .into_iter()
        .map(|(place, number)| (place, number / first))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(per_second: f64, instructions: Option<f64>) -> Record {
        Record {
            date: "2026-11-18".to_owned(),
            commit: "e1c23ff".to_owned(),
            processor: None,
            remark: None,
            rates: vec![Rate {
                name: "steps-9x9".to_owned(),
                per_second,
                instructions,
                signature: "f00d".to_owned(),
            }],
        }
    }

    #[test]
    fn a_graph_has_a_point_for_each_number() {
        let records = [
            record(100.0, None),
            record(200.0, Some(50.0)),
            record(50.0, Some(25.0)),
        ];
        let svg = drawn(&records);
        assert_eq!(svg.matches("<circle").count(), 3 + 2);
        assert!(svg.contains(">steps-9x9<") && svg.contains(">50 a second<"));
    }

    #[test]
    fn numbers_are_divided_by_the_first_that_is_there() {
        let records = [
            record(100.0, None),
            record(200.0, Some(50.0)),
            record(50.0, Some(25.0)),
        ];
        let rates: Vec<Option<&Rate>> = records.iter().map(|record| record.rates.first()).collect();
        let speed = beside_first(&rates, |rate| Some(rate.per_second));
        assert_eq!(speed, [(0, 1.0), (1, 2.0), (2, 0.5)]);
        let work = beside_first(&rates, |rate| rate.instructions.map(f64::recip));
        assert_eq!(work, [(1, 1.0), (2, 2.0)]);
    }

    #[test]
    fn a_history_without_records_is_an_empty_picture() {
        assert!(drawn(&[]).ends_with("</svg>\n"));
    }
}
