//! Boards as text.

use std::fmt;
use std::str::FromStr;

use crate::board::Board;
use crate::color::{ByColor, Color};
use crate::coordinate::{CoordinateError, column_letter};
use crate::point::Point;
use crate::point_set::PointSet;
use crate::setup::Setup;
use crate::size::{Size, SizeError};

/// A board to be printed: `X` Black, `O` White, `.` empty, `+` an empty star point.
///
/// ```
/// use tengen_core::{Board, Color, Diagram, Point, Size, Suicide};
/// let mut board = Board::new(Size::new(3, 2).unwrap());
/// board.play(Point::new(1, 0), Color::Black, Suicide::Forbidden)?;
/// let diagram = Diagram::new(&board).last(Some(Point::new(1, 0)));
/// assert_eq!(diagram.to_string(), "\
/// \x20  A B C
///  2 .(X).  2
///  1 . . .  1
///    A B C
/// ");
/// # Ok::<(), tengen_core::IllegalMove>(())
/// ```
#[derive(Clone, Debug)]
pub struct Diagram<'a> {
    board: &'a Board,
    last: Option<Point>,
    marks: PointSet,
    mark: char,
}

impl<'a> Diagram<'a> {
    /// This board, nothing marked.
    pub const fn new(board: &'a Board) -> Self {
        Self {
            board,
            last: None,
            marks: PointSet::EMPTY,
            mark: '*',
        }
    }

    /// Puts the last move in parentheses.
    #[must_use]
    pub const fn last(mut self, point: Option<Point>) -> Self {
        self.last = point;
        self
    }

    /// Writes `mark` on the empty points of a set.
    #[must_use]
    pub fn mark(mut self, points: PointSet, mark: char) -> Self {
        self.marks = points & self.board.empty_points();
        self.mark = mark;
        self
    }
}

impl fmt::Display for Diagram<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let size = self.board.size();
        let stars = size.star_points();
        let columns = |f: &mut fmt::Formatter<'_>| {
            f.write_str("  ")?;
            for x in 0..size.width() {
                write!(f, " {}", column_letter(x))?;
            }
            f.write_str("\n")
        };
        columns(f)?;
        for y in 0..size.height() {
            let number = size.height() - y;
            write!(f, "{number:2}")?;
            for x in 0..size.width() {
                let point = Point::new(x, y);
                let before = x.checked_sub(1).map(|left| Point::new(left, y));
                let symbol = match self.board.color_at(point) {
                    Some(Color::Black) => 'X',
                    Some(Color::White) => 'O',
                    None if self.marks.contains(point) => self.mark,
                    None if stars.contains(point) => '+',
                    None => '.',
                };
                let separator = if self.last == Some(point) {
                    '('
                } else if self.last.is_some() && self.last == before {
                    ')'
                } else {
                    ' '
                };
                write!(f, "{separator}{symbol}")?;
            }
            let close = match self.last {
                Some(last) if last == Point::new(size.width() - 1, y) => ')',
                _ => ' ',
            };
            writeln!(f, "{close}{number:2}")?;
        }
        columns(f)
    }
}

impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Diagram::new(self).fmt(f)
    }
}

/// The rows as a diagram without coordinates, then the player to move and the ko point. [`Setup::from_str`] reads it
/// back.
impl fmt::Display for Setup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for y in 0..self.size.height() {
            for x in 0..self.size.width() {
                let point = Point::new(x, y);
                let symbol = match (
                    self.stones.black.contains(point),
                    self.stones.white.contains(point),
                ) {
                    (true, _) => 'X',
                    (false, true) => 'O',
                    (false, false) => '.',
                };
                let separator = if x == 0 { "" } else { " " };
                write!(f, "{separator}{symbol}")?;
            }
            f.write_str("\n")?;
        }
        writeln!(f, "{} to move", self.to_move)?;
        if let Some(ko) = self.ko {
            writeln!(f, "ko: {}", ko.to_gtp(self.size))?;
        }
        Ok(())
    }
}

