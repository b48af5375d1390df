//! The rule cases in `testdata/rules`, played through the core and the oracle.

use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde::de::DeserializeOwned;
use tengen_core::{
    ByColor, Color, Game, IllegalMove, Ko, Move, Outcome, Point, PointSet, Rules, Score,
    Settlement, Setup, SetupError, Size, Suicide,
};

use crate::lockstep::compare;
use crate::oracle::Oracle;

/// One file of the corpus.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Cases {
    #[serde(default)]
    case: Vec<LegalityCase>,
    #[serde(default)]
    game: Vec<GameCase>,
    #[serde(default)]
    score: Vec<ScoreCase>,
    #[serde(default)]
    refusal: Vec<Refusal>,
}

/// Whether the next move is legal, and why not.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LegalityCase {
    name: String,
    diagram: String,
    to_move: String,
    ko: Option<String>,
    moves: String,
    next: String,
    verdict: ExpectedLegality,
    suicide: Option<Vec<String>>,
    after: Option<String>,
}

/// A word for all rules, or for each ko rule, or for each suicide rule.
#[derive(Deserialize)]
#[serde(untagged)]
enum ExpectedLegality {
    Always(ByKo),
    BySuicide(BySuicide),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct BySuicide {
    forbidden: ByKo,
    multi_stone: ByKo,
    allowed: ByKo,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum ByKo {
    Always(String),
    Each(EachKo),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct EachKo {
    simple: Option<String>,
    positional: Option<String>,
    situational: Option<String>,
}

impl ExpectedLegality {
    /// The word for these rules, if the case speaks of them.
    fn under(&self, ko: Ko, suicide: Suicide) -> Option<&str> {
        let by_ko = match (self, suicide) {
            (Self::Always(by_ko), _) => by_ko,
            (Self::BySuicide(each), Suicide::Forbidden) => &each.forbidden,
            (Self::BySuicide(each), Suicide::MultiStone) => &each.multi_stone,
            (Self::BySuicide(each), Suicide::Allowed) => &each.allowed,
        };
        match (by_ko, ko) {
            (ByKo::Always(word), _) => Some(word),
            (ByKo::Each(each), Ko::Simple) => each.simple.as_deref(),
            (ByKo::Each(each), Ko::Positional) => each.positional.as_deref(),
            (ByKo::Each(each), Ko::Situational) => each.situational.as_deref(),
        }
    }
}

/// How a game ends, or that it does not.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct GameCase {
    name: String,
    rules: String,
    diagram: String,
    to_move: String,
    moves: String,
    outcome: Option<String>,
}

/// A count with its parts.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ScoreCase {
    name: String,
    rules: String,
    diagram: String,
    to_move: Option<String>,
    #[serde(default)]
    moves: String,
    #[serde(default)]
    handicap: u16,
    #[serde(default)]
    dead: String,
    #[serde(default)]
    seki: String,
    stones: [u32; 2],
    territory: [u32; 2],
    prisoners: [u32; 2],
    dame: u32,
    #[serde(default)]
    compensation: u16,
    result: String,
}

/// A position that cannot be set up.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Refusal {
    name: String,
    diagram: String,
    ko: Option<String>,
    point: String,
    reason: String,
}

/// A file or folder of the corpus that all crates read.
pub(crate) fn testdata(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../testdata")
        .join(path)
}

/// Reads one TOML file of the corpus.
pub(crate) fn read_toml<T: DeserializeOwned>(path: &Path) -> T {
    let text = fs::read_to_string(path).expect("the corpus is readable");
    toml::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn corpus() -> Vec<Cases> {
    let folder = fs::read_dir(testdata("rules")).expect("the corpus is there");
    let files = folder.map(|entry| entry.expect("the corpus is readable").path());
    files.map(|path| read_toml(&path)).collect()
}

/// A game as the core and the oracle see it.
struct Replay<'a> {
    name: &'a str,
    game: Game,
    oracle: Oracle,
}

