//! `tengen dummy`: a program that speaks GTP and plays anything, to try out what drives such programs.

use std::io::{self, BufRead, Write};
use std::str::FromStr;
use std::thread;
use std::time::Duration;

use anyhow::Result;
use clap::Args;
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use tengen_core::{Color, Game, Komi, Move, Point, PointSet, Preset, Size};

/// Play random moves in GTP, or break the protocol as told.
///
/// For tests of programs that drive Go programs.
#[derive(Args)]
pub(crate) struct DummyArgs {
    /// What it calls itself.
    #[arg(long, default_value = "Dummy")]
    name: String,
    /// The seed of its moves.
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// What to do on a move of its own, such as crash@3: resign, pass, illegal, garbage, refuse, crash or stall.
    #[arg(long, value_name = "WHAT@MOVE")]
    act: Vec<Act>,
    /// The stones that it takes for dead, such as "A1 B2", or none; without this it does not know `final_status_list`.
    #[arg(long, value_name = "POINTS")]
    dead: Option<String>,
}

/// What to do on which move, the first being 1.
#[derive(Clone, Copy)]
struct Act {
    what: What,
    at: u32,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum What {
    Resign,
    Pass,
    Illegal,
    Garbage,
    Refuse,
    Crash,
    Stall,
}

impl FromStr for Act {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("`{text}` is not like crash@3");
        let (what, at) = text.split_once('@').ok_or_else(wrong)?;
        let what = match what {
            "resign" => What::Resign,
            "pass" => What::Pass,
            "illegal" => What::Illegal,
            "garbage" => What::Garbage,
            "refuse" => What::Refuse,
            "crash" => What::Crash,
            "stall" => What::Stall,
            _ => return Err(wrong()),
        };
        let at = at.parse().map_err(|_| wrong())?;
        Ok(Self { what, at })
    }
}

const COMMANDS: &str = "\
boardsize\nclear_board\nfinal_status_list\ngenmove\nkomi\nlist_commands\nname\nplay\nprotocol_version\nquit\nversion";

/// Answers commands until there are no more.
pub(crate) fn run(args: &DummyArgs) -> Result<()> {
    let mut player = Dummy {
        args,
        game: Game::new(Size::square(9)?, Preset::Chinese.rules()),
        rng: Xoshiro256PlusPlus::seed_from_u64(args.seed),
        moves: 0,
    };
    let mut out = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        let line = line?;
        let words: Vec<&str> = line.split_whitespace().collect();
        let answer = match words.as_slice() {
            [] => continue,
            ["quit", ..] => {
                write!(out, "=\n\n")?;
                return Ok(());
            }
            [command, arguments @ ..] => player.answer(command, arguments),
        };
        match answer {
            Answer::Done(text) => write!(out, "= {text}\n\n")?,
            Answer::Refused(text) => write!(out, "? {text}\n\n")?,
            Answer::Garbage(text) => write!(out, "{text}\n\n")?,
            Answer::Nothing => loop {
                thread::sleep(Duration::from_secs(3600));
            },
            Answer::End => {
                writeln!(io::stderr(), "crashed on purpose")?;
                std::process::exit(3);
            }
        }
        out.flush()?;
    }
    Ok(())
}

enum Answer {
    Done(String),
    Refused(String),
    Garbage(String),
    Nothing,
    End,
}

struct Dummy<'a> {
    args: &'a DummyArgs,
    game: Game,
    rng: Xoshiro256PlusPlus,
    /// How many moves of this game it was asked for.
    moves: u32,
}

impl Dummy<'_> {
    fn answer(&mut self, command: &str, arguments: &[&str]) -> Answer {
        let done = || Answer::Done(String::new());
        let refused = |text: &str| Answer::Refused(text.to_owned());
        match (command, arguments) {
            ("protocol_version", _) => Answer::Done("2".to_owned()),
            ("name", _) => Answer::Done(self.args.name.clone()),
            ("version", _) => Answer::Done(env!("CARGO_PKG_VERSION").to_owned()),
            ("list_commands", _) => Answer::Done(match self.args.dead {
                Some(_) => COMMANDS.to_owned(),
                None => COMMANDS.replace("final_status_list\n", ""),
            }),
            ("boardsize", [side]) => match side.parse() {
                Ok(size) => {
                    self.restart(size);
                    done()
                }
                Err(_) => refused("unacceptable size"),
            },
            ("clear_board", []) => {
                self.restart(self.game.size());
                done()
            }
            ("komi", [komi]) => match komi.parse::<Komi>() {
                Ok(komi) => {
                    self.game.set_komi(komi);
                    done()
                }
                Err(_) => refused("syntax error"),
            },
            ("play", [color, vertex]) => match (color.parse(), self.vertex(vertex)) {
                (Ok(color), Some(action)) => {
                    self.game.set_to_move(color);
                    match self.game.play(action) {
                        Ok(()) => done(),
                        Err(_) => refused("illegal move"),
                    }
                }
                _ => refused("invalid color or coordinate"),
            },
            ("genmove", [color]) => match color.parse() {
                Ok(color) => self.genmove(color),
                Err(_) => refused("syntax error"),
            },
            ("final_status_list", ["dead"]) => match self.args.dead.as_deref() {
                Some("none") => done(),
                Some(points) => Answer::Done(points.to_owned()),
                None => refused("unknown command"),
            },
            ("final_status_list", [_]) => done(),
            _ => refused("unknown command"),
        }
    }

    fn vertex(&self, text: &str) -> Option<Move> {
        Move::from_gtp(text, self.game.size()).ok()
    }

    fn restart(&mut self, size: Size) {
        self.game = Game::new(size, Preset::Chinese.rules());
        self.moves = 0;
    }

    fn genmove(&mut self, color: Color) -> Answer {
        self.moves += 1;
        let number = self.moves;
        let act = self.args.act.iter().find(|act| act.at == number);
        let size = self.game.size();
        let action = match act.map(|act| act.what) {
            Some(What::Resign) => return Answer::Done("resign".to_owned()),
            Some(What::Garbage) => return Answer::Garbage("what?".to_owned()),
            Some(What::Refuse) => return Answer::Refused("I do not feel like it".to_owned()),
            Some(What::Crash) => return Answer::End,
            Some(What::Stall) => return Answer::Nothing,
            Some(What::Illegal) => {
                let board = self.game.board();
                let taken = *board.stones(Color::Black) | *board.stones(Color::White);
                let point = taken.first().unwrap_or(Point::new(0, 0));
                return Answer::Done(point.to_gtp(size));
            }
            Some(What::Pass) => Move::Pass,
            None => self.sensible_move(color),
        };
        self.game.set_to_move(color);
        self.game.play_unchecked(action);
        Answer::Done(action.to_gtp(size))
    }

    /// A legal move that fills no eye of its own, or a pass.
    fn sensible_move(&mut self, color: Color) -> Move {
        self.game.set_to_move(color);
        let board = self.game.board();
        let legal = self.game.legal_moves();
        let sensible: PointSet = legal
            .iter()
            .filter(|point| !board.is_eye(*point, color))
            .collect();
        let rank = (u64::from(self.rng.next_u32()) * sensible.len() as u64) >> 32;
        sensible.nth(rank as usize).map_or(Move::Pass, Move::Play)
    }
}