/// Why a diagram was refused, and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DiagramError {
    /// The line, from 1.
    pub line: usize,
    /// The character in the line, from 1.
    pub column: usize,
    /// What was wrong there.
    pub problem: DiagramProblem,
}

/// What can be wrong with a diagram.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DiagramProblem {
    /// This character is neither a stone nor an empty point.
    Symbol(char),
    /// The row has this many points, the first one had that many.
    Ragged(usize, usize),
    /// There is no row at all.
    NoRows,
    /// More than 25 rows or columns.
    Size(SizeError),
    /// The ko point is no point of this board.
    Ko(CoordinateError),
}

impl fmt::Display for DiagramError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}: ", self.line, self.column)?;
        match self.problem {
            DiagramProblem::Symbol(symbol) => {
                write!(f, "{symbol:?} is not a point; use X, O and .")
            }
            DiagramProblem::Ragged(here, first) => {
                write!(f, "this row has {here} points, the first row has {first}")
            }
            DiagramProblem::NoRows => f.write_str("no row of a board"),
            DiagramProblem::Size(error) => error.fmt(f),
            DiagramProblem::Ko(error) => write!(f, "ko: {error}"),
        }
    }
}

impl std::error::Error for DiagramError {}

/// Reads diagrams as this crate, GNU Go, KataGo and people write them.
///
/// Black is `X`, `x`, `#`, `@` or `●`, White `O`, `o` or `○`, empty `.`, `,`, `+`, `*`, `_` or `·`. Row numbers, column
/// letters, frames, marks around a stone and `//` comments are skipped; `White to move` and `ko: D4` are understood.
impl FromStr for Setup {
    type Err = DiagramError;

    fn from_str(text: &str) -> Result<Self, DiagramError> {
        let mut rows: Vec<Vec<Option<Color>>> = Vec::new();
        let mut to_move = Color::Black;
        let mut ko = None;
        for (index, line) in text.lines().enumerate() {
            let number = index + 1;
            match Line::read(line, number)? {
                Line::Nothing => {}
                Line::ToMove(color) => to_move = color,
                Line::Ko(point) => ko = Some((number, point)),
                Line::Row(row) => {
                    let error = |problem| DiagramError {
                        line: number,
                        column: 1,
                        problem,
                    };
                    if let Some(first) = rows.first()
                        && first.len() != row.len()
                    {
                        return Err(error(DiagramProblem::Ragged(row.len(), first.len())));
                    }
                    if rows.len() >= usize::from(Size::MAX) || row.len() > usize::from(Size::MAX) {
                        return Err(error(DiagramProblem::Size(SizeError::OutOfRange)));
                    }
                    rows.push(row);
                }
            }
        }
        let error = |line, problem| DiagramError {
            line,
            column: 1,
            problem,
        };
        let Some(first) = rows.first() else {
            return Err(error(1, DiagramProblem::NoRows));
        };
        let size = Size::new(first.len() as u8, rows.len() as u8)
            .map_err(|problem| error(1, DiagramProblem::Size(problem)))?;
        let mut stones = ByColor::<PointSet>::default();
        for (row, y) in rows.iter().zip(0..) {
            for (stone, x) in row.iter().zip(0..) {
                if let Some(color) = stone {
                    stones[*color].insert(Point::new(x, y));
                }
            }
        }
        let ko = match ko {
            None => None,
            Some((line, point)) => Some(
                Point::from_gtp(point, size)
                    .map_err(|problem| error(line, DiagramProblem::Ko(problem)))?,
            ),
        };
        Ok(Self {
            size,
            stones,
            to_move,
            ko,
        })
    }
}

/// What one line of a diagram says.
enum Line<'a> {
    Nothing,
    Row(Vec<Option<Color>>),
    ToMove(Color),
    Ko(&'a str),
}

