//! The move of a player who overlooks some.

use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use tengen_core::{Board, Color, Game, Move, Point, PointSet};

use crate::analysis::Candidate;
use crate::level::Skill;
use crate::rollout::last_stones;

/// A move is near a stone that is at most so many columns and rows away.
const NEAR: u8 = 2;

/// Draws a move, as a player with this skill would choose it; `moves` are sorted, the best first. It depends on the
/// position and the seed alone.
///
/// Each move is either seen or overlooked in this turn: the atari that the last stone gave, the cut behind it, the big
/// point on the other side. Of the moves that were seen, those that seem good are likely. A pass is no oversight: it is
/// chosen if it is the best move.
pub(crate) fn draw(skill: &Skill, game: &Game, moves: &[Candidate], seed: u64) -> Move {
    let Some(best) = moves.first() else {
        return Move::Pass;
    };
    if best.action == Move::Pass {
        return Move::Pass;
    }
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed ^ game.board().hash());
    // What a draw needs must not depend on how the search has sorted the moves.
    let drawn = uniform(&mut random);
    let key = random.next_u64();
    let attention = Attention::new(skill, game, best.action);
    let mut seen: Vec<(&Candidate, f32)> = moves
        .iter()
        .filter_map(|candidate| {
            let point = candidate.action.point()?;
            let mut random = Xoshiro256PlusPlus::seed_from_u64(key ^ point.index() as u64);
            Some((candidate, uniform(&mut random) / attention.chance(point)))
        })
        .collect();
    // Who sees nothing plays what was overlooked least.
    let least = seen.iter().map(|(_, missed_by)| *missed_by);
    let limit = least.fold(f32::INFINITY, f32::min).max(1.0);
    seen.retain(|(_, missed_by)| *missed_by <= limit);
    pick(skill, moves, &seen, drawn).unwrap_or(best.action)
}

/// Draws one of the moves that were seen, by what speaks for them.
fn pick(
    skill: &Skill,
    moves: &[Candidate],
    seen: &[(&Candidate, f32)],
    drawn: f32,
) -> Option<Move> {
    let total: u32 = moves.iter().map(|candidate| candidate.visits).sum();
    // Before much is searched a player goes by the looks of a move, which is what its prior is.
    let share = |candidate: &Candidate| {
        (candidate.visits as f32 + 4.0 * candidate.prior) / (total as f32 + 4.0)
    };
    let most = seen.iter().map(|(candidate, _)| share(candidate));
    let most = most.fold(f32::MIN_POSITIVE, f32::max);
    let weight =
        |candidate: &Candidate| libm::powf(share(candidate) / most, 1.0 / skill.temperature);
    let sum: f32 = seen.iter().map(|(candidate, _)| weight(candidate)).sum();
    let mut rest = drawn * sum;
    for (candidate, _) in seen {
        rest -= weight(candidate);
        if rest < 0.0 {
            return Some(candidate.action);
        }
    }
    seen.first().map(|(candidate, _)| candidate.action)
}

/// Where a player looks.
struct Attention<'a> {
    skill: &'a Skill,
    last: [Option<Point>; 2],
    /// The last liberties of chains.
    ataris: PointSet,
    board: &'a Board,
    color: Color,
    /// Where the best move is.
    best: Option<Point>,
}

impl<'a> Attention<'a> {
    fn new(skill: &'a Skill, game: &'a Game, best: Move) -> Self {
        let mut ataris = PointSet::EMPTY;
        for stone in *game.board().stones_in_atari() {
            ataris.extend(game.board().last_liberty(stone));
        }
        Self {
            skill,
            last: last_stones(game),
            ataris,
            board: game.board(),
            color: game.to_move(),
            best: best.point(),
        }
    }

