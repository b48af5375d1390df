//! Stones on a board, without history or turn.

use std::fmt;

use crate::chains::{Chains, Content};
use crate::color::{ByColor, Color};
use crate::illegal_move::IllegalMove;
use crate::point::{Point, beside};
use crate::point_set::{PointSet, SMALL, WORDS};
use crate::rows::Rows;
use crate::rules::Suicide;
use crate::setup::SetupError;
use crate::size::Size;
use crate::zobrist;

/// The stones on a board, their chains and liberties, the simple-ko point and the hash.
///
/// A board knows neither whose turn it is nor what was played before: [`Game`](crate::Game) does.
///
/// ```
/// use tengen_core::{Board, Color, Point, Size, Suicide};
///
/// let mut board = Board::new(Size::square(9).unwrap());
/// board.play(Point::new(0, 0), Color::White, Suicide::Forbidden)?;
/// board.play(Point::new(1, 0), Color::Black, Suicide::Forbidden)?;
/// assert_eq!(board.play(Point::new(0, 1), Color::Black, Suicide::Forbidden)?, 1);
/// assert_eq!(board.color_at(Point::new(0, 0)), None);
/// # Ok::<(), tengen_core::IllegalMove>(())
/// ```
pub struct Board {
    chains: Chains,
    points: PointSet,
    stones: ByColor<PointSet>,
    /// The stones of all chains that have exactly one liberty.
    atari: PointSet,
}

impl Board {
    /// An empty board.
    pub fn new(size: Size) -> Self {
        Self {
            chains: Chains::new(size),
            points: size.points(),
            stones: ByColor::default(),
            atari: PointSet::EMPTY,
        }
    }

    /// A board with these stones. Refused if a stone is off the board or of both colours, or a chain has no liberty.
    pub fn with_stones(size: Size, stones: ByColor<PointSet>) -> Result<Self, SetupError> {
        let both = stones.black & stones.white;
        if let Some(point) = both.first() {
            return Err(SetupError::TwoStones(point));
        }
        if let Some(point) = ((stones.black | stones.white) - size.points()).first() {
            return Err(SetupError::OffBoard(point));
        }
        let mut board = Self::new(size);
        for color in Color::BOTH {
            board.chains.put_back(stones[color].iter(), color);
        }
        board.stones = stones;
        for point in stones.black | stones.white {
            let head = board.chains.head(point.index());
            if board.chains.is_breathless(head) {
                return Err(SetupError::NoLiberty(point));
            }
            if board.chains.in_atari(head) {
                board.atari.insert(point);
            }
        }
        Ok(board)
    }

    /// The dimensions.
    #[inline]
    pub const fn size(&self) -> Size {
        self.chains.size()
    }

    /// All points, occupied or not.
    #[inline]
    pub const fn points(&self) -> &PointSet {
        &self.points
    }

    /// The stones of one colour.
    #[inline]
    pub fn stones(&self, color: Color) -> &PointSet {
        &self.stones[color]
    }

    /// How many stones of each colour there are.
    pub fn count_stones(&self) -> ByColor<u32> {
        self.stones.map(|stones| stones.len() as u32)
    }

    /// The empty points.
    #[inline]
    pub fn empty_points(&self) -> PointSet {
        self.points - self.stones.black - self.stones.white
    }

    /// The stones of all chains with exactly one liberty.
    #[inline]
    pub const fn stones_in_atari(&self) -> &PointSet {
        &self.atari
    }

    /// A number that names the position, the same on every machine and in every release.
    #[inline]
    pub const fn hash(&self) -> u64 {
        self.chains.hash
    }

    /// Where simple ko forbids the next stone.
    #[inline]
    pub const fn ko(&self) -> Option<Point> {
        self.chains.ko
    }

    /// Forgets the simple-ko point, as a pass does, or sets it, as a set-up position may.
    pub(crate) const fn set_ko(&mut self, ko: Option<Point>) {
        self.chains.ko = ko;
    }

    /// The colour of the stone on a point, or `None` if it is empty or off the board.
    #[inline]
    pub fn color_at(&self, point: Point) -> Option<Color> {
        if self.stones.black.contains(point) {
            Some(Color::Black)
        } else if self.stones.white.contains(point) {
            Some(Color::White)
        } else {
            None
        }
    }

