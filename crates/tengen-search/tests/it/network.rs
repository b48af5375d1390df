//! What a search does with an evaluator that speaks like a network: the terms that have a switch in the tuning.

use std::sync::{Arc, Mutex};

use tengen_core::{Color, Game, Move, Point, Preset, Size, Symmetry};
use tengen_search::{
    Analysis, Engine, Evaluation, Evaluator, Leaf, Limits, Options, Portion, Raw, RawQuery, Stop,
    Task, Tuning,
};

const SIDE: u8 = 5;

/// What is said of a position: Black's chance to win, Black's lead, and a weight for each move of the player.
type Judgement = fn(&Game) -> (f32, f32, fn(Point) -> f32);

/// Judges by a formula, and likes moves on the left more in one symmetry.
struct Formula {
    judgement: Judgement,
    tuning: Tuning,
    batch: usize,
    /// How many positions were judged at once, each time.
    batches: Arc<Mutex<Vec<usize>>>,
}

impl Formula {
    fn new(judgement: Judgement, tuning: Tuning) -> Self {
        Self {
            judgement,
            tuning,
            batch: 1,
            batches: Arc::default(),
        }
    }
}

impl Evaluator for Formula {
    fn batch(&self) -> usize {
        self.batch
    }

    fn tuning(&self) -> Tuning {
        self.tuning
    }

    fn begin(&mut self, _: &Game, _: u64) {}

    fn evaluate(&mut self, leaves: &mut [Leaf]) {
        self.batches.lock().unwrap().push(leaves.len());
        for (place, leaf) in leaves.iter().enumerate() {
            let is_same = |other: &Leaf| other.game.turns() == leaf.game.turns();
            assert!(!leaves[..place].iter().any(is_same), "once is enough");
        }
        for Leaf {
            game, evaluation, ..
        } in leaves
        {
            let (black_wins, black_lead, weight) = (self.judgement)(game);
            let points = game.legal_moves();
            let sum: f32 = points.iter().map(weight).sum();
            *evaluation = Evaluation {
                black_wins,
                black_lead,
                lead_spread: 2.0,
                ownership: vec![0.0; game.size().area()],
                priors: points
                    .iter()
                    .map(|point| (Move::Play(point), 0.9 * weight(point) / sum))
                    .chain([(Move::Pass, 0.1)])
                    .collect(),
                later: Vec::new(),
            };
        }
    }

    fn raw(&mut self, game: &Game, query: &RawQuery) -> Option<Raw> {
        let is_turned = query.symmetry.is_some_and(|by| by != Symmetry::IDENTITY);
        let legal = game.legal_moves();
        let share = |point: Point| match is_turned {
            true => 0.9 / legal.len() as f32,
            false => f32::from(u8::from(point == Point::new(0, 0))),
        };
        let points = game.size().points();
        let policy = points
            .iter()
            .map(|point| legal.contains(point).then(|| share(point)));
        Some(Raw {
            policy: policy.chain([Some(0.1)]).collect(),
            ..Raw::default()
        })
    }
}

fn tuned(changes: &[(&str, f32)]) -> Tuning {
    let mut tuning = Tuning::for_network();
    for name in [
        "first_play_policy_power",
        "exploration_log",
        "exploration_by_spread",
        "noise_pruning",
        "value_weight_exponent",
        "lcb_deviations",
        "futile_share",
        "centered_score_weight",
    ] {
        tuning.set(name, 0.0).unwrap();
    }
    for (name, value) in changes {
        tuning.set(name, *value).unwrap();
    }
    tuning
}

fn engine(judgement: Judgement, tuning: Tuning) -> Engine {
    let options = Options {
        threads: 1,
        ..Options::default()
    };
    let formula = Formula::new(judgement, tuning);
    Engine::with_evaluators(options, vec![Box::new(formula)])
}

fn empty() -> Game {
    Game::new(Size::square(SIDE).unwrap(), Preset::Chinese.rules())
}

fn task(visits: u32) -> Task {
    Task {
        limits: Limits::visits(visits),
        ..Task::default()
    }
}

fn analyze(judgement: Judgement, changes: &[(&str, f32)], visits: u32) -> Analysis {
    let mut engine = engine(judgement, tuned(changes));
    engine.analyze(&empty(), &task(visits), &Stop::new(), &mut |_| {})
}

