//! How many positions and games there are.
//!
//! Three counts, each exact: [`positions()`] (boards on which every chain has a liberty), [`positions_up_to_symmetry`],
//! and [`games()`] (complete games under a rule set). The numbers of small boards are published, so that they check the
//! rules as a whole.
//!
//! ```
//! use tengen_core::{Rules, Size, census};
//! assert_eq!(census::positions(Size::square(3)?)?, 12_675);
//! assert_eq!(census::games(Size::new(3, 1)?, &Rules::default())?, 907);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::fmt;

use crate::size::Size;

mod game_graph;
mod games;
mod orbits;
mod positions;

pub use games::{GameCounter, Games, games};
pub use orbits::{Orbits, positions_up_to_symmetry};
pub use positions::{PositionProgress, positions, positions_with_progress};

/// Why something is not counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CensusError {
    /// The number does not fit into 128 bits.
    Overflow(Size),
    /// The symmetric positions of this board are too many to be enumerated.
    TooManySymmetric(Size),
    /// The games on this board are too many, and no limit of moves makes them fewer.
    TooManyGames(Size),
    /// Under these rules a game can go on for ever, or for more moves than can be enumerated.
    Endless,
}

impl fmt::Display for CensusError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Overflow(size) => {
                write!(f, "the count for {size} does not fit into 128 bits")
            }
            Self::TooManySymmetric(size) => {
                write!(f, "{size} has too many symmetric positions to enumerate")
            }
            Self::TooManyGames(size) => write!(
                f,
                "{size} has too many games to count: without a limit of at most 1000 moves boards of up to four points \
                    can be done"
            ),
            Self::Endless => f.write_str(
                "games under these rules can go on for ever: superko, an end by repetition or a limit of at most 1000 \
                    moves is needed",
            ),
        }
    }
}

impl std::error::Error for CensusError {}
