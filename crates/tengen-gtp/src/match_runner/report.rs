//! How a match stands.

use serde::Serialize;

use super::result::{End, GameResult, Settled};
use super::settings::{MatchSettings, Side};
use super::statistics::{Estimate, Pairs, Sprt, SprtDecision, Tally};

/// How a match stands, as the first player sees it.
#[derive(Clone, Debug, Serialize)]
pub struct Report<'a> {
    /// The names of the players.
    pub names: &'a [String; 2],
    /// How many games have ended.
    pub games: u32,
    /// The games of the first player.
    pub total: Tally,
    /// Those with Black.
    pub as_black: Tally,
    /// Those with White.
    pub as_white: Tally,
    /// The share of the points.
    pub score: Option<Estimate>,
    /// The difference in strength.
    pub elo: Option<Estimate>,
    /// The pairs of games.
    pub pairs: Pairs,
    /// The test of two assumptions, if there is one.
    pub sprt: Option<SprtReport>,
    /// How games ended.
    pub ends: Ends,
    /// What the first player spent.
    pub first: EffortReport,
    /// What the second player spent.
    pub second: EffortReport,
}

/// How a sequential probability ratio test stands.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct SprtReport {
    /// The assumptions.
    #[serde(flatten)]
    pub test: Sprt,
    /// The logarithm of the likelihood ratio.
    pub llr: f64,
    /// Where it decides.
    pub bound: f64,
    /// What it decides.
    pub verdict: SprtDecision,
}

/// How many games ended in which way.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct Ends {
    /// By passes.
    pub passes: u32,
    /// By resignation.
    pub resignation: u32,
    /// At the move limit.
    pub max_moves: u32,
    /// By repetition.
    pub repetition: u32,
    /// On time.
    pub time: u32,
    /// By forfeit.
    pub forfeit: u32,
    /// Dead stones as both players named them.
    pub agreed: u32,
    /// Dead stones as the first player named them.
    pub by_first: u32,
    /// Dead stones as the second player named them.
    pub by_second: u32,
    /// Dead stones as the referee named them.
    pub by_referee: u32,
    /// Counted as the board stood.
    pub by_board: u32,
    /// The players disagreed about dead stones.
    pub disputed: u32,
    /// They disagreed about the winner.
    pub winner_disputed: u32,
}

/// What a player spent, in seconds.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct EffortReport {
    /// The moves that it was asked for.
    pub moves: u32,
    /// CPU time of a move, if it is known.
    pub cpu_per_move: Option<f64>,
    /// Wall-clock time of a move.
    pub wall_per_move: Option<f64>,
    /// The longest that a move took.
    pub slowest_move: f64,
    /// The games that it forfeited.
    pub forfeits: u32,
}

impl<'a> Report<'a> {
    /// How a match with these results stands.
    pub fn of(settings: &'a MatchSettings, results: &[GameResult], sprt: Option<Sprt>) -> Self {
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
                verdict: test.decision(&pairs),
            }),
            ends: ends(results),
            first: effort(results, Side::First),
            second: effort(results, Side::Second),
        }
    }

    /// Has the test of the match been decided?
    pub fn is_decided(&self) -> bool {
        self.sprt
            .is_some_and(|sprt| sprt.verdict != SprtDecision::Open)
    }
}

/// The pairs of which both games are finished.
fn pairs(results: &[GameResult]) -> Pairs {
    let mut pairs = Pairs::default();
    let mut halves: std::collections::BTreeMap<u32, u32> = std::collections::BTreeMap::new();
    for result in results {
        let worth = result.halves(Side::First);
        match halves.remove(&MatchSettings::pair(result.game)) {
            Some(other) => pairs.add((worth + other) as usize),
            None => {
                halves.insert(MatchSettings::pair(result.game), worth);
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
