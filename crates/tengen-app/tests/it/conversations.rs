//! The conversations in `testdata/app`.
//!
//! A conversation is a list of steps. A step with `call` is a call with `params` of a `viewer` (1, if it is not said),
//! which has the `result` or the `error`; `save` keeps parts of the result under names that params write as `$name`.
//! `time` is milliseconds since the beginning. `events` are all since they were last looked at, `jobs` the kinds of all
//! that run. `engine` is what the oldest job comes to; `answer` is that of the oldest call which had to wait. `restart`
//! ends the room and begins another with what was saved; `leave` is a viewer that is gone. Objects that are expected
//! may have more fields than it is said; a `null` stands for a field that is missing, too.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value, json};
use tengen_app::{Finding, JobKind, Limits, Report, RoomSettings};

use crate::host::{Host, analysis};

const START: u64 = 1_000_000;

struct Conversation {
    host: Host,
    names: BTreeMap<String, Value>,
}

impl Conversation {
    /// Puts values in the place of their names.
    fn resolve(&self, value: &Value) -> Value {
        match value {
            Value::String(text) => match text.strip_prefix('$') {
                Some(name) => self
                    .names
                    .get(name)
                    .unwrap_or_else(|| panic!("no ${name}"))
                    .clone(),
                None => json!(text.replace("{version}", env!("CARGO_PKG_VERSION"))),
            },
            Value::Array(items) => items.iter().map(|item| self.resolve(item)).collect(),
            Value::Object(fields) => fields
                .iter()
                .map(|(key, field)| (key.clone(), self.resolve(field)))
                .collect::<Map<_, _>>()
                .into(),
            other => other.clone(),
        }
    }

    fn step(&mut self, step: &Value) {
        let step = self.resolve(step);
        let fields = step.as_object().unwrap();
        let known = [
            "about", "call", "params", "viewer", "result", "error", "save", "time", "events",
            "jobs", "engine", "answer", "restart", "leave",
        ];
        for key in fields.keys() {
            assert!(known.contains(&key.as_str()), "a step has no {key}");
        }
        if let Some(time) = fields.get("time") {
            self.host.tick(START + time.as_u64().unwrap());
        }
        if fields.contains_key("restart") {
            self.host.restart();
        }
        if let Some(viewer) = fields.get("leave") {
            self.host.leave(viewer.as_u64().unwrap());
        }
        if let Some(finding) = fields.get("engine") {
            self.engine(finding);
        }
        if let Some(method) = fields.get("call") {
            self.call(method.as_str().unwrap(), &step);
        }
        if let Some(expected) = fields.get("answer") {
            let answer = self.host.answers.remove(0);
            expect(&outcome(answer), expected);
        }
        if let Some(expected) = fields.get("events") {
            let events = std::mem::take(&mut self.host.events).into_iter();
            let events: Vec<Value> = events
                .map(|(viewers, mut event)| {
                    event["to"] = json!(viewers);
                    event
                })
                .collect();
            expect(&json!(events), expected);
        }
        if let Some(expected) = fields.get("jobs") {
            let jobs: Vec<Value> = self.host.jobs.iter().map(describe).collect();
            expect(&json!(jobs), expected);
        }
    }

    fn call(&mut self, method: &str, step: &Value) {
        let viewer = step
            .get("viewer")
            .map_or(1, |viewer| viewer.as_u64().unwrap());
        let params = step.get("params").cloned().unwrap_or(Value::Null);
        let result = self.host.call(viewer, method, params);
        if let (Ok(result), Some(names)) = (&result, step.get("save")) {
            for (name, pointer) in names.as_object().unwrap() {
                let value = result.pointer(pointer.as_str().unwrap());
                self.names.insert(name.clone(), value.unwrap().clone());
            }
        }
        let outcome = outcome(result);
        match (step.get("result"), step.get("error")) {
            (Some(expected), None) => expect(&outcome, &json!({"result": expected})),
            (None, Some(expected)) => expect(&outcome, &json!({"error": expected})),
            (None, None) => assert!(outcome.get("error").is_none(), "{outcome}"),
            _ => panic!("a call has a result or an error"),
        }
    }

    fn engine(&mut self, finding: &Value) {
        if let Some(text) = finding.get("failed") {
            let job = self.host.jobs[0].id;
            let failed = text.as_str().unwrap().to_owned();
            assert!(self.host.report(job, Report::Failed(failed)));
        } else if let Some(action) = finding.get("move") {
            self.host.engine_plays(action.as_str());
        } else if let Some(found) = finding.get("analysis") {
            let job = self.host.jobs[0].clone();
            let number = |name: &str| found[name].as_f64().unwrap() as f32;
            let moves: Vec<&str> = found["moves"]
                .as_array()
                .unwrap()
                .iter()
                .map(|action| action.as_str().unwrap())
                .collect();
            let visits = number("visits") as u32;
            let found = analysis(&job, visits, number("winrate"), number("lead"), &moves);
            let found = Box::new(found);
            let report = match (finding.get("so_far"), &job.kind) {
                (Some(_), _) => Report::Progress(found),
                (None, JobKind::Estimate { .. }) => {
                    Report::Done(Finding::Estimate(found, Box::default()))
                }
                (None, _) => Report::Done(Finding::Analysis(found)),
            };
            assert!(self.host.report(job.id, report));
        } else {
            let names = |key: &str| -> Vec<&str> {
                let points = finding[key].as_array().into_iter().flatten();
                points.map(|point| point.as_str().unwrap()).collect()
            };
            self.host.engine_proposes(&names("dead"), &names("seki"));
        }
    }
}

