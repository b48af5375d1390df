//! Positions, points, moves, sizes and komi as text.

use proptest::prelude::*;
use tengen_core::{Color, Diagram, Komi, Move, Point, PointSet, Setup, Size};

fn any_size() -> impl Strategy<Value = Size> {
    (1..=Size::MAX, 1..=Size::MAX).prop_map(|(width, height)| Size::new(width, height).unwrap())
}

/// Any stones, whether they have liberties or not.
fn any_setup() -> impl Strategy<Value = Setup> {
    let contents = |size: Size| prop::collection::vec(0..4_u8, size.area());
    any_size()
        .prop_flat_map(move |size| {
            let ko = prop::option::of(any::<prop::sample::Index>());
            (Just(size), contents(size), any::<bool>(), ko)
        })
        .prop_map(|(size, contents, white, ko)| {
            let mut setup = Setup::empty(size);
            let points: Vec<Point> = size.points().iter().collect();
            for (point, content) in points.iter().zip(contents) {
                match content {
                    0 => setup.stones.black.insert(*point),
                    1 => setup.stones.white.insert(*point),
                    _ => false,
                };
            }
            setup.to_move = if white { Color::White } else { Color::Black };
            setup.ko = ko.map(|index| points[index.index(points.len())]);
            setup
        })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn printed_setups_read_back(setup in any_setup()) {
        prop_assert_eq!(setup.to_string().parse(), Ok(setup));
        prop_assert_eq!(setup.inverted().inverted(), setup);
        prop_assert_eq!(setup.inverted().to_string().parse(), Ok(setup.inverted()));
    }

    #[test]
    fn diagrams_read_back(setup in any_setup(), last in any::<prop::sample::Index>()) {
        let mut setup = Setup { ko: None, ..setup };
        let breathless = |setup: &Setup| setup.board().err().map(tengen_core::SetupError::point);
        while let Some(point) = breathless(&setup) {
            setup.stones.black.remove(point);
            setup.stones.white.remove(point);
        }
        let board = setup.board().unwrap();
        let points: Vec<Point> = setup.size.points().iter().collect();
        let last = points[last.index(points.len())];
        let diagram = Diagram::new(&board).last(Some(last)).mark(setup.size.points(), '*');
        for text in [board.to_string(), diagram.to_string()] {
            let read: Setup = text.parse().unwrap();
            prop_assert_eq!((read.size, read.stones), (setup.size, setup.stones), "{}", text);
        }
    }

    #[test]
    fn points_and_moves_read_back(size in any_size(), index in any::<prop::sample::Index>()) {
        let points: Vec<Point> = size.points().iter().collect();
        let point = points[index.index(points.len())];
        prop_assert_eq!(Point::from_gtp(&point.to_gtp(size), size), Ok(point));
        prop_assert_eq!(Point::from_sgf(&point.to_sgf(), size), Ok(point));
        for action in [Move::Play(point), Move::Pass] {
            prop_assert_eq!(Move::from_gtp(&action.to_gtp(size), size), Ok(action));
            prop_assert_eq!(Move::from_gtp(&action.to_gtp(size).to_uppercase(), size), Ok(action));
            prop_assert_eq!(Move::from_sgf(&action.to_sgf(), size), Ok(action));
        }
    }

    #[test]
    fn sizes_and_komi_read_back(size in any_size(), halves in -1250_i16..=1250) {
        prop_assert_eq!(size.to_string().parse(), Ok(size));
        let komi = Komi::from_halves(halves);
        prop_assert_eq!(komi.to_string().parse(), Ok(komi));
    }

    /// Whatever is read, an error or not, nothing panics; what reads, reads again.
    #[test]
    fn any_text_is_read_or_refused(text in "[ .XOxo#@+*0-9A-Ta-z()|\\-:/\n●○·]{0,80}") {
        if let Ok(setup) = text.parse::<Setup>() {
            prop_assert_eq!(setup.to_string().parse(), Ok(setup));
        }
    }
}

#[test]
fn a_point_of_another_size_is_off_the_board() {
    let (small, large) = (Size::square(9).unwrap(), Size::square(19).unwrap());
    for point in large.points() - small.points() {
        assert!(Point::from_sgf(&point.to_sgf(), small).is_err());
    }
    let on_both: PointSet = small.points();
    assert!(on_both.is_subset(&large.points()));
}
