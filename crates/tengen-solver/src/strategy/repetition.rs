//! Lines of a strategy that come back to a board.
//!
//! A strategy never comes back to a node, but it may come back to the same stones with another ko point, or with the
//! other player to move. Some rule minds that, but for one case: where the enemy was to move and now the prover is, it
//! was a stone or a pass of the enemy that brought the board back, and no stone of the prover is banned.

use std::collections::HashMap;

use super::graph::{Choice, Graph};

/// How many nodes are looked at in all, for each node of the strategy: a limit that should never be met, since few
/// boards come up with different ko points.
const EFFORT: usize = 64;

/// Looks for lines from a node to another one with the same stones, at most one for each pair.
pub(super) fn lines(graph: &Graph<'_>, strategy: &[u32]) -> Vec<Vec<u32>> {
    let mut boards: Vec<(u64, u32)> = strategy
        .iter()
        .map(|number| (graph.board(*number), *number))
        .collect();
    boards.sort_unstable();
    let mut effort = EFFORT * strategy.len();
    let mut lines = Vec::new();
    for same in boards.chunk_by(|a, b| a.0 == b.0) {
        for (_, from) in same {
            for (_, to) in same {
                if minds(graph, *from, *to) {
                    lines.extend(line(graph, *from, *to, &mut effort));
                }
            }
        }
    }
    lines
}

/// The moves that another strategy should do without so as not to repeat boards: in each line that does, the last one
/// that was not shunned yet. What was shunned and is played all the same has to be.
pub(super) fn causes(graph: &Graph<'_>, lines: &[Vec<u32>]) -> Vec<(u32, Choice)> {
    let of_line = |line: &Vec<u32>| {
        let turns = line.iter().rev().filter(|node| graph.is_prover(**node));
        let mut moves = turns.map(|node| (*node, graph.choice(*node)));
        moves.find(|(_, choice)| !graph.has_shunned(choice))
    };
    lines.iter().filter_map(of_line).collect()
}

/// May there be a line between two nodes with the same stones, and would rules of repetition mind?
fn minds(graph: &Graph<'_>, from: u32, to: u32) -> bool {
    let turns = (graph.is_prover(from), graph.is_prover(to));
    let is_allowed = match turns {
        (false, true) => true,
        (true, false) => graph.passes(from),
        _ => false,
    };
    graph.rank_of(from) > graph.rank_of(to) && !is_allowed
}

/// The nodes of a line, without the last.
fn line(graph: &Graph<'_>, from: u32, to: u32, effort: &mut usize) -> Option<Vec<u32>> {
    let mut before = HashMap::from([(from, from)]);
    let mut waiting = vec![from];
    while let Some(number) = waiting.pop() {
        *effort = effort.checked_sub(1)?;
        for next in graph.following(number).iter().copied() {
            if next == to {
                let mut line = vec![number];
                let mut number = number;
                while number != from {
                    number = before[&number];
                    line.push(number);
                }
                line.reverse();
                return Some(line);
            }
            // What was proven before cannot rest on it.
            if graph.rank_of(next) > graph.rank_of(to) && !before.contains_key(&next) {
                before.insert(next, number);
                waiting.push(next);
            }
        }
    }
    None
}
