//! The baseline, and where it is trusted.

use std::sync::Arc;

use tengen_core::{Color, Game, Move, Point, Preset, Size, Symmetry};
use tengen_nn::{Architecture, Baseline, Expert, LONGEST_SIDE, Net, NetEvaluator};
use tengen_search::{
    Aim, Analysis, Choice, Evaluation, Evaluator, Judge, Leaf, Level, Limits, Options, RawQuery,
    Stop, Task, Tuning, near_stones,
};

fn game(side: u8) -> Game {
    let size = Size::square(side).expect("it is a size");
    Game::new(size, Preset::Chinese.rules())
}

fn options(seed: u64) -> Options {
    Options {
        threads: 1,
        seed,
        memory: 64 << 20,
    }
}

fn search(judge: &Judge, game: &Game, seed: u64) -> Analysis {
    let task = Task {
        limits: Limits::visits(60),
        ..Task::default()
    };
    let mut engine = judge.engine(options(seed));
    engine.analyze(game, &task, &Stop::new(), &mut |_| {})
}

/// Does the network judge for this aim?
fn trusts_net(expert: &mut dyn Evaluator, game: &Game, aim: Aim) -> bool {
    expert.prepare(game, aim);
    expert.begin(game, 1);
    let tuning = expert.tuning();
    assert!(tuning == Tuning::for_network() || tuning == Tuning::default());
    tuning == Tuning::for_network()
}

#[test]
fn the_file_of_the_baseline_agrees_with_what_is_said_of_it() {
    let noted = Net::notes(Net::BASELINE_FILE).expect("it is a network");
    let side = Net::BASELINE_SIDE.to_string();
    assert_eq!(noted.get(LONGEST_SIDE).unwrap_or(&side), &side);
    assert!(Arc::ptr_eq(&Net::baseline(), &Net::baseline()));
    let [small, large] = Baseline::ALL.map(|baseline| baseline.net().architecture());
    let name = format!("baseline networks {small} up to {side}x{side} and {large} up to 19x19");
    assert_eq!(Expert::baseline().name(), name);
    for baseline in Baseline::ALL {
        let noted = Net::notes(baseline.file()).expect("it is a network");
        let side = baseline.longest_side().to_string();
        assert_eq!(noted.get(LONGEST_SIDE).unwrap_or(&side), &side);
        assert!(Arc::ptr_eq(&baseline.net(), &baseline.net()));
        assert!(baseline.file().len() < 5_000_000);
    }
}

/// The baseline for small boards alone.
fn small_baseline() -> Judge {
    Expert::judge("small", &Net::baseline(), Net::BASELINE_SIDE)
}

#[test]
fn each_baseline_judges_the_boards_that_it_knows() {
    let mut expert = Expert::baseline().evaluator(&options(0));
    for side in [9, 10, 13, 19] {
        let mut game = game(side);
        game.play_unchecked(Move::Pass);
        let net = if side == 9 {
            Baseline::Small
        } else {
            Baseline::Large
        };
        let mut alone = NetEvaluator::new(net.net());
        assert!(trusts_net(expert.as_mut(), &game, Aim::BEST));
        assert!(!trusts_net(expert.as_mut(), &game, Aim::Life));
        let [one, other] = [
            judged(expert.as_mut(), &game, Aim::BEST),
            judged(&mut alone, &game, Aim::BEST),
        ];
        assert_eq!(one.priors, other.priors);
        assert_eq!(one.black_wins, other.black_wins);
    }
    // Beyond what anybody has learned, rollouts judge.
    assert!(!trusts_net(expert.as_mut(), &game(21), Aim::BEST));
}

#[test]
fn an_even_board_of_any_size_is_nearly_even() {
    let judge = Expert::baseline();
    for side in [13, 19] {
        let analysis = search(&judge, &game(side), 1);
        assert!(
            (0.35..0.65).contains(&analysis.worth.win_rate),
            "{side}: {}",
            analysis.worth.win_rate
        );
        assert!(
            analysis.worth.lead.abs() < 4.0,
            "{side}: {}",
            analysis.worth.lead
        );
    }
}

