//! What living stones guarantee: the rule on the sets of `tengen-core`, and games that show that it keeps its word.

use std::collections::{HashMap, HashSet};

use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use tengen_core::{
    Board, ByColor, Color, Game, Move, Point, PointSet, Rules, Setup, Size, Suicide,
};
use tengen_solver::certificate::Situation;
use tengen_solver::verify::{Mover, guaranteed};

use crate::proofs::{Tree, margin};

/// Stones and regions that a player is sure of, and what to play where one stone is still needed.
struct Sure {
    points: PointSet,
    alive: PointSet,
    urgent: Option<Point>,
}

/// The rule of `docs/proofs.md`, word by word.
fn sure(board: &Board, prover: Color, mover: Mover) -> Sure {
    let own = *board.stones(prover);
    let alive = board.pass_alive(prover, Suicide::Allowed).stones;
    let mut sure = Sure {
        points: alive,
        alive,
        urgent: None,
    };
    let beside = |point: Point| PointSet::from(point).neighbors() & *board.points();
    let mut with_the_move: Option<(PointSet, Point)> = None;
    for region in (*board.points() - own).components() {
        let border = region.neighbors() & own;
        if border.is_empty() || !border.is_subset(&alive) {
            continue;
        }
        let inner = region - alive.neighbors();
        let links = |point: Point| -> Vec<Point> {
            let empty = beside(point) & board.empty_points() & alive.neighbors();
            let own_link = |link: &Point| (beside(*link) & inner).len() == 1;
            empty.iter().filter(own_link).collect()
        };
        let links: Vec<Vec<Point>> = inner.iter().map(links).collect();
        let short: Vec<_> = links.iter().filter(|links| links.len() < 2).collect();
        match short[..] {
            [] => sure.points |= region,
            [one]
                if one.len() == 1
                    && mover == Mover::Prover
                    && with_the_move.is_none_or(|(other, _)| region.len() > other.len()) =>
            {
                with_the_move = Some((region, one[0]));
            }
            _ => {}
        }
    }
    if let Some((region, link)) = with_the_move {
        sure.points |= region;
        sure.urgent = Some(link);
    }
    sure
}

/// How the proof of the bound plays: urgent points first, then wherever enemy stones are inside, else pass.
fn reply(board: &Board, prover: Color) -> Move {
    let sure = sure(board, prover, Mover::Prover);
    if let Some(urgent) = sure.urgent {
        return Move::Play(urgent);
    }
    let inside = sure.points - *board.stones(prover);
    for region in inside.components() {
        if (region & *board.stones(!prover)).is_empty() {
            continue;
        }
        let fillable = region & board.empty_points() & sure.alive.neighbors();
        let inner = region - sure.alive.neighbors();
        let first = (fillable & inner.neighbors()).first();
        let point = first.or(fillable.first());
        return Move::Play(point.expect("a region with stones has liberties beside the prover's"));
    }
    Move::Pass
}

fn all_positions(size: Size) -> Vec<Setup> {
    let area = size.area() as u32;
    let mut positions = Vec::new();
    for number in 0..3_u32.pow(area) {
        let mut stones = ByColor::new(0_u64, 0_u64);
        let mut digits = number;
        for point in 0..area {
            match digits % 3 {
                1 => stones.black |= 1 << point,
                2 => stones.white |= 1 << point,
                _ => {}
            }
            digits /= 3;
        }
        let situation = Situation {
            stones,
            ko: None,
            passed: false,
        };
        for mover in Color::BOTH {
            let setup = situation.setup(size, mover);
            if setup.board().is_ok() {
                positions.push(setup);
            }
        }
    }
    positions
}

fn counted(situation: &Situation, size: Size, prover: Color, mover: Color) -> u32 {
    let mover = if mover == prover {
        Mover::Prover
    } else {
        Mover::Opponent
    };
    guaranteed(
        size,
        situation.stones[prover],
        situation.stones[!prover],
        mover,
    )
}

