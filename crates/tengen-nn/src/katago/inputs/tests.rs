//! Each trap one case. [`recorded`] compares with what KataGo's own tests expect.

mod recorded;

use tengen_core::{Komi, Preset, Rules, Setup};

use super::*;

/// A game under Tromp and Taylor's rules from a diagram.
fn game(diagram: &str) -> Game {
    game_under(diagram, Rules::TROMP_TAYLOR)
}

fn game_under(diagram: &str, rules: Rules) -> Game {
    let setup: Setup = diagram.parse().unwrap();
    Game::from_setup(&setup, rules.with_komi(Komi::from_halves(0))).unwrap()
}

fn inputs(game: &Game) -> Inputs {
    let options = InputOptions {
        passing_hacks: false,
        ..InputOptions::default()
    };
    Inputs::of(game, &options)
}

/// One plane as a diagram: `#` where it is 1.
fn plane(inputs: &Inputs, size: Size, plane: usize) -> Vec<String> {
    let area = size.area();
    inputs.spatial[plane * area..][..area]
        .chunks_exact(size.width().into())
        .map(|row| {
            let letter = |value: &f32| match *value {
                0.0 => '.',
                1.0 => '#',
                other => panic!("a plane holds {other}"),
            };
            row.iter().map(letter).collect()
        })
        .collect()
}

#[track_caller]
fn expect_plane(game: &Game, number: usize, expected: &[&str]) {
    assert_eq!(
        plane(&inputs(game), game.size(), number),
        expected,
        "{}",
        game.board()
    );
}

/// The planes that are not empty.
fn filled(game: &Game) -> Vec<usize> {
    let inputs = inputs(game);
    let area = game.size().area();
    (0..PLANES)
        .filter(|plane| inputs.spatial[plane * area..][..area].contains(&1.0))
        .collect()
}

fn play(game: &mut Game, x: u8, y: u8) {
    game.play(Move::Play(Point::new(x, y))).unwrap();
}

#[test]
fn a_rectangle_has_its_rows_one_after_the_other() {
    let mut game = Game::new(Size::new(5, 2).unwrap(), Rules::TROMP_TAYLOR);
    assert_eq!(inputs(&game).spatial.len(), PLANES * 10);
    assert_eq!(filled(&game), [ON_BOARD]);
    play(&mut game, 4, 0);
    expect_plane(&game, ON_BOARD, &["#####", "#####"]);
    expect_plane(&game, ENEMY_STONES, &["....#", "....."]);
    expect_plane(&game, FIRST_LIBERTIES + 1, &["....#", "....."]);
    expect_plane(&game, FIRST_MOVE, &["....#", "....."]);
}

#[test]
fn chains_are_told_apart_by_their_liberties() {
    let game = game(
        "
        X O . . .
        . X . . .
        . . . X X
        . . . O X
        . . . O .",
    );
    expect_plane(
        &game,
        OWN_STONES,
        &["#....", ".#...", "...##", "....#", "....."],
    );
    expect_plane(
        &game,
        FIRST_LIBERTIES,
        &["##...", ".....", ".....", ".....", "....."],
    );
    expect_plane(
        &game,
        FIRST_LIBERTIES + 1,
        &[".....", ".....", ".....", ".....", "....."],
    );
    expect_plane(
        &game,
        FIRST_LIBERTIES + 2,
        &[".....", ".#...", ".....", "...#.", "...#."],
    );
}

#[test]
fn the_past_ends_at_a_move_of_the_wrong_colour() {
    let mut game = Game::new(Size::square(5).unwrap(), Rules::TROMP_TAYLOR);
    play(&mut game, 0, 0);
    play(&mut game, 1, 1);
    game.play(Move::Pass).unwrap();
    play(&mut game, 2, 2);
    let shown = |game: &Game| -> Vec<usize> {
        let planes = filled(game).into_iter();
        planes
            .filter(|plane| (FIRST_MOVE..FIRST_LADDERS).contains(plane))
            .collect()
    };
    assert_eq!(shown(&game), [FIRST_MOVE, FIRST_MOVE + 2, FIRST_MOVE + 3]);
    assert_eq!(inputs(&game).global[..5], [0.0, 1.0, 0.0, 0.0, 0.0]);
    game.set_to_move(Color::White);
    play(&mut game, 3, 3);
    assert_eq!(shown(&game), [FIRST_MOVE]);
    game.set_to_move(Color::White);
    assert!(shown(&game).is_empty());
    assert_eq!(inputs(&game).global[..5], [0.0; 5]);
}

