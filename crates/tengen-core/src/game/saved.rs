//! Games as bytes: saved in a byte or two a move, and loaded so that nothing is different.
//!
//! What is saved is the start and the moves; loading plays them again. The bytes, where a number has seven bits a byte,
//! low ones first, and the highest bit of a byte says that more follow:
//!
//! | part | bytes |
//! |---|---|
//! | mark | `TGS`, then the version of the format: 1 |
//! | rules | the length of their text as a number, then the text |
//! | size | columns, rows |
//! | komi | half-points as a number: 0, 1, 2, 3, … stand for 0, −1, 1, −2, … |
//! | handicap | a number |
//! | prisoners | two numbers: what Black and White had captured before the start |
//! | start | one byte: 1 if White is to move, plus 2 if there is a ko point, plus 4 if there are stones |
//! | ko point | its place in reading order as a number, if there is one |
//! | stones | if there are any: five points a byte in reading order, 3⁰ to 3⁴ times 1 for Black or 2 for White |
//! | events | numbers: 1 a pass, 2 the turn goes to the other player, 3 passes count anew, 4 + its place a stone |
//! | end | 0 |
//! | outcome | a number: 0 none yet, 1 a draw, 2 no result, 4 to 13 a win; behind a win by count its half-points |

use std::fmt;

use super::Game;
use crate::color::{ByColor, Color};
use crate::illegal_move::IllegalMove;
use crate::komi::Komi;
use crate::moves::Move;
use crate::outcome::{Outcome, Reason};
use crate::point::Point;
use crate::preset::ParseRulesError;
use crate::rules::{Repetition, Rules};
use crate::setup::{Setup, SetupError};
use crate::size::{Size, SizeError};

const MAGIC: [u8; 3] = *b"TGS";
const VERSION: u8 = 1;

const WHITE_TO_MOVE: u8 = 1;
const HAS_KO: u8 = 2;
const HAS_STONES: u8 = 4;

const END: u32 = 0;
const PASS: u32 = 1;
const OTHER_PLAYER: u32 = 2;
const RESUMED: u32 = 3;
const FIRST_POINT: u32 = 4;

const POINTS_A_BYTE: usize = 5;

/// No rules have a text as long as this.
const MAX_RULES: u32 = 255;

/// More prisoners than any game has, and few enough for a count to add them up.
const MAX_PRISONERS: u32 = 1 << 28;

/// More half-points than any count has, and few enough to be printed with a sign.
const MAX_MARGIN: u32 = i32::MAX as u32;

impl Game {
    /// The game as bytes that [`Game::from_bytes`] reads back: a byte a move on boards up to 11×11, at most two
    /// on others.
    ///
    /// ```
    /// use tengen_core::{Game, Move, Point, Rules, Size};
    /// let mut game = Game::new(Size::square(9)?, Rules::default());
    /// game.play(Move::Play(Point::new(4, 4)))?;
    /// let mut loaded = Game::from_bytes(&game.to_bytes())?;
    /// assert_eq!(loaded.turns(), game.turns());
    /// assert_eq!(loaded.undo(), game.undo());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        self.write_bytes(&mut bytes);
        bytes
    }

    /// Appends what [`Game::to_bytes`] returns, so that many games can follow each other.
    pub fn write_bytes(&self, bytes: &mut Vec<u8>) {
        bytes.reserve(64 + self.turns.len());
        bytes.extend(MAGIC);
        bytes.push(VERSION);
        let rules = self.rules.to_string();
        write_number(bytes, rules.len() as u32);
        bytes.extend(rules.bytes());
        let setup = &self.start.setup;
        bytes.extend([setup.size.width(), setup.size.height()]);
        let halves = self.komi.halves();
        write_number(bytes, ((halves << 1) ^ (halves >> 31)) as u32);
        write_number(bytes, u32::from(self.handicap));
        let prisoners = self.prisoners_before_start();
        write_number(bytes, prisoners.black);
        write_number(bytes, prisoners.white);
        write_setup(bytes, setup);
        self.write_events(bytes);
        write_outcome(bytes, self.outcome);
    }

    /// What the players had captured when a position was set up in the middle of the game.
    fn prisoners_before_start(&self) -> ByColor<u32> {
        let mut prisoners = self.prisoners;
        for turn in &self.turns {
            let captor = if turn.suicide {
                !turn.color
            } else {
                turn.color
            };
            prisoners[captor] -= u32::from(turn.removed);
        }
        prisoners
    }

    fn write_events(&self, bytes: &mut Vec<u8>) {
        let size = self.size();
        let mut expected = Between {
            to_move: self.start.setup.to_move,
            passes: 0,
        };
        for turn in &self.turns {
            let before = Between {
                to_move: turn.color,
                passes: turn.passes_before,
            };
            before.write_changes(&expected, bytes);
            expected.to_move = !turn.color;
            match turn.action {
                Move::Pass => {
                    expected.passes = turn.passes_before.saturating_add(1);
                    write_number(bytes, PASS);
                }
                Move::Play(point) => {
                    expected.passes = 0;
                    write_number(bytes, FIRST_POINT + place(point, size));
                }
            }
        }
        let now = Between {
            to_move: self.to_move,
            passes: self.passes,
        };
        now.write_changes(&expected, bytes);
        write_number(bytes, END);
    }

    /// The game that [`Game::to_bytes`] wrote, with all that can be asked about it and all that can be undone.
    ///
    /// The moves are not judged: who played an illegal one with [`Game::play_unchecked`] gets it back.
    ///
    /// One thing is not kept: the order in which a chain holds its stones, which depends on moves that were taken back.
    /// It shows in the order of captured stones and in what a playout with a given seed draws after a capture.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, SavedGameError> {
        let (game, rest) = Self::read_bytes(bytes)?;
        if rest.is_empty() {
            return Ok(game);
        }
        Err(SavedGameError {
            offset: bytes.len() - rest.len(),
            problem: SavedGameProblem::Trailing,
        })
    }

    /// The game at the front of these bytes, and the bytes behind it.
    ///
    /// ```
    /// use tengen_core::{Game, Rules, Size};
    /// let mut bytes = Vec::new();
    /// for side in [9, 13, 19] {
    ///     Game::new(Size::square(side)?, Rules::default()).write_bytes(&mut bytes);
    /// }
    /// let mut rest = bytes.as_slice();
    /// let mut sides = Vec::new();
    /// while !rest.is_empty() {
    ///     let (game, behind) = Game::read_bytes(rest)?;
    ///     sides.push(game.size().width());
    ///     rest = behind;
    /// }
    /// assert_eq!(sides, [9, 13, 19]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn read_bytes(bytes: &[u8]) -> Result<(Self, &[u8]), SavedGameError> {
        let mut reader = Reader { bytes, offset: 0 };
        let game = reader.game()?;
        Ok((game, &bytes[reader.offset..]))
    }
}

