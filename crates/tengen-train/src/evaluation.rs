//! Games that show whether a network has become stronger, and what it thinks of boards whose value is known.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;

use rand_core::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use serde::{Deserialize, Serialize};
use tengen_core::{Color, Game, Komi, Move, Rules, Size};
use tengen_nn::katago::{self, KataGoEvaluator};
use tengen_nn::{Net, NetEvaluator};
use tengen_search::{Choice, Engine, Evaluator, Limits, Options, Stop, Task};

use crate::dice;
use crate::gumbel::{Gumbel, GumbelOptions, Noise};
use crate::selfplay::next_end;
use crate::settings::SelfPlay;

/// Somebody who plays in an evaluation.
#[derive(Clone, Debug)]
pub enum Player {
    /// A network with so many visits a move; with 0, its policy alone.
    Network(Arc<Net>, u32),
    /// A network of KataGo with so many visits a move; with 0, its policy alone.
    KataGo(Arc<katago::Net>, u32),
    /// The search with rollouts with so many visits a move.
    Rollouts(u32),
}

/// The results of games, as the first player sees them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    /// Games won.
    pub wins: u32,
    /// Games drawn.
    pub draws: u32,
    /// Games lost.
    pub losses: u32,
}

impl Tally {
    /// The share of points.
    pub fn share(self) -> f64 {
        let games = f64::from((self.wins + self.draws + self.losses).max(1));
        (f64::from(self.wins) + f64::from(self.draws) / 2.0) / games
    }
}

/// A match between two players on this machine.
#[derive(Clone, Copy, Debug)]
pub struct Match {
    /// The board.
    pub size: Size,
    /// White's komi; the fair one of the board if there is none.
    pub komi: Option<Komi>,
    /// How many games. Every two of them have the same opening and exchanged colours.
    pub games: u32,
    /// So many moves are drawn from the policy of the first player that has one; if none has, from all legal ones.
    pub opening_moves: u32,
    /// How many games are played at once.
    pub threads: usize,
    /// The seed of all that is random.
    pub seed: u64,
}

impl Match {
    /// Plays all games, or as many as there were before `stop`.
    pub fn play(&self, first: &Player, second: &Player, stop: &Stop) -> Tally {
        let next = AtomicU32::new(0);
        let worker = || {
            let mut tally = Tally::default();
            let mut players = [first.seat(self.seed), second.seat(self.seed)];
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if number >= self.games || stop.is_stopped() {
                    return tally;
                }
                let first_color = if number.is_multiple_of(2) {
                    Color::Black
                } else {
                    Color::White
                };
                match self.play_game(&mut players, first_color, u64::from(number / 2)) {
                    Some(winner) if winner == first_color => tally.wins += 1,
                    Some(_) => tally.losses += 1,
                    None => tally.draws += 1,
                }
            }
        };
        let mut sum = Tally::default();
        thread::scope(|scope| {
            let workers: Vec<_> = (0..self.threads.max(1))
                .map(|_| scope.spawn(worker))
                .collect();
            for worker in workers {
                if let Ok(tally) = worker.join() {
                    sum.wins += tally.wins;
                    sum.draws += tally.draws;
                    sum.losses += tally.losses;
                }
            }
        });
        sum
    }

    fn play_game(
        &self,
        players: &mut [Seat; 2],
        first_color: Color,
        opening: u64,
    ) -> Option<Color> {
        let mut rng =
            Xoshiro256PlusPlus::seed_from_u64(self.seed ^ opening.wrapping_mul(0x9e37_79b9));
        let rules = Rules::default();
        let mut game = Game::new(
            self.size,
            Rules {
                komi: self.komi,
                ..rules
            },
        );
        let settings = SelfPlay::default();
        for player in players.iter_mut() {
            player.forget();
        }
        loop {
            if let Some((_, settlement)) = next_end(&game, &settings) {
                let score = game.score_settled(&settlement);
                return score.outcome(game.rules().ties).winner();
            }
            let turn = game.turns().len() as u32;
            let action = if turn < self.opening_moves {
                let drawn = players
                    .iter_mut()
                    .find_map(|player| player.draw(&game, &mut rng));
                drawn.unwrap_or_else(|| any_stone(&game, &mut rng))
            } else {
                let place = usize::from(game.to_move() != first_color);
                players[place].choose(&game, &mut rng)
            };
            game.play_unchecked(action);
        }
    }
}