#[test]
fn ladders_run_to_the_edge_and_stop_at_a_breaker() {
    let caught = game(
        "
        . . . . . .
        . . X X . .
        . X O . . .
        . . . . . .
        . . . . . .
        . . . . . .",
    );
    expect_plane(
        &caught,
        FIRST_LADDERS,
        &["......", "......", "..#...", "......", "......", "......"],
    );
    expect_plane(
        &caught,
        LADDER_ATTACKS,
        &["......", "......", "......", "..#...", "......", "......"],
    );
    // White sees that the chain is in danger, not where Black attacks.
    let mut white = caught.clone();
    white.set_to_move(Color::White);
    expect_plane(&white, LADDER_ATTACKS, &["......"; 6]);
    expect_plane(
        &white,
        FIRST_LADDERS,
        &["......", "......", "..#...", "......", "......", "......"],
    );
    let broken = game(
        "
        . . . . . .
        . . X X . .
        . X O . . .
        . . . . . .
        . . . . O .
        . . . . . .",
    );
    expect_plane(&broken, FIRST_LADDERS, &["......"; 6]);
}

#[test]
fn ladders_are_those_of_the_boards_before_the_moves_that_are_shown() {
    let mut game = game(
        "
        . . . . . .
        . . X X . .
        . X O . . .
        . . . . . .
        . . . . . .
        . . . . . .",
    );
    // Black plays elsewhere, White breaks the ladder.
    play(&mut game, 1, 4);
    play(&mut game, 4, 4);
    let caught = ["......", "......", "..#...", "......", "......", "......"];
    expect_plane(&game, FIRST_LADDERS, &["......"; 6]);
    expect_plane(&game, FIRST_LADDERS + 1, &caught);
    expect_plane(&game, FIRST_LADDERS + 2, &caught);
    // Without history all three are those of the board.
    game.set_to_move(Color::White);
    expect_plane(&game, FIRST_LADDERS + 1, &["......"; 6]);
    expect_plane(&game, FIRST_LADDERS + 2, &["......"; 6]);
}

#[test]
fn every_ko_works_for_the_defender() {
    // Black takes the ko in the corner. The white stone in atari can be saved by retaking it alone.
    let mut game = game(
        "
        O . O . X
        X O X X .
        . O . . .
        . . . . .",
    );
    play(&mut game, 1, 0);
    assert_eq!(game.board().ko(), Some(Point::new(0, 0)));
    // The project's own reader lets the ko bind White.
    assert_eq!(game.board().ladders(1000).caught, Point::new(2, 0).into());
    // Only Black's stone on the edge is caught.
    expect_plane(&game, FIRST_LADDERS, &[".....", "#....", ".....", "....."]);
}

#[test]
fn superko_bans_are_shown_like_ko_bans() {
    let rules = Rules {
        passes: 3,
        ..Rules::TROMP_TAYLOR
    };
    let diagram = "
        . X O .
        X O . O
        . X O .
        . . . .";
    for (ko, banned) in [
        (Ko::Positional, true),
        (Ko::Situational, true),
        (Ko::Simple, false),
    ] {
        let mut game = game_under(diagram, Rules { ko, ..rules });
        play(&mut game, 2, 1);
        // After two passes White may retake as far as simple ko goes, but that repeats the first board.
        game.play(Move::Pass).unwrap();
        game.play(Move::Pass).unwrap();
        assert_eq!(game.board().ko(), None);
        let retaken = if banned { ".#.." } else { "...." };
        expect_plane(&game, KO_BANS, &["....", retaken, "....", "...."]);
        // When the game is over the bans are the same.
        game.resign(Color::Black);
        expect_plane(&game, KO_BANS, &["....", retaken, "....", "...."]);
    }
}

#[test]
fn a_simple_ko_is_banned_whoever_moves() {
    let mut game = game(
        "
        . X O .
        X O . O
        . X O .
        . . . .",
    );
    play(&mut game, 2, 1);
    expect_plane(&game, KO_BANS, &["....", ".#..", "....", "...."]);
    game.play(Move::Pass).unwrap();
    expect_plane(&game, KO_BANS, &["....", "....", "....", "...."]);
}

#[test]
fn areas_follow_the_tax() {
    let diagram = "
        . X . O .
        X X . O O
        X . . . O
        X X . O O
        . X . O .";
    let game = game(diagram);
    let own = ["##...", "##...", "#....", "##...", "##..."];
    expect_plane(&game, OWN_AREA, &own);
    let options = InputOptions {
        tax: Some(Tax::Seki),
        ..InputOptions::default()
    };
    let taxed = Inputs::of(&game, &options);
    // All of it touches dame: the eyes do not count, the stones do.
    assert_eq!(
        plane(&taxed, game.size(), OWN_AREA),
        [".#...", "##...", "#....", "##...", ".#..."]
    );
    assert_eq!(taxed.global[10..12], [1.0, 0.0]);
}

#[test]
fn the_dead_within_pass_alive_land_are_not_theirs() {
    // The corner is Black's although White alone borders on it.
    let game = game(
        "
        . O X . X . X
        O X X X X X X
        X X . . . . .
        . . . . . . .",
    );
    expect_plane(
        &game,
        OWN_AREA,
        &["#######", "#######", "#######", "#######"],
    );
    expect_plane(&game, ENEMY_AREA, &["......."; 4]);
}

