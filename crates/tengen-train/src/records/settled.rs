//! Whose the points were at the end of a game that was counted.

use tengen_core::{ByColor, Color, Game, Move, PointSet, Rules, Scoring, Settlement};
use tengen_search::{Evaluation, Evaluator, Rollouts};

use super::recorded::RecordedGame;

/// Rollouts from the last position, half of them with either player to move. Few do where a game was played to its end;
/// where they find another score than the players, more are played.
const ROLLOUTS: [usize; 2] = [16, 64];

/// The score that is found may differ by so many half-points from the one that players wrote down: a last neutral
/// point, or a stone that had to be added.
const TOLERANCE: i32 = 2;

/// The end of a game that was counted: who owns what.
#[derive(Clone, Debug)]
pub struct Settled {
    black: PointSet,
    white: PointSet,
    board: PointSet,
    /// By how many half-points Black leads by the count of the game, without komi.
    own_halves: i32,
    /// The same by area.
    area_halves: i32,
}

impl Settled {
    /// Settles the last position of a game whose lead for Black is known, komi included. `None` if what rollouts make
    /// of it is another score than the one that the players found.
    pub(crate) fn of(
        record: &RecordedGame,
        lead_halves: i32,
        rollouts: &mut Rollouts,
    ) -> Option<Self> {
        let mut turns = record.len();
        while turns > 0 && record.action(turns - 1) == Some(Move::Pass) {
            turns -= 1;
        }
        let game = record.position(turns, *record.rules()).ok()?;
        ROLLOUTS.iter().find_map(|count| {
            let settlement = settlement(&game, *count, rollouts);
            let score = game.score_settled(&settlement);
            let fits = (score.margin_halves() - lead_halves).abs() <= TOLERANCE;
            fits.then(|| Self::new(&game, &settlement, lead_halves))
        })
    }

    fn new(game: &Game, settlement: &Settlement, lead_halves: i32) -> Self {
        let board = game.board();
        let ByColor { black, white } = board.owners(settlement);
        let compensation = game.rules().compensation.points(game.handicap());
        Self {
            own_halves: lead_halves + game.komi().halves() + 2 * i32::from(compensation),
            area_halves: 2 * (black.len() as i32 - white.len() as i32),
            board: *board.points(),
            black,
            white,
        }
    }

    /// By how many half-points Black leads in the end, by the rules and the komi of this game.
    pub(crate) fn lead_halves(&self, game: &Game) -> i32 {
        let rules = game.rules();
        let compensation = rules.compensation.points(game.handicap());
        let points = match rules.scoring {
            Scoring::Area => self.area_halves,
            Scoring::Territory | Scoring::AreaAndPrisoners => self.own_halves,
        };
        points - game.komi().halves() - 2 * i32::from(compensation)
    }

    /// Whose each point is, row by row: 1 is this player's.
    pub(crate) fn owners(&self, player: Color) -> Vec<f32> {
        let sign = player.sign(1) as f32;
        let owner = |point| {
            sign * (f32::from(u8::from(self.black.contains(point)))
                - f32::from(u8::from(self.white.contains(point))))
        };
        self.board.iter().map(owner).collect()
    }
}

/// What is dead, as rollouts see it: chains whose points mostly become the enemy's.
fn settlement(game: &Game, count: usize, rollouts: &mut Rollouts) -> Settlement {
    let area = game.size().area();
    let mut sums = vec![0.0; area];
    let mut played = Evaluation::default();
    let rules = Rules::TROMP_TAYLOR.with_komi(game.komi());
    for player in Color::BOTH {
        let mut setup = game.position();
        setup.to_move = player;
        setup.ko = None;
        let Ok(position) = Game::from_setup(&setup, rules) else {
            return Settlement::default();
        };
        rollouts.begin(&position, 1);
        for _ in 0..count / 2 {
            rollouts.play(&position, &mut played);
            for (sum, owner) in sums.iter_mut().zip(&played.ownership) {
                *sum += owner;
            }
        }
    }
    let board = game.board();
    let places: Vec<_> = board.points().iter().collect();
    let mut settlement = Settlement::default();
    for chain in board.chains() {
        let sum: f32 = places
            .iter()
            .zip(&sums)
            .filter(|(point, _)| chain.stones.contains(**point))
            .map(|(_, sum)| *sum)
            .sum();
        if sum * (chain.color.sign(1) as f32) < 0.0 {
            settlement.dead |= chain.stones;
        }
    }
    settlement
}
