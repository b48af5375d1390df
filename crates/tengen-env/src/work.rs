//! What the threads of a batch do: games played and shown, actions drawn.

use tengen_core::{Ahead, Color, Game, Move, Outcome, Reason};

use crate::action::Actions;
use crate::features::Features;
use crate::generator::Generator;
use crate::legal;
use crate::observer::Observer;
use crate::options::{AutoReset, Options};
use crate::outputs::{Outputs, Planes, Widths, put};
use crate::prefetch;
use crate::recent::RecentBoards;
use crate::workers::Divisible;

/// A game and what an observer remembers of it.
#[derive(Clone, Debug)]
pub(crate) struct Seat {
    pub(crate) game: Game,
    pub(crate) recent: Option<RecentBoards>,
}

/// What is done with games before they are shown.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Task {
    Nothing,
    Reset,
    Step,
}

/// A task on a row of games.
pub(crate) struct Work<'a> {
    pub(crate) task: Task,
    /// The games that it is done with, if not with all.
    pub(crate) which: Option<&'a [bool]>,
    pub(crate) options: &'a Options,
    pub(crate) actions: Actions,
    pub(crate) observer: Option<Observer>,
    pub(crate) widths: Widths,
    /// Bytes that hold what is legal in a game.
    pub(crate) width: usize,
    pub(crate) seats: &'a mut [Seat],
    pub(crate) legal: &'a mut [u8],
    pub(crate) taken: &'a [i32],
    pub(crate) out: Outputs<'a>,
}

impl Divisible for Work<'_> {
    /// About thirty microseconds of work, since it takes as long to hand it over: a game with masks alone takes a
    /// quarter of a microsecond, with the planes of AlphaGo Zero half of one, and ladders and safety are read for more
    /// than ten.
    fn smallest(&self) -> usize {
        match self.observer.map(Observer::features) {
            None => 128,
            Some(Features::AlphaGoZero) => 64,
            Some(Features::Tactical) => 4,
        }
    }

    fn games(&self) -> usize {
        self.seats.len()
    }

    fn divide(self, games: usize) -> (Self, Self) {
        let (which, other_which) = self.which.map(|which| which.split_at(games)).unzip();
        let (seats, other_seats) = self.seats.split_at_mut(games);
        let (legal, other_legal) = self.legal.split_at_mut(games * self.width);
        let (taken, other_taken) = self.taken.split_at(games.min(self.taken.len()));
        let (out, other_out) = self.out.divide(games, self.widths);
        (
            Self {
                which,
                seats,
                legal,
                taken,
                out,
                ..self
            },
            Self {
                which: other_which,
                seats: other_seats,
                legal: other_legal,
                taken: other_taken,
                out: other_out,
                ..self
            },
        )
    }

    /// Does it with one game after the other. In a step, what the next ones need is fetched meanwhile: all games
    /// together do not fit into the caches near the processor, and waiting for memory took longer than playing.
    fn run(mut self) {
        if self.task != Task::Step {
            for index in 0..self.seats.len() {
                if self.task == Task::Reset && self.concerns(index) {
                    self.seats[index].restart();
                }
                self.show(index, None);
            }
            return;
        }
        let mut action = self.action(0);
        let mut next = self.action(1);
        for index in 0..self.seats.len() {
            if let Some(seat) = self.seats.get(index + 3) {
                prefetch::value(seat);
            }
            let later = self.action(index + 2);
            self.fetch(index + 2, later, Ahead::Stone);
            self.fetch(index + 1, next, Ahead::Chains);
            let ended = if self.concerns(index) {
                self.step(index, action)
            } else {
                None
            };
            self.show(index, ended);
            (action, next) = (next, later);
        }
    }
}

