//! The published numbers in `testdata/counts.toml`, counted the slow way: every position set up, every game played.

use std::collections::HashSet;

use serde::Deserialize;
use tengen_core::{Color, Game, Ko, Komi, Move, Rules, Setup, Size, Suicide, perft};

use crate::corpus::{read_toml, testdata};
use crate::oracle::Oracle;

/// Rows with more are for cleverer ways to count.
const MOST_POSITIONS: usize = 60_000;
const MOST_GAMES: u128 = 20_000;
const MOST_SEQUENCES: u64 = 3_000_000;
const MOST_ORACLE_SEQUENCES: u64 = 30_000;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Counts {
    positions: Vec<Positions>,
    classes: Vec<Classes>,
    games: Vec<Games>,
    games_by_stones: Vec<Distribution>,
    games_by_turns: Vec<Distribution>,
    perft: Vec<Perft>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Positions {
    size: String,
    count: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Classes {
    size: String,
    symmetric: String,
    symmetric_and_colors: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Games {
    size: String,
    ko: String,
    suicide: String,
    count: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Distribution {
    size: String,
    ko: String,
    suicide: String,
    counts: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Perft {
    size: String,
    ko: String,
    suicide: String,
    /// The number of sequences of one move, of two, …
    counts: Vec<String>,
}

fn counts() -> Counts {
    read_toml(&testdata("counts.toml"))
}

fn rules(ko: &str, suicide: &str) -> Rules {
    Rules {
        ko: match ko {
            "simple" => Ko::Simple,
            "positional" => Ko::Positional,
            "situational" => Ko::Situational,
            _ => panic!("{ko} is no ko rule"),
        },
        suicide: match suicide {
            "forbidden" => Suicide::Forbidden,
            "allowed" => Suicide::Allowed,
            _ => panic!("{suicide} is no suicide rule"),
        },
        ..Rules::TROMP_TAYLOR
    }
}

/// All ways to put stones on a board, whether they can stand or not; none if there are too many.
pub(crate) fn setups(size: Size) -> Option<impl Iterator<Item = Setup>> {
    let count = 3_usize.checked_pow(size.area() as u32)?;
    (count <= MOST_POSITIONS).then(|| {
        (0..count).map(move |number| {
            let mut setup = Setup::empty(size);
            let mut digits = number;
            for point in size.points() {
                if let Some(place) = (digits % 3).checked_sub(1) {
                    setup.stones[Color::BOTH[place]].insert(point);
                }
                digits /= 3;
            }
            setup
        })
    })
}

#[test]
fn positions() {
    let mut checked = 0;
    for row in counts().positions {
        let size: Size = row.size.parse().unwrap();
        let Some(setups) = setups(size) else { continue };
        let mut legal = 0_usize;
        let mut hashes = HashSet::new();
        for setup in setups {
            let board = setup.board();
            let groups = Oracle::new(&setup, Rules::TROMP_TAYLOR, Komi::default()).groups();
            let breathes = groups.iter().all(|group| !group.liberties.is_empty());
            assert_eq!(board.is_ok(), breathes, "{setup}");
            if let Ok(board) = board {
                legal += 1;
                hashes.insert(board.hash());
            }
        }
        assert_eq!(legal.to_string(), row.count, "{size}");
        assert_eq!(hashes.len(), legal, "two positions of {size} share a hash");
        checked += 1;
    }
    assert!(checked > 10);
}

#[test]
fn classes() {
    let mut checked = 0;
    for row in counts().classes {
        let size: Size = row.size.parse().unwrap();
        let Some(setups) = setups(size) else { continue };
        let mut symmetric = HashSet::new();
        let mut symmetric_and_colors = HashSet::new();
        for setup in setups.filter(|setup| setup.board().is_ok()) {
            // The canonical form has Black to move, so that the turn decides whether colours are exchanged.
            let as_it_is = setup.canonical().setup.to_string();
            let turn_passed = Setup {
                to_move: Color::White,
                ..setup
            };
            let exchanged = turn_passed.canonical().setup.to_string();
            symmetric_and_colors.insert(as_it_is.clone().min(exchanged));
            symmetric.insert(as_it_is);
        }
        assert_eq!(symmetric.len().to_string(), row.symmetric, "{size}");
        let with_colors = symmetric_and_colors.len().to_string();
        assert_eq!(with_colors, row.symmetric_and_colors, "{size}");
        checked += 1;
    }
    assert!(checked >= 4);
}

/// Any number of stones and turns.
const NO_LIMIT: (usize, usize) = (usize::MAX, usize::MAX);

/// Plays every complete game of at most so many stones and turns, and reports the stones and turns of each.
fn play_all(
    game: &mut Game,
    stones: usize,
    most: (usize, usize),
    found: &mut impl FnMut(usize, usize),
) {
    if game.is_over() {
        found(stones, game.turns().len());
        return;
    }
    if game.turns().len() == most.1 {
        return;
    }
    for action in game
        .legal_moves()
        .iter()
        .map(Move::Play)
        .chain([Move::Pass])
    {
        let stones = stones + usize::from(action != Move::Pass);
        if stones <= most.0 {
            game.play(action).unwrap();
            play_all(game, stones, most, found);
            game.undo();
        }
    }
}

#[test]
fn games() {
    let mut checked = 0;
    for row in counts().games {
        if row.count.parse::<u128>().unwrap() > MOST_GAMES {
            continue;
        }
        let mut game = Game::new(row.size.parse().unwrap(), rules(&row.ko, &row.suicide));
        let mut games = 0_u64;
        play_all(&mut game, 0, NO_LIMIT, &mut |_, _| games += 1);
        assert_eq!(
            games.to_string(),
            row.count,
            "{} {} {}",
            row.size,
            row.ko,
            row.suicide
        );
        checked += 1;
    }
    assert_eq!(checked, 12);
}

#[test]
fn games_by_stones_and_turns() {
    for row in counts().games_by_stones {
        let mut game = Game::new(row.size.parse().unwrap(), rules(&row.ko, &row.suicide));
        let mut found = vec![0_u64; row.counts.len()];
        let most = (row.counts.len() - 1, usize::MAX);
        play_all(&mut game, 0, most, &mut |stones, _| found[stones] += 1);
        let found: Vec<String> = found.iter().map(u64::to_string).collect();
        assert_eq!(found, row.counts, "{}", row.size);
    }
    for row in counts().games_by_turns {
        let mut game = Game::new(row.size.parse().unwrap(), rules(&row.ko, &row.suicide));
        let mut found = vec![0_u64; row.counts.len()];
        let most = (usize::MAX, row.counts.len() + 1);
        play_all(&mut game, 0, most, &mut |_, turns| found[turns - 2] += 1);
        let found: Vec<String> = found.iter().map(u64::to_string).collect();
        assert_eq!(found, row.counts, "{}", row.size);
    }
}

/// The number of move sequences of this length, played by the oracle.
fn oracle_perft(oracle: &mut Oracle, depth: usize) -> u64 {
    if depth == 0 {
        return 1;
    }
    let actions: Vec<Move> = oracle
        .points()
        .map(Move::Play)
        .chain([Move::Pass])
        .collect();
    let mut sequences = 0;
    for action in actions {
        if oracle.verdict(action).is_ok() {
            oracle.play(action);
            sequences += oracle_perft(oracle, depth - 1);
            oracle.undo(1);
        }
    }
    sequences
}

#[test]
fn sequences() {
    let rows = counts().perft;
    assert!(!rows.is_empty());
    for row in rows {
        let setup = Setup::empty(row.size.parse().unwrap());
        let rules = rules(&row.ko, &row.suicide);
        let mut game = Game::new(setup.size, rules);
        for (count, depth) in row.counts.iter().zip(1..) {
            let count: u64 = count.parse().unwrap();
            let name = format!("{} {} {} {depth}", row.size, row.ko, row.suicide);
            if count <= MOST_SEQUENCES {
                assert_eq!(perft(&mut game, depth), count, "{name}");
            }
            if count <= MOST_ORACLE_SEQUENCES {
                let mut oracle = Oracle::new(&setup, rules, Komi::default());
                assert_eq!(oracle_perft(&mut oracle, depth as usize), count, "{name}");
            }
        }
    }
}
