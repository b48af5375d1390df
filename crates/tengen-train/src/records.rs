//! Learning from games that others have played.
//!
//! A [`Library`] holds the games, a [`Deck`] says which position comes when, and an [`Exam`] asks a network about games
//! that it does not learn from.

mod calibration;
mod deck;
mod exam;
mod lessons;
mod library;
mod network;
mod options;
mod rank;
mod recorded;
mod settled;
mod tutor;

pub use calibration::{Calibration, best_calibration};
pub use deck::{Card, Deck};
pub use exam::{Beside, Bin, EXAM_BINS, Exam, PHASES, Phase, Question, examine};
pub(crate) use lessons::Lesson;
pub use lessons::Lessons;
pub use library::{Library, LibraryError, Skipped};
pub(crate) use network::{Asked, Desk};
pub use network::{Network, NetworkError};
pub use options::{Ending, RecordsOptions};
pub use recorded::RecordedGame;
pub use settled::Settled;
pub(crate) use tutor::Tutor;
