//! What the network sees of a position.

use tengen_core::{Color, Game, Ko, PointSet, Size, Suicide, Symmetry};
use tengen_env::{LEGAL_PLANE, OPPONENT_PLANE, PASS_ALIVE_PLANES, tactical};
use tengen_search::area_komi;
use xxhash_rust::xxh3::Xxh3;

use crate::architecture::{DROPPED_GLOBALS, GLOBALS, PADDED_PLANES, PLANES};
use crate::grid::Grid;

/// What the network sees of one position, as the player to move sees it.
#[derive(Clone, Debug)]
pub struct Inputs {
    size: Size,
    planes: Vec<PointSet>,
    globals: [f32; GLOBALS],
}

/// Komi is counted in these many points, so that it is neither tiny nor huge.
const KOMI_SCALE: f32 = 10.0;

impl Inputs {
    /// What the player to move sees of a game.
    pub fn new(game: &Game) -> Self {
        let player = game.to_move();
        Self {
            size: game.size(),
            planes: tactical(game, player),
            globals: globals(game, player),
        }
    }

    /// What somebody else shows: the planes of [`Features::Tactical`](tengen_env::Features::Tactical), and the numbers
    /// that [`Inputs::globals`] gives. `None` if there are not as many planes, or if one of them has points beyond the
    /// board.
    pub fn from_planes(size: Size, planes: Vec<PointSet>, globals: [f32; GLOBALS]) -> Option<Self> {
        let board = size.points();
        let fits = planes.len() == PLANES && planes.iter().all(|plane| plane.is_subset(&board));
        fits.then_some(Self {
            size,
            planes,
            globals,
        })
    }

    /// The planes of [`Features::Tactical`](tengen_env::Features::Tactical).
    pub fn planes(&self) -> &[PointSet] {
        &self.planes
    }

    /// The points where a stone may change something: legal, and neither player's for good.
    ///
    /// Stones of the opponent in the player's own land may be taken off, where somebody wants to see that done.
    pub fn worth_playing(&self) -> PointSet {
        let [own, enemy] = PASS_ALIVE_PLANES.map(|plane| self.planes[plane]);
        let dead = own & self.planes[OPPONENT_PLANE];
        let settled = if dead.is_empty() { own | enemy } else { enemy };
        self.planes[LEGAL_PLANE] - settled
    }

    /// A number that differs between positions that the network can tell apart, the same on every machine and in every
    /// release: XXH3 with 128 bits over the width and the height, the rows of all planes, the numbers, and 32 bytes of
    /// 0. Each row and number is four bytes with the lowest first.
    pub fn hash(&self) -> u128 {
        let mut hasher = Xxh3::new();
        hasher.update(&[self.size.width(), self.size.height()]);
        let mut rows = [0; 4 * Size::MAX as usize];
        for plane in &self.planes {
            let filled = rows.chunks_exact_mut(4).zip(0..self.size.height());
            for (row, y) in filled {
                row.copy_from_slice(&plane.row_bits(y).to_le_bytes());
            }
            hasher.update(&rows[..4 * usize::from(self.size.height())]);
        }
        for number in self.globals {
            hasher.update(&number.to_le_bytes());
        }
        // Earlier releases had more numbers, and the hash chooses symmetries: they stay the same.
        hasher.update(&[0; 4 * DROPPED_GLOBALS]);
        hasher.digest128()
    }

    /// The board.
    pub const fn size(&self) -> Size {
        self.size
    }

    /// Writes the planes, turned, where a board lies in memory that is all 0 there.
    pub(crate) fn write_planes(
        &self,
        symmetry: Symmetry,
        grid: &Grid,
        board: usize,
        out: &mut [f32],
    ) {
        for (number, plane) in self.planes.iter().enumerate() {
            for point in plane {
                let point = symmetry.apply(point, self.size);
                let index = grid.index(board, point.x().into(), point.y().into());
                out[index * PADDED_PLANES + number] = 1.0;
            }
        }
    }

    /// The numbers that say under which rules the game is played, and with which komi.
    pub const fn globals(&self) -> &[f32; GLOBALS] {
        &self.globals
    }
}

/// The numbers that say to this player under which rules a game is played, and with which komi.
pub fn globals(game: &Game, player: Color) -> [f32; GLOBALS] {
    let rules = game.rules();
    let size = game.size();
    // The network knows games in which area counts alone, and every other count is one of those with another komi.
    let white = area_komi(game);
    let own = match player {
        Color::Black => -white,
        Color::White => white,
    };
    let yes = |condition: bool| f32::from(u8::from(condition));
    [
        own / KOMI_SCALE,
        (own / KOMI_SCALE).clamp(-0.5, 0.5),
        parity(white, size),
        yes(rules.suicide != Suicide::Forbidden),
        yes(rules.ko == Ko::Simple),
        yes(rules.ko == Ko::Situational),
        yes(game.passes() > 0),
        (size.area() as f32).sqrt() / 9.0 - 1.0,
    ]
}

/// How far komi is from one that makes draws, from −1 to 1, as a wave.
///
/// Where area is counted, all points of the board together are odd or even, and so are most results: with an odd board
/// a komi of 6 is as good as one of 6.5, and 7 lies between a win and a loss.
fn parity(komi: f32, size: Size) -> f32 {
    let odd = (size.area() % 2) as f32;
    let phase = (komi - odd).rem_euclid(2.0);
    if phase < 0.5 {
        2.0 * phase
    } else if phase < 1.5 {
        2.0 - 2.0 * phase
    } else {
        2.0 * phase - 4.0
    }
}
