//! People who play, and keep a ledger of what they were told.

use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::World;
use super::dice::Dice;
use super::http::{Reply, call};
use super::ledger::{Entry, Kind, Pending, line};

/// Games that a player has at a time.
const GAMES: usize = 4;

/// A record to be opened, with a number of moves.
const RECORD: &str = "(;GM[1]FF[4]CA[UTF-8]SZ[9]KM[7];B[ee];W[cc](;B[gg];W[cg])(;B[gc]))";

/// A player with games of its own.
pub(super) struct Player<'a> {
    world: &'a World,
    dice: Dice,
    games: Vec<String>,
}

impl<'a> Player<'a> {
    pub(super) fn new(world: &'a World, number: usize) -> Self {
        Self {
            world,
            dice: Dice::new(world.seed, &format!("player {number}")),
            games: Vec::new(),
        }
    }

    /// Plays until the time is over.
    pub(super) fn run(&mut self) {
        while !self.world.is_over() {
            let wait = self.dice.below(60);
            thread::sleep(Duration::from_millis(wait));
            self.games
                .retain(|game| self.world.ledger().games.contains_key(game));
            if self.games.is_empty() || (self.games.len() < GAMES && self.dice.percent(10)) {
                match self.dice.percent(15) {
                    true => self.upload(),
                    false => self.begin(),
                }
                continue;
            }
            let game = self.dice.pick(&self.games).clone();
            let Some(entry) = self.world.ledger().games.get(&game).cloned() else {
                continue;
            };
            // What became of the last call must be known before the next one.
            if entry.pending.is_some() {
                self.look(&game);
                continue;
            }
            let choice = self.dice.below(100);
            match (entry.kind, entry.is_over) {
                (Kind::Upload, _) => match choice {
                    0..=19 => self.change(&game, "games.delete", json!({}), &Pending::Deletion),
                    _ => self.look(&game),
                },
                (_, true) => match choice {
                    0..=49 => self.change(&game, "games.delete", json!({}), &Pending::Deletion),
                    50..=59 => self.change(&game, "game.undo", json!({}), &Pending::Undo),
                    _ => self.look(&game),
                },
                (_, false) => self.play_on(&game, &entry, choice),
            }
        }
    }

    fn play_on(&mut self, game: &str, entry: &Entry, choice: u64) {
        match choice {
            0..=74 => {
                let to = match self.dice.percent(4) {
                    true => "pass".to_owned(),
                    false => self.dice.point(entry.size),
                };
                let color = if entry.moves.len().is_multiple_of(2) {
                    "B"
                } else {
                    "W"
                };
                let pending = Pending::Move(format!("{color} {to}"));
                let params = json!({ "node": entry.live, "move": to });
                self.change(game, "game.play", params, &pending);
            }
            75..=79 => self.change(game, "game.undo", json!({}), &Pending::Undo),
            80 => self.change(
                game,
                "game.resign",
                json!({ "color": "black" }),
                &Pending::Ending,
            ),
            81..=84 => {
                let method = *self.dice.pick(&["game.hint", "game.estimate"]);
                self.ask(method, &json!({ "game": game }));
            }
            85..=88 => {
                self.ask("games.list", &json!({}));
            }
            89..=91 => {
                self.ask("game.record", &json!({ "game": game }));
            }
            _ => self.look(game),
        }
    }

    /// Calls a method, unless there is no server at the moment. How long it takes is noted, and why it is refused.
    fn ask(&self, method: &str, params: &Value) {
        self.world.with_server(|address| {
            let begin = Instant::now();
            let reply = call(address, method, params);
            let is_engines = matches!(method, "game.hint" | "game.estimate");
            self.world.figures.waited(begin.elapsed(), is_engines);
            self.world.figures.counts().calls += 1;
            self.note(method, &reply);
        });
    }

    /// Begins a game: with people or against an engine, with a clock or without.
    fn begin(&mut self) {
        let size = self.dice.between(5, 9);
        let rules = *self
            .dice
            .pick(&["tromp-taylor", "chinese", "japanese", "aga"]);
        let is_engine = self.dice.percent(30);
        let is_timed = self.dice.percent(40);
        let person = json!({ "kind": "person" });
        let white = match is_engine {
            true => json!({ "kind": "engine", "level": 1 }),
            false => person.clone(),
        };
        let mut params = json!({
            "width": size, "height": size, "rules": rules, "black": person, "white": white,
        });
        if is_timed {
            params["clock"] = json!({ "main_seconds": 4 * 3600 });
        }
        // Nobody else may look into the ledger between the answer and the entry.
        let begun = self.world.with_server(|address| {
            self.world.figures.counts().calls += 1;
            match call(address, "games.new", &params) {
                Reply::Done(sheet) => {
                    self.world.figures.counts().games_begun += 1;
                    let kind = if is_engine {
                        Kind::Engine
                    } else {
                        Kind::People
                    };
                    self.enter(&sheet, kind, is_timed)
                }
                reply => self.note("games.new", &reply),
            }
        });
        self.games.extend(begun.flatten());
    }

