//! What becomes of games that have ended.

use tengen_core::{Rules, Size};
use tengen_env::{AutoReset, Batch, Features, GameSpec, Layout, Options, Outputs, Planes};

const PASS: i32 = 4;

fn batch(reset: AutoReset) -> Batch {
    let spec = GameSpec {
        size: Size::square(2).unwrap(),
        rules: Rules::default(),
    };
    let options = Options {
        reset,
        planes: Some((Features::AlphaGoZero, Layout::ChannelsLast)),
        ..Options::default()
    };
    Batch::new(&[spec; 2], options)
}

/// The number of own and enemy stones that the newest board of each of the two observations shows.
fn stones(observation: &[u8]) -> Vec<(u8, u8)> {
    let count = |game: &[u8], plane: usize| game.chunks(17).map(|point| point[plane]).sum();
    let games = observation.chunks(4 * 17);
    games.map(|game| (count(game, 0), count(game, 1))).collect()
}

#[derive(Debug)]
struct Seen {
    stones: Vec<(u8, u8)>,
    final_stones: Vec<(u8, u8)>,
    rewards: [f32; 4],
    terminated: [u8; 2],
    moves: [i32; 2],
}

fn step(batch: &mut Batch, actions: [i32; 2]) -> Seen {
    let mut observation = vec![0; 2 * 4 * 17];
    let mut final_observation = vec![0; 2 * 4 * 17];
    let (mut rewards, mut terminated, mut moves) = ([9.0; 4], [9; 2], [9; 2]);
    let out = Outputs {
        observation: Some(Planes::Bytes(&mut observation)),
        final_observation: Some(Planes::Bytes(&mut final_observation)),
        rewards: Some(&mut rewards),
        terminated: Some(&mut terminated),
        moves: Some(&mut moves),
        ..Outputs::default()
    };
    batch.step(&actions, out).unwrap();
    Seen {
        stones: stones(&observation),
        final_stones: stones(&final_observation),
        rewards,
        terminated,
        moves,
    }
}

/// Black plays once in each game; then both pass in the first one.
fn to_the_end(batch: &mut Batch) -> Seen {
    step(batch, [0, 0]);
    step(batch, [PASS, 1]);
    step(batch, [PASS, 2])
}

#[test]
fn the_next_step_starts_over() {
    let mut batch = batch(AutoReset::NextStep);
    let seen = to_the_end(&mut batch);
    assert_eq!((seen.terminated, seen.moves), ([1, 0], [3, 3]));
    assert_eq!(seen.rewards, [1.0, -1.0, 0.0, 0.0]);
    assert_eq!(seen.stones[0], (0, 1));
    let seen = step(&mut batch, [-5, PASS]);
    assert_eq!((seen.terminated, seen.moves), ([0, 0], [0, 4]));
    assert_eq!(seen.rewards, [0.0; 4]);
    assert_eq!(seen.stones[0], (0, 0));
}

#[test]
fn the_same_step_starts_over_and_keeps_the_end() {
    let mut batch = batch(AutoReset::SameStep);
    let seen = to_the_end(&mut batch);
    assert_eq!((seen.terminated, seen.moves), ([1, 0], [0, 3]));
    assert_eq!(seen.rewards, [1.0, -1.0, 0.0, 0.0]);
    assert_eq!(seen.stones[0], (0, 0));
    assert_eq!(seen.final_stones[0], (0, 1));
    let seen = step(&mut batch, [3, PASS]);
    assert_eq!((seen.terminated, seen.moves), ([0, 0], [1, 4]));
}

#[test]
fn without_resets_an_ended_game_stands_still() {
    let mut batch = batch(AutoReset::Disabled);
    to_the_end(&mut batch);
    let mut drawn = [0; 2];
    batch.sample(&mut drawn);
    assert_eq!(drawn[0], PASS);
    for action in [PASS, 0, -1] {
        let seen = step(&mut batch, [action, PASS]);
        assert_eq!((seen.terminated[0], seen.moves[0]), (1, 3));
        assert_eq!(seen.rewards[..2], [0.0, 0.0]);
        if seen.terminated[1] == 1 {
            break;
        }
    }
    batch
        .reset(Some(&[true, false]), Outputs::default())
        .unwrap();
    assert_eq!(batch.game(0).turns().len(), 0);
    assert!(!batch.game(1).turns().is_empty());
}
