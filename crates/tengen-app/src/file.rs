//! Games as files, for messages. Hosts whose viewers cannot download them make them.

use serde::{Deserialize, Serialize};

/// Which file is asked for.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct OfFile {
    /// The game.
    #[cfg_attr(test, schemars(with = "crate::words::GameId"))]
    pub game: String,
    /// What is to be in the file.
    pub kind: FileKind,
    /// The node of the position; where the game stands, if it is left out.
    #[cfg_attr(test, schemars(with = "Option<crate::words::Node>"))]
    pub node: Option<usize>,
}

/// What is in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum FileKind {
    /// The record, with what a review has found in properties that other programs leave alone.
    Sgf,
    /// The record, with what a review has found in comments, too.
    #[serde(rename = "comments.sgf")]
    CommentedSgf,
    /// A position.
    Svg,
    /// The game, played move by move.
    Animation,
}

/// A file to be saved by somebody.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct File {
    /// What it is to be called.
    pub name: String,
    /// Its media type.
    #[serde(rename = "type")]
    pub media_type: &'static str,
    /// What is in it.
    pub text: String,
}

/// A date and a title without what names of files cannot have everywhere; the name of the game if nothing is left.
pub(crate) fn file_name(date: Option<&str>, title: &str, game: &str) -> String {
    let fits = |letter: char| {
        if letter.is_control() || r#"\/:*?"<>|"#.contains(letter) {
            ' '
        } else {
            letter
        }
    };
    // A record may name several days; the first one is enough.
    let date = date.map_or("", |date| date.split(',').next().unwrap_or_default());
    let text = format!("{date} {title}");
    let name: String = text.trim().chars().take(80).map(fits).collect();
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
        let name = |title| file_name(None, title, "g1");
        assert_eq!(name("Lee – Gu: 1/2?"), "Lee – Gu 1 2");
        assert_eq!(name("..\\..\\"), "g1");
        assert_eq!(name(""), "g1");
        assert_eq!(name(&"x".repeat(500)).len(), 80);
        assert_eq!(
            file_name(Some("2026-11-18,19"), "Ada – Bo", "g1"),
            "2026-11-18 Ada – Bo"
        );
    }
}
