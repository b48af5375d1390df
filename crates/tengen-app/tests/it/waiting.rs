//! What is done to a large record is done where nobody waits for it, measured in work and not in time.

use serde_json::{Value, json};
use tengen_app::{
    Aside, Begun, Code, Finding, Reply, Report, Room, RoomSettings, Save, Viewer, effort,
};
use tengen_core::Move;

const VIEWER: Viewer = Viewer(1);
const LINES: usize = 100;
const MOVES: usize = 300;
const NODES: usize = LINES * MOVES;

/// As much as a move in one line of the record may cost while others wait: a few times to play through it.
const ENOUGH: u64 = 8 * MOVES as u64;

/// So many lines of so many moves each: a stone, and then passes.
fn record() -> String {
    let line = "(;B[dd];W[]".to_owned() + &";B[];W[]".repeat(MOVES / 2 - 1) + ")";
    format!("(;GM[1]SZ[9]{})", line.repeat(LINES))
}

/// A room that counts what is done while others wait for it, and whose games are always being saved.
struct Counted {
    room: Room,
    now: u64,
    /// Records that are being written, for ever.
    saves: Vec<Save>,
    longest: u64,
    /// What was done without the room.
    aside: u64,
    jobs: Vec<tengen_app::Job>,
    /// Nodes of which the longest event speaks.
    heaviest: usize,
}

impl Counted {
    fn new() -> Self {
        Self {
            room: Room::new(RoomSettings::default()),
            now: 1_000_000,
            saves: Vec::new(),
            longest: 0,
            aside: 0,
            jobs: Vec::new(),
            heaviest: 0,
        }
    }

    fn locked<T>(&mut self, act: impl FnOnce(&mut Room, u64) -> T) -> T {
        let before = effort();
        let result = act(&mut self.room, self.now);
        let outbox = self.room.take_outbox();
        self.longest = self.longest.max(effort() - before);
        self.saves.extend(outbox.saves);
        self.jobs = outbox.jobs;
        let weights = outbox.events.iter().map(|sent| sent.event.weight());
        self.heaviest = weights.fold(self.heaviest, usize::max);
        result
    }

    fn beside(&mut self, aside: Aside) -> tengen_app::Brought {
        let before = effort();
        let brought = aside.run().written();
        self.aside += effort() - before;
        brought
    }

    fn ask(&mut self, method: &str, params: Value) -> Value {
        let mut begun = self.locked(|room, now| room.begin(method, params, VIEWER, now));
        loop {
            match begun.unwrap_or_else(|refusal| panic!("{method}: {refusal:?}")) {
                Begun::Reply(Reply::Later(_)) => return Value::Null,
                Begun::Reply(reply) => return reply.now().unwrap(),
                Begun::Aside(aside) => {
                    let brought = self.beside(aside);
                    begun = self.locked(|room, now| room.finish(brought, VIEWER, now));
                }
            }
        }
    }

    /// Lets the room act on a game whose record is its own.
    fn locked_alone<T>(
        &mut self,
        copying: impl Fn(&Room, u64) -> Option<tengen_app::Copying>,
        act: impl FnOnce(&mut Room, u64) -> T,
    ) -> T {
        let copying = copying(&self.room, self.now).expect("somebody reads the record");
        let copied = copying.run();
        self.locked(|room, _| room.take_copied(copied));
        self.locked(act)
    }

    fn check(&self, what: &str) {
        let Self { longest, aside, .. } = self;
        assert!(*longest <= ENOUGH, "{what}: {longest} nodes of {NODES}");
        assert!(*aside >= NODES as u64, "{what} was done somewhere else");
    }
}

#[test]
fn a_large_record_changes_while_others_go_on() {
    let mut room = Counted::new();
    let opened = room.ask("games.open", json!({"text": record()}));
    let game = opened["games"][0]["id"].clone();
    let of_game = json!({ "game": game });
    room.ask("watch", of_game.clone());
    room.check("watch");
    let comment = json!([{"do": "comment", "text": "x"}]);
    let deeds = [
        ("game.play", json!({"game": game, "node": 1, "move": "E5"})),
        ("edit.undo", of_game.clone()),
        ("edit.redo", of_game.clone()),
        (
            "game.edit",
            json!({"game": game, "node": 1, "edits": comment}),
        ),
        ("game.view", json!({"game": game, "node": 1})),
        ("games.list", json!({})),
        ("review.get", of_game.clone()),
        ("game.hint", json!({"game": game, "node": 200})),
        ("game.continue", json!({"game": game, "node": 299})),
        (
            "game.play",
            json!({"game": game, "node": 299, "move": "E5"}),
        ),
        ("game.undo", of_game.clone()),
        (
            "game.play",
            json!({"game": game, "node": 299, "move": "F5"}),
        ),
        ("game.resign", of_game.clone()),
        ("game.review", of_game.clone()),
    ];
    for (method, params) in deeds {
        room.ask(method, params);
        room.check(method);
    }
    let sheet = room.ask("game.get", of_game);
    assert_eq!(sheet["result"]["reason"], "resignation", "{sheet}");
}

