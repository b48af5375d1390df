//! What self-play games promise.

use tengen_core::{Color, Game, Move, Scoring};
use tengen_env::Actions;
use tengen_search::{Evaluator, Leaf, Rollouts, Tuning};
use tengen_sgf::{Mode, Record, Replay};
use tengen_train::{
    End, GameRecord, PARTS, Resignation, Resignations, SelfPlay, SelfPlayError, play_game,
};

use crate::evaluators::{Counting, Flat, Sure};

/// Small boards of all shapes, little search.
pub(crate) fn settings() -> SelfPlay {
    toml::from_str(
        r#"
        full_share = 0.5
        full_visits = 12
        fast_visits = 4
        boards = [
            { size = "3", komi = 5 },
            { size = "4", weight = 2, full_visits = 8 },
            { size = "5x4" },
            { size = "2x3", weight = 0.5 },
        ]
        "#,
    )
    .unwrap()
}

/// Everything that must be true of any game.
fn check(record: &GameRecord, settings: &SelfPlay) {
    let actions = Actions::on(record.size);
    let mut boards = settings.boards.iter();
    let board = boards.find(|choice| choice.size == record.size).unwrap();
    let end = record.position(record.moves.len()).unwrap();
    assert!(end.turns().len() as f64 <= settings.max_moves * record.size.area() as f64);
    assert!(record.targets.is_sorted_by(|a, b| a.turn < b.turn));
    for target in &record.targets {
        let game = record.position(target.turn.into()).unwrap();
        let black = target.turn % 2 == 0;
        assert_eq!(game.to_move() == Color::Black, black);
        for (number, _) in &target.policy {
            assert!(game.is_legal(actions.action(usize::from(*number)).unwrap()));
        }
        let sum: u32 = target.policy.iter().map(|(_, part)| u32::from(*part)).sum();
        assert_eq!(sum, u32::from(PARTS));
        let visits = board.full_visits.unwrap_or(settings.full_visits);
        assert_eq!(target.visits, visits);
    }
    // The count of the points is that of the game, and its result.
    let area: i32 = record.ownership.iter().map(|owner| i32::from(*owner)).sum();
    assert_eq!(record.ownership.len(), record.size.area());
    assert_eq!(
        2 * area - record.rules.komi.unwrap().halves(),
        record.lead_halves
    );
    let winner = match record.lead_halves {
        0 => None,
        lead if lead > 0 => Some(Color::Black),
        _ => Some(Color::White),
    };
    assert_eq!(record.winner, winner);
    match record.end {
        End::Passes => assert!(end.is_over()),
        End::Decided | End::MoveLimit => assert!(!end.is_over()),
    }
    if record.end != End::Decided {
        assert_eq!(end.score().margin_halves(), record.lead_halves);
    }
    assert_eq!(&GameRecord::from_bytes(&record.to_bytes()).unwrap(), record);
}

#[test]
fn games_are_legal_and_end_and_are_what_their_records_say() {
    let settings = settings();
    let mut rollouts = Rollouts::new(&Tuning::default());
    let evaluators: [&mut dyn Evaluator; 3] = [&mut Flat, &mut Counting, &mut rollouts];
    for evaluator in evaluators {
        let mut ends = Vec::new();
        for seed in 0..60 {
            let record = play_game(evaluator, &settings, seed).unwrap();
            check(&record, &settings);
            ends.push(record.end);
        }
        assert!(ends.contains(&End::Passes) || ends.contains(&End::Decided));
    }
}

#[test]
fn one_seed_plays_the_same_game() {
    let play = |seed| play_game(&mut Counting, &settings(), seed).unwrap();
    assert_eq!(play(3), play(3));
    assert_ne!(play(3).moves, play(4).moves);
}

#[test]
fn a_game_stops_when_every_point_is_settled() {
    let played = |stop_when_decided| {
        let settings = SelfPlay {
            stop_when_decided,
            ..settings()
        };
        let games = (0..60).map(|seed| play_game(&mut Counting, &settings, seed).unwrap());
        games.filter(|record| record.end == End::Decided).count()
    };
    assert!(played(true) > 3);
    assert_eq!(played(false), 0);
}

