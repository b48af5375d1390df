//! A whole batch as bytes.

use tengen_core::{Game, SavedGameError};

use crate::batch::Batch;
use crate::generator::Generator;
use crate::options::Options;

/// Tells a snapshot from other bytes; the last character is the version of the format.
const MAGIC: [u8; 4] = *b"TGB1";

impl Batch {
    /// The games with their histories and random generators.
    ///
    /// ```
    /// use tengen_core::{Rules, Size};
    /// use tengen_env::{Batch, GameSpec, Options, Outputs};
    ///
    /// let spec = GameSpec { size: Size::square(5)?, rules: Rules::default() };
    /// let mut batch = Batch::new(&[spec; 2], Options::default());
    /// batch.step(&[12, 0], Outputs::default())?;
    /// let mut copy = Batch::from_snapshot(&batch.snapshot(), Options::default())?;
    /// assert_eq!(copy.game(1).turns(), batch.game(1).turns());
    /// let mut drawn = [[0; 2]; 2];
    /// copy.sample(&mut drawn[0]);
    /// batch.sample(&mut drawn[1]);
    /// assert_eq!(drawn[0], drawn[1]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn snapshot(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend((self.len() as u64).to_le_bytes());
        for (seat, generator) in self.seats.iter().zip(&self.generators) {
            bytes.extend(generator.0.to_le_bytes());
            seat.game.write_bytes(&mut bytes);
        }
        bytes
    }

    /// The batch that a snapshot was taken of. Options other than the seed are not part of it.
    pub fn from_snapshot(bytes: &[u8], options: Options) -> Result<Self, SnapshotError> {
        let rest = bytes
            .strip_prefix(&MAGIC)
            .ok_or(SnapshotError::NotASnapshot)?;
        let (count, mut rest) = number(rest)?;
        let mut games = Vec::new();
        let mut generators = Vec::new();
        for game in 0..count {
            let (state, behind) = number(rest)?;
            let offset = bytes.len() - behind.len();
            let (saved, behind) =
                Game::read_bytes(behind).map_err(|error| SnapshotError::Game {
                    game,
                    offset,
                    error,
                })?;
            generators.push(Generator(state));
            games.push(saved);
            rest = behind;
        }
        if games.is_empty() {
            return Err(SnapshotError::NoGames);
        }
        if !rest.is_empty() {
            return Err(SnapshotError::Trailing(rest.len()));
        }
        let mut batch = Self::of_games(games, options);
        batch.generators = generators;
        Ok(batch)
    }

    /// Goes back, or on, to the state of a snapshot of the same number of games on the same boards.
    pub fn restore(&mut self, bytes: &[u8]) -> Result<(), SnapshotError> {
        let restored = Self::from_snapshot(bytes, self.options)?;
        let sizes = |batch: &Self| -> Vec<_> {
            let seats = batch.seats.iter();
            seats.map(|seat| seat.game.size()).collect()
        };
        if sizes(self) != sizes(&restored) {
            return Err(SnapshotError::OtherGames);
        }
        self.take_games(restored);
        Ok(())
    }
}

fn number(bytes: &[u8]) -> Result<(u64, &[u8]), SnapshotError> {
    let (number, rest) = bytes.split_first_chunk().ok_or(SnapshotError::Truncated)?;
    Ok((u64::from_le_bytes(*number), rest))
}

/// Why bytes are not the snapshot that was expected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SnapshotError {
    /// They do not begin like a snapshot that this version reads.
    #[error("not a snapshot that this version can read")]
    NotASnapshot,
    /// They end too early.
    #[error("the snapshot ends too early")]
    Truncated,
    /// So many bytes are left over.
    #[error("{0} bytes too many behind the snapshot")]
    Trailing(usize),
    /// There is no game in it.
    #[error("there is no game in the snapshot")]
    NoGames,
    /// The boards are not those of the batch.
    #[error("the snapshot has other boards, or another number of them")]
    OtherGames,
    /// A game cannot be read.
    #[error("game {game} of the snapshot, from byte {offset}: {error}")]
    Game {
        /// Its index.
        game: u64,
        /// Where its bytes begin.
        offset: usize,
        /// What is wrong with them.
        error: SavedGameError,
    },
}