fn visits_of(analysis: &Analysis, point: Point) -> u32 {
    let mut moves = analysis.moves.iter();
    let found = moves.find(|found| found.action == Move::Play(point));
    found.map_or(0, |found| found.visits)
}

fn even(_: Point) -> f32 {
    1.0
}

/// Values that look like chance, and the same for the same board.
fn chaos(game: &Game) -> (f32, f32, fn(Point) -> f32) {
    let hash = game.board().hash() >> 40;
    let chance = (hash % 1000) as f32 / 1000.0;
    (chance, 10.0 * chance - 5.0, |point| {
        1.0 + f32::from(point.x()) + f32::from(point.y() % 2)
    })
}

/// All that a network's search may have, one after the other and together.
const TERMS: &[&[(&str, f32)]] = &[
    &[("first_play_policy_power", 2.0)],
    &[("exploration_log", 0.5), ("exploration_log_base", 20.0)],
    &[("exploration_by_spread", 0.85)],
    &[("noise_pruning", 0.05)],
    &[("value_weight_exponent", 0.25)],
    &[("lcb_deviations", 5.0)],
    &[("centered_score_weight", 0.2)],
    &[("root_symmetries", 8.0)],
    &[("root_policy_temperature", 1.3)],
    &[
        ("first_play_policy_power", 2.0),
        ("exploration_log", 0.2),
        ("exploration_by_spread", 0.85),
        ("noise_pruning", 0.05),
        ("value_weight_exponent", 0.25),
        ("lcb_deviations", 5.0),
        ("centered_score_weight", 0.2),
        ("root_symmetries", 8.0),
        ("root_policy_temperature", 1.3),
    ],
];

#[test]
fn every_term_has_an_effect_and_keeps_what_a_search_promises() {
    let plain = analyze(chaos, &[], 400);
    for changes in TERMS {
        let found = analyze(chaos, changes, 400);
        let again = analyze(chaos, changes, 400);
        assert_eq!(found.moves, again.moves, "{changes:?}");
        assert_ne!(found.moves, plain.moves, "{changes:?}");
        let visits: u32 = found.moves.iter().map(|found| found.visits).sum();
        assert_eq!(visits + 1, found.visits, "{changes:?}");
        let priors: f32 = found.moves.iter().map(|found| found.prior).sum();
        assert!((priors - 1.0).abs() < 1e-3, "{changes:?}: {priors}");
        let order = |pair: &[tengen_search::Candidate]| pair[0].selection >= pair[1].selection;
        assert!(found.moves.windows(2).all(order), "{changes:?}");

        let mut engine = engine(chaos, tuned(changes));
        let mut thinking = engine.begin(&empty(), &task(400));
        let portion = Portion {
            visits: Some(70),
            time: None,
        };
        while !engine.go_on(&mut thinking, portion, &Stop::new(), &mut |_| {}) {}
        assert_eq!(engine.end(thinking).moves, found.moves, "{changes:?}");
    }
}

#[test]
fn several_threads_lose_no_visit() {
    let tuning = tuned(TERMS[TERMS.len() - 1]);
    let options = Options {
        threads: 3,
        ..Options::default()
    };
    for batch in [1, 8] {
        let formula = || {
            Box::new(Formula {
                batch,
                ..Formula::new(chaos, tuning)
            }) as Box<dyn Evaluator>
        };
        let mut engine = Engine::with_evaluators(options, (0..3).map(|_| formula()).collect());
        let found = engine.analyze(&empty(), &task(2000), &Stop::new(), &mut |_| {});
        let visits: u32 = found.moves.iter().map(|found| found.visits).sum();
        assert_eq!(visits + 1, found.visits);
        assert!(found.moves.iter().all(|found| found.worth.win_rate <= 1.0));
    }
}

/// Every position is even, whoever moves.
fn quiet(_: &Game) -> (f32, f32, fn(Point) -> f32) {
    (0.5, 0.0, even)
}

#[test]
fn moves_are_tried_the_less_the_more_of_the_policy_was() {
    let tried = |reduction| {
        let changes = [
            ("first_play_policy_power", 2.0),
            ("root_first_play_reduction", reduction),
        ];
        let found = analyze(quiet, &changes, 20);
        found.moves.iter().filter(|found| found.visits > 0).count()
    };
    let counts = [0.0, 0.1, 0.3].map(tried);
    assert!(counts[0] > 15, "{counts:?}");
    assert!(counts.is_sorted_by(|a, b| a > b), "{counts:?}");
}

