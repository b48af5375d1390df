//! What can go wrong.

/// Why there is no picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RenderError {
    /// The picture would have no or too many pixels.
    #[error("a picture of {width} by {height} pixels cannot be made; choose another width")]
    Pixels {
        /// The width that was asked for.
        width: u32,
        /// The height that follows from it.
        height: u32,
    },
    /// An animation needs a picture.
    #[error("an animation needs at least one picture")]
    NoFrames,
    /// This picture, counted from 0, differs in size, part, theme or coordinates from the first one.
    #[error(
        "picture {} of the animation has another size, part of the board, theme or coordinates than the first",
        .0 + 1
    )]
    FramesDiffer(usize),
    /// The renderer or the encoder refused what this crate gave it.
    #[error("the picture could not be encoded")]
    Internal,
}