impl<'a> Replay<'a> {
    fn new(name: &'a str, setup: &Setup, rules: Rules) -> Self {
        let game = Game::from_setup(setup, rules).unwrap_or_else(|error| panic!("{name}: {error}"));
        let oracle = Oracle::new(setup, rules, game.komi());
        let replay = Self { name, game, oracle };
        replay.compare();
        replay
    }

    fn compare(&self) {
        if let Err(problem) = compare(&self.game, &self.oracle) {
            panic!("{}: {problem}\n{}", self.name, self.game.board());
        }
    }

    fn play(&mut self, action: Move) {
        let name = self.name;
        let gtp = action.to_gtp(self.game.size());
        self.game
            .play(action)
            .unwrap_or_else(|error| panic!("{name}: {gtp}: {error}"));
        self.oracle.play(action);
        self.compare();
    }
}

fn setup(diagram: &str, to_move: &str, ko: Option<&str>) -> Setup {
    let mut setup: Setup = diagram.parse().unwrap();
    setup.to_move = to_move.parse().unwrap();
    setup.ko = ko.map(|point| Point::from_gtp(point, setup.size).unwrap());
    setup
}

fn moves(text: &str, size: Size) -> impl Iterator<Item = Move> {
    let words = text.split_whitespace();
    words.map(move |word| {
        Move::from_gtp(word, size).unwrap_or_else(|error| panic!("{word}: {error}"))
    })
}

fn points(text: &str, size: Size) -> Vec<Point> {
    moves(text, size).filter_map(Move::point).collect()
}

fn verdict(word: &str) -> Result<(), IllegalMove> {
    Err(match word {
        "legal" => return Ok(()),
        "occupied" => IllegalMove::Occupied,
        "suicide" => IllegalMove::Suicide,
        "ko" => IllegalMove::Ko,
        "superko" => IllegalMove::Superko,
        _ => panic!("{word} is no verdict"),
    })
}

const SUICIDES: [(&str, Suicide); 3] = [
    ("forbidden", Suicide::Forbidden),
    ("multi-stone", Suicide::MultiStone),
    ("allowed", Suicide::Allowed),
];

#[test]
fn verdicts() {
    let cases: Vec<LegalityCase> = corpus().into_iter().flat_map(|file| file.case).collect();
    let mut checked = 0;
    for case in &cases {
        let start = setup(&case.diagram, &case.to_move, case.ko.as_deref());
        let next = Move::from_gtp(&case.next, start.size).unwrap();
        for ko in [Ko::Simple, Ko::Positional, Ko::Situational] {
            for (word, suicide) in SUICIDES {
                let chosen = case.suicide.as_ref();
                if chosen.is_some_and(|chosen| !chosen.iter().any(|name| name == word)) {
                    continue;
                }
                let Some(expected) = case.verdict.under(ko, suicide) else {
                    continue;
                };
                let rules = Rules {
                    ko,
                    suicide,
                    ..Rules::TROMP_TAYLOR
                };
                let mut replay = Replay::new(&case.name, &start, rules);
                for action in moves(&case.moves, start.size) {
                    replay.play(action);
                }
                let given = replay.game.check(next);
                assert_eq!(given, verdict(expected), "{}: {rules}", case.name);
                if given.is_ok() {
                    replay.play(next);
                    if let Some(after) = &case.after {
                        let after: Setup = after.parse().unwrap();
                        assert_eq!(replay.game.position().stones, after.stones, "{}", case.name);
                    }
                }
                checked += 1;
            }
        }
    }
    // A case that speaks of no rules would check nothing.
    assert!(!cases.is_empty() && checked > 4 * cases.len());
}

#[test]
fn endings() {
    let cases: Vec<GameCase> = corpus().into_iter().flat_map(|file| file.game).collect();
    assert!(!cases.is_empty());
    for case in &cases {
        let start = setup(&case.diagram, &case.to_move, None);
        let rules: Rules = case.rules.parse().unwrap();
        let mut replay = Replay::new(&case.name, &start, rules);
        for action in moves(&case.moves, start.size) {
            replay.play(action);
        }
        let outcome = replay.game.outcome().as_ref().map(Outcome::to_string);
        assert_eq!(outcome, case.outcome, "{}", case.name);
    }
}

