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
        name: format!("{}.{ending}", file_name(&room.title(game)?, game)),
        media_type,
        text,
    })
}

/// A title without what names of files cannot have everywhere; the name of the game if nothing is left.
fn file_name(title: &str, game: &str) -> String {
    let fits = |letter: char| {
        if letter.is_control() || r#"\/:*?"<>|"#.contains(letter) {
            ' '
        } else {
            letter
        }
    };
    let name: String = title.chars().take(80).map(fits).collect();
    let words: Vec<&str> = name.split_whitespace().collect();
    let name = words.join(" ");
    match name.trim_matches(['.', ' ']) {
        "" => game.to_owned(),
        name => name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::file_name;

    #[test]
    fn names_of_files_have_nothing_that_a_system_forbids() {
        assert_eq!(file_name("Lee – Gu: 1/2?", "g1"), "Lee – Gu 1 2");
        assert_eq!(file_name("..\\..\\", "g1"), "g1");
        assert_eq!(file_name("", "g1"), "g1");
        assert_eq!(file_name(&"x".repeat(500), "g1").len(), 80);
    }
}
