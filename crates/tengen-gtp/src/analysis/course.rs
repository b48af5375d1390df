//! The course of the game that a query is about.

use std::fmt;

use tengen_core::{Color, Game, IllegalMove, Komi, Move, Rules, Setup, SetupError, Size, Suicide};

/// A starting position and the moves made from it. Positions on the way are played out when they are needed.
#[derive(Clone, Debug, PartialEq)]
pub struct Course {
    /// Where the game starts.
    pub start: Setup,
    /// Its rules.
    pub rules: Rules,
    /// Its komi; `None` is that of the rules.
    pub komi: Option<Komi>,
    /// What was played, by whom.
    pub moves: Vec<(Color, Move)>,
    /// What Black's moves are before White's first.
    pub starting_moves: StartingMoves,
}

/// What Black's moves are before White's first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StartingMoves {
    /// Handicap, if there are several.
    #[default]
    Handicap,
    /// Moves like others.
    Ordinary,
}

/// A move of the course that no board can take.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IllegalTurn {
    /// How many moves were made before it.
    pub turn: usize,
    /// The move.
    pub action: Move,
    /// Why not.
    pub reason: IllegalMove,
    size: Size,
}

impl fmt::Display for IllegalTurn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Programs look for the first two words.
        write!(
            f,
            "Illegal move {}: {} ({})",
            self.turn,
            self.action.to_gtp(self.size),
            self.reason
        )
    }
}

impl std::error::Error for IllegalTurn {}

impl Course {
    /// The position after this many moves, with the player to move who is next in turn. A game that two passes have
    /// ended goes on: whoever asks about it wants to know how it stands.
    ///
    /// # Panics
    ///
    /// If [`Course::check`] refuses the course, or there are not so many moves.
    pub fn game_at(&self, turn: usize) -> Game {
        let mut game = Game::from_setup(&self.start, self.rules)
            .expect("the starting position was checked with the course");
        if let Some(komi) = self.komi {
            game.set_komi(komi);
        }
        game.set_handicap(self.handicap_at(turn));
        for (number, &(color, action)) in self.moves[..turn].iter().enumerate() {
            self.play(&mut game, number, color, action)
                .expect("the moves were checked with the course");
        }
        if game.is_over() {
            game.resume();
        }
        game
    }

    /// Can the starting position stand?
    pub fn check_start(&self) -> Result<(), SetupError> {
        Game::from_setup(&self.start, self.rules).map(drop)
    }

    /// Can all moves be made? Returns those that the rules forbid but a board can take: they are made all the same,
    /// since records have them.
    pub fn check(&self) -> Result<Vec<IllegalTurn>, IllegalTurn> {
        let mut tolerated = Vec::new();
        let Ok(mut game) = Game::from_setup(&self.start, self.rules) else {
            return Ok(tolerated);
        };
        for (number, &(color, action)) in self.moves.iter().enumerate() {
            tolerated.extend(self.play(&mut game, number, color, action)?);
        }
        Ok(tolerated)
    }

    /// Makes a move; returns why the rules forbid it if it had to be forced.
    fn play(
        &self,
        game: &mut Game,
        turn: usize,
        color: Color,
        action: Move,
    ) -> Result<Option<IllegalTurn>, IllegalTurn> {
        game.set_to_move(color);
        if game.is_over() {
            game.resume();
        }
        let Err(reason) = game.play(action) else {
            return Ok(None);
        };
        let refused = IllegalTurn {
            turn,
            action,
            reason,
            size: self.start.size,
        };
        let joins_others = |point| {
            let lenient = game.board().check(point, color, Suicide::MultiStone);
            lenient != Err(IllegalMove::Suicide)
        };
        match (reason, action) {
            (IllegalMove::Ko | IllegalMove::Superko, _) => {}
            (IllegalMove::Suicide, Move::Play(point)) if joins_others(point) => {}
            _ => return Err(refused),
        }
        game.play_unchecked(action);
        Ok(Some(refused))
    }

    /// How many handicap stones Black has after this many moves: those of the start, and moves before White's first.
    fn handicap_at(&self, turn: usize) -> u16 {
        if !self.start.stones.white.is_empty() {
            return 0;
        }
        let stones = self.start.stones.black.len();
        let moves = match self.starting_moves {
            StartingMoves::Handicap => leading_moves(&self.moves[..turn]),
            StartingMoves::Ordinary => 0,
        };
        match stones + moves {
            0 | 1 => 0,
            handicap => u16::try_from(handicap).unwrap_or(u16::MAX),
        }
    }

    /// Who moves first if nobody says: the player of the first move, or White against a handicap.
    pub fn first_player(start: &Setup, moves: &[(Color, Move)]) -> Color {
        match moves.first() {
            Some((color, _)) => *color,
            None if start.stones.white.is_empty() && start.stones.black.len() > 1 => Color::White,
            None => Color::Black,
        }
    }
}

