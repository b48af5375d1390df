//! The methods, by name.

use serde::Serialize;
use serde_json::{Value, json};
use tengen_core::{Color, Move};

use crate::analysis::Ownership;
use crate::edit::read_point;
use crate::exact::Wish;
use crate::limits::{Limits, at_most};
use crate::refusal::{Code, Refusal};
use crate::request::{
    Dead, Edits, NewGame, Nothing, OfGame, OfNode, OfSomeNode, OpenFile, Play, Resign, Seats,
    StartReview, Watch, WatchExact, read,
};
use crate::room::{Reply, Room, Viewer};
use crate::rules;
use crate::settings::Settings;
use crate::sheet::Phase;
use crate::table::{Table, Turn};
use crate::upload::{self, Remark};
use crate::view::View;

/// Who calls, and when.
#[derive(Clone, Copy)]
struct Caller {
    viewer: Viewer,
    now: u64,
}

type Method = fn(&mut Room, Value, Caller) -> Result<Reply, Refusal>;

/// The methods: a name and what it does.
const METHODS: [(&str, Method); 31] = [
    ("about", about),
    ("games.list", list),
    ("games.new", new_game),
    ("games.open", open),
    ("games.delete", delete),
    ("game.get", get),
    ("game.view", view),
    ("game.play", play),
    ("game.undo", undo),
    ("game.resign", resign),
    ("game.pause", pause),
    ("game.resume", resume),
    ("game.seats", seats),
    ("game.hint", hint),
    ("game.estimate", estimate),
    ("game.dead", dead),
    ("game.accept", accept),
    ("game.continue", go_on),
    ("game.review", begin_review),
    ("game.edit", edit),
    ("game.record", record),
    ("game.picture", picture),
    ("analysis.watch", watch_analysis),
    ("analysis.stop", stop_analysis),
    ("exact.watch", watch_exact),
    ("exact.stop", stop_exact),
    ("review.start", start_review),
    ("review.get", get_review),
    ("review.stop", stop_review),
    ("watch", watch),
    ("unwatch", unwatch),
];

impl Room {
    /// The names of all methods.
    pub fn methods() -> impl Iterator<Item = &'static str> {
        METHODS.into_iter().map(|(name, _)| name)
    }

    /// Does what a viewer asks for.
    pub fn call(
        &mut self,
        method: &str,
        params: Value,
        viewer: Viewer,
        now: u64,
    ) -> Result<Reply, Refusal> {
        self.tick(now);
        let known = METHODS.into_iter().find(|(name, _)| *name == method);
        let Some((_, call)) = known else {
            let message = "there is no such method";
            return Err(Refusal::new(Code::UnknownMethod, message));
        };
        call(self, params, Caller { viewer, now })
    }

    /// Changes a game and answers with its sheet.
    fn act(
        &mut self,
        game: &str,
        caller: Caller,
        act: impl FnOnce(&mut Table, &Settings) -> Result<(), Refusal>,
    ) -> Result<Reply, Refusal> {
        self.change(game, Some(caller.viewer), caller.now, act)?;
        self.sheet(game, caller)
    }

    fn sheet(&self, game: &str, caller: Caller) -> Result<Reply, Refusal> {
        done(&self.table(game)?.sheet(caller.now))
    }

    fn check_space(&self, more: usize) -> Result<(), Refusal> {
        at_most(
            "games",
            self.tables.len() + more,
            self.settings.limits.games,
        )
    }
}

/// A result.
fn done(value: &impl Serialize) -> Result<Reply, Refusal> {
    let value = serde_json::to_value(value);
    value
        .map(Reply::Now)
        .map_err(|error| Refusal::new(Code::Unsupported, error.to_string()))
}

/// A result that says only that there was no refusal.
fn nothing() -> Result<Reply, Refusal> {
    Ok(Reply::Now(json!({})))
}

