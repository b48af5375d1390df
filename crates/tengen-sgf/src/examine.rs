//! All that is wrong with a game.

use crate::diagnostic::Diagnostic;
use crate::parser::Mode;
use crate::replay::Replay;
use crate::tree::Node;
use crate::validate::validate_but;

/// What the examination of a game found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Examined {
    /// What is wrong, in the order of the file.
    pub diagnostics: Vec<Diagnostic>,
    /// How many moves the main line has.
    pub moves: usize,
}

/// Checks the values of a game and plays its main line. Each fault is told once: of a value that is wrong and that
/// the game needs, it is told what the game made of it.
///
/// ```
/// use tengen_sgf::{Collection, Mode, examine};
/// let games = Collection::parse("(;SZ[9];B[zz])", Mode::Lenient)?.collection;
/// let found = examine(games.roots().next().unwrap());
/// assert_eq!(found.diagnostics.len(), 1);
/// assert_eq!(found.diagnostics[0].message, "move 1: `zz` is no point of a 9x9 board; left out");
/// # Ok::<(), tengen_sgf::ParseError>(())
/// ```
pub fn examine(root: Node<'_>) -> Examined {
    if !root.is_go() {
        return Examined::default();
    }
    let (played, mut told, moves) = match Replay::main_line(root, Mode::Lenient) {
        Ok(replay) => {
            let moves = replay.moves();
            let (played, told) = replay.into_diagnostics();
            (played, told, moves)
        }
        Err(problem) => {
            let place = problem.offset;
            (vec![problem], vec![place], 0)
        }
    };
    told.sort_unstable();
    let mut diagnostics = validate_but(root, &told);
    diagnostics.extend(played);
    diagnostics.sort_by_key(|diagnostic| diagnostic.offset);
    Examined { diagnostics, moves }
}
