//! A batch beside games that are played one by one.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use tengen_core::{Color, Game, Move, MoveLimit, Outcome, Preset, Rules, Size};
use tengen_env::{
    Actions, Batch, Features, GameSpec, Layout, Options, Outputs, Planes, RecentBoards,
};

/// Games of all rule sets on boards of several sizes.
fn specs() -> Vec<GameSpec> {
    let sizes = [(9, 9), (5, 5), (2, 2), (7, 4), (3, 8), (1, 6)];
    let presets = Preset::ALL.into_iter().cycle();
    (sizes.into_iter().cycle().take(66).zip(presets))
        .map(|((width, height), preset)| GameSpec {
            size: Size::new(width, height).unwrap(),
            rules: Rules {
                max_moves: MoveLimit::TimesArea(2),
                ..preset.rules()
            },
        })
        .collect()
}

/// All that a batch writes.
struct Written {
    observation: Vec<u8>,
    mask: Vec<u8>,
    packed: Vec<u8>,
    rewards: Vec<f32>,
    terminated: Vec<u8>,
    to_move: Vec<u8>,
    moves: Vec<i32>,
    score: Vec<f32>,
}

impl Written {
    fn of(batch: &Batch) -> Self {
        let games = batch.len();
        let actions = batch.actions().count();
        let values = batch.observer().map_or(0, tengen_env::Observer::len);
        Self {
            observation: vec![9; games * values],
            mask: vec![9; games * actions],
            packed: vec![9; games * actions.div_ceil(8)],
            rewards: vec![9.0; games * 2],
            terminated: vec![9; games],
            to_move: vec![9; games],
            moves: vec![9; games],
            score: vec![9.0; games],
        }
    }

    fn outputs(&mut self) -> Outputs<'_> {
        Outputs {
            observation: Some(Planes::Bytes(&mut self.observation)),
            final_observation: None,
            mask: Some(&mut self.mask),
            packed: Some(&mut self.packed),
            rewards: Some(&mut self.rewards),
            terminated: Some(&mut self.terminated),
            to_move: Some(&mut self.to_move),
            moves: Some(&mut self.moves),
            score: Some(&mut self.score),
        }
    }
}

/// The planes of one game, taken from the definition rather than from the fast path.
fn planes(game: &Game, actions: Actions, features: Features) -> Vec<u8> {
    let recent = RecentBoards::of(game, actions);
    let planes = features.planes(game, &recent, game.to_move());
    let points = (0..actions.pass()).map(|number| match actions.action(number) {
        Some(Move::Play(point)) => point,
        other => panic!("{other:?} is no point"),
    });
    points
        .flat_map(|point| {
            planes
                .iter()
                .map(move |plane| u8::from(plane.contains(point)))
        })
        .collect()
}

fn check(batch: &Batch, games: &[Game], written: &Written, ended: &[bool], features: Features) {
    let actions = batch.actions();
    for (index, game) in games.iter().enumerate() {
        let mask = &written.mask[index * actions.count()..][..actions.count()];
        let packed = &written.packed[index * actions.count().div_ceil(8)..];
        for (number, legal) in mask.iter().enumerate() {
            let action = actions.action(number).unwrap();
            let fits = action == Move::Pass || game.check(action).is_ok();
            assert_eq!(*legal, u8::from(fits), "game {index}, action {number}");
            assert_eq!(packed[number / 8] >> (number % 8) & 1, *legal);
        }
        let reward = match game.outcome().filter(|_| ended[index]) {
            Some(Outcome::Win(Color::Black, _)) => 1.0,
            Some(Outcome::Win(Color::White, _)) => -1.0,
            _ => 0.0,
        };
        assert_eq!(written.rewards[2 * index..][..2], [reward, -reward]);
        assert_eq!(written.terminated[index], u8::from(game.is_over()));
        assert_eq!(
            written.to_move[index],
            u8::from(game.to_move() == Color::White)
        );
        assert_eq!(written.moves[index], game.turns().len() as i32);
        assert_eq!(written.score[index].is_nan(), !ended[index]);
        if ended[index] {
            let margin = game.score().margin_halves() as f32 / 2.0;
            assert_eq!(written.score[index], margin);
        }
        let values = features.count() * actions.pass();
        let observation = &written.observation[index * values..][..values];
        assert_eq!(observation, planes(game, actions, features), "game {index}");
    }
}

fn play(threads: usize, features: Features, steps: usize) {
    let specs = specs();
    let options = Options {
        planes: Some((features, Layout::ChannelsLast)),
        threads,
        ..Options::default()
    };
    let mut batch = Batch::new(&specs, options);
    let mut games: Vec<Game> = (specs.iter())
        .map(|spec| Game::new(spec.size, spec.rules))
        .collect();
    let mut written = Written::of(&batch);
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(5);
    batch.reset(None, written.outputs()).unwrap();
    check(
        &batch,
        &games,
        &written,
        &vec![false; games.len()],
        features,
    );
    let mut ends = 0;
    for _ in 0..steps {
        let mut ended = Vec::new();
        let mut actions = Vec::new();
        for game in &mut games {
            if game.is_over() {
                game.restart();
                actions.push(-7);
                ended.push(false);
                continue;
            }
            let action = game.random_move(&mut rng);
            actions.push(batch.actions().number(action) as i32);
            game.play(action).unwrap();
            ended.push(game.is_over());
        }
        ends += ended.iter().filter(|ended| **ended).count();
        batch.step(&actions, written.outputs()).unwrap();
        check(&batch, &games, &written, &ended, features);
    }
    assert!(ends > 100, "only {ends} games came to an end");
}

#[test]
fn a_batch_plays_as_its_games_do() {
    play(1, Features::AlphaGoZero, 400);
}

#[test]
fn threads_change_nothing() {
    play(3, Features::AlphaGoZero, 120);
}

#[test]
fn tactical_planes_are_what_they_say() {
    play(1, Features::Tactical, 120);
}
