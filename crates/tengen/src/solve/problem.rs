//! Which position is to be solved.

use std::fs;
use std::io::{self, Read};
use std::path::Path;

use anyhow::{Context, Result};
use tengen_core::{Color, Move, Setup, Size};
use tengen_sgf::{Mode, Record, Replay};

use crate::failure::Usage;

/// A position, and how it came about as far as that matters.
pub(crate) struct Problem {
    pub(crate) setup: Setup,
    /// Was the last move a pass?
    pub(crate) passed: bool,
}

impl Problem {
    /// Reads a size, a diagram (in a file, or with `/` between rows) or a record, up to a move.
    pub(crate) fn read(board: &str, number: Option<usize>, to_move: Option<Color>) -> Result<Self> {
        let mut problem = Self::find(board, number)?;
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

    fn find(board: &str, number: Option<usize>) -> Result<Self> {
        let wrong =
            |problem: &dyn std::fmt::Display| Usage::new(format_args!("{board}: {problem}"));
        if let Ok(size) = board.parse::<Size>() {
            return Ok(Self::placed(Setup::empty(size)));
        }
        let bytes = if board == "-" {
            let mut bytes = Vec::new();
            let read = io::stdin().read_to_end(&mut bytes);
            read.context("cannot read standard input")?;
            bytes
        } else if Path::new(board).exists() {
            fs::read(board).map_err(|error| wrong(&error))?
        } else if board.contains(['.', '/', '\n']) && !board.contains(['(', '\\']) {
            board.replace('/', "\n").into_bytes()
        } else {
            return Err(wrong(&"neither a size, nor a file, nor a diagram").into());
        };
        let is_record = bytes.iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b'(');
        if is_record || number.is_some() {
            return Self::of_record(bytes, number, &wrong);
        }
        let text = String::from_utf8(bytes).map_err(|_| wrong(&"not a text in UTF-8"))?;
        Ok(Self::placed(text.parse().map_err(|error| wrong(&error))?))
    }

    const fn placed(setup: Setup) -> Self {
        Self {
            setup,
            passed: false,
        }
    }

    fn of_record(
        bytes: Vec<u8>,
        number: Option<usize>,
        wrong: &dyn Fn(&dyn std::fmt::Display) -> Usage,
    ) -> Result<Self> {
        let record = Record::read(bytes, Mode::Lenient).map_err(|error| wrong(&error))?;
        let root = record.collection.roots().next();
        let root = root.ok_or_else(|| wrong(&"there is no game in it"))?;
        let cannot = |problem: tengen_sgf::Diagnostic| wrong(&problem.message);
        let mut replay = Replay::start(root, Mode::Lenient).map_err(cannot)?;
        for node in root.main_line().skip(1) {
            if number.is_some_and(|number| replay.moves() >= number) {
                break;
            }
            replay.step(node).map_err(cannot)?;
        }
        if let Some(number) = number
            && replay.moves() < number
        {
            let moves = replay.moves();
            return Err(wrong(&format_args!(
                "there is no move {number}: the game has {moves} moves"
            ))
            .into());
        }
        let game = replay.game();
        if game.is_over() {
            return Err(wrong(&"the game is over after that move").into());
        }
        let last = game.last_turn().map(|turn| turn.action);
        Ok(Self {
            setup: game.position(),
            passed: last == Some(Move::Pass),
        })
    }
}
