//! Layouts, types and meanings of planes.

use tengen_core::{Color, Game, Move, Preset, Rules, Setup, Size};
use tengen_env::{Actions, BOARDS, Features, Layout, Observer, RecentBoards};

fn game(diagram: &str, moves: &[&str]) -> Game {
    let setup: Setup = diagram.parse().unwrap();
    let mut game = Game::from_setup(&setup, Preset::Chinese.rules()).unwrap();
    for text in moves {
        let action = Move::from_gtp(text, game.size()).unwrap();
        game.play(action).unwrap();
    }
    game
}

/// One plane as a picture, `#` where it is 1.
fn picture(game: &Game, features: Features, player: Color, name: &str) -> String {
    let observer = Observer::new(features, Layout::ChannelsFirst, game.size());
    let mut values = vec![0_u8; observer.len()];
    observer.observe(game, player, &mut values);
    let names = features.names();
    let number = names.iter().position(|known| known == name);
    let number = number.unwrap_or_else(|| panic!("no plane {name:?} among {names:?}"));
    let (width, area) = (usize::from(game.size().width()), game.size().area());
    values[number * area..][..area]
        .chunks(width)
        .map(|row| {
            row.iter()
                .map(|value| ['.', '#'][usize::from(*value)])
                .collect::<String>()
        })
        .collect::<Vec<_>>()
        .join("/")
}

#[test]
fn every_layout_and_type_holds_the_same() {
    let game = game(
        ". X O .\nX . X O\n. X O .\nWhite to move",
        &["B2", "A3", "D3"],
    );
    for features in Features::ALL {
        let last = Observer::new(features, Layout::ChannelsLast, game.size());
        let first = Observer::new(features, Layout::ChannelsFirst, game.size());
        let count = features.count();
        assert_eq!(last.shape(), [3, 4, count]);
        assert_eq!(first.shape(), [count, 3, 4]);
        for player in Color::BOTH {
            let mut bytes = vec![9_u8; last.len()];
            let mut planes = vec![9_u8; last.len()];
            let mut floats = vec![9.0_f32; last.len()];
            let mut float_planes = vec![9.0_f32; last.len()];
            last.observe(&game, player, &mut bytes);
            first.observe(&game, player, &mut planes);
            last.observe(&game, player, &mut floats);
            first.observe(&game, player, &mut float_planes);
            for point in 0..12 {
                for plane in 0..count {
                    let value = bytes[point * count + plane];
                    assert!(value < 2);
                    assert_eq!(planes[plane * 12 + point], value);
                    assert_eq!(floats[point * count + plane], f32::from(value));
                    assert_eq!(float_planes[plane * 12 + point], f32::from(value));
                }
            }
        }
    }
}

#[test]
fn names_are_distinct_and_as_many_as_planes() {
    for features in Features::ALL {
        let mut names = features.names();
        assert_eq!(names.len(), features.count());
        names.sort();
        names.dedup();
        assert_eq!(names.len(), features.count());
        assert_eq!(features.name().parse(), Ok(features));
    }
}

#[test]
fn history_shows_captured_stones_until_it_forgets_them() {
    let game = game("O X .\n. . .\n. . .", &["A2", "pass", "C1"]);
    let agz = Features::AlphaGoZero;
    assert_eq!(
        picture(&game, agz, Color::White, "own stones, 2 moves ago"),
        ".../.../..."
    );
    assert_eq!(
        picture(&game, agz, Color::White, "own stones, 3 moves ago"),
        "#../.../..."
    );
    assert_eq!(
        picture(&game, agz, Color::White, "opponent's stones"),
        ".#./#../..#"
    );
    assert_eq!(
        picture(&game, agz, Color::Black, "own stones, 1 move ago"),
        ".#./#../..."
    );
    // Nothing was played before that.
    assert_eq!(
        picture(&game, agz, Color::Black, "own stones, 4 moves ago"),
        ".../.../..."
    );
    assert_eq!(
        picture(&game, agz, Color::Black, "player is Black"),
        "###/###/###"
    );
    assert_eq!(
        picture(&game, agz, Color::White, "player is Black"),
        ".../.../..."
    );
}

#[test]
fn a_ko_is_marked() {
    let game = game(". X O .\nX . X O\n. X O .\nWhite to move", &["B2"]);
    let see = |name| picture(&game, Features::Tactical, Color::Black, name);
    assert_eq!(see("illegal by ko or superko"), "..../..#./....");
    assert_eq!(see("legal"), "#.../..../#...");
    assert_eq!(see("1 liberty"), ".#../.#../.#..");
    assert_eq!(see("last move"), "..../.#../....");
    assert_eq!(see("passed just now"), "..../..../....");
}

#[test]
fn captures_and_safety_are_marked() {
    let game = game(". X X O O\nX X X X O\n. . . X .\nBlack to move", &[]);
    let see = |name| picture(&game, Features::Tactical, Color::Black, name);
    assert_eq!(see("captures 3 stones or more"), "...../...../....#");
    assert_eq!(see("captures 1 stone"), "...../...../.....");
    assert_eq!(see("own pass-alive"), "#####/#####/#####");
    assert_eq!(see("opponent's pass-alive"), "...../...../.....");
    assert_eq!(see("opponent's stones"), "...##/....#/.....");
}

#[test]
fn a_ladder_is_marked() {
    let game = game("O . . X\nX X X .\n. . . .\nWhite to move", &[]);
    let see = |name| picture(&game, Features::Tactical, Color::White, name);
    assert_eq!(see("caught in a ladder"), "#.../..../....");
}

#[test]
fn a_frame_larger_than_the_board_stays_empty_around_it() {
    let mut game = Game::new(Size::square(2).unwrap(), Rules::default());
    game.play(Move::from_gtp("A1", game.size()).unwrap())
        .unwrap();
    let frame = Size::new(4, 3).unwrap();
    for features in Features::ALL {
        let observer = Observer::new(features, Layout::ChannelsFirst, frame);
        let mut values = vec![9_u8; observer.len()];
        observer.observe(&game, Color::White, &mut values);
        for plane in values.chunks(12) {
            for (place, value) in plane.iter().enumerate() {
                assert!(*value == 0 || (place % 4 < 2 && place / 4 < 2));
            }
        }
    }
}

#[test]
fn recent_boards_are_those_that_taking_moves_back_shows() {
    // Small boards, so that there are ko, captures, suicides and passes.
    let mut seed = 7_u64;
    let mut suicides = 0;
    for (width, height) in [(2, 3), (4, 4), (7, 3)].repeat(15) {
        let size = Size::new(width, height).unwrap();
        let rules = Rules {
            suicide: tengen_core::Suicide::Allowed,
            ..Rules::TROMP_TAYLOR
        };
        let mut game = Game::new(size, rules);
        while !game.is_over() && game.turns().len() < 100 {
            let mut moves: Vec<Move> = game.legal_moves().iter().map(Move::Play).collect();
            moves.push(Move::Pass);
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            game.play(moves[(seed >> 33) as usize % moves.len()])
                .unwrap();
            let recent = RecentBoards::of(&game, Actions::on(size));
            let mut earlier = game.clone();
            for ago in 0..BOARDS {
                for color in Color::BOTH {
                    assert_eq!(
                        recent.stones(color, ago),
                        *earlier.board().stones(color),
                        "{ago}"
                    );
                }
                if earlier.undo().is_none() {
                    break;
                }
            }
        }
        suicides += game.turns().iter().filter(|turn| turn.suicide).count();
    }
    assert!(suicides > 0);
}