/// On all positions of small boards: what is guaranteed can be forced by somebody who looks at everything.
#[test]
fn what_is_guaranteed_can_be_forced() {
    for size in ["1x8", "2x4", "3x3"] {
        let size: Size = size.parse().unwrap();
        let tree = Tree::new(&all_positions(size), false);
        let area = size.area() as i16;
        let mut by_margin: HashMap<i16, Vec<usize>> = HashMap::new();
        for (turn, (situation, mover)) in tree.turns.iter().enumerate() {
            let points = counted(situation, size, Color::Black, *mover);
            let can_end = situation.passed && *mover == Color::White;
            if points > 0 && !can_end {
                by_margin
                    .entry(2 * points as i16 - area)
                    .or_default()
                    .push(turn);
            }
            let board = situation.setup(size, *mover).board().unwrap();
            let benson = board.pass_alive(Color::Black, Suicide::Allowed);
            let certain = (benson.stones | benson.territory).len() as u32;
            assert!(points >= certain, "{board}");
        }
        assert!(
            by_margin.values().map(Vec::len).sum::<usize>() > 10,
            "{by_margin:?}"
        );
        for (margin, turns) in by_margin {
            let won = tree.solve(Color::Black, margin.into());
            for turn in turns {
                assert!(won[turn].is_some(), "{margin} in {:?}", tree.turns[turn]);
            }
        }
    }
}

/// A board full of Black stones but for two eyes in the corners and some holes, with White stones in the holes.
fn walled_in(size: Size, most: u32, random: &mut Xoshiro256PlusPlus) -> Option<Board> {
    let corner = Point::new(size.width() - 1, size.height() - 1);
    let mut black = size.points() - Point::new(0, 0).into() - corner.into();
    let mut white = PointSet::EMPTY;
    let mut hole = PointSet::EMPTY;
    let holes = 2 + random.next_u32() % (most - 1);
    for _ in 0..holes {
        // Points beside two of the hole come first, so that it gets wide.
        let beside = hole.neighbors() & black;
        let wide = |point: &Point| (PointSet::from(*point).neighbors() & hole).len() > 1;
        let corners: PointSet = beside.iter().filter(wide).collect();
        let open = match (beside.is_empty(), corners.is_empty()) {
            (true, _) => black,
            (_, true) => beside,
            _ => corners,
        };
        let point = open.nth(random.next_u32() as usize % open.len().max(1))?;
        black.remove(point);
        hole.insert(point);
        if random.next_u32().is_multiple_of(5) {
            white.insert(point);
        }
    }
    Board::with_stones(size, ByColor::new(black, white)).ok()
}

/// The fast rule and the slow one agree on boards of all kinds.
#[test]
fn agrees_with_the_rule_on_sets() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(2);
    let mut kinds = HashSet::new();
    for round in 0..6000 {
        let size = ["5x5", "7x3", "6x6", "2x9", "1x12", "8x8", "25x2"][round % 7];
        let size: Size = size.parse().unwrap();
        let Some(board) = walled_in(size, 16, &mut random) else {
            continue;
        };
        for prover in Color::BOTH {
            for mover in [Mover::Prover, Mover::Opponent] {
                let slow = sure(&board, prover, mover);
                let situation = Situation::of(&board);
                let stones = situation.stones;
                let fast = guaranteed(size, stones[prover], stones[!prover], mover);
                let expected = if slow.alive.is_empty() {
                    0
                } else {
                    slow.points.len() as u32
                };
                assert_eq!(fast, expected, "{prover} {mover:?}\n{board}");
                let inner = (slow.points - slow.alive.neighbors() - slow.alive)
                    .len()
                    .min(3);
                kinds.insert((inner, slow.urgent.is_some()));
            }
        }
    }
    assert!(kinds.len() >= 6, "{kinds:?}");
}

/// Whatever White tries, Black ends with what was guaranteed, and no stone of either player recreates a board.
#[test]
fn keeps_its_word_against_every_reply() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(3);
    let mut tried = HashMap::new();
    for round in 0..700 {
        let size: Size = ["5x5", "5x4", "6x5"][round % 3].parse().unwrap();
        let Some(board) = walled_in(size, 9, &mut random) else {
            continue;
        };
        let mover = [Mover::Prover, Mover::Opponent][round / 3 % 2];
        let start = sure(&board, Color::Black, mover);
        if start.alive.is_empty() {
            continue;
        }
        let inner = (start.points - start.alive.neighbors() - start.alive).len();
        *tried
            .entry((inner.min(2), start.urgent.is_some()))
            .or_insert(0) += 1;
        let least = 2 * start.points.len() as i32 - size.area() as i32;
        play_out(&board, mover, least);
    }
    assert!(
        tried.len() >= 5 && tried.values().sum::<usize>() > 200,
        "{tried:?}"
    );
}

