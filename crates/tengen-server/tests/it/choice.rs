//! GTP and the app drive one choice of a move: what one of them plays, so does the other.

use std::collections::HashMap;

use tengen_app::{Finding, Job, JobId, JobKind, Portion, Report, Work};
use tengen_core::{Color, Game, Move, Preset, Setup, Size};
use tengen_gtp::gtp::{GtpSettings, Session};
use tengen_search::{Choice, Choosing, Engine, Level, Limits, Options, Stop, Task};

const SEED: u64 = 7;
const MEMORY: usize = 16 << 20;

/// A position, how it is searched, and how GTP is led there.
struct Case {
    game: Game,
    level: u8,
    visits: u32,
    commands: Vec<String>,
}

impl Case {
    fn new(game: Game, rules: Preset, visits: u32) -> Self {
        let size = game.size();
        let commands = vec![
            format!("boardsize {}", size.width()),
            format!("kata-set-rules {rules}"),
            format!("komi {}", game.komi()),
            // With a clock, as in the app, a search may end once no other move can become the best.
            "time_settings 100000 0 0".to_owned(),
        ];
        Self {
            game,
            level: Level::FULL.number(),
            visits,
            commands,
        }
    }

    /// Stones that were put on the board.
    fn set_up(diagram: &str, rules: Preset, komi: &str, visits: u32) -> Self {
        let setup: Setup = diagram.parse().unwrap();
        let rules_with_komi = rules.rules().with_komi(komi.parse().unwrap());
        let game = Game::from_setup(&setup, rules_with_komi).unwrap();
        let mut case = Self::new(game, rules, visits);
        let mut stones = String::new();
        for (color, letter) in [(Color::Black, "b"), (Color::White, "w")] {
            for point in case.game.board().stones(color) {
                let vertex = Move::Play(point).to_gtp(case.game.size());
                stones.push_str(&format!(" {letter} {vertex}"));
            }
        }
        case.commands.push(format!("set_position{stones}"));
        case
    }

    /// Moves that were played.
    fn played(side: u8, moves: &str, komi: &str, visits: u32) -> Self {
        let rules = Preset::Chinese.rules().with_komi(komi.parse().unwrap());
        let mut game = Game::new(Size::square(side).unwrap(), rules);
        let mut plays = Vec::new();
        for vertex in moves.split_whitespace() {
            plays.push(format!("play {} {vertex}", letter(game.to_move())));
            let action = Move::from_gtp(vertex, game.size()).unwrap();
            game.play(action).unwrap();
        }
        let mut case = Self::new(game, Preset::Chinese, visits);
        case.commands.extend(plays);
        case
    }

    fn at_level(self, level: u8) -> Self {
        Self { level, ..self }
    }

    fn engine() -> Engine {
        Engine::new(Options {
            threads: 1,
            seed: SEED,
            memory: MEMORY,
        })
    }

    /// What GTP answers to this command, for the player to move.
    fn by_gtp(&self, command: &str) -> String {
        let mut settings = GtpSettings::default();
        let numbers = HashMap::from([
            ("visits", u64::from(self.visits)),
            ("seed", SEED),
            ("threads", 1),
            ("memory", MEMORY as u64 >> 20),
            ("level", u64::from(self.level)),
        ]);
        for (name, value) in numbers {
            settings.set(name, &value.to_string()).unwrap();
        }
        let mut session = Session::new(settings);
        for command in &self.commands {
            let answer = session.answer(command).unwrap();
            assert!(answer.starts_with('='), "{command}: {answer}");
        }
        let command = format!("{command} {}", letter(self.game.to_move()));
        let answer = session.answer(&command).unwrap();
        answer.trim_start_matches('=').trim().to_owned()
    }