impl Work<'_> {
    /// Is the task done with this game?
    #[inline]
    fn concerns(&self, index: usize) -> bool {
        self.which.is_none_or(|which| which[index])
    }

    /// The move that was chosen for a game, if there is such a game and the move is legal.
    #[inline]
    fn action(&self, index: usize) -> Option<Move> {
        let number = usize::try_from(*self.taken.get(index)?).ok()?;
        let legal = &self.legal[index * self.width..][..self.width];
        if legal::contains(legal, number) {
            self.actions.action(number)
        } else {
            None
        }
    }

    #[inline]
    fn fetch(&self, index: usize, action: Option<Move>, ahead: Ahead) {
        if let (Some(seat), Some(action)) = (self.seats.get(index), action) {
            for address in seat.game.addresses(action, ahead) {
                prefetch::line(address);
            }
        }
    }

    /// Makes the move of one game, which loses if there is none; the outcome if that ended it.
    #[inline]
    fn step(&mut self, index: usize, action: Option<Move>) -> Option<Ended> {
        let seat = &mut self.seats[index];
        if seat.game.is_over() {
            if self.options.reset == AutoReset::NextStep {
                seat.restart();
            }
            return None;
        }
        match action {
            Some(action) => {
                seat.game.play_unchecked(action);
                if let Some(recent) = &mut seat.recent {
                    recent.advance(&seat.game);
                }
            }
            None => {
                let winner = !seat.game.to_move();
                seat.game.end(Outcome::Win(winner, Reason::Forfeit));
            }
        }
        let ended = Ended {
            outcome: seat.game.outcome()?,
            margin: seat.game.score().margin_halves(),
        };
        if self.options.reset == AutoReset::SameStep {
            if let (Some(observer), Some(out)) = (self.observer, &mut self.out.final_observation) {
                let player = seat.game.to_move();
                observe(observer, seat, player, out.of_game(index, observer.len()));
            }
            seat.restart();
        }
        Some(ended)
    }

    /// Writes what one game looks like.
    #[inline]
    fn show(&mut self, index: usize, ended: Option<Ended>) {
        let seat = &self.seats[index];
        let game = &seat.game;
        let legal = &mut self.legal[index * self.width..][..self.width];
        let points = game.legal_moves();
        legal::pack(&points, game.size().height(), self.actions.frame(), legal);

        let out = &mut self.out;
        if let Some(mask) = &mut out.mask {
            let width = self.widths.actions;
            legal::write_mask(legal, &mut mask[index * width..][..width]);
        }
        if let Some(packed) = &mut out.packed {
            let width = self.widths.packed;
            packed[index * width..][..width].copy_from_slice(&legal[..width]);
        }
        if let (Some(observer), Some(out)) = (self.observer, &mut out.observation) {
            let player = game.to_move();
            observe(observer, seat, player, out.of_game(index, observer.len()));
        }
        if let Some(rewards) = &mut out.rewards {
            let black = ended.map_or(0.0, Ended::black_reward);
            rewards[2 * index] = black;
            // Not `-black`, which is a negative zero in a draw.
            rewards[2 * index + 1] = 0.0 - black;
        }
        let over = ended.is_some() || game.is_over();
        put!(out.terminated, index, u8::from(over));
        put!(out.to_move, index, u8::from(game.to_move() == Color::White));
        put!(out.moves, index, game.turns().len() as i32);
        let score = ended.map_or(f32::NAN, |ended| ended.margin as f32 / 2.0);
        put!(out.score, index, score);
    }
}

impl Seat {
    fn restart(&mut self) {
        self.game.restart();
        if let Some(recent) = &mut self.recent {
            recent.show(&self.game);
        }
    }
}

pub(crate) fn observe(observer: Observer, seat: &Seat, player: Color, out: Planes<'_>) {
    match (out, &seat.recent) {
        (Planes::Bytes(out), Some(recent)) => observer.write(&seat.game, recent, player, out),
        (Planes::Floats(out), Some(recent)) => observer.write(&seat.game, recent, player, out),
        (Planes::Bytes(out), None) => observer.observe(&seat.game, player, out),
        (Planes::Floats(out), None) => observer.observe(&seat.game, player, out),
    }
}

/// How a game ended.
#[derive(Clone, Copy)]
struct Ended {
    outcome: Outcome,
    /// Black's half-points less White's on the last board.
    margin: i32,
}

impl Ended {
    fn black_reward(self) -> f32 {
        match self.outcome.winner() {
            Some(Color::Black) => 1.0,
            Some(Color::White) => -1.0,
            None => 0.0,
        }
    }
}

/// Draws an action for each of a row of games.
pub(crate) struct Draws<'a> {
    pub(crate) generators: &'a mut [Generator],
    pub(crate) legal: &'a [u8],
    pub(crate) width: usize,
    pub(crate) count: usize,
    pub(crate) actions: &'a mut [i32],
}

impl Divisible for Draws<'_> {
    fn smallest(&self) -> usize {
        256
    }

    fn games(&self) -> usize {
        self.actions.len()
    }

    fn divide(self, games: usize) -> (Self, Self) {
        let (generators, other_generators) = self.generators.split_at_mut(games);
        let (legal, other_legal) = self.legal.split_at(games * self.width);
        let (actions, other_actions) = self.actions.split_at_mut(games);
        (
            Self {
                generators,
                legal,
                actions,
                ..self
            },
            Self {
                generators: other_generators,
                legal: other_legal,
                actions: other_actions,
                ..self
            },
        )
    }

    fn run(self) {
        let legal = self.legal.chunks_exact(self.width);
        for ((action, generator), legal) in self.actions.iter_mut().zip(self.generators).zip(legal)
        {
            *action = legal::draw(legal, self.count, generator) as i32;
        }
    }
}