    /// How likely a move on this point is seen. Before there are stones to look at, all points are alike.
    fn chance(&self, point: Point) -> f32 {
        let mut stones = self.last.iter().flatten().peekable();
        let is_near = |stone: &Point| {
            point.x().abs_diff(stone.x()) <= NEAR && point.y().abs_diff(stone.y()) <= NEAR
        };
        let mut chance = self.skill.sees;
        if stones.peek().is_some() && !stones.any(is_near) {
            chance *= self.skill.looks_away;
        }
        if self.ataris.contains(point) {
            chance *= self.skill.counts;
        } else if Some(point) != self.best && self.board.is_eye(point, self.color) {
            chance *= (1.0 - self.skill.counts).powi(2);
        }
        chance
    }
}

/// A number from 0 to 1.
fn uniform(random: &mut impl Rng) -> f32 {
    (random.next_u32() >> 8) as f32 / 2_f32.powi(24)
}

#[cfg(test)]
mod tests {
    use tengen_core::{Game, Move, Point, Preset, Setup, Size};

    use super::draw;
    use crate::analysis::{Candidate, Worth};
    use crate::level::{Level, Skill};

    /// All points as moves that seem equally good, and a pass that does not.
    fn candidates(game: &Game) -> Vec<Candidate> {
        let stones = game
            .legal_moves()
            .iter()
            .map(|point| (Move::Play(point), 1.0));
        let moves = stones.chain([(Move::Pass, 0.5)]);
        moves
            .map(|(action, prior)| Candidate {
                action,
                visits: 0,
                worth: Worth::default(),
                lcb: 0.0,
                selection: 0.0,
                prior: prior / 100.0,
                variation: vec![action],
                variation_visits: vec![0],
                ownership: Vec::new(),
                ownership_spread: Vec::new(),
            })
            .collect()
    }

    fn points(skill: &Skill, game: &Game) -> Vec<Point> {
        let moves = candidates(game);
        let drawn = (0..300).map(|seed| draw(skill, game, &moves, seed));
        drawn.filter_map(Move::point).collect()
    }

    #[test]
    fn a_beginner_follows_the_opponent_around() {
        let mut game = Game::new(Size::square(19).expect("a size"), Preset::Chinese.rules());
        for (x, y) in [(3, 3), (15, 15)] {
            game.play_unchecked(Move::Play(Point::new(x, y)));
        }
        let near = |skill: &Skill| {
            let is_near = |point: &Point| {
                let from = |stone: u8| point.x().abs_diff(stone).max(point.y().abs_diff(stone));
                from(3) <= 2 || from(15) <= 2
            };
            points(skill, &game).into_iter().filter(is_near).count()
        };
        let (lowest, medium) = (
            Level::LOWEST.skill(),
            Level::new(12).expect("a level").skill(),
        );
        assert!(
            near(lowest) > 2 * near(medium),
            "{} {}",
            near(lowest),
            near(medium)
        );
        assert!(near(lowest) < 300, "now and then it looks elsewhere");
    }

    #[test]
    fn a_beginner_overlooks_ataris() {
        let setup: Setup = "
            . . . . .
            . X . . .
            X O . O .
            . X . . .
            . . . . ."
            .parse()
            .expect("a board");
        let game = Game::from_setup(&setup, Preset::Chinese.rules()).expect("a position");
        let captures = |skill: &Skill| {
            let points = points(skill, &game).into_iter();
            points.filter(|point| *point == Point::new(2, 2)).count()
        };
        let (lowest, medium) = (
            Level::LOWEST.skill(),
            Level::new(12).expect("a level").skill(),
        );
        assert!(captures(lowest) < captures(medium));
    }

    #[test]
    fn the_best_move_is_passed_only_if_it_is_a_pass() {
        let game = Game::new(Size::square(5).expect("a size"), Preset::Chinese.rules());
        let mut moves = candidates(&game);
        for level in Level::all().filter(|level| *level < Level::FULL) {
            assert_ne!(draw(level.skill(), &game, &moves, 1), Move::Pass);
        }
        moves.reverse();
        for level in Level::all().filter(|level| *level < Level::FULL) {
            assert_eq!(draw(level.skill(), &game, &moves, 1), Move::Pass);
        }
        assert_eq!(draw(Level::LOWEST.skill(), &game, &[], 1), Move::Pass);
    }
}