fn about(room: &mut Room, params: Value, _: Caller) -> Result<Reply, Refusal> {
    let Nothing {} = read(params)?;
    let Settings {
        engine,
        network,
        programs,
        features,
        limits,
        ..
    } = room.settings();
    Ok(Reply::Now(json!({
        "version": env!("CARGO_PKG_VERSION"),
        "engine": {"name": engine, "network": network},
        "rules": rules::offered(),
        "levels": 10,
        "sizes": {"min": 2, "max": 25},
        "programs": programs,
        "features": features,
        "limits": {
            "games": limits.games,
            "nodes": limits.nodes,
            "nodes_in_a_row": limits.depth,
            "bytes_of_a_file": limits.file_bytes,
            "games_of_a_file": limits.games_of_a_file,
            "bytes_of_a_comment": limits.comment_bytes,
            "bytes_of_a_line": limits.line_bytes,
            "edits": limits.edits,
            "visits": limits.visits,
            "points_of_an_exact_board": limits.exact_points,
            "seconds_on_a_clock": limits.clock_seconds,
        },
    })))
}

fn list(room: &mut Room, params: Value, _: Caller) -> Result<Reply, Refusal> {
    let Nothing {} = read(params)?;
    let mut tables: Vec<&Table> = room.tables.values().filter(|table| table.keep).collect();
    tables.sort_by(|a, b| b.updated.cmp(&a.updated).then_with(|| b.id.cmp(&a.id)));
    let entry = |table: &Table| {
        let size = table.game.size();
        json!({
            "id": table.id,
            "title": table.title(),
            "updated": table.updated,
            "width": size.width(),
            "height": size.height(),
            "moves": table.tree.moves_before(table.live),
            "phase": table.phase,
            "result": table.result_text(),
        })
    };
    let games: Vec<Value> = tables.into_iter().map(entry).collect();
    Ok(Reply::Now(json!({"games": games})))
}

fn new_game(room: &mut Room, params: Value, caller: Caller) -> Result<Reply, Refusal> {
    let params: NewGame = read(params)?;
    room.check_space(1)?;
    let Settings {
        programs, limits, ..
    } = room.settings();
    for seat in [&params.black, &params.white] {
        seat.check(programs, limits)?;
    }
    let limits = *limits;
    let id = room.new_id(caller.now);
    let table = Table::founded(id.clone(), params, &limits, caller.now)?;
    room.admit(table, caller.viewer, caller.now);
    room.sheet(&id, caller)
}

fn open(room: &mut Room, params: Value, caller: Caller) -> Result<Reply, Refusal> {
    let params: OpenFile = read(params)?;
    let limits = room.settings().limits;
    let name = params.name.clone();
    if let Some(name) = &name {
        limits.check_line(name)?;
    }
    let file = upload::read(params, &limits)?;
    room.check_space(file.games.len())?;
    let mut remarks = file.remarks;
    let mut tables = Vec::new();
    for text in file.games {
        match open_game(room, &text, &limits, caller) {
            Ok(table) => tables.push(table),
            Err(refusal) if refusal.code == Code::Limit => return Err(refusal),
            Err(refusal) => remarks.push(Remark::error(refusal.message)),
        }
    }
    if tables.is_empty() {
        let message = match remarks.last() {
            Some(remark) => remark.message().to_owned(),
            None => "there is no game in it".to_owned(),
        };
        return Err(Refusal::new(Code::Unreadable, message));
    }
    let mut games = Vec::new();
    for mut table in tables {
        table.name.clone_from(&name);
        games.push(json!({"id": table.id, "title": table.title()}));
        room.admit(table, caller.viewer, caller.now);
    }
    Ok(Reply::Now(json!({"games": games, "diagnostics": remarks})))
}

fn open_game(
    room: &mut Room,
    text: &str,
    limits: &Limits,
    caller: Caller,
) -> Result<Table, Refusal> {
    at_most("bytes_of_a_record", text.len(), limits.record_bytes)?;
    let id = room.new_id(caller.now);
    let table = Table::opened(id, text, caller.now)?;
    at_most("nodes", table.tree.node_count(), limits.nodes)?;
    at_most("nodes_in_a_row", table.tree.greatest_depth(), limits.depth)?;
    if !table.tree.root().is_go() {
        return Err(Refusal::new(Code::Unreadable, "this is a game, but not Go"));
    }
    Ok(table)
}

fn delete(room: &mut Room, params: Value, _: Caller) -> Result<Reply, Refusal> {
    let OfGame { game } = read(params)?;
    room.table(&game)?;
    room.delete(&game);
    nothing()
}

fn get(room: &mut Room, params: Value, caller: Caller) -> Result<Reply, Refusal> {
    let OfGame { game } = read(params)?;
    room.sheet(&game, caller)
}