#[test]
fn scores() {
    let cases: Vec<ScoreCase> = corpus().into_iter().flat_map(|file| file.score).collect();
    assert!(!cases.is_empty());
    for case in &cases {
        let start = setup(
            &case.diagram,
            case.to_move.as_deref().unwrap_or("black"),
            None,
        );
        let rules: Rules = case.rules.parse().unwrap();
        let mut replay = Replay::new(&case.name, &start, rules);
        for action in moves(&case.moves, start.size) {
            replay.play(action);
        }
        replay.game.set_handicap(case.handicap);
        let (dead, seki) = (
            points(&case.dead, start.size),
            points(&case.seki, start.size),
        );
        let score = replay.game.score_settled(&Settlement {
            dead: dead.iter().copied().collect(),
            seki: seki.iter().copied().collect(),
        });
        let expected = Score {
            scoring: rules.scoring,
            stones: case.stones.into(),
            territory: case.territory.into(),
            prisoners: case.prisoners.into(),
            dame: case.dame,
            komi: rules.komi_for(start.size),
            compensation: case.compensation,
        };
        assert_eq!(score, expected, "{}", case.name);
        assert_eq!(score.to_string(), case.result, "{}", case.name);

        let seki = match rules.scoring {
            tengen_core::Scoring::Territory => seki,
            _ => Vec::new(),
        };
        let count = replay.oracle.count(&dead, &seki);
        assert_eq!(count.stones, score.stones, "{}", case.name);
        assert_eq!(count.territory, score.territory, "{}", case.name);
        assert_eq!(count.prisoners, score.prisoners, "{}", case.name);
        assert_eq!(count.dame, score.dame, "{}", case.name);
        let compensation = 2 * i32::from(case.compensation);
        let margin = replay.oracle.margin(&count, rules.scoring) - compensation;
        assert_eq!(margin, score.margin_halves(), "{}", case.name);
    }
}

#[test]
fn refusals() {
    let cases: Vec<Refusal> = corpus().into_iter().flat_map(|file| file.refusal).collect();
    assert!(!cases.is_empty());
    for case in &cases {
        let setup = setup(&case.diagram, "black", case.ko.as_deref());
        let point = Point::from_gtp(&case.point, setup.size).unwrap();
        let expected = match case.reason.as_str() {
            "no liberty" => SetupError::NoLiberty(point),
            "ko" => SetupError::Ko(point),
            reason => panic!("{}: {reason} is no reason", case.name),
        };
        assert_eq!(setup.board(), Err(expected), "{}", case.name);
        let game = Game::from_setup(&setup, Rules::TROMP_TAYLOR);
        assert_eq!(game.map(|_| ()), Err(expected), "{}", case.name);
    }
}

/// What no diagram can show.
#[test]
fn refusals_of_stones_on_one_point_or_none() {
    let size = Size::new(3, 2).unwrap();
    let on = |x, y| PointSet::from(Point::new(x, y));
    let refused = |black, white| {
        let setup = Setup {
            stones: ByColor::new(black, white),
            ..Setup::empty(size)
        };
        setup.board().map(|_| ()).unwrap_err()
    };
    assert_eq!(
        refused(on(1, 1), on(1, 1)),
        SetupError::TwoStones(Point::new(1, 1))
    );
    assert_eq!(
        refused(on(3, 0), on(1, 1)),
        SetupError::OffBoard(Point::new(3, 0))
    );
    assert_eq!(
        refused(on(1, 1), on(0, 2)),
        SetupError::OffBoard(Point::new(0, 2))
    );
    let off_board = Setup {
        ko: Some(Point::new(0, 2)),
        ..Setup::empty(size)
    };
    assert_eq!(
        off_board.board().map(|_| ()),
        Err(SetupError::Ko(Point::new(0, 2)))
    );
    assert_eq!(off_board.to_move, Color::Black);
}
