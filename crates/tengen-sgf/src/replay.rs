//! Playing a record.

use tengen_core::{Color, Game, IllegalMove, Move, Point, PointSet, Setup, SetupError};

use crate::diagnostic::{Diagnostic, Severity};
use crate::findings::Findings;
use crate::parser::Mode;
use crate::settings::{GameSettings, shorten};
use crate::tree::Node;
use crate::validate::BAD_VALUE;
use crate::value::{SgfPoint, Value};

/// A game that follows the nodes of a record.
///
/// ```
/// use tengen_sgf::{Collection, Mode, Replay};
/// let parsed = Collection::parse("(;SZ[9]KM[7];B[ee];W[ee])", Mode::Lenient)?;
/// let root = parsed.collection.roots().next().unwrap();
/// let replay = Replay::main_line(root, Mode::Lenient).unwrap();
/// assert_eq!(replay.moves(), 2);
/// assert_eq!(replay.diagnostics()[0].message, "move 2, White E5: occupied; played all the same");
/// # Ok::<(), tengen_sgf::ParseError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Replay {
    game: Game,
    mode: Mode,
    moves: usize,
    diagnostics: Findings,
    /// The places of all of them, those included that are only counted.
    places: Vec<usize>,
}

impl Replay {
    /// The position of a game's root. In strict mode the first thing that is wrong is the error, otherwise only a board
    /// that cannot be played on.
    pub fn start(root: Node<'_>, mode: Mode) -> Result<Self, Diagnostic> {
        let (settings, diagnostics) = GameSettings::of(root)?;
        let mut setup = Setup::empty(settings.size);
        setup.to_move = settings.to_move;
        setup.stones.black = settings.handicap_points;
        let mut game = Game::from_setup(&setup, settings.rules)
            .map_err(|error| Diagnostic::new(Severity::Error, "bad-setup", 0, error.to_string()))?;
        game.set_handicap(settings.handicap);
        let mut replay = Self {
            game,
            mode,
            moves: 0,
            diagnostics: Findings::new(),
            places: Vec::new(),
        };
        for diagnostic in diagnostics {
            replay.report(diagnostic)?;
        }
        replay.step(root)?;
        Ok(replay)
    }

    /// The position at a node.
    pub fn to_node(node: Node<'_>, mode: Mode) -> Result<Self, Diagnostic> {
        Self::along(&node.path(), mode)
    }

    /// The last position of a game's main line.
    pub fn main_line(root: Node<'_>, mode: Mode) -> Result<Self, Diagnostic> {
        let mut replay = Self::start(root, mode)?;
        for node in root.main_line().skip(1) {
            replay.step(node)?;
        }
        Ok(replay)
    }

    fn along(path: &[Node<'_>], mode: Mode) -> Result<Self, Diagnostic> {
        let [root, rest @ ..] = path else {
            return Err(Diagnostic::new(
                Severity::Error,
                "no-node",
                0,
                "no node to replay",
            ));
        };
        let mut replay = Self::start(*root, mode)?;
        for node in rest {
            replay.step(*node)?;
        }
        Ok(replay)
    }

    /// The game so far. Where a node sets stones up, its history starts there.
    pub const fn game(&self) -> &Game {
        &self.game
    }

    /// The game so far.
    pub fn into_game(self) -> Game {
        self.game
    }

    /// How many moves were made, from the root on.
    pub const fn moves(&self) -> usize {
        self.moves
    }

    /// What was wrong so far.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        self.diagnostics.as_slice()
    }

    /// Hands over what was wrong so far, and the places of all of it, those included that are only counted.
    pub(crate) fn into_diagnostics(self) -> (Vec<Diagnostic>, Vec<usize>) {
        (self.diagnostics.into_vec(), self.places)
    }

    fn report(&mut self, diagnostic: Diagnostic) -> Result<(), Diagnostic> {
        if self.mode == Mode::Strict && diagnostic.severity > Severity::Note {
            return Err(diagnostic);
        }
        self.places.push(diagnostic.offset);
        self.diagnostics.push(diagnostic);
        Ok(())
    }

    /// Applies a node: stones that are set up, then moves, then whose turn it is.
    pub fn step(&mut self, node: Node<'_>) -> Result<(), Diagnostic> {
        let mut sets_up = false;
        let mut turn = None;
        for property in node.properties() {
            if property.is("AB") || property.is("AW") || property.is("AE") {
                sets_up = true;
            } else if property.is("PL") {
                turn = property.value();
            }
        }
        if sets_up {
            self.set_up(node)?;
        }
        for property in node.properties() {
            let color = if property.is("B") {
                Color::Black
            } else if property.is("W") {
                Color::White
            } else {
                continue;
            };
            for value in property.values() {
                self.play(color, value)?;
            }
        }
        if let Some(value) = turn {
            match value.color() {
                Some(color) => self.game.set_to_move(color),
                None => {
                    let message = format!("`{}` is no player: left out", shorten(value.raw()));
                    self.report(Diagnostic::new(
                        Severity::Warning,
                        BAD_VALUE,
                        value.offset(),
                        message,
                    ))?;
                }
            }
        }
        Ok(())
    }