#[test]
fn an_edit_that_adds_much_is_told_without_a_look_at_all_of_it() {
    let mut room = Counted::new();
    let opened = room.ask("games.open", json!({"text": "(;SZ[9];B[aa])"}));
    let game = opened["games"][0]["id"].clone();
    room.ask("watch", json!({ "game": game }));
    let paste = json!([{"do": "paste", "text": record()}]);
    room.ask(
        "game.edit",
        json!({"game": game, "node": 1, "edits": paste}),
    );
    room.check("paste");
    // Hosts write an event down where nobody waits for it, if it says that it takes long.
    assert!(room.heaviest >= NODES, "{}", room.heaviest);
    room.ask("edit.undo", json!({ "game": game }));
    room.check("undo");
}

#[test]
fn an_engine_moves_in_a_large_record_that_is_being_saved() {
    let mut room = Counted::new();
    let opened = room.ask("games.open", json!({"text": record()}));
    let game = opened["games"][0]["id"].clone();
    let engine = json!({"kind": "engine", "level": 1});
    room.ask("game.continue", json!({"game": game, "node": 1}));
    let params = json!({"game": game, "white": engine});
    let aside = room.locked(|room, now| room.begin("game.seats", params, VIEWER, now));
    let Begun::Aside(aside) = aside.unwrap() else {
        panic!("a large record is changed aside");
    };
    let brought = room.beside(aside);
    room.locked(|room, now| room.finish(brought, VIEWER, now))
        .unwrap();
    let job = room.jobs.first().expect("the engine is to move").id;
    let moved = Report::Done(Finding::Move(Some(Move::Pass)));
    room.locked_alone(
        |room, _| room.copying_for_report(job),
        |room, now| assert!(room.report(job, moved, now)),
    );
    room.check("a move of an engine");
}

#[test]
fn a_flag_falls_in_a_large_record_that_is_being_saved() {
    let mut room = Counted::new();
    let person = json!({"kind": "person", "name": "Ada"});
    let founded = room.ask(
        "games.new",
        json!({
            "width": 9, "height": 9, "rules": "chinese", "black": person, "white": person,
            "clock": {"main_seconds": 60},
        }),
    );
    let game = founded["id"].clone();
    room.ask("game.review", json!({ "game": game }));
    let paste = json!([{"do": "paste", "text": record()}]);
    room.ask(
        "game.edit",
        json!({"game": game, "node": 0, "edits": paste}),
    );
    room.ask("watch", json!({ "game": game }));
    room.ask("game.continue", json!({"game": game, "node": 0}));
    room.now += 61_000;
    room.locked_alone(Room::copying_for_tick, Room::tick);
    room.check("a flag");
    let sheet = room.ask("game.get", json!({ "game": game }));
    assert_eq!(sheet["result"]["reason"], "time", "{sheet}");
}

#[test]
fn a_change_is_made_again_if_the_game_has_changed_meanwhile() {
    let mut room = Counted::new();
    let opened = room.ask("games.open", json!({"text": record()}));
    let game = opened["games"][0]["id"].clone();
    let play = |name: &str| json!({"game": game, "node": 0, "move": name});
    let begun = room.locked(|room, now| room.begin("game.play", play("E5"), VIEWER, now));
    let Begun::Aside(slow) = begun.unwrap() else {
        panic!("a large record is changed aside");
    };
    let slow = room.beside(slow);
    let quick = room.ask("game.play", play("F5"));
    let mut begun = room.locked(|room, now| room.finish(slow, VIEWER, now));
    let slow = loop {
        match begun.unwrap() {
            Begun::Aside(aside) => {
                let brought = room.beside(aside);
                begun = room.locked(|room, now| room.finish(brought, VIEWER, now));
            }
            Begun::Reply(reply) => break reply.now().unwrap(),
        }
    };
    assert_eq!(
        slow["node"].as_u64().unwrap(),
        quick["node"].as_u64().unwrap() + 1
    );
    room.check("two moves at a time");
    let sheet = room.ask("game.get", json!({ "game": game }));
    assert_eq!(sheet["tree"]["moves"].as_array().unwrap().len(), NODES + 3);
}

#[test]
fn a_move_of_a_game_is_none_of_a_review_that_began_meanwhile() {
    let mut room = Counted::new();
    let opened = room.ask("games.open", json!({"text": record()}));
    let of_game = json!({"game": opened["games"][0]["id"]});
    let sheet = room.ask("game.continue", of_game.clone());
    let play = json!({"game": of_game["game"], "node": sheet["live"], "move": "E5"});
    let begun = room.locked(|room, now| room.begin("game.play", play, VIEWER, now));
    let Begun::Aside(slow) = begun.unwrap() else {
        panic!("a large record is changed aside");
    };
    let slow = room.beside(slow);
    room.ask("game.review", of_game.clone());
    let refused = room.locked(|room, now| room.finish(slow, VIEWER, now));
    assert_eq!(refused.unwrap_err().code, Code::WrongPhase);
    let after = room.ask("game.get", of_game);
    assert_eq!(after["tree"], sheet["tree"]);
}
