//! A game that somebody else has played.

use std::sync::OnceLock;

use rand_core::Rng;
use tengen_core::{
    Color, Game, IllegalMove, Ko, Komi, Move, Outcome, Reason, Repetition, Rules, Scoring, Setup,
    Size, Symmetry,
};
use tengen_env::Actions;
use tengen_nn::{Example, Inputs, Target};
use tengen_search::Rollouts;

use super::options::RecordsOptions;
use super::settled::Settled;
use crate::dice;
use crate::lesson::keeping_size;

/// A game that was counted has so many turns more than moves, in which players pass. Many servers write no passes, and
/// a network that has seen none would play on for ever.
const PASSES: usize = 6;

/// In how many ways a square board can be turned.
const SYMMETRIES: u64 = 8;

/// From one view of a position to the next: all views differ, since this and the number of symmetries have no common
/// factor.
const NEXT_VIEW: u64 = 3;

/// A game that somebody else has played: two bytes a move and what is known about its end.
#[derive(Debug)]
pub struct RecordedGame {
    size: Size,
    rules: Rules,
    /// Stones that were there before the first move.
    start: Option<Box<Setup>>,
    handicap: u16,
    moves: Box<[u16]>,
    outcome: Option<Outcome>,
    /// A number that depends on the size and all moves.
    hash: u64,
    settled: OnceLock<Option<Box<Settled>>>,
}

impl RecordedGame {
    /// The main line of a game, as far as its moves are legal.
    pub(crate) fn new(
        start: &Game,
        moves: impl Iterator<Item = (Color, Move)>,
        outcome: Option<Outcome>,
    ) -> Self {
        let mut game = start.clone();
        let actions = Actions::on(game.size());
        let mut numbers = Vec::new();
        for (color, action) in moves {
            if color != game.to_move() || game.is_over() || game.play(action).is_err() {
                break;
            }
            numbers.push(actions.number(action) as u16);
        }
        let setup = start.start();
        let is_plain = setup.stones.black.is_empty()
            && setup.stones.white.is_empty()
            && setup.to_move == Color::Black;
        let head = [
            u16::from(start.size().width()),
            u16::from(start.size().height()),
        ];
        Self {
            size: start.size(),
            rules: start.rules().with_komi(start.komi()),
            start: (!is_plain).then(|| Box::new(*setup)),
            handicap: start.handicap(),
            hash: hash(head.iter().chain(&numbers)),
            moves: numbers.into(),
            outcome,
            settled: OnceLock::new(),
        }
    }

    /// The board.
    pub const fn size(&self) -> Size {
        self.size
    }

    /// The rules, komi included.
    pub const fn rules(&self) -> &Rules {
        &self.rules
    }

    /// How many moves it has.
    pub const fn len(&self) -> usize {
        self.moves.len()
    }

    /// Has it no moves?
    pub const fn is_empty(&self) -> bool {
        self.moves.is_empty()
    }

    /// How many turns there are to learn from: those of all moves, and passes where both players agreed on the end.
    pub const fn turns(&self) -> usize {
        match self.outcome {
            Some(Outcome::Win(_, Reason::Score(_))) => self.moves.len() + PASSES,
            _ => self.moves.len(),
        }
    }

    /// How it ended, as far as that is known.
    pub const fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    /// A number that depends on the size and all moves.
    pub const fn hash(&self) -> u64 {
        self.hash
    }

    /// The move of a turn.
    pub fn action(&self, turn: usize) -> Option<Move> {
        match self.moves.get(turn) {
            Some(number) => Actions::on(self.size).action(usize::from(*number)),
            None => (turn < self.turns()).then_some(Move::Pass),
        }
    }

    /// The game after so many turns, as if it had been played by these rules. Behind the last move, none or one of the
    /// players has passed.
    pub fn position(&self, turn: usize, rules: Rules) -> Result<Game, IllegalMove> {
        let mut game = match &self.start {
            None => Game::new(self.size, rules),
            // It could be set up when it was read. A board that cannot be is as good as an empty one.
            Some(setup) => {
                Game::from_setup(setup, rules).unwrap_or_else(|_| Game::new(self.size, rules))
            }
        };
        game.set_handicap(self.handicap);
        let moves = turn.min(self.moves.len());
        for turn in 0..moves {
            game.play(self.action(turn).unwrap_or(Move::Pass))?;
        }
        if (turn - moves) % 2 == 1 {
            game.play(Move::Pass)?;
        }
        Ok(game)
    }

    /// Whose each point is at the end, if the game was counted and the count can be understood.
    pub fn settled(&self) -> Option<&Settled> {
        let settled = self.settled.get_or_init(|| {
            let Some(Outcome::Win(winner, Reason::Score(halves))) = self.outcome else {
                return None;
            };
            let lead = winner.sign(1) * halves as i32;
            Settled::of(
                self,
                lead,
                &mut Rollouts::new(&tengen_search::Tuning::default()),
            )
            .map(Box::new)
        });
        settled.as_deref()
    }

