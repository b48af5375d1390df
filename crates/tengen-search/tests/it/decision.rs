//! What an engine plays, and when it stops.

use tengen_core::{Color, Game, Move, Outcome, Preset, Rules, Setup, Size};
use tengen_search::{Choice, Engine, Level, Limits, Options, Stop, Task};

fn engine() -> Engine {
    Engine::new(Options {
        threads: 1,
        ..Options::default()
    })
}

fn choice(visits: u32) -> Choice {
    Choice {
        task: Task {
            limits: Limits::visits(visits),
            ..Task::default()
        },
        ..Choice::default()
    }
}

fn position(diagram: &str, rules: Rules) -> Game {
    Game::from_setup(&diagram.parse::<Setup>().unwrap(), rules).unwrap()
}

fn chosen(game: &Game, choice: &Choice) -> Option<Move> {
    engine()
        .choose(game, choice, &Stop::new(), &mut |_| {})
        .action
}

/// White is alive in the upper half, Black in the lower, with a dead white stone in Black's territory.
const WON_BY_BLACK: &str = "
    . O . O . O .
    O O O O O O O
    X X X X X X X
    . . . . . . .
    . . O . X . .
    X X X X X . .
    . X . X . . .";

#[test]
fn a_settled_board_is_passed() {
    for preset in [Preset::Chinese, Preset::Japanese] {
        let game = position(
            WON_BY_BLACK,
            preset.rules().with_komi("0.5".parse().unwrap()),
        );
        assert_eq!(
            chosen(&game, &choice(800)),
            Some(Move::Pass),
            "under {preset:?} rules"
        );
    }
}

#[test]
fn a_ko_that_decides_is_not_passed() {
    // White has taken a ko in the upper left corner and wins, but only if Black does not take it back.
    let moves = "f6 c3 f3 c6 d7 c7 c8 b8 e8 f4 g3 e4 g4 e3 f2 e2 e1 c9 d8 d1 f1 f5 \
                 g5 e6 f7 d2 d6 d5 e7 d9 b9 a9 e9 g6 g7 h6 h5 e5 h7 b7 b9 c9 d9";
    let rules = Preset::Chinese.rules().with_komi("7.5".parse().unwrap());
    let mut game = Game::new(Size::square(9).unwrap(), rules);
    for vertex in moves.split_whitespace() {
        game.play(Move::from_gtp(vertex, game.size()).unwrap())
            .unwrap();
    }
    assert_eq!(game.to_move(), Color::White);
    assert_ne!(chosen(&game, &choice(3000)), Some(Move::Pass));
}

#[test]
fn dead_stones_are_captured_where_that_is_asked_for() {
    let rules = Preset::Chinese.rules().with_komi("0.5".parse().unwrap());
    let mut game = position(WON_BY_BLACK, rules);
    let mut engine = engine();
    let cleanup = Choice {
        cleanup: true,
        ..choice(400)
    };
    while !game.is_over() && game.turns().len() < 60 {
        let action = match game.to_move() {
            Color::Black => {
                engine
                    .choose(&game, &cleanup, &Stop::new(), &mut |_| {})
                    .action
            }
            Color::White => Some(Move::Pass),
        };
        game.play(action.unwrap()).unwrap();
    }
    assert!(game.is_over(), "it passes once the board is clean");
    assert!(matches!(
        game.outcome(),
        Some(Outcome::Win(Color::Black, _))
    ));
    let upper_white = game.board().stones(Color::White).len();
    assert_eq!(upper_white, 10, "the stone in Black's territory is gone");
}

#[test]
fn a_hopeless_player_resigns_if_that_is_allowed() {
    let rules = Preset::Chinese.rules().with_komi("200".parse().unwrap());
    let mut game = Game::new(Size::square(7).unwrap(), rules);
    for vertex in [
        "d4", "d5", "e5", "c4", "d3", "e4", "f4", "e3", "d6", "c5", "f3", "d2", "c3", "b3",
    ] {
        game.play(Move::from_gtp(vertex, game.size()).unwrap())
            .unwrap();
    }
    assert_eq!(game.to_move(), Color::Black);
    let resigning = Choice {
        may_resign: true,
        ..choice(300)
    };
    assert_eq!(chosen(&game, &resigning), None);
    assert!(chosen(&game, &choice(300)).is_some());
}

#[test]
fn lower_levels_vary_and_the_full_level_does_not() {
    let game = Game::new(Size::square(9).unwrap(), Preset::Chinese.rules());
    let play = |level: u8, seed| {
        let mut engine = Engine::new(Options {
            threads: 1,
            seed,
            ..Options::default()
        });
        let choice = Choice {
            level: Level::new(level).unwrap(),
            ..choice(200)
        };
        engine
            .choose(&game, &choice, &Stop::new(), &mut |_| {})
            .action
            .unwrap()
    };
    let of_beginner: std::collections::HashSet<Move> = (0..20).map(|seed| play(1, seed)).collect();
    assert!(of_beginner.len() > 5, "{of_beginner:?}");
    let full = Level::FULL.number();
    assert_eq!(play(full, 7), play(full, 7));
}

#[test]
fn handicap_stones_are_placed_well() {
    let game = Game::new(Size::square(19).unwrap(), Rules::default());
    let mut engine = engine();
    for stones in 1..=40 {
        let placed = engine.place_handicap(&game, stones).unwrap();
        assert_eq!(placed.len(), stones);
        let on_first_line = placed
            .iter()
            .any(|point| point.x().min(point.y()) == 0 || point.x().max(point.y()) == 18);
        assert!(!on_first_line, "{stones} stones");
    }
    assert_eq!(engine.place_handicap(&game, 361), None);
}
