//! A board for those who play a million stones a second.

use crate::board::Board;
use crate::chains::Chains;
use crate::color::Color;
use crate::point::{Point, STRIDE, beside, diagonal};
use crate::size::Size;

pub use crate::chains::Content;

/// Stones, chains and simple ko without the point sets of a [`Board`]: cheaper to play on, with fewer questions
/// answered.
///
/// Points around a point may lie beyond the edge here; [`LeanBoard::content`] says so.
///
/// ```
/// use tengen_core::{Color, Content, LeanBoard, Point, Setup};
/// let board = "X X O\n. X O\n. . .".parse::<Setup>()?.board()?;
/// let mut lean = LeanBoard::new(&board);
/// assert_eq!(lean.liberties::<3>(Point::new(0, 0)).as_slice().len(), 2);
/// lean.play(Point::new(1, 2), Color::Black, |_| {});
/// assert_eq!(lean.content(Point::new(1, 2)), Content::Black);
/// assert_eq!(lean.last_liberty(Point::new(2, 0)), Some(Point::new(2, 2)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct LeanBoard {
    chains: Chains,
}

/// Up to `N` distinct liberties of a chain.
#[derive(Clone, Copy, Debug)]
pub struct FewLiberties<const N: usize> {
    points: [Option<Point>; N],
    found: usize,
}

impl<const N: usize> FewLiberties<N> {
    /// How many were found; `N` means at least so many.
    #[inline]
    pub const fn count(&self) -> usize {
        self.found
    }

    /// Those that were found.
    #[inline]
    pub fn as_slice(&self) -> &[Option<Point>] {
        &self.points[..self.found]
    }

    /// Those that were found, one by one.
    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = Point> {
        self.points.into_iter().flatten()
    }

    /// Adds a liberty unless it is known; true when no more will fit.
    #[inline]
    pub fn add(&mut self, point: Point) -> bool {
        if !self.as_slice().contains(&Some(point)) {
            self.points[self.found] = Some(point);
            self.found += 1;
        }
        self.found == N
    }

    /// None yet.
    #[inline]
    pub const fn none() -> Self {
        Self {
            points: [None; N],
            found: 0,
        }
    }
}

impl LeanBoard {
    /// The stones of a board.
    pub fn new(board: &Board) -> Self {
        Self {
            chains: board.lean().clone(),
        }
    }

    /// Becomes a copy of a board, in the memory that is there if the size is the same.
    pub fn copy_from(&mut self, board: &Board) {
        self.chains.clone_from(board.lean());
    }

    /// The dimensions.
    #[inline]
    pub const fn size(&self) -> Size {
        self.chains.size()
    }

    /// What is on a point.
    #[inline]
    pub fn content(&self, point: Point) -> Content {
        self.chains.content(point.index())
    }

    /// Where simple ko forbids the next stone.
    #[inline]
    pub const fn ko(&self) -> Option<Point> {
        self.chains.ko
    }

    /// The four points beside a point: above, left, right, below.
    #[inline]
    pub fn beside(point: Point) -> [Point; 4] {
        beside(point.index()).map(Point::from_index)
    }

    /// The four points that touch a point's corners.
    #[inline]
    pub fn diagonal(point: Point) -> [Point; 4] {
        // Cell 0 has no name; cell 1 is beyond the edge as well.
        diagonal(point.index()).map(|cell| Point::from_index(cell.max(1)))
    }

    /// What surrounds a point, two bits for each of the eight points: reading order, the first lowest.
    #[inline]
    pub fn surroundings(&self, point: Point) -> u16 {
        let index = point.index();
        let around = [
            index - STRIDE - 1,
            index - STRIDE,
            index - STRIDE + 1,
            index - 1,
            index + 1,
            index + STRIDE - 1,
            index + STRIDE,
            index + STRIDE + 1,
        ];
        let mut code = 0;
        for (place, cell) in around.into_iter().enumerate() {
            code |= (self.chains.content(cell) as u16) << (2 * place);
        }
        code
    }

    /// The stone that stands for the chain of the stone on a point.
    #[inline]
    pub fn head(&self, stone: Point) -> Point {
        Point::from_index(self.chains.head(stone.index()))
    }

    /// The number of stones of the chain on a point.
    #[inline]
    pub fn chain_len(&self, stone: Point) -> usize {
        self.chains.stones(self.chains.head(stone.index()))
    }

    /// Has the chain of this stone exactly one liberty?
    #[inline]
    pub fn in_atari(&self, stone: Point) -> bool {
        self.chains.in_atari(self.chains.head(stone.index()))
    }

