//! Ladders: chains that are chased from atari to atari until they are captured or break free.
//!
//! The attacker plays on one of the two liberties of the chain, which leaves it one. The owner extends there or
//! captures a chain around it that is in atari itself. Three liberties are freedom; a chain that still has one after
//! its owner's move is lost. Simple ko binds both sides, and nobody commits suicide.
//!
//! What is called caught has been read to the end, whatever the budget: what the budget does not suffice for is not a
//! ladder, nor is one with more moves than the board has points, which only repeated captures can make.

use crate::board::Board;
use crate::chains::{Chains, Content};
use crate::color::{ByColor, Color};
use crate::point::{Point, beside};
use crate::point_set::PointSet;

/// What ladders say about one chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ladder {
    /// The chain is in atari.
    Atari {
        /// The owner's moves after which no ladder captures the chain; none if it is caught.
        escapes: PointSet,
    },
    /// The chain has two liberties.
    TwoLiberties {
        /// Those where an enemy stone captures the chain in a ladder.
        captures: PointSet,
    },
}

/// What ladders say about a whole board, whoever is to move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ladders {
    /// The stones in atari that their owner cannot save, even with the next move.
    pub caught: PointSet,
    /// The stones of chains with two liberties that are caught if the enemy has the next move.
    pub threatened: PointSet,
    /// Where a stone of this colour captures an enemy chain of two liberties in a ladder.
    pub captures: ByColor<PointSet>,
    /// Where a stone of this colour saves a chain of its own that is in atari.
    pub escapes: ByColor<PointSet>,
}

impl Board {
    /// What ladders say about the chain on a point, or `None` if no stone is there or it has more than two liberties.
    ///
    /// For each first move, `budget` is the number of stones that may be put down to see where it leads.
    ///
    /// ```
    /// use tengen_core::{Ladder, Point, Setup};
    /// let board = "
    ///     . . . . . .
    ///     . . X X . .
    ///     . X O . . .
    ///     . . . . . .
    ///     . . . . . .
    ///     . . . . . .".parse::<Setup>()?.board()?;
    /// let below = Point::new(2, 3).into();
    /// assert_eq!(board.ladder(Point::new(2, 2), 1000), Some(Ladder::TwoLiberties { captures: below }));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn ladder(&self, stone: Point, budget: u32) -> Option<Ladder> {
        let owner = self.color_at(stone)?;
        match Breath::of(self.lean(), stone.index()) {
            Breath::Free => None,
            breath => Reader::new(self, budget).ladder(stone.index(), owner, breath),
        }
    }

    /// [`Board::ladder`] for all chains at once.
    ///
    /// ```
    /// use tengen_core::{Color, Point, Setup};
    /// let board = "
    ///     . . X . .
    ///     . X O X .
    ///     . . . . .
    ///     . . . . .".parse::<Setup>()?.board()?;
    /// let ladders = board.ladders(1000);
    /// assert!(ladders.caught.is_empty());
    /// assert_eq!(ladders.escapes[Color::White], Point::new(2, 2).into());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn ladders(&self, budget: u32) -> Ladders {
        let chains = self.lean();
        let mut reader = Reader::new(self, budget);
        let mut ladders = Ladders::default();
        for owner in Color::BOTH {
            let heads = self.stones(owner).iter().map(Point::index);
            for head in heads.filter(|stone| chains.head(*stone) == *stone) {
                let breath = Breath::of(chains, head);
                let lost = match reader.ladder(head, owner, breath) {
                    Some(Ladder::Atari { escapes }) => {
                        ladders.escapes[owner] |= escapes;
                        escapes.is_empty().then_some(&mut ladders.caught)
                    }
                    Some(Ladder::TwoLiberties { captures }) => {
                        ladders.captures[!owner] |= captures;
                        (!captures.is_empty()).then_some(&mut ladders.threatened)
                    }
                    None => None,
                };
                if let Some(lost) = lost {
                    lost.extend(chains.members(head).map(Point::from_index));
                }
            }
        }
        ladders
    }
}

/// The liberties of a chain, as far as a ladder can tell them apart.
#[derive(Clone, Copy)]
enum Breath {
    /// One liberty.
    Last(usize),
    /// Two liberties, in order.
    Two([usize; 2]),
    /// Three liberties or more.
    Free,
}

