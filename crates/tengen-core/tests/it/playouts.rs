//! Light playouts against plain ones.

use std::collections::HashMap;

use tengen_core::{
    Board, Color, Game, Ko, Komi, LightPlayouts, Move, PlayoutEnd, Point, PointSet, Rules, Scoring,
    Setup, Size, Suicide,
};

use crate::counts::setups;
use crate::oracle::Oracle;
use crate::rng::Dice;

/// The rules of light playouts.
const LIGHT: Rules = Rules {
    ko: Ko::Simple,
    suicide: Suicide::Forbidden,
    komi: Some(Komi::from_halves(0)),
    ..Rules::TROMP_TAYLOR
};

fn empty_board(side: u8) -> Board {
    Board::new(Size::square(side).unwrap())
}

/// The contents of the points beside a point and of those diagonal to it, `None` beyond the edge.
fn around(oracle: &Oracle, size: Size, point: Point) -> [[Option<Option<Color>>; 4]; 2] {
    let sides = [(0, -1), (-1, 0), (1, 0), (0, 1)];
    let corners = [(-1, -1), (1, -1), (-1, 1), (1, 1)];
    [sides, corners].map(|steps| {
        steps.map(|(dx, dy): (i8, i8)| {
            let (x, y) = (
                point.x().checked_add_signed(dx)?,
                point.y().checked_add_signed(dy)?,
            );
            let neighbor = Point::checked_new(x, y).filter(|point| size.contains(*point))?;
            Some(oracle.color_at(neighbor))
        })
    })
}

/// All neighbours own or edge, and fewer than two enemies on the diagonals, where the edge counts as one.
fn is_eye(oracle: &Oracle, size: Size, point: Point, color: Color) -> bool {
    let [sides, corners] = around(oracle, size, point);
    let own = |side: &Option<Option<Color>>| side.is_none_or(|content| content == Some(color));
    let enemies = corners
        .iter()
        .filter(|corner| **corner == Some(Some(!color)));
    let edge = usize::from(corners.contains(&None));
    sides.iter().all(own) && edge + enemies.count() < 2
}

/// Plays one game with the oracle.
fn plain_playout(size: Size, dice: &mut Dice) -> Oracle {
    let mut oracle = Oracle::new(&Setup::empty(size), LIGHT, Komi::default());
    while oracle.now().outcome.is_none() && oracle.moves() < 3 * size.area() {
        let color = oracle.now().to_move;
        // Points are tried in random order, which makes all sensible ones equally likely.
        let mut points: Vec<Point> = oracle.points().collect();
        points.retain(|point| oracle.color_at(*point).is_none());
        let mut action = Move::Pass;
        while !points.is_empty() {
            let point = points.swap_remove(dice.below(points.len()));
            if oracle.verdict(point.into()).is_ok() && !is_eye(&oracle, size, point, color) {
                action = point.into();
                break;
            }
        }
        oracle.play(action);
    }
    oracle
}

fn mean(values: impl ExactSizeIterator<Item = f64>) -> f64 {
    let count = values.len() as f64;
    values.sum::<f64>() / count
}

#[test]
fn lengths_and_margins_agree_with_plain_playouts() {
    // With a standard deviation of 14 moves, the mean of 4,000 games is right within 0.22 moves; one percent is 1.1.
    let size = Size::square(9).unwrap();
    let mut dice = Dice::new(5);
    let plain: Vec<(usize, i32)> = (0..4000)
        .map(|_| {
            let oracle = plain_playout(size, &mut dice);
            (oracle.moves(), area_margin(&oracle))
        })
        .collect();
    let mut playouts = LightPlayouts::new(&Board::new(size), Color::Black);
    let light: Vec<_> = (0..40_000)
        .map(|_| playouts.run(dice.generator()))
        .collect();

    let plain_length = mean(plain.iter().map(|(moves, _)| *moves as f64));
    let light_length = mean(light.iter().map(|end| f64::from(end.moves)));
    assert!(
        (light_length / plain_length - 1.0).abs() < 0.01,
        "{light_length} {plain_length}"
    );
    // A margin has a standard deviation of about 30 points, so that these means differ by less than 1.5.
    let plain_margin = mean(plain.iter().map(|(_, margin)| f64::from(*margin)));
    let light_margin = mean(light.iter().map(|end| f64::from(end.margin)));
    assert!(
        (light_margin - plain_margin).abs() < 2.5,
        "{light_margin} {plain_margin}"
    );
}