fn view(room: &mut Room, params: Value, _: Caller) -> Result<Reply, Refusal> {
    let OfNode { game, node } = read(params)?;
    done(&View::of(&room.table(&game)?.tree, node)?)
}

/// The record as text, for hosts whose viewers cannot download it.
fn record(room: &mut Room, params: Value, _: Caller) -> Result<Reply, Refusal> {
    let OfGame { game } = read(params)?;
    Ok(Reply::Now(json!({"sgf": room.sgf(&game)?})))
}

/// A picture as text, for hosts whose viewers cannot download it.
fn picture(room: &mut Room, params: Value, _: Caller) -> Result<Reply, Refusal> {
    let OfSomeNode { game, node } = read(params)?;
    Ok(Reply::Now(
        json!({"svg": room.picture(&game, node)?.to_svg()}),
    ))
}

fn play(room: &mut Room, params: Value, caller: Caller) -> Result<Reply, Refusal> {
    let params: Play = read(params)?;
    let size = room.table(&params.game)?.tree.size();
    let action = Move::from_gtp(&params.action, size).map_err(|error| {
        let message = format!("{:?} is no move: {error}", params.action);
        match error {
            tengen_core::CoordinateError::OffBoard(_) => Refusal::new(Code::IllegalMove, message)
                .with(json!({"point": params.action, "reason": "off_board"})),
            _ => Refusal::params(message),
        }
    })?;
    let turn = Turn {
        node: params.node,
        action,
        color: params.color.map(Color::from),
    };
    let Caller { viewer, now } = caller;
    let node = room.change(&params.game, Some(viewer), now, |table, settings| {
        table.play(turn, &settings.limits, now)
    })?;
    let view = View::of(&room.table(&params.game)?.tree, node)?;
    Ok(Reply::Now(json!({"node": node, "view": view})))
}

fn undo(room: &mut Room, params: Value, caller: Caller) -> Result<Reply, Refusal> {
    let OfGame { game } = read(params)?;
    room.act(&game, caller, |table, _| table.undo())
}

fn resign(room: &mut Room, params: Value, caller: Caller) -> Result<Reply, Refusal> {
    let Resign { game, color } = read(params)?;
    room.act(&game, caller, |table, _| {
        table.resign(color.map(Color::from))
    })
}

fn pause(room: &mut Room, params: Value, caller: Caller) -> Result<Reply, Refusal> {
    let OfGame { game } = read(params)?;
    room.act(&game, caller, |table, _| {
        table.check_phase(&[Phase::Playing])?;
        table.paused = true;
        Ok(())
    })
}

fn resume(room: &mut Room, params: Value, caller: Caller) -> Result<Reply, Refusal> {
    let OfGame { game } = read(params)?;
    room.act(&game, caller, |table, _| {
        table.check_phase(&[Phase::Playing])?;
        table.paused = false;
        table.trouble = None;
        Ok(())
    })
}

fn seats(room: &mut Room, params: Value, caller: Caller) -> Result<Reply, Refusal> {
    let Seats { game, black, white } = read(params)?;
    room.act(&game, caller, |table, settings| {
        for seat in [&black, &white].into_iter().flatten() {
            seat.check(&settings.programs, &settings.limits)?;
        }
        for (color, seat) in [(Color::Black, black), (Color::White, white)] {
            if let Some(seat) = seat {
                table.sit(color, seat);
            }
        }
        Ok(())
    })
}

fn hint(room: &mut Room, params: Value, caller: Caller) -> Result<Reply, Refusal> {
    let OfSomeNode { game, node } = read(params)?;
    room.seek_hint(caller.viewer, &game, node)
}

fn estimate(room: &mut Room, params: Value, caller: Caller) -> Result<Reply, Refusal> {
    let OfSomeNode { game, node } = read(params)?;
    room.seek_estimate(caller.viewer, &game, node)
}

fn dead(room: &mut Room, params: Value, caller: Caller) -> Result<Reply, Refusal> {
    let Dead { game, point } = read(params)?;
    let point = read_point(&point, room.table(&game)?.tree.size())?;
    room.act(&game, caller, |table, _| table.toggle_dead(point))
}

fn accept(room: &mut Room, params: Value, caller: Caller) -> Result<Reply, Refusal> {
    let OfGame { game } = read(params)?;
    room.act(&game, caller, |table, _| table.accept())
}

