//! What servers have promised: the moves that they said they had taken.

use std::collections::BTreeMap;

use serde_json::Value;

/// All games that players know of, by name.
#[derive(Default)]
pub(super) struct Ledger {
    pub(super) games: BTreeMap<String, Entry>,
}

/// What is known of a game.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub(super) kind: Kind,
    /// The moves from the root to where the game stands, as far as a server has acknowledged them.
    pub(super) moves: Vec<String>,
    /// The node where it stands.
    pub(super) live: u64,
    pub(super) size: u64,
    /// It has a clock with more time than a soak takes: nobody can lose on time.
    pub(super) is_timed: bool,
    pub(super) is_over: bool,
    /// What was asked for without an answer that says it was done: it may have been, or may still be.
    pub(super) pending: Option<Pending>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Nobody moves but those who call.
    People,
    /// An engine answers by itself.
    Engine,
    /// A record that was opened, and does not change.
    Upload,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Pending {
    Move(String),
    Undo,
    /// Something that leaves the moves as they are.
    Ending,
    Deletion,
}

/// How a game differs from what was promised.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Loss {
    /// Acknowledged moves that are not there.
    pub(super) moves: u64,
    pub(super) what: String,
}

impl Entry {
    /// Compares with what a server says now, or with nothing if it knows no such game, and takes that as the truth.
    pub(super) fn compare(&mut self, sheet: Option<&Value>) -> Result<(), Loss> {
        let pending = self.pending.take();
        let Some(sheet) = sheet else {
            // A game without a move may give way to others.
            if pending == Some(Pending::Deletion) || self.moves.is_empty() {
                return Ok(());
            }
            return Err(Loss {
                moves: self.moves.len() as u64,
                what: "the game is gone".to_owned(),
            });
        };
        let line = line(sheet);
        let is_unsaved = sheet["unsaved"] == true;
        let result = self.judge(&line, pending.as_ref()).and_then(|()| {
            match self.is_timed && sheet["result"]["reason"] == "time" {
                true => Err(Loss {
                    moves: 0,
                    what: "a clock with an hour on it ran out".to_owned(),
                }),
                false => Ok(()),
            }
        });
        // What is not on disk was not promised, and may yet come to be.
        match is_unsaved {
            true => self.pending = pending,
            false => self.moves = line,
        }
        self.live = sheet["live"].as_u64().unwrap_or_default();
        self.is_over = sheet["phase"] != "playing";
        result
    }

    fn judge(&self, line: &[String], pending: Option<&Pending>) -> Result<(), Loss> {
        let mut allowed = vec![self.moves.clone()];
        match pending {
            Some(Pending::Move(action)) => {
                let mut moves = self.moves.clone();
                moves.push(action.clone());
                allowed.push(moves);
            }
            Some(Pending::Undo) => {
                // An engine's answer goes with the move before it.
                for taken in 1..=2 {
                    let left = self.moves.len().saturating_sub(taken);
                    allowed.push(self.moves[..left].to_vec());
                }
            }
            Some(Pending::Ending | Pending::Deletion) | None => {}
        }
        let more = usize::from(self.kind == Kind::Engine);
        let is_allowed =
            |moves: &Vec<String>| line.starts_with(moves) && line.len() <= moves.len() + more;
        if allowed.iter().any(is_allowed) {
            return Ok(());
        }
        let common = line.iter().zip(&self.moves).take_while(|(a, b)| a == b);
        let common = common.count();
        Err(Loss {
            moves: (self.moves.len() - common) as u64,
            what: format!(
                "acknowledged {:?}, pending {pending:?}, found {line:?}",
                self.moves
            ),
        })
    }
}

/// The moves from the root of a sheet to where the game stands; all moves of a record that is only looked at.
pub(super) fn line(sheet: &Value) -> Vec<String> {
    let tree = &sheet["tree"];
    let turn = |node: &Value| {
        let node = node.as_u64()? as usize;
        tree["moves"].get(node)?.as_str().map(str::to_owned)
    };
    if sheet["phase"] == "review" {
        let nodes = tree["main"].as_array().map_or(&[][..], Vec::as_slice);
        return nodes.iter().skip(1).filter_map(turn).collect();
    }
    let mut moves = Vec::new();
    let mut node = &sheet["live"];
    while let Some(number) = node.as_u64() {
        let parent = &tree["parents"][number as usize];
        if !parent.is_null() {
            moves.extend(turn(node));
        }
        node = parent;
    }
    moves.reverse();
    moves
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{Entry, Kind, Pending};

    fn sheet(moves: &[&str]) -> Value {
        let mut turns = vec![""];
        turns.extend(moves);
        let parents: Vec<Option<usize>> =
            (0..turns.len()).map(|node| node.checked_sub(1)).collect();
        json!({
            "live": moves.len(), "phase": "playing",
            "tree": { "parents": parents, "moves": turns },
        })
    }

    fn entry(kind: Kind, moves: &[&str], pending: Option<Pending>) -> Entry {
        Entry {
            kind,
            moves: moves.iter().map(|&action| action.to_owned()).collect(),
            live: moves.len() as u64,
            size: 5,
            is_timed: false,
            is_over: false,
            pending,
        }
    }

    #[test]
    fn a_move_that_is_gone_is_a_loss_and_one_that_may_have_come_is_not() {
        let c3 = || Some(Pending::Move("W C3".to_owned()));
        for (kind, moves, pending, found, lost) in [
            (Kind::People, &["B A1"][..], None, &["B A1"][..], None),
            (Kind::People, &["B A1"], None, &[], Some(1)),
            (Kind::People, &["B A1"], None, &["B A1", "W C3"], Some(0)),
            (Kind::People, &["B A1"], c3(), &["B A1", "W C3"], None),
            (Kind::People, &["B A1"], c3(), &["B A1"], None),
            (Kind::People, &["B A1"], c3(), &[], Some(1)),
            (Kind::People, &["B A1"], Some(Pending::Undo), &[], None),
            (Kind::People, &["B A1"], Some(Pending::Ending), &[], Some(1)),
            (Kind::Engine, &["B A1"], None, &["B A1", "W C3"], None),
            (Kind::Engine, &["B A1"], None, &[], Some(1)),
        ] {
            let result = entry(kind, moves, pending.clone()).compare(Some(&sheet(found)));
            assert_eq!(
                result.err().map(|loss| loss.moves),
                lost,
                "{kind:?} {moves:?} {pending:?} {found:?}"
            );
        }
    }

    #[test]
    fn a_game_with_moves_does_not_vanish() {
        assert!(entry(Kind::People, &[], None).compare(None).is_ok());
        let gone = entry(Kind::People, &["B A1", "W C3"], None).compare(None);
        assert_eq!(gone.unwrap_err().moves, 2);
        let deleted = entry(Kind::People, &["B A1"], Some(Pending::Deletion)).compare(None);
        assert!(deleted.is_ok());
    }

    #[test]
    fn an_hour_does_not_run_out() {
        let mut timed = entry(Kind::People, &["B A1"], None);
        timed.is_timed = true;
        let mut sheet = sheet(&["B A1"]);
        sheet["result"] = json!({ "reason": "time" });
        assert!(timed.compare(Some(&sheet)).is_err());
        timed.is_timed = false;
        assert!(timed.compare(Some(&sheet)).is_ok());
    }
}
