//! The levels of the engine, played with the baseline.

use tengen_core::{Color, Game, Komi, Move, Outcome, Point, Preset, Reason, Setup, Size};
use tengen_nn::Expert;
use tengen_search::{Choice, Engine, Level, Limits, Options, Stop, Task};

use crate::novice::Novice;

/// Full strength has so many visits here.
const VISITS: u32 = 100;

fn level(number: u8) -> Level {
    Level::new(number).expect("there is such a level")
}

fn engine(seed: u64) -> Engine {
    Expert::baseline().engine(Options {
        threads: 1,
        seed,
        memory: 16 << 20,
    })
}

/// What a player of this level does, if it may resign.
fn chosen(engine: &mut Engine, game: &Game, level: Level) -> Option<Move> {
    let choice = Choice {
        task: Task {
            limits: Limits::visits(VISITS),
            ..Task::default()
        },
        level,
        may_resign: true,
        ..Choice::default()
    };
    let decision = engine.choose(game, &choice, &Stop::new(), &mut |_| {});
    decision.action
}

fn new_game(side: u8) -> Game {
    // With half a point nobody draws.
    let rules = Preset::Chinese.rules().with_komi(Komi::from_halves(15));
    Game::new(Size::square(side).expect("it is a size"), rules)
}

/// Who has won, with the stones that are dead off the board.
fn winner(game: &Game) -> Option<Color> {
    let outcome = match game.outcome() {
        Some(outcome @ Outcome::Win(_, Reason::Resignation)) => outcome,
        _ => {
            let settlement = engine(0).settle(game, &Stop::new());
            game.score_settled(&settlement).outcome(game.rules().ties)
        }
    };
    match outcome {
        Outcome::Win(winner, _) => Some(winner),
        _ => None,
    }
}

/// Plays a game to its end.
fn play(side: u8, mut choose: impl FnMut(&Game) -> Option<Move>) -> Game {
    let mut game = new_game(side);
    while !game.is_over() {
        match choose(&game) {
            Some(action) => game.play(action).expect("it is legal"),
            None => game.resign(game.to_move()),
        }
        let most = 4 * game.size().area();
        assert!(game.turns().len() < most, "the game does not end");
    }
    game
}

/// How many of these games the first level wins against the second; it has Black in every other one.
fn wins(side: u8, levels: [Level; 2], games: u64) -> u32 {
    let won = |round: u64| {
        let mut engines = [engine(2 * round), engine(2 * round + 1)];
        let black = (round % 2) as usize;
        let game = play(side, |game| {
            let player = if game.to_move() == Color::Black {
                black
            } else {
                1 - black
            };
            chosen(&mut engines[player], game, levels[player])
        });
        winner(&game)
            == Some(if black == 0 {
                Color::Black
            } else {
                Color::White
            })
    };
    (0..games).map(|round| u32::from(won(round))).sum()
}

#[test]
fn the_lowest_level_loses_to_who_only_captures_escapes_and_plays_near_stones() {
    let games = 40;
    let lost = |round: u64| {
        let mut weak = engine(round);
        let mut novice = Novice::new(round);
        let own = Color::BOTH[(round % 2) as usize];
        let game = play(9, |game| match game.to_move() == own {
            true => chosen(&mut weak, game, Level::LOWEST),
            false => Some(novice.choose(game)),
        });
        winner(&game) == Some(!own)
    };
    let lost: u32 = (0..games).map(|round| u32::from(lost(round))).sum();
    assert!(lost >= 32, "only {lost} of {games}");
}

#[test]
fn a_higher_level_plays_better() {
    for [high, low] in [[4, 1], [7, 4], [10, 7], [13, 10], [16, 13]] {
        let won = wins(9, [high, low].map(level), 8);
        assert!(won >= 6, "level {high} won {won} of 8 games against {low}");
    }
    let won = wins(13, [9, 5].map(level), 4);
    assert!(won >= 3, "{won} of 4 games on 13x13");
}

#[test]
fn every_level_plays_a_game_to_its_end() {
    for player in Level::all() {
        let mut engines = [engine(3), engine(4)];
        let game = play(5, |game| {
            let turn = game.turns().len() % 2;
            chosen(&mut engines[turn], game, player)
        });
        assert!(winner(&game).is_some(), "{player:?}");
    }
}

#[test]
fn every_level_passes_when_nothing_is_left() {
    let setup: Setup = "
        . X . X O . O
        X X X X O O O
        X . X X O O .
        X X X X O O O
        . X X X O . O
        X X X X O O O
        . X . X O . O"
        .parse()
        .expect("it is a board");
    for komi in ["0.5", "7.5"] {
        let rules = Preset::Chinese
            .rules()
            .with_komi(komi.parse().expect("it is a komi"));
        let game = Game::from_setup(&setup, rules).expect("it is a position");
        for player in Level::all() {
            let action = chosen(&mut engine(1), &game, player);
            assert_eq!(action, Some(Move::Pass), "{player:?} with komi {komi}");
        }
    }
}

#[test]
fn every_level_resigns_what_is_lost_and_nothing_else() {
    // White has three rows, and cuts in two what is left above and below them.
    let rows = (2..5).flat_map(|y| (0..7).map(move |x| Point::new(x, y)));
    let mut game = new_game(7);
    for stone in rows.chain([Point::new(3, 1), Point::new(3, 5)]) {
        game.play_unchecked(Move::Pass);
        game.play_unchecked(Move::Play(stone));
    }
    for player in Level::all() {
        assert_eq!(chosen(&mut engine(1), &game, player), None, "{player:?}");
        let begun = chosen(&mut engine(1), &new_game(7), player);
        assert!(
            begun.is_some_and(|action| action != Move::Pass),
            "{player:?}"
        );
    }
}

#[test]
fn a_level_depends_on_seed_and_position_alone() {
    let game = new_game(9);
    let twice = [5, 5].map(|seed| chosen(&mut engine(seed), &game, level(6)));
    assert_eq!(twice[0], twice[1]);
    let several: std::collections::HashSet<Option<Move>> = (0..12)
        .map(|seed| chosen(&mut engine(seed), &game, level(6)))
        .collect();
    assert!(several.len() > 3, "{several:?}");
}
