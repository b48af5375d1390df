//! Random openings that favour nobody much.

use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use tengen_core::{Game, LightPlayouts, Move, Point, PointSet};

/// So many openings are made, and the most even of them is taken.
const TRIES: usize = 12;

/// Each is judged by so many random games.
const PLAYOUTS: u32 = 200;

/// The opening with this number: so many moves from the start of a game, none of them on the edge and none a capture.
///
/// Fewer come back where the board has no room for more.
pub(super) fn opening(start: &Game, moves: usize, seed: u64, number: u64) -> Vec<Move> {
    if moves == 0 {
        return Vec::new();
    }
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(mix_seed(seed, number));
    let tries = (0..TRIES).map(|_| {
        let game = random_opening(start, moves, &mut rng);
        (imbalance(&game, &mut rng), game)
    });
    let best = tries.min_by(|(one, _), (other, _)| one.total_cmp(other));
    best.map(|(_, game)| game.turns().iter().map(|turn| turn.action).collect())
        .unwrap_or_default()
}

/// A number that depends on all bits of two others.
pub(super) fn mix_seed(seed: u64, number: u64) -> u64 {
    Xoshiro256PlusPlus::seed_from_u64(seed ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15)).next_u64()
}

fn random_opening(start: &Game, moves: usize, rng: &mut impl Rng) -> Game {
    let mut game = start.clone();
    let room = inner_points(&game);
    for _ in 0..moves {
        let legal = game.legal_moves() & room;
        let board = game.board();
        let quiet: PointSet = legal
            .iter()
            .filter(|point| {
                // Neither a capture nor a stone that can be captured at once.
                let own = PointSet::from(*point).neighbors() & board.empty_points();
                board.captures(*point, game.to_move()).is_empty() && own.len() >= 2
            })
            .collect();
        if quiet.is_empty() {
            break;
        }
        let rank = (u64::from(rng.next_u32()) * quiet.len() as u64) >> 32;
        let Some(point) = quiet.nth(rank as usize) else {
            break;
        };
        game.play_unchecked(Move::Play(point));
    }
    game
}

/// The points that are not on the first line, nor on the second where a board is large enough.
fn inner_points(game: &Game) -> PointSet {
    let size = game.size();
    let margin = |side: u8| match side {
        0..=2 => 0,
        3..=8 => 1,
        _ => 2,
    };
    let (across, down) = (margin(size.width()), margin(size.height()));
    let inside = |point: &Point| {
        (across..size.width() - across).contains(&point.x())
            && (down..size.height() - down).contains(&point.y())
    };
    size.points().iter().filter(inside).collect()
}

/// How far the share of random games that Black wins is from a half.
fn imbalance(game: &Game, rng: &mut impl Rng) -> f64 {
    let mut playouts = LightPlayouts::new(game.board(), game.to_move());
    let komi = game.komi().halves();
    let wins = (0..PLAYOUTS)
        .filter(|_| 2 * playouts.run(rng).margin > komi)
        .count();
    (wins as f64 / f64::from(PLAYOUTS) - 0.5).abs()
}

#[cfg(test)]
mod tests {
    use tengen_core::{Preset, Size};

    use super::*;

    fn start(side: u8) -> Game {
        Game::new(Size::square(side).unwrap(), Preset::Chinese.rules())
    }

    #[test]
    fn an_opening_is_random_quiet_and_repeatable() {
        let start = start(9);
        let mut seen = Vec::new();
        for number in 0..20 {
            let moves = opening(&start, 6, 1, number);
            assert_eq!(moves, opening(&start, 6, 1, number));
            assert_eq!(moves.len(), 6);
            let mut game = start.clone();
            for action in &moves {
                let point = action.point().expect("nobody passes");
                assert!((2..7).contains(&point.x()) && (2..7).contains(&point.y()));
                game.play(*action).unwrap();
                assert_eq!(game.last_turn().unwrap().removed, 0);
            }
            assert!(!seen.contains(&moves));
            seen.push(moves);
        }
        assert_ne!(opening(&start, 6, 1, 0), opening(&start, 6, 2, 0));
    }

    #[test]
    fn chosen_openings_are_more_even_than_others() {
        let start = start(9);
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(5);
        let (mut chosen, mut any) = (0.0, 0.0);
        for number in 0..20 {
            let mut game = start.clone();
            for action in opening(&start, 6, 1, number) {
                game.play(action).unwrap();
            }
            chosen += imbalance(&game, &mut rng);
            any += imbalance(&random_opening(&start, 6, &mut rng), &mut rng);
        }
        assert!(chosen < any, "{chosen} {any}");
    }

    #[test]
    fn a_small_board_has_short_openings() {
        assert!(opening(&start(2), 9, 1, 0).len() < 9);
        assert_eq!(opening(&start(1), 4, 1, 0), []);
        assert_eq!(opening(&start(9), 0, 1, 0), []);
    }
}
