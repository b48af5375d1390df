//! What each player forces in every node of a tree.

use super::{Next, Node};

/// Who wants a margin, seen from a node.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Prover {
    /// The player to move.
    Mover,
    /// The one who has just moved.
    Waiter,
}

/// Where the prover is the player to move the move that wins, elsewhere 0; `None` where nothing is won.
type Won = Vec<Option<usize>>;

/// What each prover wins, by whether it is that prover's turn.
struct Wins {
    mover: Won,
    waiter: Won,
}

impl Wins {
    /// The nodes in which the prover gets a margin of at least `margin`.
    ///
    /// A node is won when that follows from nodes won in earlier rounds, so that no win rests on itself, and every
    /// repetition is lost for the prover.
    fn at_least(nodes: &[Node], margin: i16) -> Self {
        let mut wins = Self {
            mover: vec![None; nodes.len()],
            waiter: vec![None; nodes.len()],
        };
        let mut open: Vec<u32> = (0..nodes.len() as u32).collect();
        loop {
            let mut news = Vec::new();
            for number in &open {
                let node = &nodes[*number as usize];
                if wins.mover[*number as usize].is_none() {
                    let good = |next: &Next| match next {
                        Next::Node(child) => wins.waiter[*child as usize].is_some(),
                        Next::End(end) => *end >= margin,
                    };
                    if let Some(best) = node.moves.iter().position(|(_, next)| good(next)) {
                        news.push((*number, Prover::Mover, best));
                    }
                }
                if wins.waiter[*number as usize].is_none() && !node.moves.is_empty() {
                    let good = |next: &Next| match next {
                        Next::Node(child) => wins.mover[*child as usize].is_some(),
                        Next::End(end) => -*end >= margin,
                    };
                    if node.moves.iter().all(|(_, next)| good(next)) {
                        news.push((*number, Prover::Waiter, 0));
                    }
                }
            }
            if news.is_empty() {
                return wins;
            }
            for (number, prover, best) in news {
                match prover {
                    Prover::Mover => wins.mover[number as usize] = Some(best),
                    Prover::Waiter => wins.waiter[number as usize] = Some(0),
                }
            }
            open.retain(|number| {
                let at = *number as usize;
                wins.mover[at].is_none() || wins.waiter[at].is_none()
            });
        }
    }
}

/// Fills in the scores.
pub(super) fn solve(nodes: &mut [Node]) {
    let Some(area) = nodes.first().map(|node| node.setup.size.area() as i16) else {
        return;
    };
    for margin in -area..=area {
        let wins = Wins::at_least(nodes, margin);
        for (at, node) in nodes.iter_mut().enumerate() {
            if wins.mover[at].is_some() {
                node.low = margin;
            }
            if wins.waiter[at].is_some() {
                node.high = -margin;
            }
        }
    }
}

/// The moves of the player to move at the start, or of the other one, that get what the score of the start promises.
pub(super) fn strategy(nodes: &[Node], mover: bool) -> Vec<Option<usize>> {
    let root = &nodes[0];
    let margin = if mover { root.low } else { -root.high };
    Wins::at_least(nodes, margin).mover
}
