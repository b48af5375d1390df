//! KataGo's JSON analysis, line by line.
//!
//! A client writes queries, one JSON object a line, and gets answers in whatever order they are found. A line becomes a
//! [`Request`]; the positions that it asks for wait in a [`Queue`] until an engine is free; an [`Answer`] is what was
//! found, as text. [`serve`] puts the three together.

mod answer;
mod complaint;
mod course;
mod fields;
mod overrides;
mod people;
mod perspective;
mod queue;
mod request;
mod restrictions;
mod rules;
mod server;
mod settings;
mod twins;

pub use answer::{Answer, Extra, Extras};
pub use complaint::{Complaint, Severity};
pub use course::{Course, IllegalTurn, StartingMoves};
pub use people::{Imitated, People, Role};
pub use perspective::{ParsePerspectiveError, Perspective};
pub use queue::{Queue, Ticket, Which};
pub use request::{Job, Reports, Request};
pub use server::serve;
pub use settings::{AnalysisSettings, AtEnd, QueryDefaults, UnusedFields};
