//! Many games in lockstep.

use std::fmt;

use tengen_core::{Color, Game, IllegalMove, Size};

use crate::action::Actions;
use crate::generator::Generator;
use crate::legal;
use crate::observer::Observer;
use crate::options::{GameSpec, IllegalAction, Options};
use crate::outputs::{Outputs, Planes, Widths};
use crate::recent::RecentBoards;
use crate::work::{Draws, Seat, Task, Work, observe};
use crate::workers::Workers;

/// Many games in lockstep.
///
/// ```
/// use tengen_core::{Rules, Size};
/// use tengen_env::{Batch, GameSpec, Options, Outputs};
///
/// let spec = GameSpec { size: Size::square(9)?, rules: Rules::default() };
/// let mut batch = Batch::new(&[spec; 4], Options::default());
/// let mut rewards = [0.0; 8];
/// let mut actions = [0; 4];
/// for _ in 0..20 {
///     batch.sample(&mut actions);
///     batch.step(&actions, Outputs { rewards: Some(&mut rewards), ..Outputs::default() })?;
/// }
/// assert_eq!(batch.game(3).turns().len(), 20);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Batch {
    pub(crate) options: Options,
    pub(crate) actions: Actions,
    observer: Option<Observer>,
    pub(crate) seats: Vec<Seat>,
    /// What is legal, so many bytes for each game; everything but the pass is illegal where a game has ended.
    legal: Vec<u8>,
    pub(crate) generators: Vec<Generator>,
    workers: Workers,
}

impl Batch {
    /// A batch of these games, in a frame that is as wide and as high as the largest of them.
    ///
    /// # Panics
    ///
    /// If there is no game.
    pub fn new(games: &[GameSpec], options: Options) -> Self {
        let mut made: Vec<Game> = Vec::with_capacity(games.len());
        for (index, spec) in games.iter().enumerate() {
            // Copies share what they started from, so that starting over reads the same memory for all of them.
            let game = match index.checked_sub(1) {
                Some(before) if games[before] == *spec => made[before].clone(),
                _ => Game::new(spec.size, spec.rules),
            };
            made.push(game);
        }
        Self::of_games(made, options)
    }

    /// A batch of games that are under way or were set up.
    ///
    /// # Panics
    ///
    /// If there is no game.
    pub fn of_games(games: Vec<Game>, options: Options) -> Self {
        let largest = |side: fn(Size) -> u8| games.iter().map(|game| side(game.size())).max();
        let frame = largest(Size::width)
            .zip(largest(Size::height))
            .and_then(|(width, height)| Size::new(width, height).ok())
            .expect("a batch has at least one game");
        let actions = Actions::on(frame);
        let observer =
            (options.planes).map(|(features, layout)| Observer::new(features, layout, frame));
        let looks_back = observer.is_some_and(Observer::looks_back);
        let seats: Vec<Seat> = games
            .into_iter()
            .map(|game| Seat {
                recent: looks_back.then(|| RecentBoards::of(&game, actions)),
                game,
            })
            .collect();
        let mut batch = Self {
            options,
            actions,
            observer,
            legal: vec![0; seats.len() * legal::bytes(frame)],
            generators: Vec::new(),
            workers: Workers::new(options.threads),
            seats,
        };
        batch.seed(options.seed);
        batch.work(Task::Nothing, None, &[], Outputs::default());
        batch
    }

    /// How many games there are.
    #[expect(clippy::len_without_is_empty, reason = "no batch is empty")]
    pub const fn len(&self) -> usize {
        self.seats.len()
    }

    /// The frame that all boards lie in.
    pub const fn frame(&self) -> Size {
        self.actions.frame()
    }

    /// The numbers of the moves.
    pub const fn actions(&self) -> Actions {
        self.actions
    }

    /// What writes the planes.
    pub const fn observer(&self) -> Option<Observer> {
        self.observer
    }

    /// How the batch behaves.
    pub const fn options(&self) -> &Options {
        &self.options
    }

    /// How many threads it is stepped on.
    pub const fn threads(&self) -> usize {
        self.workers.threads()
    }

    /// One of the games.
    ///
    /// # Panics
    ///
    /// If there is no game with this index.
    pub fn game(&self, index: usize) -> &Game {
        &self.seats[index].game
    }

    /// Gives every game a random generator of its own.
    pub fn seed(&mut self, seed: u64) {
        self.generators.clear();
        let games = 0..self.seats.len();
        self.generators
            .extend(games.map(|index| Generator::of_game(seed, index)));
    }