fn write_number(bytes: &mut Vec<u8>, mut number: u32) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// The number of points before this one in reading order.
fn place(point: Point, size: Size) -> u32 {
    size.index(point) as u32
}

fn write_setup(bytes: &mut Vec<u8>, setup: &Setup) {
    let has_stones = setup.stones != ByColor::default();
    let mut flags = 0;
    for (flag, is_set) in [
        (WHITE_TO_MOVE, setup.to_move == Color::White),
        (HAS_KO, setup.ko.is_some()),
        (HAS_STONES, has_stones),
    ] {
        if is_set {
            flags |= flag;
        }
    }
    bytes.push(flags);
    if let Some(ko) = setup.ko {
        write_number(bytes, place(ko, setup.size));
    }
    if has_stones {
        let digit = |point| {
            let has = |color| u8::from(setup.stones[color].contains(point));
            has(Color::Black) + 2 * has(Color::White)
        };
        let digits: Vec<u8> = setup.size.points().iter().map(digit).collect();
        for digits in digits.chunks(POINTS_A_BYTE) {
            bytes.push(digits.iter().rev().fold(0, |byte, digit| 3 * byte + digit));
        }
    }
}

/// What can change between two moves.
struct Between {
    to_move: Color,
    passes: u8,
}

impl Between {
    /// Writes how it differs from what the moves so far lead to.
    fn write_changes(&self, expected: &Self, bytes: &mut Vec<u8>) {
        if self.to_move != expected.to_move {
            write_number(bytes, OTHER_PLAYER);
        }
        // Nothing but `Game::resume` changes the passes, and it leaves none.
        if self.passes != expected.passes {
            write_number(bytes, RESUMED);
        }
    }
}

/// Each winner with each reason has a number of its own from 4.
fn write_outcome(bytes: &mut Vec<u8>, outcome: Option<Outcome>) {
    let (winner, reason) = match outcome {
        None => return write_number(bytes, 0),
        Some(Outcome::Draw) => return write_number(bytes, 1),
        Some(Outcome::NoResult) => return write_number(bytes, 2),
        Some(Outcome::Win(winner, reason)) => (winner, reason),
    };
    let first = match reason {
        Reason::Score(_) => 4,
        Reason::Resignation => 6,
        Reason::Repetition => 8,
        Reason::Time => 10,
        Reason::Forfeit => 12,
    };
    write_number(bytes, first + u32::from(winner == Color::White));
    if let Reason::Score(halves) = reason {
        write_number(bytes, halves);
    }
}

/// Takes a saved game apart from front to back.
struct Reader<'a> {
    bytes: &'a [u8],
    /// How many bytes have been read.
    offset: usize,
}