fn go_on(room: &mut Room, params: Value, caller: Caller) -> Result<Reply, Refusal> {
    let OfSomeNode { game, node } = read(params)?;
    room.act(&game, caller, |table, _| table.continue_play(node))
}

fn begin_review(room: &mut Room, params: Value, caller: Caller) -> Result<Reply, Refusal> {
    let OfGame { game } = read(params)?;
    room.act(&game, caller, |table, _| table.begin_review())
}

fn edit(room: &mut Room, params: Value, caller: Caller) -> Result<Reply, Refusal> {
    let Edits { game, node, edits } = read(params)?;
    let Caller { viewer, now } = caller;
    let node = room.change(&game, Some(viewer), now, |table, settings| {
        at_most("edits", edits.len(), settings.limits.edits)?;
        table.edit(node, &edits, &settings.limits)
    })?;
    let table = room.table(&game)?;
    let view = View::of(&table.tree, node)?;
    let version = table.version;
    Ok(Reply::Now(
        json!({"node": node, "version": version, "view": view}),
    ))
}

fn watch_analysis(room: &mut Room, params: Value, caller: Caller) -> Result<Reply, Refusal> {
    let Watch {
        game,
        node,
        max_visits,
        ownership,
    } = read(params)?;
    let shown = match ownership {
        Some(true) => Ownership::Shown,
        Some(false) | None => Ownership::Hidden,
    };
    room.watch_analysis(caller.viewer, (&game, node), max_visits, shown)?;
    nothing()
}

fn stop_analysis(room: &mut Room, params: Value, caller: Caller) -> Result<Reply, Refusal> {
    let Nothing {} = read(params)?;
    room.stop_analysis(caller.viewer);
    nothing()
}

fn watch_exact(room: &mut Room, params: Value, caller: Caller) -> Result<Reply, Refusal> {
    let WatchExact { game, node, more } = read(params)?;
    let wish = match more {
        Some(true) => Wish::More,
        Some(false) | None => Wish::Known,
    };
    room.watch_exact(caller.viewer, (&game, node), wish)?;
    nothing()
}

fn stop_exact(room: &mut Room, params: Value, caller: Caller) -> Result<Reply, Refusal> {
    let Nothing {} = read(params)?;
    room.stop_exact(caller.viewer);
    nothing()
}

fn start_review(room: &mut Room, params: Value, caller: Caller) -> Result<Reply, Refusal> {
    let StartReview { game, visits } = read(params)?;
    let (total, done) = room.start_review(caller.viewer, &game, visits)?;
    Ok(Reply::Now(json!({"total": total, "done": done})))
}

fn get_review(room: &mut Room, params: Value, _: Caller) -> Result<Reply, Refusal> {
    let OfGame { game } = read(params)?;
    let table = room.table(&game)?;
    let nodes = table.review.messages(&table.tree);
    let running = table.review.running.as_ref();
    let (done, total) = running.map_or((nodes.len(), nodes.len()), |running| {
        (running.done, running.nodes.len())
    });
    Ok(Reply::Now(json!({
        "running": running.is_some(),
        "done": done,
        "total": total,
        "nodes": nodes,
    })))
}

fn stop_review(room: &mut Room, params: Value, _: Caller) -> Result<Reply, Refusal> {
    let OfGame { game } = read(params)?;
    room.table(&game)?;
    room.stop_review(&game);
    nothing()
}

fn watch(room: &mut Room, params: Value, caller: Caller) -> Result<Reply, Refusal> {
    let OfGame { game } = read(params)?;
    room.table(&game)?;
    let is_watched = |table: &&Table| table.watchers.contains(&caller.viewer) && table.id != game;
    let watched = room.tables.values().filter(is_watched).count();
    at_most("watched_games", watched + 1, room.settings().limits.watched)?;
    if let Some(table) = room.tables.get_mut(&game) {
        table.watchers.insert(caller.viewer);
        table.owner.get_or_insert(caller.viewer);
    }
    room.touch(&game, caller.now);
    room.sheet(&game, caller)
}

fn unwatch(room: &mut Room, params: Value, caller: Caller) -> Result<Reply, Refusal> {
    let OfGame { game } = read(params)?;
    room.table(&game)?;
    if let Some(table) = room.tables.get_mut(&game) {
        table.watchers.remove(&caller.viewer);
    }
    room.touch(&game, caller.now);
    nothing()
}
