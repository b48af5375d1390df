//! A search that is led by a network.

use std::sync::Arc;

use tengen_core::{Game, Rules, Setup, Size};
use tengen_nn::{Architecture, Net, NetEvaluator};
use tengen_search::{Engine, Evaluation, Evaluator, Leaf, Limits, Options, Stop, Task};

use crate::inference::position;

fn evaluator(net: &Arc<Net>) -> NetEvaluator {
    NetEvaluator::new(Arc::clone(net))
}

fn net() -> Arc<Net> {
    let architecture = Architecture {
        blocks: 1,
        channels: 16,
    };
    Arc::new(Net::random(architecture, 2).expect("it is a size"))
}

fn judge(evaluator: &mut NetEvaluator, game: &Game) -> Evaluation {
    let mut leaves = [Leaf {
        game: game.clone(),
        wants_priors: true,
        evaluation: Evaluation::default(),
    }];
    evaluator.evaluate(&mut leaves);
    let [leaf] = leaves;
    leaf.evaluation
}

#[test]
fn priors_are_the_legal_moves_and_add_up_to_one() {
    let net = net();
    for seed in 0..20 {
        let game = position(Size::new(7, 6).expect("it is a size"), 3 * seed, seed);
        let evaluation = judge(&mut evaluator(&net), &game);
        let sum: f32 = evaluation.priors.iter().map(|(_, prior)| prior).sum();
        assert!((sum - 1.0).abs() < 1e-4);
        assert!(
            evaluation
                .priors
                .iter()
                .all(|(action, _)| game.is_legal(*action))
        );
        assert_eq!(evaluation.ownership.len(), 42);
        assert!((0.0..=1.0).contains(&evaluation.black_wins));
    }
}

#[test]
fn nobody_plays_where_all_is_decided() {
    let setup: Setup = "
        . X . X O
        X X X X O
        . X O O O
        X X O . O
        X X O O ."
        .parse()
        .expect("it is a board");
    let game = Game::from_setup(&setup, Rules::default()).expect("it is a board");
    let evaluation = judge(&mut evaluator(&net()), &game);
    assert_eq!(evaluation.priors, [(tengen_core::Move::Pass, 1.0)]);
}

#[test]
fn what_is_remembered_is_what_was_said() {
    let net = net();
    let games: Vec<Game> = (0..40)
        .map(|seed| position(Size::square(5).expect("it is a size"), seed % 9, seed))
        .collect();
    let mut forgetful = evaluator(&net).remembering(0);
    let mut crowded = evaluator(&net).remembering(4);
    let mut plain = evaluator(&net);
    for game in games.iter().chain(games.iter().rev()) {
        let said = judge(&mut forgetful, game);
        for other in [judge(&mut crowded, game), judge(&mut plain, game)] {
            assert_eq!(said.black_wins, other.black_wins);
            assert_eq!(said.priors, other.priors);
        }
    }
}

#[test]
fn a_search_finds_the_same_every_time() {
    let net = net();
    let game = position(Size::square(9).expect("it is a size"), 12, 4);
    let task = Task {
        limits: Limits::visits(300),
        ..Task::default()
    };
    let search = || {
        let options = Options {
            threads: 1,
            ..Options::default()
        };
        let mut engine = Engine::with_evaluators(options, vec![Box::new(evaluator(&net))]);
        engine.analyze(&game, &task, &Stop::new(), &mut |_| {})
    };
    let (one, two) = (search(), search());
    assert_eq!(one.visits, 300);
    assert_eq!(one.moves, two.moves);
    assert_eq!(one.worth, two.worth);
}
