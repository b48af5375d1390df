//! Searches of many games at once, whose leaves are evaluated together by the caller.

use std::sync::Arc;

use rand_core::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use tengen_core::{Color, Game, IllegalMove, Move, PointSet, Size};
use tengen_env::{Actions, Features, Layout, Observer, Planes};
use tengen_nn::{Net, NetEvaluator, globals, softmax};
use tengen_search::{Evaluation, Evaluator, Leaf, Stop};

use crate::plan::Plan;
use crate::planner::{Method, Planner, nothing};
use crate::seed::seed_of;

/// A network evaluates the leaves of so many games at once.
const TOGETHER: usize = 8;

/// How many numbers a position has beside its planes.
pub const GLOBALS: usize = 8;

/// Searches of many games at once: leaves are handed out as arrays, and answers taken back as arrays.
///
/// Each game has a tree, a random generator and a budget of its own, so that what is found depends neither on the other
/// games nor on threads.
#[derive(Debug)]
pub struct Lockstep {
    seats: Vec<Seat>,
    method: Method,
    actions: Actions,
    observer: Observer,
    /// The number of the first game.
    first: usize,
    /// The games whose leaves were handed out, row by row.
    asked: Vec<usize>,
    threads: Threads,
}

/// A game that is searched.
#[derive(Debug)]
struct Seat {
    planner: Planner,
    rng: Xoshiro256PlusPlus,
    /// Where a stone may be played on the leaf that was handed out.
    legal: PointSet,
    is_waiting: bool,
}

/// What a position looks like, and how arrays are made of it.
#[derive(Clone, Copy, Debug)]
pub struct Look {
    /// What planes show.
    pub features: Features,
    /// The order of their values.
    pub layout: Layout,
    /// The frame that all boards lie in; the smallest that holds them if there is none.
    pub frame: Option<Size>,
}

/// Where leaves are written, row after row.
#[derive(Debug)]
pub struct LeafArrays<'a> {
    /// The planes, as the player to move sees them.
    pub planes: Planes<'a>,
    /// [`GLOBALS`] numbers.
    pub globals: &'a mut [f32],
    /// A byte of 0 or 1 for each action.
    pub mask: &'a mut [u8],
    /// 0 for Black, 1 for White.
    pub to_move: &'a mut [u8],
    /// The number of the game.
    pub games: &'a mut [i32],
}

/// The evaluation of leaves, row after row.
#[derive(Clone, Copy, Debug)]
pub struct Answers<'a> {
    /// A number for each action; those of illegal actions are not looked at.
    pub logits: &'a [f32],
    /// From -1, a loss of the player to move, to 1, a win.
    pub values: &'a [f32],
    /// By how many points the player to move will be ahead.
    pub leads: Option<&'a [f32]>,
}

/// Why answers were refused. Nothing has changed in any search.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum LockstepError {
    /// There are not as many numbers as there should be.
    #[error("there are {found} {what} instead of {right}")]
    Length {
        /// What there is too much or too little of.
        what: &'static str,
        /// How many there are.
        found: usize,
        /// How many there should be.
        right: usize,
    },
    /// A logit of a legal action is not a number, or all are minus infinity.
    #[error("logits[{row}]: {problem}")]
    Logits {
        /// The row.
        row: usize,
        /// What is wrong with it.
        problem: String,
    },
    /// A value is not one.
    #[error(
        "values[{row}] is {value}: values are from -1 for a loss of the player to move to 1 for a win"
    )]
    Value {
        /// The row.
        row: usize,
        /// What there is.
        value: f32,
    },
    /// A lead is not a number.
    #[error("leads[{row}] is {value}: leads are points by which the player to move is ahead")]
    Lead {
        /// The row.
        row: usize,
        /// What there is.
        value: f32,
    },
    /// The score is to weigh, and nobody says who leads.
    #[error("a score_weight above 0 wants leads beside the values")]
    NoLeads,
    /// An action is not legal.
    #[error("game {game}: action {action} is illegal: {reason}")]
    Action {
        /// The number of the game.
        game: usize,
        /// The action.
        action: i32,
        /// Why.
        reason: IllegalMove,
    },
}

impl LockstepError {
    /// The game, the action and the reason, where an action was not legal.
    pub const fn refused(&self) -> Option<(usize, i32, IllegalMove)> {
        match *self {
            Self::Action {
                game,
                action,
                reason,
            } => Some((game, action, reason)),
            _ => None,
        }
    }
}

