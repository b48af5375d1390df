//! Colours in messages.

use serde::{Deserialize, Serialize};
use tengen_core::Color;

/// A player, as messages name one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(rename = "Color"))]
#[serde(rename_all = "lowercase")]
pub enum ColorName {
    /// Black.
    Black,
    /// White.
    White,
}

impl From<Color> for ColorName {
    fn from(color: Color) -> Self {
        match color {
            Color::Black => Self::Black,
            Color::White => Self::White,
        }
    }
}

impl From<ColorName> for Color {
    fn from(name: ColorName) -> Self {
        match name {
            ColorName::Black => Self::Black,
            ColorName::White => Self::White,
        }
    }
}