    /// The chain of the stone on a point.
    ///
    /// ```
    /// use tengen_core::{Point, Setup};
    /// let board = "X X O\n. X O\n. . .".parse::<Setup>()?.board()?;
    /// let chain = board.chain_at(Point::new(0, 0)).unwrap();
    /// assert_eq!(chain.stones.len(), 3);
    /// assert_eq!(chain.liberties.len(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn chain_at(&self, point: Point) -> Option<Chain> {
        let color = self.color_at(point)?;
        let head = self.chains.head(point.index());
        let stones: PointSet = self.chains.members(head).map(Point::from_index).collect();
        Some(Chain {
            color,
            stones,
            liberties: stones.neighbors() & self.empty_points(),
        })
    }

    /// All chains, in reading order of their first stones.
    pub fn chains(&self) -> impl Iterator<Item = Chain> {
        let mut rest = self.stones.black | self.stones.white;
        std::iter::from_fn(move || {
            let chain = self.chain_at(rest.first()?)?;
            rest -= chain.stones;
            Some(chain)
        })
    }

    /// The number of stones in the chain on a point, 0 if there is none.
    pub fn chain_len(&self, point: Point) -> usize {
        match self.color_at(point) {
            Some(_) => self.chains.stones(self.chains.head(point.index())),
            None => 0,
        }
    }

    /// The only liberty of the chain on a point, if the chain is in atari.
    pub fn last_liberty(&self, point: Point) -> Option<Point> {
        self.atari.contains(point).then(|| {
            let head = self.chains.head(point.index());
            self.chains.last_liberty(head).map(Point::from_index)
        })?
    }

    /// The stones that a stone of `color` on this empty point would capture.
    pub fn captures(&self, point: Point, color: Color) -> PointSet {
        if !self.points.contains(point) || self.color_at(point).is_some() {
            return PointSet::EMPTY;
        }
        self.chains
            .captures(point.index(), color)
            .flat_map(|head| self.chains.members(head))
            .map(Point::from_index)
            .collect()
    }

    /// Is every neighbour of this empty point a stone of `color` or the edge?
    pub fn is_surrounded(&self, point: Point, color: Color) -> bool {
        self.is_open(point) && self.chains.surrounded(point.index(), color)
    }

    /// Is this empty point an eye that a rollout of `color` does not fill?
    ///
    /// Its neighbours are all `color` or edge, and of its diagonals fewer than two are enemy stones, where any
    /// number of them beyond the edge counts as one.
    pub fn is_eye(&self, point: Point, color: Color) -> bool {
        self.is_open(point) && self.chains.is_eye(point.index(), color)
    }

    /// Is the point on the board and empty?
    #[inline]
    fn is_open(&self, point: Point) -> bool {
        self.size().contains(point) && self.chains.content(point.index()) == Content::Empty
    }

    /// May `color` play here, as far as the board alone can tell: empty, no simple ko, no forbidden suicide?
    #[inline]
    pub fn check(&self, point: Point, color: Color, suicide: Suicide) -> Result<(), IllegalMove> {
        if !self.size().contains(point) {
            return Err(IllegalMove::OffBoard);
        }
        if self.chains.content(point.index()) != Content::Empty {
            return Err(IllegalMove::Occupied);
        }
        if self.ko() == Some(point) {
            return Err(IllegalMove::Ko);
        }
        if self.chains.breathes(point.index(), color) {
            return Ok(());
        }
        let allowed = match suicide {
            Suicide::Forbidden => false,
            Suicide::MultiStone => self.chains.joins(point.index(), color).next().is_some(),
            Suicide::Allowed => true,
        };
        if allowed {
            Ok(())
        } else {
            Err(IllegalMove::Suicide)
        }
    }

    /// All points where [`Board::check`] allows a stone of `color`, found at once.
    #[inline]
    pub fn playable(&self, color: Color, suicide: Suicide) -> PointSet {
        if self.is_small() {
            self.outlook::<SMALL>(color)
                .playable(suicide, self.ko())
                .into()
        } else {
            self.outlook::<WORDS>(color)
                .playable(suicide, self.ko())
                .into()
        }
    }

    /// Do [`SMALL`] rows hold the board?
    #[inline]
    pub(crate) fn is_small(&self) -> bool {
        usize::from(self.size().height()) + 2 <= SMALL
    }

    /// What a stone of `color` finds on the empty points, in as many rows as hold the board.
    #[inline(always)]
    pub(crate) fn outlook<const ROWS: usize>(&self, color: Color) -> Outlook<ROWS> {
        let own = Rows::of(&self.stones[color]);
        let enemy = Rows::of(&self.stones[!color]);
        let atari = Rows::of(&self.atari);
        let empty = Rows::of(&self.points) - (own | enemy);
        // What gives a stone beside it a liberty: an empty point, a chain that keeps one, a chain that it captures.
        let air = empty | (own - atari) | (enemy & atari);
        Outlook {
            own,
            doomed: enemy & atari,
            empty,
            breathing: empty & air.neighbors(),
        }
    }

    /// The empty points where a stone of `color` captures something.
    pub fn capturing(&self, color: Color) -> PointSet {
        let doomed = self.stones[!color] & self.atari;
        self.empty_points() & doomed.neighbors()
    }

    /// Would a stone of `color` on this empty point leave its chain without liberties?
    #[inline]
    pub(crate) fn is_suicide(&self, point: Point, color: Color) -> bool {
        !self.chains.breathes(point.index(), color)
    }

    /// The hash of the board after a stone of `color` on this empty point, where it breathes and captures nothing.
    #[inline]
    pub(crate) fn hash_with(&self, point: Point, color: Color) -> u64 {
        self.hash() ^ zobrist::stone(point.index(), color)
    }

    /// The hash of the board after a stone of `color` on this empty point.
    #[inline]
    pub(crate) fn hash_after_capture(&self, point: Point, color: Color) -> u64 {
        let captured = self.chains.captures(point.index(), color);
        captured.fold(self.hash_with(point, color), |hash, head| {
            hash ^ self.chains.chain_hash(head, !color)
        })
    }

    /// The hash of the board after a suicide, and how many stones are gone that were there before: all that the stone
    /// joined.
    pub(crate) fn hash_after_suicide(&self, point: Point, color: Color) -> (u64, usize) {
        let joined = self.chains.joins(point.index(), color);
        joined.fold((self.hash(), 0), |(hash, stones), head| {
            let chain = self.chains.chain_hash(head, color);
            (hash ^ chain, stones + self.chains.stones(head))
        })
    }

    /// Puts a stone down and returns how many stones left the board: those captured or, in a suicide, its own chain.
    pub fn play(
        &mut self,
        point: Point,
        color: Color,
        suicide: Suicide,
    ) -> Result<usize, IllegalMove> {
        self.check(point, color, suicide)?;
        let mut removed = 0;
        self.play_unchecked(point, color, |_| removed += 1);
        Ok(removed)
    }

    /// Puts a stone on a point that the caller knows to be empty, whatever the ko and suicide rules say, and reports
    /// every stone that leaves the board. True for a suicide.
    ///
    /// Never undefined behaviour, but on a point that is not empty the board is nonsense afterwards.
    #[inline]
    pub fn play_unchecked(
        &mut self,
        point: Point,
        color: Color,
        mut removed: impl FnMut(Point),
    ) -> bool {
        debug_assert!(self.is_open(point), "{point:?} is not empty");
        let index = point.index();
        // What the stone joins leaves the atari set here and enters it again below if the joined chain is in atari.
        for cell in beside(index) {
            if self.atari.has(cell) && self.stones[color].has(cell) {
                self.set_atari(self.chains.head(cell), false);
            }
        }

        self.stones[color].set(index);
        let mut freed = PointSet::EMPTY;
        let mut any_freed = false;
        let suicide = self.chains.play(index, color, |cell| {
            freed.set(cell);
            any_freed = true;
            removed(Point::from_index(cell));
        });
        if any_freed {
            let gone = if suicide { color } else { !color };
            self.stones[gone] -= freed;
            self.atari -= freed;
            // Whoever touches a freed point has a second liberty now.
            for saved in freed.neighbors() & self.atari & self.stones[!gone] {
                if self.atari.contains(saved) {
                    self.set_atari(self.chains.head(saved.index()), false);
                }
            }
        }
        if !suicide {
            self.enter_atari(index);
        }
        for cell in beside(index) {
            if self.stones[!color].has(cell) {
                self.enter_atari(cell);
            }
        }
        suicide
    }

    /// Marks the chain of this stone if it has come down to one liberty.
    #[inline(always)]
    fn enter_atari(&mut self, cell: usize) {
        let head = self.chains.head(cell);
        if !self.atari.has(head) && self.chains.in_atari(head) {
            self.set_atari(head, true);
        }
    }

    /// Adds a chain's stones to the set of those in atari, or takes them out.
    #[inline]
    fn set_atari(&mut self, head: usize, atari: bool) {
        for stone in self.chains.members(head) {
            if atari {
                self.atari.set(stone);
            } else {
                self.atari.clear(stone);
            }
        }
    }

    /// Makes the atari set right for the chains of these stones, whatever it says of them now.
    fn refresh_atari(&mut self, stones: PointSet) {
        let mut rest = stones;
        while let Some(stone) = rest.first() {
            let head = self.chains.head(stone.index());
            self.set_atari(head, self.chains.in_atari(head));
            rest.remove(stone);
        }
    }

    /// Takes the last stone back. `removed` is what left the board with it, `ko` the simple-ko point before it.
    pub(crate) fn undo(
        &mut self,
        point: Point,
        color: Color,
        removed: &[Point],
        suicide: bool,
        ko: Option<Point>,
    ) {
        let returned: PointSet = removed.iter().copied().collect();
        let mut changed = returned;
        changed.insert(point);
        if suicide {
            let others: PointSet = returned - point.into();
            self.chains.put_back(others.iter(), color);
            self.stones[color] |= others;
        } else {
            self.chains
                .retract(point.index(), color, removed.iter().copied());
            self.stones[color].remove(point);
            self.stones[!color] |= returned;
        }
        self.atari -= changed;
        let touched = changed | changed.neighbors();
        self.refresh_atari(touched & (self.stones.black | self.stones.white));
        self.chains.ko = ko;
    }

    /// The stones and chains alone, for rollouts.
    pub(crate) const fn lean(&self) -> &Chains {
        &self.chains
    }
}