/// One move is likely and leads to quiet, even games. The other one is less likely and a little better.
const LIKELY: Point = Point::new(1, 1);
const BETTER: Point = Point::new(3, 3);

fn better(game: &Game) -> (f32, f32, fn(Point) -> f32) {
    let first = game.turns().first().and_then(|turn| turn.action.point());
    let value = match first {
        Some(BETTER) => 0.58,
        Some(LIKELY) => 0.5,
        _ => 0.3,
    };
    let weight: fn(Point) -> f32 = |point| match point {
        LIKELY => 200.0,
        BETTER => 25.0,
        _ => 1.0,
    };
    (value, 0.0, weight)
}

#[test]
fn a_move_that_is_surely_better_is_played_before_it_has_most_visits() {
    let most = |found: &Analysis| {
        let visits = |point| visits_of(found, point);
        visits(LIKELY) > visits(BETTER)
    };
    let plain = analyze(better, &[], 60);
    assert!(most(&plain) && plain.best() == Move::Play(LIKELY));
    let sure = analyze(better, &[("lcb_deviations", 5.0)], 60);
    assert!(most(&sure) && sure.best() == Move::Play(BETTER));
    // The bound is below what was found, and closer to it the more was seen.
    let radius = |found: &tengen_search::Candidate| found.worth.win_rate - found.lcb;
    assert!(sure.moves.iter().all(|found| radius(found) > 0.0));
    let seldom = sure.moves.iter().min_by_key(|found| found.visits).unwrap();
    assert!(radius(seldom) > radius(&sure.moves[0]));
}

#[test]
fn what_an_evaluator_leaves_open_is_no_deviation_of_the_leads() {
    // Every position is even and says that the end may be two points away.
    let few = analyze(better, &[], 3).worth;
    assert_eq!((few.lead_spread, few.lead_deviation), (2.0, 0.0));
    // Games that have ended leave nothing open.
    for judgement in [better, chaos] {
        let worth = analyze(judgement, &[], 200).worth;
        let open = (worth.lead_spread.powi(2) - worth.lead_deviation.powi(2)).sqrt();
        assert!(worth.lead_deviation > 0.5, "{worth:?}");
        assert!((1.0..=2.01).contains(&open), "{worth:?}");
    }
}

#[test]
fn a_search_ends_when_no_other_move_can_be_chosen() {
    let search = |early, share| {
        let mut engine = engine(better, tuned(&[("futile_share", share)]));
        let task = Task {
            limits: Limits {
                may_end_early: early,
                ..Limits::visits(400)
            },
            ..Task::default()
        };
        engine.analyze(&empty(), &task, &Stop::new(), &mut |_| {})
    };
    let whole = search(false, 0.5);
    assert_eq!(whole.visits, 400);
    let short = search(true, 0.5);
    assert!(short.visits < 360, "{}", short.visits);
    assert_eq!(short.best(), whole.best());
    // What has a chance to count is searched to the end.
    assert!(search(true, 0.01).visits > short.visits);
}

/// Black has won, and one move gains points.
const GAIN: Point = Point::new(4, 0);

fn gain(game: &Game) -> (f32, f32, fn(Point) -> f32) {
    let gained = game
        .turns()
        .iter()
        .any(|turn| turn.color == Color::Black && turn.action == Move::Play(GAIN));
    (0.999, if gained { 30.0 } else { 20.0 }, even)
}

#[test]
fn points_count_where_the_game_stands() {
    let share = |changes: &[(&str, f32)]| visits_of(&analyze(gain, changes, 200), GAIN);
    let plain = share(&[("score_weight", 0.05)]);
    let centered = share(&[("score_weight", 0.05), ("centered_score_weight", 0.3)]);
    assert!(centered > 2 * plain, "{centered} and {plain}");
}

#[test]
fn the_root_policy_has_a_temperature() {
    let prior = |changes: &[(&str, f32)]| {
        let found = analyze(better, changes, 1);
        let mut moves = found.moves.into_iter();
        let likely = moves.find(|found| found.action == Move::Play(LIKELY));
        likely.unwrap().prior
    };
    let [sharp, plain, flat] =
        [0.5, 1.0, 2.0].map(|temperature| prior(&[("root_policy_temperature", temperature)]));
    assert!(sharp > plain && plain > flat, "{sharp} {plain} {flat}");
    let changes = [("root_policy_temperature", 2.0)];
    // The root of 0.9 × 200 / 248 among that of all moves.
    let roots = 200_f32.sqrt() + 5.0 + 23.0;
    let sum = (0.9_f32 / 248.0).sqrt() * roots + 0.1_f32.sqrt();
    let expected = (0.9_f32 * 200.0 / 248.0).sqrt() / sum;
    assert!((prior(&changes) - expected).abs() < 1e-4);
}

