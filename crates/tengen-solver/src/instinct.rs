//! What to try first: a linear policy over small patterns, which learns while the search goes on.
//!
//! A move's score is the sum of the weights of its features. When a move has decided a situation, the weights are moved
//! towards a softmax that would have chosen it among all moves. That changes the order of moves and nothing else.

use crate::geometry::{Geometry, NO_MOVE};
use crate::position::{Moves, Position};

/// How far the weights move for one decision.
const RATE: f32 = 0.1;

/// A gradient that is smaller than this is not worth its memory accesses.
const NEGLIGIBLE: f32 = 0.01;

/// What a neighbour that is empty is worth before anything has been learned, and a capture.
const ROOM: f32 = 0.1;
const CAPTURE: f32 = 1.0;

/// The contents of the eight points around one.
const SURROUNDINGS: usize = 3_usize.pow(8);

/// Liberties of the chain that a stone makes are told apart up to this many.
const LIBERTIES: usize = 4;

/// Does a stone touch chains with one and with two liberties, of either colour?
const TACTICS: usize = 16;

/// The longest part of a row or column that is looked at as a whole.
const LONGEST: usize = 6;
const CONTENTS: usize = 3_usize.pow(LONGEST as u32);

/// More parts of rows and columns than any board has: one of 1×36 points has six and 36.
const MOST_LINES: usize = 48;

/// Moves that may have come before: all points, and none of them.
const EARLIER: usize = 64;

/// The weights of all features.
#[derive(Clone, Debug)]
pub(crate) struct Instinct {
    /// The cells of each line: the first, the step to the next, and how many.
    lines: Vec<(u8, u8, u8)>,
    /// For each nine cells as bits, the middle one aside: as a number to base three.
    ternary: Box<[u16; 512]>,
    weights: Weights,
}

/// For each colour and point, the weights by …
#[derive(Clone, Debug)]
struct Weights {
    /// … nothing else,
    point: Vec<f32>,
    /// … the move before, and the one before that,
    reply: Vec<f32>,
    sequel: Vec<f32>,
    /// … what is around the point, and how many liberties the stone will have,
    around: Vec<f32>,
    /// … the chains that the stone touches,
    tactics: Vec<f32>,
    /// … what stands in each row and column of the board.
    lines: Vec<f32>,
}

/// What the features of all moves of a situation have in common.
#[derive(Clone, Copy, Debug)]
pub(crate) struct View {
    turn: usize,
    own: u64,
    other: u64,
    /// Own chains with one and with two liberties, and the other player's.
    short: [u64; 4],
    /// The two moves before.
    earlier: [u8; 2],
    /// The contents of each line, as a place among the weights of a point.
    lines: [u32; MOST_LINES],
}

/// The features that a move has for itself, as places among the weights.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Features {
    point: u32,
    around: u32,
    tactics: u32,
}

/// A move, as far as learning is concerned.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Candidate {
    pub(crate) features: Features,
    /// The sum of its weights when it was expanded.
    pub(crate) score: f32,
}

impl Instinct {
    /// Without any experience.
    pub(crate) fn new(geometry: &Geometry) -> Self {
        let mut lines = Vec::new();
        let (rows, columns) = geometry.rows_and_columns();
        let stride = geometry.stride() as u8;
        for row in 0..rows {
            for start in (0..columns).step_by(LONGEST) {
                let count = (columns - start).min(LONGEST as u8);
                lines.push((row * stride + start, 1, count));
            }
        }
        // A board lies on its long side, so that columns are short.
        lines.extend((0..columns).map(|column| (column, stride, rows)));
        let points = 2 * geometry.area;
        let ternary = |bits: usize| {
            let around = (0..9).filter(|bit| *bit != 4).enumerate();
            around
                .map(|(place, bit)| (bits >> bit & 1) as u16 * 3_u16.pow(place as u32))
                .sum()
        };
        Self {
            weights: Weights {
                point: vec![0.0; points],
                reply: vec![0.0; points * EARLIER],
                sequel: vec![0.0; points * EARLIER],
                around: vec![0.0; points * LIBERTIES * SURROUNDINGS],
                tactics: vec![0.0; points * TACTICS],
                lines: vec![0.0; points * lines.len() * CONTENTS],
            },
            lines,
            ternary: Box::new(std::array::from_fn(ternary)),
        }
    }

