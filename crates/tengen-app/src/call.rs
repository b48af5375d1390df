//! What the room does for each method.

use serde_json::{Value, json};
use tengen_core::{Color, Move, Size};
use tengen_search::Level;

use crate::analysis::Ownership;
use crate::aside::{self, Apart, IntoAside, Look, Opening};
use crate::deed::{Changed, Deed};
use crate::draft::{Draft, EditedTree};
use crate::edit::read_point;
use crate::exact::Wish;
use crate::guest::Rights;
use crate::limits::{SLOWEST, at_most};
use crate::refusal::{Code, Refusal, Result};
use crate::request::{
    Dead, Edits, Judge, NewGame, NoParams, OfGame, OfNode, OfSomeNode, OpenFile, Pace, Play,
    Resign, Seats, StartReview, Watch, WatchExact,
};
use crate::results::{
    About, Edited, EngineMessage, Estimate, GameList, Hint, LevelMessage, MoveJudged, Nothing,
    Opened, OpenedGame, PictureText, Played, RecordText, ReviewFound, ReviewStarted, SeatMessage,
    Sizes,
};
use crate::room::{Later, Room, Viewer, not_saved};
use crate::rules;
use crate::settings::RoomSettings;
use crate::sheet::{Phase, Sheet};
use crate::table::{Table, Turn};
use crate::upload::{self, Prepared};
use crate::verdict::Comments;
use crate::view::View;

/// Who calls, and when.
#[derive(Clone, Copy)]
pub(crate) struct Caller {
    pub viewer: Viewer,
    pub now: u64,
}

impl Room {
    fn sheet(&self, game: &str, caller: Caller) -> Result<Look<Sheet>> {
        Ok(self.table(game)?.sheet(caller.now))
    }

    /// Makes room for more games of a viewer: the oldest of those give way in which nothing has happened and at which
    /// nobody looks, first those of the same client.
    fn make_space(&mut self, more: usize, viewer: Viewer) -> Result<()> {
        if let Some(problem) = self
            .tables
            .values()
            .find_map(|table| table.unsaved.as_ref())
        {
            return Err(not_saved(problem));
        }
        let limits = self.settings.limits;
        if let Some(client) = self.client(viewer) {
            let own = |table: &Table| table.client == Some(client);
            let excess = |room: &Self| {
                let own = room.tables.values().filter(|table| own(table)).count();
                (own + more).saturating_sub(limits.games_of_a_client)
            };
            self.give_way(excess(self), own);
            if excess(self) > 0 {
                return Err(Refusal::limit(
                    "games_of_a_client",
                    limits.games_of_a_client,
                ));
            }
        }
        self.give_way(
            (self.tables.len() + more).saturating_sub(limits.games),
            |_| true,
        );
        at_most("games", self.tables.len() + more, limits.games)
    }

    /// Deletes so many of the oldest idle games, if there are as many.
    fn give_way(&mut self, count: usize, which: impl Fn(&Table) -> bool) {
        if count == 0 {
            return;
        }
        let idle = self
            .tables
            .values()
            .filter(|table| table.is_idle() && which(table));
        let mut idle: Vec<(u64, String)> = idle
            .map(|table| (table.updated, table.id.clone()))
            .collect();
        if idle.len() < count {
            return;
        }
        idle.sort();
        for (_, id) in idle.into_iter().take(count) {
            self.delete(&id);
        }
    }
}

pub(crate) fn about(room: &mut Room, _: NoParams, caller: Caller) -> Result<About> {
    let may_play = room.rights(caller.viewer) != Rights::Look;
    let seat = room.seat_of(caller.viewer).map(|invited| SeatMessage {
        game: invited.game.clone(),
        color: invited.color,
    });
    let settings = room.settings();
    Ok(About {
        version: env!("CARGO_PKG_VERSION"),
        engine: EngineMessage {
            name: settings.engine.clone(),
            network: settings.network.clone(),
        },
        rules: rules::offered(),
        levels: Level::all().map(LevelMessage::from).collect(),
        sizes: Sizes { min: 2, max: 25 },
        programs: settings.programs.clone(),
        features: settings.features.clone(),
        limits: (&settings.limits).into(),
        may_play,
        seat,
    })
}

pub(crate) fn list(room: &mut Room, _: NoParams, _: Caller) -> Result<Apart<GameList>> {
    let mut tables: Vec<&Table> = room.tables.values().filter(|table| table.keep).collect();
    tables.sort_by(|a, b| b.updated.cmp(&a.updated).then_with(|| b.id.cmp(&a.id)));
    let tables: Vec<_> = tables.into_iter().map(Table::listing).collect();
    Ok(Apart(Box::new(move || {
        let games = tables.into_iter().map(|listing| listing());
        Ok(GameList {
            games: games.collect(),
        })
    })))
}

