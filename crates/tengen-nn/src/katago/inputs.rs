//! What KataGo's networks of version 8 and later see of a position: its inputs of version 7.
//!
//! 22 planes and 19 numbers, all as the player to move sees them. Games here have neither a button nor the encore
//! phases of KataGo's Japanese rules, so what tells of those stays 0: planes 7, 8, 20 and 21, numbers 12, 13 and 17.

mod areas;
mod history;
mod ladders;

use tengen_core::{
    Color, Game, Ko, LeanBoard, Move, Point, PointSet, Scoring, Size, Suicide, Ties,
};
use tengen_search::area_komi;

use super::net::Net;
use areas::Areas;
use history::History;
use ladders::LadderReader;

/// The number of planes.
pub const PLANES: usize = 22;
/// The number of inputs that are the same for the whole board.
pub const GLOBALS: usize = 19;

const ON_BOARD: usize = 0;
const OWN_STONES: usize = 1;
const ENEMY_STONES: usize = 2;
/// Chains with one, two and three liberties.
const FIRST_LIBERTIES: usize = 3;
const KO_BANS: usize = 6;
/// The last five moves, the latest first.
const FIRST_MOVE: usize = 9;
/// Chains caught in a ladder on this board and the two before it.
const FIRST_LADDERS: usize = 14;
const LADDER_ATTACKS: usize = 17;
const OWN_AREA: usize = 18;
const ENEMY_AREA: usize = 19;

/// KataGo holds komi within the number of points and so much more.
const KOMI_MARGIN: f32 = 20.0;

/// What a network sees of a position.
#[derive(Clone, Debug, PartialEq)]
pub struct Inputs {
    /// [`PLANES`] planes one after the other, each with its rows from the top.
    pub spatial: Vec<f32>,
    /// What is the same for the whole board.
    pub global: [f32; GLOBALS],
}

/// What the inputs depend on besides the game. The default is what KataGo's analysis uses below the root.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct InputOptions {
    /// By how many doublings the player to move searches more than the opponent; below 0 for less.
    pub playout_doubling_advantage: f32,
    /// Does the search take it that a pass does not end the game? KataGo's analysis does so at the root.
    pub conservative_pass: bool,
    /// Is the end of the game hidden from a network that would not win by passing now?
    pub passing_hacks: bool,
    /// What a draw is worth to White, from 0 to 1, where the rules do not give ties to a player.
    pub draw_value: f32,
    /// Are areas computed as if suicide were legal? Some networks ask for it in their files.
    pub pass_alive_with_suicide: bool,
    /// How many of the last moves are shown, at most 5.
    pub max_history: usize,
    /// What groups pay; `None` is what the scoring rule implies: seki under territory scoring, nothing otherwise.
    pub tax: Option<Tax>,
}

impl Default for InputOptions {
    fn default() -> Self {
        Self {
            playout_doubling_advantage: 0.0,
            conservative_pass: false,
            passing_hacks: true,
            draw_value: 0.5,
            pass_alive_with_suicide: false,
            max_history: 5,
            tax: None,
        }
    }
}

impl InputOptions {
    /// The default, as a network wants it.
    pub fn for_net(net: &Net) -> Self {
        Self {
            pass_alive_with_suicide: net.about().pass_alive_with_suicide,
            ..Self::default()
        }
    }
}

/// KataGo's tax rules: which points do not count although they are surrounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tax {
    /// All count.
    None,
    /// Eyes in seki do not count.
    Seki,
    /// Eyes in seki do not count, and every living group pays two points.
    All,
}

impl Inputs {
    /// What the player to move sees of a game.
    pub fn of(game: &Game, options: &InputOptions) -> Self {
        let size = game.size();
        let player = game.to_move();
        let mut planes = Planes {
            size,
            values: vec![0.0; PLANES * size.area()],
        };
        let mut lean = LeanBoard::new(game.board());
        planes.set_all(ON_BOARD, game.board().points());
        planes.show_stones(game, &lean);
        planes.set_all(KO_BANS, &ko_bans(game));

        let tax = options.tax.unwrap_or(match game.rules().scoring {
            Scoring::Territory => Tax::Seki,
            Scoring::Area | Scoring::AreaAndPrisoners => Tax::None,
        });
        let komi = own_komi(game, options);
        let suicide = options.pass_alive_with_suicide || game.rules().suicide != Suicide::Forbidden;
        // Under territory scoring KataGo shows areas in the second encore only.
        let areas = is_area(game).then(|| Areas::of(game.board(), &lean, suicide, tax));
        let mut loses_now = false;
        if let Some(areas) = &areas {
            planes.set_all(OWN_AREA, &areas.owned[player]);
            planes.set_all(ENEMY_AREA, &areas.owned[!player]);
            loses_now = areas.lead(player) as f32 + komi <= 0.0;
        }

        let history = History::of(game, options, loses_now);
        let mut global = [0.0; GLOBALS];
        for (ago, turn) in game.turns().iter().rev().take(history.shown).enumerate() {
            match turn.action {
                Move::Pass => global[ago] = 1.0,
                Move::Play(point) => planes.set(FIRST_MOVE + ago, point),
            }
        }
        planes.show_ladders(game, &mut lean, history.shown);
        fill_globals(
            &mut global,
            game,
            options,
            komi,
            tax,
            history.pass_ends_phase,
        );
        Self {
            spatial: planes.values,
            global,
        }
    }
}

