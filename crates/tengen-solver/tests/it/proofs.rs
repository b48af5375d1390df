//! Proofs made in the simplest way: all situations, until nothing more is won.

use std::collections::HashMap;

use tengen_core::{Board, Color, Point, Settlement, Setup, Suicide};
use tengen_solver::Bound;
use tengen_solver::certificate::{Claim, Entry, Situation, Writer};

/// Empty boards, and what Black and White force on each.
pub(crate) const KNOWN: [(&str, i16, i16); 9] = [
    ("1x1", 0, 0),
    ("1x2", 0, 0),
    ("1x3", 3, 3),
    ("1x4", 4, 4),
    ("1x5", -5, 5),
    ("2x2", -4, 4),
    ("2x3", -6, 6),
    ("2x4", 8, 8),
    ("3x3", 9, 9),
];

/// A situation with the player to move.
type Turn = (Situation, Color);

/// All that can come of a position under simple ko, and the margins at the end.
pub(crate) struct Tree {
    pub(crate) turns: Vec<Turn>,
    numbers: HashMap<Turn, usize>,
    /// Where each move leads: a pass first.
    moves: Vec<Vec<(Option<u8>, Next)>>,
    start: Setup,
    passed: bool,
}

#[derive(Clone, Copy)]
enum Next {
    Turn(usize),
    /// The game ends with this margin for Black.
    End(i32),
}

impl Tree {
    pub(crate) fn new(starts: &[Setup], passed: bool) -> Self {
        let mut tree = Self {
            turns: Vec::new(),
            numbers: HashMap::new(),
            moves: Vec::new(),
            start: starts[0],
            passed,
        };
        for start in starts {
            let situation = Situation {
                passed,
                ..Situation::of(&start.board().unwrap())
            };
            tree.number((situation, start.to_move));
        }
        while tree.moves.len() < tree.turns.len() {
            let (situation, mover) = tree.turns[tree.moves.len()];
            let board = situation.setup(tree.start.size, mover).board().unwrap();
            let pass = if situation.passed {
                Next::End(margin(&board))
            } else {
                Next::Turn(tree.number((situation.after_pass(), !mover)))
            };
            let mut moves = vec![(None, pass)];
            for point in board.playable(mover, Suicide::Forbidden) {
                let mut after = board.clone();
                after.play(point, mover, Suicide::Forbidden).unwrap();
                let next = tree.number((Situation::of(&after), !mover));
                moves.push((Some(place(point, &board)), Next::Turn(next)));
            }
            tree.moves.push(moves);
        }
        tree
    }

    /// Where the moves of a turn lead: to a turn, or to a margin for Black.
    pub(crate) fn next(&self, turn: usize) -> impl Iterator<Item = Result<usize, i32>> {
        self.moves[turn].iter().map(|(_, next)| match next {
            Next::Turn(next) => Ok(*next),
            Next::End(margin) => Err(*margin),
        })
    }

    fn number(&mut self, turn: Turn) -> usize {
        *self.numbers.entry(turn).or_insert_with(|| {
            self.turns.push(turn);
            self.turns.len() - 1
        })
    }

    /// For each turn: the move that wins for the prover (`Some(None)` is a pass), where the prover is to move; whether
    /// it is won at all.
    ///
    /// Something is won if it follows from what was won before, so that no win rests on itself.
    pub(crate) fn solve(&self, prover: Color, margin: i32) -> Vec<Option<Option<u8>>> {
        let claim = Claim::new(self.start, Bound::new(prover, margin));
        let mut won: Vec<Option<Option<u8>>> = vec![None; self.turns.len()];
        loop {
            let mut news = Vec::new();
            for (turn, (_, mover)) in self.turns.iter().enumerate() {
                if won[turn].is_some() {
                    continue;
                }
                let wins = |next: &Next| match next {
                    Next::Turn(next) => won[*next].is_some(),
                    Next::End(margin) => claim.bound.holds_for(*margin),
                };
                let mut moves = self.moves[turn].iter();
                if *mover == prover {
                    if let Some((reply, _)) = moves.find(|(_, next)| wins(next)) {
                        news.push((turn, *reply));
                    }
                } else if moves.all(|(_, next)| wins(next)) {
                    news.push((turn, None));
                }
            }
            if news.is_empty() {
                return won;
            }
            for (turn, reply) in news {
                won[turn] = Some(reply);
            }
        }
    }

