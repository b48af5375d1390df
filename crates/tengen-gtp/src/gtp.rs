//! GTP 2, the engine's side: the Go Text Protocol as GNU Go, KataGo, Leela Zero and Pachi speak it.
//!
//! [`Session`] holds a game and an engine and answers commands; [`serve`] reads them from one stream and writes the
//! replies to another. The two are separate, so that a session can be driven in memory.
//!
//! ```
//! use tengen_gtp::gtp::{GtpSettings, Session};
//!
//! let mut session = Session::new(GtpSettings::default());
//! assert_eq!(session.answer("1 boardsize 9").as_deref(), Some("=1 \n\n"));
//! assert_eq!(session.answer("2 play black I5").as_deref(), Some("?2 invalid color or coordinate\n\n"));
//! ```

mod analyzing;
mod arguments;
mod channel;
mod command;
mod drawing;
mod facts;
mod failure;
mod inbox;
mod info;
mod line;
mod network;
mod parameters;
mod position;
mod program;
mod records;
mod rules;
mod scoring;
mod serve;
mod session;
mod settings;
mod thinking;
mod timer;
mod timing;

pub use serve::{Ending, serve};
pub use session::Session;
pub use settings::{GtpSettings, Resignation};
