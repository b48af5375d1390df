//! A count with all its parts, for messages.

use serde::Serialize;
use tengen_core::{Color, Game, PointSet, Score, Scoring, Settlement};
use tengen_search::Analysis;

/// A count with all its parts.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ScoreMessage {
    /// What counts.
    pub scoring: ScoringName,
    /// Black's parts.
    pub black: ScoreSide,
    /// White's parts.
    pub white: ScoreSide,
    /// Empty points that belong to nobody.
    pub dame: u32,
    /// By how much Black leads; negative where White does.
    pub margin: f64,
    /// The margin as in `B+3.5`.
    pub text: String,
}

/// One player's part of a count.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ScoreSide {
    /// Living stones.
    pub stones: u32,
    /// Empty points, those of dead stones included.
    pub territory: u32,
    /// Enemy stones that were captured or are dead.
    pub prisoners: u32,
    /// White's komi.
    pub komi: f64,
    /// White's points for Black's handicap stones.
    pub handicap: u16,
    /// The sum of what counts.
    pub total: f64,
}

impl From<&Score> for ScoreMessage {
    fn from(score: &Score) -> Self {
        let side = |color: Color| ScoreSide {
            stones: score.stones[color],
            territory: score.territory[color],
            prisoners: score.prisoners[color],
            komi: match color {
                Color::Black => 0.0,
                Color::White => f64::from(score.komi.halves()) / 2.0,
            },
            handicap: match color {
                Color::Black => 0,
                Color::White => score.compensation,
            },
            total: f64::from(score.halves(color)) / 2.0,
        };
        Self {
            scoring: score.scoring.into(),
            black: side(Color::Black),
            white: side(Color::White),
            dame: score.dame,
            margin: f64::from(score.margin_halves()) / 2.0,
            text: score.to_string(),
        }
    }
}

/// What counts under the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(rename = "Scoring"))]
#[serde(rename_all = "snake_case")]
pub enum ScoringName {
    /// Living stones and empty points.
    Area,
    /// Empty points and prisoners.
    Territory,
    /// Living stones, empty points and prisoners.
    AreaAndPrisoners,
}

impl From<Scoring> for ScoringName {
    fn from(scoring: Scoring) -> Self {
        match scoring {
            Scoring::Area => Self::Area,
            Scoring::Territory => Self::Territory,
            Scoring::AreaAndPrisoners => Self::AreaAndPrisoners,
        }
    }
}

/// What a point must at least belong to somebody to be counted as theirs in an estimate.
const LIKELY: f32 = 0.4;

/// A count of a game that is still going on: empty points go to those who will probably own them.
pub(crate) fn estimate(game: &Game, analysis: &Analysis, settlement: &Settlement) -> Score {
    let mut score = game.score_settled(settlement);
    let open = game.board().empty_points() | settlement.dead;
    let likely = |color: Color| {
        let owned = |point: &_| analysis.ownership[*point] * color.sign(1) as f32 > LIKELY;
        open.iter().filter(owned).count() as u32
    };
    score.territory = Color::BOTH.map(likely).into();
    score.dame = open.len() as u32 - score.territory.black - score.territory.white;
    score
}

/// Points by their names.
pub(crate) fn names(points: &PointSet, size: tengen_core::Size) -> Vec<String> {
    let name = |point: tengen_core::Point| point.to_gtp(size);
    points.iter().map(name).collect()
}
