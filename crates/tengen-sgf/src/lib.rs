#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod date;
mod diagnostic;
mod encoding;
mod examine;
#[cfg(feature = "files")]
mod files;
mod findings;
mod foreign;
mod format;
mod handicap;
mod ident;
mod info;
mod komi;
mod parser;
mod printable;
mod property;
mod rank;
mod record;
mod replay;
mod result;
mod settings;
mod tree;
mod validate;
mod value;
mod writer;

pub use date::read_dates;
pub use diagnostic::{Diagnostic, Place, Places, Severity};
pub use encoding::{
    Charset, Damage, Decoded, Source as EncodingSource, UnknownCharset, decode, decode_as,
};
pub use examine::{Examined, examine};
#[cfg(feature = "files")]
pub use files::{
    FileVisitor, FilesError, FoundFiles, PACKED_ENDINGS, RECORD_ENDINGS, find_files, read_files,
    search_files, visit_bytes, visit_bytes_within, visit_files,
};
pub use findings::Findings;
pub use foreign::{ForeignError, Format};
pub use info::GameInfo;
pub use parser::{Mode, ParseError, Parsed};
pub use printable::{is_obeyed, printable_line, printable_text};
pub use property::{Kind, Role};
pub use rank::read_rank;
pub use record::{Games, Record};
pub use replay::Replay;
pub use result::read_outcome;
pub use settings::GameSettings;
pub use tree::{Collection, Node, NodeId, Property};
pub use validate::validate;
pub use value::{SgfPoint, Value};
