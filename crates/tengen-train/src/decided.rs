//! Games that nobody can change any more.

use tengen_core::{Color, Game, Settlement};

/// What is dead, if every point of the board belongs for certain to one player, whatever is still played.
///
/// All stones then stand or die by Benson's algorithm: each point is a stone that cannot be captured, or territory in
/// which the enemy cannot live. A game that is played no further can be counted with this settlement, and the owner of
/// the territory could have made it so on the board.
///
/// ```
/// use tengen_core::{Game, Rules, Setup};
/// let setup: Setup = ". X . X O .\nX X X X O O\n. O . X O .".parse()?;
/// let game = Game::from_setup(&setup, Rules::default())?;
/// let settlement = tengen_train::decided(&game).ok_or("undecided")?;
/// assert_eq!(settlement.dead.len(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn decided(game: &Game) -> Option<Settlement> {
    let board = game.board();
    let suicide = game.rules().suicide;
    let mut open = *board.points();
    let mut settlement = Settlement::default();
    for color in Color::BOTH {
        let alive = board.pass_alive(color, suicide);
        open = open - alive.stones - alive.territory;
        settlement.dead |= *board.stones(!color) & alive.territory;
    }
    open.is_empty().then_some(settlement)
}
