//! Snapshots of whole batches.

use proptest::prelude::*;
use tengen_core::{Preset, Size};
use tengen_env::{Batch, Features, GameSpec, Layout, Options, Outputs, Planes, SnapshotError};

fn options(seed: u64) -> Options {
    Options {
        planes: Some((Features::AlphaGoZero, Layout::ChannelsFirst)),
        seed,
        threads: 1,
        ..Options::default()
    }
}

fn batch(seed: u64) -> Batch {
    let specs: Vec<GameSpec> = [(5, 5), (9, 9), (3, 7), (2, 2)]
        .into_iter()
        .zip(Preset::ALL)
        .map(|((width, height), preset)| GameSpec {
            size: Size::new(width, height).unwrap(),
            rules: preset.rules(),
        })
        .collect();
    Batch::new(&specs, options(seed))
}

/// Plays on by random moves and returns everything that was seen.
fn play(batch: &mut Batch, steps: usize) -> Vec<u8> {
    let mut seen = Vec::new();
    let values = batch.observer().unwrap().len();
    let mut actions = vec![0; batch.len()];
    for _ in 0..steps {
        let mut observation = vec![0; batch.len() * values];
        let mut mask = vec![0; batch.len() * batch.actions().count()];
        batch.sample(&mut actions);
        let out = Outputs {
            observation: Some(Planes::Bytes(&mut observation)),
            mask: Some(&mut mask),
            ..Outputs::default()
        };
        batch.step(&actions, out).unwrap();
        seen.extend(actions.iter().flat_map(|action| action.to_le_bytes()));
        seen.extend(observation);
        seen.extend(mask);
    }
    seen
}

#[test]
fn a_batch_goes_on_from_a_snapshot_bit_by_bit() {
    for steps in [0, 1, 7, 60, 200] {
        let mut batch = batch(steps as u64);
        play(&mut batch, steps);
        let snapshot = batch.snapshot();
        let mut copy = Batch::from_snapshot(&snapshot, options(99)).unwrap();
        assert_eq!(copy.snapshot(), snapshot);
        let seen = play(&mut batch, 100);
        assert_eq!(play(&mut copy, 100), seen);
        batch.restore(&snapshot).unwrap();
        assert_eq!(play(&mut batch, 100), seen);
    }
}

#[test]
fn other_bytes_are_refused() {
    let mut batch = batch(1);
    play(&mut batch, 20);
    let snapshot = batch.snapshot();
    let refused = |bytes: &[u8]| {
        Batch::from_snapshot(bytes, options(0))
            .map(|_| ())
            .unwrap_err()
    };
    assert_eq!(refused(b"something"), SnapshotError::NotASnapshot);
    assert_eq!(refused(&snapshot[..10]), SnapshotError::Truncated);
    assert_eq!(
        refused(&[&snapshot[..], &[0]].concat()),
        SnapshotError::Trailing(1)
    );
    let error = refused(&snapshot[..snapshot.len() - 1]);
    assert!(
        error
            .to_string()
            .starts_with("game 3 of the snapshot, from byte "),
        "{error}"
    );

    let one = GameSpec {
        size: Size::square(5).unwrap(),
        rules: Preset::Chinese.rules(),
    };
    let other = Batch::new(&[one], options(0)).snapshot();
    assert_eq!(batch.restore(&other), Err(SnapshotError::OtherGames));
    assert_eq!(batch.snapshot(), snapshot);
}

proptest! {
    #[test]
    fn damaged_snapshots_never_panic(place in 0_usize..200, byte in 0_u8..=255) {
        let mut batch = batch(3);
        play(&mut batch, 10);
        let mut snapshot = batch.snapshot();
        let place = place % snapshot.len();
        snapshot[place] = byte;
        if let Ok(mut loaded) = Batch::from_snapshot(&snapshot, options(0)) {
            play(&mut loaded, 3);
        }
    }
}
