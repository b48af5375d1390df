//! Whatever viewers do, in whatever order.

use proptest::prelude::*;
use serde_json::{Value, json};
use tengen_app::{Finding, JobKind, Limits, Report, RoomSettings};
use tengen_core::{Move, Settlement};

use crate::host::{Host, analysis};
use crate::restart::lasting;

/// Something that happens to a room.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Deed {
    Call {
        viewer: u64,
        method: usize,
        game: usize,
        node: usize,
        pick: usize,
    },
    Engine {
        job: usize,
        pick: usize,
    },
    Time(u64),
    Leave(u64),
    Restart,
}

pub(crate) fn deed() -> impl Strategy<Value = Deed> {
    let call = (
        1..4_u64,
        0..64_usize,
        0..4_usize,
        0..24_usize,
        0..1000_usize,
    );
    let call = call.prop_map(|(viewer, method, game, node, pick)| Deed::Call {
        viewer,
        method,
        game,
        node,
        pick,
    });
    let engine = (0..4_usize, 0..1000_usize).prop_map(|(job, pick)| Deed::Engine { job, pick });
    prop_oneof![
        16 => call,
        6 => engine,
        2 => (0..20_000_u64).prop_map(Deed::Time),
        1 => (1..4_u64).prop_map(Deed::Leave),
        1 => Just(Deed::Restart),
    ]
}

/// One of some values.
fn one<T: Clone>(values: &[T], pick: usize) -> T {
    values[pick % values.len()].clone()
}

fn seat(pick: usize) -> Value {
    match pick % 4 {
        0 => json!({"kind": "engine", "level": 1 + pick % 20}),
        1 => json!({"kind": "program", "name": "other"}),
        _ => json!({"kind": "person", "name": one(&["Ada", "B]", "\\", "古力"], pick / 4)}),
    }
}

fn point(pick: usize) -> String {
    // One row and one column are not on the board.
    format!(
        "{}{}",
        ["A", "B", "C", "D", "E"][pick % 5],
        1 + pick / 5 % 4
    )
}

fn edit(pick: usize) -> Value {
    let other = pick / 11;
    let kind = one(&["triangle", "dim", "territory_white", "cross"], other);
    let text = one(&["", "a ] b", "\\", "two\nlines", "x:y", "[x"], other);
    let color = one(&[json!("black"), json!("white"), json!(null)], other);
    let key = one(&["komi", "rules", "handicap", "black", "result"], other);
    match pick % 11 {
        0 => json!({"do": "comment", "text": text}),
        1 => json!({"do": "name", "text": text}),
        2 => json!({"do": "mark", "point": point(other), "kind": kind}),
        3 => json!({"do": "mark", "point": point(other), "kind": null}),
        4 => json!({"do": "label", "point": point(other), "text": text}),
        5 => {
            let arrow = one(&[json!(true), json!(false), json!(null)], other);
            json!({"do": "line", "from": point(other), "to": point(other + 1), "arrow": arrow})
        }
        6 => json!({"do": "annotation", "key": one(&["TE", "V", "HO"], other), "value": 1}),
        7 => json!({"do": "info", "key": key, "value": one(&["3", "aga", "B+2.5", ""], other)}),
        8 => json!({"do": "setup", "point": point(other), "color": color}),
        9 => json!({"do": "to_move", "color": one(&["black", "white"], other)}),
        _ => one(
            &[
                json!({"do": "remove"}),
                json!({"do": "promote"}),
                json!({"do": "paste", "text": "(;B[aa];W[ba](;B[])(;AB[cc]C[x]))"}),
            ],
            other,
        ),
    }
}

/// The method and params of a call, mostly such that make sense.
pub(crate) fn request(
    method: usize,
    game: &Value,
    node: usize,
    pick: usize,
) -> (&'static str, Value) {
    let of_game = json!({"game": game});
    let of_node = json!({"game": game, "node": node});
    match method {
        0..2 => {
            let clock = match pick % 3 {
                0 => json!({"main_seconds": 20}),
                1 => json!({"main_seconds": 5, "byoyomi": {"periods": 2, "seconds": 5}}),
                _ => json!(null),
            };
            let rules = ["chinese", "japanese", "aga", "tromp-taylor", "pgx"][pick % 5];
            let params = json!({
                "width": 4, "height": 3, "rules": rules, "clock": clock, "keep": !pick.is_multiple_of(7),
                "black": seat(pick), "white": seat(pick / 4),
            });
            ("games.new", params)
        }
        2 => {
            let text =
                "(;SZ[4:3]HA[2]RU[x]PB[a]RE[W+R];B[aa](;W[bb];B[];W[tt])(;AB[cc]PL[B];B[zz]W[aa]))";
            ("games.open", json!({"text": text}))
        }
        3 => ("games.delete", of_game),
        4 => ("game.view", of_node),
        5..30 => {
            let action = if pick.is_multiple_of(3) {
                "pass".to_owned()
            } else {
                point(pick)
            };
            (
                "game.play",
                json!({"game": game, "node": node, "move": action}),
            )
        }
        30..33 => ("game.undo", of_game),
        33 => ("game.resign", of_game),
        34 => ("game.pause", of_game),
        35 => ("game.resume", of_game),
        36 => ("game.seats", json!({"game": game, "white": seat(pick)})),
        37 if pick.is_multiple_of(2) => ("game.hint", of_node),
        37 => (
            "review.judge",
            json!({"game": game, "node": node, "move": point(pick)}),
        ),
        38 => ("game.estimate", of_game),
        39..42 => ("game.dead", json!({"game": game, "point": point(pick)})),
        42..44 => ("game.accept", of_game),
        44..46 => ("game.continue", of_node),
        46..48 => ("game.review", of_game),
        48 => (one(&["edit.undo", "edit.redo"], pick), of_game),
        49..56 => {
            let edits = json!([edit(pick), edit(pick / 3)]);
            (
                "game.edit",
                json!({"game": game, "node": node, "edits": edits}),
            )
        }
        56 => (
            "analysis.watch",
            json!({"game": game, "node": node, "ownership": pick.is_multiple_of(2)}),
        ),
        57 => ("analysis.stop", json!({})),
        58 => ("review.start", of_game),
        59 => ("review.stop", of_game),
        60 => ("review.get", of_game),
        61..63 => ("watch", of_game),
        _ => ("unwatch", of_game),
    }
}