pub(crate) fn new_game(room: &mut Room, params: NewGame, caller: Caller) -> Result<Look<Sheet>> {
    // A name of its own, even beside a game that gives way.
    let id = room.new_id(caller.now);
    room.make_space(1, caller.viewer)?;
    let RoomSettings {
        programs, limits, ..
    } = room.settings();
    for seat in [&params.black, &params.white] {
        seat.check(programs, limits)?;
    }
    let limits = *limits;
    let table = Table::founded(id.clone(), params, &limits, room.date(caller.now))?;
    room.admit(table, caller.viewer, caller.now);
    Ok(room.sheet(&id, caller)?.of_change())
}

pub(crate) fn open(room: &mut Room, params: OpenFile, _: Caller) -> Result<Opening> {
    let limits = room.settings().limits;
    if let Some(name) = &params.name {
        limits.check_line(name)?;
    }
    Ok(Opening(Box::new(move || upload::prepare(params, &limits))))
}

/// Puts the games of a file into the room.
pub(crate) fn opened(room: &mut Room, prepared: Prepared, caller: Caller) -> Result<Opened> {
    let mut games = Vec::new();
    let names = prepared.tables.iter().map(|_| room.new_id(caller.now));
    let names: Vec<String> = names.collect();
    room.make_space(prepared.tables.len(), caller.viewer)?;
    for (mut table, name) in prepared.tables.into_iter().zip(names) {
        table.id = name;
        table.updated = room.date(caller.now);
        table.seen = caller.now;
        games.push(OpenedGame {
            id: table.id.clone(),
            title: table.title(),
        });
        room.admit(table, caller.viewer, caller.now);
    }
    Ok(Opened {
        games,
        diagnostics: prepared.remarks,
    })
}

pub(crate) fn delete(room: &mut Room, OfGame { game }: OfGame, _: Caller) -> Result<Nothing> {
    room.table(&game)?;
    room.delete(&game);
    Ok(Nothing {})
}

pub(crate) fn get(room: &mut Room, OfGame { game }: OfGame, caller: Caller) -> Result<Look<Sheet>> {
    room.sheet(&game, caller)
}

pub(crate) fn view(
    room: &mut Room,
    OfNode { game, node }: OfNode,
    _: Caller,
) -> Result<Look<View>> {
    let table = room.table(&game)?;
    table.tree.node(node)?;
    let tree = table.tree.clone();
    let about = about_game(
        table,
        Some(("game.view", json!({"game": game, "node": node}))),
    );
    Ok(Look {
        about,
        make: Box::new(move || View::of(&tree, node)),
    })
}