impl Lockstep {
    /// Searches of these games, none of which has begun. The random numbers of a game depend on the seed and its
    /// number, the first of which is `first`. With 0 threads there is one for each core.
    ///
    /// # Panics
    ///
    /// If there is no game, or a board does not fit into the frame.
    pub fn new(
        games: Vec<Game>,
        method: Method,
        look: Look,
        (seed, first): (u64, u64),
        threads: usize,
    ) -> Self {
        let sides = |side: fn(Size) -> u8| games.iter().map(|game| side(game.size())).max();
        let largest = sides(Size::width)
            .zip(sides(Size::height))
            .and_then(|(width, height)| Size::new(width, height).ok())
            .expect("there is at least one game");
        let frame = look.frame.unwrap_or(largest);
        assert!(
            largest.width() <= frame.width() && largest.height() <= frame.height(),
            "all boards fit into the frame"
        );
        let seats = games.into_iter().zip(first..).map(|(game, number)| {
            let mut planner = Planner::new(method);
            planner.begin(&game);
            planner.forget();
            Seat {
                planner,
                rng: Xoshiro256PlusPlus::seed_from_u64(seed_of(seed, number)),
                legal: PointSet::EMPTY,
                is_waiting: false,
            }
        });
        Self {
            seats: seats.collect(),
            method,
            actions: Actions::on(frame),
            observer: Observer::new(look.features, look.layout, frame),
            first: first as usize,
            asked: Vec::new(),
            threads: Threads::new(threads),
        }
    }

    /// How many games there are.
    #[expect(clippy::len_without_is_empty, reason = "there is always a game")]
    pub const fn len(&self) -> usize {
        self.seats.len()
    }

    /// The numbers of the moves.
    pub const fn actions(&self) -> Actions {
        self.actions
    }

    /// What writes the planes.
    pub const fn observer(&self) -> Observer {
        self.observer
    }

    /// One of the games.
    ///
    /// # Panics
    ///
    /// If there is no game with this number.
    pub fn game(&self, index: usize) -> &Game {
        self.seats[index].planner.root()
    }

    /// Begins to search all games, each with so many simulations; what is known from before is kept. Games with a
    /// negative number are left alone.
    pub fn begin(&mut self, simulations: &[i32]) -> Result<(), LockstepError> {
        check_length("simulations", simulations.len(), self.len())?;
        self.asked.clear();
        for (seat, simulations) in self.seats.iter_mut().zip(simulations) {
            if let Ok(simulations) = u32::try_from(*simulations) {
                seat.planner
                    .set_method(self.method.with_simulations(simulations));
                seat.planner.again();
            }
        }
        Ok(())
    }