#[test]
fn territory_scoring_shows_no_areas_and_counts_the_moves() {
    let rules = Preset::Japanese.rules();
    let mut game = game_under(". X .\nX X .\n. . .", rules);
    assert_eq!(inputs(&game).global[5], -3.0 / 20.0);
    assert!(!filled(&game).contains(&OWN_AREA));
    play(&mut game, 2, 2);
    let inputs = inputs(&game);
    assert_eq!(inputs.global[5], 4.0 / 20.0);
    assert_eq!(inputs.global[9..12], [1.0, 1.0, 0.0]);
    assert_eq!(inputs.global[18], 0.0);
}

#[test]
fn rules_and_komi_are_numbers() {
    let mut game = Game::new(Size::square(9).unwrap(), Preset::Aga.rules());
    game.set_komi("7".parse().unwrap());
    let options = InputOptions {
        playout_doubling_advantage: -1.5,
        draw_value: 0.25,
        ..InputOptions::default()
    };
    let global = Inputs::of(&game, &options).global;
    assert_eq!(global[5], -6.75 / 20.0);
    assert_eq!(global[6..9], [1.0, -0.5, 0.0]);
    assert_eq!(global[15..17], [1.0, -0.75]);
    assert_eq!(global[18], 0.25);
    game.set_komi("600".parse().unwrap());
    assert_eq!(Inputs::of(&game, &options).global[5], -101.0 / 20.0);
}

#[test]
fn the_wave_rises_through_every_komi_that_can_draw() {
    let even = [0.0, 0.5, 0.0, -0.5, 0.0];
    for (half, value) in even.into_iter().enumerate() {
        assert_eq!(parity_wave(0.5 * half as f32, 36), value);
        assert_eq!(parity_wave(0.5 * half as f32 - 6.0, 36), value);
        assert_eq!(parity_wave(0.5 * half as f32 + 1.0, 81), value);
        assert_eq!(parity_wave(0.5 * half as f32 - 7.0, 81), value);
    }
}

#[test]
fn a_pass_that_would_end_the_game_is_hidden_where_it_would_not() {
    let mut game = game(
        "
        . . . . .
        . . . . .
        . . . . .
        . . . . .
        . . . . .",
    );
    play(&mut game, 2, 2);
    assert_eq!(inputs(&game).global[14], 0.0);
    game.play(Move::Pass).unwrap();
    let ends = |game: &Game, options: &InputOptions| {
        let global = Inputs::of(game, options).global;
        (global[0], global[14])
    };
    let plain = InputOptions {
        passing_hacks: false,
        ..InputOptions::default()
    };
    let root = InputOptions {
        conservative_pass: true,
        ..plain
    };
    assert_eq!(ends(&game, &plain), (1.0, 1.0));
    assert_eq!(ends(&game, &root), (0.0, 0.0));
    // Black has the whole board and wins by passing, but not with a komi of 30.
    let hacks = InputOptions::default();
    assert_eq!(ends(&game, &hacks), (1.0, 1.0));
    game.set_komi("30".parse().unwrap());
    assert_eq!(ends(&game, &hacks), (0.0, 0.0));
    // Where the dead are agreed on, the second pass only proposes the end.
    let mut friendly = Game::new(Size::square(5).unwrap(), Preset::Chinese.rules());
    friendly.play(Move::Pass).unwrap();
    assert_eq!(ends(&friendly, &plain), (0.0, 0.0));
    // Under territory scoring it ends a phase, whatever is agreed.
    let mut japanese = Game::new(Size::square(5).unwrap(), Preset::Japanese.rules());
    japanese.play(Move::Pass).unwrap();
    assert_eq!(ends(&japanese, &root), (1.0, 1.0));
}

#[test]
fn of_a_finished_game_only_the_last_pass_is_shown() {
    let mut game = Game::new(Size::square(5).unwrap(), Rules::TROMP_TAYLOR);
    play(&mut game, 2, 2);
    play(&mut game, 3, 3);
    game.play(Move::Pass).unwrap();
    game.play(Move::Pass).unwrap();
    assert!(game.is_over());
    assert_eq!(inputs(&game).global[..5], [1.0, 0.0, 0.0, 0.0, 0.0]);
    // Played on, the pass that ended it stays in sight.
    game.resume();
    play(&mut game, 1, 1);
    assert_eq!(inputs(&game).global[..5], [0.0, 1.0, 0.0, 0.0, 0.0]);
    expect_plane(
        &game,
        FIRST_MOVE,
        &[".....", ".#...", ".....", ".....", "....."],
    );
}

#[test]
fn under_simple_ko_a_second_pass_on_the_same_board_ends_the_phase() {
    for (ko, ends) in [(Ko::Simple, 1.0), (Ko::Positional, 0.0)] {
        let rules = Rules {
            ko,
            passes: 9,
            ..Rules::TROMP_TAYLOR
        };
        let mut game = Game::new(Size::square(5).unwrap(), rules);
        play(&mut game, 2, 2);
        game.play(Move::Pass).unwrap();
        assert_eq!(inputs(&game).global[14], 0.0);
        game.play(Move::Pass).unwrap();
        assert_eq!(inputs(&game).global[14], ends);
    }
}
