//! Games of an evaluator with itself.

use rand_core::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use tengen_core::{Color, Game, Move, Settlement};
use tengen_env::Actions;
use tengen_search::Evaluator;

use crate::advised::Advised;
use crate::decided::decided;
use crate::dice;
use crate::gumbel::Gumbel;
use crate::plan::Plan;
use crate::record::{End, GameRecord, Hopeless, Target, quantized};
use crate::settings::{Occasion, Resignation, SelfPlay, SelfPlayError};

/// Plays a game. The same evaluator, settings and seed give the same game.
///
/// Nobody says which network played: the caller knows, and sets [`GameRecord::network`].
pub fn play_game<E: Evaluator + ?Sized>(
    evaluator: &mut E,
    settings: &SelfPlay,
    seed: u64,
) -> Result<GameRecord, SelfPlayError> {
    settings.check()?;
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let Occasion {
        size,
        rules,
        full_visits,
    } = settings.draw(&mut rng);
    let settings = &SelfPlay {
        full_visits,
        ..settings.clone()
    };
    let area = size.area() as f64;
    let opening = dice::exponential(&mut rng, settings.opening_moves * area) as usize;
    let checked = dice::unit(&mut rng) < settings.resignation.check_share;
    let play = GameInPlay {
        game: Game::new(size, rules),
        search: Gumbel::new(settings.full()),
        settings,
        rng,
        watch: Watch::new(settings.resignation),
        targets: Vec::new(),
    };
    let evaluator = &mut Advised::new(evaluator, settings.advised_share);
    let (play, end, settlement) = play.play(evaluator, opening, checked);
    let GameInPlay {
        game,
        watch,
        targets,
        ..
    } = play;
    Ok(GameRecord {
        hopeless: watch.hopeless.map(|(turn, loser)| Hopeless {
            turn,
            loser,
            played_on: checked,
        }),
        ..finished(&game, &settlement, end, targets, seed)
    })
}

/// The record of a game that has ended.
pub(crate) fn finished(
    game: &Game,
    settlement: &Settlement,
    end: End,
    targets: Vec<Target>,
    seed: u64,
) -> GameRecord {
    let (size, rules) = (game.size(), *game.rules());
    let actions = Actions::on(size);
    let score = game.score_settled(settlement);
    GameRecord {
        size,
        rules,
        moves: game
            .turns()
            .iter()
            .map(|turn| actions.number(turn.action) as u16)
            .collect(),
        targets,
        ownership: ownership(game, settlement),
        lead_halves: score.margin_halves(),
        winner: score.outcome(rules.ties).winner(),
        end,
        hopeless: None,
        seed,
        network: 0,
    }
}

/// How a game has ended, and what is dead then, if it has.
pub(crate) fn next_end(game: &Game, settings: &SelfPlay) -> Option<(End, Settlement)> {
    if game.is_over() {
        let by_passes = game.passes() >= game.rules().passes;
        let end = if by_passes {
            End::Passes
        } else {
            End::MoveLimit
        };
        return Some((end, Settlement::default()));
    }
    let limit = (settings.max_moves * game.size().area() as f64) as usize;
    if game.turns().len() >= limit {
        return Some((End::MoveLimit, Settlement::default()));
    }
    if settings.stop_when_decided {
        return decided(game).map(|settlement| (End::Decided, settlement));
    }
    None
}

/// Whose each point is, in reading order: 1 is Black's, -1 White's.
fn ownership(game: &Game, settlement: &Settlement) -> Vec<i8> {
    let owners = game.board().owners(settlement);
    let owner =
        |point| i8::from(owners.black.contains(point)) - i8::from(owners.white.contains(point));
    game.size().points().iter().map(owner).collect()
}

/// A game that is being played.
struct GameInPlay<'a> {
    game: Game,
    search: Gumbel,
    settings: &'a SelfPlay,
    rng: Xoshiro256PlusPlus,
    watch: Watch,
    targets: Vec<Target>,
}