    /// Goes on with all searches until each has a leaf to be evaluated or is done; writes these leaves into the first
    /// rows, and returns how many there are: 0 if all searches are done.
    ///
    /// # Panics
    ///
    /// If there is not room for a row of each game.
    pub fn advance(&mut self, out: LeafArrays<'_>) -> usize {
        self.threads.run(&mut self.seats, Seat::advance);
        self.asked.clear();
        let waiting = self.seats.iter().enumerate();
        let waiting = waiting.filter(|(_, seat)| seat.is_waiting);
        self.asked.extend(waiting.map(|(index, _)| index));
        let rows = out.rows(self.observer.len(), self.actions.count(), self.asked.len());
        let asked = self.asked.iter().zip(rows);
        let mut leaves: Vec<(&Seat, Row<'_>)> = asked
            .map(|(index, row)| {
                *row.game = (self.first + index) as i32;
                (&self.seats[*index], row)
            })
            .collect();
        let (observer, actions) = (self.observer, self.actions);
        self.threads.run(&mut leaves, |(seat, row)| {
            seat.write(observer, actions, row);
        });
        self.asked.len()
    }

    /// The position of a row that was handed out.
    ///
    /// # Panics
    ///
    /// If there is no such row.
    pub fn leaf(&self, row: usize) -> &Game {
        self.seats[self.asked[row]].planner.leaf()
    }

    /// Takes the evaluation of the leaves that were handed out.
    pub fn answer(&mut self, answers: Answers<'_>) -> Result<(), LockstepError> {
        let (rows, count) = (self.asked.len(), self.actions.count());
        check_length("logits", answers.logits.len(), rows * count)?;
        check_length("values", answers.values.len(), rows)?;
        if let Some(leads) = answers.leads {
            check_length("leads", leads.len(), rows)?;
        } else if self.method.score_weight() > 0.0 {
            return Err(LockstepError::NoLeads);
        }
        for (row, index) in self.asked.iter().enumerate() {
            let logits = &answers.logits[row * count..][..count];
            self.seats[*index].check(self.actions, row, logits)?;
            let value = answers.values[row];
            if !(-1.001..=1.001).contains(&value) {
                return Err(LockstepError::Value { row, value });
            }
            if let Some(value) = answers.leads.map(|leads| leads[row])
                && !value.is_finite()
            {
                return Err(LockstepError::Lead { row, value });
            }
        }
        for (row, index) in self.asked.iter().enumerate() {
            let seat = &mut self.seats[*index];
            let logits = &answers.logits[row * count..][..count];
            let lead = answers.leads.map_or(0.0, |leads| leads[row]);
            seat.answer(
                self.actions,
                logits,
                answers.values[row].clamp(-1.0, 1.0),
                lead,
            );
        }
        self.asked.clear();
        Ok(())
    }

    /// Does all searches that were begun, with a network that evaluates the leaves of a few games at once on each
    /// thread, or as much of them as is done before `stop`.
    pub fn finish(&mut self, net: &Arc<Net>, stop: &Stop) {
        self.asked.clear();
        let own = || {
            let leaves: [Leaf; TOGETHER] = std::array::from_fn(|_| nothing());
            (NetEvaluator::new(Arc::clone(net)), leaves)
        };
        let mut groups: Vec<&mut [Seat]> = self.seats.chunks_mut(TOGETHER).collect();
        self.threads
            .run_with(&mut groups, own, |(evaluator, leaves), group| {
                while !stop.is_stopped() {
                    let mut asked = 0;
                    for seat in group.iter_mut() {
                        let leaf = seat.planner.advance(&mut seat.rng);
                        seat.is_waiting = leaf.is_some();
                        if let Some(leaf) = leaf {
                            std::mem::swap(leaf, &mut leaves[asked]);
                            asked += 1;
                        }
                    }
                    if asked == 0 {
                        return;
                    }
                    evaluator.evaluate(&mut leaves[..asked]);
                    let waiting = group.iter_mut().filter(|seat| seat.is_waiting);
                    for (seat, leaf) in waiting.zip(leaves.iter_mut()) {
                        std::mem::swap(seat.planner.leaf_mut(), leaf);
                    }
                }
            });
    }

    /// Plays an action in each game; a negative one leaves the game alone. If `reuse`, what is known about the
    /// positions behind them is kept.
    pub fn play(&mut self, actions: &[i32], reuse: bool) -> Result<(), LockstepError> {
        let moves = self.check_actions(actions)?;
        self.asked.clear();
        for (seat, action) in self.seats.iter_mut().zip(moves) {
            seat.is_waiting = false;
            if let Some(action) = action {
                seat.planner.play(action);
                if !reuse {
                    seat.planner.forget();
                }
            }
        }
        Ok(())
    }

    /// The moves of these actions, one in each game, if all are legal; `None` for a negative action.
    pub fn check_actions(&self, actions: &[i32]) -> Result<Vec<Option<Move>>, LockstepError> {
        check_length("actions", actions.len(), self.len())?;
        let mut moves = Vec::with_capacity(actions.len());
        for (index, (seat, action)) in self.seats.iter().zip(actions).enumerate() {
            let Ok(number) = usize::try_from(*action) else {
                moves.push(None);
                continue;
            };
            let legal = match self.actions.action(number) {
                Some(action) => seat.planner.root().check(action).map(|()| action),
                None => Err(IllegalMove::OffBoard),
            };
            moves.push(Some(legal.map_err(|reason| LockstepError::Action {
                game: self.first + index,
                action: *action,
                reason,
            })?));
        }
        Ok(moves)
    }

    /// Puts another game in the place of one. Its random numbers go on.
    ///
    /// # Panics
    ///
    /// If there is no game with this number, or the board does not fit into the frame.
    pub fn replace(&mut self, index: usize, game: &Game) {
        let (frame, size) = (self.actions.frame(), game.size());
        assert!(
            size.width() <= frame.width() && size.height() <= frame.height(),
            "the board fits into the frame"
        );
        self.seats[index].is_waiting = false;
        self.seats[index].planner.begin(game);
        self.seats[index].planner.forget();
    }

    /// What was found about a game.
    pub fn plan(&self, index: usize) -> Plan {
        self.seats[index].planner.plan()
    }

    /// The moves that were tried most in a game, from the one to play on.
    pub fn variation(&self, index: usize) -> Vec<Move> {
        self.seats[index].planner.variation()
    }
}

fn check_length(what: &'static str, found: usize, right: usize) -> Result<(), LockstepError> {
    match found == right {
        true => Ok(()),
        false => Err(LockstepError::Length { what, found, right }),
    }
}

/// The memory of one leaf.
struct Row<'a> {
    planes: Planes<'a>,
    globals: &'a mut [f32],
    mask: &'a mut [u8],
    to_move: &'a mut u8,
    game: &'a mut i32,
}

