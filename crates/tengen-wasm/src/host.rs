//! The room, and whoever thinks for it.

use std::collections::HashMap;
use std::time::Duration;

use serde::Deserialize;
use serde_json::{Value, json};
use tengen_app::{
    AnswerMessage, Call, Code, File, HostMethod, HostReply, OfFile, Refusal, Reply, Room,
    RoomSettings, Ticket, Viewer,
};
use tengen_search::{Judge, Time};

use crate::file;
use crate::networks::{NetworkKind, Networks};
use crate::output::{Letter, Output, Saved};
use crate::tasks::Tasks;

/// The room with all games, and the engines that think for it. Whatever happens, [`Host::take_output`] says what there
/// is to do.
///
/// ```
/// use std::time::Duration;
/// use tengen_wasm::Host;
///
/// let mut host = Host::new(|| Duration::ZERO);
/// host.call(1, r#"{"id": 7, "method": "about"}"#, 0);
/// assert!(host.take_output().contains(r#""id":7"#));
/// ```
#[derive(Debug)]
pub struct Host {
    room: Room,
    tasks: Tasks,
    networks: Networks,
    /// Calls whose answers come later.
    waiting: HashMap<Ticket, Value>,
    output: Output,
    now: u64,
}

/// A game that was kept.
#[derive(Deserialize)]
struct Kept {
    game: String,
    sgf: String,
}

impl Host {
    /// A host without games. Searches ask there for the time.
    pub fn new(time: Time) -> Self {
        Self {
            room: Room::new(settings()),
            tasks: Tasks::new(time),
            networks: Networks::default(),
            waiting: HashMap::new(),
            output: Output::default(),
            now: 0,
        }
    }

    /// A page says something: `{"id":…,"method":…,"params":{…}}`.
    pub fn call(&mut self, viewer: u64, text: &str, now: u64) {
        let Call { id, method, params } = match serde_json::from_str(text) {
            Ok(call) => call,
            Err(error) => {
                let refusal = Refusal::new(Code::InvalidParams, error.to_string());
                self.answer(viewer, Value::Null, Err(refusal));
                return;
            }
        };
        let reply = match HostMethod::named(&method) {
            Some(own) => own.call(self, params).and_then(|reply| match reply {
                HostReply::Now(result) => Ok(Reply::Now(result)),
                HostReply::Open(file) => self.call_room(viewer, "games.open", json!(file), now),
            }),
            None => self.call_room(viewer, &method, params, now),
        };
        match reply {
            Ok(Reply::Now(result)) => self.answer(viewer, id, Ok(result)),
            Ok(Reply::Later(ticket)) => _ = self.waiting.insert(ticket, id),
            // Only a host that writes results down elsewhere gets them as text.
            Ok(text @ Reply::Text(_)) => {
                self.answer(viewer, id, Ok(text.now().unwrap_or_default()));
            }
            Err(refusal) => self.answer(viewer, id, Err(refusal)),
        }
    }

    fn call_room(
        &mut self,
        viewer: u64,
        method: &str,
        params: Value,
        now: u64,
    ) -> Result<Reply, Refusal> {
        let now = self.at(now);
        self.room.call(method, params, Viewer(viewer), now)
    }

    /// A page is gone.
    pub fn leave(&mut self, viewer: u64, now: u64) {
        let now = self.at(now);
        self.room.leave(Viewer(viewer), now);
    }

    /// Brings a game back that was kept: `{"game":…,"sgf":…}`.
    pub fn restore(&mut self, text: &str, now: u64) {
        let now = self.at(now);
        let kept = serde_json::from_str(text).map_err(|error| error.to_string());
        let restored = kept.and_then(|Kept { game, sgf }| {
            let done = self.room.restore(&game, &sgf, now);
            done.map_err(|refusal| refusal.to_string())
        });
        self.output.trouble = restored.err();
    }

    /// A network has arrived as the bytes of its file. What begins from now on trusts it; the output says its name, or
    /// why it cannot be used.
    pub fn add_network(&mut self, kind: NetworkKind, bytes: &[u8]) {
        self.output.trouble = self.networks.add(kind, bytes).err();
        self.trust();
    }

    /// Goes back to the baselines.
    pub fn drop_network(&mut self) {
        self.networks.drop_own();
        self.trust();
    }

    fn trust(&mut self) {
        let judge = self.networks.judge();
        let name = judge.name().to_owned();
        let is_network = name != Judge::default().name();
        self.room.set_network(is_network.then(|| name.clone()));
        self.output.network = Some(name);
        self.tasks.trust(judge);
    }

    /// The time goes on.
    pub fn tick(&mut self, now: u64) {
        let now = self.at(now);
        self.room.tick(now);
    }

    /// Thinks for a while. What comes of it has happened at the time that it took.
    pub fn work(&mut self, time: Duration, now: u64) {
        let Some((job, reports)) = self.tasks.work(time) else {
            return;
        };
        let taken = u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        let now = self.at(now.saturating_add(taken));
        for report in reports {
            self.room.report(job, report, now);
        }
    }

    /// What is to be done now, as JSON: `{"saves":[…],"messages":[…],"busy":…,"tick":…}`.
    pub fn take_output(&mut self) -> String {
        let outbox = self.room.take_outbox();
        for job in outbox.cancelled {
            self.tasks.cancel(job);
        }
        for job in outbox.jobs {
            self.tasks.begin(job);
        }
        for answer in outbox.answers {
            if let Some(id) = self.waiting.remove(&answer.ticket) {
                self.answer(answer.viewer.0, id, answer.result);
            }
        }
        let mut output = std::mem::take(&mut self.output);
        for delivery in outbox.events {
            let Ok(message) = serde_json::to_value(&delivery.event) else {
                continue;
            };
            let letters = delivery.viewers.iter().map(|viewer| Letter {
                viewer: viewer.0,
                message: message.clone(),
            });
            output.messages.extend(letters);
        }
        let saves = outbox.saves.into_iter();
        output.saves = saves
            .map(|save| Saved {
                game: save.game,
                sgf: save.record.map(|record| record.to_sgf()),
            })
            .collect();
        output.busy = !self.tasks.is_empty();
        output.tick = self.room.next_tick(self.now);
        serde_json::to_string(&output).unwrap_or_default()
    }

    fn answer(&mut self, viewer: u64, id: Value, result: Result<Value, Refusal>) {
        let message = json!(AnswerMessage::new(id, result));
        self.output.messages.push(Letter { viewer, message });
    }

    /// The clock of a computer may be set back; in the room time never goes back.
    fn at(&mut self, now: u64) -> u64 {
        self.now = self.now.max(now);
        self.now
    }
}

impl tengen_app::Host for Host {
    fn file(&self, wanted: OfFile) -> Result<File, Refusal> {
        file::file(&self.room, &wanted)
    }
}

/// What is offered without a server: no programs of others, no training runs, and no pictures of pixels, which a page
/// can make itself.
fn settings() -> RoomSettings {
    let defaults = RoomSettings::default();
    let features = [
        ("export_animation", true),
        ("export_gif", false),
        ("export_png", true),
        ("export_svg", true),
        ("networks", true),
        ("programs", false),
        ("runs", false),
    ];
    let features = features.map(|(name, is)| (name.to_owned(), is));
    RoomSettings {
        features: defaults.features.into_iter().chain(features).collect(),
        ..defaults
    }
}