    /// Starts games over: all of them, or those marked.
    pub fn reset(&mut self, which: Option<&[bool]>, out: Outputs<'_>) -> Result<(), BatchError> {
        if let Some(which) = which {
            check_length("which", which.len(), self.len())?;
        }
        self.check_outputs(&out)?;
        self.work(Task::Reset, which, &[], out);
        Ok(())
    }

    /// Writes what the games look like without changing them.
    pub fn show(&mut self, out: Outputs<'_>) -> Result<(), BatchError> {
        self.check_outputs(&out)?;
        self.work(Task::Nothing, None, &[], out);
        Ok(())
    }

    /// Takes one action in every game.
    ///
    /// An action that is refused leaves every game as it was.
    pub fn step(&mut self, actions: &[i32], out: Outputs<'_>) -> Result<(), BatchError> {
        self.step_some(actions, None, out)
    }

    /// Takes one action in every game that is marked; the others wait, and show what they look like.
    pub fn step_some(
        &mut self,
        actions: &[i32],
        which: Option<&[bool]>,
        out: Outputs<'_>,
    ) -> Result<(), BatchError> {
        check_length("actions", actions.len(), self.len())?;
        if let Some(which) = which {
            check_length("which", which.len(), self.len())?;
        }
        self.check_outputs(&out)?;
        if self.options.illegal == IllegalAction::Refused {
            self.check_actions(actions, which)?;
        }
        self.work(Task::Step, which, actions, out);
        Ok(())
    }

    /// Draws a legal action for every game, all equally likely. A game that has ended passes.
    ///
    /// # Panics
    ///
    /// If there is not room for one action a game.
    pub fn sample(&mut self, actions: &mut [i32]) {
        assert_eq!(actions.len(), self.len(), "one action a game");
        self.workers.run(Draws {
            generators: &mut self.generators,
            legal: &self.legal,
            width: legal::bytes(self.actions.frame()),
            count: self.actions.count(),
            actions,
        });
    }

    /// Takes moves back until each game has at most so many left.
    pub fn rewind(&mut self, moves: &[i32]) -> Result<(), BatchError> {
        check_length("moves", moves.len(), self.len())?;
        for (seat, moves) in self.seats.iter_mut().zip(moves) {
            let moves = usize::try_from(*moves).unwrap_or(0);
            if seat.game.turns().len() <= moves {
                continue;
            }
            while seat.game.turns().len() > moves {
                seat.game.undo();
            }
            if let Some(recent) = &mut seat.recent {
                *recent = RecentBoards::of(&seat.game, self.actions);
            }
        }
        self.work(Task::Nothing, None, &[], Outputs::default());
        Ok(())
    }

    /// Writes what these players see, whosever turn it is.
    pub fn observe(&self, players: &[Color], mut out: Planes<'_>) -> Result<(), BatchError> {
        let observer = self.observer.ok_or(BatchError::NoPlanes)?;
        check_length("players", players.len(), self.len())?;
        check_length("out", out.len(), self.len() * observer.len())?;
        for (index, (seat, player)) in self.seats.iter().zip(players).enumerate() {
            observe(observer, seat, *player, out.of_game(index, observer.len()));
        }
        Ok(())
    }

    /// A batch of copies of these games, in this order and as often as they are named, with their random generators and
    /// in the same frame.
    ///
    /// # Panics
    ///
    /// If none is named, or there is no game with one of these indices.
    #[must_use]
    pub fn gather(&self, indices: &[usize]) -> Self {
        assert!(!indices.is_empty(), "a batch has at least one game");
        let width = legal::bytes(self.frame());
        let legal = indices.iter();
        let legal = legal.flat_map(|index| &self.legal[index * width..][..width]);
        Self {
            options: self.options,
            actions: self.actions,
            observer: self.observer,
            seats: indices
                .iter()
                .map(|index| self.seats[*index].clone())
                .collect(),
            legal: legal.copied().collect(),
            generators: indices
                .iter()
                .map(|index| self.generators[*index])
                .collect(),
            workers: Workers::new(self.options.threads),
        }
    }

    /// Puts copies of the games of another batch in the places of these. Boards must fit into the frame.
    pub fn scatter(&mut self, indices: &[usize], other: &Self) -> Result<(), BatchError> {
        check_length("indices", indices.len(), other.len())?;
        if let Some(index) = indices.iter().find(|index| **index >= self.len()) {
            return Err(BatchError::NoGame {
                index: *index,
                games: self.len(),
            });
        }
        if self.frame() != other.frame() || self.observer != other.observer {
            return Err(BatchError::OtherGames);
        }
        let width = legal::bytes(self.frame());
        for (from, to) in indices.iter().enumerate() {
            self.seats[*to].clone_from(&other.seats[from]);
            self.generators[*to] = other.generators[from];
            let legal = &other.legal[from * width..][..width];
            self.legal[to * width..][..width].copy_from_slice(legal);
        }
        Ok(())
    }

