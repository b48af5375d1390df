//! Go game records.
//!
//! [`Collection`] holds game trees as a file does, every value as it was written.

#![forbid(unsafe_code)]

mod diagnostic;
mod encoding;
mod foreign;
mod format;
mod ident;
mod info;
mod komi;
mod parser;
mod property;
mod record;
mod replay;
mod settings;
mod tree;
mod validate;
mod value;
mod writer;

pub use diagnostic::{Diagnostic, Place, Places, Severity};
pub use encoding::{Decoded, Source as EncodingSource, decode};
pub use foreign::{ForeignError, Format};
pub use info::GameInfo;
pub use parser::{Mode, ParseError, Parsed};
pub use property::{Kind, Role};
pub use record::Record;
pub use replay::Replay;
pub use settings::Settings;
pub use tree::{Collection, Node, NodeId, Property};
pub use validate::validate;
pub use value::{SgfPoint, Value};
