//! Edits that are taken back or made again, and parts of records that are taken elsewhere.

use crate::aside::{IntoAside, Look};
use crate::call::{Caller, about_game, edited_look};
use crate::deed::{Changed, Deed};
use crate::refusal::Result;
use crate::request::{OfGame, OfNode};
use crate::results::{Edited, RecordText};
use crate::room::Room;
use crate::table::Table;

/// Takes the last edit of a record back.
pub(crate) fn undo_edit(
    room: &mut Room,
    OfGame { game }: OfGame,
    caller: Caller,
) -> Result<Changed<Edited>> {
    reverted(room, &game, caller, Table::undo_edit)
}

/// Makes the last edit again that was taken back.
pub(crate) fn redo_edit(
    room: &mut Room,
    OfGame { game }: OfGame,
    caller: Caller,
) -> Result<Changed<Edited>> {
    reverted(room, &game, caller, Table::redo_edit)
}

fn reverted(
    room: &mut Room,
    game: &str,
    caller: Caller,
    revert: fn(&mut Table) -> Result<usize>,
) -> Result<Changed<Edited>> {
    let deed = Deed::new(
        game,
        move |table, _| revert(table),
        |room, game, node, _| Ok(edited_look(room, game, node)?.into_aside()),
    );
    room.change_by(deed, caller)
}

/// A part of a record as SGF.
pub(crate) fn branch(
    room: &mut Room,
    OfNode { game, node }: OfNode,
    _: Caller,
) -> Result<Look<RecordText>> {
    let table = room.table(&game)?;
    table.tree.node(node)?;
    let tree = table.tree.clone();
    let about = about_game(table, None);
    let make = move || {
        Ok(RecordText {
            sgf: tree.node(node)?.to_sgf(),
        })
    };
    Ok(Look {
        about,
        make: Box::new(make),
    })
}