/// Does area decide the game?
fn is_area(game: &Game) -> bool {
    game.rules().scoring != Scoring::Territory
}

/// The planes while they are filled.
struct Planes {
    size: Size,
    values: Vec<f32>,
}

impl Planes {
    fn set(&mut self, plane: usize, point: Point) {
        self.values[plane * self.size.area() + self.size.index(point)] = 1.0;
    }

    fn set_all(&mut self, plane: usize, points: &PointSet) {
        let width = usize::from(self.size.width());
        let values = &mut self.values[plane * self.size.area()..][..self.size.area()];
        for (row, y) in values.chunks_exact_mut(width).zip(0..) {
            let mut bits = points.row_bits(y);
            while bits != 0 {
                row[bits.trailing_zeros() as usize] = 1.0;
                bits &= bits - 1;
            }
        }
    }

    /// Whose the stones are, and how many liberties their chains have.
    fn show_stones(&mut self, game: &Game, lean: &LeanBoard) {
        let player = game.to_move();
        let board = game.board();
        self.set_all(OWN_STONES, board.stones(player));
        self.set_all(ENEMY_STONES, board.stones(!player));
        for stone in *board.stones(Color::Black) | *board.stones(Color::White) {
            if lean.head(stone) != stone {
                continue;
            }
            let liberties = lean.liberties::<4>(stone).count();
            if (1..=3).contains(&liberties) {
                for member in lean.members(stone) {
                    self.set(FIRST_LIBERTIES + liberties - 1, member);
                }
            }
        }
    }

    /// What ladders catch now, before the last move and before the one before it, as far as those moves are shown.
    /// Where a move is not shown, its plane repeats the board after it. Leaves the board as it was then.
    fn show_ladders(&mut self, game: &Game, board: &mut LeanBoard, shown: usize) {
        let mut reader = LadderReader::default();
        let mut ladders = reader.read(board);
        self.set_all(FIRST_LADDERS, &ladders.caught);
        self.set_all(LADDER_ATTACKS, &ladders.attacks[!game.to_move()]);
        let turns = game.turns().len();
        for ago in 1..=2 {
            if shown >= ago {
                game.rewind(turns - ago, board);
                ladders = reader.read(board);
            }
            self.set_all(FIRST_LADDERS + ago, &ladders.caught);
        }
    }
}

/// The points that ko and superko forbid to whoever moves after the last player.
fn ko_bans(game: &Game) -> PointSet {
    let mut bans: PointSet = game.board().ko().into_iter().collect();
    let rules = game.rules();
    let Some(last) = game.last_turn() else {
        return bans;
    };
    if rules.ko == Ko::Simple {
        return bans;
    }
    // To KataGo, a single stone that takes itself off is suicide, never superko.
    let suicide = match rules.suicide {
        Suicide::Forbidden => Suicide::Forbidden,
        Suicide::MultiStone | Suicide::Allowed => Suicide::MultiStone,
    };
    let next = !last.color;
    let playable = game.board().playable(next, suicide);
    let legal = if next == game.to_move() && !game.is_over() {
        game.legal_moves()
    } else {
        let mut open = game.clone();
        open.resume();
        open.set_to_move(next);
        open.legal_moves()
    };
    bans |= playable - legal;
    bans
}

/// Komi as the player to move sees it, with a draw as a part of a point.
fn own_komi(game: &Game, options: &InputOptions) -> f32 {
    let draw = match game.rules().ties {
        Ties::Draw => options.draw_value,
        Ties::Black => 0.0,
        Ties::White => 1.0,
    };
    let whole = game.komi().halves() % 2 == 0;
    let white = area_komi(game) + if whole { draw - 0.5 } else { 0.0 };
    match game.to_move() {
        Color::Black => -white,
        Color::White => white,
    }
}

/// All numbers but those of passed moves.
fn fill_globals(
    global: &mut [f32; GLOBALS],
    game: &Game,
    options: &InputOptions,
    komi: f32,
    tax: Tax,
    pass_ends_phase: bool,
) {
    let yes = |condition: bool| f32::from(u8::from(condition));
    let rules = game.rules();
    let area = game.size().area();
    let limit = area as f32 + KOMI_MARGIN;
    let komi = komi.clamp(-limit, limit);
    global[5] = komi / 20.0;
    [global[6], global[7]] = match rules.ko {
        Ko::Simple => [0.0, 0.0],
        Ko::Positional => [1.0, 0.5],
        Ko::Situational => [1.0, -0.5],
    };
    global[8] = yes(rules.suicide != Suicide::Forbidden);
    global[9] = yes(!is_area(game));
    global[10] = yes(tax != Tax::None);
    global[11] = yes(tax == Tax::All);
    global[14] = yes(pass_ends_phase);
    if options.playout_doubling_advantage != 0.0 {
        global[15] = 1.0;
        global[16] = 0.5 * options.playout_doubling_advantage;
    }
    if is_area(game) {
        global[18] = parity_wave(komi, area);
    }
}

/// A wave over komi with a period of two points that rises through 0 where a draw is possible.
///
/// Where area is counted, the results of most games have the parity of the board, so that only every other point of
/// komi matters.
fn parity_wave(komi: f32, area: usize) -> f32 {
    let odd = (area % 2) as f32;
    let phase = (komi - odd) - ((komi - odd) / 2.0).floor() * 2.0;
    if phase < 0.5 {
        phase
    } else if phase < 1.5 {
        1.0 - phase
    } else {
        phase - 2.0
    }
}

#[cfg(test)]
mod tests;
