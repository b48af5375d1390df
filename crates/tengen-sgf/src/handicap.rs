//! Handicap stones, as records tell of them.

use tengen_core::{Color, Game, Move, Point, PointSet, Rules, Setup, Size, Symmetry};

use crate::tree::Node;
use crate::value::Value;

/// What a record sets up before its first move. Some programs do so in the second node, behind the facts of the game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Opening {
    /// How many stones are set up.
    pub(crate) black: usize,
    pub(crate) white: usize,
    /// Where the first black ones are.
    pub(crate) offset: usize,
    /// Who makes the first move.
    pub(crate) first_move: Option<Color>,
}

impl Opening {
    pub(crate) fn of(root: Node<'_>, size: Size) -> Self {
        let sides = (size.width(), size.height());
        let mut opening = Self::default();
        for node in root.main_line() {
            for property in node.properties() {
                let points =
                    |value: Value<'_>| value.points_on(sides).map_or(0, |points| points.len());
                let count = || property.values().map(points).sum::<usize>();
                match () {
                    () if property.is("AB") => {
                        if opening.black == 0 {
                            opening.offset = property.value().map_or(0, Value::offset);
                        }
                        opening.black += count();
                    }
                    () if property.is("AW") => opening.white += count(),
                    () if property.is("B") || property.is("W") => {
                        let color = property.name().parse().ok();
                        opening.first_move = opening.first_move.or(color);
                    }
                    () => {}
                }
            }
            if opening.first_move.is_some() {
                break;
            }
        }
        opening
    }
}

/// A pattern of star points for stones that a record does not set up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Placement {
    pub(crate) points: PointSet,
    /// Is it another than the usual one?
    pub(crate) turned: bool,
}

impl Placement {
    /// The pattern that the moves of the main line allow: the usual one, or else one of its turns and reflections.
    ///
    /// Six and seven stones stand on the left and right sides or on the upper and lower ones, two and three in corners
    /// that servers choose in their own ways. Where every pattern is in the way of some move, it is the one that goes
    /// well for the longest.
    pub(crate) fn find(root: Node<'_>, size: Size, rules: &Rules, stones: u8) -> Option<Self> {
        let usual: PointSet = size.fixed_handicap(stones).ok()?.into_iter().collect();
        let mut best: Option<(usize, Self)> = None;
        for symmetry in Symmetry::onto_itself(size) {
            let points: PointSet = usual
                .iter()
                .map(|point| symmetry.apply(point, size))
                .collect();
            let placement = Self {
                points,
                turned: points != usual,
            };
            let Some(moves) = legal_moves(root, size, rules, &points) else {
                return Some(placement);
            };
            if best.is_none_or(|(most, _)| moves > most) {
                best = Some((moves, placement));
            }
        }
        best.map(|(_, placement)| placement)
    }
}

/// How many moves of the main line go well before a stone is on the point of another; `None` if all do.
fn legal_moves(root: Node<'_>, size: Size, rules: &Rules, stones: &PointSet) -> Option<usize> {
    let mut setup = Setup::empty(size);
    setup.stones.black = *stones;
    setup.to_move = Color::White;
    let mut game = Game::from_setup(&setup, *rules).ok()?;
    let point = |value: Value<'_>| -> Option<Point> {
        let point = value.point_on((size.width(), size.height()))?.to_point()?;
        size.contains(point).then_some(point)
    };
    for (number, node) in root.main_line().enumerate() {
        for (name, color) in [("B", Color::Black), ("W", Color::White)] {
            let Some(point) = node.value(name).and_then(point) else {
                continue;
            };
            if game.board().color_at(point).is_some() {
                return Some(number);
            }
            game.set_to_move(color);
            if game.play(Move::Play(point)).is_err() {
                game.play_unchecked(Move::Play(point));
            }
        }
        // Stones that the record sets up later are not for this to judge.
        if ["AB", "AW", "AE"]
            .iter()
            .any(|name| node.property(name).is_some())
        {
            return None;
        }
    }
    None
}
