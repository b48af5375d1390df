//! Another program's moves, to be tried first near the root.

use std::collections::VecDeque;
use std::time::Duration;

use anyhow::{Context, Result};
use tengen_core::{Color, Game, Ko, Move, Rules, Setup, Suicide};
use tengen_gtp::client::{Client, CommandLine};
use tengen_search::Stop;
use tengen_solver::Solver;

/// How long the program may think about a move.
const PATIENCE: Duration = Duration::from_secs(60);

/// The program is asked about all positions up to this many moves from the root.
const MOVES: usize = 2;

/// Asks a program for its moves near the root, and tells the solver.
///
/// What it says can make the search faster or slower, but nothing wrong.
pub(crate) fn advise(solver: &mut Solver, line: &CommandLine) -> Result<usize> {
    let stop = Stop::new();
    let mut client = Client::start(line, &stop).context("cannot start the guide")?;
    let mut advised = 0;
    let rules = Rules {
        ko: Ko::Simple,
        suicide: Suicide::Forbidden,
        ..Rules::TROMP_TAYLOR
    };
    let mut seen = Vec::new();
    let mut waiting = VecDeque::from([(*solver.setup(), 0)]);
    while let Some((setup, depth)) = waiting.pop_front() {
        let canonical = setup.canonical().setup;
        if seen.contains(&canonical) {
            continue;
        }
        seen.push(canonical);
        if let Some(action) = ask(&mut client, &setup)? {
            solver.advise(&setup, action);
            advised += 1;
        }
        if depth == MOVES {
            continue;
        }
        let Ok(game) = Game::from_setup(&setup, rules) else {
            continue;
        };
        for point in game.legal_moves() {
            let mut after = game.clone();
            if after.play(Move::Play(point)).is_ok() {
                waiting.push_back((after.position(), depth + 1));
            }
        }
    }
    client.quit(PATIENCE);
    Ok(advised)
}

/// The program's move in a position, unless it resigns.
fn ask(client: &mut Client, setup: &Setup) -> Result<Option<Move>> {
    let mut say = |command: &str| client.send(command, PATIENCE).context("the guide failed");
    let size = setup.size;
    if size.is_square() {
        say(&format!("boardsize {}", size.width()))?;
    } else {
        say(&format!(
            "rectangular_boardsize {} {}",
            size.width(),
            size.height()
        ))?;
    }
    say("clear_board")?;
    for color in Color::BOTH {
        for point in setup.stones[color] {
            say(&format!("play {color} {}", point.to_gtp(size)))?;
        }
    }
    let answer = say(&format!("genmove {}", setup.to_move))?;
    Ok(Move::from_gtp(answer.trim(), size).ok())
}
