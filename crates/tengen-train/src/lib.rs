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
mod lockstep;
mod log;
mod plan;
mod planner;
mod pool;
mod position;
mod puct;
mod record;
mod records;
#[cfg(test)]
mod reference;
mod reliability;
mod report;
mod resignations;
mod run;
mod scalars;
mod schedule;
mod seed;
mod self_player;
mod selfplay;
mod settings;
mod teacher;
mod tree;
mod window;

pub use config::{Config, ConfigError, Evaluation, Generation, Rate, Until};
pub use decided::decided;
pub use elo::{Against, Estimate, Ratings, Results, UnknownPlayer, expected_score, rate};
pub use evaluation::{Match, Player, Tally, fair_komi, first_move};
pub use gumbel::{Gumbel, GumbelOptions, Halving, Noise, Values};
pub use lockstep::{Answers, GLOBALS, LeafArrays, Lockstep, LockstepError, Look};
pub use log::{Komi, Log, Played, Summary, Versus};
pub use plan::{Plan, RootMove};
pub use planner::{Method, Planner};
pub use pool::Pool;
pub use position::ReplayError;
pub use puct::{Dirichlet, PuctOptions};
pub use record::{
    End, GameRecord, Hopeless, PARTS, RecordError, RecordProblem, Records, Target, quantized,
};
pub use records::{
    Beside, Bin, Calibration, Card, Deck, EXAM_BINS, Ending, Exam, Lessons, Library, LibraryError,
    Network, NetworkError, PHASES, Phase, Question, RecordedGame, RecordsOptions, Settled, Skipped,
    best_calibration, examine,
};
pub use reliability::reliability_diagram;
pub use resignations::Resignations;
pub use run::{Due, Event, Progress, Run, RunError};
pub use scalars::ScalarLog;
pub use schedule::{Drop, Fall, Schedule};
pub use self_player::SelfPlayer;
pub use selfplay::play_game;
pub use settings::{BoardChoice, KomiChoice, Resignation, RulesChoice, SelfPlay, SelfPlayError};
pub use teacher::{Teacher, teach_game};
pub use tengen_files::{FileError, write_whole};
pub use window::{Complaint, OldFiles, Sample, Window, WindowOptions};