impl GameInPlay<'_> {
    /// Plays to the end, which is returned with what is dead.
    fn play<E: Evaluator + ?Sized>(
        mut self,
        evaluator: &mut E,
        opening: usize,
        checked: bool,
    ) -> (Self, End, Settlement) {
        loop {
            if let Some((end, settlement)) = next_end(&self.game, self.settings) {
                return (self, end, settlement);
            }
            let turn = self.game.turns().len();
            let action = if turn < opening {
                self.open(evaluator)
            } else if let (Some((_, loser)), false) = (self.watch.hopeless, checked) {
                self.finish(evaluator, loser)
            } else {
                self.search(evaluator)
            };
            debug_assert!(self.game.is_legal(action), "{action:?}");
            self.game.play_unchecked(action);
        }
    }

    /// A move of the opening: a stone that the policy likes.
    fn open<E: Evaluator + ?Sized>(&mut self, evaluator: &mut E) -> Move {
        self.search.set_options(self.settings.policy());
        let plan = self.search.search(evaluator, &self.game, &mut self.rng);
        let sharpness = 1.0 / self.settings.opening_temperature;
        // A pass in the opening would only teach what the other player does with it.
        let weights = plan.moves.iter().map(|of| match of.action {
            Move::Play(_) if of.prior > 0.0 => libm::pow(f64::from(of.prior), sharpness),
            _ => 0.0,
        });
        let drawn = dice::weighted(&mut self.rng, weights);
        drawn.map_or(Move::Pass, |place| plan.moves[place].action)
    }

    /// A move of a game that was given up: what the policy likes best. The winner passes only when the count agrees.
    fn finish<E: Evaluator + ?Sized>(&mut self, evaluator: &mut E, loser: Color) -> Move {
        self.search.set_options(self.settings.policy());
        let plan = self.search.search(evaluator, &self.game, &mut self.rng);
        if plan.action != Move::Pass || self.game.to_move() == loser {
            return plan.action;
        }
        let counted = self.game.score().outcome(self.game.rules().ties);
        if counted.winner() == Some(!loser) {
            return Move::Pass;
        }
        let stones = plan.moves.iter().filter(|of| of.action != Move::Pass);
        let best = stones.max_by(|a, b| a.prior.total_cmp(&b.prior));
        best.map_or(Move::Pass, |of| of.action)
    }

    /// A move that was searched, and sometimes what is to be learned from it.
    fn search<E: Evaluator + ?Sized>(&mut self, evaluator: &mut E) -> Move {
        let full = dice::unit(&mut self.rng) < self.settings.full_share;
        let options = if full {
            self.settings.full()
        } else {
            self.settings.fast()
        };
        self.search.set_options(options);
        let plan = self.search.search(evaluator, &self.game, &mut self.rng);
        let turn = self.game.turns().len() as u16;
        if full {
            self.targets.extend(target(&plan, &self.game, turn));
        }
        self.watch.see(turn, f64::from(plan.black_wins));
        plan.action
    }
}

/// What is to be learned from a search. Nothing, if a network has lost its mind and no longer says numbers.
fn target(plan: &Plan, game: &Game, turn: u16) -> Option<Target> {
    let actions = Actions::on(game.size());
    let shares = plan
        .moves
        .iter()
        .map(|of| (actions.number(of.action) as u16, of.policy));
    let target = Target {
        turn,
        policy: quantized(shares.collect()),
        black_wins: plan.black_wins.clamp(0.0, 1.0),
        black_lead: plan.black_lead,
        visits: plan.moves.iter().map(|of| of.visits).sum(),
    };
    let sane = target.black_wins.is_finite() && target.black_lead.is_finite();
    (sane && !target.policy.is_empty()).then_some(target)
}

/// Watches whether a game is still a game.
struct Watch {
    when: Resignation,
    loser: Color,
    /// For so many turns in a row the loser had no hope.
    turns: u32,
    hopeless: Option<(u16, Color)>,
}

impl Watch {
    const fn new(when: Resignation) -> Self {
        Self {
            when,
            loser: Color::Black,
            turns: 0,
            hopeless: None,
        }
    }

    /// What the search of a turn thought.
    fn see(&mut self, turn: u16, black_wins: f64) {
        let loser = if black_wins < 0.5 {
            Color::Black
        } else {
            Color::White
        };
        let chance = black_wins.min(1.0 - black_wins);
        self.turns = match (chance < self.when.threshold, loser == self.loser) {
            (true, true) => self.turns + 1,
            (true, false) => 1,
            (false, _) => 0,
        };
        self.loser = loser;
        if self.turns > 0 && self.turns >= self.when.turns && self.hopeless.is_none() {
            self.hopeless = Some((turn, loser));
        }
    }
}
