//! The positions of a small board as a graph, in which games are paths.

use std::collections::{BTreeMap, HashMap};

use crate::board::Board;
use crate::color::{ByColor, Color};
use crate::point_set::PointSet;
use crate::rules::{Ko, Rules};
use crate::size::Size;
use crate::symmetry::Symmetry;

/// A set of nodes, one bit for each.
type Nodes = u128;

/// Bits of a state's key that hold nodes; the others hold the number of a node.
pub(super) const MOST_NODES: u32 = Nodes::BITS - 7;

/// What superko remembers: boards where it is positional, boards with the player to move where it is situational.
///
/// Under positional superko the number of ways to go on does not depend on whose turn it is. The player to move
/// may play, or pass and let the other play, or both pass and the game is over; so whoever it is, there is one way to
/// end here and now, and each stone of either colour that leads to a new board. A node is then a board, and
/// its moves are those of both players.
///
/// Under situational superko a pass leaves a trace: it marks the same board with the other to move.
pub(super) struct Graph {
    nodes: Vec<Node>,
    /// Where the symmetries of the board, with and without exchange of the colours, take each node.
    symmetries: Vec<Vec<u8>>,
}

struct Node {
    /// All nodes that are one stone away, with or without a pass before it.
    beside: Nodes,
    moves: Vec<Edge>,
    /// The node that a pass marks, if there is one.
    passed: Nodes,
    /// What the other player may do after the pass.
    answers: Vec<Edge>,
}

/// A node that a stone leads to.
#[derive(Clone, Copy)]
struct Edge {
    to: u8,
    /// The number of stones that do: more than one for suicides, which may all leave the same board.
    ways: u8,
}

/// The last move was a stone (or the game has just begun) and led to a node; other nodes can still be reached.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct State {
    node: u8,
    /// What the game has not seen yet, as far as it can still be reached: the rest makes no difference any more.
    open: Nodes,
}

impl State {
    /// A number that only this state has. Not 0 if the game can go on.
    pub(super) const fn key(self) -> u128 {
        self.open | (self.node as u128) << MOST_NODES
    }

    /// How many nodes can still be reached.
    pub(super) const fn open(self) -> u32 {
        self.open.count_ones()
    }
}

impl Graph {
    /// The graph of a board, or `None` if it has too many nodes.
    ///
    /// The ko rule must be a superko rule, and games must end after two passes and by nothing else.
    pub(super) fn new(size: Size, rules: &Rules) -> Option<Self> {
        let boards = Boards::reachable(size, rules)?;
        let nodes: Vec<Node> = match rules.ko {
            Ko::Simple => return None,
            Ko::Positional => boards.positional(),
            Ko::Situational => boards.situational(),
        };
        let symmetries = Symmetry::onto_itself(size)
            .flat_map(|symmetry| [(symmetry, false), (symmetry, true)])
            .map(|(symmetry, inverted)| {
                let images = boards.images(symmetry, inverted);
                match rules.ko {
                    Ko::Simple | Ko::Positional => {
                        images.iter().map(|&image| image as u8).collect()
                    }
                    Ko::Situational => images
                        .iter()
                        .flat_map(|&image| {
                            Color::BOTH.map(|color| {
                                if inverted {
                                    situation(image, !color)
                                } else {
                                    situation(image, color)
                                }
                            })
                        })
                        .collect(),
                }
            })
            .collect();
        (nodes.len() <= MOST_NODES as usize).then_some(Self { nodes, symmetries })
    }

    /// The empty board, Black to move.
    pub(super) fn start(&self) -> State {
        let all = Nodes::MAX >> (Nodes::BITS - self.nodes.len() as u32);
        self.state(0, all & !1)
    }

    fn state(&self, node: u8, open: Nodes) -> State {
        let mut reached = self.nodes[usize::from(node)].beside & open;
        let mut new = reached;
        while new != 0 {
            let next = new.trailing_zeros() as usize;
            new &= new - 1;
            let more = self.nodes[next].beside & open & !reached;
            reached |= more;
            new |= more;
        }
        State {
            node,
            open: reached,
        }
    }

    /// All states that the next stone can lead to, with the number of ways. To end the game is another way to go on.
    pub(super) fn next(&self, state: State) -> impl Iterator<Item = (State, u8)> {
        let node = &self.nodes[usize::from(state.node)];
        let after_pass = state.open & !node.passed;
        let moves = node.moves.iter().map(move |&edge| (edge, state.open));
        let answers = node.answers.iter().map(move |&edge| (edge, after_pass));
        moves.chain(answers).filter_map(|(edge, open)| {
            let target = 1 << edge.to;
            (open & target != 0).then(|| (self.state(edge.to, open & !target), edge.ways))
        })
    }

