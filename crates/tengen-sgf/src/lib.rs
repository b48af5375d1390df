#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod diagnostic;
mod encoding;
#[cfg(feature = "files")]
mod files;
mod foreign;
mod format;
mod ident;
mod info;
mod komi;
mod parser;
mod property;
mod record;
mod replay;
mod result;
mod settings;
mod tree;
mod validate;
mod value;
mod writer;

pub use diagnostic::{Diagnostic, Place, Places, Severity};
pub use encoding::{Decoded, Source as EncodingSource, decode};
#[cfg(feature = "files")]
pub use files::{FilesError, PACKED_ENDINGS, RECORD_ENDINGS, find_files, read_files};
pub use foreign::{ForeignError, Format};
pub use info::GameInfo;
pub use parser::{Mode, ParseError, Parsed};
pub use property::{Kind, Role};
pub use record::Record;
pub use replay::Replay;
pub use result::read_outcome;
pub use settings::Settings;
pub use tree::{Collection, Node, NodeId, Property};
pub use validate::validate;
pub use value::{SgfPoint, Value};