    /// The rules that the network is told, and the komi.
    fn told(&self, options: &RecordsOptions, rng: &mut impl Rng) -> Rules {
        let mut rules = self.rules;
        let by_area = rules.scoring == Scoring::Territory && dice::unit(rng) < options.area_share;
        let mut halves = rules.komi_for(self.size).halves();
        if by_area {
            rules = Rules {
                ko: [Ko::Simple, Ko::Positional, Ko::Situational][dice::below(rng, 3) as usize],
                repetition: Repetition::PLAY_ON,
                ..Rules::TROMP_TAYLOR
            };
            // The first player has one stone more on the board when nobody passes, which area counts.
            halves += 2;
        }
        if options.komi_spread > 0.0 && self.settled().is_some() {
            halves += 2 * (options.komi_spread * dice::normal(rng)).round() as i32;
        }
        let most = Komi::MAX.halves();
        rules.with_komi(Komi::from_halves(halves.clamp(-most, most) as i16))
    }

    /// The position before a move and what is known about it, in one of the ways in which it can be turned. `None` if
    /// there is nothing to be learned: the game was over, or the rules that were drawn forbid what was played and so do
    /// its own.
    pub(crate) fn example(
        &self,
        turn: usize,
        view: u64,
        options: &RecordsOptions,
        rng: &mut impl Rng,
    ) -> Option<(Game, Example)> {
        let told = self.told(options, rng);
        let turned = dice::below(rng, SYMMETRIES) + view * NEXT_VIEW;
        let symmetry = keeping_size(Symmetry::new((turned % SYMMETRIES) as u8), self.size);
        let own = |_| self.position(turn, self.rules);
        let game = self.position(turn, told).or_else(own).ok()?;
        let example = self.example_of(&game, turn, symmetry, options)?;
        Some((game, example))
    }

    /// The position before a move, under its own rules, not turned.
    pub(crate) fn question(
        &self,
        turn: usize,
        options: &RecordsOptions,
    ) -> Option<(Game, Example)> {
        let game = self.position(turn, self.rules).ok()?;
        let example = self.example_of(&game, turn, Symmetry::IDENTITY, options)?;
        Some((game, example))
    }

    fn example_of(
        &self,
        game: &Game,
        turn: usize,
        symmetry: Symmetry,
        options: &RecordsOptions,
    ) -> Option<Example> {
        if game.is_over() {
            return None;
        }
        let inputs = Inputs::new(game);
        let legal = inputs.worth_playing();
        let actions = Actions::on(self.size);
        let player = game.to_move();
        let sign = player.sign(1) as f32;
        let played = self.action(turn)?;
        let counts = played.point().is_none_or(|point| legal.contains(point));
        let mut policy = Vec::new();
        // A stone in land that is safe anyway teaches nothing.
        if counts {
            policy.resize(actions.count(), 0.0);
            let spread = options.smoothing / (legal.len() + 1) as f32;
            for point in legal {
                policy[actions.number(Move::Play(point))] = spread;
            }
            policy[actions.pass()] = spread;
            policy[actions.number(played)] += 1.0 - options.smoothing;
        }
        let settled = self.settled();
        let lead_halves = match (settled, self.outcome) {
            (Some(settled), _) => Some(settled.lead_halves(game)),
            (None, Some(Outcome::Win(winner, Reason::Score(halves))))
                if *game.rules() == self.rules =>
            {
                Some(winner.sign(1) * halves as i32)
            }
            _ => None,
        };
        let certain = |winner: Color, certainty: f32| match winner == player {
            true => [certainty, 0.0, 1.0 - certainty],
            false => [1.0 - certainty, 0.0, certainty],
        };
        let win_draw_loss = match (settled, lead_halves, self.outcome) {
            // Another komi than that of the game may have another winner.
            (Some(_), Some(0), _) => [0.0, 1.0, 0.0],
            (Some(_), Some(lead), _) => {
                certain(if lead > 0 { Color::Black } else { Color::White }, 1.0)
            }
            (_, _, Some(Outcome::Win(winner, Reason::Score(_) | Reason::Resignation))) => {
                certain(winner, 1.0)
            }
            (_, _, Some(Outcome::Win(winner, _))) => certain(winner, options.forfeit_certainty),
            (_, _, Some(Outcome::Draw)) => [0.0, 1.0, 0.0],
            (_, _, Some(Outcome::NoResult) | None) => [0.0; 3],
        };
        Some(Example {
            inputs,
            symmetry,
            target: Target {
                policy,
                legal,
                win_draw_loss,
                lead: lead_halves.map(|halves| sign * halves as f32 / 2.0),
                ownership: settled.map_or_else(Vec::new, |settled| settled.owners(player)),
            },
        })
    }
}

/// FNV-1a over the bytes of numbers, with a last mix, since its low bits decide which games are held out.
fn hash<'a>(numbers: impl Iterator<Item = &'a u16>) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for byte in numbers.flat_map(|number| number.to_le_bytes()) {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }
    hash ^= hash >> 32;
    hash = hash.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    hash ^ hash >> 29
}
