//! What a stone does to the chains around it, read without putting it down.

use tengen_core::{Color, Content, FewLiberties, LeanBoard, Point};

/// The first few liberties of the chain that a stone of `color` on this empty point would belong to.
///
/// Of stones that it captures, those beside it count.
#[inline]
pub(crate) fn liberties_after<const N: usize>(
    board: &LeanBoard,
    point: Point,
    color: Color,
) -> FewLiberties<N> {
    let mut few = FewLiberties::none();
    let own = Content::from(color);
    let enemy = Content::from(!color);
    for side in LeanBoard::beside(point) {
        let content = board.content(side);
        let free = content == Content::Empty
            || content == enemy && board.last_liberty(side) == Some(point);
        if free && few.add(side) {
            return few;
        }
    }
    for side in LeanBoard::beside(point) {
        if board.content(side) == own && collect_liberties(board, side, point, &mut few) {
            return few;
        }
    }
    few
}

/// Adds the liberties of the chain of a stone, all but one; true when no more fit.
fn collect_liberties<const N: usize>(
    board: &LeanBoard,
    stone: Point,
    except: Point,
    few: &mut FewLiberties<N>,
) -> bool {
    for member in board.members(stone) {
        for side in LeanBoard::beside(member) {
            if side != except && board.content(side) == Content::Empty && few.add(side) {
                return true;
            }
        }
    }
    false
}

/// How many stones the chain would have that a stone of `color` on this empty point belongs to.
pub(crate) fn stones_after(board: &LeanBoard, point: Point, color: Color) -> usize {
    let joined = board.joins(point, color);
    1 + joined.map(|head| board.chain_len(head)).sum::<usize>()
}

/// Would a stone of `color` on this empty point be in atari?
#[inline]
pub(crate) fn is_self_atari(board: &LeanBoard, point: Point, color: Color) -> bool {
    board.empty_beside(point) < 2 && liberties_after::<2>(board, point, color).count() < 2
}

/// Is a stone that is in atari at once still worth it: a capture, a stone thrown in, or one that leaves the enemy a
/// space without two eyes?
pub(crate) fn is_good_sacrifice(board: &LeanBoard, point: Point, color: Color) -> bool {
    if board.captures(point, color).next().is_some() {
        return true;
    }
    let mut stones = [point; 6];
    let mut count = 1;
    for head in board.joins(point, color) {
        for member in board.members(head) {
            if count == stones.len() {
                return false;
            }
            stones[count] = member;
            count += 1;
        }
    }
    let stones = &stones[..count];
    if count == 1 {
        return is_throw_in(board, point, color);
    }
    is_killing_shape(stones) && is_inside_eye(board, stones, color)
}

/// Does a single stone leave an enemy chain its last liberty, or destroy what would else be an eye?
fn is_throw_in(board: &LeanBoard, point: Point, color: Color) -> bool {
    let enemy = Content::from(!color);
    let gives_atari = LeanBoard::beside(point)
        .into_iter()
        .any(|side| board.content(side) == enemy && board.liberties::<3>(side).count() == 2);
    if gives_atari {
        return true;
    }
    let own = Content::from(color);
    let corners = LeanBoard::diagonal(point).map(|corner| board.content(corner));
    let friends = corners.iter().filter(|content| **content == own).count();
    let beyond = corners.contains(&Content::OffBoard);
    friends + usize::from(beyond) >= 2 || friends == 1 && !beyond
}

/// Do these stones lie in a space that the enemy alone surrounds?
fn is_inside_eye(board: &LeanBoard, stones: &[Point], color: Color) -> bool {
    let own = Content::from(color);
    let is_other = |side: &Point| board.content(*side) == own && !stones.contains(side);
    !stones
        .iter()
        .any(|stone| LeanBoard::beside(*stone).iter().any(is_other))
}

/// Does a space of this shape hold one eye only, if the enemy plays first in it?
pub(crate) fn is_killing_shape(stones: &[Point]) -> bool {
    let degree = |stone: &Point| {
        LeanBoard::beside(*stone)
            .iter()
            .filter(|side| stones.contains(side))
            .count()
    };
    let pairs: usize = stones.iter().map(degree).sum::<usize>() / 2;
    let most = stones.iter().map(degree).max().unwrap_or(0);
    match stones.len() {
        1..=3 => true,
        // A square or a T; not a line or a bend.
        4 => pairs == 4 || most == 3,
        // A cross, or a square with one more.
        5 => most == 4 || pairs == 5,
        // A square in a cross.
        6 => pairs == 6 && most == 4,
        _ => false,
    }
}

