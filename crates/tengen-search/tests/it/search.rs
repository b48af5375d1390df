//! What a search promises.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use tengen_core::{Color, Game, Move, Point, Preset, Rules, Setup, Size};
use tengen_search::{
    Analysis, Beside, Engine, Evaluation, Evaluator, Leaf, Limits, Options, Portion, Restriction,
    RestrictionKind, Restrictions, Stop, Task,
};

fn engine(threads: usize, seed: u64) -> Engine {
    Engine::new(Options {
        threads,
        seed,
        ..Options::default()
    })
}

fn visits(visits: u32) -> Task {
    Task {
        limits: Limits::visits(visits),
        ..Task::default()
    }
}

fn empty(side: u8) -> Game {
    Game::new(Size::square(side).unwrap(), Preset::Chinese.rules())
}

fn position(diagram: &str, rules: &str) -> Game {
    let setup: Setup = diagram.parse().unwrap();
    Game::from_setup(&setup, rules.parse::<Rules>().unwrap()).unwrap()
}

fn search(engine: &mut Engine, game: &Game, task: &Task) -> Analysis {
    engine.analyze(game, task, &Stop::new(), &mut |_| {})
}

#[test]
fn one_thread_and_one_seed_find_the_same() {
    let game = empty(9);
    let found = |seed| search(&mut engine(1, seed), &game, &visits(500));
    let (first, second, other) = (found(1), found(1), found(2));
    assert_eq!(first.moves, second.moves);
    assert_ne!(first.moves, other.moves);
}

#[test]
fn all_visits_are_accounted_for() {
    for threads in [1, 4] {
        let analysis = search(&mut engine(threads, 1), &empty(7), &visits(3000));
        let of_moves: u32 = analysis
            .moves
            .iter()
            .map(|candidate| candidate.visits)
            .sum();
        assert!(analysis.visits >= 3000 && analysis.visits < 3000 + threads as u32);
        // The root itself is judged once.
        assert_eq!(of_moves + 1, analysis.visits);
        let priors: f32 = analysis.moves.iter().map(|candidate| candidate.prior).sum();
        assert!((priors - 1.0).abs() < 1e-3);
        for candidate in analysis.moves.iter().take(3) {
            assert_eq!(candidate.variation.first(), Some(&candidate.action));
            assert_eq!(candidate.variation.len(), candidate.variation_visits.len());
            assert!(candidate.lcb <= candidate.worth.win_rate);
        }
    }
}

/// The first of all who are asked takes its time; nobody does after that.
#[derive(Clone, Default)]
struct SlowStarter(Arc<AtomicBool>);

impl Evaluator for SlowStarter {
    fn begin(&mut self, _: &Game, _: u64) {}

    fn evaluate(&mut self, leaves: &mut [Leaf]) {
        if !self.0.swap(true, Ordering::Relaxed) {
            std::thread::sleep(Duration::from_millis(50));
        }
        for leaf in leaves {
            let moves = leaf.game.legal_moves();
            let share = 1.0 / moves.len().max(1) as f32;
            leaf.evaluation = Evaluation {
                black_wins: 0.5,
                ownership: vec![0.0; leaf.game.size().area()],
                priors: moves.iter().map(|at| (Move::Play(at), share)).collect(),
                ..Evaluation::default()
            };
        }
    }
}

#[test]
fn nobody_counts_visits_before_there_are_moves_to_visit() {
    let judge = SlowStarter::default();
    let options = Options {
        threads: 2,
        ..Options::default()
    };
    let judges = vec![
        Box::new(judge.clone()) as Box<dyn Evaluator>,
        Box::new(judge),
    ];
    let mut engine = Engine::with_evaluators(options, judges);
    let analysis = search(&mut engine, &empty(5), &visits(200));
    let of_moves: u32 = analysis.moves.iter().map(|of| of.visits).sum();
    assert_eq!(of_moves + 1, analysis.visits);
}

/// Judges as a slow starter does, and panics after a while.
struct Faulty(SlowStarter, u32);

impl Evaluator for Faulty {
    fn begin(&mut self, _: &Game, _: u64) {}

