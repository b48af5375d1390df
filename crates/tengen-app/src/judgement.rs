//! What a search says about a position and its moves: the one place where moves are ranked and losses are told.

use tengen_core::{Color, Move, Size};
use tengen_search::{Analysis, Candidate, Worth};

/// A move can be compared with the others once it has this share of the visits of the one that has most.
const COMPARABLE: f32 = 0.25;

/// How many standard errors are noise: what a move falls behind by less than that is no loss.
const NOISE: f64 = 2.0;

/// The most moves of a variation that are told.
const VARIATION: usize = 12;

/// A move of a variation was searched at least so often: what follows is a guess.
const FOLLOWED: u32 = 2;

/// What a search says about a position. Numbers are Black's.
#[derive(Debug)]
pub(crate) struct Judgement<'a> {
    pub visits: u32,
    /// What the best move leads to: a mean over all moves would count those that nobody would play.
    pub value: Figures,
    /// The moves that were searched. The first has the best lead of those that can be compared.
    pub moves: Vec<Judged<'a>>,
}

/// Numbers of a position or a move, Black's.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Figures {
    pub winrate: f64,
    pub lead: f64,
    /// The standard error of the lead.
    pub error: f64,
}

/// A move that was searched.
#[derive(Debug)]
pub(crate) struct Judged<'a> {
    pub candidate: &'a Candidate,
    pub value: Figures,
    pub loss: Loss,
    /// Was it searched often enough to be compared with the best one?
    pub compared: bool,
}

/// By how many points a move falls behind the best one of the same search.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Loss {
    pub behind: f64,
    /// The standard error of that number.
    pub error: f64,
}

impl Loss {
    /// How many points are lost: none if it may be noise.
    pub(crate) fn points(self) -> f64 {
        match self.behind > NOISE * self.error {
            true => self.behind,
            false => 0.0,
        }
    }
}

/// A number with as many digits as anybody looks at.
pub(crate) fn rounded(value: f64, digits: i32) -> f64 {
    let scale = 10_f64.powi(digits);
    let rounded = (value * scale).round() / scale;
    // No negative zero.
    if rounded == 0.0 { 0.0 } else { rounded }
}

impl Figures {
    fn new(worth: Worth, visits: u32, to_move: Color) -> Self {
        let winrate = match to_move {
            Color::Black => worth.win_rate,
            Color::White => 1.0 - worth.win_rate,
        };
        // As if visits were independent.
        let error = worth.lead_deviation / (visits.max(1) as f32).sqrt();
        Self {
            winrate: rounded(winrate.into(), 4),
            lead: rounded(f64::from(to_move.sign(1) as f32 * worth.lead), 2),
            error: rounded(error.into(), 2),
        }
    }
}

impl<'a> Judgement<'a> {
    pub(crate) fn of(analysis: &'a Analysis) -> Self {
        let to_move = analysis.to_move;
        let searched = analysis.moves.iter().filter(|moved| moved.visits > 0);
        let most = searched.clone().map(|moved| moved.visits).max();
        let enough = COMPARABLE * most.unwrap_or(0) as f32;
        let mut moves: Vec<Judged<'a>> = searched
            .map(|candidate| Judged {
                value: Figures::new(candidate.worth, candidate.visits, to_move),
                loss: Loss::default(),
                compared: candidate.visits as f32 >= enough,
                candidate,
            })
            .collect();
        let sign = f64::from(to_move.sign(1) as f32);
        // The order of the search decides between equal leads, and about moves that cannot be compared.
        moves.sort_by(|a, b| {
            let leads = || (sign * b.value.lead).total_cmp(&(sign * a.value.lead));
            let by_lead = b.compared.cmp(&a.compared);
            by_lead.then_with(|| match a.compared {
                true => leads(),
                false => std::cmp::Ordering::Equal,
            })
        });
        let value = moves.first().map_or_else(
            || Figures::new(analysis.worth, analysis.visits, to_move),
            |best| best.value,
        );
        for (rank, moved) in moves.iter_mut().enumerate() {
            if rank > 0 {
                moved.loss = Loss {
                    behind: rounded((sign * (value.lead - moved.value.lead)).max(0.0), 2),
                    error: rounded(value.error.hypot(moved.value.error), 2),
                };
            }
        }
        Self {
            visits: analysis.visits,
            value,
            moves,
        }
    }