    /// The one liberty of the chain of this stone, if it is in atari.
    #[inline]
    pub fn last_liberty(&self, stone: Point) -> Option<Point> {
        let head = self.chains.head(stone.index());
        self.chains.last_liberty(head).map(Point::from_index)
    }

    /// The first few liberties of the chain of this stone.
    #[inline]
    pub fn liberties<const N: usize>(&self, stone: Point) -> FewLiberties<N> {
        let mut few = FewLiberties::none();
        let head = self.chains.head(stone.index());
        let mut unseen = self.chains.pseudo_liberties(head);
        for member in self.chains.members(head) {
            if unseen == 0 {
                break;
            }
            for cell in beside(member) {
                if self.chains.content(cell) == Content::Empty {
                    unseen -= 1;
                    if few.add(Point::from_index(cell)) {
                        return few;
                    }
                }
            }
        }
        few
    }

    /// The stones of the chain of this stone.
    #[inline]
    pub fn members(&self, stone: Point) -> impl Iterator<Item = Point> {
        self.chains
            .members(self.chains.head(stone.index()))
            .map(Point::from_index)
    }

    /// The number of empty points beside a point.
    #[inline]
    pub fn empty_beside(&self, point: Point) -> usize {
        self.chains.empty_beside(point.index())
    }

    /// Is every neighbour of this empty point a stone of `color` or the edge?
    #[inline]
    pub fn is_surrounded(&self, point: Point, color: Color) -> bool {
        self.chains.surrounded(point.index(), color)
    }

    /// Is this empty point an eye that a rollout of `color` does not fill? See [`Board::is_eye`].
    #[inline]
    pub fn is_eye(&self, point: Point, color: Color) -> bool {
        self.chains.is_eye(point.index(), color)
    }

    /// Would a stone on this empty point have a liberty once what it captures is gone?
    #[inline]
    pub fn breathes(&self, point: Point, color: Color) -> bool {
        self.chains.breathes(point.index(), color)
    }

    /// Is a stone on this empty point neither ko, nor suicide, nor the filling of an own eye?
    #[inline]
    pub fn is_sensible(&self, point: Point, color: Color) -> bool {
        self.chains.is_sensible(point.index(), color)
    }

    /// The heads of the distinct enemy chains that a stone on this empty point captures.
    #[inline]
    pub fn captures(&self, point: Point, color: Color) -> impl Iterator<Item = Point> {
        self.chains
            .captures(point.index(), color)
            .map(Point::from_index)
    }

    /// The heads of the distinct own chains that a stone on this empty point joins.
    #[inline]
    pub fn joins(&self, point: Point, color: Color) -> impl Iterator<Item = Point> {
        self.chains
            .joins(point.index(), color)
            .map(Point::from_index)
    }

    /// Puts a stone on an empty point and reports every stone that leaves the board. True for a suicide.
    ///
    /// Never undefined behaviour, but on a point that is not empty the board is nonsense afterwards.
    #[inline]
    pub fn play(&mut self, point: Point, color: Color, mut removed: impl FnMut(Point)) -> bool {
        self.chains.play(point.index(), color, |cell| {
            removed(Point::from_index(cell));
        })
    }

    /// Forgets the simple-ko point.
    #[inline]
    pub const fn pass(&mut self) {
        self.chains.ko = None;
    }

    /// Takes the last stone back, which was no suicide. `captured` is what it took off the board, `ko` the simple-ko
    /// point before it. Chains may be represented by other stones afterwards.
    ///
    /// ```
    /// use tengen_core::{Color, LeanBoard, Point, Setup};
    /// let mut board = LeanBoard::new(&"X O .\n. . .".parse::<Setup>()?.board()?);
    /// let mut captured = Vec::new();
    /// board.play(Point::new(0, 1), Color::White, |stone| captured.push(stone));
    /// board.retract(Point::new(0, 1), Color::White, &captured, None);
    /// assert_eq!(board.last_liberty(Point::new(0, 0)), Some(Point::new(0, 1)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    pub fn retract(&mut self, point: Point, color: Color, captured: &[Point], ko: Option<Point>) {
        let captured = captured.iter().copied();
        self.chains.retract(point.index(), color, captured);
        self.chains.ko = ko;
    }

    /// Puts back the stones of this colour that a suicide took off, all but the one that was played.
    pub(crate) fn undo_suicide(
        &mut self,
        stones: impl Iterator<Item = Point> + Clone,
        color: Color,
    ) {
        self.chains.put_back(stones, color);
    }

    /// Says where simple ko forbids the next stone.
    #[inline]
    pub const fn set_ko(&mut self, ko: Option<Point>) {
        self.chains.ko = ko;
    }
}
