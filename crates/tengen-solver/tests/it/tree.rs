//! Solved trees.

use std::collections::{HashMap, HashSet};

use tengen_core::{Color, Move, Setup};
use tengen_solver::tree::{Next, Options, Policy, Tree, TreeError};

use crate::proofs::{self, KNOWN, empty};

fn grow(start: Setup) -> Tree {
    Tree::grow(start, &Options::default()).unwrap()
}

#[test]
fn small_boards_have_the_values_that_are_known() {
    for (size, low, high) in KNOWN {
        let tree = grow(empty(size));
        assert_eq!((tree.root().low, tree.root().high), (low, high), "{size}");
    }
}

/// The scores of every node agree with a search that knows nothing of symmetry.
#[test]
fn every_node_has_the_score_of_its_situation() {
    let start = empty("2x3");
    let tree = grow(start);
    let plain = proofs::Tree::new(&[start], false);
    let area = start.size.area() as i16;
    for prover in Color::BOTH {
        let mut best: HashMap<usize, i16> = HashMap::new();
        for margin in -area..=area {
            let won = plain.solve(prover, prover.sign(margin.into()));
            for turn in (0..won.len()).filter(|turn| won[*turn].is_some()) {
                best.insert(turn, margin);
            }
        }
        for (turn, (situation, mover)) in plain.turns.iter().enumerate() {
            let setup = situation.setup(start.size, *mover);
            let node = tree.find(&setup, situation.passed).unwrap();
            let node = &tree.nodes()[node as usize];
            let expected = if *mover == prover {
                node.low
            } else {
                -node.high
            };
            assert_eq!(best[&turn], expected, "{prover}\n{setup}");
        }
    }
}

#[test]
fn equal_situations_are_one_node_with_all_its_parents() {
    let tree = grow(empty("2x2"));
    let mut keys = HashSet::new();
    for (number, node) in tree.nodes().iter().enumerate() {
        assert!(keys.insert((node.setup.canonical().setup, node.passed)));
        assert_eq!(tree.find(&node.setup, node.passed), Some(number as u32));
        for (_, next) in &node.moves {
            if let Next::Node(child) = next {
                assert!(
                    tree.nodes()[*child as usize]
                        .parents
                        .contains(&(number as u32))
                );
            }
        }
        for parent in &node.parents {
            let moves = &tree.nodes()[*parent as usize].moves;
            assert!(
                moves
                    .iter()
                    .any(|(_, next)| *next == Next::Node(number as u32))
            );
        }
    }
    assert!(tree.nodes().iter().any(|node| node.parents.len() > 1));
    // The four corners are one move.
    assert_eq!(tree.root().moves.len(), 2);
}

/// A node's moves fit each position that belongs to it.
#[test]
fn moves_are_turned_with_the_board() {
    let tree = grow("X . .\n. . O\nWhite to move".parse().unwrap());
    for node in tree.nodes() {
        for symmetry in tengen_core::Symmetry::all() {
            let setup = node.setup.transformed(symmetry).inverted();
            let number = tree.find(&setup, node.passed).unwrap();
            let board = setup.board().unwrap();
            for (action, next) in tree.moves_in(&setup, number) {
                let mut after = board.clone();
                let (after, passed) = match action {
                    Move::Pass => (Setup { ko: None, ..setup }, true),
                    Move::Play(point) => {
                        after
                            .play(point, setup.to_move, tengen_core::Suicide::Forbidden)
                            .unwrap();
                        (Setup::of(&after, setup.to_move), false)
                    }
                };
                let after = Setup {
                    to_move: !setup.to_move,
                    ..after
                };
                match next {
                    Next::Node(child) => assert_eq!(tree.find(&after, passed), Some(child)),
                    Next::End(_) => assert_eq!((action, node.passed), (Move::Pass, true)),
                }
            }
        }
    }
}

/// Who follows the strategy gets what the start promises, whatever the other does.
#[test]
fn strategies_keep_their_promise() {
    for (size, player) in [
        ("2x4", Color::Black),
        ("3x3", Color::White),
        ("1x4", Color::Black),
    ] {
        let tree = grow(empty(size));
        let choices = tree.strategy(player);
        let promised = match player {
            Color::Black => tree.root().low,
            Color::White => -tree.root().high,
        };
        // Each line is followed until it ends; there are no circles, or this would not.
        let mut waiting = vec![(0_u32, player == Color::Black, 0)];
        let mut seen = HashSet::new();
        while let Some((number, is_players_turn, depth)) = waiting.pop() {
            assert!(depth < 10_000, "the strategy goes round in circles");
            if !seen.insert((number, is_players_turn)) {
                continue;
            }
            let node = &tree.nodes()[number as usize];
            let moves = match is_players_turn {
                true => &node.moves[choices[number as usize].unwrap()..][..1],
                false => &node.moves[..],
            };
            for (_, next) in moves {
                match next {
                    Next::Node(child) => waiting.push((*child, !is_players_turn, depth + 1)),
                    Next::End(end) if is_players_turn => assert!(*end >= promised),
                    Next::End(end) => assert!(-*end >= promised),
                }
            }
        }
        assert!(seen.len() < 2 * tree.nodes().len());
    }
}

#[test]
fn the_rules_of_the_document_make_a_smaller_tree() {
    let rules = Options {
        policy: Policy::PlayerRules,
        ..Options::default()
    };
    let tree = Tree::grow(empty("2x3"), &rules).unwrap();
    assert!(tree.nodes().len() < grow(empty("2x3")).nodes().len());
    let tree = Tree::grow(empty("3x3"), &rules).unwrap();
    assert_eq!((tree.root().low, tree.root().high), (9, 9));
    assert!(
        tree.root()
            .moves
            .iter()
            .all(|(action, _)| *action != Move::Pass)
    );
}

#[test]
fn a_tree_that_is_too_large_is_refused() {
    let few = Options {
        most_nodes: 50,
        ..Options::default()
    };
    assert_eq!(
        Tree::grow(empty("3x3"), &few).err(),
        Some(TreeError::TooLarge(50))
    );
}