    /// Opens a record.
    fn upload(&mut self) {
        let params = json!({ "text": RECORD, "name": "soak.sgf" });
        let opened = self.world.with_server(|address| {
            self.world.figures.counts().calls += 1;
            let opened = match call(address, "games.open", &params) {
                Reply::Done(opened) => opened["games"][0]["id"].clone(),
                reply => return self.note("games.open", &reply),
            };
            match call(address, "game.get", &json!({ "game": opened })) {
                Reply::Done(sheet) => {
                    let moves = line(&sheet).len() as u64;
                    self.world.figures.counts().moves_acknowledged += moves;
                    self.enter(&sheet, Kind::Upload, false)
                }
                reply => self.note("game.get", &reply),
            }
        });
        self.games.extend(opened.flatten());
    }

    /// Notes that a call was not done. There is no game that it has made.
    fn note(&self, method: &str, reply: &Reply) -> Option<String> {
        match reply {
            Reply::Refused(code) => self.world.figures.refused(code.clone()),
            Reply::Cut => self.world.figures.counts().calls_cut += 1,
            Reply::Silent => self
                .world
                .figures
                .problem(format_args!("{method}: no answer")),
            Reply::Done(_) => {}
        }
        None
    }

    /// Enters a game into the ledger, and returns its name.
    fn enter(&self, sheet: &Value, kind: Kind, is_timed: bool) -> Option<String> {
        let Some(id) = sheet["id"].as_str() else {
            self.world
                .figures
                .problem(format_args!("a game without a name: {sheet}"));
            return None;
        };
        let entry = Entry {
            kind,
            moves: line(sheet),
            live: sheet["live"].as_u64().unwrap_or_default(),
            size: sheet["width"].as_u64().unwrap_or(5),
            is_timed,
            is_over: sheet["phase"] != "playing",
            pending: None,
        };
        self.world.ledger().games.insert(id.to_owned(), entry);
        Some(id.to_owned())
    }

    /// Asks for a game, and compares it with what was promised.
    fn look(&self, game: &str) {
        self.world.with_server(|address| {
            let begin = Instant::now();
            let reply = call(address, "game.get", &json!({ "game": game }));
            self.world.figures.waited(begin.elapsed(), false);
            self.world.figures.counts().calls += 1;
            self.settle(game, &reply);
        });
    }

    fn settle(&self, game: &str, reply: &Reply) {
        let mut ledger = self.world.ledger();
        let Some(entry) = ledger.games.get_mut(game) else {
            return;
        };
        match reply {
            Reply::Done(sheet) => self.world.compare(game, entry, Some(sheet)),
            Reply::Refused(code) if code == "no_game" => {
                self.world.compare(game, entry, None);
                ledger.games.remove(game);
            }
            reply => {
                self.note("game.get", reply);
            }
        }
    }

    /// Asks for a change, and enters it in the ledger when it is acknowledged.
    fn change(&self, game: &str, method: &str, mut params: Value, pending: &Pending) {
        params["game"] = json!(game);
        self.world.with_server(|address| {
            if let Some(entry) = self.world.ledger().games.get_mut(game) {
                entry.pending = Some(pending.clone());
            }
            let begin = Instant::now();
            let reply = call(address, method, &params);
            self.world.figures.waited(begin.elapsed(), false);
            self.world.figures.counts().calls += 1;
            let mut ledger = self.world.ledger();
            let Some(entry) = ledger.games.get_mut(game) else {
                return;
            };
            match reply {
                Reply::Done(result) => match pending {
                    Pending::Move(action) => {
                        entry.pending = None;
                        entry.moves.push(action.clone());
                        entry.live = result["node"].as_u64().unwrap_or_default();
                        self.world.figures.counts().moves_acknowledged += 1;
                        // Two passes end the play, and an engine may have answered.
                        if action.ends_with("pass") {
                            entry.pending = Some(Pending::Ending);
                        }
                    }
                    Pending::Undo => {
                        entry.pending = None;
                        entry.moves = line(&result);
                        entry.live = result["live"].as_u64().unwrap_or_default();
                        entry.is_over = result["phase"] != "playing";
                    }
                    Pending::Ending => {
                        entry.pending = None;
                        entry.is_over = true;
                    }
                    Pending::Deletion => {
                        ledger.games.remove(game);
                        self.world.deleted(game);
                    }
                },
                Reply::Refused(code) => {
                    // These two do not say that it was not done.
                    if code != "not_saved" && code != "cancelled" {
                        entry.pending = None;
                    }
                    // The game is not where we think it is: an engine has moved, say.
                    if matches!(code.as_str(), "not_live" | "not_your_turn" | "wrong_phase") {
                        entry.pending = Some(Pending::Ending);
                    }
                    self.world.figures.refused(code);
                }
                reply => {
                    self.note(method, &reply);
                }
            }
        });
    }
}
