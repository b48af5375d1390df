//! What the planes of an observation show.

use std::fmt;
use std::str::FromStr;

use tengen_core::{Color, Game, Move, PointSet};

use crate::recent::{BOARDS, RecentBoards};

/// A named set of planes.
///
/// ```
/// use tengen_env::Features;
/// let features: Features = "agz".parse()?;
/// assert_eq!(features.count(), 17);
/// assert_eq!(features.names()[3], "opponent's stones, 1 move ago");
/// # Ok::<(), tengen_env::UnknownFeatures>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Features {
    /// The 17 planes of AlphaGo Zero: own and opponent's stones on the last eight boards in turn, the newest first, and
    /// a plane that is all ones when the player is Black.
    AlphaGoZero,
    /// The stones together with what a player sees at a glance: liberties, ko, captures, ladders, safety, last moves.
    Tactical,
}

/// Chains with this many liberties or more share a plane.
const MANY_LIBERTIES: usize = 4;
/// Captures of this many stones or more share a plane.
const MANY_CAPTURED: usize = 3;
/// How far ladders are read, in moves tried for each chain.
const LADDER_BUDGET: u32 = 1000;
/// So many moves back are marked.
const LAST_MOVES: usize = 5;

/// The place of the opponent's stones among the planes of [`Features::Tactical`].
pub const OPPONENT_PLANE: usize = 2;
/// The place of the legal moves among them.
pub const LEGAL_PLANE: usize = 3 + MANY_LIBERTIES;
/// The places of what is the player's and the opponent's for good among them.
pub const PASS_ALIVE_PLANES: [usize; 2] = {
    let own = LEGAL_PLANE + 2 + MANY_CAPTURED + 2;
    [own, own + 1]
};

impl Features {
    /// All sets.
    pub const ALL: [Self; 2] = [Self::AlphaGoZero, Self::Tactical];

    /// The name by which it is chosen.
    pub const fn name(self) -> &'static str {
        match self {
            Self::AlphaGoZero => "agz",
            Self::Tactical => "tactical",
        }
    }

    /// How many planes it has.
    pub const fn count(self) -> usize {
        match self {
            Self::AlphaGoZero => 2 * BOARDS + 1,
            Self::Tactical => 11 + MANY_LIBERTIES + MANY_CAPTURED + LAST_MOVES,
        }
    }

    /// What each plane shows.
    pub fn names(self) -> Vec<String> {
        let mut names = Vec::with_capacity(self.count());
        match self {
            Self::AlphaGoZero => {
                for ago in 0..BOARDS {
                    for whose in ["own", "opponent's"] {
                        names.push(match ago {
                            0 => format!("{whose} stones"),
                            1 => format!("{whose} stones, 1 move ago"),
                            _ => format!("{whose} stones, {ago} moves ago"),
                        });
                    }
                }
                names.push("player is Black".to_owned());
            }
            Self::Tactical => {
                names
                    .extend(["on the board", "own stones", "opponent's stones"].map(str::to_owned));
                for liberties in 1..=MANY_LIBERTIES {
                    names.push(at_least(liberties, MANY_LIBERTIES, "liberty", "liberties"));
                }
                names.extend(["legal", "illegal by ko or superko"].map(str::to_owned));
                for stones in 1..=MANY_CAPTURED {
                    let stones = at_least(stones, MANY_CAPTURED, "stone", "stones");
                    names.push(format!("captures {stones}"));
                }
                names.extend(
                    [
                        "caught in a ladder",
                        "starts a ladder that works",
                        "own pass-alive",
                        "opponent's pass-alive",
                    ]
                    .map(str::to_owned),
                );
                for ago in 1..=LAST_MOVES {
                    names.push(match ago {
                        1 => "last move".to_owned(),
                        _ => format!("last move but {}", ago - 1),
                    });
                }
                names.extend(["passed just now", "player is Black"].map(str::to_owned));
            }
        }
        names
    }

    /// The planes as sets of points, as this player sees them.
    ///
    /// This says what the planes are; how they are written fast is [`Observer`](crate::Observer)'s affair.
    pub fn planes(self, game: &Game, recent: &RecentBoards, player: Color) -> Vec<PointSet> {
        let whole = |yes: bool, frame: PointSet| if yes { frame } else { PointSet::EMPTY };
        match self {
            Self::AlphaGoZero => {
                let mut planes: Vec<PointSet> = (0..BOARDS)
                    .flat_map(|ago| [player, !player].map(|color| recent.stones(color, ago)))
                    .collect();
                planes.push(whole(player == Color::Black, recent.frame().points()));
                planes
            }
            Self::Tactical => tactical(game, player),
        }
    }
}

