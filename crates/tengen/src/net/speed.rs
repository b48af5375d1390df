//! How fast networks are.

use std::hint::black_box;
use std::time::{Duration, Instant};

use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use tengen_core::{Game, Move, Rules, Size, Symmetry};
use tengen_nn::{Inputs, Net, Workspace, katago};

use crate::failure::Usage;
use crate::named_net::{AnyNet, NamedNet};

/// How long each of a few runs takes at least. The fastest counts, because noise only ever makes a run slower.
const RUN: Duration = Duration::from_millis(100);
const RUNS: usize = 5;

/// How many positions are judged in turn.
pub(super) const POSITIONS: usize = 64;

/// Judges positions, and says nothing about them.
type Judging<'a> = Box<dyn FnMut(&[Game]) + 'a>;

/// Positions of 9 × 9 that a network judges in a second.
pub(super) fn of(net: &Net) -> f64 {
    nine_by_nine(&mut own(net))
}

/// The same for a network of KataGo.
pub(super) fn of_katago(net: &katago::Net) -> f64 {
    nine_by_nine(&mut of_kata_go(net))
}

/// Positions a second of several networks, which take turns, so many positions being judged together.
pub(super) fn in_turns(
    nets: &[(String, AnyNet)],
    size: Size,
    together: usize,
    seconds: f64,
) -> Result<Vec<f64>, Usage> {
    let games = positions(size);
    let mut judges: Vec<Judging<'_>> = Vec::new();
    for (name, net) in nets {
        judges.push(match net {
            AnyNet::Own(NamedNet { net, .. }) => Box::new(own(net)),
            AnyNet::KataGo(net, _) => {
                let most = katago::Net::LONGEST_SIDE;
                if size.width().max(size.height()) > most {
                    let problem =
                        format_args!("{name}: networks of KataGo know boards up to {most}x{most}");
                    return Err(Usage::new(problem));
                }
                Box::new(of_kata_go(net))
            }
        });
    }
    let run = Duration::from_secs_f64(seconds / RUNS as f64);
    let mut most = vec![0.0; nets.len()];
    // The first one prepares the weights.
    for judge in &mut judges {
        judge(&games[..1]);
    }
    for _ in 0..RUNS {
        for (judge, most) in judges.iter_mut().zip(&mut most) {
            *most = f64::max(*most, measure(judge.as_mut(), &games, together, run));
        }
    }
    Ok(most)
}

fn own(net: &Net) -> impl FnMut(&[Game]) {
    let mut workspace = Workspace::default();
    move |games| {
        let positions = games
            .iter()
            .map(|game| (Inputs::new(game), Symmetry::IDENTITY));
        let positions: Vec<_> = positions.collect();
        black_box(net.evaluate(&mut workspace, &positions));
    }
}

fn of_kata_go(net: &katago::Net) -> impl FnMut(&[Game]) {
    let mut workspace = katago::Workspace::default();
    move |games| {
        let inputs = |game| katago::Inputs::of(game, &katago::InputOptions::default());
        let inputs: Vec<katago::Inputs> = games.iter().map(inputs).collect();
        let positions: Vec<_> = games
            .iter()
            .zip(&inputs)
            .map(|(game, inputs)| katago::Position::of(game, inputs, Symmetry::IDENTITY))
            .collect();
        black_box(net.evaluate(&mut workspace, games[0].size(), &positions));
    }
}

fn nine_by_nine(judge: &mut dyn FnMut(&[Game])) -> f64 {
    let games = positions(Size::square(9).expect("there are boards of this size"));
    // The first one prepares the weights.
    judge(&games[..1]);
    let runs = (0..RUNS).map(|_| measure(judge, &games, 1, RUN));
    runs.fold(0.0, f64::max)
}

fn measure(judge: &mut dyn FnMut(&[Game]), games: &[Game], together: usize, run: Duration) -> f64 {
    let start = Instant::now();
    let mut count = 0;
    for games in games.chunks_exact(together).cycle() {
        judge(games);
        count += games.len();
        if start.elapsed() >= run {
            break;
        }
    }
    count as f64 / start.elapsed().as_secs_f64()
}

/// The positions of the first moves of a random game.
fn positions(size: Size) -> Vec<Game> {
    let mut game = Game::new(size, Rules::default());
    let mut generator = Xoshiro256PlusPlus::seed_from_u64(1);
    let mut games = Vec::new();
    for _ in 0..POSITIONS {
        let legal = game.legal_moves();
        let drawn = generator.next_u64() as usize % legal.len().max(1);
        game.play_unchecked(legal.nth(drawn).map_or(Move::Pass, Move::Play));
        games.push(game.clone());
    }
    games
}