    /// What would be won if it sufficed that nothing is ever lost, however long the game takes.
    fn solve_in_circles(&self, prover: Color, margin: i32) -> Vec<Option<Option<u8>>> {
        let claim = Claim::new(self.start, Bound::new(prover, margin));
        let mut held = vec![true; self.turns.len()];
        loop {
            let holds = |held: &[bool], next: &Next| match next {
                Next::Turn(next) => held[*next],
                Next::End(margin) => claim.bound.holds_for(*margin),
            };
            let lost = (0..self.turns.len()).find(|turn| {
                let mut moves = self.moves[*turn].iter();
                let still = if self.turns[*turn].1 == prover {
                    moves.any(|(_, next)| holds(&held, next))
                } else {
                    moves.all(|(_, next)| holds(&held, next))
                };
                held[*turn] && !still
            });
            let Some(lost) = lost else {
                let reply = |turn: usize| {
                    let mut moves = self.moves[turn].iter();
                    let found = moves.find(|(_, next)| holds(&held, next));
                    held[turn].then(|| found.and_then(|(reply, _)| *reply))
                };
                return (0..self.turns.len()).map(reply).collect();
            };
            held[lost] = false;
        }
    }

    /// The best margin that a player can force from the first start: for Black the highest, for White the lowest.
    pub(crate) fn value(&self, prover: Color) -> i32 {
        let area = self.start.size.area() as i32;
        let mut margins: Vec<i32> = (-area..=area).collect();
        if prover == Color::Black {
            margins.reverse();
        }
        let wins = |margin: &i32| self.solve(prover, *margin)[0].is_some();
        margins
            .into_iter()
            .find(wins)
            .expect("a whole board can be given away")
    }

    /// The claim about the first start, and the entries that win it, or `None` if it is not won.
    pub(crate) fn proof(&self, prover: Color, margin: i32) -> Option<(Claim, Vec<Entry>)> {
        self.entries(prover, margin, &self.solve(prover, margin))
    }

    /// The same where going round in circles would be as good as winning, which it is not.
    pub(crate) fn circular_proof(&self, prover: Color, margin: i32) -> Option<(Claim, Vec<Entry>)> {
        self.entries(prover, margin, &self.solve_in_circles(prover, margin))
    }

    fn entries(
        &self,
        prover: Color,
        margin: i32,
        won: &[Option<Option<u8>>],
    ) -> Option<(Claim, Vec<Entry>)> {
        won[0]?;
        let mut entries = Vec::new();
        let mut reached = vec![false; self.turns.len()];
        let mut waiting = vec![0];
        while let Some(turn) = waiting.pop() {
            if std::mem::replace(&mut reached[turn], true) {
                continue;
            }
            let (situation, mover) = self.turns[turn];
            let follow = |next: &Next| match next {
                Next::Turn(next) => Some(*next),
                Next::End(_) => None,
            };
            if mover == prover {
                let reply = won[turn].unwrap();
                entries.push(Entry { situation, reply });
                let (_, next) = self.moves[turn]
                    .iter()
                    .find(|(action, _)| *action == reply)
                    .unwrap();
                waiting.extend(follow(next));
            } else {
                waiting.extend(self.moves[turn].iter().filter_map(|(_, next)| follow(next)));
            }
        }
        let claim = Claim {
            passed: self.passed,
            ..Claim::new(self.start, Bound::new(prover, margin))
        };
        Some((claim, entries))
    }
}

/// The proof as a file. Of symmetric situations with different moves the first is kept.
pub(crate) fn file(claim: Claim, entries: &[Entry]) -> Vec<u8> {
    let classes = tengen_solver::certificate::Classes::new(claim.start.size).unwrap();
    let mut kept = HashMap::new();
    let mut writer = Writer::new(claim).unwrap();
    for entry in entries {
        if kept
            .insert(classes.class(&entry.situation).key, ())
            .is_none()
        {
            writer.add(entry);
        }
    }
    let mut file = Vec::new();
    writer.finish(&mut file).unwrap();
    file
}

/// The empty board, Black to move.
pub(crate) fn empty(size: &str) -> Setup {
    Setup::empty(size.parse().unwrap())
}

/// Black's margin if the game ends on this board.
pub(crate) fn margin(board: &Board) -> i32 {
    let territory = board.territory(&Settlement::default());
    let points = |color| (board.stones(color).len() + territory.owned[color].len()) as i32;
    points(Color::Black) - points(Color::White)
}

pub(crate) fn place(point: Point, board: &Board) -> u8 {
    point.y() * board.size().width() + point.x()
}
