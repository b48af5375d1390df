use serde_json::Value;
use tengen_app::{Limits, Reply, Room, RoomSettings, Viewer};

/// More calls than this say nothing new.
const MOST_CALLS: usize = 60;

/// Calls of any kind, in sequence, are answered or refused without a panic, and every record that a room wants to be
/// saved is one that a room takes up again.
///
/// A line is a viewer's number, a method and its parameters as JSON, in which `$0` to `$3` are the first games; or
/// `tick` and milliseconds; or `leave` and a viewer; or `restart`.
pub fn app(input: &[u8]) {
    let mut host = Host::new();
    let text = String::from_utf8_lossy(input);
    for line in text.split('\n').take(MOST_CALLS) {
        host.obey(line);
        host.empty_outbox();
    }
    host.restart();
}

struct Host {
    room: Room,
    now: u64,
    /// The last record of each game.
    saved: Vec<(String, String)>,
}

fn settings() -> RoomSettings {
    RoomSettings {
        limits: Limits {
            games: 8,
            nodes: 500,
            depth: 200,
            record_bytes: 1 << 14,
            file_bytes: 1 << 14,
            games_of_a_file: 4,
            ..Limits::default()
        },
        ..RoomSettings::default()
    }
}

impl Host {
    fn new() -> Self {
        Self {
            room: Room::new(settings()),
            now: 1_000_000,
            saved: Vec::new(),
        }
    }

    fn obey(&mut self, line: &str) {
        let (first, rest) = line.split_once(' ').unwrap_or((line, ""));
        match first {
            "tick" => {
                self.now += rest.trim().parse().unwrap_or(0_u64) % 10_000_000;
                self.room.tick(self.now);
            }
            "leave" => {
                let viewer = rest.trim().parse().unwrap_or(1);
                self.room.leave(Viewer(viewer), self.now);
            }
            "restart" => self.restart(),
            _ => self.call(first.parse().unwrap_or(1), rest),
        }
    }

    fn call(&mut self, viewer: u64, line: &str) {
        let (method, params) = line.split_once(' ').unwrap_or((line, "{}"));
        let mut params = params.to_owned();
        let games: Vec<String> = self.room.games().map(str::to_owned).collect();
        for (number, game) in games.iter().take(4).enumerate() {
            params = params.replace(&format!("${number}"), game);
        }
        let Ok(params) = serde_json::from_str::<Value>(&params) else {
            return;
        };
        match self.room.call(method, params, Viewer(viewer), self.now) {
            Ok(Reply::Now(result)) => {
                assert!(result.is_object() || result.is_array() || result.is_null());
            }
            Ok(_) => {}
            Err(refusal) => assert!(!refusal.to_string().is_empty()),
        }
    }

    fn empty_outbox(&mut self) {
        for save in self.room.take_outbox().saves {
            self.saved.retain(|(game, _)| *game != save.game);
            if let Some(record) = save.record {
                self.saved.push((save.game, record.to_sgf()));
            }
        }
    }

    /// A new room with what was saved.
    fn restart(&mut self) {
        self.room.close(self.now);
        self.empty_outbox();
        self.room = Room::new(settings());
        for (game, sgf) in &self.saved {
            if let Err(refusal) = self.room.restore(game, sgf, self.now) {
                panic!("{game} was saved as {sgf:?}, and is not taken up again: {refusal}");
            }
        }
        self.empty_outbox();
    }
}
