//! A host without a browser.

use std::time::Duration;

use serde::Deserialize;
use serde_json::{Value, json};
use tengen_wasm::{Host, NetworkKind};

/// A host, the time, and all messages that viewers were sent.
struct Worker {
    host: Host,
    now: u64,
    messages: Vec<Value>,
    saves: Vec<Value>,
    busy: bool,
    calls: u64,
}

/// What a host wants done.
#[derive(Deserialize)]
struct Output {
    messages: Vec<Value>,
    saves: Vec<Value>,
    busy: bool,
    trouble: Option<String>,
}

fn clock() -> Duration {
    use std::sync::OnceLock;
    use std::time::Instant;
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed()
}

impl Worker {
    fn new() -> Self {
        Self {
            host: Host::new(clock),
            now: 1_000_000,
            messages: Vec::new(),
            saves: Vec::new(),
            busy: false,
            calls: 0,
        }
    }

    fn act(&mut self, act: impl FnOnce(&mut Host, u64)) -> Option<String> {
        self.now += 1;
        act(&mut self.host, self.now);
        let output: Output =
            serde_json::from_str(&self.host.take_output()).expect("an output is JSON");
        self.messages.extend(output.messages);
        self.saves.extend(output.saves);
        self.busy = output.busy;
        output.trouble
    }

    /// Calls, and returns the answer if it comes at once.
    fn call(&mut self, viewer: u64, method: &str, params: &Value) -> Value {
        self.calls += 1;
        let id = self.calls;
        let text = json!({"id": id, "method": method, "params": params}).to_string();
        self.act(|host, now| host.call(viewer, &text, now));
        let of_call = |letter: &&Value| letter["message"]["id"] == id;
        let answer = self.messages.iter().rev().find(of_call);
        answer.map_or(Value::Null, |letter| {
            assert_eq!(letter["viewer"], viewer);
            letter["message"].clone()
        })
    }

    fn work(&mut self) {
        self.act(|host, now| host.work(Duration::from_millis(5), now));
    }

    fn work_until(&mut self, mut is: impl FnMut(&Value) -> bool) -> Value {
        let mut seen = self.messages.len();
        loop {
            assert!(self.busy, "nothing is left to think about");
            self.work();
            while seen < self.messages.len() {
                if is(&self.messages[seen]) {
                    return self.messages[seen].clone();
                }
                seen += 1;
            }
        }
    }
}

fn small(white: &Value) -> Value {
    json!({"width": 5, "height": 5, "rules": "chinese", "black": {"kind": "person"}, "white": white})
}

#[test]
fn the_engine_answers_a_move_and_both_are_saved() {
    let mut worker = Worker::new();
    let new = small(&json!({"kind": "engine", "level": 1}));
    let sheet = worker.call(1, "games.new", &new)["result"].clone();
    let game = &sheet["id"];
    worker.call(1, "watch", &json!({"game": game}));
    assert!(!worker.busy);
    let play = json!({"game": game, "node": 0, "move": "C3"});
    worker.call(1, "game.play", &play);
    assert!(worker.busy);
    worker.work_until(|letter| letter["message"]["change"]["thinking"] == false);
    assert!(!worker.busy);
    let last = worker.saves.last().unwrap();
    assert_eq!(last["game"], *game);
    let sgf = last["sgf"].as_str().unwrap();
    assert!(sgf.contains(";B[cc]") && sgf.contains(";W["), "{sgf}");

    let mut again = Worker::new();
    let kept = json!({"game": game, "sgf": sgf}).to_string();
    assert_eq!(again.act(|host, now| host.restore(&kept, now)), None);
    let restored = again.call(1, "game.get", &json!({"game": game}));
    assert_eq!(restored["result"]["live"], 2);
    let trouble = again.act(|host, now| host.restore(&kept, now));
    assert!(trouble.is_some_and(|text| text.contains("already")));
}

const SMALL: &[u8] = include_bytes!("../../tengen-nn/models/baseline.safetensors");
const LARGE: &[u8] = include_bytes!("../../tengen-nn/models/baseline-large.safetensors");
const OF_KATAGO: &[u8] = include_bytes!("../../../fuzz/regressions/katago/a-whole-network");
const CUT_OFF: &[u8] = include_bytes!("../../../fuzz/regressions/katago/cut-off-in-a-block-within");

