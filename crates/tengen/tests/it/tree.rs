//! `tengen tree`.

use std::collections::HashMap;

use tengen_sgf::{Collection, Mode, Replay};

use crate::tengen::{run, tengen};

/// The record that a command prints, which needs no repair.
fn record(line: &str) -> Collection {
    let text = tengen(line).out();
    let parsed = Collection::parse(&text, Mode::Strict).expect("a record without faults");
    parsed.collection
}

/// The node's number and its score.
fn comment(text: &str) -> (u32, String) {
    let text = text.strip_prefix('[').expect("a number in brackets");
    let (number, rest) = text.split_once(']').expect("a number in brackets");
    let score = rest.lines().next().unwrap_or_default();
    (number.parse().expect("a number"), score.to_owned())
}

#[test]
fn the_tree_of_a_tiny_board() {
    let games = record("tree 1x3");
    let root = games.roots().next().expect("a root");
    let told = root.value("C").expect("a comment");
    assert_eq!(comment(&told.text()), (0, "0".to_owned()));
    let mut scores: HashMap<u32, String> = HashMap::new();
    let mut passes = 0;
    for node in root.descendants() {
        let (number, score) = comment(&node.value("C").expect("a comment").text());
        // One situation has one score, wherever it comes up.
        assert_eq!(
            *scores.entry(number).or_insert_with(|| score.clone()),
            score
        );
        passes += usize::from(
            ["B", "W"]
                .iter()
                .any(|name| node.value(name).is_some_and(|at| at.text().is_empty())),
        );
    }
    // Black in the middle gets everything and wins.
    assert!(scores.values().any(|score| score == "3"));
    assert!(passes > 3);
    for node in root.descendants() {
        Replay::to_node(node, Mode::Strict).expect("every line can be played");
    }
}

#[test]
fn a_strategy_has_one_move_for_the_player_and_all_for_the_other() {
    let games = record("tree 2x4 --strategy black");
    let root = games.roots().next().expect("a root");
    assert_eq!(root.children().count(), 1);
    let mut followed = 0;
    for node in root.descendants().skip(1) {
        let told = node.value("C").expect("a comment").text();
        assert!(
            node.value("TE").is_some() && node.value("IT").is_none(),
            "Black wins everywhere: {told}"
        );
        let is_black_turn = node.value("W").is_some();
        if is_black_turn {
            assert!(node.children().count() <= 1);
        }
        followed += usize::from(!told.ends_with("followed elsewhere"));
    }
    assert!(followed > 20);
}

#[test]
fn the_rules_of_the_document_are_marked_as_unsound() {
    let told = tengen("tree 2x2 --policy player-rules --depth 1").out();
    assert!(told.contains("UNSOUND"), "{told}");
    assert!(!tengen("tree 2x2 --depth 1").out().contains("UNSOUND"));
}

#[test]
fn positions_are_read_and_limits_kept() {
    let told = run(["tree", "-", "--depth", "1"], "X . O\nWhite to move").out();
    assert!(
        told.starts_with("(;FF[4]GM[1]CA[UTF-8]AP[tengen:"),
        "{told}"
    );
    assert!(
        told.contains("SZ[3:1]KM[0]PL[W]AB[aa]AW[ca]C[[0\\]"),
        "{told}"
    );
    let record = "(;FF[4]SZ[3:1];B[aa];W[ca];B[ba])";
    let told = run(["tree", "-", "--move", "2", "--depth", "1"], record).out();
    assert!(
        told.contains("SZ[3:1]KM[0]PL[B]AB[aa]AW[ca]C[[0\\]"),
        "{told}"
    );
    let after_pass = run(["tree", "-"], "(;FF[4]SZ[3:1];B[])");
    assert!(after_pass.refusal().contains("--move"));
    let refusal = tengen("tree 3x3 --most-nodes 10").refusal();
    assert_eq!(refusal, "the tree has more than 10 nodes");
    assert!(
        tengen("tree no-such-file")
            .refusal()
            .starts_with("no-such-file: ")
    );
}
