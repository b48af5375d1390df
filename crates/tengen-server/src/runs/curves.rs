//! What a training run has done, as curves.

use tengen_app::{
    Curves, FairKomi, FairKomiPoint, Opponent, OpponentPoint, RunMessage, RunTotals, Strength,
};
use tengen_train::{Estimate, Results, Summary};

/// Longer curves than a screen is wide are thinned out.
const MOST: usize = 1000;

/// All that a page draws of a run.
pub(super) fn message(run: &str, summaries: &[Summary]) -> RunMessage {
    let hours = hours(summaries);
    let step = summaries.len().div_ceil(MOST).max(1);
    // The last generation is always there.
    let kept: Vec<usize> = (0..summaries.len())
        .rev()
        .step_by(step)
        .collect::<Vec<_>>()
        .into_iter()
        .rev()
        .collect();
    let each = |value: &dyn Fn(&Summary) -> Option<f64>| -> Vec<Option<f64>> {
        kept.iter().map(|at| value(&summaries[*at])).collect()
    };
    let last = summaries.last();
    RunMessage {
        run: run.to_owned(),
        generations: kept.iter().map(|at| summaries[*at].generation).collect(),
        hours: kept.iter().map(|at| hours[*at]).collect(),
        curves: Curves {
            policy: each(&|summary| Some(summary.losses.policy)),
            value: each(&|summary| Some(summary.losses.value)),
            lead: each(&|summary| Some(summary.losses.lead)),
            ownership: each(&|summary| Some(summary.losses.ownership)),
            games_per_hour: each(&|summary| Some(summary.games_per_hour())),
            moves: each(&|summary| share(summary.played.moves as f64, summary.played.games)),
            black_wins: each(&|summary| {
                let points = summary.played.black_wins as f64 + summary.played.draws as f64 / 2.0;
                share(points, summary.played.games)
            }),
            resignations_wrong: each(&|summary| {
                let played = &summary.played;
                share(
                    played.resignations_wrong as f64,
                    played.resignations_checked,
                )
            }),
        },
        elo: elo(summaries, &hours),
        versus: versus(summaries, &hours),
        fair_komi: fair_komi(summaries, &hours),
        totals: RunTotals {
            generations: summaries.len(),
            games: last.map_or(0, |last| last.games),
            positions: last.map_or(0, |last| last.positions),
            window: last.map_or(0, |last| last.window),
            steps: last.map_or(0, |last| last.steps),
            hours: hours.last().copied().unwrap_or(0.0),
        },
    }
}

fn share(part: f64, all: u64) -> Option<f64> {
    (all > 0).then(|| part / all as f64)
}

/// When each generation ended.
fn hours(summaries: &[Summary]) -> Vec<f64> {
    let mut seconds = 0.0;
    let ends = summaries.iter().map(|summary| {
        seconds += summary.seconds();
        seconds / 3600.0
    });
    ends.collect()
}

/// The strengths of the networks that were measured, beside the first of them.
fn elo(summaries: &[Summary], hours: &[f64]) -> Vec<Strength> {
    let mut names: Vec<String> = Vec::new();
    let mut results = Results::new(0);
    let mut number = |name: &str, results: &mut Results| {
        names
            .iter()
            .position(|known| known == name)
            .unwrap_or_else(|| {
                names.push(name.to_owned());
                results.add_player()
            })
    };
    let mut measured = Vec::new();
    for (summary, hours) in summaries.iter().zip(hours) {
        if summary.versus.is_empty() {
            continue;
        }
        let own = number(&format!("{:06}", summary.generation), &mut results);
        measured.push((own, summary.generation, *hours));
        for versus in &summary.versus {
            let other = number(&versus.name, &mut results);
            let tally = versus.tally;
            for (points, games) in [(1.0, tally.wins), (0.5, tally.draws), (0.0, tally.losses)] {
                for _ in 0..games {
                    // Both players are known.
                    _ = results.add(own, other, points);
                }
            }
        }
    }
    let Some((anchor, ..)) = measured.first() else {
        return Vec::new();
    };
    let ratings = results.ratings();
    let points = measured.iter().filter_map(|(player, generation, hours)| {
        let Estimate { value, error } = ratings.difference(*player, *anchor).ok()?;
        Some(Strength {
            generation: *generation,
            hours: *hours,
            elo: value,
            error,
        })
    });
    points.collect()
}

/// The points against each opponent that is no earlier network.
fn versus(summaries: &[Summary], hours: &[f64]) -> Vec<Opponent> {
    let is_network = |name: &str| name.bytes().all(|letter| letter.is_ascii_digit());
    let results = summaries.iter().zip(hours).flat_map(|(summary, hours)| {
        let others = summary.versus.iter();
        let others = others.filter(|versus| !is_network(&versus.name));
        others.map(move |versus| {
            let tally = versus.tally;
            let point = OpponentPoint {
                generation: summary.generation,
                hours: *hours,
                share: tally.share(),
                games: tally.wins + tally.draws + tally.losses,
            };
            (versus.name.as_str(), point)
        })
    });
    let opponent = |(name, points)| Opponent { name, points };
    grouped(results).map(opponent).collect()
}

/// The komi that each generation takes for fair, by board.
fn fair_komi(summaries: &[Summary], hours: &[f64]) -> Vec<FairKomi> {
    let known = summaries.iter().zip(hours).flat_map(|(summary, hours)| {
        summary.fair_komi.iter().map(move |known| {
            let point = FairKomiPoint {
                generation: summary.generation,
                hours: *hours,
                komi: known.komi,
            };
            (known.size.as_str(), point)
        })
    });
    let board = |(size, points)| FairKomi { size, points };
    grouped(known).map(board).collect()
}

/// The points of each name, in the order in which names appear.
fn grouped<'a, T>(
    points: impl Iterator<Item = (&'a str, T)>,
) -> impl Iterator<Item = (String, Vec<T>)> {
    let mut groups: Vec<(String, Vec<T>)> = Vec::new();
    for (name, point) in points {
        match groups.iter_mut().find(|(known, _)| known == name) {
            Some((_, points)) => points.push(point),
            None => groups.push((name.to_owned(), vec![point])),
        }
    }
    groups.into_iter()
}
