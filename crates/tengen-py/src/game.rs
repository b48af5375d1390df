//! Games as Python plays them.

use std::sync::{Mutex, MutexGuard, PoisonError};

use numpy::{PyArray1, PyArray3};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyTuple};
use tengen_core::{ByColor, Diagram, IllegalMove, Move};
use tengen_render::Picture;
use tengen_sgf::Collection;

use crate::array::{self, Grid};
use crate::board::{self, Board};
use crate::color::Color;
use crate::illegal_move;
use crate::komi::Komi;
use crate::outcome::read_outcome;
use crate::picture::{self, Subject};
use crate::point_knowledge;
use crate::record::{self, Text};
use crate::rules::{Rules, RulesArg};
use crate::score::Score;
use crate::size::Size;
use crate::start::read_start;
use crate::turn::Turn;
use crate::vertex::{self, Vertex, names};

/// A game in progress: a board, its rules, whose turn it is and all that was played.
///
/// `size` is a number, or a pair of columns and rows; `rules` are `Rules` or their name. `setup` is a diagram, a
/// `Board` or an array to start from, which brings its size along. `handicap` is a number of stones on the customary
/// points or a list of points; beside a setup it says how many of Black's stones are handicap.
///
/// Moves are written 'D4' or 'pass', as a pair (x, y) counted from 0 at the top left, as the number of an action
/// (y * width + x, and width * height for a pass), or None for a pass.
///
/// >>> from tengen import Game
/// >>> game = Game(setup='''
/// ...     . X O .
/// ...     X . X O
/// ...     . X O .
/// ...     White to move''', rules='chinese')
/// >>> game.play('B2')
/// >>> print(game)
///    A B C D
///  3 . X O .  3
///  2 X(O). O  2
///  1 . X O .  1
///    A B C D
/// Black to move
/// <BLANKLINE>
/// >>> game.check('C2')
/// 'ko'
/// >>> game.legal_moves()
/// ['A3', 'A1', 'pass']
/// >>> print(game.score())
/// W+9.5
#[pyclass(frozen, eq, module = "tengen")]
pub(crate) struct Game {
    size: tengen_core::Size,
    game: Mutex<tengen_core::Game>,
}

impl Game {
    pub(crate) fn new_from(game: tengen_core::Game) -> Self {
        Self {
            size: game.size(),
            game: Mutex::new(game),
        }
    }

    /// The game itself. No Python may run before the guard is dropped.
    pub(crate) fn lock(&self) -> MutexGuard<'_, tengen_core::Game> {
        // A method that panicked has left a game as whole as any other call would.
        self.game.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn picture(&self, options: Option<&Bound<'_, PyDict>>) -> PyResult<Picture> {
        let game = self.lock().clone();
        Subject::of_game(&game, 0).draw(Picture::new(game.board()), options)
    }

    /// What is going on, in a line.
    fn remark(&self) -> String {
        let game = self.lock();
        let last = game.last_turn().map(|turn| {
            let (number, color) = (game.turns().len(), turn.color);
            format!("Move {number}, {color} {}. ", turn.action.to_gtp(self.size))
        });
        let next = match game.outcome() {
            Some(outcome) => outcome.to_string(),
            None => format!("{} to move", game.to_move()),
        };
        last.unwrap_or_default() + &next
    }
}

/// Games are equal when everything about them is: what they started from, every move, and what was agreed.
impl PartialEq for Game {
    fn eq(&self, other: &Self) -> bool {
        // One lock at a time, for somebody may compare them the other way round.
        let other = other.lock().to_bytes();
        self.lock().to_bytes() == other
    }
}

