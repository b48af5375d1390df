//! What can go wrong.

use std::fmt;

/// Why there is no picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RenderError {
    /// The picture would have no or too many pixels.
    Pixels {
        /// The width that was asked for.
        width: u32,
        /// The height that follows from it.
        height: u32,
    },
    /// An animation needs a picture.
    NoFrames,
    /// This picture, counted from 0, differs in size, part, theme or coordinates from the first one.
    FramesDiffer(usize),
    /// The renderer or the encoder refused what this crate gave it.
    Internal,
}

impl fmt::Display for RenderError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Pixels { width, height } => write!(
                f,
                "a picture of {width} by {height} pixels cannot be made; choose another width"
            ),
            Self::NoFrames => f.write_str("an animation needs at least one picture"),
            Self::FramesDiffer(index) => write!(
                f,
                "picture {} of the animation has another size, part of the board, theme or coordinates than the first",
                index + 1
            ),
            Self::Internal => f.write_str("the picture could not be encoded"),
        }
    }
}

impl std::error::Error for RenderError {}