#[test]
fn a_network_is_trusted_on_boards_that_it_knows() {
    let mut expert = small_baseline().evaluator(&options(0));
    let tall = Game::new(
        Size::new(5, 11).expect("it is a size"),
        Preset::Chinese.rules(),
    );
    for (game, knows) in [
        (game(5), true),
        (game(9), true),
        (game(10), false),
        (game(13), false),
        (tall, false),
        (game(7), true),
    ] {
        assert_eq!(trusts_net(expert.as_mut(), &game, Aim::BEST), knows);
        // Rollouts alone tell what is nobody's.
        assert!(!trusts_net(expert.as_mut(), &game, Aim::Life));
    }
    // Whoever says nothing about an aim wants the best moves.
    let mut plain = Expert::new(NetEvaluator::new(Net::baseline()), 9);
    plain.begin(&game(9), 1);
    assert_eq!(plain.tuning(), Tuning::for_network());
}

#[test]
fn where_it_knows_the_board_the_network_judges_alone() {
    let mut leaves = [5, 7, 9].map(|side| {
        let mut game = game(side);
        game.play_unchecked(Move::Pass);
        Leaf {
            game,
            wants_priors: true,
            evaluation: Evaluation::default(),
        }
    });
    NetEvaluator::new(Net::baseline()).evaluate(&mut leaves);
    let said = leaves.each_ref().map(|leaf| leaf.evaluation.clone());
    let mut expert = Expert::baseline().evaluator(&options(0));
    expert.begin(&game(9), 1);
    expert.evaluate(&mut leaves);
    assert_eq!(leaves.map(|leaf| leaf.evaluation), said);
}

#[test]
fn a_single_visit_hears_the_network() {
    let game = game(9);
    let task = Task {
        limits: Limits::visits(1),
        ..Task::default()
    };
    let mut leaf = Leaf {
        game: game.clone(),
        wants_priors: true,
        evaluation: Evaluation::default(),
    };
    NetEvaluator::new(Net::baseline()).evaluate(std::slice::from_mut(&mut leaf));
    let mut engine = Expert::baseline().engine(options(0));
    let analysis = engine.analyze(&game, &task, &Stop::new(), &mut |_| {});
    assert!((analysis.worth.win_rate - leaf.evaluation.black_wins).abs() < 1e-4);
}

#[test]
fn every_level_hears_the_network_where_it_knows_the_board() {
    let mut expert = small_baseline().evaluator(&options(0));
    for side in [9, 13] {
        let game = game(side);
        for level in Level::all() {
            let aim = Aim::Moves(level);
            assert_eq!(trusts_net(expert.as_mut(), &game, aim), side == 9);
            let skill = level.skill();
            let visits = if side == 9 {
                skill.visits
            } else {
                skill.rollouts
            };
            assert_eq!(expert.most_visits(&game, aim), visits);
        }
    }
}

#[test]
fn a_note_says_how_far_a_network_is_trusted() {
    let architecture = Architecture {
        blocks: 1,
        channels: 16,
    };
    let net = Arc::new(Net::random(architecture, 1).expect("it is a size"));
    for (note, name, knows) in [
        (None, "network 1x16", true),
        (Some("nonsense"), "network 1x16", true),
        (Some("13"), "network 1x16 up to 13x13", true),
        (Some("12"), "network 1x16 up to 12x12", false),
    ] {
        let judge = Expert::judge_by_note(&net, note);
        assert_eq!(judge.name(), name);
        let mut expert = judge.evaluator(&options(0));
        assert_eq!(trusts_net(expert.as_mut(), &game(13), Aim::BEST), knows);
    }
    let baseline = Expert::judge_by_note(&Net::baseline(), None);
    assert_eq!(baseline.name(), Expert::baseline().name());
}