fn at_least(number: usize, last: usize, one: &str, many: &str) -> String {
    match number {
        1 => format!("1 {one}"),
        _ if number == last => format!("{number} {many} or more"),
        _ => format!("{number} {many}"),
    }
}

/// The planes of [`Features::Tactical`], which need no earlier boards.
pub fn tactical(game: &Game, player: Color) -> Vec<PointSet> {
    let board = game.board();
    let mut planes = vec![
        *board.points(),
        *board.stones(player),
        *board.stones(!player),
    ];

    let mut liberties = [PointSet::EMPTY; MANY_LIBERTIES];
    for chain in board.chains() {
        liberties[chain.liberties.len().min(MANY_LIBERTIES) - 1] |= chain.stones;
    }
    planes.extend(liberties);

    let playable = board.playable(player, game.rules().suicide);
    let (legal, banned) = if player == game.to_move() && !game.is_over() {
        let legal = game.legal_moves();
        (legal, (playable | ko_point(game)) - legal)
    } else {
        (playable, PointSet::EMPTY)
    };
    planes.extend([legal, banned]);

    let mut captures = [PointSet::EMPTY; MANY_CAPTURED];
    for point in board.capturing(player) {
        let stones = board.captures(point, player).len();
        captures[stones.min(MANY_CAPTURED) - 1].insert(point);
    }
    planes.extend(captures);

    let ladders = board.ladders(LADDER_BUDGET);
    planes.extend([ladders.caught, ladders.captures[player]]);
    for color in [player, !player] {
        let alive = board.pass_alive(color, game.rules().suicide);
        planes.push(alive.stones | alive.territory);
    }

    let mut last = [PointSet::EMPTY; LAST_MOVES];
    for (plane, turn) in last.iter_mut().zip(game.turns().iter().rev()) {
        if let Move::Play(point) = turn.action {
            plane.insert(point);
        }
    }
    planes.extend(last);
    let passed = game
        .last_turn()
        .is_some_and(|turn| turn.action == Move::Pass);
    for yes in [passed, player == Color::Black] {
        planes.push(if yes {
            *board.points()
        } else {
            PointSet::EMPTY
        });
    }
    planes
}

fn ko_point(game: &Game) -> PointSet {
    game.board().ko().map_or(PointSet::EMPTY, Into::into)
}

/// There is no set of planes with this name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownFeatures(String);

impl fmt::Display for UnknownFeatures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = Features::ALL.map(Features::name).join(", ");
        write!(f, "there is no set of planes `{}`: use {names}", self.0)
    }
}

impl std::error::Error for UnknownFeatures {}

impl FromStr for Features {
    type Err = UnknownFeatures;

    fn from_str(name: &str) -> Result<Self, UnknownFeatures> {
        Self::ALL
            .into_iter()
            .find(|features| features.name() == name)
            .ok_or_else(|| UnknownFeatures(name.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::{Features, LEGAL_PLANE, OPPONENT_PLANE, PASS_ALIVE_PLANES};

    #[test]
    fn planes_are_where_their_constants_say() {
        let names = Features::Tactical.names();
        assert_eq!(names[OPPONENT_PLANE], "opponent's stones");
        assert_eq!(names[LEGAL_PLANE], "legal");
        assert_eq!(names[PASS_ALIVE_PLANES[0]], "own pass-alive");
        assert_eq!(names[PASS_ALIVE_PLANES[1]], "opponent's pass-alive");
    }
}
