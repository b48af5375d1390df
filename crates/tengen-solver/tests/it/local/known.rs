//! Shapes that every player knows.

use tengen_core::Size;
use tengen_solver::local::{Answer, Outcome, TargetStatus};

use super::answers;

/// The verdicts when Black, who attacks, and when White moves first.
fn verdicts(text: &str) -> [TargetStatus; 2] {
    answers(text).map(|answer| answer.verdict)
}

fn moves(answer: &Answer, size: &str) -> Vec<String> {
    let size: Size = size.parse().unwrap();
    let names = answer.moves.iter().map(|action| action.to_gtp(size));
    names.collect()
}

#[test]
fn three_in_a_row_belong_to_whoever_plays_first() {
    let [black, white] = answers(
        ". . . O X ,
         O O O O X ,
         X X X X X ,
         , , , , , ,",
    );
    assert_eq!(
        [black.verdict, white.verdict],
        [TargetStatus::Dies, TargetStatus::Lives]
    );
    assert_eq!(moves(&black, "6x4"), ["B4"]);
    assert_eq!(moves(&white, "6x4"), ["B4"]);
    assert_eq!(black.outcomes, [Outcome::Captured; 5]);
    assert_eq!(white.outcomes, [Outcome::Stands; 5]);
}

#[test]
fn four_in_a_row_live_and_need_no_move() {
    let row = ". . . . O X ,
               O O O O O X ,
               X X X X X X ,
               , , , , , , ,";
    let [black, white] = answers(row);
    assert_eq!([black.verdict, white.verdict], [TargetStatus::Lives; 2]);
    assert!(moves(&white, "7x4").contains(&"pass".to_owned()));
}

#[test]
fn four_in_a_square_are_dead() {
    let square = "O O O O X ,
                  O . . O X ,
                  O . . O X ,
                  O O O O X ,
                  X X X X X ,
                  , , , , , ,";
    assert_eq!(verdicts(square), [TargetStatus::Dies; 2]);
}

#[test]
fn the_vital_point_of_five_and_of_six_decides() {
    let bulky_five = "O O O O O X ,
                      O . . . O X ,
                      O . . O O X ,
                      O O O O X X ,
                      X X X X X , ,
                      , , , , , , ,";
    let [black, white] = answers(bulky_five);
    assert_eq!(
        [black.verdict, white.verdict],
        [TargetStatus::Dies, TargetStatus::Lives]
    );
    assert_eq!(moves(&black, "7x6"), ["C5"]);

    let rabbity_six = "O O O O O X ,
                       O O . O O X ,
                       O . . . O X ,
                       O O . . O X ,
                       O O O O O X ,
                       X X X X X X ,
                       , , , , , , ,";
    let [black, white] = answers(rabbity_six);
    assert_eq!(
        [black.verdict, white.verdict],
        [TargetStatus::Dies, TargetStatus::Lives]
    );
    assert_eq!(moves(&black, "7x7"), ["C5"]);
}

/// Two by three points in the corner: dead without a liberty outside, a ko with one, alive with two.
#[test]
fn liberties_outside_decide_about_six_in_the_corner() {
    let none = ". . . O X ,
                . . . O X ,
                O O O O X ,
                X X X X X ,
                , , , , , ,";
    let one = ". . . O . X ,
               . . . O X X ,
               O O O O X , ,
               X X X X X , ,
               , , , , , , ,";
    let two = ". . . O . X ,
               . . . O . X ,
               O O O O X X ,
               X X X X X , ,
               , , , , , , ,";
    assert_eq!(verdicts(none), [TargetStatus::Dies, TargetStatus::Lives]);
    assert_eq!(verdicts(one), [TargetStatus::Ko, TargetStatus::Lives]);
    assert_eq!(verdicts(two), [TargetStatus::Lives; 2]);
}

#[test]
fn bent_four_in_the_corner_is_a_ko() {
    let bent = ". . O O O X ,
                . O O . O X ,
                . O X X X X ,
                O O X , , , ,
                X X X , , , ,";
    let [black, white] = answers(bent);
    assert_eq!(
        [black.verdict, white.verdict],
        [TargetStatus::Ko, TargetStatus::Lives]
    );
    // Black takes first: White needs a ko threat.
    let [any, one, none, ..] = black.outcomes;
    assert_eq!(
        [any, one, none],
        [Outcome::Stands, Outcome::Stands, Outcome::Captured]
    );
}

#[test]
fn the_l_group_is_dead_whoever_plays_first() {
    let group = ". . . . X ,
                 . . O X X ,
                 . . O X , ,
                 . O O X , ,
                 . X X X , ,
                 X X , , , ,";
    assert_eq!(verdicts(group), [TargetStatus::Dies; 2]);
}

/// Black's throw-in takes two points of eye space: White takes it back, and is taken.
#[test]
fn two_points_are_one_eye() {
    let [black, white] = answers(
        "O . . O X ,
         O O O O X ,
         X X X X X ,
         , , , , , ,",
    );
    assert_eq!([black.verdict, white.verdict], [TargetStatus::Dies; 2]);
    assert_eq!(moves(&black, "6x4"), ["B4", "C4"]);
}

/// Whoever fills one of the two liberties that both share is taken; if Black is, White has four in a row.
#[test]
fn stones_that_share_two_liberties_are_in_seki() {
    let [black, white] = answers(
        "O O O O O O O X ,
         O . X X X . O X ,
         O O O O O O O X ,
         X X X X X X X X ,
         , , , , , , , , ,",
    );
    assert_eq!([black.verdict, white.verdict], [TargetStatus::Seki; 2]);
    assert_eq!(moves(&white, "9x5"), ["pass"]);
}

/// With one black stone less, taking three leaves three in a row, and Black is next.
#[test]
fn what_looks_like_seki_may_be_a_dead_shape() {
    let [black, white] = answers(
        "O O O O O O X ,
         O . X X . O X ,
         O O O O O O X ,
         X X X X X X X ,
         , , , , , , , ,",
    );
    assert_eq!(black.verdict, TargetStatus::Dies);
    assert_ne!(white.verdict, TargetStatus::Open);
}

/// A stone that reaches a friend beyond the region, or free space there, is saved.
#[test]
fn a_way_out_saves() {
    let [black, white] = answers(
        "X X X X ,
         X O . , ,
         X X X X ,
         , , , , ,",
    );
    assert_eq!(
        [black.verdict, white.verdict],
        [TargetStatus::Dies, TargetStatus::Lives]
    );
}
