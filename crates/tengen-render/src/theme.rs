//! How boards look.

use std::fmt;
use std::str::FromStr;

use tengen_core::Color;

/// The look of a picture.
///
/// ```
/// use tengen_render::Theme;
/// assert_eq!("plain".parse(), Ok(Theme::Plain));
/// assert_eq!(Theme::Wood.to_string(), "wood");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Theme {
    /// Slate and shell on a wooden board.
    #[default]
    Wood,
    /// Black on white, for print.
    Plain,
    /// For dark pages.
    Dark,
}

impl Theme {
    /// All themes.
    pub const ALL: [Self; 3] = [Self::Wood, Self::Plain, Self::Dark];

    /// The name that [`Theme::from_str`] reads.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Wood => "wood",
            Self::Plain => "plain",
            Self::Dark => "dark",
        }
    }

    /// The colours and proportions of the theme.
    pub(crate) const fn style(self) -> &'static Style {
        match self {
            Self::Wood => &WOOD,
            Self::Plain => &PLAIN,
            Self::Dark => &DARK,
        }
    }
}

impl fmt::Display for Theme {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A word that names no theme.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a theme is `wood`, `plain` or `dark`")]
pub struct ParseThemeError;

impl FromStr for Theme {
    type Err = ParseThemeError;

    fn from_str(text: &str) -> Result<Self, ParseThemeError> {
        Self::ALL
            .into_iter()
            .find(|theme| theme.name().eq_ignore_ascii_case(text))
            .ok_or(ParseThemeError)
    }
}

/// What a theme is made of. Colours are written as SVG writes them.
pub(crate) struct Style {
    /// Begins the name of every definition, so that pictures of different themes can share a page.
    pub(crate) letter: char,
    /// The board from its upper left to its lower right corner; equal colours make it flat.
    pub(crate) board: [&'static str; 2],
    /// The stripes of the wood, if it has any.
    pub(crate) grain: Option<&'static str>,
    /// The lines and the star points.
    pub(crate) lines: &'static str,
    /// Coordinates and captions.
    pub(crate) text: &'static str,
    /// Marks and labels on empty points.
    pub(crate) ink: &'static str,
    /// Arrows, lines and selections.
    pub(crate) accent: &'static str,
    /// What keeps an arrow apart from the stones it crosses.
    pub(crate) casing: &'static str,
    pub(crate) black: Stone,
    pub(crate) white: Stone,
    /// Do stones cast a shadow?
    pub(crate) shadow: bool,
}

/// How stones of one colour look.
pub(crate) struct Stone {
    /// Colours from the lit spot outwards, each with its place in percent. One colour alone is flat.
    pub(crate) fill: &'static [(u8, &'static str)],
    /// The colour of the rim and its width as a share of the cell.
    pub(crate) rim: (&'static str, f64),
    /// Marks and labels on the stone.
    pub(crate) ink: &'static str,
}

impl Stone {
    /// The colour of the points that the player owns.
    pub(crate) const fn territory(&self) -> &'static str {
        self.fill[self.fill.len() / 2].1
    }
}

impl Style {
    pub(crate) const fn stone(&self, color: Color) -> &Stone {
        match color {
            Color::Black => &self.black,
            Color::White => &self.white,
        }
    }

    /// The ink that can be read on a stone, or on the board where there is none.
    pub(crate) const fn ink_on(&self, stone: Option<Color>) -> &'static str {
        match stone {
            Some(color) => self.stone(color).ink,
            None => self.ink,
        }
    }
}

const WOOD: Style = Style {
    letter: 'W',
    board: ["#e9c27c", "#dcac5c"],
    grain: Some("#a86f2a"),
    lines: "#3b2a14",
    text: "#7a5a2b",
    ink: "#2a1c0a",
    accent: "#b3261e",
    casing: "#fff3da",
    black: Stone {
        fill: &[
            (0, "#74767a"),
            (18, "#4c4e52"),
            (50, "#25262a"),
            (100, "#08080a"),
        ],
        rim: ("none", 0.0),
        ink: "#f6f3ec",
    },
    white: Stone {
        fill: &[
            (0, "#ffffff"),
            (45, "#f8f6f1"),
            (80, "#e2ded5"),
            (100, "#b9b3a7"),
        ],
        rim: ("none", 0.0),
        ink: "#1b1a18",
    },
    shadow: true,
};

const PLAIN: Style = Style {
    letter: 'P',
    board: ["#ffffff", "#ffffff"],
    grain: None,
    lines: "#000000",
    text: "#444444",
    ink: "#000000",
    accent: "#000000",
    casing: "#ffffff",
    black: Stone {
        fill: &[(0, "#000000")],
        rim: ("#000000", 0.03),
        ink: "#ffffff",
    },
    white: Stone {
        fill: &[(0, "#ffffff")],
        rim: ("#000000", 0.03),
        ink: "#000000",
    },
    shadow: false,
};

const DARK: Style = Style {
    letter: 'D',
    board: ["#2a2e34", "#23262b"],
    grain: None,
    lines: "#78818c",
    text: "#9aa2ad",
    ink: "#dfe3e8",
    accent: "#f0883e",
    casing: "#16181b",
    black: Stone {
        fill: &[(0, "#33373d"), (60, "#141619"), (100, "#0a0b0d")],
        rim: ("#7b838d", 0.035),
        ink: "#eef1f4",
    },
    white: Stone {
        fill: &[(0, "#fbfcfd"), (60, "#e3e6ea"), (100, "#b4bac2")],
        rim: ("none", 0.0),
        ink: "#17191c",
    },
    shadow: false,
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_theme_is_read_by_its_name() {
        for theme in Theme::ALL {
            assert_eq!(theme.to_string().parse(), Ok(theme));
        }
        assert_eq!("WOOD".parse(), Ok(Theme::Wood));
        assert_eq!("wooden".parse::<Theme>(), Err(ParseThemeError));
    }
}
