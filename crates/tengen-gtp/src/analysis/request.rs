//! What a line asks for.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Map, Value};
use tengen_core::{Komi, Move, PointSet, RepetitionEffect, Rules, Setup, Size};
use tengen_search::{Adjustment, Limits, Restrictions};

use super::answer::{Extra, Extras};
use super::complaint::Complaint;
use super::course::Course;
use super::fields::Fields;
use super::overrides::Overrides;
use super::people::Imitated;
use super::perspective::Perspective;
use super::queue::Which;
use super::restrictions;
use super::rules;
use super::settings::{QUERY_SETTINGS, QueryDefaults, Source, UnusedFields};
use crate::setting::Kind;

/// What a line asks for.
#[derive(Clone, Debug)]
pub enum Request {
    /// To search these positions; first the warnings are to be said.
    Analyze {
        /// What is odd about the query.
        warnings: Vec<Complaint>,
        /// The positions, the earliest first.
        jobs: Vec<Job>,
    },
    /// To say which version this is: the query, which is echoed.
    Version(Map<String, Value>),
    /// To name the networks: the query, which is echoed.
    Models(Map<String, Value>),
    /// To forget what was learnt: the query, which is echoed.
    ClearCache(Map<String, Value>),
    /// To end queries before their time.
    Terminate {
        /// Which of them.
        which: Which,
        /// The query, which is echoed.
        echo: Map<String, Value>,
    },
}

/// A position to be searched, and how.
#[derive(Clone, Debug)]
pub struct Job {
    /// The query that wants it.
    pub id: String,
    /// How many moves were made before it.
    pub turn: usize,
    /// The higher, the earlier.
    pub priority: i64,
    /// The game.
    pub course: Arc<Course>,
    /// When the search ends.
    pub limits: Limits,
    /// What the search leaves out.
    pub restrictions: Arc<Restrictions>,
    /// When to report before the end, if at all.
    pub reports: Option<Reports>,
    /// From whose side numbers are seen.
    pub perspective: Perspective,
    /// How many moves of a variation are reported after the first.
    pub variation_length: usize,
    /// What is reported beyond the usual.
    pub extras: Extras,
    /// Numbers that the search is tuned by otherwise than usual.
    pub tuning: Vec<Adjustment>,
    /// Whom a network imitates, if that is wanted.
    pub people: Option<Imitated>,
    /// Are moves left out that are others turned or mirrored?
    pub prunes_symmetries: bool,
}

/// When to report before the end of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reports {
    /// The first time.
    pub first: Duration,
    /// From then on; `None` is never again.
    pub every: Option<Duration>,
}

/// All fields that a query may have.
const FIELDS: [&str; 31] = [
    "action",
    "allowMoves",
    "analysisPVLen",
    "analyzeTurns",
    "avoidMoves",
    "boardXSize",
    "boardYSize",
    "firstReportDuringSearchAfter",
    "id",
    "includeMovesOwnership",
    "includeMovesOwnershipStdev",
    "includeNoResultValue",
    "includeOwnership",
    "includeOwnershipStdev",
    "includePVVisits",
    "includePolicy",
    "initialPlayer",
    "initialStones",
    "komi",
    "maxVisits",
    "moves",
    "overrideSettings",
    "priorities",
    "priority",
    "reportDuringSearchEvery",
    "rootFpuReductionMax",
    "rootPolicyTemperature",
    "rules",
    "terminateId",
    "turnNumbers",
    "whiteHandicapBonus",
];

/// Priorities are this large at most, either way.
const MOST_PRIORITY: i64 = (1 << 62) - 1;

impl Request {
    /// Understands a line.
    pub fn read(line: &[u8], defaults: &QueryDefaults) -> Result<Self, Complaint> {
        let value: Value = serde_json::from_slice(line)
            .map_err(|error| Complaint::general(format_args!("the line is no JSON: {error}")))?;
        let Value::Object(map) = value else {
            return Err(Complaint::general("the line is JSON, but no object"));
        };
        let Some(Value::String(id)) = map.get("id") else {
            return Err(Complaint::general(
                "a query needs an \"id\" that is a string",
            ));
        };
        let fields = Fields { id, map: &map };
        let Some(action) = map.get("action") else {
            return analyze(fields, defaults);
        };
        match action.as_str() {
            Some("query_version") => Ok(Self::Version(map)),
            Some("query_models") => Ok(Self::Models(map)),
            Some("clear_cache") => Ok(Self::ClearCache(map)),
            Some("terminate") => {
                let Some(Value::String(id)) = map.get("terminateId") else {
                    return Err(fields.error("terminateId", "must be a string"));
                };
                let which = Which {
                    id: Some(id.clone()),
                    turns: fields.integers("turnNumbers")?,
                };
                Ok(Self::Terminate { which, echo: map })
            }
            Some("terminate_all") => {
                let which = Which {
                    id: None,
                    turns: fields.integers("turnNumbers")?,
                };
                Ok(Self::Terminate { which, echo: map })
            }
            _ => Err(fields.error(
                "action",
                "must be query_version, query_models, clear_cache, terminate or terminate_all",
            )),
        }
    }
}

