//! The tree that all threads search at once.
//!
//! A node is a handful of atomic numbers, so no thread ever waits for another. Children are made by the one thread that
//! claims their parent, and appear to the others all at once. Numbers that are read while others change them may be a
//! visit apart, which a search does not notice.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicI64, AtomicU16, AtomicU32, AtomicU64, AtomicUsize, Ordering};

use tengen_core::{Move, Point};

use crate::analysis::Worth;
use crate::utility::Value;

/// Values are sums of integers, since atomics cannot add fractions: so many parts are one.
const PARTS: f32 = 1_048_576.0;

/// Parts of a point of lead, and of a square of points.
const LEAD_PARTS: f32 = 256.0;

/// Parts of one in the values of moves played later, which share a word with their number.
const AMAF_PARTS: f32 = 64.0;

const NO_CHILDREN: u32 = 0;
const CLAIMED: u32 = u32::MAX;
const PASS: u16 = 0;

/// A position: the move that led to it and what is known about it.
///
/// All values are those of the player who made that move.
#[derive(Debug, Default)]
pub(crate) struct Node {
    utility: AtomicU64,
    wins: AtomicU64,
    lead: AtomicI64,
    lead_squares: AtomicU64,
    /// The sum of the squares of the deviations that an evaluator tells beside its leads.
    spread_squares: AtomicU64,
    utility_squares: AtomicU64,
    /// The number of games in which the move was played later, and above it the sum of their values.
    amaf: AtomicU64,
    visits: AtomicU32,
    /// How many of the visits have ended.
    ended: AtomicU32,
    /// The utility that was found first: what was said of the position itself.
    own: AtomicU32,
    prior: AtomicU32,
    first_child: AtomicU32,
    children: AtomicU16,
    action: AtomicU16,
}

/// The number and the mean value of games in which a move was played later.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Amaf {
    pub(crate) games: f32,
    pub(crate) sum: f32,
}

impl Node {
    pub(crate) fn action(&self) -> Move {
        match self.action.load(Ordering::Relaxed) {
            PASS => Move::Pass,
            index => Move::Play(Point::from_index(usize::from(index))),
        }
    }

    /// The index of the point of its move; 0 for a pass.
    #[inline]
    pub(crate) fn action_index(&self) -> usize {
        usize::from(self.action.load(Ordering::Relaxed))
    }

    #[inline]
    pub(crate) fn visits(&self) -> u32 {
        self.visits.load(Ordering::Relaxed)
    }

    /// How many of its visits have ended.
    #[inline]
    pub(crate) fn ended(&self) -> u32 {
        self.ended.load(Ordering::Relaxed)
    }

    #[inline]
    pub(crate) fn prior(&self) -> f32 {
        f32::from_bits(self.prior.load(Ordering::Relaxed))
    }

    /// The sum of the utilities of all visits.
    #[inline]
    pub(crate) fn utility_sum(&self) -> f32 {
        self.utility.load(Ordering::Relaxed) as f32 / PARTS
    }

    /// The mean utility of the visits that have ended.
    #[inline]
    pub(crate) fn mean_utility(&self) -> f32 {
        self.utility_sum() / self.ended().max(1) as f32
    }

    /// The mean of its squares.
    #[inline]
    pub(crate) fn mean_utility_square(&self) -> f32 {
        let sum = self.utility_squares.load(Ordering::Relaxed) as f32 / PARTS;
        sum / self.ended().max(1) as f32
    }

    /// The variance of the utilities of the visits that have ended.
    pub(crate) fn utility_variance(&self) -> f32 {
        let mean = self.mean_utility();
        (self.mean_utility_square() - mean * mean).max(0.0)
    }

    /// What was said of the position itself.
    #[inline]
    pub(crate) fn own_utility(&self) -> f32 {
        f32::from_bits(self.own.load(Ordering::Relaxed))
    }

    /// Its prior is another one now.
    pub(crate) fn set_prior(&self, prior: f32) {
        self.prior.store(prior.to_bits(), Ordering::Relaxed);
    }

    /// The visits that have ended are worth this on average, and their squares that.
    pub(crate) fn set_utility(&self, mean: f32, square: f32) {
        let parts = PARTS * self.ended() as f32;
        self.utility.store((mean * parts) as u64, Ordering::Relaxed);
        self.utility_squares
            .store((square * parts) as u64, Ordering::Relaxed);
    }

    /// All that was found is worth so much more.
    fn shift_utility(&self, by: f32) {
        let (mean, square) = (self.mean_utility(), self.mean_utility_square());
        self.set_utility(
            (mean + by).clamp(0.0, 1.0),
            (square + 2.0 * by * mean + by * by).max(0.0),
        );
        let own = (self.own_utility() + by).clamp(0.0, 1.0);
        self.own.store(own.to_bits(), Ordering::Relaxed);
    }

