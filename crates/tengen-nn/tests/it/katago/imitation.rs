//! Networks that imitate people: what they are told of the players, and how they play.

use std::collections::HashSet;
use std::sync::Arc;

use tengen_core::{Color, Game, Move, Rules};
use tengen_nn::katago::{KataGoEvaluator, Net, Profile};
use tengen_search::{Aim, Choice, Evaluator, Level, Limits, Options, RawQuery, Stop, Task, Tuning};

use super::network::{Network, Wish};
use super::{WISH, size};

fn profile(name: &str) -> Profile {
    name.parse().expect("it is a profile")
}

fn net(has_metadata: bool) -> Arc<Net> {
    let wish = Wish {
        version: 15,
        has_metadata,
        ..WISH
    };
    let file = Network::new(wish).write(true);
    Arc::new(Net::from_bytes(&file).expect("it is a network"))
}

#[test]
fn players_have_the_names_of_katago() {
    for name in [
        "rank_20k",
        "rank_9d",
        "rank_1k_1d",
        "preaz_5k",
        "proyear_1800",
        "proyear_2023",
    ] {
        assert_eq!(profile(name).to_string(), name);
    }
    assert_eq!(profile("rank_5k_5k"), profile("rank_5k"));
    for name in [
        "",
        "rank",
        "rank_",
        "rank_0k",
        "rank_21k",
        "rank_10d",
        "rank_5k_",
        "rank_5k_1d_2d",
        "preaz_05k",
        "proyear_1799",
        "proyear_2024",
        "proyear_x",
        "5k",
    ] {
        let error = name.parse::<Profile>().expect_err("nobody has this name");
        assert!(
            error.to_string().starts_with(&format!("`{name}` ")),
            "{error}"
        );
    }
}

/// The numbers of KataGo's `fillMetadataRow`, worked out by hand.
#[test]
fn a_network_is_told_of_ranks_time_date_and_source() {
    let ones = |row: &[f32]| row.iter().filter(|value| **value == 1.0).count();
    let row = profile("preaz_5k_2d").inputs(Color::Black, size(19, 19));
    assert_eq!(row.len(), 192);
    assert_eq!(row[..6], [1.0, 1.0, 0.0, 0.0, 0.0, 0.0]);
    assert_eq!((ones(&row[6..40]), ones(&row[40..74])), (14, 8));
    assert!(
        row[6..20]
            .iter()
            .chain(&row[40..48])
            .all(|value| *value == 1.0)
    );
    assert_eq!(row[74], 0.5);
    assert_eq!((ones(&row[75..82]), row[79]), (1, 1.0));
    let near = |found: f32, expected: f32| (found - expected).abs() < 1e-4;
    // Twenty minutes, five periods of thirty seconds, no Canadian periods.
    assert!(near(row[82], 0.4 * (1260_f32.ln() - 6.5)));
    assert!(near(row[83], 0.3 * (31_f32.ln() - 3.0)));
    assert!(near(row[84], 0.5 * (7_f32.ln() - 1.5)));
    assert!(near(row[85], 0.25 * (2_f32.ln() - 1.5)));
    assert_eq!(row[86], 0.0);
    // 1 September 2016 is 17,045 days after 1 January 1970, which are 2,435 weeks: the wave of a week is at its start.
    assert!(near(row[87], 1.0) && near(row[88], 0.0));
    // The longest wave is 560,000 days.
    let angle = 17_045.0 / 560_000.0 * std::f32::consts::TAU;
    assert!(near(row[149], angle.cos()) && near(row[150], angle.sin()));
    assert_eq!((ones(&row[151..167]), row[153]), (1, 1.0));
    assert!(row[167..].iter().all(|value| *value == 0.0));

    let white = profile("preaz_5k_2d").inputs(Color::White, size(9, 9));
    assert_eq!((ones(&white[6..40]), ones(&white[40..74])), (8, 14));
    assert!(near(white[86], 0.5 * (81.0_f32 / 361.0).ln()));
    // Since programs are stronger than people, in March 2020.
    let later = profile("rank_5k_2d").inputs(Color::Black, size(19, 19));
    assert_eq!(later[..87], row[..87]);
    assert_ne!(later[87..151], row[87..151]);

    let old = profile("proyear_1990").inputs(Color::Black, size(19, 19));
    assert_eq!((ones(&old[6..40]), ones(&old[40..74])), (1, 1));
    assert_eq!((old[74], old[75], old[156], old[157]), (0.0, 1.0, 1.0, 0.0));
    let new = profile("proyear_2021").inputs(Color::Black, size(19, 19));
    assert_eq!((new[156], new[157]), (0.0, 1.0));
}

#[test]
fn a_network_says_something_else_of_other_players() {
    let game = Game::new(size(7, 7), Rules::default());
    let said = |net: &Arc<Net>, name: Option<&str>| {
        let mut evaluator = KataGoEvaluator::new(Arc::clone(net));
        if let Some(name) = name {
            evaluator = evaluator.imitating(profile(name));
        }
        evaluator.raw(&game, &RawQuery::default())
    };
    let net_of_people = net(true);
    let names = [
        None,
        Some("rank_5k"),
        Some("rank_5k_9d"),
        Some("proyear_1990"),
    ];
    let all = names.map(|name| said(&net_of_people, name));
    for (place, one) in all.iter().enumerate() {
        assert!(one.is_some() && !all[..place].contains(one), "{place}");
    }
    let other = net(false);
    assert_eq!(said(&other, Some("rank_5k")), said(&other, None));
}

#[test]
fn moves_are_drawn_as_the_players_would_play() {
    let game = Game::new(size(7, 7), Rules::default());
    let judge = KataGoEvaluator::judge_imitating(&net(true), profile("rank_5k"));
    assert!(judge.name().ends_with(" as rank_5k"));
    let choice = Choice {
        task: Task {
            limits: Limits::visits(50),
            ..Task::default()
        },
        ..Choice::default()
    };
    let options = |seed| Options {
        threads: 1,
        seed,
        memory: 16 << 20,
    };
    let chosen = |seed| {
        let mut engine = judge.engine(options(seed));
        let decision = engine.choose(&game, &choice, &Stop::new(), &mut |_| {});
        // The network is asked once.
        assert_eq!(decision.analysis.visits, 1);
        decision.action
    };
    let moves: HashSet<Option<Move>> = (0..8).map(chosen).collect();
    assert!(moves.len() > 1, "{moves:?}");
    assert_eq!(chosen(3), chosen(3));
    // Whoever analyses searches.
    let mut engine = judge.engine(options(1));
    let found = engine.analyze(&game, &choice.task, &Stop::new(), &mut |_| {});
    assert_eq!(found.visits, 50);

    // All levels are those players, on boards that the network knows.
    let mut evaluator = judge.evaluator(&options(1));
    let beginner = Aim::Moves(Level::new(1).expect("it is a level"));
    assert_eq!(evaluator.most_visits(&game, beginner), Some(1));
    evaluator.prepare(&game, beginner);
    evaluator.begin(&game, 1);
    assert_eq!(evaluator.expand_after(), 1);
    let mut plain = KataGoEvaluator::new(net(true));
    plain.begin(&game, 1);
    assert_eq!(plain.most_visits(&game, Aim::BEST), None);
    assert_eq!(plain.skill(Level::FULL), None);
    assert_eq!(plain.tuning(), Tuning::for_katago());
}