    /// Looks at a situation, after these moves.
    pub(crate) fn view(&self, geometry: &Geometry, position: &Position, moves: &[u8]) -> View {
        let turn = usize::from(position.turn);
        let [own, other] = [position.stones[turn], position.stones[turn ^ 1]];
        let empty = position.empty(geometry);
        let mut short = [0; 4];
        for (side, stones) in [own, other].into_iter().enumerate() {
            let mut left = stones;
            while left != 0 {
                let chain = geometry.flood(left & left.wrapping_neg(), left);
                left &= !chain;
                let liberties = (geometry.beside(chain) & empty).count_ones() as usize;
                if liberties <= 2 {
                    short[2 * side + liberties - 1] |= chain;
                }
            }
        }
        let mut contents = [0; MOST_LINES];
        for (line, &(start, step, count)) in self.lines.iter().enumerate() {
            let mut number = 0;
            for at in (0..count).map(|place| start + place * step) {
                number = 3 * number + (own >> at & 1) + 2 * (other >> at & 1);
            }
            contents[line] = (line * CONTENTS) as u32 + number as u32;
        }
        let mut before = moves.iter().rev().copied();
        View {
            turn,
            own,
            other,
            short,
            earlier: std::array::from_fn(|_| before.next().unwrap_or(NO_MOVE)),
            lines: contents,
        }
    }

    /// What a stone promises, and why.
    pub(crate) fn judge(
        &self,
        geometry: &Geometry,
        view: &View,
        moves: &Moves,
        cell: u8,
        after: &Position,
    ) -> Candidate {
        let stone = 1_u64 << cell;
        let stride = geometry.stride();
        let around = |stones: u64| {
            // The row below begins at the lowest bit.
            let near = ((u128::from(stones) << (stride + 1)) >> cell) as u64;
            let rows = near & 7 | (near >> stride & 7) << 3 | (near >> (2 * stride) & 7) << 6;
            usize::from(self.ternary[rows as usize])
        };
        let chain = geometry.flood(stone, after.stones[view.turn]);
        let empty = after.empty(geometry);
        let liberties = (geometry.beside(chain) & empty).count_ones() as usize;
        let liberties = liberties.clamp(1, LIBERTIES) - 1;
        let beside = geometry.beside(stone);
        let tactics = (0..4)
            .filter(|kind| beside & view.short[*kind] != 0)
            .fold(0, |set, kind| set | 1 << kind);
        let point = view.turn * geometry.area + usize::from(geometry.place(0, cell));
        let contents = around(view.own) + 2 * around(view.other);
        let features = Features {
            point: point as u32,
            around: ((point * LIBERTIES + liberties) * SURROUNDINGS + contents) as u32,
            tactics: (point * TACTICS + tactics) as u32,
        };
        let room = (beside & !view.own & !view.other).count_ones() as f32;
        let mut score = ROOM * room;
        if moves.capturing & stone != 0 {
            score += CAPTURE;
        }
        let weights = &self.weights;
        let [reply, sequel] = earlier(view, point);
        score += weights.point[point]
            + weights.reply[reply]
            + weights.sequel[sequel]
            + weights.around[features.around as usize]
            + weights.tactics[features.tactics as usize];
        let of_point = self.lines_of(point);
        for line in &view.lines[..self.lines.len()] {
            score += weights.lines[of_point + *line as usize];
        }
        Candidate { features, score }
    }

    /// Takes note that a move decided.
    pub(crate) fn learn(&mut self, view: &View, candidates: &[Candidate], decisive: usize) {
        let top = candidates
            .iter()
            .fold(f32::MIN, |top, candidate| top.max(candidate.score));
        let shares = |candidate: &Candidate| libm::expf(candidate.score - top);
        let sum: f32 = candidates.iter().map(shares).sum();
        for (number, candidate) in candidates.iter().enumerate() {
            let wanted = if number == decisive { 1.0 } else { 0.0 };
            let gradient = wanted - shares(candidate) / sum;
            if gradient.abs() < NEGLIGIBLE {
                continue;
            }
            let change = RATE * gradient;
            let features = candidate.features;
            let point = features.point as usize;
            let [reply, sequel] = earlier(view, point);
            let of_point = self.lines_of(point);
            let weights = &mut self.weights;
            weights.point[point] += change;
            weights.reply[reply] += change;
            weights.sequel[sequel] += change;
            weights.around[features.around as usize] += change;
            weights.tactics[features.tactics as usize] += change;
            for line in &view.lines[..self.lines.len()] {
                weights.lines[of_point + *line as usize] += change;
            }
        }
    }

    /// Where the weights of the lines of a colour and point begin.
    fn lines_of(&self, point: usize) -> usize {
        point * self.lines.len() * CONTENTS
    }
}

/// The places of a point's weights by the moves before.
fn earlier(view: &View, point: usize) -> [usize; 2] {
    view.earlier.map(|cell| point * EARLIER + usize::from(cell))
}