fn analyze(fields: Fields<'_>, defaults: &QueryDefaults) -> Result<Request, Complaint> {
    let mut warnings = Vec::new();
    let mut course = read_course(fields, defaults)?;
    let priorities = read_turns(fields, course.moves.len())?;
    let (game_rules, komi) = read_rules(fields, defaults)?;
    course.rules = game_rules;
    course.komi = komi;

    let mut own = defaults.clone();
    let overrides = Overrides::read(fields, &mut own, &mut warnings)?;
    for row in &QUERY_SETTINGS {
        for key in row.keys {
            if let (Kind::Number { range, set, .. }, true) =
                (&row.kind, key.sources.contains(&Source::Field))
                && let Some(number) = fields.integer(key.name, signed(range))?
            {
                set(&mut own, number.unsigned_abs());
            }
        }
    }
    let extras = read_extras(fields, &game_rules, &mut warnings)?;
    let reports = read_reports(fields)?;
    let restrictions = Arc::new(restrictions::read(fields, course.start.size)?);
    if defaults.unused_fields == UnusedFields::Warn {
        for field in fields.map.keys() {
            if FIELDS.binary_search(&field.as_str()).is_err() {
                let problem = "unknown field, left out";
                warnings.push(Complaint::warning(fields.id, field, problem));
            }
        }
    }

    course
        .check_start()
        .map_err(|error| fields.error("initialStones", error))?;
    let forced = course
        .check()
        .map_err(|illegal| fields.error("moves", illegal))?;
    if let Some(first) = forced.first() {
        let problem = format_args!("against the rules, made all the same: {first}");
        warnings.push(Complaint::warning(fields.id, "moves", problem));
    }

    let course = Arc::new(course);
    let jobs = priorities.into_iter().map(|(turn, priority)| Job {
        id: fields.id.to_owned(),
        turn,
        priority,
        course: course.clone(),
        limits: Limits {
            visits: Some(own.visits),
            time: own.time,
            may_end_early: false,
        },
        restrictions: restrictions.clone(),
        reports,
        perspective: own.perspective,
        variation_length: own.variation_length,
        extras,
        tuning: overrides.tuning.clone(),
        people: overrides.people.clone(),
        prunes_symmetries: overrides.prunes_symmetries,
    });
    Ok(Request::Analyze {
        jobs: jobs.collect(),
        warnings,
    })
}

/// The range of a setting, in the numbers that fields have.
fn signed(range: &RangeInclusive<u64>) -> RangeInclusive<i64> {
    let [least, most] =
        [range.start(), range.end()].map(|end| i64::try_from(*end).unwrap_or(i64::MAX));
    least..=most
}

/// The board, the stones and the moves; rules and komi come later.
fn read_course(fields: Fields<'_>, defaults: &QueryDefaults) -> Result<Course, Complaint> {
    let side = |field| match fields.integer(field, 1..=i64::from(Size::MAX))? {
        Some(side) => Ok(side as u8),
        None => {
            let most = Size::MAX;
            let problem = format_args!("is missing: a whole number from 1 to {most}");
            Err(fields.error(field, problem))
        }
    };
    let (width, height) = (side("boardXSize")?, side("boardYSize")?);
    let size = Size::new(width, height).map_err(|error| fields.error("boardXSize", error))?;
    let mut start = Setup::empty(size);
    for (color, action) in fields.moves("initialStones", size)?.unwrap_or_default() {
        let Move::Play(point) = action else {
            return Err(fields.error("initialStones", "a stone cannot be a pass"));
        };
        // Where two stones share a point, the later lies on top.
        start.stones[!color] -= PointSet::from(point);
        start.stones[color].insert(point);
    }
    let moves = fields
        .moves("moves", size)?
        .ok_or_else(|| fields.error("moves", "is missing: an array of moves, maybe empty"))?;
    start.to_move = match fields.player("initialPlayer")? {
        Some(player) => player,
        None => Course::first_player(&start, &moves),
    };
    Ok(Course {
        start,
        rules: Rules::default(),
        komi: None,
        moves,
        starting_moves: defaults.starting_moves,
    })
}