impl<'a> Reader<'a> {
    fn game(&mut self) -> Result<Game, SavedGameError> {
        self.mark()?;
        let rules = self.rules()?;
        let size = self.size()?;
        let komi = self.komi()?;
        let handicap = self.up_to(u32::from(u16::MAX))? as u16;
        let prisoners = ByColor::new(self.up_to(MAX_PRISONERS)?, self.up_to(MAX_PRISONERS)?);
        let mut game = self.start(size, rules)?;
        game.komi = komi;
        game.handicap = handicap;
        game.prisoners = prisoners;
        // The outcome is written down, so no move need be looked at for what it decides: neither as a repetition, for
        // which long stretches of the history would be searched, nor as the last one, after which the board is counted.
        game.rules.repetition = Repetition::PLAY_ON;
        game.outcome = Some(Outcome::NoResult);
        self.events(&mut game)?;
        game.rules = rules;
        game.outcome = self.outcome()?;
        Ok(game)
    }

    fn mark(&mut self) -> Result<(), SavedGameError> {
        for letter in MAGIC {
            let offset = self.offset;
            if self.byte()? != letter {
                return Err(error(offset, SavedGameProblem::Mark));
            }
        }
        let offset = self.offset;
        match self.byte()? {
            VERSION => Ok(()),
            version => Err(error(offset, SavedGameProblem::Version(version))),
        }
    }

    fn rules(&mut self) -> Result<Rules, SavedGameError> {
        let length = self.up_to(MAX_RULES)? as usize;
        let start = self.offset;
        let bytes = self.take(length)?;
        let text = std::str::from_utf8(bytes).map_err(|refused| {
            let place = refused.valid_up_to();
            error(start + place, SavedGameProblem::Unknown(bytes[place]))
        })?;
        text.parse().map_err(|refused: ParseRulesError| {
            error(start + refused.position, SavedGameProblem::Rules(refused))
        })
    }

    fn size(&mut self) -> Result<Size, SavedGameError> {
        let offset = self.offset;
        Size::new(self.byte()?, self.byte()?)
            .map_err(|refused| error(offset, SavedGameProblem::Size(refused)))
    }

    fn komi(&mut self) -> Result<Komi, SavedGameError> {
        let number = self.up_to(2 * Komi::MAX.halves() as u32)?;
        let halves = (number >> 1) as i16 ^ -((number & 1) as i16);
        Ok(Komi::from_halves(halves))
    }

    /// The game before its first move.
    fn start(&mut self, size: Size, rules: Rules) -> Result<Game, SavedGameError> {
        let mut setup = Setup::empty(size);
        let offset = self.offset;
        let flags = self.byte()?;
        if flags & !(WHITE_TO_MOVE | HAS_KO | HAS_STONES) != 0 {
            return Err(error(offset, SavedGameProblem::Unknown(flags)));
        }
        if flags & WHITE_TO_MOVE != 0 {
            setup.to_move = Color::White;
        }
        let ko_offset = self.offset;
        if flags & HAS_KO != 0 {
            let place = self.number()?;
            setup.ko = Some(point_at(place, size, ko_offset)?);
        }
        let stones_offset = self.offset;
        if flags & HAS_STONES != 0 {
            self.stones(&mut setup)?;
        }
        Game::from_setup(&setup, rules).map_err(|refused| {
            let offset = match refused {
                SetupError::Ko(_) => ko_offset,
                _ => stones_offset,
            };
            error(offset, SavedGameProblem::Setup(refused))
        })
    }

    fn stones(&mut self, setup: &mut Setup) -> Result<(), SavedGameError> {
        let mut points = setup.size.points().iter();
        while points.len() > 0 {
            let offset = self.offset;
            let byte = self.byte()?;
            let mut digits = byte;
            for point in points.by_ref().take(POINTS_A_BYTE) {
                match digits % 3 {
                    1 => setup.stones.black.extend([point]),
                    2 => setup.stones.white.extend([point]),
                    _ => {}
                }
                digits /= 3;
            }
            if digits != 0 {
                return Err(error(offset, SavedGameProblem::Unknown(byte)));
            }
        }
        Ok(())
    }

    /// Plays on from the start until all moves are made.
    fn events(&mut self, game: &mut Game) -> Result<(), SavedGameError> {
        loop {
            let offset = self.offset;
            match self.number()? {
                END => return Ok(()),
                PASS => game.play_unchecked(Move::Pass),
                OTHER_PLAYER => game.to_move = !game.to_move,
                RESUMED => game.passes = 0,
                number => {
                    let point = point_at(number - FIRST_POINT, game.size(), offset)?;
                    if game.board.color_at(point).is_some() {
                        let problem = SavedGameProblem::Point(IllegalMove::Occupied);
                        return Err(error(offset, problem));
                    }
                    game.play_unchecked(Move::Play(point));
                }
            }
        }
    }