    /// The one state that stands for all that are the same but for symmetry.
    pub(super) fn canonical(&self, state: State) -> State {
        let images = self.symmetries.iter().map(|images| {
            let mut open = 0;
            let mut rest = state.open;
            while rest != 0 {
                open |= 1 << images[rest.trailing_zeros() as usize];
                rest &= rest - 1;
            }
            State {
                node: images[usize::from(state.node)],
                open,
            }
        });
        images.min().unwrap_or(state)
    }
}

/// The node of a board with this player to move.
const fn situation(board: usize, to_move: Color) -> u8 {
    2 * board as u8 + matches!(to_move, Color::White) as u8
}

type Stones = ByColor<PointSet>;

/// All boards that can be reached from the empty one, which is the first, and the moves between them.
struct Boards {
    size: Size,
    numbers: HashMap<Stones, usize>,
    stones: Vec<Stones>,
    /// The boards that each player can make of a board, as often as there are stones that do.
    moves: Vec<ByColor<Vec<usize>>>,
}

impl Boards {
    fn reachable(size: Size, rules: &Rules) -> Option<Self> {
        let empty = Stones::default();
        let mut boards = Self {
            size,
            numbers: HashMap::from([(empty, 0)]),
            stones: vec![empty],
            moves: Vec::new(),
        };
        while let Some(&stones) = boards.stones.get(boards.moves.len()) {
            // What was set up has no simple ko, which superko makes needless.
            let board = Board::with_stones(size, stones).ok()?;
            let moves = Color::BOTH.map(|color| {
                let playable = board.playable(color, rules.suicide);
                playable
                    .iter()
                    .map(|point| {
                        let mut next = board.clone();
                        next.play_unchecked(point, color, |_| {});
                        boards.number(Color::BOTH.map(|color| *next.stones(color)).into())
                    })
                    .collect()
            });
            boards.moves.push(moves.into());
            if boards.stones.len() > MOST_NODES as usize {
                return None;
            }
        }
        Some(boards)
    }

    /// The number of a board, which may be new.
    fn number(&mut self, stones: Stones) -> usize {
        *self.numbers.entry(stones).or_insert_with(|| {
            self.stones.push(stones);
            self.stones.len() - 1
        })
    }

    fn positional(&self) -> Vec<Node> {
        let both = |moves: &ByColor<Vec<usize>>| {
            let moves = moves.black.iter().chain(&moves.white);
            Node::new(edges(moves.map(|&board| board as u8)), 0, Vec::new())
        };
        self.moves.iter().map(both).collect()
    }

    fn situational(&self) -> Vec<Node> {
        let mut nodes = Vec::new();
        for (board, moves) in self.moves.iter().enumerate() {
            for to_move in Color::BOTH {
                let edges_of =
                    |color: Color| edges(moves[color].iter().map(|&next| situation(next, !color)));
                let passed = 1 << situation(board, !to_move);
                nodes.push(Node::new(edges_of(to_move), passed, edges_of(!to_move)));
            }
        }
        nodes
    }

    /// Where a symmetry takes each board.
    fn images(&self, symmetry: Symmetry, inverted: bool) -> Vec<usize> {
        let image = |stones: &Stones| {
            let stones = stones.map(|stones| symmetry.apply_to_set(&stones, self.size));
            let stones = if inverted {
                ByColor::new(stones.white, stones.black)
            } else {
                stones
            };
            self.numbers[&stones]
        };
        self.stones.iter().map(image).collect()
    }
}

impl Node {
    fn new(moves: Vec<Edge>, passed: Nodes, answers: Vec<Edge>) -> Self {
        let edges = moves.iter().chain(&answers);
        Self {
            beside: edges.fold(0, |beside, edge| beside | 1 << edge.to),
            moves,
            passed,
            answers,
        }
    }
}

/// One edge for all stones that lead to the same node.
fn edges(targets: impl Iterator<Item = u8>) -> Vec<Edge> {
    let mut ways = BTreeMap::new();
    for target in targets {
        *ways.entry(target).or_insert(0) += 1;
    }
    ways.into_iter()
        .map(|(to, ways)| Edge { to, ways })
        .collect()
}