    /// What the app's engine plays, searching so many visits at once.
    fn by_app(&self, portion: Option<u32>) -> String {
        let mut work = Work::new(Job {
            id: JobId(1),
            viewer: None,
            game: "g".to_owned(),
            node: 0,
            position: self.game.clone(),
            kind: JobKind::Move {
                level: Level::new(self.level).unwrap(),
                time: None,
                visits: self.visits,
            },
        });
        let portion = Portion {
            visits: portion,
            ..Portion::default()
        };
        let mut engine = Self::engine();
        let mut action = None;
        while !work.is_done() {
            work.step(
                &mut engine,
                portion,
                &Stop::new(),
                &mut |report| match report {
                    Report::Done(Finding::Move(chosen)) => action = Some(chosen),
                    other => panic!("{other:?}"),
                },
            );
        }
        self.written(action.unwrap())
    }

    /// What is chosen in portions where dead stones must be captured.
    fn cleaned_up(&self, portion: u32) -> String {
        let choice = Choice {
            task: Task {
                limits: Limits {
                    visits: Some(self.visits),
                    time: None,
                    may_end_early: true,
                },
                ..Task::default()
            },
            cleanup: true,
            ..Choice::default()
        };
        let portion = tengen_search::Portion {
            visits: Some(portion),
            time: None,
        };
        let mut engine = Self::engine();
        let mut choosing = Choosing::new(&self.game, &choice);
        loop {
            let step = choosing.step(&mut engine, portion, &Stop::new(), &mut |_| {});
            if let Some(decision) = step {
                return self.written(decision.action);
            }
        }
    }

    fn written(&self, action: Option<Move>) -> String {
        action.map_or("resign".to_owned(), |action| {
            action.to_gtp(self.game.size())
        })
    }

    /// What both play.
    fn agreed(&self) -> String {
        let by_gtp = self.by_gtp("genmove");
        for portion in [None, Some(37), Some(1000)] {
            assert_eq!(self.by_app(portion), by_gtp, "in portions of {portion:?}");
        }
        by_gtp
    }
}

const fn letter(color: Color) -> &'static str {
    match color {
        Color::Black => "b",
        Color::White => "w",
    }
}

/// White is alive in the upper half, Black in the lower, with a dead white stone in Black's territory.
const SETTLED: &str = "
    . O . O . O .
    O O O O O O O
    X X X X X X X
    . . . . . . .
    . . O . X . .
    X X X X X . .
    . X . X . . .";

#[test]
fn a_move_is_the_same() {
    let opening = "e5 c3 g3 c6";
    let case = Case::played(9, opening, "7", 300);
    assert!(Move::from_gtp(&case.agreed(), case.game.size()).is_ok());
    for level in [1, 10, 15] {
        let weak = Case::played(9, opening, "7", 300).at_level(level);
        assert_ne!(weak.agreed(), "resign");
    }
}

#[test]
fn a_pass_is_the_same() {
    for rules in [Preset::Chinese, Preset::Japanese] {
        let case = Case::set_up(SETTLED, rules, "0.5", 800);
        assert_eq!(case.agreed(), "pass", "under {rules} rules");
    }
}

#[test]
fn a_resignation_is_the_same() {
    let moves = "d4 d5 e5 c4 d3 e4 f4 e3 d6 c5 f3 d2 c3 b3";
    assert_eq!(Case::played(7, moves, "200", 300).agreed(), "resign");
}

#[test]
fn a_cleanup_is_the_same() {
    // Stones count as they stand, so that the dead one must be captured.
    let counted = Case::set_up(SETTLED, Preset::TrompTaylor, "0.5", 400);
    assert_ne!(counted.agreed(), "pass");
    // Players agree on what is dead, but a client wants to see it captured.
    for rules in [Preset::Chinese, Preset::Japanese] {
        let case = Case::set_up(SETTLED, rules, "0.5", 400);
        let by_gtp = case.by_gtp("kgs-genmove_cleanup");
        assert_ne!(by_gtp, "pass", "under {rules} rules");
        for portion in [37, 1000] {
            assert_eq!(case.cleaned_up(portion), by_gtp, "under {rules} rules");
        }
    }
}
