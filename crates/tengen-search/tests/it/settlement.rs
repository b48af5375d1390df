//! Dead stones and seki in shapes that every player knows.

use tengen_core::{Game, PointSet, Preset, Setup};
use tengen_search::{Engine, Options, Stop};

/// Settles a board and compares with a diagram in which dead stones are `d` and stones in seki `s`.
fn check(board: &str, expected: &str) {
    let setup: Setup = board.parse().unwrap();
    let game = Game::from_setup(&setup, Preset::Chinese.rules()).unwrap();
    let mut engine = Engine::new(Options {
        threads: 1,
        ..Options::default()
    });
    let settlement = engine.settle(&game, &Stop::new());
    let marked = |sign: char| -> PointSet {
        let rows = expected
            .lines()
            .map(str::trim)
            .filter(|row| !row.is_empty());
        rows.enumerate()
            .flat_map(|(y, row)| {
                let signs = row.split_whitespace().enumerate();
                signs
                    .filter(move |(_, found)| found.starts_with(sign))
                    .map(move |(x, _)| tengen_core::Point::new(x as u8, y as u8))
            })
            .collect()
    };
    assert_eq!(settlement.dead, marked('d'), "dead stones of\n{board}");
    assert_eq!(settlement.seki, marked('s'), "seki of\n{board}");
}

#[test]
fn a_stone_inside_safe_territory_is_dead() {
    check(
        ". O . O . O .
         O O O O O O O
         X X X X X X X
         . . . . . . .
         . . O . X . .
         X X X X X . .
         . X . X . . .",
        ". . . . . . .
         . . . . . . .
         . . . . . . .
         . . . . . . .
         . . d . . . .
         . . . . . . .
         . . . . . . .",
    );
}

#[test]
fn two_chains_that_share_two_liberties_are_in_seki() {
    check(
        "X X X . O X
         X O O O O X
         . O X X X X
         O O X . X .
         X X X X X X",
        "s s s . s .
         s s s s s .
         . s . . . .
         s s . . . .
         . . . . . .",
    );
}

#[test]
fn a_square_of_four_points_is_one_eye() {
    check(
        ". . O X . X .
         . . O X X X X
         O O O X . X .
         X X X X X X X
         O O O O O O O
         . O . O . O .
         O . O O O O O",
        ". . d . . . .
         . . d . . . .
         d d d . . . .
         . . . . . . .
         . . . . . . .
         . . . . . . .
         . . . . . . .",
    );
}

#[test]
fn a_stone_on_the_vital_point_leaves_one_eye() {
    check(
        ". X . O X . X
         O O O O X X X
         X X X X X . X
         X . X X X X X
         X X X O O O O
         O O O O . O .
         . O . O O O O",
        ". . . d . . .
         d d d d . . .
         . . . . . . .
         . . . . . . .
         . . . . . . .
         . . . . . . .
         . . . . . . .",
    );
}

#[test]
fn four_stones_that_become_a_bulky_five_kill() {
    check(
        ". X X O X . X
         X X . O X X X
         O O O O X . X
         X X X X X X X
         O O O O O O O
         . O . O . O .
         O . O O O O O",
        ". . . d . . .
         . . . d . . .
         d d d d . . .
         . . . . . . .
         . . . . . . .
         . . . . . . .
         . . . . . . .",
    );
}

#[test]
fn four_in_a_row_are_two_eyes() {
    check(
        ". . . . O X .
         O O O O O X X
         X X X X X X .
         . X . X . X X
         X X X X X X .",
        "",
    );
}
