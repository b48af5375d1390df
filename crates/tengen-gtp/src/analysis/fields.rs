//! The fields of a query, read one at a time.

use std::ops::RangeInclusive;

use serde_json::{Map, Value};
use tengen_core::{Color, Move, Point, Size};

use super::complaint::Complaint;

/// The fields of a query. Every refusal names the query and the field.
#[derive(Clone, Copy)]
pub(super) struct Fields<'a> {
    pub(super) id: &'a str,
    pub(super) map: &'a Map<String, Value>,
}

impl<'a> Fields<'a> {
    pub(super) fn get(self, field: &str) -> Option<&'a Value> {
        self.map.get(field)
    }

    pub(super) fn error(self, field: &str, problem: impl std::fmt::Display) -> Complaint {
        Complaint::error(self.id, field, problem)
    }

    /// A whole number within these bounds.
    pub(super) fn integer(
        self,
        field: &str,
        bounds: RangeInclusive<i64>,
    ) -> Result<Option<i64>, Complaint> {
        let Some(value) = self.get(field) else {
            return Ok(None);
        };
        match value.as_i64().filter(|number| bounds.contains(number)) {
            Some(number) => Ok(Some(number)),
            None => Err(self.error(
                field,
                format_args!(
                    "must be a whole number from {} to {}",
                    bounds.start(),
                    bounds.end()
                ),
            )),
        }
    }

    /// Any number within these bounds.
    pub(super) fn number(
        self,
        field: &str,
        bounds: RangeInclusive<f64>,
    ) -> Result<Option<f64>, Complaint> {
        let Some(value) = self.get(field) else {
            return Ok(None);
        };
        match value.as_f64().filter(|number| bounds.contains(number)) {
            Some(number) => Ok(Some(number)),
            None => Err(self.error(
                field,
                format_args!(
                    "must be a number from {} to {}",
                    bounds.start(),
                    bounds.end()
                ),
            )),
        }
    }

    pub(super) fn flag(self, field: &str) -> Result<bool, Complaint> {
        match self.get(field) {
            None => Ok(false),
            Some(Value::Bool(flag)) => Ok(*flag),
            Some(_) => Err(self.error(field, "must be true or false")),
        }
    }

    pub(super) fn integers(self, field: &str) -> Result<Option<Vec<i64>>, Complaint> {
        let Some(value) = self.get(field) else {
            return Ok(None);
        };
        value
            .as_array()
            .and_then(|array| array.iter().map(Value::as_i64).collect())
            .map(Some)
            .ok_or_else(|| self.error(field, "must be an array of whole numbers"))
    }

    pub(super) fn player(self, field: &str) -> Result<Option<Color>, Complaint> {
        let Some(value) = self.get(field) else {
            return Ok(None);
        };
        color(value)
            .map(Some)
            .ok_or_else(|| self.error(field, "must be \"B\" or \"W\""))
    }

    /// Pairs of a player and a move.
    pub(super) fn moves(
        self,
        field: &str,
        size: Size,
    ) -> Result<Option<Vec<(Color, Move)>>, Complaint> {
        let Some(value) = self.get(field) else {
            return Ok(None);
        };
        let shape = || self.error(field, "must be an array of pairs such as [\"B\", \"D4\"]");
        let pair = |value: &Value| {
            let Some([player, place]) = value.as_array().map(Vec::as_slice) else {
                return Err(shape());
            };
            let (Value::String(player), Value::String(place)) = (player, place) else {
                return Err(shape());
            };
            let player = player.parse().map_err(|_| {
                self.error(field, format_args!("unknown player: {}", shorten(player)))
            })?;
            Ok((player, self.location(field, place, size)?))
        };
        let pairs = value.as_array().ok_or_else(shape)?;
        pairs.iter().map(pair).collect::<Result<_, _>>().map(Some)
    }

    /// A point or a pass.
    pub(super) fn location(self, field: &str, text: &str, size: Size) -> Result<Move, Complaint> {
        let action = match by_numbers(text) {
            Some((x, y)) => Point::checked_new(x, y)
                .filter(|point| size.contains(*point))
                .map(Move::Play),
            None => Move::from_gtp(text, size).ok(),
        };
        action.ok_or_else(|| {
            self.error(
                field,
                format_args!("no point of a {size} board: {}", shorten(text)),
            )
        })
    }
}

/// A player as a value.
pub(super) fn color(value: &Value) -> Option<Color> {
    value.as_str()?.parse().ok()
}

/// A column and a row, counted from 0 at the top left corner: `(3,15)`.
fn by_numbers(text: &str) -> Option<(u8, u8)> {
    let inner = text.trim().strip_prefix('(')?.strip_suffix(')')?;
    let (x, y) = inner.split_once(',')?;
    Some((x.trim().parse().ok()?, y.trim().parse().ok()?))
}

/// The beginning of a text, so that an error about a long one stays short.
pub(super) fn shorten(text: &str) -> String {
    if text.chars().nth(40).is_some() {
        text.chars().take(40).chain(['…']).collect()
    } else {
        text.to_owned()
    }
}