pub(crate) fn report(job: &tengen_app::Job, pick: usize) -> Report {
    let size = job.position.size();
    let stones = *job.position.board().points() - job.position.board().empty_points();
    let settlement = Box::new(Settlement {
        dead: stones
            .iter()
            .filter(|point| point.index() % 3 == pick % 3)
            .collect(),
        seki: stones
            .iter()
            .filter(|point| point.index() % 5 == pick % 5)
            .collect(),
    });
    let found = || {
        Box::new(analysis(
            job,
            100,
            0.5,
            pick as f32 / 100.0,
            &["A1", "pass"],
        ))
    };
    match (pick % 10, &job.kind) {
        (0, _) => Report::Failed("it failed".to_owned()),
        (1, _) => Report::Progress(found()),
        (2, _) => Report::Done(Finding::Settlement(settlement)),
        (_, JobKind::Move { .. } | JobKind::Program { .. }) => {
            let legal = job.position.legal_moves();
            let action = match pick % 4 {
                0 => None,
                1 => Some(Move::Pass),
                _ => Some(
                    legal
                        .iter()
                        .nth(pick % legal.len().max(1))
                        .map_or(Move::Pass, Move::Play),
                ),
            };
            assert!(size.area() == 12);
            Report::Done(Finding::Move(action))
        }
        (_, JobKind::Propose) => Report::Done(Finding::Settlement(settlement)),
        (_, JobKind::Estimate { .. }) => Report::Done(Finding::Estimate(found(), settlement)),
        _ => Report::Done(Finding::Analysis(found())),
    }
}

/// The sheets of all games, somebody watching them.
fn sheets(host: &mut Host) -> Vec<Value> {
    let games: Vec<String> = host.room.games().map(str::to_owned).collect();
    games
        .iter()
        .map(|game| lasting(host.ask("watch", json!({"game": game}))))
        .collect()
}

pub(crate) fn settings() -> RoomSettings {
    RoomSettings {
        programs: vec!["other".to_owned()],
        limits: Limits {
            games: 6,
            nodes: 40,
            ..Limits::default()
        },
        ..RoomSettings::default()
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    /// Nothing panics, every message is as documented, versions only grow, and a restart changes nothing.
    #[test]
    fn anything_may_happen(deeds in proptest::collection::vec(deed(), 1..160)) {
        let mut host = Host::new(settings());
        let person = || json!({"kind": "person"});
        for white in [person(), json!({"kind": "engine", "level": 1})] {
            let size = json!({"width": 4, "height": 3, "rules": "chinese"});
            let mut params = size;
            params["black"] = person();
            params["white"] = white;
            host.ask("games.new", params);
        }
        for deed in deeds {
            let games: Vec<String> = host.room.games().map(str::to_owned).collect();
            let version = |host: &mut Host, game: &str| {
                host.call(9, "game.get", json!({"game": game})).ok().map(|sheet| sheet["version"].as_u64())
            };
            let before: Vec<_> = games.iter().map(|game| version(&mut host, game)).collect();
            match deed {
                Deed::Call { viewer, method, game, node, pick } => {
                    let game = games.get(game % games.len().max(1)).map_or("none", String::as_str);
                    let (mut method, mut node) = (method, node);
                    // Half of the time what fits how the game stands.
                    if pick.is_multiple_of(2)
                        && let Ok(sheet) = host.call(9, "game.get", json!({"game": game}))
                    {
                        node = sheet["live"].as_u64().unwrap() as usize;
                        if sheet["phase"] == "marking" {
                            method = one(&[39, 39, 39, 42, 44], pick / 2);
                        }
                    }
                    let (method, params) = request(method, &json!(game), node, pick);
                    let _ = host.call(viewer, method, params);
                }
                Deed::Engine { job, pick } => {
                    if let Some(job) = host.jobs.get(job).cloned() {
                        prop_assert!(host.report(job.id, report(&job, pick)));
                    }
                }
                Deed::Time(time) => {
                    let now = host.now + time;
                    host.tick(now);
                }
                Deed::Leave(viewer) => host.leave(viewer),
                Deed::Restart => {
                    // Boards that are not kept are gone.
                    for game in &games {
                        let sheet = host.ask("game.get", json!({"game": game}));
                        if sheet["keep"] == false {
                            host.ask("games.delete", json!({"game": game}));
                        }
                    }
                    let before = sheets(&mut host);
                    host.restart();
                    prop_assert_eq!(sheets(&mut host), before);
                }
            }
            for (game, before) in games.iter().zip(before) {
                if let (Some(before), Some(after)) = (before, version(&mut host, game)) {
                    prop_assert!(after >= before, "{game}: {after:?} after {before:?}");
                }
            }
        }
        // What engines think about is what the games want.
        for sheet in sheets(&mut host) {
            let game = sheet["id"].as_str().unwrap();
            let thinks = host.jobs.iter().any(|job| {
                let kind = &job.kind;
                job.game == game
                    && matches!(kind, JobKind::Move { .. } | JobKind::Program { .. } | JobKind::Propose)
            });
            prop_assert_eq!(sheet["thinking"].as_bool(), Some(thinks));
        }
    }
}