fn outcome(result: Result<Value, tengen_app::Refusal>) -> Value {
    match result {
        Ok(result) => json!({"result": result}),
        Err(refusal) => json!({"error": refusal}),
    }
}

/// A job in a few words.
fn describe(job: &tengen_app::Job) -> Value {
    let (kind, detail) = match &job.kind {
        JobKind::Move { level, time, .. } => {
            let ms = time.map(|time| time.as_millis() as u64);
            ("move", json!({"level": level.number(), "ms": ms}))
        }
        JobKind::Program { name, left, .. } => {
            let left: Vec<_> = left
                .iter()
                .map(|(_, time, stones)| json!([time, stones]))
                .collect();
            ("program", json!({"name": name, "left": left}))
        }
        JobKind::Hint { visits } => ("hint", json!({"visits": visits})),
        JobKind::Estimate { visits } => ("estimate", json!({"visits": visits})),
        JobKind::Propose => ("propose", json!({})),
        JobKind::Analyze { visits, .. } => ("analyze", json!({"visits": visits})),
        JobKind::Exact { nodes } => ("exact", json!({"nodes": nodes})),
        JobKind::Proof { nodes, .. } => ("proof", json!({"nodes": nodes})),
        JobKind::Review { visits, beside } => {
            let beside = beside.map(|action| action.to_gtp(job.position.size()));
            ("review", json!({"visits": visits, "beside": beside}))
        }
    };
    let mut described = json!({
        "kind": kind,
        "game": job.game,
        "node": job.node,
        "viewer": job.viewer.map(|viewer| viewer.0),
    });
    for (key, value) in detail.as_object().unwrap() {
        described[key] = value.clone();
    }
    described
}

/// Is what was found all that is expected?
fn expect(found: &Value, expected: &Value) {
    if let Err(problem) = fits(found, expected) {
        panic!("{problem}\n    found {found}\n expected {expected}");
    }
}

fn fits(found: &Value, expected: &Value) -> Result<(), String> {
    match (found, expected) {
        (Value::Object(found), Value::Object(expected)) => {
            expected.iter().try_for_each(|(key, field)| {
                let here = found.get(key).unwrap_or(&Value::Null);
                fits(here, field).map_err(|problem| format!("{key}: {problem}"))
            })
        }
        (Value::Array(found), Value::Array(expected)) if found.len() == expected.len() => found
            .iter()
            .zip(expected)
            .try_for_each(|(found, expected)| fits(found, expected)),
        (Value::Number(found), Value::Number(expected)) => {
            let same = found.as_f64() == expected.as_f64();
            same.then_some(())
                .ok_or_else(|| format!("{found}, not {expected}"))
        }
        _ if found == expected => Ok(()),
        _ => Err(format!("{found}, not {expected}")),
    }
}

fn conversations() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/app");
    let files = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> = files
        .filter(|path| {
            path.extension()
                .is_some_and(|extension| extension == "json")
        })
        .collect();
    files.sort();
    files
}

#[test]
fn conversations_go_as_they_are_written() {
    let files = conversations();
    assert!(files.len() >= 10, "there are conversations");
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        let name = file.file_name().unwrap().to_string_lossy().into_owned();
        let conversation: Value =
            serde_json::from_str(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
        let mut talk = Conversation {
            host: Host::new(settings(&conversation)),
            names: BTreeMap::new(),
        };
        for (number, step) in conversation["steps"].as_array().unwrap().iter().enumerate() {
            // Whoever reads a failure wants to know where it is.
            let step_result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
                talk.step(step);
            }));
            assert!(step_result.is_ok(), "{name}, step {}: {step}", number + 1);
        }
    }
}

fn settings(conversation: &Value) -> RoomSettings {
    let mut settings = RoomSettings::default();
    if let Some(programs) = conversation.get("programs") {
        settings.programs = serde_json::from_value(programs.clone()).unwrap();
    }
    let limit = |name: &str, usual: usize| {
        conversation["limits"]
            .get(name)
            .map_or(usual, |limit| limit.as_u64().unwrap() as usize)
    };
    let usual = Limits::default();
    settings.limits = Limits {
        games: limit("games", usual.games),
        nodes: limit("nodes", usual.nodes),
        depth: limit("depth", usual.depth),
        file_bytes: limit("file_bytes", usual.file_bytes),
        games_of_a_file: limit("games_of_a_file", usual.games_of_a_file),
        comment_bytes: limit("comment_bytes", usual.comment_bytes),
        line_bytes: limit("line_bytes", usual.line_bytes),
        edits: limit("edits", usual.edits),
        watched: limit("watched", usual.watched),
        reviews: limit("reviews", usual.reviews),
        visits: limit("visits", usual.visits as usize) as u32,
        ..usual
    };
    settings
}