#[test]
fn hopeless_games_are_finished_by_the_policy_and_not_learned_from() {
    let playing_on = |check_share| SelfPlay {
        resignation: Resignation {
            threshold: 0.03,
            turns: 4,
            check_share,
        },
        full_share: 1.0,
        opening_moves: 0.0,
        stop_when_decided: false,
        boards: settings().boards[1..2].to_vec(),
        ..settings()
    };
    let mut counted = Resignations::default();
    for seed in 0..20 {
        let record = play_game(&mut Sure(Color::Black), &playing_on(0.0), seed).unwrap();
        counted.add(&record);
        let hopeless = record.hopeless.unwrap();
        assert_eq!(
            (hopeless.turn, hopeless.loser, hopeless.played_on),
            (3, Color::White, false)
        );
        assert_eq!(record.targets.len(), 4);
        assert!(record.moves.len() > 5);
    }
    assert_eq!(
        (
            counted.games,
            counted.given_up,
            counted.played_on,
            counted.wrong
        ),
        (20, 20, 0, 0)
    );
    let mut counted = Resignations::default();
    let mut lost = 0;
    for seed in 0..20 {
        let record = play_game(&mut Sure(Color::White), &playing_on(1.0), seed).unwrap();
        counted.add(&record);
        let hopeless = record.hopeless.unwrap();
        assert_eq!((hopeless.loser, hopeless.played_on), (Color::Black, true));
        assert_eq!(record.targets.len(), record.moves.len());
        lost += u64::from(record.winner == Some(Color::White));
    }
    assert_eq!(
        (counted.games, counted.given_up, counted.played_on),
        (20, 0, 20)
    );
    assert_eq!(counted.wrong, 20 - lost);
    assert!(
        counted.wrong > 0,
        "Black is sure to win some on a board that small"
    );
    let never = SelfPlay {
        resignation: Resignation {
            threshold: 0.0,
            ..Resignation::default()
        },
        ..settings()
    };
    assert_eq!(
        play_game(&mut Sure(Color::White), &never, 1)
            .unwrap()
            .hopeless,
        None
    );
}

#[test]
fn the_winner_of_a_hopeless_game_does_not_pass_it_away() {
    /// Is sure of Black, and would rather pass than play.
    struct Lazy;
    impl Evaluator for Lazy {
        fn begin(&mut self, _game: &Game, _seed: u64) {}
        fn evaluate(&mut self, leaves: &mut [Leaf]) {
            Sure(Color::Black).evaluate(leaves);
            for (action, prior) in &mut leaves[0].evaluation.priors {
                *prior = if *action == Move::Pass { 100.0 } else { *prior };
            }
        }
    }
    let settings = SelfPlay {
        resignation: Resignation {
            turns: 1,
            check_share: 0.0,
            ..Resignation::default()
        },
        stop_when_decided: false,
        // Enough for both to have stones on the board.
        opening_moves: 0.3,
        max_moves: 10.0,
        boards: settings().boards[1..2].to_vec(),
        ..settings()
    };
    let mut kept = 0;
    for seed in 0..200 {
        let record = play_game(&mut Lazy, &settings, seed).unwrap();
        // Where Black has passed and is behind, White wins by a pass, and the search sees that.
        let Some(hopeless) = record.hopeless.filter(|of| of.loser == Color::White) else {
            continue;
        };
        // The search itself may have passed, on the turn that the game was given up.
        let given_up = record.position(usize::from(hopeless.turn) + 1).unwrap();
        if record.end == End::Passes && given_up.passes() == 0 {
            // Black's last pass is one of the last two turns.
            let ends = [1, 2].map(|back| record.position(record.moves.len() - back).unwrap());
            let had_to_pass = ends
                .iter()
                .any(|end| end.to_move() == Color::Black && end.legal_moves().is_empty());
            assert!(
                had_to_pass || record.winner == Some(Color::Black),
                "seed {seed}"
            );
            kept += u32::from(!had_to_pass && given_up.score().margin_halves() <= 0);
        }
    }
    assert!(kept > 5, "{kept} games would have been passed away");
}

#[test]
fn openings_differ_and_are_not_learned_from() {
    let settings = SelfPlay {
        opening_moves: 0.5,
        full_share: 1.0,
        fast_visits: 0,
        full_visits: 0,
        ..settings()
    };
    let firsts = (0..100).map(|seed| {
        let record = play_game(&mut Flat, &settings, seed).unwrap();
        record
            .targets
            .first()
            .map_or(record.moves.len(), |target| target.turn.into())
    });
    let firsts: Vec<usize> = firsts.collect();
    let mean = firsts.iter().sum::<usize>() as f64 / 100.0;
    assert!(
        firsts.contains(&0) && mean > 3.0 && mean < 9.0,
        "{mean} {firsts:?}"
    );
}