#[test]
fn lengths_are_those_of_the_same_playouts_elsewhere() {
    for (side, games, expected) in [(9, 20_000, 111.0), (13, 5_000, 219.0), (19, 2_000, 455.0)] {
        let mut dice = Dice::new(6);
        let mut playouts = LightPlayouts::new(&empty_board(side), Color::Black);
        let lengths = (0..games).map(|_| f64::from(playouts.run(dice.generator()).moves));
        let length = mean(lengths);
        assert!((length / expected - 1.0).abs() < 0.01, "{side}: {length}");
    }
}

#[test]
fn the_margin_is_the_area_of_the_last_board() {
    // On boards this small the hash tells which board was the last, and long cycles reach the limit of moves as well.
    for text in ["1x1", "2x1", "1x5", "2x2", "3x2", "3x3"] {
        let size: Size = text.parse().unwrap();
        let areas = areas_by_hash(size);
        let mut dice = Dice::new(7);
        let mut playouts = LightPlayouts::new(&Board::new(size), Color::White);
        for _ in 0..2000 {
            let end = playouts.run(dice.generator());
            assert_eq!(areas.get(&end.hash), Some(&end.margin), "{text}: {end:?}");
        }
    }
}

/// Black's area less White's for every legal position.
fn areas_by_hash(size: Size) -> HashMap<u64, i32> {
    let mut areas = HashMap::new();
    for setup in setups(size).expect("the board is small") {
        if let Ok(board) = setup.board() {
            let oracle = Oracle::new(&setup, LIGHT, Komi::default());
            areas.insert(board.hash(), area_margin(&oracle));
        }
    }
    areas
}

#[test]
fn where_a_plain_playout_has_ended_nothing_is_left_to_play() {
    let mut dice = Dice::new(8);
    for text in ["5x5", "9x9", "4x13"] {
        let size: Size = text.parse().unwrap();
        for _ in 0..200 {
            let oracle = plain_playout(size, &mut dice);
            if oracle.now().outcome.is_none() {
                continue;
            }
            let board = board_of(&oracle, size);
            let end = LightPlayouts::new(&board, oracle.now().to_move).run(dice.generator());
            let margin = area_margin(&oracle);
            let hash = board.hash();
            assert_eq!(
                end,
                PlayoutEnd {
                    moves: 2,
                    margin,
                    hash
                },
                "{board}"
            );
            for point in board.empty_points() {
                for color in Color::BOTH {
                    assert_eq!(
                        board.is_eye(point, color),
                        is_eye(&oracle, size, point, color)
                    );
                }
            }
        }
    }
}

fn board_of(oracle: &Oracle, size: Size) -> Board {
    let stones = Color::BOTH.map(|color| -> PointSet {
        let points = oracle.points();
        points
            .filter(|point| oracle.color_at(*point) == Some(color))
            .collect()
    });
    Board::with_stones(size, stones.into()).unwrap()
}

fn area_margin(oracle: &Oracle) -> i32 {
    oracle.margin(&oracle.count(&[], &[]), Scoring::Area) / 2
}

#[test]
fn the_same_seed_plays_the_same_games() {
    let run = |seed| {
        let mut dice = Dice::new(seed);
        let mut playouts = LightPlayouts::new(&empty_board(9), Color::Black);
        let ends: Vec<_> = (0..50).map(|_| playouts.run(dice.generator())).collect();
        ends
    };
    assert_eq!(run(1), run(1));
    assert_ne!(run(1), run(2));
    // A playout does not depend on those before it, only on what the generator says.
    let mut dice = Dice::new(1);
    for end in run(1) {
        let mut fresh = LightPlayouts::new(&empty_board(9), Color::Black);
        assert_eq!(fresh.run(dice.generator()), end);
    }
}

#[test]
fn random_moves_are_legal_and_reach_every_legal_move() {
    let setup: Setup = ". X .\nX . X\nO . .\nWhite to move".parse().unwrap();
    let game = Game::from_setup(&setup, LIGHT).unwrap();
    let mut expected: Vec<Move> = game.legal_moves().iter().map(Move::Play).collect();
    expected.push(Move::Pass);
    let mut dice = Dice::new(9);
    let mut seen: Vec<Move> = (0..1000)
        .map(|_| game.random_move(dice.generator()))
        .collect();
    seen.sort_unstable();
    seen.dedup();
    assert_eq!(seen, expected);
}