    fn evaluate(&mut self, leaves: &mut [Leaf]) {
        self.1 = match self.1.checked_sub(1) {
            Some(left) => left,
            None => panic!("the evaluator is faulty"),
        };
        self.0.evaluate(leaves);
    }
}

#[test]
fn a_helper_that_panics_ends_the_search_with_an_error() {
    let options = Options {
        threads: 2,
        ..Options::default()
    };
    let judges = vec![
        Box::new(SlowStarter::default()) as Box<dyn Evaluator>,
        Box::new(Faulty(SlowStarter::default(), 3)),
    ];
    let mut engine = Engine::with_evaluators(options, judges);
    // Without an end of its own, it would go on for ever.
    let task = visits(u32::MAX);
    let caught = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        search(&mut engine, &empty(5), &task)
    }));
    let message = *caught.unwrap_err().downcast::<&str>().unwrap();
    assert_eq!(message, "the evaluator is faulty");
}

#[test]
fn every_move_of_a_variation_is_legal() {
    // A ko fight on a small board, where superko forbids much.
    let game = position(
        ". X O . O
         X . X O .
         . X O O O
         X X X O .
         . X . X O
         White to move",
        "chinese",
    );
    let analysis = search(&mut engine(1, 3), &game, &visits(4000));
    for candidate in &analysis.moves {
        let mut game = game.clone();
        for action in &candidate.variation {
            game.play(*action).unwrap();
        }
    }
}

#[test]
fn a_tree_is_searched_further_after_its_moves_are_played() {
    let mut game = empty(9);
    let mut engine = engine(1, 1);
    let before = search(&mut engine, &game, &visits(2000));
    let best = &before.moves[0];
    game.play(best.variation[0]).unwrap();
    let kept = best.visits;
    let after = search(&mut engine, &game, &visits(1));
    assert!(after.visits >= kept && after.visits <= kept + 60);
    engine.clear();
    assert!(search(&mut engine, &game, &visits(1)).visits < 60);
}

#[test]
fn what_may_not_be_played_is_not_searched() {
    let game = empty(5);
    let center = Move::Play(Point::new(2, 2));
    let restricted = |kind, moves| {
        let restriction = Restriction {
            color: Color::Black,
            moves,
            kind,
            until_depth: 1,
        };
        let task = Task {
            restrictions: Restrictions(vec![restriction]),
            ..visits(300)
        };
        search(&mut engine(1, 1), &game, &task)
    };
    let avoided = restricted(RestrictionKind::Avoid, vec![center]);
    assert!(avoided.moves.iter().all(|found| found.action != center));
    let allowed = restricted(RestrictionKind::Allow, vec![center, Move::Pass]);
    let actions: Vec<Move> = allowed.moves.iter().map(|found| found.action).collect();
    assert_eq!(actions.len(), 2);
    assert!(actions.contains(&center) && actions.contains(&Move::Pass));
}

#[test]
fn a_move_beside_the_best_one_gets_its_share_of_the_visits() {
    let game = empty(5);
    let corner = Move::Play(Point::new(0, 0));
    let corner_visits = |beside| {
        let task = Task {
            beside,
            ..visits(300)
        };
        let found = search(&mut engine(1, 1), &game, &task);
        assert_eq!(found.visits, 300);
        let corner = found.moves.iter().find(|moved| moved.action == corner);
        corner.unwrap().visits
    };
    assert!(corner_visits(None) < 30);
    let share = Some(Beside {
        action: corner,
        share: 0.2,
    });
    assert!((59..=61).contains(&corner_visits(share)));
}

#[test]
fn a_search_without_limits_ends_when_it_is_told_to() {
    let stop = Stop::new();
    let mut reports = 0;
    let task = Task {
        report_every: Some(Duration::from_millis(5)),
        ..Task::default()
    };
    let analysis = engine(2, 1).analyze(&empty(9), &task, &stop, &mut |_| {
        reports += 1;
        if reports == 3 {
            stop.stop();
        }
    });
    assert_eq!(reports, 3);
    assert!(analysis.visits > 0);
}

