#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod animation;
mod decimal;
mod error;
#[cfg(feature = "pixels")]
mod fonts;
#[cfg(feature = "pixels")]
mod gif;
mod grain;
mod layout;
mod link;
mod mark;
#[cfg(feature = "pixels")]
mod palette;
mod picture;
#[cfg(feature = "pixels")]
mod png;
mod region;
mod scene;
mod svg;
mod text;
mod theme;

pub use animation::{Animation, Repeat};
pub use error::RenderError;
#[cfg(feature = "pixels")]
pub use fonts::Fonts;
pub use link::{Link, LinkKind};
pub use mark::Mark;
pub use picture::{Coordinates, Picture};
pub use region::Region;
pub use theme::{ParseThemeError, Theme};
