//! What a player types.

use std::path::PathBuf;

use tengen_core::{CoordinateError, Move, Size};

/// What a player wants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Command {
    Move(Move),
    Undo,
    Hint,
    Score,
    Agree,
    PlayOn,
    Board,
    Save(PathBuf),
    Resign,
    Help,
    Quit,
}

impl Command {
    /// Reads a line, or says in one line what is wrong with it. `None` if it is blank.
    pub(crate) fn read(line: &str, size: Size) -> Result<Option<Self>, String> {
        let line = line.trim();
        let (word, rest) = match line.split_once(char::is_whitespace) {
            Some((word, rest)) => (word, rest.trim()),
            None => (line, ""),
        };
        let command = match word.to_lowercase().as_str() {
            "" => return Ok(None),
            "save" if rest.is_empty() => {
                return Err("Save where? Type save and a file name.".to_owned());
            }
            "save" => return Ok(Some(Self::Save(rest.into()))),
            "undo" => Self::Undo,
            "hint" => Self::Hint,
            "score" => Self::Score,
            "agree" | "yes" | "ok" | "done" => Self::Agree,
            "play" | "no" | "continue" => Self::PlayOn,
            "board" | "show" => Self::Board,
            "resign" => Self::Resign,
            "help" | "?" => Self::Help,
            "quit" | "exit" => Self::Quit,
            _ => Self::Move(Move::from_gtp(word, size).map_err(|error| explain(word, error))?),
        };
        match rest {
            "" => Ok(Some(command)),
            _ => Err(format!(
                "One thing at a time: what is `{rest}` behind {word}?"
            )),
        }
    }
}

fn explain(word: &str, error: CoordinateError) -> String {
    match error {
        CoordinateError::Syntax => {
            format!("I do not know `{word}`. Type a point such as D4, pass, or help.")
        }
        CoordinateError::NoColumnI => "There is no column I: J follows H.".to_owned(),
        CoordinateError::OffBoard(size) => {
            format!("{} is not on a {size} board.", word.to_uppercase())
        }
    }
}

pub(crate) const HELP: &str = "\
\x20 d4          put a stone on D4
  pass        put none; after two passes the stones are counted
  undo        take your last move back
  hint        what would Tengen play?
  score       count the stones as they are
  board       show the board again
  save FILE   write the game to a file (it is kept after every move anyway)
  resign      give up
  quit        leave; the game is offered again next time";

pub(crate) const SETTLE_HELP: &str = "\
\x20 d4          the stones at D4 are dead, or alive after all
  agree       this is the score
  play        go on playing
  undo        take your last move back
  board       show the board again
  save FILE   write the game to a file
  resign      give up
  quit        leave; the game is offered again next time";

#[cfg(test)]
mod tests {
    use tengen_core::Point;

    use super::*;

    fn read(line: &str) -> Result<Option<Command>, String> {
        Command::read(line, Size::square(9).unwrap())
    }

    #[test]
    fn words_and_points_are_understood_in_any_case() {
        let point = Command::Move(Move::Play(Point::new(3, 5)));
        assert_eq!(read("d4"), Ok(Some(point.clone())));
        assert_eq!(read("  D4 \r\n"), Ok(Some(point)));
        assert_eq!(read("Pass"), Ok(Some(Command::Move(Move::Pass))));
        assert_eq!(read("UNDO"), Ok(Some(Command::Undo)));
        assert_eq!(read("?"), Ok(Some(Command::Help)));
        assert_eq!(
            read("save My Game.sgf"),
            Ok(Some(Command::Save("My Game.sgf".into())))
        );
        assert_eq!(read(" \t"), Ok(None));
    }

    #[test]
    fn a_mistake_gets_one_line() {
        for (line, part) in [
            ("jump", "`jump`"),
            ("i4", "no column I"),
            ("k4", "K4 is not on a 9x9 board"),
            ("d4 e5", "`e5`"),
            ("save", "file name"),
            ("d99999999999999999999", "D9"),
            ("日本", "`日本`"),
        ] {
            let answer = read(line).unwrap_err();
            assert!(answer.contains(part), "{line}: {answer}");
            assert!(!answer.contains('\n'));
        }
    }
}