    #[inline]
    pub(crate) fn amaf(&self) -> Amaf {
        let packed = self.amaf.load(Ordering::Relaxed);
        Amaf {
            games: (packed & u64::from(u32::MAX)) as f32,
            sum: (packed >> 32) as f32 / AMAF_PARTS,
        }
    }

    /// What its move is worth to the player who made it, or `None` if it was never judged.
    pub(crate) fn worth(&self) -> Option<Worth> {
        let visits = self.visits();
        if visits == 0 {
            return None;
        }
        let visits = visits as f32;
        let wins = self.wins.load(Ordering::Relaxed) as f32 / PARTS;
        let lead = self.lead.load(Ordering::Relaxed) as f32 / LEAD_PARTS / visits;
        let squares = self.lead_squares.load(Ordering::Relaxed) as f32 / LEAD_PARTS / visits;
        let spreads = self.spread_squares.load(Ordering::Relaxed) as f32 / LEAD_PARTS / visits;
        let variance = squares - lead * lead;
        Some(Worth {
            win_rate: (wins / visits).clamp(0.0, 1.0),
            lead,
            lead_spread: (variance + spreads).max(0.0).sqrt(),
            lead_deviation: variance.max(0.0).sqrt(),
        })
    }

    /// A visit begins. Until it ends it counts as lost, so that other threads look elsewhere.
    #[inline]
    pub(crate) fn begin_visit(&self) -> u32 {
        self.visits.fetch_add(1, Ordering::Relaxed)
    }

    /// A visit that has begun comes to nothing.
    pub(crate) fn take_back_visit(&self) {
        self.visits.fetch_sub(1, Ordering::Relaxed);
    }

    /// A visit ends.
    pub(crate) fn end_visit(&self, value: Value) {
        let add = |to: &AtomicU64, amount: f32| to.fetch_add(amount as u64, Ordering::Relaxed);
        add(&self.utility, value.utility * PARTS);
        add(&self.wins, value.win * PARTS);
        add(&self.utility_squares, value.utility * value.utility * PARTS);
        let square = |number: f32| number * number * LEAD_PARTS;
        add(&self.lead_squares, square(value.lead));
        add(&self.spread_squares, square(value.lead_spread));
        if self.ended.fetch_add(1, Ordering::Relaxed) == 0 {
            self.own.store(value.utility.to_bits(), Ordering::Relaxed);
        }
        let lead = (value.lead * LEAD_PARTS) as i64;
        self.lead.fetch_add(lead, Ordering::Relaxed);
    }

    /// Its move was played later in a game with this utility.
    #[inline]
    pub(crate) fn add_amaf(&self, utility: f32) {
        // Two threads at once may lose a game, which is cheaper than to keep them apart.
        let packed = self.amaf.load(Ordering::Relaxed);
        let added = packed + 1 + (((utility * AMAF_PARTS) as u64) << 32);
        self.amaf.store(added, Ordering::Relaxed);
    }

    /// Has it children, or is somebody making them?
    pub(crate) fn is_claimed(&self) -> bool {
        self.first_child.load(Ordering::Relaxed) != NO_CHILDREN
    }

    /// Takes the right to give it children; false if somebody else has it.
    pub(crate) fn claim(&self) -> bool {
        self.first_child
            .compare_exchange(NO_CHILDREN, CLAIMED, Ordering::Acquire, Ordering::Relaxed)
            .is_ok()
    }

    /// Gives that right back.
    pub(crate) fn disclaim(&self) {
        self.first_child.store(NO_CHILDREN, Ordering::Release);
    }

    fn become_copy_of(&self, other: &Self) {
        let copy = |to: &AtomicU64, from: &AtomicU64| {
            to.store(from.load(Ordering::Relaxed), Ordering::Relaxed);
        };
        copy(&self.utility, &other.utility);
        copy(&self.wins, &other.wins);
        copy(&self.lead_squares, &other.lead_squares);
        copy(&self.spread_squares, &other.spread_squares);
        copy(&self.utility_squares, &other.utility_squares);
        copy(&self.amaf, &other.amaf);
        self.lead
            .store(other.lead.load(Ordering::Relaxed), Ordering::Relaxed);
        let copy = |to: &AtomicU32, from: &AtomicU32| {
            to.store(from.load(Ordering::Relaxed), Ordering::Relaxed);
        };
        copy(&self.visits, &other.visits);
        copy(&self.ended, &other.ended);
        copy(&self.own, &other.own);
        copy(&self.prior, &other.prior);
        self.action
            .store(other.action.load(Ordering::Relaxed), Ordering::Relaxed);
    }
}

const BLOCK_BITS: u32 = 14;
const BLOCK: usize = 1 << BLOCK_BITS;