/// What an evaluator says about a position, the first that it is asked about.
fn judged(evaluator: &mut dyn Evaluator, game: &Game, aim: Aim) -> Evaluation {
    let mut leaf = Leaf {
        game: game.clone(),
        wants_priors: true,
        evaluation: Evaluation::default(),
    };
    evaluator.prepare(game, aim);
    evaluator.begin(game, 1);
    evaluator.evaluate(std::slice::from_mut(&mut leaf));
    leaf.evaluation
}

#[test]
fn larger_boards_are_judged_by_rollouts_that_the_network_guides() {
    let mut game = game(13);
    for (x, y) in [(3, 3), (9, 9), (3, 9), (9, 3), (2, 5), (5, 2)] {
        game.play_unchecked(Move::Play(Point::new(x, y)));
    }
    let mut expert = small_baseline().evaluator(&options(0));
    let mut rollouts = Judge::default().evaluator(&options(0));
    let mut net = NetEvaluator::new(Net::baseline()).familiar_with(Net::BASELINE_SIDE);
    let guided = judged(expert.as_mut(), &game, Aim::BEST);
    let played = judged(rollouts.as_mut(), &game, Aim::BEST);
    let said = judged(&mut net, &game, Aim::BEST);

    assert_eq!(guided.black_lead, played.black_lead);
    assert_eq!(guided.ownership, played.ownership);
    assert_eq!(guided.later, played.later);
    let prior = |evaluation: &Evaluation, action: Move| {
        let mut priors = evaluation.priors.iter();
        priors
            .find(|(other, _)| *other == action)
            .map(|(_, prior)| f64::from(*prior))
    };
    assert_eq!(guided.priors.len(), played.priors.len());
    let near = near_stones(game.board());
    let is_near = |action: Move| action.point().is_none_or(|point| near.contains(point));
    // Nobody in the open hears the network; near stones it shifts what the rollouts' priors gave to all moves there.
    let pooled = |action| -> f64 {
        let played = prior(&played, action).expect("the same moves");
        match prior(&said, action).expect("no stone is alive for good") {
            said if is_near(action) => (played * said.max(1e-6)).sqrt(),
            _ => played,
        }
    };
    let sum_near = |of: &dyn Fn(Move) -> f64| -> f64 {
        let moves = guided.priors.iter().map(|(action, _)| *action);
        moves.filter(|action| is_near(*action)).map(of).sum()
    };
    let before = sum_near(&|action| prior(&played, action).expect("the same moves"));
    let scale = before / sum_near(&pooled);
    let mut in_the_open = 0;
    let mut last = f32::INFINITY;
    for (action, prior) in &guided.priors {
        let scale = if is_near(*action) { scale } else { 1.0 };
        in_the_open += usize::from(!is_near(*action));
        assert!(
            (f64::from(*prior) - scale * pooled(*action)).abs() < 1e-5,
            "{action:?}"
        );
        assert!(*prior <= last, "the likeliest come first");
        last = *prior;
    }
    assert!(in_the_open > 0);
    // Who asks which stones live hears the rollouts alone.
    let alone = judged(expert.as_mut(), &game, Aim::Life);
    assert_eq!(alone.priors, played.priors);
    assert_eq!(alone.black_lead, played.black_lead);
}

#[test]
fn larger_boards_are_pooled_as_if_they_were_familiar() {
    let judged_up_to = |side: u8, game: &Game| {
        let mut net = NetEvaluator::new(Net::baseline()).familiar_with(side);
        judged(&mut net, game, Aim::BEST).priors
    };
    assert_eq!(judged_up_to(9, &game(9)), judged_up_to(19, &game(9)));
    assert_ne!(judged_up_to(9, &game(13)), judged_up_to(19, &game(13)));
    assert_eq!(judged_up_to(13, &game(13)), judged_up_to(19, &game(13)));
}

#[test]
fn a_seed_finds_the_same_and_another_seed_something_else() {
    let judge = Expert::baseline();
    let [one, same, other] = [3, 3, 4].map(|seed| search(&judge, &game(7), seed));
    assert_eq!(one.moves, same.moves);
    assert_ne!(one.moves, other.moves);
}