pub(crate) fn about_game(table: &Table, again: Option<(&'static str, Value)>) -> aside::About {
    aside::About {
        game: table.id.clone(),
        version: table.version,
        looks: None,
        again,
        has_changed: false,
    }
}

/// The record as text, for hosts whose viewers cannot download it.
pub(crate) fn record(
    room: &mut Room,
    OfGame { game }: OfGame,
    _: Caller,
) -> Result<Look<RecordText>> {
    let copy = room.copy(&game)?;
    let about = about_game(room.table(&game)?, None);
    Ok(Look {
        about,
        make: Box::new(move || {
            Ok(RecordText {
                sgf: copy.sgf(Comments::Own),
            })
        }),
    })
}

/// A picture as text, for hosts whose viewers cannot download it.
pub(crate) fn picture(
    room: &mut Room,
    OfSomeNode { game, node }: OfSomeNode,
    _: Caller,
) -> Result<Look<PictureText>> {
    let copy = room.copy(&game)?;
    let about = about_game(room.table(&game)?, None);
    let make = move || {
        Ok(PictureText {
            svg: copy.picture(node)?.to_svg(),
        })
    };
    Ok(Look {
        about,
        make: Box::new(make),
    })
}

fn read_move(text: &str, size: Size) -> Result<Move> {
    Move::from_gtp(text, size).map_err(|error| {
        let message = format!("{text:?} is no move: {error}");
        match error {
            tengen_core::CoordinateError::OffBoard(_) => Refusal::new(Code::IllegalMove, message)
                .with(json!({"point": text, "reason": "off_board"})),
            _ => Refusal::params(message),
        }
    })
}

pub(crate) fn play(room: &mut Room, params: Play, caller: Caller) -> Result<Changed<Played>> {
    let Play {
        game,
        node,
        action: text,
        color,
    } = params;
    let action = read_move(&text, room.table(&game)?.tree.size())?;
    let turn = Turn {
        node,
        action,
        color,
    };
    let now = caller.now;
    let play =
        move |table: &mut Table, settings: &RoomSettings| table.play(turn, &settings.limits, now);
    let deed = Deed::new(&game, play, |room, game, node, _| {
        let table = room.table(game)?;
        let (tree, version) = (table.tree.clone(), table.version);
        let about = about_game(table, None);
        let make = move || {
            Ok(Played {
                node,
                version,
                view: View::of(&tree, node)?,
            })
        };
        let look = Look {
            about,
            make: Box::new(make),
        };
        Ok(look.of_change().into_aside())
    });
    room.change_by(deed, caller)
}

pub(crate) fn undo(
    room: &mut Room,
    OfGame { game }: OfGame,
    caller: Caller,
) -> Result<Changed<Sheet>> {
    room.act(&game, caller, |table, _| table.undo())
}

pub(crate) fn resign(
    room: &mut Room,
    Resign { game, color }: Resign,
    caller: Caller,
) -> Result<Changed<Sheet>> {
    room.act(&game, caller, move |table, _| table.resign(color))
}

pub(crate) fn pause(
    room: &mut Room,
    OfGame { game }: OfGame,
    caller: Caller,
) -> Result<Changed<Sheet>> {
    room.act(&game, caller, |table, _| {
        table.check_phase(&[Phase::Playing])?;
        table.paused = true;
        Ok(())
    })
}

pub(crate) fn resume(
    room: &mut Room,
    OfGame { game }: OfGame,
    caller: Caller,
) -> Result<Changed<Sheet>> {
    room.act(&game, caller, |table, _| {
        table.check_phase(&[Phase::Playing])?;
        table.paused = false;
        table.trouble = None;
        Ok(())
    })
}

pub(crate) fn seats(
    room: &mut Room,
    Seats { game, black, white }: Seats,
    caller: Caller,
) -> Result<Changed<Sheet>> {
    room.act(&game, caller, move |table, settings| {
        for seat in [&black, &white].into_iter().flatten() {
            seat.check(&settings.programs, &settings.limits)?;
        }
        for (color, seat) in [(Color::Black, &black), (Color::White, &white)] {
            if let Some(seat) = seat {
                table.sit(color, seat.clone());
            }
        }
        Ok(())
    })
}

pub(crate) fn pace(
    room: &mut Room,
    Pace { game, pace }: Pace,
    caller: Caller,
) -> Result<Changed<Sheet>> {
    at_most("milliseconds_between_moves", pace as usize, SLOWEST)?;
    room.act(&game, caller, move |table, _| {
        table.pace = pace;
        Ok(())
    })
}

pub(crate) fn hint(
    room: &mut Room,
    OfSomeNode { game, node }: OfSomeNode,
    caller: Caller,
) -> Result<Later<Hint>> {
    room.seek_hint(caller.viewer, &game, node)
}

pub(crate) fn estimate(
    room: &mut Room,
    OfSomeNode { game, node }: OfSomeNode,
    caller: Caller,
) -> Result<Later<Estimate>> {
    room.seek_estimate(caller.viewer, &game, node)
}

pub(crate) fn dead(
    room: &mut Room,
    Dead { game, point }: Dead,
    caller: Caller,
) -> Result<Changed<Sheet>> {
    let point = read_point(&point, room.table(&game)?.tree.size())?;
    room.act(&game, caller, move |table, _| table.toggle_dead(point))
}

pub(crate) fn accept(
    room: &mut Room,
    OfGame { game }: OfGame,
    caller: Caller,
) -> Result<Changed<Sheet>> {
    room.act(&game, caller, |table, _| table.accept())
}

pub(crate) fn go_on(
    room: &mut Room,
    OfSomeNode { game, node }: OfSomeNode,
    caller: Caller,
) -> Result<Changed<Sheet>> {
    room.act(&game, caller, move |table, _| table.continue_play(node))
}

pub(crate) fn begin_review(
    room: &mut Room,
    OfGame { game }: OfGame,
    caller: Caller,
) -> Result<Changed<Sheet>> {
    room.act(&game, caller, |table, _| table.begin_review())
}

/// Makes the edits in a copy of the record, which takes its time and needs no room.
pub(crate) fn edit(
    room: &mut Room,
    Edits { game, node, edits }: Edits,
    _: Caller,
) -> Result<Draft> {
    let limits = room.settings().limits;
    at_most("edits", edits.len(), limits.edits)?;
    Draft::new(room.table(&game)?, node, edits, limits)
}

/// Puts an edited record in the place of the one that it was made of.
pub(crate) fn edited(room: &mut Room, edited: EditedTree, caller: Caller) -> Result<Look<Edited>> {
    let Caller { viewer, now } = caller;
    let game = edited.draft.game.clone();
    let node = room.change_told(&game, Some(viewer), now, |table, _| {
        table.take_edited(edited)
    })?;
    edited_look(room, &game, node)
}

/// What a record is like after an edit that ended at a node.
pub(crate) fn edited_look(room: &Room, game: &str, node: usize) -> Result<Look<Edited>> {
    let table = room.table(game)?;
    let (tree, version) = (table.tree.clone(), table.version);
    let about = about_game(table, None);
    let make = move || {
        Ok(Edited {
            node,
            version,
            view: View::of(&tree, node)?,
        })
    };
    Ok(Look {
        about,
        make: Box::new(make),
    }
    .of_change())
}

pub(crate) fn watch_analysis(room: &mut Room, params: Watch, caller: Caller) -> Result<Nothing> {
    let Watch {
        game,
        node,
        max_visits,
        ownership,
    } = params;
    let shown = match ownership {
        Some(true) => Ownership::Shown,
        Some(false) | None => Ownership::Hidden,
    };
    room.watch_analysis(caller.viewer, (&game, node), max_visits, shown)?;
    Ok(Nothing {})
}

pub(crate) fn stop_analysis(room: &mut Room, _: NoParams, caller: Caller) -> Result<Nothing> {
    room.stop_analysis(caller.viewer);
    Ok(Nothing {})
}

pub(crate) fn watch_exact(
    room: &mut Room,
    WatchExact { game, node, more }: WatchExact,
    caller: Caller,
) -> Result<Nothing> {
    let wish = match more {
        Some(true) => Wish::More,
        Some(false) | None => Wish::Known,
    };
    room.watch_exact(caller.viewer, (&game, node), wish)?;
    Ok(Nothing {})
}

pub(crate) fn stop_exact(room: &mut Room, _: NoParams, caller: Caller) -> Result<Nothing> {
    room.stop_exact(caller.viewer);
    Ok(Nothing {})
}

pub(crate) fn start_review(
    room: &mut Room,
    StartReview { game, visits }: StartReview,
    caller: Caller,
) -> Result<ReviewStarted> {
    room.start_review(caller.viewer, &game, visits)
}

pub(crate) fn judge(
    room: &mut Room,
    Judge { game, node, action }: Judge,
    caller: Caller,
) -> Result<Later<MoveJudged>> {
    let action = read_move(&action, room.table(&game)?.tree.size())?;
    room.seek_judgement(caller.viewer, (&game, node), action)
}

pub(crate) fn get_review(
    room: &mut Room,
    OfGame { game }: OfGame,
    _: Caller,
) -> Result<Look<ReviewFound>> {
    let table = room.table(&game)?;
    let again = ("review.get", json!({ "game": game }));
    let about = aside::About {
        looks: Some(table.review.looks),
        ..about_game(table, Some(again))
    };
    let (review, tree) = (table.review.clone(), table.tree.clone());
    let make = move || {
        let (done, total) = review.progress();
        Ok(ReviewFound {
            running: review.running.is_some(),
            round: review.round(),
            done,
            total,
            nodes: review.messages(&tree),
        })
    };
    Ok(Look {
        about,
        make: Box::new(make),
    })
}

pub(crate) fn stop_review(room: &mut Room, OfGame { game }: OfGame, _: Caller) -> Result<Nothing> {
    room.table(&game)?;
    room.stop_review(&game);
    Ok(Nothing {})
}

pub(crate) fn watch(
    room: &mut Room,
    OfGame { game }: OfGame,
    caller: Caller,
) -> Result<Look<Sheet>> {
    room.table(&game)?;
    let is_watched = |table: &&Table| table.watchers.contains(&caller.viewer) && table.id != game;
    let watched = room.tables.values().filter(is_watched).count();
    at_most("watched_games", watched + 1, room.settings().limits.watched)?;
    let may_play = room.rights(caller.viewer) != Rights::Look;
    if let Some(table) = room.tables.get_mut(&game) {
        table.watchers.insert(caller.viewer);
        if may_play {
            table.owner.get_or_insert(caller.viewer);
        }
    }
    room.touch(&game, caller.now);
    room.sheet(&game, caller)
}

pub(crate) fn unwatch(room: &mut Room, OfGame { game }: OfGame, caller: Caller) -> Result<Nothing> {
    room.table(&game)?;
    if let Some(table) = room.tables.get_mut(&game) {
        table.watchers.remove(&caller.viewer);
    }
    room.touch(&game, caller.now);
    Ok(Nothing {})
}