/// Nodes, allocated block by block and never moved.
#[derive(Debug)]
pub(crate) struct Tree {
    blocks: Box<[OnceLock<Box<[Node]>>]>,
    used: AtomicUsize,
}

impl Tree {
    /// A tree of one node that may take so many bytes, as far as one block of nodes is less.
    pub(crate) fn new(memory: usize) -> Self {
        let blocks = (memory / size_of::<Node>() / BLOCK).clamp(1, (u32::MAX as usize - 1) / BLOCK);
        let tree = Self {
            blocks: (0..blocks).map(|_| OnceLock::new()).collect(),
            used: AtomicUsize::new(1),
        };
        tree.block(0);
        tree
    }

    fn block(&self, block: usize) -> &[Node] {
        self.blocks[block].get_or_init(|| (0..BLOCK).map(|_| Node::default()).collect())
    }

    /// How many nodes there is room for.
    pub(crate) fn capacity(&self) -> usize {
        self.blocks.len() * BLOCK
    }

    /// The position that is searched.
    pub(crate) fn root(&self) -> &Node {
        &self.block(0)[0]
    }

    /// The children of a node.
    #[inline]
    pub(crate) fn children(&self, node: &Node) -> &[Node] {
        let first = node.first_child.load(Ordering::Acquire);
        if first == NO_CHILDREN || first == CLAIMED {
            return &[];
        }
        let first = first as usize;
        let offset = first & (BLOCK - 1);
        let count = usize::from(node.children.load(Ordering::Relaxed));
        &self.block(first >> BLOCK_BITS)[offset..offset + count]
    }

    /// Gives a node that was claimed its children. False if there is no room for them.
    pub(crate) fn expand(&self, node: &Node, moves: &[(Move, f32)]) -> bool {
        let Some((first, children)) = self.allocate(moves.len()) else {
            return false;
        };
        for (child, (action, prior)) in children.iter().zip(moves) {
            let index = action.point().map_or(PASS, |point| point.index() as u16);
            child.action.store(index, Ordering::Relaxed);
            child.prior.store(prior.to_bits(), Ordering::Relaxed);
        }
        node.children.store(moves.len() as u16, Ordering::Relaxed);
        node.first_child.store(first, Ordering::Release);
        true
    }

    /// Fresh nodes, all in one block.
    fn allocate(&self, count: usize) -> Option<(u32, &[Node])> {
        let take = |used: usize| {
            let offset = used & (BLOCK - 1);
            let start = if offset + count > BLOCK {
                used - offset + BLOCK
            } else {
                used
            };
            (start + count <= self.capacity()).then_some((start, start + count))
        };
        let used = self
            .used
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |used| {
                take(used).map(|(_, end)| end)
            })
            .ok()?;
        let (start, _) = take(used)?;
        let offset = start & (BLOCK - 1);
        Some((
            start as u32,
            &self.block(start >> BLOCK_BITS)[offset..offset + count],
        ))
    }

    /// The tree below a node, as a new one, with the children of nodes that were visited at least so many times.
    pub(crate) fn subtree(&self, root: &Node, memory: usize, least_visits: u32) -> Self {
        let tree = Self::new(memory);
        let new_root = tree.root();
        new_root.become_copy_of(root);
        let mut pending = vec![(root, new_root)];
        while let Some((old, new)) = pending.pop() {
            let children = self.children(old);
            if children.is_empty() || old.visits() < least_visits {
                continue;
            }
            let Some((first, copies)) = tree.allocate(children.len()) else {
                continue;
            };
            for (child, copy) in children.iter().zip(copies) {
                copy.become_copy_of(child);
                pending.push((child, copy));
            }
            new.children.store(children.len() as u16, Ordering::Relaxed);
            new.first_child.store(first, Ordering::Release);
        }
        tree
    }

    /// Adds to the utilities of all nodes what `shift` says, by what a node is worth to the player who led to it and by
    /// its depth.
    pub(crate) fn shift_utilities(&self, shift: impl Fn(Worth, u32) -> f32) {
        let mut pending = vec![(self.root(), 0)];
        while let Some((node, depth)) = pending.pop() {
            if let Some(worth) = node.worth() {
                node.shift_utility(shift(worth, depth));
                pending.extend(self.children(node).iter().map(|child| (child, depth + 1)));
            }
        }
    }

    /// How many nodes [`Tree::subtree`] of the root would keep.
    pub(crate) fn count_kept(&self, least_visits: u32) -> usize {
        let mut kept = 1;
        let mut pending = vec![self.root()];
        while let Some(node) = pending.pop() {
            if node.visits() >= least_visits {
                let children = self.children(node);
                kept += children.len();
                pending.extend(children);
            }
        }
        kept
    }
}