/// The vital point of a small space that this empty point is in, if stones of one colour surround it.
pub(crate) fn vital_point(board: &LeanBoard, inside: Point, owner: Color) -> Option<Point> {
    let own = Content::from(owner);
    let mut space = [inside; 6];
    let mut count = 1;
    let mut next = 0;
    while next < count {
        for side in LeanBoard::beside(space[next]) {
            match board.content(side) {
                Content::Empty => {
                    if !space[..count].contains(&side) {
                        if count == space.len() {
                            return None;
                        }
                        space[count] = side;
                        count += 1;
                    }
                }
                Content::OffBoard => {}
                content if content == own => {}
                _ => return None,
            }
        }
        next += 1;
    }
    let space = &space[..count];
    if count < 3 || !is_killing_shape(space) {
        return None;
    }
    let degree = |point: &Point| {
        let inside = |side: &&Point| space.contains(side);
        LeanBoard::beside(*point).iter().filter(inside).count()
    };
    let vital = space.iter().copied().max_by_key(degree)?;
    // In a square every point is as good as the others, and none kills.
    (count != 4 || degree(&vital) == 3).then_some(vital)
}

/// With the attacker on `attack`, is the chain that this stone belongs to caught in a ladder, as far as a glance tells?
#[inline]
pub(crate) fn looks_caught(board: &LeanBoard, escape: Point, attack: Point, owner: Color) -> bool {
    let after = liberties_after::<4>(board, escape, owner);
    let remaining = after.iter().filter(|point| *point != attack).count();
    remaining < 2
}

#[cfg(test)]
mod tests {
    use rand_core::{Rng, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;
    use tengen_core::{Board, Color, LeanBoard, Point, PointSet, Size, Suicide};

    use super::{is_killing_shape, is_self_atari, liberties_after, stones_after};

    /// Calls back with random boards and the points where `color` may play.
    fn random_boards(mut show: impl FnMut(&Board, Color, PointSet)) {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(8);
        for side in [3, 5, 7] {
            for _ in 0..20 {
                let mut board = Board::new(Size::square(side).expect("a size"));
                for turn in 0..usize::from(side * side) {
                    let color = Color::BOTH[turn % 2];
                    let playable = board.playable(color, Suicide::Forbidden);
                    show(&board, color, playable);
                    let nth = rng.next_u32() as usize % playable.len().max(1);
                    let Some(point) = playable.iter().nth(nth) else {
                        break;
                    };
                    _ = board.play(point, color, Suicide::Forbidden);
                }
            }
        }
    }

    #[test]
    fn what_is_read_is_what_happens() {
        random_boards(|board, color, playable| {
            let lean = LeanBoard::new(board);
            for point in playable {
                let captures = !board.captures(point, color).is_empty();
                let mut after = board.clone();
                _ = after.play(point, color, Suicide::Forbidden);
                let chain = after.chain_at(point).expect("the stone that was played");
                assert_eq!(stones_after(&lean, point, color), chain.stones.len());
                let read = liberties_after::<4>(&lean, point, color);
                let real = chain.liberties.len().min(4);
                if captures {
                    // Captured stones that do not touch the new one may free more.
                    assert!(read.count() <= real && read.count() > 0);
                } else {
                    assert_eq!(read.count(), real);
                    assert!(read.iter().all(|point| chain.liberties.contains(point)));
                    let in_atari = chain.liberties.len() == 1;
                    assert_eq!(is_self_atari(&lean, point, color), in_atari);
                }
            }
        });
    }

    #[test]
    fn shapes_that_kill_are_known() {
        let shape = |rows: &[&str]| -> Vec<Point> {
            let mut points = Vec::new();
            for (y, row) in rows.iter().enumerate() {
                for (x, sign) in row.bytes().enumerate() {
                    if sign == b'#' {
                        points.push(Point::new(x as u8 + 3, y as u8 + 3));
                    }
                }
            }
            points
        };
        let kills = |rows: &[&str]| is_killing_shape(&shape(rows));
        assert!(kills(&["###"]) && kills(&["##", "#"]));
        assert!(kills(&["##", "##"]) && kills(&["###", ".#."]));
        assert!(!kills(&["####"]) && !kills(&["###", "#.."]) && !kills(&["##.", ".##"]));
        assert!(kills(&["##.", "###"]) && kills(&[".#.", "###", ".#."]));
        assert!(!kills(&["#####"]) && !kills(&["####", "#..."]));
        assert!(kills(&["##.", "###", ".#."]) && !kills(&["###", "###"]));
    }
}
