//! The value under one ko rule, with the whole history in the search.
//!
//! Where the bounds that hold under every ko rule do not meet, the rule decides. Then nothing may be remembered: what a
//! situation is worth depends on the boards before it. So this search has no table, and is for the smallest boards.

use std::sync::atomic::Ordering;

use tengen_core::Ko;

use crate::geometry::{Geometry, PASS, cells};
use crate::life;
use crate::position::Position;
use crate::search::Shared;
use crate::solver::{Interval, Solver};
use crate::verify::KoRule;

/// The deepest that the search goes.
const DEEPEST: u16 = 2000;

impl Solver {
    /// The bounds under one ko rule, which meet unless the solver was stopped. No board was there before the position.
    ///
    /// Under simple ko, a stone that makes a board which was there before ends the game as a tie: a margin of 0.
    ///
    /// Bounds that were proven for every ko rule are used if the checker grants their proofs this one.
    pub fn solve_with_history(&mut self, ko: Ko) -> Interval {
        let mut interval = self.confirmed_under(match ko {
            // There a repetition ends the game as a tie, which may be worse than the bound: proofs without any repetition hold.
            Ko::Simple | Ko::Positional => KoRule::Positional,
            Ko::Situational => KoRule::Situational,
        });
        while interval.lower < interval.upper {
            let middle = interval.lower + (interval.upper - interval.lower + 1) / 2;
            match self.black_gets(ko, middle) {
                Some(true) => interval.lower = middle,
                Some(false) => interval.upper = middle - 1,
                None => break,
            }
        }
        interval
    }

    /// Does Black get this margin? `None` if the solver was stopped.
    fn black_gets(&self, ko: Ko, margin: i32) -> Option<bool> {
        let mut walk = Walk {
            shared: &self.shared,
            ko,
            margin,
            seen: vec![(self.root.stones, self.root.turn)],
            captures: 0,
            scores: [[0; 64]; 2],
            nodes: 0,
        };
        let mut depth = 4;
        loop {
            let answer = walk.black_gets(&self.root, depth);
            self.shared.nodes.fetch_add(walk.nodes, Ordering::Relaxed);
            walk.nodes = 0;
            match answer {
                Answer::Yes => return Some(true),
                Answer::No => return Some(false),
                Answer::Stopped => return None,
                Answer::Unknown if depth >= DEEPEST => return None,
                Answer::Unknown => depth += 2,
            }
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Answer {
    Yes,
    No,
    /// Not known at this depth.
    Unknown,
    Stopped,
}

impl From<bool> for Answer {
    fn from(yes: bool) -> Self {
        if yes { Self::Yes } else { Self::No }
    }
}

/// A walk through the tree of games.
struct Walk<'a> {
    shared: &'a Shared,
    ko: Ko,
    margin: i32,
    /// The boards so far, each with the player who was to move.
    seen: Vec<([u64; 2], u8)>,
    /// How many moves on the way took stones.
    captures: u32,
    /// How often a move decided.
    scores: [[u32; 64]; 2],
    nodes: u64,
}

impl Walk<'_> {
    fn black_gets(&mut self, at: &Position, depth: u16) -> Answer {
        self.nodes += 1;
        if self.nodes.is_multiple_of(4096) && self.shared.stop.load(Ordering::Relaxed) {
            return Answer::Stopped;
        }
        let geometry = &self.shared.geometry;
        if let Some(answer) = self.bound(geometry, at) {
            return answer;
        }
        let wanted = if at.turn == 0 {
            Answer::Yes
        } else {
            Answer::No
        };
        if at.passed && Answer::from(at.margin(geometry) >= self.margin) == wanted {
            return wanted;
        }
        if depth == 0 {
            return Answer::Unknown;
        }
        let moves = at.moves(geometry);
        let turn = usize::from(at.turn);
        let mut order: Vec<u8> = cells(moves.legal).collect();
        let promise = |cell: &u8| {
            let takes = moves.capturing >> cell & 1 != 0;
            (takes, self.scores[turn][usize::from(*cell)])
        };
        order.sort_by_key(|cell| std::cmp::Reverse(promise(cell)));
        if !at.passed {
            order.push(PASS);
        }
        // A pass that would end the game was not what the player wants.
        let mut worst = Answer::from(at.turn != 0);
        for cell in order {
            let (after, takes) = if cell == PASS {
                (at.pass(), 0)
            } else {
                (
                    at.play(geometry, &moves, cell),
                    u32::from(moves.capturing >> cell & 1 != 0),
                )
            };
            let answer = match self.repeats(&after, cell) {
                true if self.ko == Ko::Simple => Answer::from(0 >= self.margin),
                true => continue,
                false => {
                    self.seen.push((after.stones, after.turn));
                    self.captures += takes;
                    let answer = self.black_gets(&after, depth - 1);
                    self.captures -= takes;
                    self.seen.pop();
                    answer
                }
            };
            if answer == wanted || answer == Answer::Stopped {
                let score = &mut self.scores[turn][usize::from(cell)];
                *score = score.saturating_add(1);
                return answer;
            }
            if answer == Answer::Unknown {
                worst = Answer::Unknown;
            }
        }
        worst
    }

    /// Does a stone make a board that it must not make, or that ends the game?
    fn repeats(&self, after: &Position, cell: u8) -> bool {
        let same = |(stones, turn): &([u64; 2], u8)| {
            *stones == after.stones && (self.ko != Ko::Situational || *turn == after.turn)
        };
        cell != PASS && self.seen.iter().any(same)
    }

    /// What follows from stones that are alive for certain, where no earlier board can spoil it.
    fn bound(&self, geometry: &Geometry, at: &Position) -> Option<Answer> {
        let area = geometry.area as i32;
        for prover in [0_u8, 1] {
            let me = usize::from(prover);
            // What the prover needs for the answer to be the prover's: Black the margin, White one point less.
            let threshold = if prover == 0 {
                self.margin
            } else {
                1 - self.margin
            };
            let needed = (threshold + area + 1).div_euclid(2);
            let answer = Answer::from(prover == 0);
            if needed <= 0 {
                return Some(answer);
            }
            let [own, enemy] = [at.stones[me], at.stones[me ^ 1]];
            let owner_moves = at.turn == prover;
            let owned = life::sure(geometry, own, enemy, owner_moves, needed as u32);
            if owned.points == 0 {
                continue;
            }
            if at.passed
                && !owner_moves
                && Answer::from(at.margin(geometry) >= self.margin) != answer
            {
                continue;
            }
            // The owner's stones in the territory must not be banned: no earlier board may have had the living stones and
            // one more there.
            let banned = self.seen.iter().any(|(stones, _)| {
                stones[me] & owned.alive == owned.alive && stones[me] & owned.territory != 0
            });
            // Where a repetition is a tie, the enemy could look for one, unless a tie is as good or nothing was ever taken.
            let tied = self.ko == Ko::Simple && threshold > 0 && self.captures > 0;
            if !banned && !tied {
                return Some(answer);
            }
        }
        None
    }
}
