//! The board on a terminal.

use std::fmt::{self, Write};

use tengen_core::{Board, ByColor, Color, Point, PointSet};

/// A board and what is marked on it.
pub(crate) struct View<'a> {
    pub(crate) board: &'a Board,
    pub(crate) last: Option<Point>,
    pub(crate) dead: PointSet,
    pub(crate) territory: ByColor<PointSet>,
}

/// How a board is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Style {
    /// Letters that every terminal has.
    Plain,
    /// Stones that look like stones.
    Unicode,
    /// Stones that look like stones, on wood.
    Color,
}

/// What is at a point.
#[derive(Clone, Copy)]
enum Content {
    Stone(Color),
    Dead(Color),
    Territory(Color),
    Star,
    Empty,
}

const WOOD: &str = "\x1b[48;5;179m";
const LINE: &str = "\x1b[38;5;94m";
const BLACK: &str = "\x1b[38;5;16m";
const WHITE: &str = "\x1b[38;5;231m";
const RESET: &str = "\x1b[0m";

impl View<'_> {
    /// The board as lines of text, with coordinates on all sides and the last move in parentheses.
    pub(crate) fn draw(&self, style: Style) -> String {
        let mut text = String::new();
        // Writing to a string cannot fail.
        _ = self.write(&mut text, style);
        text
    }

    /// What the marks mean, if there are any.
    pub(crate) fn legend(&self, style: Style) -> &'static str {
        let territory = self.territory.black | self.territory.white;
        match style {
            _ if self.dead.is_empty() && territory.is_empty() => "",
            Style::Plain => "Small x and o are dead stones, b and w are territory.",
            Style::Unicode => "Small x and o are dead stones, ▪ and ▫ are territory.",
            Style::Color => "× are dead stones, ▪ are territory.",
        }
    }

    fn write(&self, out: &mut String, style: Style) -> fmt::Result {
        let size = self.board.size();
        let letters: String = (0..size.width())
            .map(|x| Point::new(x, 0).to_gtp(size))
            .map(|vertex| format!(" {}", &vertex[..1]))
            .collect();
        writeln!(out, "  {letters}")?;
        let (begin, end) = match style {
            Style::Color => (WOOD, RESET),
            Style::Plain | Style::Unicode => ("", ""),
        };
        for y in 0..size.height() {
            let number = size.height() - y;
            write!(out, "{number:2}{begin}")?;
            for x in 0..size.width() {
                let point = Point::new(x, y);
                let before = x.checked_sub(1).map(|left| Point::new(left, y));
                let between = match self.last {
                    Some(last) if last == point => '(',
                    Some(last) if Some(last) == before => ')',
                    _ => ' ',
                };
                let content = self.content(point);
                match style {
                    Style::Color => {
                        write!(out, "{BLACK}{between}{}{}", ink(content), colored(content))?;
                    }
                    Style::Unicode => write!(out, "{between}{}", drawn(content))?,
                    Style::Plain => write!(out, "{between}{}", lettered(content))?,
                }
            }
            let last_column = Point::new(size.width() - 1, y);
            let close = if self.last == Some(last_column) {
                ')'
            } else {
                ' '
            };
            match style {
                Style::Color => writeln!(out, "{BLACK}{close}{end}{number:2}")?,
                Style::Plain | Style::Unicode => writeln!(out, "{close}{number:2}")?,
            }
        }
        writeln!(out, "  {letters}")
    }

    fn content(&self, point: Point) -> Content {
        match self.board.color_at(point) {
            Some(color) if self.dead.contains(point) => Content::Dead(color),
            Some(color) => Content::Stone(color),
            None if self.territory.black.contains(point) => Content::Territory(Color::Black),
            None if self.territory.white.contains(point) => Content::Territory(Color::White),
            None if self.board.size().star_points().contains(point) => Content::Star,
            None => Content::Empty,
        }
    }
}

const fn lettered(content: Content) -> char {
    match content {
        Content::Stone(Color::Black) => 'X',
        Content::Stone(Color::White) => 'O',
        Content::Dead(Color::Black) => 'x',
        Content::Dead(Color::White) => 'o',
        Content::Territory(Color::Black) => 'b',
        Content::Territory(Color::White) => 'w',
        Content::Star => '+',
        Content::Empty => '.',
    }
}

const fn drawn(content: Content) -> char {
    match content {
        Content::Stone(Color::Black) => '●',
        Content::Stone(Color::White) => '○',
        Content::Territory(Color::Black) => '▪',
        Content::Territory(Color::White) => '▫',
        Content::Empty => '·',
        Content::Dead(_) | Content::Star => lettered(content),
    }
}

/// On wood, a white stone is a black one in white.
const fn colored(content: Content) -> char {
    match content {
        Content::Stone(_) => '●',
        Content::Dead(_) => '×',
        Content::Territory(_) => '▪',
        Content::Star | Content::Empty => drawn(content),
    }
}

const fn ink(content: Content) -> &'static str {
    match content {
        Content::Stone(Color::Black)
        | Content::Dead(Color::Black)
        | Content::Territory(Color::Black) => BLACK,
        Content::Stone(Color::White)
        | Content::Dead(Color::White)
        | Content::Territory(Color::White) => WHITE,
        Content::Star | Content::Empty => LINE,
    }
}

#[cfg(test)]
mod tests {
    use tengen_core::{Diagram, Setup};

    use super::*;

    const POSITION: &str = ". X . O .\n. X . O .\nO X . O .\n";

    fn view(board: &Board) -> View<'_> {
        View {
            board,
            last: Some(Point::new(3, 1)),
            dead: PointSet::from(Point::new(0, 2)),
            territory: ByColor::new(
                PointSet::from(Point::new(0, 0)) | PointSet::from(Point::new(0, 1)),
                PointSet::from(Point::new(4, 2)),
            ),
        }
    }

    #[test]
    fn letters_do_where_nothing_else_does() {
        let board = POSITION.parse::<Setup>().unwrap().board().unwrap();
        assert_eq!(
            view(&board).draw(Style::Plain),
            "\
\x20  A B C D E
 3 b X . O .  3
 2 b X .(O).  2
 1 o X . O w  1
   A B C D E
"
        );
        let nothing = View {
            dead: PointSet::EMPTY,
            territory: ByColor::default(),
            ..view(&board)
        };
        let diagram = Diagram::new(&board).last(nothing.last).to_string();
        assert_eq!(nothing.draw(Style::Plain), diagram);
    }

    #[test]
    fn stones_look_like_stones() {
        let board = POSITION.parse::<Setup>().unwrap().board().unwrap();
        assert_eq!(
            view(&board).draw(Style::Unicode),
            "\
\x20  A B C D E
 3 ▪ ● · ○ ·  3
 2 ▪ ● ·(○)·  2
 1 o ● · ○ ▫  1
   A B C D E
"
        );
    }

    #[test]
    fn colours_end_with_the_board() {
        let board = POSITION.parse::<Setup>().unwrap().board().unwrap();
        let drawn = view(&board).draw(Style::Color);
        for line in drawn.lines().skip(1).take(3) {
            assert_eq!(line.matches(WOOD).count(), 1);
            assert_eq!(line.matches(RESET).count(), 1);
            assert!(line.matches('●').count() >= 2);
        }
        let bare: String = drawn
            .split('\x1b')
            .map(|part| part.split_once('m').map_or(part, |(_, rest)| rest))
            .collect();
        assert_eq!(bare.lines().nth(2), Some(" 2 ▪ ● ·(●)·  2"));
    }
}