#[pymethods]
impl Game {
    #[new]
    #[pyo3(
        signature = (size=None, rules=RulesArg::default(), *, komi=None, handicap=None, setup=None, to_move=None),
        text_signature = "(size=None, rules='tromp-taylor', *, komi=None, handicap=None, setup=None, to_move=None)",
    )]
    fn new(
        size: Option<Size>,
        rules: RulesArg,
        komi: Option<Komi>,
        handicap: Option<&Bound<'_, PyAny>>,
        setup: Option<&Bound<'_, PyAny>>,
        to_move: Option<Color>,
    ) -> PyResult<Self> {
        let (mut setup, handicap) = read_start(size, handicap, setup)?;
        if let Some(Color(color)) = to_move {
            setup.to_move = color;
        }
        let mut game = tengen_core::Game::from_setup(&setup, rules.0)
            .map_err(|error| PyValueError::new_err(error.to_string()))?;
        game.set_handicap(handicap);
        if let Some(Komi(komi)) = komi {
            game.set_komi(komi);
        }
        Ok(Self::new_from(game))
    }

    /// Makes a move for the player to move. IllegalMoveError if the rules forbid it.
    fn play(&self, r#move: &Bound<'_, PyAny>) -> PyResult<()> {
        let (name, refusal) = match Vertex::read(r#move, self.size)? {
            Vertex::Off => (None, Err(IllegalMove::OffBoard)),
            Vertex::On(action) => {
                let played = self.lock().play(action);
                (Some(action), played)
            }
        };
        refusal.map_err(|refusal| {
            let name = name.map(|action| action.to_gtp(self.size));
            illegal_move::error(r#move, name, refusal)
        })
    }

    /// Passes: `play('pass')`.
    fn pass_(&self, py: Python<'_>) -> PyResult<()> {
        self.play(py.None().bind(py))
    }

    /// Why the player to move may not make this move: 'occupied', 'suicide', 'ko', 'superko', 'off board' or 'game
    /// over'. None if the move is legal.
    fn check(&self, r#move: &Bound<'_, PyAny>) -> PyResult<Option<&'static str>> {
        let verdict = match Vertex::read(r#move, self.size)? {
            Vertex::Off => Err(IllegalMove::OffBoard),
            Vertex::On(action) => self.lock().check(action),
        };
        Ok(verdict.err().map(illegal_move::reason))
    }

    /// May the player to move make this move?
    fn is_legal(&self, r#move: &Bound<'_, PyAny>) -> PyResult<bool> {
        Ok(self.check(r#move)?.is_none())
    }

    /// All legal moves, from the top left, and 'pass'; none once the game is over.
    fn legal_moves(&self) -> Vec<String> {
        let game = self.lock();
        let mut moves = names(&game.legal_moves(), self.size);
        if !game.is_over() {
            moves.push(Move::Pass.to_gtp(self.size));
        }
        moves
    }

    /// Which actions are legal, superko included: a bool array with a place for each point and one for the pass.
    ///
    /// >>> game = Game(9)
    /// >>> game.play('A9')
    /// >>> game.legal_mask().shape, int(game.legal_mask().sum())
    /// ((82,), 81)
    fn legal_mask<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<bool>> {
        let (legal, pass) = {
            let game = self.lock();
            (game.legal_moves(), !game.is_over())
        };
        let mut mask = array::flags(self.size, &legal);
        mask.push(pass);
        PyArray1::from_vec(py, mask)
    }

    /// Each point where the player to move may not play, and the reason.
    ///
    /// >>> Game(setup='. X .').illegal_moves()
    /// {'B1': 'occupied'}
    fn illegal_moves<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let refused: Vec<(String, &str)> = {
            let game = self.lock();
            let points = self.size.points();
            let refusal = |point: tengen_core::Point| {
                let refusal = game.check(Move::Play(point)).err()?;
                Some((point.to_gtp(self.size), illegal_move::reason(refusal)))
            };
            points.iter().filter_map(refusal).collect()
        };
        let dict = PyDict::new(py);
        for (point, reason) in refused {
            dict.set_item(point, reason)?;
        }
        Ok(dict)
    }

    /// Takes the last move back, together with the end of the game, and returns it; None at the start.
    fn undo(&self) -> Option<Turn> {
        let turn = self.lock().undo();
        turn.map(|turn| Turn::new(turn, self.size))
    }

    /// Whose turn it is: 'black' or 'white'. It can be set, as some records do.
    #[getter]
    fn to_move(&self) -> Color {
        self.lock().to_move().into()
    }

    #[setter]
    fn set_to_move(&self, color: Color) {
        self.lock().set_to_move(color.0);
    }

    /// All moves so far, such as 'D4' or 'pass'.
    #[getter]
    fn moves(&self) -> Vec<String> {
        let game = self.lock();
        let turns = game.turns().iter();
        turns.map(|turn| turn.action.to_gtp(self.size)).collect()
    }

    /// All moves so far with who made them and what they took.
    #[getter]
    fn turns(&self) -> Vec<Turn> {
        let game = self.lock();
        let turns = game.turns().iter();
        turns.map(|turn| Turn::new(*turn, self.size)).collect()
    }

    /// The last move, or None at the start.
    #[getter]
    fn last_move(&self) -> Option<String> {
        let game = self.lock();
        game.last_turn().map(|turn| turn.action.to_gtp(self.size))
    }

    /// The position.
    #[getter]
    fn board(&self) -> Board {
        Board(self.lock().board().clone())
    }

    /// The position that the game started from.
    #[getter]
    fn start(&self) -> PyResult<Board> {
        let setup = *self.lock().start();
        setup
            .board()
            .map(Board)
            .map_err(|error| PyValueError::new_err(error.to_string()))
    }

    /// The stones as an int8 array with a row for each row of the board: 0 empty, 1 Black, 2 White.
    #[getter]
    fn stones<'py>(&self, py: Python<'py>) -> PyResult<Grid<'py>> {
        let position = self.lock().position();
        array::of_sets(py, self.size, &position.stones, 2)
    }

    /// The count of the board as it stands; `dead` stones are taken off, and points beside stones in `seki` count for
    /// nobody under territory scoring. One stone stands for its whole chain in neither: name them all.
    ///
    /// >>> game = Game(setup='. X O .\n. X O .\nO X O .', rules='japanese', komi=0)
    /// >>> print(game.score(), game.score(dead='A1'))
    /// W+3 B+1
    #[pyo3(signature = (dead=None, seki=None))]
    fn score(
        &self,
        dead: Option<&Bound<'_, PyAny>>,
        seki: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Score> {
        let settlement = board::read_settlement(dead, seki, self.size)?;
        Ok(Score(self.lock().score_settled(&settlement)))
    }

    /// Who owns each point by these rules, stones included, as an int8 array: 1 Black, -1 White, 0 nobody.
    ///
    /// >>> Game(setup='. X . O .').ownership().tolist()
    /// [[1, 1, 0, -1, -1]]
    #[pyo3(signature = (dead=None, seki=None))]
    fn ownership<'py>(
        &self,
        py: Python<'py>,
        dead: Option<&Bound<'py, PyAny>>,
        seki: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Grid<'py>> {
        let settlement = board::read_settlement(dead, seki, self.size)?;
        let owned =
            {
                let game = self.lock();
                let territory = game.board().territory(&settlement).owned;
                ByColor::from(tengen_core::Color::BOTH.map(|color| {
                    territory[color] | (*game.board().stones(color) - settlement.dead)
                }))
            };
        array::of_sets(py, self.size, &owned, -1)
    }

    /// The result as records write it, such as 'B+3.5', 'W+R', '0' or 'Void'; None until the game is over.
    #[getter]
    fn result(&self) -> Option<String> {
        let outcome = self.lock().outcome();
        outcome.map(|outcome| outcome.to_string())
    }

    /// Who won, 'black' or 'white'; None if nobody has.
    #[getter]
    fn winner(&self) -> Option<Color> {
        let outcome = self.lock().outcome();
        outcome.and_then(tengen_core::Outcome::winner).map(Color)
    }

    /// Has the game ended?
    #[getter]
    fn is_over(&self) -> bool {
        self.lock().is_over()
    }

    /// Gives up for a player, the one to move unless `color` says another.
    ///
    /// >>> game = Game(9)
    /// >>> game.resign()
    /// >>> game.result, game.winner
    /// ('W+R', 'white')
    #[pyo3(signature = (color=None))]
    fn resign(&self, color: Option<Color>) {
        let mut game = self.lock();
        let color = color.map_or_else(|| game.to_move(), |color| color.0);
        game.resign(color);
    }

    /// Ends the game: as it stands, by a `Score` that the players agreed on, or with a result such as 'B+3.5' or 'W+T'.
    #[pyo3(signature = (result=None))]
    fn end(&self, result: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        let mut score = None;
        let mut outcome = None;
        if let Some(result) = result {
            match result.cast::<Score>() {
                Ok(agreed) => score = Some(agreed.get().0),
                Err(_) => outcome = Some(read_outcome(&result.extract::<String>()?)?),
            }
        }
        let mut game = self.lock();
        let ties = game.rules().ties;
        let outcome =
            outcome.unwrap_or_else(|| score.unwrap_or_else(|| game.score()).outcome(ties));
        game.end(outcome);
        Ok(())
    }

    /// Plays on after the game has ended, as when players disagree about what is dead.
    fn resume(&self) {
        self.lock().resume();
    }

    /// The enemy stones that Black and White have captured.
    #[getter]
    fn prisoners(&self) -> (u32, u32) {
        let game = self.lock();
        let [black, white] = tengen_core::Color::BOTH.map(|color| game.prisoners(color));
        (black, white)
    }

    /// White's komi. It can be set.
    #[getter]
    fn komi(&self) -> Komi {
        Komi(self.lock().komi())
    }

    #[setter]
    fn set_komi(&self, komi: Komi) {
        self.lock().set_komi(komi.0);
    }

    /// How many handicap stones White is compensated for, as far as the rules do. It can be set.
    #[getter]
    fn handicap(&self) -> u16 {
        self.lock().handicap()
    }

    #[setter]
    fn set_handicap(&self, stones: u16) {
        self.lock().set_handicap(stones);
    }

    /// The rules.
    #[getter]
    fn rules(&self) -> Rules {
        Rules(*self.lock().rules())
    }

    /// Columns and rows.
    #[getter]
    const fn size(&self) -> Size {
        Size(self.size)
    }

    /// The hash of the position, the same on every machine: 64 bits.
    #[getter]
    fn hash(&self) -> u64 {
        self.lock().board().hash()
    }

    /// The point that simple ko forbids, if there is one.
    #[getter]
    fn ko(&self) -> Option<String> {
        let ko = self.lock().board().ko();
        ko.map(|point| point.to_gtp(self.size))
    }

    /// All that is known about a point: the `chain` on it, why it is `illegal` for the player to move, the stones that
    /// a move there `captures`, those of which it is the last liberty (`atari_of`), the number of the move
    /// `last_played` there, and whose `eye` it is, whose it is for certain (`pass_alive`), and whose if counted now
    /// (`owner`).
    ///
    /// >>> point = Game(setup='. O X\nX X X\n. . .').inspect('A3')
    /// >>> point['captures'], point['illegal'], point['eye']
    /// (['B3'], None, None)
    fn inspect<'py>(
        &self,
        py: Python<'py>,
        point: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let point = Vertex::read_point(point, self.size)?;
        let known = self.lock().inspect(point);
        point_knowledge::as_dict(py, point, &known, self.size)
    }

    /// The number of the action that a move is.
    ///
    /// >>> game = Game(9)
    /// >>> game.to_action('E5'), game.to_gtp(40), game.to_action('pass'), game.to_point('E5')
    /// (40, 'E5', 81, (4, 4))
    fn to_action(&self, r#move: &Bound<'_, PyAny>) -> PyResult<usize> {
        let action = Vertex::read_move(r#move, self.size)?;
        Ok(vertex::action(action, self.size))
    }

    /// The name of a move, such as 'D4' or 'pass'.
    fn to_gtp(&self, r#move: &Bound<'_, PyAny>) -> PyResult<String> {
        let action = Vertex::read_move(r#move, self.size)?;
        Ok(action.to_gtp(self.size))
    }

    /// Column and row of a move, counted from 0 at the top left; None for a pass.
    fn to_point(&self, r#move: &Bound<'_, PyAny>) -> PyResult<Option<(u8, u8)>> {
        let action = Vertex::read_move(r#move, self.size)?;
        Ok(action.point().map(|point| (point.x(), point.y())))
    }

    /// The game of a record, played along its main line to its end or to the move with this number.
    ///
    /// Records in SGF and other formats are read as they are, and illegal moves played all the same: `tengen.sgf`
    /// reports what was wrong, and reads variations and comments.
    ///
    /// >>> Game.from_sgf('(;SZ[9];B[ee];W[gc])', move=1).moves
    /// ['E5']
    #[staticmethod]
    #[pyo3(signature = (record, r#move=None))]
    fn from_sgf(py: Python<'_>, record: Text, r#move: Option<usize>) -> PyResult<Self> {
        let game = py.detach(|| record::play(record, r#move));
        game.map(Self::new_from)
    }

    /// The game as a record in SGF.
    ///
    /// >>> game = Game(9)
    /// >>> game.play('E5')
    /// >>> game.to_sgf()
    /// '(;FF[4]GM[1]CA[UTF-8]SZ[9]RU[tromp-taylor]KM[7.5];B[ee])'
    fn to_sgf(&self) -> String {
        Collection::from_game(&self.lock()).to_string()
    }

    /// The game as bytes from which `from_bytes` makes it again, with everything that superko and undo need.
    ///
    /// >>> game = Game(9)
    /// >>> game.play('E5')
    /// >>> Game.from_bytes(game.to_bytes()) == game
    /// True
    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        let bytes = self.lock().to_bytes();
        PyBytes::new(py, &bytes)
    }

    /// The game that `to_bytes` wrote. ValueError for other bytes.
    #[staticmethod]
    fn from_bytes(data: &[u8]) -> PyResult<Self> {
        tengen_core::Game::from_bytes(data)
            .map(Self::new_from)
            .map_err(|error| PyValueError::new_err(error.to_string()))
    }

    /// The picture as an SVG, with a ring on the last move.
    ///
    /// Keywords are those of `Board.svg`; `last=False` leaves the ring out, and `numbers=True` or `numbers=(40, 60)`
    /// writes the numbers of moves on their stones.
    ///
    /// >>> Game(9).svg(theme='dark', caption='An empty board').count('An empty board') > 0
    /// True
    #[pyo3(signature = (**options))]
    fn svg(&self, py: Python<'_>, options: Option<&Bound<'_, PyDict>>) -> PyResult<String> {
        Ok(picture::svg(py, &self.picture(options)?))
    }

    /// The picture as a PNG of this width in pixels, with the keywords of `svg`.
    #[pyo3(signature = (width=640, **options))]
    fn png<'py>(
        &self,
        py: Python<'py>,
        width: u32,
        options: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        picture::png(py, &self.picture(options)?, width)
    }

    /// The picture as an array of rows, columns and red, green and blue, this many pixels wide, with the keywords of
    /// `svg`.
    ///
    /// >>> Game(9).pixels(300).shape[1:]
    /// (300, 3)
    #[pyo3(signature = (width=640, **options))]
    fn pixels<'py>(
        &self,
        py: Python<'py>,
        width: u32,
        options: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyArray3<u8>>> {
        picture::pixels(py, &self.picture(options)?, width)
    }

    fn _repr_svg_(&self, py: Python<'_>) -> PyResult<String> {
        self.svg(py, None)
    }

    fn _repr_html_(&self, py: Python<'_>) -> PyResult<String> {
        Ok(picture::html(&self.svg(py, None)?, &self.remark()))
    }

    fn __str__(&self) -> String {
        let game = self.lock();
        let last = game.last_turn().and_then(|turn| turn.action.point());
        let diagram = Diagram::new(game.board()).last(last);
        match game.outcome() {
            Some(outcome) => format!("{diagram}Result {outcome}\n"),
            None => format!("{diagram}{} to move\n", game.to_move()),
        }
    }

    fn __repr__(&self) -> String {
        let rules = self.lock().rules().to_string();
        format!("<Game {}, {rules}. {}>", self.size, self.remark())
    }

    /// A game like this one, which goes its own way from here.
    fn copy(&self) -> Self {
        Self::new_from(self.lock().clone())
    }

    fn __copy__(&self) -> Self {
        self.copy()
    }

    #[pyo3(signature = (_memo, /))]
    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Self {
        self.copy()
    }

    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let from_bytes = py.get_type::<Self>().getattr("from_bytes")?;
        Ok((from_bytes, PyTuple::new(py, [self.to_bytes(py)])?))
    }
}
