//! What was found, as the client wants to read it.

use serde::Serialize;
use tengen_core::{Board, Color, Game, Move, PointMap, RepetitionEffect, Setup, Symmetry};
use tengen_search::{Analysis, Candidate, Raw, Worth};

use super::request::Job;
use super::twins::Twins;

/// What a query may want beyond the usual.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extra {
    /// Whose each point will be.
    Ownership,
    /// How sure that is.
    OwnershipSpread,
    /// Whose each point will be after each move.
    MovesOwnership,
    /// How sure that is.
    MovesOwnershipSpread,
    /// How likely each move seemed before the search.
    Policy,
    /// How often each move of a variation was searched.
    VariationVisits,
    /// How likely the game is to be void.
    NoResult,
}

impl Extra {
    /// All of them.
    pub const ALL: [Self; 7] = [
        Self::Ownership,
        Self::OwnershipSpread,
        Self::MovesOwnership,
        Self::MovesOwnershipSpread,
        Self::Policy,
        Self::VariationVisits,
        Self::NoResult,
    ];

    /// The field of a query that asks for it.
    pub const fn field(self) -> &'static str {
        match self {
            Self::Ownership => "includeOwnership",
            Self::OwnershipSpread => "includeOwnershipStdev",
            Self::MovesOwnership => "includeMovesOwnership",
            Self::MovesOwnershipSpread => "includeMovesOwnershipStdev",
            Self::Policy => "includePolicy",
            Self::VariationVisits => "includePVVisits",
            Self::NoResult => "includeNoResultValue",
        }
    }
}

/// Which extras a query wants.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Extras(u8);

impl Extras {
    /// Is it among them?
    pub const fn contains(self, extra: Extra) -> bool {
        self.0 & (1 << extra as u8) != 0
    }

    /// Adds one.
    pub const fn insert(&mut self, extra: Extra) {
        self.0 |= 1 << extra as u8;
    }
}

/// An answer about one position.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Answer {
    id: String,
    turn_number: usize,
    is_during_search: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    no_results: Option<bool>,
    #[serde(flatten)]
    findings: Option<Findings>,
}

#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Findings {
    move_infos: Vec<MoveInfo>,
    root_info: RootInfo,
    #[serde(skip_serializing_if = "Option::is_none")]
    ownership: Option<Vec<f32>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ownership_stdev: Option<Vec<f32>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    policy: Option<Vec<f32>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    human_policy: Option<Vec<f32>>,
}

#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct MoveInfo {
    #[serde(rename = "move")]
    action: String,
    visits: u32,
    edge_visits: u32,
    /// All visits weigh the same here.
    weight: f32,
    edge_weight: f32,
    /// What moves are put in order by.
    play_selection_value: f32,
    #[serde(flatten)]
    values: Values,
    /// The lead once more, under the name that older tools read.
    score_mean: f32,
    lcb: f32,
    utility_lcb: f32,
    prior: f32,
    #[serde(skip_serializing_if = "Option::is_none")]
    human_prior: Option<f32>,
    order: usize,
    /// The move that was searched in its place, of which it is the mirror image.
    #[serde(skip_serializing_if = "Option::is_none")]
    is_symmetry_of: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    no_result_value: Option<f32>,
    pv: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pv_visits: Option<Vec<u32>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pv_edge_visits: Option<Vec<u32>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ownership: Option<Vec<f32>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ownership_stdev: Option<Vec<f32>>,
}

#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct RootInfo {
    current_player: char,
    visits: u32,
    weight: f32,
    #[serde(flatten)]
    values: Values,
    #[serde(flatten)]
    raw: Option<RawValues>,
    #[serde(flatten)]
    human: Option<HumanValues>,
    this_hash: String,
    sym_hash: String,
}

/// What the network says without a search, seen from the side that was asked for, as far as it says it.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct RawValues {
    raw_winrate: f32,
    raw_lead: f32,
    raw_score_selfplay: f32,
    raw_no_result_prob: f32,
    #[serde(skip_serializing_if = "Option::is_none")]
    raw_score_selfplay_stdev: Option<f32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    raw_st_wr_error: Option<f32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    raw_st_score_error: Option<f32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    raw_var_time_left: Option<f32>,
}