    fn outcome(&mut self) -> Result<Option<Outcome>, SavedGameError> {
        let offset = self.offset;
        let number = self.number()?;
        let reason = match number {
            0 => return Ok(None),
            1 => return Ok(Some(Outcome::Draw)),
            2 => return Ok(Some(Outcome::NoResult)),
            4 | 5 => Reason::Score(self.up_to(MAX_MARGIN)?),
            6 | 7 => Reason::Resignation,
            8 | 9 => Reason::Repetition,
            10 | 11 => Reason::Time,
            12 | 13 => Reason::Forfeit,
            _ => {
                let problem = SavedGameProblem::Unknown(self.bytes[offset]);
                return Err(error(offset, problem));
            }
        };
        let winner = Color::BOTH[number as usize % 2];
        Ok(Some(Outcome::Win(winner, reason)))
    }

    fn byte(&mut self) -> Result<u8, SavedGameError> {
        Ok(self.take(1)?[0])
    }

    fn take(&mut self, length: usize) -> Result<&'a [u8], SavedGameError> {
        let rest = &self.bytes[self.offset..];
        let Some(taken) = rest.get(..length) else {
            return Err(error(self.bytes.len(), SavedGameProblem::Truncated));
        };
        self.offset += length;
        Ok(taken)
    }

    fn number(&mut self) -> Result<u32, SavedGameError> {
        self.up_to(u32::MAX)
    }

    /// A number that is at most `max`.
    fn up_to(&mut self, max: u32) -> Result<u32, SavedGameError> {
        let start = self.offset;
        let mut number = 0;
        let mut shift = 0;
        loop {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7f) << shift;
            if number > u64::from(max) || shift > u32::BITS {
                return Err(error(start, SavedGameProblem::TooLarge));
            }
            if byte & 0x80 == 0 {
                return Ok(number as u32);
            }
            shift += 7;
        }
    }
}

/// The point that has this place in reading order.
fn point_at(place: u32, size: Size, offset: usize) -> Result<Point, SavedGameError> {
    if place as usize >= size.area() {
        let problem = SavedGameProblem::Point(IllegalMove::OffBoard);
        return Err(error(offset, problem));
    }
    let width = u32::from(size.width());
    Ok(Point::new((place % width) as u8, (place / width) as u8))
}

const fn error(offset: usize, problem: SavedGameProblem) -> SavedGameError {
    SavedGameError { offset, problem }
}

/// Why bytes are no saved game, and where.
///
/// ```
/// use tengen_core::{Game, SavedGameProblem};
/// let error = Game::from_bytes(b"TGS\x01\x03aga\x09").unwrap_err();
/// assert_eq!((error.offset, &error.problem), (9, &SavedGameProblem::Truncated));
/// assert_eq!(error.to_string(), "byte 9: the bytes end within a game");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SavedGameError {
    /// The number of bytes before what was wrong.
    pub offset: usize,
    /// What was wrong there.
    pub problem: SavedGameProblem,
}

/// What can be wrong with a saved game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SavedGameProblem {
    /// The bytes are something else.
    Mark,
    /// The format has this version, which is not known.
    Version(u8),
    /// The bytes end before the game does.
    Truncated,
    /// The bytes go on behind the game.
    Trailing,
    /// This byte has no meaning here.
    Unknown(u8),
    /// A number is larger than it can be here.
    TooLarge,
    /// The rules cannot be read.
    Rules(ParseRulesError),
    /// There is no board of this size.
    Size(SizeError),
    /// The game cannot start from this position.
    Setup(SetupError),
    /// No stone can be put on this point.
    Point(IllegalMove),
}

impl fmt::Display for SavedGameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "byte {}: ", self.offset)?;
        match &self.problem {
            SavedGameProblem::Mark => f.write_str("this is not a saved game"),
            SavedGameProblem::Version(version) => {
                write!(
                    f,
                    "version {version} of saved games is unknown; this is version {VERSION}"
                )
            }
            SavedGameProblem::Truncated => f.write_str("the bytes end within a game"),
            SavedGameProblem::Trailing => f.write_str("the bytes go on behind the game"),
            SavedGameProblem::Unknown(byte) => write!(f, "{byte:#04x} has no meaning here"),
            SavedGameProblem::TooLarge => f.write_str("a number that is too large here"),
            SavedGameProblem::Rules(refused) => refused.fmt(f),
            SavedGameProblem::Size(refused) => refused.fmt(f),
            SavedGameProblem::Setup(refused) => refused.fmt(f),
            SavedGameProblem::Point(refused) => write!(f, "a point that is {refused}"),
        }
    }
}

impl std::error::Error for SavedGameError {}