/// Plays Black's replies against everything from here.
fn play_out(start: &Board, mover: Mover, least: i32) {
    let mut numbers: HashMap<Situation, usize> = HashMap::new();
    // Boards as vertices, stones as edges.
    let mut boards: HashMap<(u64, u64), HashSet<(u64, u64)>> = HashMap::new();
    let key = |board: &Board| {
        let stones = Situation::of(board).stones;
        (stones.black, stones.white)
    };
    let mut waiting = Vec::new();
    let answer = |board: &Board, passed: bool, boards: &mut HashMap<_, HashSet<_>>| {
        let mut after = board.clone();
        match reply(board, Color::Black) {
            Move::Pass if passed => {
                assert!(
                    margin(board) >= least,
                    "{least} from\n{start}ended as\n{board}"
                );
                None
            }
            Move::Pass => Some((after, true)),
            Move::Play(point) => {
                let legal = after.play(point, Color::Black, Suicide::Forbidden);
                assert!(legal.is_ok(), "{start}{board}{point:?}");
                boards.entry(key(board)).or_default().insert(key(&after));
                Some((after, false))
            }
        }
    };
    match mover {
        Mover::Opponent => waiting.push((start.clone(), false)),
        Mover::Prover => waiting.extend(answer(start, false, &mut boards)),
    }
    while let Some((board, passed)) = waiting.pop() {
        let situation = Situation {
            passed,
            ..Situation::of(&board)
        };
        let number = numbers.len();
        if *numbers.entry(situation).or_insert(number) != number {
            continue;
        }
        if passed {
            assert!(
                margin(&board) >= least,
                "{least} from\n{start}ended as\n{board}"
            );
        } else {
            waiting.extend(answer(&board, true, &mut boards));
        }
        for point in board.playable(Color::White, Suicide::Forbidden) {
            let mut after = board.clone();
            after.play(point, Color::White, Suicide::Forbidden).unwrap();
            boards.entry(key(&board)).or_default().insert(key(&after));
            waiting.extend(answer(&after, false, &mut boards));
        }
    }
    assert!(is_acyclic(&boards), "a board came back from\n{start}");
}

fn is_acyclic(graph: &HashMap<(u64, u64), HashSet<(u64, u64)>>) -> bool {
    let mut arrivals: HashMap<(u64, u64), usize> = HashMap::new();
    for to in graph.values().flatten() {
        *arrivals.entry(*to).or_default() += 1;
    }
    let mut free: Vec<_> = graph
        .keys()
        .filter(|board| !arrivals.contains_key(board))
        .copied()
        .collect();
    while let Some(board) = free.pop() {
        for to in graph.get(&board).into_iter().flatten() {
            let left = arrivals.get_mut(to).unwrap();
            *left -= 1;
            if *left == 0 {
                free.push(*to);
            }
        }
    }
    arrivals.values().all(|left| *left == 0)
}

/// In games with a history, under each ko rule: the player who is sure of points gets them, and is never banned from a
/// reply.
#[test]
fn keeps_its_word_in_games_with_a_history() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(4);
    let mut kept = 0;
    for round in 0..450 {
        let rules = ["koSIMPLEsui0", "koSITUATIONALsui0", "koPOSITIONALsui0"][round % 3];
        let rules: Rules = rules.parse().unwrap();
        let size: Size = ["5x5", "4x5", "3x6", "1x9"][round % 4].parse().unwrap();
        let mut game = Game::new(size, rules);
        let prover = Color::BOTH[round / 3 % 2];
        let mut promised = None;
        for _ in 0..400 {
            let mover = game.to_move();
            let whose = if mover == prover {
                Mover::Prover
            } else {
                Mover::Opponent
            };
            if promised.is_none()
                && game
                    .turns()
                    .last()
                    .is_none_or(|turn| turn.action != Move::Pass)
            {
                let now = sure(game.board(), prover, whose);
                if !now.alive.is_empty() {
                    promised = Some(2 * now.points.len() as i32 - size.area() as i32);
                }
            }
            let action = if promised.is_some() && mover == prover {
                reply(game.board(), prover)
            } else {
                let mut legal = game.legal_moves();
                if promised.is_none() {
                    // Eyes are not filled, so that something lives at last.
                    legal = legal
                        .iter()
                        .filter(|point| !game.board().is_eye(*point, mover))
                        .collect();
                }
                // The opponent of somebody who lives plays on for a while before passing.
                let choices = legal.len() + usize::from(promised.is_some() || legal.is_empty());
                let choice = random.next_u32() as usize % choices;
                legal.nth(choice).map_or(Move::Pass, Move::Play)
            };
            let played = game.play(action);
            assert!(
                played.is_ok(),
                "{action:?} is refused by {rules}\n{}",
                game.board()
            );
            if game.is_over() {
                break;
            }
        }
        if let Some(least) = promised {
            assert!(game.is_over());
            let margin = prover.sign(margin(game.board()));
            assert!(
                margin >= least,
                "{prover} was sure of {least}\n{}",
                game.board()
            );
            kept += 1;
        }
    }
    assert!(kept > 200, "{kept}");
}