#[test]
fn a_search_that_outgrows_its_memory_goes_on() {
    let mut engine = Engine::new(Options {
        threads: 2,
        memory: 6 << 20,
        ..Options::default()
    });
    let analysis = search(&mut engine, &empty(9), &visits(12_000));
    assert!(analysis.visits >= 12_000);
    assert!(analysis.moves[0].visits > 100);
}

#[test]
fn time_is_kept() {
    let started = Instant::now();
    let task = Task {
        limits: Limits::time(Duration::from_millis(100)),
        ..Task::default()
    };
    search(&mut engine(1, 1), &empty(9), &task);
    assert!(started.elapsed() >= Duration::from_millis(100));
}

#[test]
fn a_ladder_that_works_is_likely_before_it_is_searched() {
    let game = position(
        ". . . . . . .
         . . X X . . .
         . X O O . . .
         . . X . . . .
         . . . . . . .
         . . . . . . .
         . . . . . . .",
        "chinese",
    );
    let mut moves = search(&mut engine(1, 1), &game, &visits(2)).moves;
    moves.sort_by(|a, b| b.prior.total_cmp(&a.prior));
    let likely = moves.iter().take(3).map(|candidate| candidate.action);
    let catching = Move::Play(Point::new(4, 2));
    assert!(
        likely.clone().any(|action| action == catching),
        "{:?}",
        likely.collect::<Vec<_>>()
    );
}

#[test]
fn boards_of_every_shape_are_searched() {
    for (width, height) in [(1, 1), (1, 2), (2, 2), (2, 7), (7, 2), (25, 25)] {
        let game = Game::new(Size::new(width, height).unwrap(), Rules::default());
        let analysis = search(&mut engine(1, 1), &game, &visits(30));
        assert!(game.is_legal(analysis.best()), "{width}x{height}");
    }
}

#[test]
fn a_search_in_portions_finds_what_it_finds_in_one_go() {
    let game = empty(7);
    let task = visits(900);
    let whole = search(&mut engine(1, 3), &game, &task);
    for size in [1, 64, 250] {
        let mut engine = engine(1, 3);
        let mut thinking = engine.begin(&game, &task);
        let portion = Portion {
            visits: Some(size),
            time: None,
        };
        let mut portions = 1;
        while !engine.go_on(&mut thinking, portion, &Stop::new(), &mut |_| {}) {
            assert_eq!(thinking.so_far().visits, size * portions);
            portions += 1;
        }
        assert_eq!(portions, 900_u32.div_ceil(size));
        let found = engine.end(thinking);
        assert_eq!(found.moves, whole.moves);
        for point in game.size().points() {
            assert_eq!(found.ownership[point], whole.ownership[point]);
        }
    }
}

#[test]
fn time_runs_on_over_portions_and_is_asked_where_the_host_says() {
    use std::sync::atomic::{AtomicU64, Ordering};
    static CLOCK: AtomicU64 = AtomicU64::new(0);
    // Every look at this clock takes a millisecond.
    let time = || Duration::from_millis(CLOCK.fetch_add(1, Ordering::Relaxed));
    let mut engine = engine(1, 0).timed_by(time);
    let task = Task {
        limits: Limits::time(Duration::from_secs(1)),
        ..Task::default()
    };
    let mut thinking = engine.begin(&empty(5), &task);
    let portion = Portion {
        visits: None,
        time: Some(Duration::from_millis(100)),
    };
    let mut portions = 1;
    while !engine.go_on(&mut thinking, portion, &Stop::new(), &mut |_| {}) {
        portions += 1;
    }
    assert!((9..=10).contains(&portions), "{portions}");
    let visits = engine.end(thinking).visits;
    assert!((100..1000).contains(&visits), "{visits}");
}

#[test]
fn a_stopped_search_is_done() {
    let mut engine = engine(1, 0);
    let stop = Stop::new();
    let mut thinking = engine.begin(&empty(5), &visits(1000));
    let portion = Portion {
        visits: Some(10),
        time: None,
    };
    assert!(!engine.go_on(&mut thinking, portion, &stop, &mut |_| {}));
    stop.stop();
    assert!(engine.go_on(&mut thinking, portion, &stop, &mut |_| {}));
    assert_eq!(engine.end(thinking).visits, 10);
}