impl<'a> LeafArrays<'a> {
    /// The first rows.
    fn rows(self, values: usize, actions: usize, count: usize) -> Vec<Row<'a>> {
        let planes: Vec<Planes<'a>> = match self.planes {
            Planes::Bytes(bytes) => bytes.chunks_exact_mut(values).map(Planes::Bytes).collect(),
            Planes::Floats(floats) => floats
                .chunks_exact_mut(values)
                .map(Planes::Floats)
                .collect(),
        };
        let globals = self.globals.chunks_exact_mut(GLOBALS);
        let masks = self.mask.chunks_exact_mut(actions);
        let numbers = self.to_move.iter_mut().zip(self.games);
        let rows = planes.into_iter().zip(globals).zip(masks).zip(numbers);
        let rows: Vec<Row<'a>> = rows
            .map(|(((planes, globals), mask), (to_move, game))| Row {
                planes,
                globals,
                mask,
                to_move,
                game,
            })
            .take(count)
            .collect();
        assert_eq!(rows.len(), count, "there is room for a row of each game");
        rows
    }
}

impl Seat {
    /// Goes on until a leaf has to be evaluated.
    fn advance(&mut self) {
        let leaf = self.planner.advance(&mut self.rng);
        self.is_waiting = leaf.is_some();
        if let Some(leaf) = leaf {
            self.legal = leaf.game.legal_moves();
        }
    }

    /// Writes what its leaf looks like.
    fn write(&self, observer: Observer, actions: Actions, row: &mut Row<'_>) {
        let game = self.planner.leaf();
        let player = game.to_move();
        match &mut row.planes {
            Planes::Bytes(out) => observer.observe(game, player, out),
            Planes::Floats(out) => observer.observe(game, player, out),
        }
        row.globals.copy_from_slice(&globals(game, player));
        row.mask.fill(0);
        row.mask[actions.pass()] = 1;
        for point in self.legal {
            row.mask[actions.number(Move::Play(point))] = 1;
        }
        *row.to_move = u8::from(player == Color::White);
    }

    /// The legal moves of its leaf with their numbers.
    fn moves(&self, actions: Actions) -> impl Iterator<Item = (Move, usize)> {
        let moves = self.legal.iter().map(Move::Play).chain([Move::Pass]);
        moves.map(move |action| (action, actions.number(action)))
    }

    fn check(&self, actions: Actions, row: usize, logits: &[f32]) -> Result<(), LockstepError> {
        let wrong = |problem| Err(LockstepError::Logits { row, problem });
        let mut largest = f32::NEG_INFINITY;
        for (_, number) in self.moves(actions) {
            let logit = logits[number];
            if logit.is_nan() || logit == f32::INFINITY {
                return wrong(format!("the logit of the legal action {number} is {logit}"));
            }
            largest = largest.max(logit);
        }
        match largest.is_finite() {
            true => Ok(()),
            false => wrong("the logits of all legal actions are -inf".to_owned()),
        }
    }

    fn answer(&mut self, actions: Actions, logits: &[f32], value: f32, lead: f32) {
        let moves: Vec<(Move, usize)> = self.moves(actions).collect();
        let leaf = self.planner.leaf_mut();
        let player = leaf.game.to_move();
        let sign = player.sign(1) as f32;
        let Evaluation {
            black_wins,
            black_lead,
            lead_spread,
            ownership,
            priors,
            later,
        } = &mut leaf.evaluation;
        *black_wins = 0.5 + 0.5 * sign * value;
        *black_lead = sign * lead;
        *lead_spread = 0.0;
        ownership.clear();
        later.clear();
        priors.clear();
        priors.extend(
            moves
                .iter()
                .map(|(action, number)| (*action, logits[*number])),
        );
        softmax(priors.iter_mut().map(|(_, prior)| prior));
    }
}

/// Threads that search, unless there is only the one that calls.
#[derive(Debug)]
struct Threads {
    pool: Option<ThreadPool>,
    /// The process that started them: a forked child does not have them.
    process: u32,
}

impl Threads {
    fn new(threads: usize) -> Self {
        let pool = (threads != 1).then(|| {
            let builder = ThreadPoolBuilder::new().num_threads(threads);
            builder
                .thread_name(|index| format!("tengen-search-{index}"))
                .build()
        });
        Self {
            pool: pool.and_then(Result::ok),
            process: std::process::id(),
        }
    }

    /// Does something with each of these.
    fn run<T: Send>(&self, items: &mut [T], work: impl Fn(&mut T) + Sync + Send) {
        self.run_with(items, || (), |(), item| work(item));
    }

    /// The same with something that each thread has for itself.
    fn run_with<T: Send, P>(
        &self,
        items: &mut [T],
        own: impl Fn() -> P + Sync + Send,
        work: impl Fn(&mut P, &mut T) + Sync + Send,
    ) {
        match &self.pool {
            Some(pool) if self.process == std::process::id() => {
                pool.install(|| {
                    items
                        .par_iter_mut()
                        .for_each_init(&own, |own, item| work(own, item));
                });
            }
            _ => {
                let mut own = own();
                for item in items {
                    work(&mut own, item);
                }
            }
        }
    }
}