/// The points of a board as a player finds them who is about to put a stone down.
#[derive(Clone, Copy)]
pub(crate) struct Outlook<const ROWS: usize> {
    /// The player's stones.
    pub(crate) own: Rows<ROWS>,
    /// The enemy's stones in atari.
    pub(crate) doomed: Rows<ROWS>,
    pub(crate) empty: Rows<ROWS>,
    /// The empty points where a stone has a liberty after its captures.
    pub(crate) breathing: Rows<ROWS>,
}

impl<const ROWS: usize> Outlook<ROWS> {
    /// The points that are neither occupied nor forbidden as suicide or ko.
    #[inline(always)]
    pub(crate) fn playable(&self, suicide: Suicide, ko: Option<Point>) -> Rows<ROWS> {
        let mut playable = match suicide {
            Suicide::Forbidden => self.breathing,
            Suicide::MultiStone => self.breathing | (self.empty & self.own.neighbors()),
            Suicide::Allowed => self.empty,
        };
        if let Some(ko) = ko {
            playable.remove(ko);
        }
        playable
    }
}

impl Clone for Board {
    fn clone(&self) -> Self {
        Self {
            chains: self.chains.clone(),
            ..*self
        }
    }

    /// Copies without allocating between boards of the same height.
    fn clone_from(&mut self, source: &Self) {
        self.chains.clone_from(&source.chains);
        self.points = source.points;
        self.stones = source.stones;
        self.atari = source.atari;
    }
}

/// Boards are equal when their stones, size and simple-ko point are.
impl PartialEq for Board {
    fn eq(&self, other: &Self) -> bool {
        self.size() == other.size() && self.stones == other.stones && self.ko() == other.ko()
    }
}

impl Eq for Board {}

impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Board {}\n{self}", self.size())
    }
}

/// Stones of one colour that are joined along lines, and the empty points beside them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chain {
    /// Whose stones they are.
    pub color: Color,
    /// The stones.
    pub stones: PointSet,
    /// The empty points beside the stones.
    pub liberties: PointSet,
}
