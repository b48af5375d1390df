//! Moves that a query leaves out.

use serde_json::Value;
use tengen_core::{Color, Size};
use tengen_search::{Restriction, RestrictionKind, Restrictions};

use super::complaint::Complaint;
use super::fields::{Fields, color};

/// Reads `avoidMoves` or `allowMoves`.
pub(super) fn read(fields: Fields<'_>, size: Size) -> Result<Restrictions, Complaint> {
    let (field, kind) = match (fields.get("avoidMoves"), fields.get("allowMoves")) {
        (None, None) => return Ok(Restrictions::default()),
        (Some(_), None) => ("avoidMoves", RestrictionKind::Avoid),
        (None, Some(_)) => ("allowMoves", RestrictionKind::Allow),
        (Some(_), Some(_)) => {
            let problem = "cannot stand together with avoidMoves";
            return Err(fields.error("allowMoves", problem));
        }
    };
    let shape = || {
        let problem = "must be an array of objects with \"player\", \"moves\" and \"untilDepth\"";
        fields.error(field, problem)
    };
    let list = fields.get(field).and_then(Value::as_array);
    let mut restrictions = Vec::new();
    for entry in list.ok_or_else(shape)? {
        let player = entry.get("player").ok_or_else(shape)?;
        let color = color(player)
            .ok_or_else(|| fields.error(field, "\"player\" must be \"B\" or \"W\""))?;
        if kind == RestrictionKind::Allow && names(&restrictions, color) {
            let problem = "at most one object for each player";
            return Err(fields.error(field, problem));
        }
        let moves = entry.get("moves").ok_or_else(shape)?;
        let moves = moves
            .as_array()
            .ok_or_else(shape)?
            .iter()
            .map(|action| {
                let text = action.as_str().ok_or_else(shape)?;
                fields.location(field, text, size)
            })
            .collect::<Result<_, _>>()?;
        let until_depth = entry.get("untilDepth").ok_or_else(shape)?;
        let until_depth = until_depth
            .as_u64()
            .filter(|depth| (1..=1_000_000_000).contains(depth))
            .ok_or_else(|| fields.error(field, "\"untilDepth\" must be a positive whole number"))?;
        restrictions.push(Restriction {
            color,
            moves,
            kind,
            until_depth: until_depth as u32,
        });
    }
    Ok(Restrictions(restrictions))
}

fn names(restrictions: &[Restriction], color: Color) -> bool {
    restrictions
        .iter()
        .any(|restriction| restriction.color == color)
}
