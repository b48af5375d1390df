//! Games as files: records and pictures.

use tengen_app::{Code, Comments, File, FileKind, OfFile, Refusal, Room};
use tengen_render::Animation;

/// The file that is asked for.
pub(crate) fn file(room: &Room, wanted: &OfFile) -> Result<File, Refusal> {
    let OfFile { game, kind, node } = wanted;
    let (ending, media_type, text) = match kind {
        FileKind::Sgf => ("sgf", "application/x-go-sgf", room.sgf(game)?),
        FileKind::CommentedSgf => {
            let text = room.copy(game)?.sgf(Comments::Added);
            ("sgf", "application/x-go-sgf", text)
        }
        FileKind::Svg => ("svg", "image/svg+xml", room.picture(game, *node)?.to_svg()),
        FileKind::Animation => {
            let animation = Animation::new(room.frames(game, *node)?);
            let animation =
                animation.map_err(|error| Refusal::new(Code::Limit, error.to_string()))?;
            ("svg", "image/svg+xml", animation.to_svg())
        }
    };
    Ok(File {
        name: format!("{}.{ending}", room.file_name(game)?),
        media_type,
        text,
    })
}
