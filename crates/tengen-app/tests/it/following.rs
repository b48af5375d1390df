//! Whether those who follow a game by its events know as much as those who ask for it.

use std::collections::BTreeMap;

use proptest::prelude::*;
use serde_json::{Map, Value, json};

use crate::host::Host;
use crate::properties::{Deed, deed, report, request, settings};

/// Who follows all games.
const FOLLOWER: u64 = 8;

/// Makes of a sheet what a change says, as docs/api.md describes it.
fn apply(sheet: &mut Value, version: &Value, change: &Map<String, Value>) {
    sheet["version"] = version.clone();
    for (key, value) in change {
        match key.as_str() {
            "added" | "removed" | "edited" | "nodes" => {}
            "main" => sheet["tree"]["main"] = value.clone(),
            "clock" | "info" => sheet[key] = value.clone(),
            _ if value.is_null() => _ = sheet.as_object_mut().unwrap().remove(key),
            _ => sheet[key] = value.clone(),
        }
    }
    let tree = &mut sheet["tree"];
    let list = |key: &str| {
        change
            .get(key)
            .and_then(Value::as_array)
            .cloned()
            .unwrap_or_default()
    };
    let put = |tree: &mut Value, key: &str, node: u64, value: Value, absent: Value| {
        let column = tree[key].as_array_mut().unwrap();
        while column.len() <= node as usize {
            column.push(absent.clone());
        }
        column[node as usize] = value;
    };
    let row = |tree: &mut Value, node: &Value, parent: Value, action: Value| {
        let node = node.as_u64().unwrap();
        put(tree, "parents", node, parent, json!(null));
        put(tree, "moves", node, action, json!("removed"));
        put(tree, "has_comment", node, json!(false), json!(false));
    };
    for added in list("added") {
        row(
            tree,
            &added["node"],
            added["parent"].clone(),
            added["move"].clone(),
        );
        let main = tree["main"].as_array_mut().unwrap();
        if !change.contains_key("main") && main.last() == Some(&added["parent"]) {
            main.push(added["node"].clone());
        }
    }
    for removed in list("removed") {
        row(tree, &removed, json!(null), json!("removed"));
    }
    for changed in list("nodes") {
        let node = changed["node"].as_u64().unwrap() as usize;
        tree["moves"][node] = changed["move"].clone();
        tree["has_comment"][node] = changed["has_comment"].clone();
    }
}

/// Without what is told in other ways: when the game changed, and what clocks show.
fn comparable(mut sheet: Value) -> Value {
    let fields = sheet.as_object_mut().unwrap();
    fields.remove("updated");
    if let Some(clock) = fields.get_mut("clock") {
        *clock = json!(clock.is_object());
    }
    sheet
}

fn happen(host: &mut Host, deed: Deed) {
    let games: Vec<String> = host.room.games().map(str::to_owned).collect();
    match deed {
        Deed::Call {
            viewer,
            method,
            game,
            node,
            pick,
        } => {
            let game = games
                .get(game % games.len().max(1))
                .map_or("none", String::as_str);
            let sheet = host.call(9, "game.get", json!({"game": game}));
            let live = sheet
                .ok()
                .filter(|_| pick.is_multiple_of(2))
                .map(|sheet| sheet["live"].as_u64());
            let node = live.flatten().map_or(node, |live| live as usize);
            let (method, params) = request(method, &json!(game), node, pick);
            // Whatever comes of it.
            _ = host.call(viewer, method, params);
        }
        Deed::Engine { job, pick } => {
            if let Some(job) = host.jobs.get(job).cloned() {
                assert!(host.report(job.id, report(&job, pick)));
            }
        }
        Deed::Time(time) => host.tick(host.now + time),
        Deed::Leave(viewer) => host.leave(viewer),
        // Nobody follows a game over a restart.
        Deed::Restart => {}
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    /// The sheet of a version and the changes since make the sheet of now.
    #[test]
    fn changes_tell_all_that_is_new(deeds in proptest::collection::vec(deed(), 1..120)) {
        let mut host = Host::new(settings());
        let person = || json!({"kind": "person"});
        for white in [person(), json!({"kind": "engine", "level": 1})] {
            let size = json!({"width": 4, "height": 3, "rules": "chinese", "black": person(), "white": white});
            host.ask("games.new", size);
        }
        let mut known: BTreeMap<String, Value> = BTreeMap::new();
        for deed in deeds {
            let games: Vec<String> = host.room.games().map(str::to_owned).collect();
            for game in games.into_iter().filter(|game| !known.contains_key(game)).collect::<Vec<_>>() {
                let sheet = host.call(FOLLOWER, "watch", json!({"game": game})).unwrap();
                known.insert(game, sheet);
            }
            host.events.clear();
            happen(&mut host, deed);
            for (viewers, event) in std::mem::take(&mut host.events) {
                if event["event"] != "game" || !viewers.contains(&FOLLOWER) {
                    continue;
                }
                let game = event["game"].as_str().unwrap();
                let change = event["change"].as_object().unwrap();
                if change.contains_key("deleted") {
                    known.remove(game);
                    continue;
                }
                let sheet = known.get_mut(game).unwrap();
                let version = sheet["version"].as_u64().unwrap();
                prop_assert_eq!(event["version"].as_u64(), Some(version + 1));
                apply(sheet, &event["version"], change);
            }
            for (game, sheet) in &known {
                let asked = host.call(FOLLOWER, "game.get", json!({"game": game})).unwrap();
                prop_assert_eq!(comparable(sheet.clone()), comparable(asked));
            }
        }
    }
}
