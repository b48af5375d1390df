//! A game in a room of its own, and an engine that does what the room wants done.

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use tengen_app::{Comments, Copy, Effort, Event, Fact, Report, Room, RoomSettings, Viewer, Work};
use tengen_core::{Color, Stop};
use tengen_search::{Judge, Options};

/// The only viewer of the room.
const VIEWER: Viewer = Viewer(1);

/// How games are looked through.
pub(super) struct Asked {
    pub judge: Judge,
    pub effort: Effort,
    /// How many threads search a position.
    pub threads: usize,
    pub memory: usize,
    pub seed: u64,
}

/// How far a review has come.
#[derive(Clone, Copy)]
pub(super) struct Progress {
    /// 0 is the first look at all positions.
    pub round: u32,
    pub done: usize,
    pub total: usize,
}

/// A game that was looked through.
pub(super) struct Review {
    pub title: String,
    pub moves: Vec<ReviewedMove>,
    copy: Copy,
}

/// A move that was played, and what a search says of it. Leads and win rates are Black's.
pub(super) struct ReviewedMove {
    /// The number of the move, from 1.
    pub number: usize,
    pub color: Color,
    pub action: String,
    pub lost: f64,
    /// The standard error of that.
    pub error: f64,
    pub best: String,
    pub line: Vec<String>,
    /// Black's, before the move.
    pub winrate: f64,
    pub lead: f64,
    pub settled: bool,
    pub facts: Vec<Fact>,
}

/// The parts of messages that matter here.
#[derive(Deserialize)]
struct Opened {
    games: Vec<OpenedGame>,
}

#[derive(Deserialize)]
struct OpenedGame {
    id: String,
    title: String,
}

#[derive(Deserialize)]
struct Found {
    nodes: Vec<FoundNode>,
}

#[derive(Deserialize)]
struct FoundNode {
    node: usize,
    winrate: f64,
    lead: f64,
    best: String,
    pv: Vec<String>,
    settled: bool,
    next: Option<FoundMove>,
}

#[derive(Deserialize)]
struct FoundMove {
    node: usize,
    #[serde(rename = "move")]
    action: String,
    lost: f64,
    lost_error: f64,
    facts: Vec<Fact>,
}

#[derive(Deserialize)]
struct View {
    number: usize,
    to_move: Color,
}

impl Review {
    /// The record with what was found, also in comments if that is wanted.
    pub(super) fn sgf(&self, comments: bool) -> String {
        self.copy.sgf(match comments {
            true => Comments::Added,
            false => Comments::Own,
        })
    }
}

impl Asked {
    /// Looks through the main line of the first game of a record; `None` if it was stopped.
    ///
    /// Every game gets an engine of its own, so that none depends on those before.
    pub(super) fn review(
        &self,
        record: &str,
        stop: &Stop,
        say: &dyn Fn(Progress),
    ) -> Result<Option<Review>, String> {
        let mut room = Room::new(RoomSettings {
            effort: self.effort,
            ..RoomSettings::default()
        });
        let opened: Opened = call(
            &mut room,
            "games.open",
            json!({"text": record, "keep": false}),
        )?;
        let Some(OpenedGame { id, title }) = opened.games.into_iter().next() else {
            return Err("no game".to_owned());
        };
        let mut engine = self.judge.engine(Options {
            threads: self.threads.max(1),
            seed: self.seed,
            memory: self.memory,
        });
        call::<Value>(&mut room, "review.start", json!({ "game": id }))?;
        loop {
            let outbox = room.take_outbox();
            for event in outbox.events.into_iter().map(|delivery| delivery.event) {
                match event {
                    Event::Review {
                        round, done, total, ..
                    } => say(Progress { round, done, total }),
                    Event::ReviewFailed { failed, .. } => return Err(failed),
                    _ => {}
                }
            }
            if outbox.jobs.is_empty() {
                break;
            }
            for job in outbox.jobs {
                let number = job.id;
                let mut reports = Vec::new();
                Work::new(job).finish(&mut engine, stop, &mut |report| reports.push(report));
                if stop.is_stopped() {
                    return Ok(None);
                }
                for report in reports {
                    let is_last = matches!(report, Report::Done(_) | Report::Failed(_));
                    room.report(number, report, 0);
                    if is_last {
                        break;
                    }
                }
            }
        }
        let found: Found = call(&mut room, "review.get", json!({ "game": id }))?;
        let mut moves = Vec::new();
        for node in found.nodes {
            let Some(next) = node.next else {
                continue;
            };
            let mut view = |node: usize| -> Result<View, String> {
                call(&mut room, "game.view", json!({"game": id, "node": node}))
            };
            moves.push(ReviewedMove {
                number: view(next.node)?.number,
                color: view(node.node)?.to_move,
                action: next.action,
                lost: next.lost,
                error: next.lost_error,
                best: node.best,
                line: node.pv,
                winrate: node.winrate,
                lead: node.lead,
                settled: node.settled,
                facts: next.facts,
            });
        }
        let copy = room.copy(&id).map_err(|refusal| refusal.to_string())?;
        Ok(Some(Review { title, moves, copy }))
    }
}

/// What a room answers at once.
fn call<R: DeserializeOwned>(room: &mut Room, method: &str, params: Value) -> Result<R, String> {
    let reply = room.call(method, params, VIEWER, 0);
    let reply = reply.map_err(|refusal| refusal.to_string())?;
    let value = reply.now().unwrap_or_default();
    serde_json::from_value(value).map_err(|error| format!("{method}: {error}"))
}
