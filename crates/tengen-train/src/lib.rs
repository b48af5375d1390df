#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod advised;
mod config;
mod decided;
mod dice;
mod elo;
mod evaluation;
mod gumbel;
mod journal;
mod lesson;
mod log;
mod pool;
mod position;
mod record;
mod records;
#[cfg(test)]
mod reference;
mod reliability;
mod report;
mod resignations;
mod run;
mod schedule;
mod seed;
mod self_player;
mod selfplay;
mod settings;
mod teacher;
mod window;

pub use config::{Config, ConfigError, Evaluation, Generation, Rate, Until};
pub use decided::decided;
pub use elo::{Estimate, Ratings, Results, UnknownPlayer, expected_score};
pub use evaluation::{Match, Player, Tally, fair_komi, first_move};
pub use gumbel::{Gumbel, GumbelOptions, Noise, Plan, RootMove};
pub use log::{Komi, Log, Played, Summary, Versus};
pub use pool::Pool;
pub use position::ReplayError;
pub use record::{
    End, GameRecord, Hopeless, PARTS, RecordError, RecordProblem, Records, Target, quantized,
};
pub use records::{
    Bin, Card, Deck, EXAM_BINS, Ending, Exam, Library, LibraryError, Network, NetworkError, PHASES,
    Phase, Question, RecordedGame, RecordsOptions, Settled, Skipped, examine,
};
pub use reliability::reliability_diagram;
pub use resignations::Resignations;
pub use run::{Due, Event, Progress, Run, RunError};
pub use schedule::{Drop, Fall, Schedule};
pub use self_player::SelfPlayer;
pub use selfplay::play_game;
pub use settings::{BoardChoice, KomiChoice, Resignation, RulesChoice, SelfPlay, SelfPlayError};
pub use teacher::{Teacher, teach_game};
pub use tengen_files::{FileError, write_whole};
pub use window::{Complaint, OldFiles, Sample, Window, WindowOptions};