impl<'a> Line<'a> {
    fn read(line: &'a str, number: usize) -> Result<Self, DiagramError> {
        let content = line.trim();
        let is_frame =
            content.contains('-') && content.chars().all(|c| matches!(c, '+' | '-' | ' '));
        if content.is_empty() || content.starts_with("//") || is_frame || is_column_letters(content)
        {
            return Ok(Self::Nothing);
        }
        if let Some(color) = player_to_move(content) {
            return Ok(Self::ToMove(color));
        }
        if let Some(point) = content.strip_prefix("ko:") {
            return Ok(Self::Ko(point.trim()));
        }
        let mut row = Vec::new();
        let mut after_space = true;
        for (at, symbol) in line.chars().enumerate() {
            let stone = match symbol {
                'X' | 'x' | '#' | '@' | '●' => Some(Some(Color::Black)),
                'O' | 'o' | '○' => Some(Some(Color::White)),
                '.' | ',' | '+' | '*' | '_' | '·' => Some(None),
                // A number after the points is the row's, and whatever stands behind it is a remark. A digit that
                // touches a stone is a mark.
                '0'..='9' if after_space && !row.is_empty() => break,
                '0'..='9' | '(' | ')' | '[' | ']' | '<' | '>' | '|' => None,
                space if space.is_whitespace() => None,
                _ => {
                    return Err(DiagramError {
                        line: number,
                        column: at + 1,
                        problem: DiagramProblem::Symbol(symbol),
                    });
                }
            };
            row.extend(stone);
            after_space = symbol.is_whitespace() || matches!(symbol, ')' | ']' | '>' | '|');
        }
        if row.is_empty() {
            return Ok(Self::Nothing);
        }
        Ok(Self::Row(row))
    }
}

/// A line such as `A B C D E F G H J`.
fn is_column_letters(content: &str) -> bool {
    content
        .split_whitespace()
        .zip(0..)
        .all(|(word, x)| x < Size::MAX && word.chars().eq([column_letter(x)]))
}

/// `White to move`, `black to play` or KataGo's `Next player: White`.
fn player_to_move(content: &str) -> Option<Color> {
    let lower = content.to_lowercase();
    let name = lower
        .strip_suffix(" to move")
        .or_else(|| lower.strip_suffix(" to play"))
        .or_else(|| lower.strip_prefix("next player: "))?;
    name.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stones(text: &str) -> (usize, usize) {
        let setup: Setup = text.parse().unwrap();
        (setup.stones.black.len(), setup.stones.white.len())
    }

    #[test]
    fn reads_the_diagrams_of_other_programs() {
        let gnugo = "
           A B C D
         4 . . . . 4
         3 . + O . 3
         2 . X(O). 2     WHITE (O) has captured 0 stones
         1 . . . . 1     BLACK (X) has captured 0 stones
           A B C D";
        assert_eq!(stones(gnugo), (1, 2));
        let framed = "+-----+\n| X O |\n| . . |\n+-----+";
        assert_eq!(stones(framed), (1, 1));
        let katago = "   A B C\n 2 X1. O2\n 1 . X3.\nNext player: White";
        assert_eq!(stones(katago), (2, 1));
        assert_eq!(stones("●○\n·."), (1, 1));
    }

    #[test]
    fn says_where_it_is_wrong() {
        let problem = |text: &str| {
            let error = text.parse::<Setup>().unwrap_err();
            (error.line, error.column, error.problem)
        };
        assert_eq!(problem(""), (1, 1, DiagramProblem::NoRows));
        assert_eq!(problem(". X\n. ?"), (2, 3, DiagramProblem::Symbol('?')));
        assert_eq!(problem(". X\n.\n"), (2, 1, DiagramProblem::Ragged(1, 2)));
        assert_eq!(problem(&".\n".repeat(26)).0, 26);
        assert_eq!(problem(&".".repeat(26)).0, 1);
        assert_eq!(problem("..\nko: Z9").0, 2);
    }

    #[test]
    fn a_printed_board_reads_back() {
        let setup: Setup = "X . O\n. O .\nWhite to move\nko: B2".parse().unwrap();
        assert_eq!(setup.to_string().parse(), Ok(setup));
        let board = setup.board().unwrap();
        let printed: Setup = board.to_string().parse().unwrap();
        assert_eq!(printed.stones, setup.stones);
    }
}