    /// Goes on with the games of another batch on the same boards.
    pub(crate) fn take_games(&mut self, other: Self) {
        self.seats = other.seats;
        self.legal = other.legal;
        self.generators = other.generators;
    }

    fn check_outputs(&self, out: &Outputs<'_>) -> Result<(), BatchError> {
        match out.misfit(self.len(), self.widths()) {
            Some((what, found, right)) => Err(BatchError::Length { what, found, right }),
            None => Ok(()),
        }
    }

    fn check_actions(&self, actions: &[i32], which: Option<&[bool]>) -> Result<(), BatchError> {
        let legal = self.legal.chunks_exact(legal::bytes(self.frame()));
        for (index, (action, legal)) in actions.iter().zip(legal).enumerate() {
            let fits = usize::try_from(*action).is_ok_and(|number| legal::contains(legal, number));
            let moves = || which.is_none_or(|which| which[index]) && !self.game(index).is_over();
            if !fits && moves() {
                return Err(self.refusal(index, *action));
            }
        }
        Ok(())
    }

    #[cold]
    fn refusal(&self, game: usize, action: i32) -> BatchError {
        let number = usize::try_from(action).ok();
        let reason = match number.and_then(|number| self.actions.action(number)) {
            Some(action) => self.game(game).check(action).err(),
            None => Some(IllegalMove::OffBoard),
        };
        BatchError::Action {
            game,
            action,
            actions: self.actions.count(),
            reason: reason.unwrap_or(IllegalMove::OffBoard),
        }
    }

    fn widths(&self) -> Widths {
        Widths {
            observation: self.observer.map_or(0, Observer::len),
            actions: self.actions.count(),
            packed: self.actions.count().div_ceil(8),
        }
    }

    fn work(&mut self, task: Task, which: Option<&[bool]>, actions: &[i32], out: Outputs<'_>) {
        let widths = self.widths();
        self.workers.run(Work {
            task,
            which,
            options: &self.options,
            actions: self.actions,
            observer: self.observer,
            widths,
            width: legal::bytes(self.actions.frame()),
            seats: &mut self.seats,
            legal: &mut self.legal,
            taken: actions,
            out,
        });
    }
}

/// The same games at the same point, with threads of its own.
impl Clone for Batch {
    fn clone(&self) -> Self {
        Self {
            options: self.options,
            actions: self.actions,
            observer: self.observer,
            seats: self.seats.clone(),
            legal: self.legal.clone(),
            generators: self.generators.clone(),
            workers: Workers::new(self.options.threads),
        }
    }
}

fn check_length(what: &'static str, found: usize, right: usize) -> Result<(), BatchError> {
    if found == right {
        return Ok(());
    }
    Err(BatchError::Length { what, found, right })
}

/// Why a batch refused something. Nothing has changed in any game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BatchError {
    /// There is not one of these for each game.
    Length {
        /// What has the wrong length.
        what: &'static str,
        /// How long it is.
        found: usize,
        /// How long it should be.
        right: usize,
    },
    /// An action is not legal.
    Action {
        /// The index of the game.
        game: usize,
        /// The action.
        action: i32,
        /// How many actions there are.
        actions: usize,
        /// Why it is not legal.
        reason: IllegalMove,
    },
    /// The batch was made without planes.
    NoPlanes,
    /// There is no game with this index.
    NoGame {
        /// The index.
        index: usize,
        /// How many games there are.
        games: usize,
    },
    /// Games are put into a batch with another frame or other planes.
    OtherGames,
}

impl BatchError {
    /// The game, the action and the reason, where an action was not legal.
    pub const fn refused(&self) -> Option<(usize, i32, IllegalMove)> {
        match *self {
            Self::Action {
                game,
                action,
                reason,
                ..
            } => Some((game, action, reason)),
            _ => None,
        }
    }
}

impl fmt::Display for BatchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Length { what, found, right } => {
                write!(f, "`{what}` has {found} values instead of {right}")
            }
            Self::Action {
                game,
                action,
                actions,
                reason,
            } => match reason {
                IllegalMove::OffBoard => write!(
                    f,
                    "game {game}: action {action} is not on its board (actions are 0 to {}, the last a pass)",
                    actions - 1
                ),
                _ => write!(f, "game {game}: action {action} is illegal: {reason}"),
            },
            Self::NoPlanes => f.write_str("the batch was made without planes"),
            Self::NoGame { index, games } => {
                write!(f, "there are {games} games, so no game {index}")
            }
            Self::OtherGames => {
                f.write_str("games can only be put among games with the same frame and planes")
            }
        }
    }
}

impl std::error::Error for BatchError {}
