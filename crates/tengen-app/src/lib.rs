#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod analysis;
mod aside;
mod call;
mod clock;
mod copy;
mod deed;
mod difference;
mod draft;
mod edit;
mod edit_history;
mod effort;
mod event;
mod exact;
mod extent;
mod facts;
mod fates;
mod file;
mod game_tree;
mod guest;
mod host;
mod invitation;
mod job;
mod judgement;
mod legality;
mod limits;
mod marks;
mod methods;
mod networks;
mod outbox;
mod picture;
mod problems;
#[cfg(test)]
mod reference;
mod refusal;
mod request;
mod results;
mod review;
mod revision;
mod room;
mod rules;
mod runs;
mod score;
mod search;
mod seat;
mod settings;
mod shared;
mod sheet;
mod state;
mod table;
mod upload;
mod verdict;
mod view;
mod walk;
#[cfg(test)]
mod words;
mod work;

pub use analysis::{AnalysisMessage, CandidateMessage};
pub use aside::{Aside, Begun, Brought};
pub use clock::{ClockMessage, ClockSettings, SideMessage};
pub use copy::Copy;
pub use deed::{Copied, Copying};
pub use difference::Change;
pub use effort::effort;
pub use event::Event;
pub use exact::{ExactMessage, ExactMove, ExactRule, Ignored};
pub use facts::{Fact, FactKind, Region};
pub use file::{File, FileKind, OfFile};
pub use guest::{Client, Guest, Invitation, Rights};
pub use host::{Host, HostReply};
pub use job::{Finding, Job, JobId, JobKind, Report};
pub use limits::Limits;
pub use methods::{HostMethod, methods};
pub use networks::{ChooseNetwork, NetworkList, NetworkMessage, OfNetwork};
pub use outbox::{Answer, AnswerMessage, Delivery, Outbox, Save};
pub use refusal::{Code, Refusal};
pub use request::{Call, NoParams, OpenFile};
pub use results::Opened;
pub use review::{JudgedMessage, NextMessage, ReviewedMessage};
pub use room::{Reply, Room, Ticket, Viewer};
pub use rules::{KoName, SuperkoName};
pub use runs::{
    Curves, FairKomi, FairKomiPoint, OfGeneration, OfRun, OfRunGame, Opponent, OpponentPoint,
    RunGame, RunGames, RunList, RunMessage, RunSummary, RunTotals, Strength,
};
pub use score::{ScoreMessage, ScoreSide, ScoringName};
pub use seat::Seat;
pub use settings::{Effort, RoomSettings};
pub use sheet::{Phase, Sheet};
pub use state::SavedGame;
pub use tengen_solver::verify::Proof;
pub use verdict::Comments;
pub use view::View;
pub use walk::{ProofProgress, StoredProof};
pub use work::{Portion, Work};

/// The methods as an OpenAPI 3.1 document.
pub const OPENAPI: &str = include_str!("../openapi.json");
