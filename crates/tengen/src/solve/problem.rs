//! Which position is to be solved.

use std::fmt::Display;
use std::fs;
use std::io::{self, Read};
use std::path::Path;

use anyhow::{Context, Result};
use tengen_core::{Color, Move, PointSet, Setup, Size};
use tengen_sgf::{Mode, Node, Record, Replay};

use crate::failure::Usage;

/// A position, and how it came about as far as that matters.
pub(crate) struct Problem {
    pub(crate) setup: Setup,
    /// Was the last move a pass?
    pub(crate) passed: bool,
    /// How many moves of a record were made before.
    pub(crate) moves: usize,
    /// The points that the record marks: those of the stones that it is about.
    pub(crate) marked: PointSet,
    /// The part of the board that the record selects or shows.
    pub(crate) selected: PointSet,
}

/// What the words of a command line stand for.
enum Source {
    Setup(Setup),
    Record(Record),
}

impl Problem {
    /// Reads a size, a diagram (in a file, or with `/` between rows) or a record, up to a move.
    pub(crate) fn read(board: &str, number: Option<usize>, to_move: Option<Color>) -> Result<Self> {
        let mut problem = match Source::read(board, number.is_some())? {
            Source::Setup(setup) => Self::placed(setup),
            Source::Record(record) => {
                let root = record.collection.roots().next();
                let root = root.ok_or_else(|| wrong(board, &"there is no game in it"))?;
                Self::of_game(board, root, Until::of(number))?
            }
        };
        if let Some(color) = to_move
            && color != problem.setup.to_move
        {
            // A ko forbids a stone to the player who was to move, and a pass was the other one's.
            problem.setup.to_move = color;
            problem.setup.ko = None;
            problem.passed = false;
        }
        Ok(problem)
    }

    /// Reads a diagram, or all games of a record: each up to a move, or its position before the first one.
    pub(crate) fn read_all(board: &str, number: Option<usize>) -> Result<Vec<Self>> {
        let record = match Source::read(board, number.is_some())? {
            Source::Setup(setup) => return Ok(vec![Self::placed(setup)]),
            Source::Record(record) => record,
        };
        let until = Until::Move(number.unwrap_or(0));
        let games = record.collection.roots();
        let problems: Result<Vec<Self>> = games
            .map(|root| Self::of_game(board, root, until))
            .collect();
        problems
    }

    const fn placed(setup: Setup) -> Self {
        Self {
            setup,
            passed: false,
            moves: 0,
            marked: PointSet::EMPTY,
            selected: PointSet::EMPTY,
        }
    }

    fn of_game(board: &str, root: Node<'_>, until: Until) -> Result<Self> {
        let cannot = |problem: tengen_sgf::Diagnostic| wrong(board, &problem.message);
        let mut replay = Replay::start(root, Mode::Lenient).map_err(cannot)?;
        let mut last = root;
        for node in root.main_line().skip(1) {
            // Nodes without moves, which may set stones up, belong to the move before them.
            let has_move = ["B", "W"].iter().any(|name| node.property(name).is_some());
            if let Until::Move(number) = until
                && replay.moves() >= number
                && has_move
            {
                break;
            }
            replay.step(node).map_err(cannot)?;
            last = node;
        }
        if let Until::Move(number) = until
            && replay.moves() < number
        {
            let moves = replay.moves();
            return Err(wrong(
                board,
                &format_args!("there is no move {number}: the game has {moves} moves"),
            )
            .into());
        }
        let game = replay.game();
        if game.is_over() {
            return Err(wrong(board, &"the game is over after that move").into());
        }
        let turn = game.last_turn().map(|turn| turn.action);
        let points = |names: &[&str]| {
            let properties = names.iter().filter_map(|name| last.property(name));
            properties.fold(PointSet::EMPTY, |set, property| set | property.points())
        };
        Ok(Self {
            setup: game.position(),
            passed: turn == Some(Move::Pass),
            moves: replay.moves(),
            marked: points(&["TR", "SQ", "CR", "MA"]),
            selected: points(&["SL", "VW"]),
        })
    }
}

/// Up to where a game is played.
#[derive(Clone, Copy)]
enum Until {
    Move(usize),
    End,
}

impl Until {
    const fn of(number: Option<usize>) -> Self {
        match number {
            Some(number) => Self::Move(number),
            None => Self::End,
        }
    }
}

impl Source {
    fn read(board: &str, is_record: bool) -> Result<Self> {
        if let Ok(size) = board.parse::<Size>() {
            return Ok(Self::Setup(Setup::empty(size)));
        }
        let bytes = if board == "-" {
            let mut bytes = Vec::new();
            let read = io::stdin().read_to_end(&mut bytes);
            read.context("cannot read standard input")?;
            bytes
        } else if Path::new(board).exists() {
            fs::read(board).map_err(|error| wrong(board, &error))?
        } else if board.contains(['.', '/', '\n']) && !board.contains(['(', '\\']) {
            board.replace('/', "\n").into_bytes()
        } else {
            return Err(wrong(board, &"neither a size, nor a file, nor a diagram").into());
        };
        let looks_like_record =
            bytes.iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b'(');
        if looks_like_record || is_record {
            let record = Record::read(bytes, Mode::Lenient);
            return Ok(Self::Record(record.map_err(|error| wrong(board, &error))?));
        }
        let text = String::from_utf8(bytes).map_err(|_| wrong(board, &"not a text in UTF-8"))?;
        let setup = text.parse().map_err(|error| wrong(board, &error))?;
        Ok(Self::Setup(setup))
    }
}

fn wrong(board: &str, problem: &dyn Display) -> Usage {
    Usage::new(format_args!("{board}: {problem}"))
}