#[test]
fn an_open_board_is_not_passed() {
    // White is ahead by komi as long as nobody has a stone, and a network thinks that no point is anybody's.
    let mut engine = Expert::baseline().engine(options(0));
    for side in [5, 7, 9] {
        let mut game = game(side);
        game.set_to_move(Color::White);
        for level in Level::all() {
            let choice = Choice {
                task: Task {
                    limits: Limits::visits(30),
                    ..Task::default()
                },
                level,
                ..Choice::default()
            };
            let decision = engine.choose(&game, &choice, &Stop::new(), &mut |_| {});
            assert_ne!(decision.action, Some(Move::Pass), "{level:?} on {side}");
        }
    }
}

#[test]
fn a_weak_move_does_not_spoil_what_a_strong_search_has_found() {
    let mut engine = Expert::baseline().engine(options(0));
    let game = game(7);
    let task = |visits| Task {
        limits: Limits::visits(visits),
        ..Task::default()
    };
    let analyze = |engine: &mut tengen_search::Engine, visits| {
        engine.analyze(&game, &task(visits), &Stop::new(), &mut |_| {})
    };
    analyze(&mut engine, 60);
    for level in Level::all().filter(|level| *level < Level::FULL) {
        let choice = Choice {
            level,
            ..Choice::default()
        };
        engine.choose(&game, &choice, &Stop::new(), &mut |_| {});
    }
    engine.settle(&game, &Stop::new());
    let went_on = analyze(&mut engine, 120);
    let mut fresh = Expert::baseline().engine(options(0));
    analyze(&mut fresh, 60);
    assert_eq!(went_on.moves, analyze(&mut fresh, 120).moves);
}

#[test]
fn without_a_search_the_network_speaks_for_itself() {
    let mut engine = Expert::baseline().engine(options(1));
    let names: Vec<String> = engine
        .models()
        .into_iter()
        .map(|model| model.name)
        .collect();
    let baselines = Baseline::ALL.map(|baseline| baseline.net().architecture().to_string());
    assert_eq!(names, baselines);
    for side in [7, 13] {
        let mut game = game(side);
        let point = Point::new(2, 3);
        game.play(Move::Play(point)).expect("it is legal");
        let index = game.size().index(point);
        for symmetry in [None, Some(Symmetry::IDENTITY), Some(Symmetry::new(6))] {
            let query = RawQuery {
                symmetry,
                ..RawQuery::default()
            };
            let raw = engine.raw(&game, &query).expect("it knows this size");
            assert!((raw.wins.black + raw.wins.white - 1.0).abs() < 1e-5);
            assert_eq!(raw.ownership.len(), game.size().area());
            // The stone will be Black's, however the board was turned.
            assert!(
                raw.ownership[index] > 0.3,
                "{symmetry:?} {}",
                raw.ownership[index]
            );
            let illegal = |place: &usize| raw.policy[*place].is_none();
            let places: Vec<usize> = (0..raw.policy.len()).filter(illegal).collect();
            assert_eq!(places, [index]);
            let sum: f32 = raw.policy.iter().flatten().sum();
            assert!((sum - 1.0).abs() < 1e-4, "{sum}");
        }
        // A search that ends with its first visit has heard nothing else.
        let raw = engine
            .raw(&game, &RawQuery::default())
            .expect("it knows this size");
        let task = Task {
            limits: Limits::visits(1),
            ..Task::default()
        };
        let analysis = engine.analyze(&game, &task, &Stop::new(), &mut |_| {});
        assert!((raw.wins.white - analysis.worth.win_rate).abs() < 1e-5);
    }
    // No network knows this size, and rollouts are no network.
    assert_eq!(engine.raw(&game(21), &RawQuery::default()), None);
    let mut rollouts = Judge::default().engine(options(1));
    assert_eq!(rollouts.raw(&game(7), &RawQuery::default()), None);
    assert!(rollouts.models().is_empty());
}