impl Breath {
    /// The liberties of the chain of the stone in this cell.
    fn of(chains: &Chains, stone: usize) -> Self {
        let head = chains.head(stone);
        if let Some(last) = chains.last_liberty(head) {
            return Self::Last(last);
        }
        // The stones that were played last come early in the ring, and in a ladder they have all the liberties.
        let mut unseen = chains.pseudo_liberties(head);
        let mut first = None;
        let mut second = None;
        for stone in chains.members(head) {
            for cell in beside(stone) {
                if chains.content(cell) != Content::Empty {
                    continue;
                }
                unseen -= 1;
                if first.is_none_or(|first| first == cell) {
                    first = Some(cell);
                } else if second.is_none_or(|second| second == cell) {
                    second = Some(cell);
                } else {
                    return Self::Free;
                }
            }
            if unseen == 0 {
                break;
            }
        }
        match (first, second) {
            (Some(a), Some(b)) => Self::Two([a.min(b), a.max(b)]),
            // Not reached: a chain that is not in atari has two liberties.
            _ => Self::Free,
        }
    }
}

/// Reads ladders on a copy of a board and leaves the copy as it was.
///
/// The two sides call each other for every stone, at most as deep as the board has points.
struct Reader {
    chains: Chains,
    ko: Option<Point>,
    budget: u32,
    /// What is left of the budget for this first move.
    left: u32,
    /// How many stones of the ladder are on the board.
    depth: usize,
    /// A stone of the chain that is chased, and its colour.
    target: usize,
    owner: Color,
    /// The captured stones of all moves on the board, one after the other.
    removed: Vec<Point>,
    /// The captures that the owner has yet to try, for all moves on the board, one after the other.
    rescues: Vec<usize>,
}

/// What it takes to take a stone back.
struct Put {
    index: usize,
    color: Color,
    ko: Option<Point>,
    /// Where the stones that it captured begin.
    removed: usize,
}

impl Reader {
    fn new(board: &Board, budget: u32) -> Self {
        Self {
            chains: board.lean().clone(),
            ko: board.ko(),
            budget,
            left: 0,
            depth: 0,
            target: 0,
            owner: Color::Black,
            removed: Vec::new(),
            rescues: Vec::new(),
        }
    }

    /// The answer for the chain of this stone.
    fn ladder(&mut self, target: usize, owner: Color, breath: Breath) -> Option<Ladder> {
        self.target = target;
        self.owner = owner;
        match breath {
            Breath::Last(last) => {
                self.lift_ko(owner);
                let mut escapes = PointSet::EMPTY;
                if !self.first(|reader| reader.is_futile(last)) {
                    escapes.set(last);
                }
                self.find_rescues(last);
                while let Some(rescue) = self.rescues.pop() {
                    if !self.first(|reader| reader.is_futile(rescue)) {
                        escapes.set(rescue);
                    }
                }
                Some(Ladder::Atari { escapes })
            }
            Breath::Two([a, b]) => {
                self.lift_ko(!owner);
                let mut captures = PointSet::EMPTY;
                for (attack, escape) in [(a, b), (b, a)] {
                    if self.first(|reader| reader.works(attack, escape)) {
                        captures.set(attack);
                    }
                }
                Some(Ladder::TwoLiberties { captures })
            }
            Breath::Free => None,
        }
    }

    /// Reads one first move with the whole budget.
    fn first(&mut self, read: impl FnOnce(&mut Self) -> bool) -> bool {
        self.left = self.budget;
        read(self)
    }

    /// Makes the ko point that of a board where this colour is to move.
    ///
    /// Ko bars the player whose stone was taken. If the taker has the move, the other one has passed.
    fn lift_ko(&mut self, to_move: Color) {
        let own = |ko: &Point| self.chains.surrounded(ko.index(), to_move);
        self.chains.ko = self.ko.filter(|ko| !own(ko));
    }

    /// Does this attack, which leaves the chain one liberty to escape to, capture it?
    fn works(&mut self, attack: usize, escape: usize) -> bool {
        if self.has_room(escape, attack) || !self.may_play(attack, !self.owner) {
            return false;
        }
        let Some(put) = self.put(attack, !self.owner) else {
            return false;
        };
        let caught = self.is_caught(escape);
        self.take_back(&put);
        caught
    }

