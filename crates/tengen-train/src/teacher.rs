//! Games of the search with rollouts, to begin with.
//!
//! A network with random weights teaches itself little for many games. Games of a search that plays well without a
//! network bring it to where its own games are worth more.

use rand_core::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use serde::{Deserialize, Serialize};
use tengen_core::{Game, Move};
use tengen_env::Actions;
use tengen_search::{Candidate, Engine, Limits, Options, Stop, Task};

use crate::dice;
use crate::record::{GameRecord, Target, quantized};
use crate::selfplay::{finished, next_end};
use crate::settings::{Occasion, SelfPlay, SelfPlayError};

/// How a search with rollouts teaches.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Teacher {
    /// The number of games: they are the first generation.
    pub games: u64,
    /// The visits of each search.
    #[serde(default = "visits")]
    pub visits: u32,
    /// The share of moves that are drawn from what was searched, and not the best, so that games differ.
    #[serde(default = "wandering")]
    pub wandering: f64,
}

const fn visits() -> u32 {
    600
}

const fn wandering() -> f64 {
    0.15
}

/// The memory of a teacher's tree.
const MEMORY: usize = 64 << 20;

/// Plays a game of the teacher with itself, on a board and by rules that the settings name.
pub fn teach_game(
    teacher: &Teacher,
    settings: &SelfPlay,
    seed: u64,
) -> Result<GameRecord, SelfPlayError> {
    settings.check()?;
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let Occasion { size, rules, .. } = settings.draw(&mut rng);
    let opening = dice::exponential(&mut rng, settings.opening_moves * size.area() as f64) as usize;
    let mut game = Game::new(size, rules);
    let mut engine = Engine::new(Options {
        threads: 1,
        seed,
        memory: MEMORY,
    });
    let task = Task {
        limits: Limits::visits(teacher.visits),
        ..Task::default()
    };
    let actions = Actions::on(size);
    let mut targets = Vec::new();
    loop {
        if let Some((end, settlement)) = next_end(&game, settings) {
            return Ok(finished(&game, &settlement, end, targets, seed));
        }
        let turn = game.turns().len();
        let analysis = engine.analyze(&game, &task, &Stop::new(), &mut |_| {});
        let number = |candidate: &Candidate| actions.number(candidate.action) as u16;
        let shares = analysis
            .moves
            .iter()
            .map(|candidate| (number(candidate), candidate.visits as f32));
        let sign = game.to_move().sign(1) as f32;
        let wins = analysis.worth.win_rate;
        if turn >= opening {
            targets.push(Target {
                turn: turn as u16,
                policy: quantized(shares.collect()),
                black_wins: if sign > 0.0 { wins } else { 1.0 - wins },
                black_lead: sign * analysis.worth.lead,
                visits: analysis.visits,
            });
        }
        let wanders = turn < opening || dice::unit(&mut rng) < teacher.wandering;
        let action = if wanders {
            let weights = analysis
                .moves
                .iter()
                .map(|candidate| match candidate.action {
                    Move::Pass => 0.0,
                    Move::Play(_) if turn < opening => f64::from(candidate.prior),
                    Move::Play(_) => f64::from(candidate.visits),
                });
            dice::weighted(&mut rng, weights)
                .map_or_else(|| analysis.best(), |place| analysis.moves[place].action)
        } else {
            analysis.best()
        };
        game.play_unchecked(action);
    }
}