/// The same of a network that imitates people.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct HumanValues {
    human_winrate: f32,
    human_score_mean: f32,
    #[serde(skip_serializing_if = "Option::is_none")]
    human_score_stdev: Option<f32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    human_st_wr_error: Option<f32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    human_st_score_error: Option<f32>,
}

impl From<RawValues> for HumanValues {
    fn from(raw: RawValues) -> Self {
        Self {
            human_winrate: raw.raw_winrate,
            human_score_mean: raw.raw_score_selfplay,
            human_score_stdev: raw.raw_score_selfplay_stdev,
            human_st_wr_error: raw.raw_st_wr_error,
            human_st_score_error: raw.raw_st_score_error,
        }
    }
}

/// What is known of a position before it is searched.
#[derive(Debug, Default)]
pub(super) struct Before {
    /// What the network says, if there is one.
    pub(super) raw: Option<Raw>,
    /// What one says that imitates people.
    pub(super) people: Option<Raw>,
    /// Moves that are not searched, since they are others turned.
    pub(super) twins: Twins,
}

/// What a position or a move is worth, seen from the side that was asked for.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Values {
    winrate: f32,
    score_lead: f32,
    score_selfplay: f32,
    score_stdev: f32,
    utility: f32,
}

/// When an answer is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Moment {
    During,
    After,
}

/// Turns numbers that the player to move sees into those of the side that was asked for.
#[derive(Clone, Copy)]
struct View {
    same_side: bool,
    /// What turns Black's ownership into that of the side.
    sign: f32,
}

impl View {
    const fn rate(self, rate: f32) -> f32 {
        if self.same_side { rate } else { 1.0 - rate }
    }

    fn points(self, points: f32) -> f32 {
        // Adding zero turns a negative one into a positive one, which reads better.
        if self.same_side {
            points
        } else {
            -points + 0.0
        }
    }

    /// What the network says about a position where this player is to move.
    fn raw(self, to_move: Color, raw: &Raw) -> RawValues {
        let sign = to_move.sign(1) as f32;
        RawValues {
            raw_winrate: self.rate(raw.wins[to_move]),
            raw_lead: self.points(sign * raw.black_lead),
            raw_score_selfplay: self.points(sign * raw.black_score.unwrap_or(raw.black_lead)),
            raw_no_result_prob: raw.no_result,
            raw_score_selfplay_stdev: raw.score_spread,
            raw_st_wr_error: raw.win_error,
            raw_st_score_error: raw.score_error,
            raw_var_time_left: raw.time_left,
        }
    }

    fn values(self, worth: &Worth) -> Values {
        let winrate = self.rate(worth.win_rate);
        let lead = self.points(worth.lead);
        Values {
            winrate,
            score_lead: lead,
            score_selfplay: lead,
            score_stdev: worth.lead_spread,
            utility: utility(winrate),
        }
    }
}

/// What winning so often is worth between a sure loss, -1, and a sure win, 1.
const fn utility(winrate: f32) -> f32 {
    2.0 * winrate - 1.0
}

impl Answer {
    /// What was found about the position of a job.
    pub(super) fn of(job: &Job, game: &Game, before: &Before, analysis: &Analysis) -> Self {
        Self::at(Moment::After, job, game, before, analysis)
    }

    /// What was found so far.
    pub(super) fn so_far(job: &Job, game: &Game, before: &Before, analysis: &Analysis) -> Self {
        Self::at(Moment::During, job, game, before, analysis)
    }

    fn at(moment: Moment, job: &Job, game: &Game, before: &Before, analysis: &Analysis) -> Self {
        Self {
            id: job.id.clone(),
            turn_number: job.turn,
            is_during_search: moment == Moment::During,
            no_results: None,
            findings: Some(Findings::of(job, game, before, analysis)),
        }
    }

