//! Go boards as pictures.
//!
//! A [`Picture`] is a position with a theme, coordinates, marks and labels. It becomes an SVG, which needs nothing but
//! itself, or a PNG, for which the fonts are part of this crate. An [`Animation`] is a sequence of pictures and becomes
//! an SVG that plays in every browser, or a GIF. The same picture gives the same bytes on every machine. This crate
//! does no input or output, and no other crate knows pixels. Without the feature `pixels`, there is SVG alone, and
//! little to compile.
//!
//! ```
//! use tengen_core::{Board, Color, Point, Size, Suicide};
//! use tengen_render::{Mark, Picture, Theme};
//!
//! let mut board = Board::new(Size::square(9)?);
//! board.play(Point::new(4, 4), Color::Black, Suicide::Forbidden)?;
//! let picture = Picture::new(&board)
//!     .theme(Theme::Wood)
//!     .last(Some(Point::new(4, 4)))
//!     .mark(Point::new(2, 2), Mark::Triangle)
//!     .label(Point::new(6, 2), "A")
//!     .caption("Black plays the centre");
//! let svg = picture.to_svg();
//! assert!(svg.starts_with("<svg ") && svg.contains("Black plays the centre"));
//! let png = picture.to_png(300)?;
//! assert_eq!(&png[1..4], b"PNG");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

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
