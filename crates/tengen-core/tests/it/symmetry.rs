//! A game and its mirror image are the same game.

use tengen_core::{
    ByColor, Color, Game, Ko, Komi, Move, Point, Rules, Scoring, Setup, Size, Suicide, Symmetry,
};

use crate::rng::Dice;

#[test]
fn a_turned_game_with_colours_exchanged_has_the_same_legal_moves_and_score() {
    let mut dice = Dice::new(4);
    for text in ["1x4", "3x3", "5x3", "9x9", "25x2"] {
        let size: Size = text.parse().unwrap();
        for symmetry in Symmetry::all() {
            for exchange in [false, true] {
                let rules = Rules {
                    ko: dice.one_of(&[Ko::Simple, Ko::Positional, Ko::Situational]),
                    suicide: dice.one_of(&[Suicide::Forbidden, Suicide::Allowed]),
                    scoring: Scoring::AreaAndPrisoners,
                    komi: Some(Komi::default()),
                    passes: 3,
                    ..Rules::TROMP_TAYLOR
                };
                compare(size, rules, symmetry, exchange, &mut dice);
            }
        }
    }
}

fn compare(size: Size, rules: Rules, symmetry: Symmetry, exchange: bool, dice: &mut Dice) {
    let mut game = Game::new(size, rules);
    let image_of = |setup: &Setup| {
        let turned = setup.transformed(symmetry);
        if exchange { turned.inverted() } else { turned }
    };
    let mut image = Game::from_setup(&image_of(&game.position()), rules).unwrap();
    for _ in 0..80 {
        let legal = game.legal_moves();
        assert_eq!(symmetry.apply_to_set(&legal, size), image.legal_moves());
        assert_eq!(image_of(&game.position()), image.position());
        assert_eq!(game.outcome().is_some(), image.outcome().is_some());
        let sign = if exchange { -1 } else { 1 };
        assert_eq!(
            game.score().margin_halves() * sign,
            image.score().margin_halves()
        );
        let (canonical, of_image) = (game.position().canonical(), image.position().canonical());
        assert_eq!(canonical.setup, of_image.setup);
        if game.is_over() {
            return;
        }
        let action = game.random_move(dice.generator());
        game.play(action).unwrap();
        let turned = |point: Point| Move::Play(symmetry.apply(point, size));
        image
            .play(action.point().map_or(Move::Pass, turned))
            .unwrap();
    }
}

#[test]
fn every_symmetry_has_an_inverse_and_they_compose() {
    let size = Size::new(7, 4).unwrap();
    let corner = Setup {
        stones: ByColor::new(Point::new(0, 0).into(), Point::new(2, 1).into()),
        to_move: Color::White,
        ko: Some(Point::new(6, 3)),
        ..Setup::empty(size)
    };
    for first in Symmetry::all() {
        assert_eq!(
            corner.transformed(first).transformed(first.inverse()),
            corner
        );
        for second in Symmetry::all() {
            let one_by_one = corner.transformed(first).transformed(second);
            assert_eq!(corner.transformed(first.then(second)), one_by_one);
        }
    }
}