/// How many stones Black has played before White's first, which passes in between do not end.
fn leading_moves(moves: &[(Color, Move)]) -> usize {
    let mut count = 0;
    for (number, (color, action)) in moves.iter().enumerate() {
        match (color, action) {
            (Color::Black, Move::Play(_)) => count += 1,
            (Color::Black, Move::Pass) => {}
            (Color::White, action) => {
                let again = matches!(moves.get(number + 1), Some((Color::White, _)));
                if again {
                    // Somebody sets up a position, one colour after the other.
                    return 0;
                }
                if matches!(action, Move::Play(_)) {
                    break;
                }
            }
        }
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;
    use tengen_core::Preset;

    fn course(start: &str, moves: &str, rules: Preset) -> Course {
        let start: Setup = start.parse().unwrap();
        let moves = moves
            .split_whitespace()
            .map(|word| {
                let (color, vertex) = word.split_at(1);
                let action = Move::from_gtp(vertex, start.size).unwrap();
                (color.parse().unwrap(), action)
            })
            .collect();
        Course {
            start,
            rules: rules.rules(),
            komi: None,
            moves,
            starting_moves: StartingMoves::Handicap,
        }
    }

    const EMPTY: &str = ".....\n.....\n.....\n.....\n.....";

    #[test]
    fn counts_handicap_as_it_was_placed() {
        for (start, moves, expected) in [
            (EMPTY, "", 0),
            (EMPTY, "BA1 WB1", 0),
            (EMPTY, "BA1 BB1 BC3 WB2 BB4", 3),
            (EMPTY, "BA1 Wpass BC3 Wpass BC4 WD4", 3),
            (EMPTY, "BA1 BC1 WA3 WA4", 0),
            ("X.X\n...\n...", "", 2),
            ("X.X\n...\n...", "WB2 BA1", 2),
            ("X..\n...\n...", "WB2 BA1", 0),
            ("XO.\n...\n...", "BB2 BA1", 0),
        ] {
            let course = course(start, moves, Preset::Chinese);
            let game = course.game_at(course.moves.len());
            assert_eq!(game.handicap(), expected, "{start} {moves}");
        }
        let ordinary = Course {
            starting_moves: StartingMoves::Ordinary,
            ..course(EMPTY, "BA1 BB1 BC3 WB2", Preset::Chinese)
        };
        assert_eq!(ordinary.game_at(4).handicap(), 0);
    }

    #[test]
    fn goes_on_behind_two_passes() {
        let course = course(EMPTY, "BC3 Wpass Bpass WC2", Preset::TrompTaylor);
        assert_eq!(course.check(), Ok(vec![]));
        let game = course.game_at(3);
        assert!(!game.is_over());
        assert_eq!(game.to_move(), Color::White);
        assert_eq!(course.game_at(4).turns().len(), 4);
    }

    #[test]
    fn forces_what_a_board_can_take() {
        let ko = ".XO.\nX.XO\n.XO.\n....\nWhite to move";
        let retaken = course(ko, "WB3 BC3", Preset::Chinese);
        let tolerated = retaken.check().unwrap();
        assert_eq!(tolerated.len(), 1);
        assert_eq!(
            (tolerated[0].turn, tolerated[0].reason),
            (1, IllegalMove::Ko)
        );
        assert!(
            retaken
                .game_at(2)
                .board()
                .color_at(
                    Move::from_gtp("B3", retaken.start.size)
                        .unwrap()
                        .point()
                        .unwrap()
                )
                .is_none()
        );
        // A chain of two stones takes itself off.
        let suicide = course(".O.\nXOO\nO..", "BA3", Preset::Chinese);
        assert_eq!(suicide.check().unwrap()[0].reason, IllegalMove::Suicide);
        let alone = course(".O.\nO..\n...", "BA3", Preset::Chinese);
        let refusal = alone.check().unwrap_err();
        assert_eq!(refusal.to_string(), "Illegal move 0: A3 (suicide)");
        let occupied = course(EMPTY, "BA1 WA1", Preset::Chinese);
        assert_eq!(
            occupied.check().unwrap_err().to_string(),
            "Illegal move 1: A1 (occupied)"
        );
    }

    #[test]
    fn a_player_may_move_twice() {
        let course = course(EMPTY, "BA1 BB1 WC3", Preset::Japanese);
        assert_eq!(course.check(), Ok(vec![]));
        assert_eq!(course.game_at(1).to_move(), Color::White);
        assert_eq!(course.game_at(3).to_move(), Color::Black);
    }

    #[test]
    fn knows_who_moves_first() {
        let first = |start: &str, moves| {
            let course = course(start, moves, Preset::Chinese);
            Course::first_player(&course.start, &course.moves)
        };
        assert_eq!(first(EMPTY, ""), Color::Black);
        assert_eq!(first("X.X\n...", ""), Color::White);
        assert_eq!(first("X.O\n...", ""), Color::Black);
        assert_eq!(first(EMPTY, "WA1"), Color::White);
    }
}