#[test]
fn the_root_is_judged_in_all_symmetries() {
    let corner = |analysis: &Analysis| {
        let mut moves = analysis.moves.iter();
        let found = moves.find(|found| found.action == Move::Play(Point::new(0, 0)));
        found.unwrap().prior
    };
    let one = corner(&analyze(quiet, &[], 1));
    assert!((one - 0.9 / 25.0).abs() < 1e-4);
    // In one of eight symmetries the corner has all, in the others each point has the same; stones keep their 0.9.
    let all = corner(&analyze(quiet, &[("root_symmetries", 8.0)], 1));
    let expected = 0.9 * (1.0 + 7.0 * 0.9 / 25.0) / (1.0 + 7.0 * 0.9);
    assert!((all - expected).abs() < 1e-4, "{all}");

    // A tree that is searched further has a new root.
    let mut engine = engine(quiet, tuned(&[("root_symmetries", 8.0)]));
    let mut game = empty();
    engine.analyze(&game, &task(300), &Stop::new(), &mut |_| {});
    game.play(Move::Play(BETTER)).unwrap();
    let found = engine.analyze(&game, &task(20), &Stop::new(), &mut |_| {});
    let expected = 0.9 * (1.0 + 7.0 * 0.9 / 24.0) / (1.0 + 7.0 * 0.9);
    assert!((corner(&found) - expected).abs() < 1e-4);
}

#[test]
fn a_tree_is_kept_when_the_centre_of_scores_moves() {
    let mut engine = engine(gain, tuned(&[("centered_score_weight", 0.3)]));
    let mut game = empty();
    let before = engine.analyze(&game, &task(300), &Stop::new(), &mut |_| {});
    game.play(Move::Play(GAIN)).unwrap();
    let kept = visits_of(&before, GAIN);
    let after = engine.analyze(&game, &task(1), &Stop::new(), &mut |_| {});
    assert!(after.visits > kept && after.visits < kept + 20);
    // But for games that end by passes, all have the gain.
    assert!(after.worth.lead < -25.0, "{}", after.worth.lead);
}

/// How many positions were judged at once in a search of so many visits, and what it found.
fn in_batches(share: f32, visits: u32) -> (Vec<usize>, Analysis) {
    let formula = Formula {
        batch: 8,
        ..Formula::new(better, tuned(&[("batch_share", share)]))
    };
    let batches = Arc::clone(&formula.batches);
    let options = Options {
        threads: 1,
        ..Options::default()
    };
    let mut engine = Engine::with_evaluators(options, vec![Box::new(formula)]);
    let found = engine.analyze(&empty(), &task(visits), &Stop::new(), &mut |_| {});
    let batches = batches.lock().unwrap().clone();
    (batches, found)
}

#[test]
fn batches_are_small_beside_the_visits_so_far_and_no_leaf_is_judged_twice() {
    let (batches, found) = in_batches(0.04, 501);
    assert_eq!(found.visits, 501, "no visit too many");
    // Where two passes have ended the game, nobody is asked.
    let ended = 501 - batches.iter().sum::<usize>();
    assert!(ended < 150, "{ended}");
    let mut judged = 0;
    for batch in &batches {
        let most = ((judged + ended) / 25).clamp(1, 8);
        assert!(*batch <= most, "{batch} after {judged}");
        judged += batch;
    }
    assert!(
        batches.iter().filter(|batch| **batch == 8).count() > 15,
        "{batches:?}"
    );
    // It looks at the same moves as a search without batches, if not exactly as often.
    let (_, alone) = in_batches(0.0, 501);
    assert!(in_batches(0.0, 501).0.iter().all(|batch| *batch == 1));
    let best = |found: &Analysis| found.moves[0].action;
    assert_eq!(best(&found), best(&alone));
    let difference = found.worth.win_rate - alone.worth.win_rate;
    assert!(difference.abs() < 0.05, "{difference}");
}