    /// A job that was ended before anything was found.
    pub fn none(job: &Job) -> Self {
        Self {
            id: job.id.clone(),
            turn_number: job.turn,
            is_during_search: false,
            no_results: Some(true),
            findings: None,
        }
    }
}

impl Findings {
    fn of(job: &Job, game: &Game, before: &Before, analysis: &Analysis) -> Self {
        let Before { raw, people, twins } = before;
        let to_move = analysis.to_move;
        let side = job.perspective.color(analysis.to_move);
        let view = View {
            same_side: side == analysis.to_move,
            sign: side.sign(1) as f32,
        };
        let wants = |extra| job.extras.contains(extra);
        let human_policy = people.as_ref().map(|people| likely(&people.policy));
        let mut move_infos = Vec::new();
        for found in analysis.moves.iter().filter(|found| found.visits > 0) {
            let all = [found.clone()].into_iter().chain(twins.copies(found));
            for (copy, found_there) in all.enumerate() {
                let mut info = MoveInfo::of(job, game, view, move_infos.len(), &found_there);
                let place = match found_there.action {
                    Move::Play(point) => game.size().index(point),
                    Move::Pass => game.size().area(),
                };
                let prior = human_policy.as_ref().and_then(|policy| policy.get(place));
                info.human_prior = prior.copied();
                info.is_symmetry_of = (copy > 0).then(|| found.action.to_gtp(game.size()));
                move_infos.push(info);
            }
        }
        Self {
            move_infos,
            root_info: RootInfo {
                current_player: analysis.to_move.letter(),
                visits: analysis.visits,
                weight: analysis.visits as f32,
                values: view.values(&analysis.worth),
                raw: raw.as_ref().map(|raw| view.raw(to_move, raw)),
                human: people
                    .as_ref()
                    .map(|people| view.raw(to_move, people).into()),
                this_hash: hash_text(position_hash(&game.position())),
                sym_hash: hash_text(symmetric_hash(&game.position())),
            },
            ownership: wants(Extra::Ownership)
                .then(|| row_by_row(game, &analysis.ownership, |owner| view.sign * owner + 0.0)),
            ownership_stdev: wants(Extra::OwnershipSpread)
                .then(|| row_by_row(game, &analysis.ownership_spread, |spread| spread)),
            policy: wants(Extra::Policy).then(|| match raw {
                // The search does not know of moves that it was kept from.
                Some(raw) if job.prunes_symmetries => likely(&raw.policy),
                _ => policy(game, analysis),
            }),
            human_policy: human_policy.filter(|_| wants(Extra::Policy)),
        }
    }
}

impl MoveInfo {
    fn of(job: &Job, game: &Game, view: View, order: usize, found: &Candidate) -> Self {
        let size = game.size();
        let lcb = view.rate(found.lcb);
        let values = view.values(&found.worth);
        let length = 1 + job.variation_length;
        let visits = || {
            found
                .variation_visits
                .iter()
                .take(length)
                .copied()
                .collect()
        };
        let wants = |extra| job.extras.contains(extra);
        // Reports of void games were refused where the rules know them.
        let is_never_void = game.rules().repetition.effect != RepetitionEffect::NoResult;
        MoveInfo {
            action: found.action.to_gtp(size),
            visits: found.visits,
            edge_visits: found.visits,
            weight: found.visits as f32,
            edge_weight: found.visits as f32,
            play_selection_value: found.selection,
            values,
            score_mean: values.score_lead,
            lcb,
            utility_lcb: utility(lcb),
            prior: found.prior,
            human_prior: None,
            order,
            is_symmetry_of: None,
            no_result_value: (wants(Extra::NoResult) && is_never_void).then_some(0.0),
            pv: found
                .variation
                .iter()
                .take(length)
                .map(|action| action.to_gtp(size))
                .collect(),
            pv_visits: wants(Extra::VariationVisits).then(visits),
            pv_edge_visits: wants(Extra::VariationVisits).then(visits),
            ownership: wants(Extra::MovesOwnership).then(|| {
                let owners = found.ownership.iter();
                owners.map(|owner| view.sign * owner + 0.0).collect()
            }),
            ownership_stdev: wants(Extra::MovesOwnershipSpread)
                .then(|| found.ownership_spread.clone()),
        }
    }
}