    /// The best move: a pass if nothing was searched.
    pub(crate) fn best(&self) -> Move {
        self.moves
            .first()
            .map_or(Move::Pass, |best| best.candidate.action)
    }

    /// What is said about a move, if it was searched.
    pub(crate) fn about(&self, action: Move) -> Option<&Judged<'a>> {
        self.moves
            .iter()
            .find(|moved| moved.candidate.action == action)
    }

    /// The moves that are expected, the best one first.
    pub(crate) fn variation(&self, size: Size) -> Vec<String> {
        let best = self.moves.first();
        best.map_or_else(
            || vec![Move::Pass.to_gtp(size)],
            |best| best.variation(size),
        )
    }
}

impl Judged<'_> {
    /// The moves that are expected to follow, this one first.
    pub(crate) fn line(&self) -> &[Move] {
        let Candidate {
            variation,
            variation_visits,
            ..
        } = self.candidate;
        let followed = variation_visits
            .iter()
            .take_while(|visits| **visits >= FOLLOWED);
        let count = followed.count().clamp(1, VARIATION);
        &variation[..count.min(variation.len())]
    }

    /// The same by their names.
    pub(crate) fn variation(&self, size: Size) -> Vec<String> {
        self.line()
            .iter()
            .map(|action| action.to_gtp(size))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use tengen_core::{Point, PointMap};

    use super::*;

    fn candidate(x: u8, visits: u32, lead: f32) -> Candidate {
        let action = Move::Play(Point::new(x, 0));
        Candidate {
            action,
            visits,
            selection: visits as f32,
            worth: Worth {
                win_rate: 0.5,
                lead,
                lead_spread: 30.0,
                lead_deviation: 10.0,
            },
            lcb: 0.4,
            prior: 0.1,
            variation: vec![action],
            variation_visits: vec![visits],
            ownership: Vec::new(),
            ownership_spread: Vec::new(),
        }
    }

    fn analysis(to_move: Color, moves: Vec<Candidate>) -> Analysis {
        Analysis {
            to_move,
            visits: moves.iter().map(|moved| moved.visits).sum(),
            worth: Worth::default(),
            moves,
            ownership: PointMap::new(0.0),
            ownership_spread: PointMap::new(0.0),
        }
    }

    #[test]
    fn the_first_move_has_the_best_numbers_of_those_that_can_be_compared() {
        for to_move in Color::BOTH {
            let moves = vec![
                candidate(0, 1000, 1.0),
                candidate(1, 400, 3.0),
                candidate(2, 10, 9.0),
                candidate(3, 500, -2.0),
            ];
            let found = analysis(to_move, moves);
            let judgement = Judgement::of(&found);
            let order: Vec<u8> = judgement
                .moves
                .iter()
                .filter_map(|moved| Some(moved.candidate.action.point()?.x()))
                .collect();
            assert_eq!(order, [1, 0, 3, 2]);
            assert_eq!(judgement.value.lead, f64::from(to_move.sign(3) as f32));
            let lost: Vec<f64> = judgement
                .moves
                .iter()
                .map(|one| one.loss.points())
                .collect();
            // Two points are 3.4 standard errors here; a move that was hardly searched loses nothing.
            assert_eq!(lost, [0.0, 2.0, 5.0, 0.0]);
        }
    }

    #[test]
    fn what_is_within_the_noise_is_no_loss() {
        let loss = |behind, error| Loss { behind, error }.points();
        assert_eq!(loss(1.0, 0.6), 0.0);
        assert_eq!(loss(1.3, 0.6), 1.3);
        assert_eq!(loss(0.0, 0.0), 0.0);
    }

    #[test]
    fn a_position_without_a_search_has_no_moves() {
        let found = analysis(Color::White, Vec::new());
        let judgement = Judgement::of(&found);
        assert_eq!(judgement.best(), Move::Pass);
        assert!(judgement.about(Move::Pass).is_none());
    }
}