    /// Puts stones down or takes them off without playing them.
    fn set_up(&mut self, node: Node<'_>) -> Result<(), Diagnostic> {
        let mut setup = self.game.position();
        setup.ko = None;
        let mut first = None;
        for property in node.properties() {
            let color = match () {
                () if property.is("AB") => Some(Color::Black),
                () if property.is("AW") => Some(Color::White),
                () if property.is("AE") => None,
                () => continue,
            };
            for value in property.values() {
                first.get_or_insert(value.offset());
                let points = self.points(value)?;
                setup.stones.black -= points;
                setup.stones.white -= points;
                if let Some(color) = color {
                    setup.stones[color] |= points;
                }
            }
        }
        let offset = first.unwrap_or_default();
        while let Err(error) = self.game.set_up(&setup) {
            let SetupError::NoLiberty(point) = error else {
                let message = error.to_string();
                return Err(Diagnostic::new(
                    Severity::Error,
                    "bad-setup",
                    offset,
                    message,
                ));
            };
            let vertex = point.to_gtp(setup.size);
            let message = format!("the stones set up at {vertex} have no liberty: taken off");
            self.report(Diagnostic::new(
                Severity::Error,
                "no-liberty",
                offset,
                message,
            ))?;
            for stones in [&mut setup.stones.black, &mut setup.stones.white] {
                let chain = PointSet::from(point).flood(stones);
                *stones -= chain;
            }
        }
        Ok(())
    }

    /// The points of a value; those that are not on the board are left out.
    fn points(&mut self, value: Value<'_>) -> Result<PointSet, Diagnostic> {
        let size = self.game.size();
        let mut on_board = PointSet::EMPTY;
        let points = value.points_on((size.width(), size.height()));
        let mut all = points.is_some();
        if points.is_some() && value.points().is_none() {
            self.respelled(value, points.iter().flatten())?;
        }
        for point in points.into_iter().flatten() {
            match point.to_point().filter(|point| size.contains(*point)) {
                Some(point) => {
                    on_board.insert(point);
                }
                None => all = false,
            }
        }
        if !all {
            let message = format!(
                "`{}` is no point of a {size} board: left out",
                shorten(value.raw())
            );
            let offset = value.offset();
            self.report(Diagnostic::new(Severity::Error, BAD_VALUE, offset, message))?;
        }
        Ok(on_board)
    }

    /// Says that points are written in another way than SGF does.
    #[cold]
    fn respelled<'a>(
        &mut self,
        value: Value<'_>,
        points: impl Iterator<Item = &'a SgfPoint>,
    ) -> Result<(), Diagnostic> {
        let letters: Vec<String> = points.map(|point| point.letters()).collect();
        let message = format!(
            "`{}` is not how SGF writes points: read as `{}`",
            shorten(value.raw()),
            shorten(&letters.join("][")),
        );
        let offset = value.offset();
        self.report(Diagnostic::new(
            Severity::Warning,
            BAD_VALUE,
            offset,
            message,
        ))
    }

    /// Makes a move of the record.
    #[inline]
    fn play(&mut self, color: Color, value: Value<'_>) -> Result<(), Diagnostic> {
        self.moves += 1;
        self.game.set_to_move(color);
        let Some(action) = self.read_move(value)? else {
            self.game.set_to_move(!color);
            return Ok(());
        };
        if self.game.is_over() {
            // Records go on behind two passes, to show what is dead.
            self.game.resume();
        }
        match self.game.play(action) {
            Ok(()) => Ok(()),
            Err(reason) => self.play_illegal(action, reason, value.offset()),
        }
    }

    /// The move that a value means, or `None` if it means none.
    #[inline]
    fn read_move(&mut self, value: Value<'_>) -> Result<Option<Move>, Diagnostic> {
        let size = self.game.size();
        let point = value.point();
        let on_board = point
            .and_then(SgfPoint::to_point)
            .filter(|point| size.contains(*point));
        if let Some(point) = on_board {
            return Ok(Some(Move::Play(point)));
        }
        let raw = value.raw().trim();
        // `tt` passes on boards up to 19×19, and some programs write it on larger ones too.
        if raw.is_empty() || point == Some(SgfPoint { x: 19, y: 19 }) {
            return Ok(Some(Move::Pass));
        }
        if raw.eq_ignore_ascii_case("pass") {
            let message = format!("move {}: a pass is written `[]`", self.moves);
            let offset = value.offset();
            self.report(Diagnostic::new(
                Severity::Warning,
                BAD_VALUE,
                offset,
                message,
            ))?;
            return Ok(Some(Move::Pass));
        }
        let other = value.point_on((size.width(), size.height()));
        if let Some(point) = other.filter(|_| point.is_none())
            && let Some(read) = point.to_point()
        {
            self.respelled(value, std::iter::once(&point))?;
            return Ok(Some(Move::Play(read)));
        }
        let message = format!(
            "move {}: `{}` is no point of a {size} board; left out",
            self.moves,
            shorten(raw)
        );
        let offset = value.offset();
        self.report(Diagnostic::new(Severity::Error, BAD_VALUE, offset, message))?;
        Ok(None)
    }

    /// Makes a move that the rules forbid, as viewers do: the stone goes down and takes what it takes.
    #[cold]
    fn play_illegal(
        &mut self,
        action: Move,
        reason: IllegalMove,
        offset: usize,
    ) -> Result<(), Diagnostic> {
        let message = format!(
            "move {}, {} {}: {reason}; played all the same",
            self.moves,
            self.game.to_move(),
            action.to_gtp(self.game.size()),
        );
        self.report(Diagnostic::new(
            Severity::Error,
            "illegal-move",
            offset,
            message,
        ))?;
        if let (IllegalMove::Occupied, Move::Play(point)) = (reason, action) {
            self.clear(point);
        }
        self.game.play_unchecked(action);
        Ok(())
    }

    /// Takes a stone off so that another can be played on its point.
    fn clear(&mut self, point: Point) {
        let mut setup = self.game.position();
        setup.stones.black.remove(point);
        setup.stones.white.remove(point);
        // One stone fewer takes no liberty from any chain.
        let cleared = self.game.set_up(&setup);
        debug_assert_eq!(cleared, Ok(()));
    }
}