/// What a network finds likely, -1 for illegal moves.
fn likely(policy: &[Option<f32>]) -> Vec<f32> {
    policy.iter().map(|share| share.unwrap_or(-1.0)).collect()
}

/// The values of all points, from the top left corner row by row.
fn row_by_row<T: Copy>(game: &Game, map: &PointMap<T>, value: impl Fn(T) -> f32) -> Vec<f32> {
    let points = game.size().points();
    points.iter().map(|point| value(map[point])).collect()
}

/// How likely each move seemed before the search, -1 for illegal ones; the pass comes last.
fn policy(game: &Game, analysis: &Analysis) -> Vec<f32> {
    let legal = game.legal_moves();
    let mut prior = PointMap::new(0.0);
    let mut pass = 0.0;
    for found in &analysis.moves {
        match found.action {
            Move::Play(point) => prior[point] = found.prior,
            Move::Pass => pass = found.prior,
        }
    }
    let points = game.size().points();
    points
        .iter()
        .map(|point| {
            if legal.contains(point) {
                prior[point]
            } else {
                -1.0
            }
        })
        .chain([pass])
        .collect()
}

/// A number for a board, the player to move and the point that simple ko forbids.
fn position_hash(position: &Setup) -> u128 {
    let stones = position.board().as_ref().map_or(0, Board::hash);
    let player = match position.to_move {
        Color::Black => 1,
        Color::White => 2,
    };
    let ko = position
        .ko
        .map_or(0, |ko| 1 + u64::from(ko.x()) + 32 * u64::from(ko.y()));
    let size = u64::from(position.size.width()) + 32 * u64::from(position.size.height());
    let rest = size | player << 10 | ko << 12;
    u128::from(mix(stones ^ mix(rest))) << 64 | u128::from(mix(stones.rotate_left(32) ^ rest))
}

/// The least of the numbers of all positions that are this one turned or mirrored.
fn symmetric_hash(position: &Setup) -> u128 {
    Symmetry::all()
        .map(|symmetry| position_hash(&position.transformed(symmetry)))
        .min()
        .unwrap_or_default()
}

/// Spreads every bit over the whole word: a multiplication, and shifts that make it affect the low bits.
const fn mix(word: u64) -> u64 {
    let word = (word ^ (word >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93);
    let word = (word ^ (word >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93);
    word ^ (word >> 32)
}

fn hash_text(hash: u128) -> String {
    format!("{hash:032X}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position(text: &str) -> Setup {
        text.parse().unwrap()
    }

    #[test]
    fn hashes_tell_positions_apart() {
        let all = [
            position("...\n...\n..."),
            position("...\n...\n...\nWhite to move"),
            position("X..\n...\n..."),
            position("..X\n...\n..."),
            position("O..\n...\n..."),
            position("....\n....\n....\n...."),
            position("X.O.\n.XO.\n....\n....\nko: A3"),
            position("X.O.\n.XO.\n....\n....\n"),
        ];
        for (index, one) in all.iter().enumerate() {
            for other in &all[..index] {
                assert_ne!(position_hash(one), position_hash(other));
            }
        }
        assert_eq!(hash_text(position_hash(&all[0])).len(), 32);
    }

    #[test]
    fn symmetric_hashes_forget_how_the_board_is_turned() {
        let [one, turned, other] = [
            position("X.O.\n....\n...."),
            position("...\n..O\n...\n..X"),
            position("X..O\n....\n...."),
        ];
        assert_eq!(symmetric_hash(&one), symmetric_hash(&turned));
        assert_ne!(symmetric_hash(&one), symmetric_hash(&other));
        let white = Setup {
            to_move: Color::White,
            ..one
        };
        assert_ne!(symmetric_hash(&one), symmetric_hash(&white));
    }
}