    /// With the enemy on `attack`, would extending at the last liberty plainly give the chain three?
    ///
    /// Seeing it is cheaper than putting two stones down and taking them back. Captures could only add to it.
    fn has_room(&self, last: usize, attack: usize) -> bool {
        let chains = &self.chains;
        let head = chains.head(self.target);
        let friends = chains
            .joins(last, self.owner)
            .filter(|friend| *friend != head)
            .flat_map(|friend| chains.members(friend));
        let mut known = [last, attack, 0, 0];
        let mut found = 0;
        for stone in std::iter::once(last).chain(friends) {
            for cell in beside(stone) {
                if chains.content(cell) == Content::Empty && !known.contains(&cell) {
                    if found == 2 {
                        return true;
                    }
                    known[2 + found] = cell;
                    found += 1;
                }
            }
        }
        false
    }

    /// Is the chain lost, with this last liberty and its owner to move?
    fn is_caught(&mut self, last: usize) -> bool {
        if !self.is_futile(last) {
            return false;
        }
        let bottom = self.rescues.len();
        self.find_rescues(last);
        let mut caught = true;
        while caught && self.rescues.len() > bottom {
            caught = self.rescues.pop().is_none_or(|at| self.is_futile(at));
        }
        self.rescues.truncate(bottom);
        caught
    }

    /// Is the chain, which is in atari, lost after this move of its owner, or the move not legal?
    fn is_futile(&mut self, index: usize) -> bool {
        if !self.may_play(index, self.owner) {
            return true;
        }
        let Some(put) = self.put(index, self.owner) else {
            return false;
        };
        let lost = match Breath::of(&self.chains, self.target) {
            Breath::Last(_) => true,
            Breath::Two([a, b]) => self.is_capturable(a, b),
            Breath::Free => false,
        };
        self.take_back(&put);
        lost
    }

    /// Is the chain lost, with these two liberties and the enemy to move?
    fn is_capturable(&mut self, a: usize, b: usize) -> bool {
        // The attack that leaves the chain the narrower way out usually is the one that works.
        let (wide, narrow) = if self.chains.empty_beside(a) >= self.chains.empty_beside(b) {
            (a, b)
        } else {
            (b, a)
        };
        self.works(wide, narrow) || self.works(narrow, wide)
    }

    /// Pushes where the owner captures a chain that touches the target, the last liberty of the target left out.
    fn find_rescues(&mut self, last: usize) {
        let bottom = self.rescues.len();
        let enemy = Content::from(!self.owner);
        for stone in self.chains.members(self.chains.head(self.target)) {
            for cell in beside(stone) {
                if self.chains.content(cell) != enemy {
                    continue;
                }
                if let Some(at) = self.chains.last_liberty(self.chains.head(cell))
                    && at != last
                    && !self.rescues[bottom..].contains(&at)
                {
                    self.rescues.push(at);
                }
            }
        }
        // The order of stones in a chain is an accident, and a budget must not run out by accident.
        self.rescues[bottom..].sort_unstable();
    }

    /// Is a stone on this empty cell neither suicide nor the retaking of a ko?
    fn may_play(&self, index: usize, color: Color) -> bool {
        let taken_ko = self.chains.ko.is_some_and(|ko| ko.index() == index);
        !taken_ko && self.chains.breathes(index, color)
    }

    /// Puts a stone where it may be played, unless the budget is used up or the ladder too long.
    fn put(&mut self, index: usize, color: Color) -> Option<Put> {
        if self.left == 0 || self.depth == self.chains.size().area() {
            return None;
        }
        self.left -= 1;
        self.depth += 1;
        let put = Put {
            index,
            color,
            ko: self.chains.ko,
            removed: self.removed.len(),
        };
        let removed = &mut self.removed;
        self.chains
            .play(index, color, |cell| removed.push(Point::from_index(cell)));
        Some(put)
    }

    /// Takes the last stone back.
    fn take_back(&mut self, put: &Put) {
        let captured = self.removed[put.removed..].iter().copied();
        self.chains.retract(put.index, put.color, captured);
        self.chains.ko = put.ko;
        self.removed.truncate(put.removed);
        self.depth -= 1;
    }
}
