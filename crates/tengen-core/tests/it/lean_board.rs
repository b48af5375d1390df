//! The lean board in lockstep with the board that answers every question by point sets.

use tengen_core::{Board, Color, Content, LeanBoard, Point, PointSet, Size, Suicide};

use crate::rng::Dice;

/// What a board with sets says is on a place that may be beyond the edge.
fn content(board: &Board, x: i32, y: i32) -> Content {
    let size = board.size();
    let inside =
        (0..i32::from(size.width())).contains(&x) && (0..i32::from(size.height())).contains(&y);
    if !inside {
        return Content::OffBoard;
    }
    match board.color_at(Point::new(x as u8, y as u8)) {
        None => Content::Empty,
        Some(Color::Black) => Content::Black,
        Some(Color::White) => Content::White,
    }
}

fn compare_stone(board: &Board, lean: &LeanBoard, stone: Point) {
    let chain = board.chain_at(stone).unwrap();
    let members: PointSet = lean.members(stone).collect();
    assert_eq!(members, chain.stones);
    assert_eq!(lean.chain_len(stone), chain.stones.len());
    assert!(chain.stones.contains(lean.head(stone)));
    assert_eq!(lean.in_atari(stone), chain.liberties.len() == 1);
    assert_eq!(lean.last_liberty(stone), board.last_liberty(stone));
    let few = lean.liberties::<3>(stone);
    let found: PointSet = few.iter().collect();
    assert_eq!(few.count(), chain.liberties.len().min(3));
    assert_eq!(found.len(), few.count());
    assert!(found.is_subset(&chain.liberties));
}

fn compare_empty(board: &Board, lean: &LeanBoard, point: Point) {
    for color in Color::BOTH {
        let heads = |heads: &mut dyn Iterator<Item = Point>| -> PointSet {
            heads.flat_map(|head| lean.members(head)).collect()
        };
        assert_eq!(
            heads(&mut lean.captures(point, color)),
            board.captures(point, color)
        );
        let beside: PointSet = LeanBoard::beside(point)
            .into_iter()
            .filter(|side| board.size().contains(*side))
            .collect();
        let joined: PointSet = (beside & *board.stones(color))
            .iter()
            .flat_map(|side| lean.members(side))
            .collect();
        assert_eq!(heads(&mut lean.joins(point, color)), joined);
        assert_eq!(lean.is_eye(point, color), board.is_eye(point, color));
        assert_eq!(
            lean.is_surrounded(point, color),
            board.is_surrounded(point, color)
        );
        let legal = board.check(point, color, Suicide::Forbidden).is_ok();
        let ko = lean.ko() == Some(point);
        assert_eq!(lean.breathes(point, color) && !ko, legal);
        assert_eq!(
            lean.is_sensible(point, color),
            legal && !board.is_eye(point, color)
        );
    }
}

fn compare(board: &Board, lean: &LeanBoard) {
    assert_eq!(lean.ko(), board.ko());
    for point in board.points() {
        let (x, y) = (i32::from(point.x()), i32::from(point.y()));
        assert_eq!(lean.content(point), content(board, x, y));
        let mut code = 0;
        let around = (-1..=1).flat_map(|down| (-1..=1).map(move |across| (across, down)));
        for (place, (across, down)) in around.filter(|step| *step != (0, 0)).enumerate() {
            code |= (content(board, x + across, y + down) as u16) << (2 * place);
        }
        assert_eq!(lean.surroundings(point), code);
        let empty = (PointSet::from(point).neighbors() & board.empty_points()).len();
        assert_eq!(lean.empty_beside(point), empty);
        match board.color_at(point) {
            Some(_) => compare_stone(board, lean, point),
            None => compare_empty(board, lean, point),
        }
    }
}

#[test]
fn a_lean_board_agrees_with_a_board() {
    let mut dice = Dice::new(5);
    let mut lean = LeanBoard::new(&Board::new(Size::square(3).unwrap()));
    for _ in 0..40 {
        let size = Size::new(1 + dice.below(9) as u8, 1 + dice.below(9) as u8).unwrap();
        let mut board = Board::new(size);
        lean.copy_from(&board);
        for turn in 0..2 * size.area() {
            let color = Color::BOTH[turn % 2];
            let Some(point) = dice.point_of(&board.playable(color, Suicide::Forbidden)) else {
                lean.pass();
                break;
            };
            let mut removed = PointSet::EMPTY;
            let captured = board.captures(point, color);
            board.play(point, color, Suicide::Forbidden).unwrap();
            let suicide = lean.play(point, color, |stone| _ = removed.insert(stone));
            assert!(!suicide);
            assert_eq!(removed, captured);
            compare(&board, &lean);
        }
    }
}