/// Any legal stone; a pass if there is none.
fn any_stone(game: &Game, rng: &mut Xoshiro256PlusPlus) -> Move {
    let legal = game.legal_moves();
    if legal.is_empty() {
        return Move::Pass;
    }
    let drawn = legal.nth(dice::below(rng, legal.len() as u64) as usize);
    drawn.map_or(Move::Pass, Move::Play)
}

/// A player who sits at a board.
enum Seat {
    Network(Box<dyn Evaluator>, Box<Gumbel>, u32),
    Rollouts(Box<Engine>, u32),
}

impl Player {
    /// The same player with so many visits a move.
    #[must_use]
    pub fn with_visits(self, visits: u32) -> Self {
        match self {
            Self::Network(net, _) => Self::Network(net, visits),
            Self::KataGo(net, _) => Self::KataGo(net, visits),
            Self::Rollouts(_) => Self::Rollouts(visits),
        }
    }

    fn seat(&self, seed: u64) -> Seat {
        match self {
            Self::Network(net, visits) => Seat::Network(
                Box::new(NetEvaluator::new(Arc::clone(net))),
                Box::new(Gumbel::new(quiet(*visits))),
                *visits,
            ),
            Self::KataGo(net, visits) => Seat::Network(
                Box::new(KataGoEvaluator::new(Arc::clone(net))),
                Box::new(Gumbel::new(quiet(*visits))),
                *visits,
            ),
            Self::Rollouts(visits) => {
                let options = Options {
                    threads: 1,
                    seed,
                    memory: 256 << 20,
                };
                Seat::Rollouts(Box::new(Engine::new(options)), *visits)
            }
        }
    }
}

/// A search that plays its best.
fn quiet(visits: u32) -> GumbelOptions {
    GumbelOptions {
        simulations: visits,
        noise: Noise::Off,
        ..GumbelOptions::default()
    }
}

impl Seat {
    fn forget(&mut self) {
        if let Self::Rollouts(engine, _) = self {
            engine.clear();
        }
    }

    /// A move drawn from the policy, if it has one.
    fn draw(&mut self, game: &Game, rng: &mut Xoshiro256PlusPlus) -> Option<Move> {
        let Self::Network(evaluator, search, _) = self else {
            return None;
        };
        search.set_options(GumbelOptions {
            simulations: 0,
            ..GumbelOptions::default()
        });
        Some(search.search(evaluator.as_mut(), game, rng).action)
    }

    fn choose(&mut self, game: &Game, rng: &mut Xoshiro256PlusPlus) -> Move {
        match self {
            Self::Network(evaluator, search, visits) => {
                search.set_options(quiet(*visits));
                search.search(evaluator.as_mut(), game, rng).action
            }
            Self::Rollouts(engine, visits) => {
                let choice = Choice {
                    task: Task {
                        limits: Limits::visits(*visits),
                        ..Task::default()
                    },
                    ..Choice::default()
                };
                let decision = engine.choose(game, &choice, &Stop::new(), &mut |_| {});
                decision.action.unwrap_or(Move::Pass)
            }
        }
    }
}

/// The komi that a network takes for fair on an empty board, with so many visits: Black is seen to win with half a
/// point less, and White with half a point more.
pub fn fair_komi(net: &Arc<Net>, size: Size, visits: u32) -> i32 {
    let mut evaluator = NetEvaluator::new(Arc::clone(net));
    let mut search = Gumbel::new(quiet(visits));
    let mut black_wins = |komi: i32| {
        let rules = Rules::default().with_komi(Komi::from_halves((2 * komi - 1) as i16));
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(0);
        let game = Game::new(size, rules);
        search.search(&mut evaluator, &game, &mut rng).black_wins > 0.5
    };
    let area = size.area() as i32;
    // Black wins with half a point less than `low`, and not with half a point less than `high`.
    let (mut low, mut high) = (-area, area + 1);
    while high - low > 1 {
        let middle = (low + high).div_euclid(2);
        if black_wins(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
    low
}

/// The first move that a network plays on an empty board with this komi, and how likely Black is to win.
pub fn first_move(net: &Arc<Net>, size: Size, komi: Komi, visits: u32) -> (Move, f32) {
    let mut evaluator = NetEvaluator::new(Arc::clone(net));
    let mut search = Gumbel::new(quiet(visits));
    let game = Game::new(size, Rules::default().with_komi(komi));
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(0);
    let plan = search.search(&mut evaluator, &game, &mut rng);
    (plan.action, plan.black_wins)
}
