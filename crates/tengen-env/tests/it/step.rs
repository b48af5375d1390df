//! Single steps: what is refused, and what an illegal action does.

use tengen_core::{IllegalMove, Preset, Rules, Size};
use tengen_env::{AutoReset, Batch, BatchError, GameSpec, IllegalAction, Options, Outputs};

fn batch(games: usize, options: Options) -> Batch {
    let spec = GameSpec {
        size: Size::square(3).unwrap(),
        rules: Preset::Chinese.rules(),
    };
    Batch::new(&vec![spec; games], options)
}

#[test]
fn one_bad_action_changes_nothing_in_any_game() {
    let mut batch = batch(3, Options::default());
    batch.step(&[0, 4, 8], Outputs::default()).unwrap();
    let before = batch.snapshot();
    let error = batch.step(&[1, 1, 8], Outputs::default()).unwrap_err();
    assert_eq!(
        error,
        BatchError::Action {
            game: 2,
            action: 8,
            actions: 10,
            reason: IllegalMove::Occupied
        }
    );
    assert_eq!(error.to_string(), "game 2: action 8 is illegal: occupied");
    for out_of_range in [-1, 10, i32::MAX, i32::MIN] {
        let error = batch.step(&[1, out_of_range, 1], Outputs::default());
        let error = error.unwrap_err().to_string();
        assert!(error.starts_with(&format!(
            "game 1: action {out_of_range} is not on its board"
        )));
    }
    assert_eq!(batch.snapshot(), before);
}

#[test]
fn lengths_are_checked_before_anything_happens() {
    let mut batch = batch(2, Options::default());
    let before = batch.snapshot();
    let error = batch.step(&[0], Outputs::default()).unwrap_err();
    assert_eq!(error.to_string(), "`actions` has 1 values instead of 2");
    let mut mask = [0; 19];
    let out = Outputs {
        mask: Some(&mut mask),
        ..Outputs::default()
    };
    let error = batch.step(&[0, 0], out).unwrap_err();
    assert_eq!(error.to_string(), "`mask` has 19 values instead of 20");
    assert!(batch.reset(Some(&[true]), Outputs::default()).is_err());
    assert_eq!(batch.snapshot(), before);
}

#[test]
fn an_illegal_action_loses_where_it_is_meant_to() {
    let options = Options {
        illegal: IllegalAction::Loses,
        reset: AutoReset::Disabled,
        ..Options::default()
    };
    let mut batch = batch(2, options);
    let mut rewards = [0.0; 4];
    batch.step(&[4, 4], Outputs::default()).unwrap();
    let out = Outputs {
        rewards: Some(&mut rewards),
        ..Outputs::default()
    };
    batch.step(&[4, 99], out).unwrap();
    assert_eq!(rewards, [1.0, -1.0, 1.0, -1.0]);
    assert_eq!(batch.game(0).outcome().unwrap().to_string(), "B+F");
    assert_eq!(batch.game(0).turns().len(), 1);
}

#[test]
fn a_point_outside_of_a_small_board_is_not_legal() {
    let spec = |side| GameSpec {
        size: Size::square(side).unwrap(),
        rules: Rules::default(),
    };
    let mut batch = Batch::new(&[spec(2), spec(3)], Options::default());
    assert_eq!(batch.frame().to_string(), "3x3");
    let error = batch.step(&[2, 2], Outputs::default()).unwrap_err();
    assert!(matches!(
        error,
        BatchError::Action {
            game: 0,
            action: 2,
            ..
        }
    ));
    // The same number means the same point on both boards.
    batch.step(&[4, 4], Outputs::default()).unwrap();
    for game in 0..2 {
        let point = tengen_core::Point::new(1, 1);
        assert!(batch.game(game).board().color_at(point).is_some());
    }
}

#[test]
fn draws_are_uniform_over_the_legal_actions() {
    let mut batch = batch(1, Options::default());
    batch.step(&[4], Outputs::default()).unwrap();
    let mut counts = [0; 10];
    let mut action = [0];
    for _ in 0..90_000 {
        batch.sample(&mut action);
        counts[action[0] as usize] += 1;
    }
    assert_eq!(counts[4], 0);
    for (action, count) in counts.iter().enumerate().filter(|(action, _)| *action != 4) {
        assert!(
            (9_500..10_500).contains(count),
            "action {action}: {count} of 90000"
        );
    }
}

#[test]
fn rewinding_takes_moves_back() {
    let mut batch = batch(2, Options::default());
    for actions in [[0, 0], [1, 1], [2, 9], [3, 9]] {
        batch.step(&actions, Outputs::default()).unwrap();
    }
    assert!(batch.game(1).is_over());
    let mut other = batch.clone();
    other.rewind(&[2, 3]).unwrap();
    assert_eq!(
        (other.game(0).turns().len(), other.game(1).turns().len()),
        (2, 3)
    );
    assert!(!other.game(1).is_over());
    assert_eq!(batch.game(0).turns().len(), 4);
    other.step(&[2, 9], Outputs::default()).unwrap();
}

#[test]
fn games_that_are_not_marked_wait() {
    let mut batch = batch(3, Options::default());
    let (mut moves, mut terminated) = ([9; 3], [9; 3]);
    let out = Outputs {
        moves: Some(&mut moves),
        terminated: Some(&mut terminated),
        ..Outputs::default()
    };
    let which = [true, false, true];
    batch.step_some(&[4, -9, 4], Some(&which), out).unwrap();
    assert_eq!((moves, terminated), ([1, 0, 1], [0; 3]));
    let error = batch.step_some(&[4, 4, 0], Some(&which), Outputs::default());
    assert!(matches!(error, Err(BatchError::Action { game: 0, .. })));
    assert!(
        batch
            .step_some(&[0; 3], Some(&[true]), Outputs::default())
            .is_err()
    );
}

#[test]
fn a_draw_rewards_nobody_with_a_plain_zero() {
    let spec = GameSpec {
        size: Size::square(3).unwrap(),
        rules: Preset::Chinese.rules().with_komi("0".parse().unwrap()),
    };
    let mut batch = Batch::new(&[spec], Options::default());
    let mut rewards = [9.0; 2];
    batch.step(&[9], Outputs::default()).unwrap();
    let out = Outputs {
        rewards: Some(&mut rewards),
        ..Outputs::default()
    };
    batch.step(&[9], out).unwrap();
    assert_eq!(rewards.map(f32::to_bits), [0; 2]);
}

#[test]
fn games_are_gathered_and_scattered_whole() {
    let mut batch = batch(5, Options::default());
    let mut actions = [0; 5];
    for _ in 0..12 {
        batch.sample(&mut actions);
        batch.step(&actions, Outputs::default()).unwrap();
    }
    let mut chosen = batch.gather(&[3, 0, 3]);
    assert_eq!(chosen.game(0).board().hash(), batch.game(3).board().hash());
    batch.sample(&mut actions);
    let mut own = [0; 3];
    chosen.sample(&mut own);
    assert_eq!(own, [actions[3], actions[0], actions[3]]);
    chosen.step(&own, Outputs::default()).unwrap();
    assert_eq!(batch.game(3).turns().len(), 12);
    batch.scatter(&[1, 2, 4], &chosen).unwrap();
    let turns: Vec<usize> = (0..5).map(|game| batch.game(game).turns().len()).collect();
    assert_eq!(turns, [12, 13, 13, 12, 13]);
    assert!(batch.scatter(&[1, 2, 5], &chosen).is_err());
    assert!(batch.scatter(&[1, 2], &chosen).is_err());
}