#[test]
fn komi_varies_around_the_mean() {
    let settings = SelfPlay {
        max_moves: 0.0,
        boards: toml::from_str::<SelfPlay>(
            "boards = [{ size = '7' }, { size = '9x7', komi = -3.0 }]",
        )
        .unwrap()
        .boards,
        ..SelfPlay::default()
    };
    let games: Vec<GameRecord> = (0..2000)
        .map(|seed| play_game(&mut Flat, &settings, seed).unwrap())
        .collect();
    let komis = |width: u8| -> Vec<f64> {
        let games = games.iter().filter(|record| record.size.width() == width);
        games
            .map(|record| f64::from(record.rules.komi.unwrap().halves()) / 2.0)
            .collect()
    };
    for (width, mean) in [(7, 9.0), (9, -3.0)] {
        let komis = komis(width);
        assert!(komis.len() > 900);
        let average = komis.iter().sum::<f64>() / komis.len() as f64;
        assert!((average - mean).abs() < 0.3, "{average}");
        let whole =
            komis.iter().filter(|komi| komi.fract() == 0.0).count() as f64 / komis.len() as f64;
        assert!((whole - 0.3).abs() < 0.05, "{whole}");
        assert!(komis.iter().any(|komi| (komi - mean).abs() > 8.0));
    }
    let rules: std::collections::HashSet<String> = games
        .iter()
        .map(|record| {
            tengen_core::Rules {
                komi: None,
                ..record.rules
            }
            .to_string()
        })
        .collect();
    assert_eq!(rules.len(), settings.rules.len());
}

#[test]
fn people_can_look_at_a_game() {
    let mut record = play_game(&mut Counting, &settings(), 5).unwrap();
    record.network = 77;
    let sgf = record.to_sgf().unwrap().to_string();
    assert!(
        sgf.contains("network 77") && sgf.contains("visits"),
        "{sgf}"
    );
    let read = Record::read(sgf.into_bytes(), Mode::Strict).unwrap();
    let root = read.collection.roots().next().unwrap();
    let game: Game = Replay::main_line(root, Mode::Strict).unwrap().into_game();
    let played: Vec<Move> = game.turns().iter().map(|turn| turn.action).collect();
    let actions = Actions::on(record.size);
    let recorded: Vec<Move> = record
        .moves
        .iter()
        .filter_map(|number| actions.action(usize::from(*number)))
        .collect();
    assert_eq!(played, recorded);
    assert_eq!(game.rules().scoring, Scoring::Area);
    record.moves[1] = record.moves[0];
    assert!(record.to_sgf().is_err());
}

#[test]
fn settings_say_what_is_wrong_with_them() {
    assert_eq!(toml::from_str::<SelfPlay>("").unwrap(), SelfPlay::default());
    let text = toml::to_string(&settings()).unwrap();
    assert_eq!(toml::from_str::<SelfPlay>(&text).unwrap(), settings());
    for (text, says) in [
        ("full_shares = 1", "full_shares"),
        ("boards = [{ size = '0' }]", "a board is 1 to 25"),
        ("rules = [{ rules = 'chess' }]", "chess"),
        ("komi = { spread = 'x' }", "expected f64"),
    ] {
        let error = toml::from_str::<SelfPlay>(text).unwrap_err().to_string();
        assert!(error.contains(says), "{error}");
    }
    let refused = |text: &str| {
        let settings: SelfPlay = toml::from_str(text).unwrap();
        play_game(&mut Flat, &settings, 1).unwrap_err()
    };
    assert_eq!(refused("boards = []"), SelfPlayError::Nothing("boards"));
    assert_eq!(
        refused("boards = [{ size = '9', weight = 0 }]"),
        SelfPlayError::Nothing("boards")
    );
    assert!(matches!(
        refused("rules = [{ rules = 'japanese' }]"),
        SelfPlayError::Rules(_)
    ));
    assert!(matches!(
        refused("rules = [{ rules = 'pgx' }]"),
        SelfPlayError::Rules(_)
    ));
    assert_eq!(
        refused("full_share = 1.5"),
        SelfPlayError::Range("full_share", 0.0, 1.0)
    );
    assert_eq!(
        refused("max_moves = nan"),
        SelfPlayError::Range("max_moves", 0.0, 100.0)
    );
}