/// The turns to be analysed, each with its priority.
fn read_turns(fields: Fields<'_>, moves: usize) -> Result<BTreeMap<usize, i64>, Complaint> {
    let bounds = -MOST_PRIORITY..=MOST_PRIORITY;
    let priority = fields.integer("priority", bounds.clone())?;
    let priorities = fields.integers("priorities")?;
    let turns = match fields.integers("analyzeTurns")? {
        Some(turns) => turns,
        None if priorities.is_some() => {
            return Err(fields.error("priorities", "belong to analyzeTurns, which is missing"));
        }
        None => vec![moves as i64],
    };
    if let Some(priorities) = &priorities {
        if priority.is_some() {
            return Err(fields.error("priority", "cannot stand together with priorities"));
        }
        if priorities.len() != turns.len() {
            return Err(fields.error("priorities", "must be as many as analyzeTurns"));
        }
        if let Some(wrong) = priorities.iter().find(|number| !bounds.contains(number)) {
            return Err(fields.error("priorities", format_args!("too large: {wrong}")));
        }
    }
    turns
        .iter()
        .enumerate()
        .map(|(index, &turn)| {
            let number = usize::try_from(turn).ok().filter(|turn| *turn <= moves);
            let number = number.ok_or_else(|| {
                fields.error(
                    "analyzeTurns",
                    format_args!("no turn {turn} in a game of {moves} moves"),
                )
            })?;
            let own = priorities.as_ref().map(|priorities| priorities[index]);
            Ok((number, own.or(priority).unwrap_or(0)))
        })
        .collect()
}

fn read_rules(
    fields: Fields<'_>,
    defaults: &QueryDefaults,
) -> Result<(Rules, Option<Komi>), Complaint> {
    let mut game_rules = match (fields.get("rules"), defaults.rules) {
        (Some(value), _) => rules::read(value).map_err(|problem| fields.error("rules", problem))?,
        (None, Some(rules)) => rules,
        (None, None) => {
            let problem = "is missing: a name such as \"chinese\", a text or an object";
            return Err(fields.error("rules", problem));
        }
    };
    let most = f64::from(Komi::MAX.halves()) / 2.0;
    let komi = match fields.number("komi", -most..=most)? {
        None => None,
        Some(komi) => {
            let halves = komi * 2.0;
            if halves.fract() != 0.0 {
                return Err(fields.error("komi", "must be a whole number or a half more"));
            }
            Some(Komi::from_halves(halves as i16))
        }
    };
    match fields.get("whiteHandicapBonus") {
        None => {}
        Some(value) => {
            game_rules.compensation =
                value
                    .as_str()
                    .and_then(rules::compensation)
                    .ok_or_else(|| {
                        fields.error("whiteHandicapBonus", "must be \"0\", \"N\" or \"N-1\"")
                    })?;
        }
    }
    Ok((game_rules, komi))
}

fn read_extras(
    fields: Fields<'_>,
    game_rules: &Rules,
    warnings: &mut Vec<Complaint>,
) -> Result<Extras, Complaint> {
    let mut extras = Extras::default();
    for extra in Extra::ALL {
        let field = extra.field();
        if !fields.flag(field)? {
            continue;
        }
        let missing = match extra {
            Extra::NoResult if game_rules.repetition.effect == RepetitionEffect::NoResult => {
                Some("left out: the search does not count void games")
            }
            _ => None,
        };
        match missing {
            Some(problem) => warnings.push(Complaint::warning(fields.id, field, problem)),
            None => extras.insert(extra),
        }
    }
    Ok(extras)
}

fn read_reports(fields: Fields<'_>) -> Result<Option<Reports>, Complaint> {
    let seconds = |field| {
        let seconds = fields.number(field, 0.001..=1e6)?;
        Ok(seconds.map(Duration::from_secs_f64))
    };
    let every = seconds("reportDuringSearchEvery")?;
    let first = seconds("firstReportDuringSearchAfter")?;
    Ok(first.or(every).map(|first| Reports { first, every }))
}
