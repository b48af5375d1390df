//! The lines in which an analysis is reported.

use std::fmt::Write;

use tengen_core::{Color, Game, PointMap};
use tengen_search::{Analysis, Candidate, Worth};

/// Whose lines they are like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Dialect {
    /// Leela Zero's: whole numbers up to 10,000.
    Leela,
    /// KataGo's: numbers with a point, and the score.
    Kata,
}

/// What is reported besides the moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    /// The position as a whole.
    Root,
    /// Whose each point will be.
    Ownership,
    /// How sure that is.
    OwnershipSpread,
    /// How often each move of a variation was searched.
    VariationVisits,
    /// Whose each point will be after each move.
    MovesOwnership,
    /// How sure that is.
    MovesOwnershipSpread,
}

/// What a report looks like.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Shape {
    pub(crate) dialect: Dialect,
    pub(crate) parts: Vec<Part>,
    /// So many moves are named even if they were never searched.
    pub(crate) min_moves: usize,
    /// No more moves are named.
    pub(crate) max_moves: usize,
}

impl Shape {
    pub(crate) const fn new(dialect: Dialect) -> Self {
        Self {
            dialect,
            parts: Vec::new(),
            min_moves: 0,
            max_moves: usize::MAX,
        }
    }

    fn has(&self, part: Part) -> bool {
        self.parts.contains(&part)
    }

    /// The report about a position, in one line; `None` if no move can be named.
    pub(crate) fn line(&self, game: &Game, analysis: &Analysis) -> Option<String> {
        let searched = analysis
            .moves
            .iter()
            .filter(|candidate| candidate.visits > 0);
        // The best is named even if there was no time to search it.
        let named = searched.count().max(self.min_moves).max(1);
        let mut moves: Vec<&Candidate> = analysis.moves.iter().collect();
        moves.sort_by_key(|candidate| candidate.visits == 0);
        moves.truncate(named.min(self.max_moves.max(1)));
        if moves.is_empty() {
            return None;
        }
        let mut line = String::new();
        for (order, candidate) in moves.into_iter().enumerate() {
            if order > 0 {
                line.push(' ');
            }
            self.write_move(&mut line, game, candidate, order);
        }
        self.write_rest(&mut line, game, analysis);
        Some(line)
    }

    fn write_move(&self, line: &mut String, game: &Game, candidate: &Candidate, order: usize) {
        let size = game.size();
        let Candidate {
            visits,
            worth,
            lcb,
            prior,
            ..
        } = *candidate;
        let action = candidate.action.to_gtp(size);
        // Nothing can go wrong when a string is written to.
        _ = match self.dialect {
            Dialect::Leela => write!(
                line,
                "info move {action} visits {visits} winrate {} prior {} lcb {} order {order} pv",
                ten_thousandths(worth.win_rate),
                ten_thousandths(prior),
                ten_thousandths(lcb),
            ),
            Dialect::Kata => write!(
                line,
                "info move {action} visits {visits} edgeVisits {visits} {} prior {} lcb {} utilityLcb {} \
                 weight {visits}.0 order {order} pv",
                written_worth(worth),
                decimal(prior),
                decimal(lcb),
                decimal(utility(lcb)),
            ),
        };
        let moves = match &candidate.variation[..] {
            [] => &[candidate.action][..],
            moves => moves,
        };
        for action in moves {
            line.push(' ');
            line.push_str(&action.to_gtp(size));
        }
        if self.has(Part::VariationVisits) {
            line.push_str(" pvVisits");
            for visits in &candidate.variation_visits {
                _ = write!(line, " {visits}");
            }
        }
        let mut board = |key: &str, values: &[f32], sign: f32| {
            _ = write!(line, " {key}");
            for value in values {
                _ = write!(line, " {}", decimal(sign * value));
            }
        };
        if self.has(Part::MovesOwnership) && !candidate.ownership.is_empty() {
            let sign = game.to_move().sign(1) as f32;
            board("movesOwnership", &candidate.ownership, sign);
        }
        if self.has(Part::MovesOwnershipSpread) && !candidate.ownership.is_empty() {
            board("movesOwnershipStdev", &candidate.ownership_spread, 1.0);
        }
    }

    fn write_rest(&self, line: &mut String, game: &Game, analysis: &Analysis) {
        if self.has(Part::Root) {
            let visits = analysis.visits;
            _ = write!(
                line,
                " rootInfo visits {visits} {} weight {visits}.0",
                written_worth(analysis.worth),
            );
        }
        let mut board = |key: &str, values: &PointMap<f32>, sign: f32| {
            _ = write!(line, " {key}");
            for point in &game.size().points() {
                _ = write!(line, " {}", decimal(sign * values[point]));
            }
        };
        if self.has(Part::Ownership) {
            // Ownership is Black's, and clients are told that of the player to move.
            let sign = match analysis.to_move {
                Color::Black => 1.0,
                Color::White => -1.0,
            };
            board("ownership", &analysis.ownership, sign);
        }
        if self.has(Part::OwnershipSpread) {
            board("ownershipStdev", &analysis.ownership_spread, 1.0);
        }
    }
}

/// What something is worth, in KataGo's words. Ours has one lead for its three.
fn written_worth(worth: Worth) -> String {
    let Worth {
        win_rate,
        lead,
        lead_spread,
        ..
    } = worth;
    let lead = decimal(lead);
    format!(
        "utility {} winrate {} scoreMean {lead} scoreStdev {} scoreLead {lead} scoreSelfplay {lead}",
        decimal(utility(win_rate)),
        decimal(win_rate),
        decimal(lead_spread),
    )
}

/// A share of games between a loss at -1 and a win at 1.
fn utility(share: f32) -> f32 {
    2.0 * share - 1.0
}

fn ten_thousandths(share: f32) -> i32 {
    (10_000.0 * share).round() as i32
}

/// A number with a point, by which Sabaki tells shares from ten-thousandths.
pub(crate) fn decimal(number: f32) -> String {
    // Sums can come out as not a number where nothing was searched.
    let number = if number.is_finite() { number } else { 0.0 };
    format!("{number:.6}")
}
