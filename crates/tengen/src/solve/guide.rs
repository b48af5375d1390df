//! Another program's moves, to be tried first near the root.

use std::collections::VecDeque;
use std::time::Duration;

use anyhow::{Context, Result};
use tengen_core::{Game, Ko, Move, Rules, Setup, Suicide};
use tengen_gtp::client::{Client, ClientError, CommandLine, NewGame};
use tengen_search::Stop;
use tengen_solver::Solver;

/// How long the program may take for an answer, a move included.
const REPLY_TIMEOUT: Duration = Duration::from_secs(60);

/// The program is asked about all positions up to this many moves from the root.
const MOVES: usize = 2;

/// The rules that the program is told: those under which the solver searches.
const RULES: Rules = Rules {
    ko: Ko::Simple,
    suicide: Suicide::Forbidden,
    ..Rules::TROMP_TAYLOR
};

/// Asks a program for its moves near the root, and tells the solver.
///
/// What it says can make the search faster or slower, but nothing wrong.
pub(crate) fn advise(solver: &mut Solver, line: &CommandLine) -> Result<usize> {
    let stop = Stop::new();
    let mut client = Client::start(line, &stop).context("cannot start the guide")?;
    client
        .learn_commands(REPLY_TIMEOUT)
        .context("the guide failed")?;
    let mut advised = 0;
    let mut seen = Vec::new();
    let mut waiting = VecDeque::from([(*solver.setup(), 0)]);
    while let Some((setup, depth)) = waiting.pop_front() {
        let canonical = setup.canonical().setup;
        if seen.contains(&canonical) {
            continue;
        }
        seen.push(canonical);
        if let Some(action) = ask(&mut client, &setup).context("the guide failed")? {
            solver.advise(&setup, action);
            advised += 1;
        }
        if depth == MOVES {
            continue;
        }
        let Ok(game) = Game::from_setup(&setup, RULES) else {
            continue;
        };
        for point in game.legal_moves() {
            let mut after = game.clone();
            if after.play(Move::Play(point)).is_ok() {
                waiting.push_back((after.position(), depth + 1));
            }
        }
    }
    client.quit(REPLY_TIMEOUT);
    Ok(advised)
}

/// The program's move in a position, unless it resigns.
fn ask(client: &mut Client, setup: &Setup) -> Result<Option<Move>, ClientError> {
    let game = NewGame {
        start: setup,
        rules: &RULES,
        komi: RULES.komi_for(setup.size),
        time: None,
    };
    client.begin_game(&game, REPLY_TIMEOUT)?;
    let answer = client.genmove(setup.to_move, REPLY_TIMEOUT)?;
    Ok(Move::from_gtp(&answer, setup.size).ok())
}
