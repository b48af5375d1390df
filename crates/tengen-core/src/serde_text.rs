//! The vocabulary as text for serde: what `Display` prints and `FromStr` reads.

use std::fmt::Display;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::color::Color;
use crate::komi::Komi;
use crate::rules::Rules;
use crate::size::Size;

macro_rules! as_text {
    ($($name:ty),+) => {$(
        /// As text.
        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        /// From text.
        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                parsed(deserializer)
            }
        }
    )+};
}

as_text!(Komi, Rules, Size);

fn parsed<'de, T, D>(deserializer: D) -> Result<T, D::Error>
where
    T: FromStr,
    T::Err: Display,
    D: Deserializer<'de>,
{
    String::deserialize(deserializer)?
        .parse()
        .map_err(serde::de::Error::custom)
}

/// As `black` or `white`.
impl Serialize for Color {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(match self {
            Self::Black => "black",
            Self::White => "white",
        })
    }
}

/// From `black` or `white`.
impl<'de> Deserialize<'de> for Color {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match String::deserialize(deserializer)?.as_str() {
            "black" => Ok(Self::Black),
            "white" => Ok(Self::White),
            other => Err(serde::de::Error::unknown_variant(
                other,
                &["black", "white"],
            )),
        }
    }
}