#[test]
fn networks_come_when_they_come_and_are_named() {
    let mut worker = Worker::new();
    let network = |worker: &mut Worker| {
        let about = worker.call(1, "about", &json!({}));
        about["result"]["engine"]["network"].clone()
    };
    let give = |worker: &mut Worker, kind, bytes: &[u8]| {
        worker.act(|host, _| host.add_network(kind, bytes))
    };
    assert_eq!(network(&mut worker), Value::Null);
    assert_eq!(give(&mut worker, NetworkKind::SmallBaseline, SMALL), None);
    assert_eq!(network(&mut worker), "baseline network 6x64 up to 9x9");
    assert_eq!(give(&mut worker, NetworkKind::LargeBaseline, LARGE), None);
    let baselines = network(&mut worker);
    let named = baselines.as_str().expect("it has a name");
    assert!(
        named.starts_with("baseline networks 6x64 up to 9x9 and "),
        "{named}"
    );
    assert!(named.ends_with(" up to 19x19"), "{named}");

    assert_eq!(give(&mut worker, NetworkKind::Own, OF_KATAGO), None);
    let own = "network tiny (2x1, KataGo's version 8)";
    assert_eq!(network(&mut worker), own);
    // What is no network says so in one line, and changes nothing.
    let trouble = give(&mut worker, NetworkKind::Own, CUT_OFF).unwrap();
    assert!(!trouble.is_empty() && !trouble.contains('\n'), "{trouble}");
    assert_eq!(network(&mut worker), own);
    worker.act(|host, _| host.drop_network());
    assert_eq!(network(&mut worker), baselines);
}

#[test]
fn a_network_that_somebody_has_brought_is_asked() {
    let mut worker = Worker::new();
    worker.act(|host, _| host.add_network(NetworkKind::Own, OF_KATAGO));
    let person = small(&json!({"kind": "person"}));
    let game = worker.call(1, "games.new", &person)["result"]["id"].clone();
    // The engine of an analysis trusts whom it trusted when it began; the next one the new judge.
    let watch = json!({"game": game, "node": 0, "max_visits": 20});
    let mut moves = Vec::new();
    for _ in 0..2 {
        worker.call(1, "analysis.watch", &watch);
        let letter = worker.work_until(|letter| letter["message"]["done"] == true);
        assert!(letter["message"]["visits"].as_u64().unwrap() >= 20);
        moves.push(letter["message"]["moves"].clone());
        worker.act(|host, _| host.drop_network());
    }
    assert_ne!(moves[0], moves[1]);
}

#[test]
fn who_analyses_has_turns_while_engines_play_each_other() {
    let mut worker = Worker::new();
    let engine = json!({"kind": "engine", "level": 19});
    let mut battle = small(&engine);
    battle["black"] = engine;
    battle["width"] = json!(9);
    let game = worker.call(1, "games.new", &battle)["result"]["id"].clone();
    worker.call(1, "watch", &json!({"game": game}));
    let person = small(&json!({"kind": "person"}));
    let other = worker.call(2, "games.new", &person)["result"]["id"].clone();
    let watch = json!({"game": other, "node": 0, "max_visits": 300});
    worker.call(2, "analysis.watch", &watch);
    let letter = worker.work_until(|letter| letter["message"]["event"] == "analysis");
    assert_eq!(letter["viewer"], 2);
    worker.work_until(|letter| letter["message"]["change"]["added"].is_array());
    // With both viewers gone, nobody thinks.
    worker.act(|host, now| host.leave(1, now));
    worker.act(|host, now| host.leave(2, now));
    assert!(!worker.busy);
}

#[test]
fn a_hint_comes_later_to_whom_asked_for_it() {
    let mut worker = Worker::new();
    let person = small(&json!({"kind": "person"}));
    let game = worker.call(7, "games.new", &person)["result"]["id"].clone();
    assert_eq!(
        worker.call(7, "game.hint", &json!({"game": game})),
        Value::Null
    );
    let id = worker.calls;
    let letter = worker.work_until(|letter| letter["message"]["id"] == id);
    assert_eq!(letter["viewer"], 7);
    assert!(letter["message"]["result"]["move"].is_string());
}

#[test]
fn a_small_board_is_solved_without_a_thread_and_engines_play_on() {
    let mut worker = Worker::new();
    let mut tiny = small(&json!({"kind": "person"}));
    tiny["width"] = json!(3);
    tiny["height"] = json!(3);
    let game = worker.call(1, "games.new", &tiny)["result"]["id"].clone();
    let engine = worker.call(
        2,
        "games.new",
        &small(&json!({"kind": "engine", "level": 1})),
    );
    let other = engine["result"]["id"].clone();
    worker.call(1, "exact.watch", &json!({"game": game, "node": 0}));
    worker.call(
        2,
        "game.play",
        &json!({"game": other, "node": 0, "move": "C3"}),
    );
    let proven =
        |letter: &Value| letter["message"]["event"] == "exact" && letter["message"]["done"] == true;
    let letter = worker.work_until(proven);
    assert_eq!(letter["viewer"], 1);
    assert_eq!(letter["message"]["lower"], 9);
    while worker.busy {
        worker.work();
    }
    let sheet = worker.call(2, "game.get", &json!({"game": other}));
    assert_eq!(sheet["result"]["live"], 2);
}

#[test]
fn what_is_no_message_is_refused() {
    let mut worker = Worker::new();
    for text in [
        "",
        "[]",
        "{\"id\":1}",
        "{\"id\":1,\"method\":\"about\",\"more\":1}",
    ] {
        worker.act(|host, now| host.call(1, text, now));
        let last = worker.messages.last().unwrap();
        assert_eq!(last["message"]["error"]["code"], "invalid_params");
    }
    let file = worker.call(1, "game.file", &json!({"game": "x", "kind": "sgf"}));
    assert_eq!(file["error"]["code"], "no_game");
}
