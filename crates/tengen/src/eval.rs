//! `tengen eval`: who is stronger among networks and the search with rollouts?

mod player;
mod standings;

use std::convert::Infallible;
use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::thread;

use anyhow::{Result, bail};
use clap::Args;
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use tengen_core::{Komi, Size};
use tengen_search::Stop;
use tengen_train::{Match, Pool, Tally};

use crate::failure::Usage;
use crate::interrupt::Interrupt;
use crate::progress::ProgressLine;
use player::{Contender, Name};
use standings::Standings;

/// Rate networks and the search with rollouts against each other.
///
/// Everybody plays everybody, all in this process. A PLAYER is a network in a file, with so many visits a move behind
/// an `@`: at `net.safetensors@0` the policy alone chooses. `rollouts@2000` is the search without a network. Without an
/// `@`, `--visits` says how many.
///
/// Games come in pairs, which have one opening in common, so that both players get each side of it: its moves are drawn
/// from the policy of the network that is named first, and where neither player has one, from all legal moves. Rules
/// are Tromp and Taylor's.
///
/// The ratings are those that make all results together most likely, with the interval that holds the true one 95 times
/// of 100. The player that is named first has 0. Ctrl-C ends the games under way, and shows how it stands.
///
/// `tengen match` is for programs that speak GTP, and for games by the clock.
#[derive(Args)]
#[command(after_long_help = "\
Examples:
  tengen eval runs/9x9/nets/000049.safetensors runs/9x9/nets/000099.safetensors rollouts@2000 --games 100
  tengen eval net.safetensors@0 net.safetensors@64 net.safetensors@400")]
pub(crate) struct EvalArgs {
    /// Two players or more, such as net.safetensors@64 or rollouts@2000
    #[arg(value_name = "PLAYER", num_args = 2.., required = true)]
    players: Vec<Name>,

    /// Games between each two players, an even number
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..))]
    games: u32,

    /// The board
    #[arg(long, default_value = "9")]
    size: Size,

    /// White's komi; if it is left out, what is fair as far as that is known: 7.5 on 9x9
    #[arg(long, allow_negative_numbers = true)]
    komi: Option<Komi>,

    /// Visits a move of players that do not say how many
    #[arg(long, value_name = "V", default_value_t = 64)]
    visits: u32,

    /// Moves of each game that are drawn
    #[arg(long, value_name = "K", default_value_t = 4)]
    openings: u32,

    /// How many games are played at once; as many as there are cores if it is left out
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,

    /// The seed of all that is random
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,

    /// Print a JSON object
    #[arg(long)]
    json: bool,

    /// Report progress even if standard error is not a terminal
    #[arg(long)]
    progress: bool,
}

/// Two games with one opening.
struct Pair {
    /// The numbers of the players.
    players: [usize; 2],
    /// The seed of the pair.
    seed: u64,
}

pub(crate) fn run(args: &EvalArgs) -> Result<()> {
    if !args.games.is_multiple_of(2) {
        return Err(Usage::new("games come in pairs: --games is an even number").into());
    }
    let players = Contender::all(&args.players, args.visits)?;
    let pairs = pairs(players.len(), args.games / 2, args.seed);
    let stop = Stop::new();
    Interrupt::stops(&stop)?;
    let mut standings = Standings::new(&players, args);
    let mut progress = ProgressLine::new(args.progress);
    let mut played = 0;
    play(args, &players, &pairs, &stop, &mut |pair, tally| {
        standings.add(pair.players, tally);
        played += 1;
        progress.report(2 * played, 2 * pairs.len());
    });
    drop(progress);
    let mut out = io::stdout().lock();
    if args.json {
        let report = serde_json::to_string_pretty(&standings.report())?;
        writeln!(out, "{report}")?;
    } else {
        standings.print(&mut out)?;
    }
    out.flush()?;
    if played < pairs.len() {
        bail!(
            "interrupted after {} of {} games",
            2 * played,
            2 * pairs.len()
        );
    }
    Ok(())
}

/// All pairs of games. Every two players meet before any two meet again, so that whoever ends it early sees something
/// of all.
fn pairs(players: usize, of_each: u32, seed: u64) -> Vec<Pair> {
    let mut generator = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut pairs = Vec::new();
    for _ in 0..of_each {
        let seed = generator.next_u64();
        for first in 0..players {
            for second in first + 1..players {
                pairs.push(Pair {
                    players: [first, second],
                    seed,
                });
            }
        }
    }
    pairs
}

/// Plays pairs of games until there are no more, or somebody stops it; then a pair with one game is left out.
fn play(
    args: &EvalArgs,
    players: &[Contender],
    pairs: &[Pair],
    stop: &Stop,
    see: &mut dyn FnMut(&Pair, Tally),
) {
    let threads = match args.threads {
        Some(threads) => threads.get(),
        None => thread::available_parallelism().map_or(1, usize::from),
    };
    let pool = Pool { threads, stop };
    let play = |(): &mut (), pair: &Pair| {
        let [first, second] = pair.players.map(|number| &players[number].player);
        match_of(args, pair).play(first, second, stop)
    };
    let kept: Result<(), Infallible> = pool.run(
        pairs,
        || (),
        play,
        |pair, tally| {
            if tally.wins + tally.draws + tally.losses == 2 {
                see(pair, tally);
            }
            Ok(())
        },
    );
    kept.unwrap_or_else(|never| match never {});
}

fn match_of(args: &EvalArgs, pair: &Pair) -> Match {
    Match {
        size: args.size,
        komi: args.komi,
        games: 2,
        opening_moves: args.openings,
        threads: 1,
        seed: pair.seed,
    }
}
