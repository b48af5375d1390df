//! Situations of the local game.

use tengen_core::{Color, Setup};

use super::area::{ATTACKER, Area, DEFENDER, PASS, cells};
use crate::certificate::local::{Goal, LocalSituation, Places, Supply, Threats};

/// The stones of attacker and defender, whose turn it is, and what restricts the next move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Spot {
    pub(super) stones: [u128; 2],
    /// The cell where simple ko forbids the next stone, or [`PASS`].
    pub(super) ko: u8,
    /// Whose turn it is.
    pub(super) turn: u8,
    /// The ko threats of both, as the numbers of the file.
    pub(super) threats: [u8; 2],
}

/// What a situation is already worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Standing {
    /// No stone of the target is left.
    Captured,
    /// A stone of the target cannot be captured any more.
    Safe,
    /// Neither.
    Open,
}

impl Spot {
    /// The situation that a setup describes.
    pub(super) fn of(area: &Area, setup: &Setup, threats: Threats) -> Self {
        Self {
            stones: [ATTACKER, DEFENDER].map(|role| area.inside(&setup.stones[area.color(role)])),
            ko: setup.ko.map_or(PASS, |ko| area.cell_of(ko)),
            turn: area.role(setup.to_move) as u8,
            threats: [threats.attacker.code(), threats.defender.code()],
        }
    }

    /// The player to move: [`ATTACKER`] or [`DEFENDER`].
    pub(super) const fn mover(&self) -> usize {
        self.turn as usize
    }

    /// Has a cell no stone?
    pub(super) const fn is_empty(&self, cell: u8) -> bool {
        (self.stones[ATTACKER] | self.stones[DEFENDER]) >> cell & 1 == 0
    }

    /// The points without a stone.
    const fn empty(&self, area: &Area) -> u128 {
        area.mask & !(self.stones[ATTACKER] | self.stones[DEFENDER])
    }

    /// The moves in a game with this goal, and what comes of them.
    ///
    /// The attacker who passes gives up, unless a ko forbids a stone, or the defender has to make life anyway.
    pub(super) fn moves(&self, area: &Area, goal: Goal, mut visit: impl FnMut(u8, Self)) {
        for cell in cells(self.empty(area)) {
            if let Some(next) = self.play(area, cell) {
                visit(cell, next);
            }
        }
        if self.mover() == DEFENDER || self.ko != PASS || goal == Goal::Live {
            visit(PASS, self.pass());
        }
    }

    /// The situation after a pass.
    pub(super) const fn pass(&self) -> Self {
        Self {
            ko: PASS,
            turn: self.turn ^ 1,
            ..*self
        }
    }

    /// The situation after a stone, if it is legal, with a ko threat if it needs one.
    pub(super) fn play(&self, area: &Area, cell: u8) -> Option<Self> {
        let me = self.mover();
        let mut next = Self {
            ko: PASS,
            turn: self.turn ^ 1,
            ..*self
        };
        if cell == self.ko {
            let left = Supply::from_code(self.threats[me])?.spend()?;
            next.threats[me] = left.code();
        }
        let stone = 1 << cell;
        let beside = area.beside(stone);
        next.stones[me] |= stone;
        let empty = next.empty(area);
        let other = self.stones[me ^ 1];
        let mut captured = 0;
        for neighbor in cells(beside & other) {
            let chain = area.flood(1 << neighbor, other);
            if !has_liberty(area, chain, empty, me ^ 1) {
                captured |= chain;
            }
        }
        next.stones[me ^ 1] &= !captured;
        if captured == 0 {
            let chain = area.flood(stone, next.stones[me]);
            if !has_liberty(area, chain, empty, me) {
                return None;
            }
        } else if captured & (captured - 1) == 0
            && beside & !next.stones[me ^ 1] == captured
            && stone & area.anchors[me] == 0
        {
            // A single stone took a single stone and could be taken back at once.
            next.ko = captured.trailing_zeros() as u8;
        }
        Some(next)
    }

    /// What the situation is already worth.
    pub(super) fn standing(&self, area: &Area) -> Standing {
        if self.stones[DEFENDER] & area.target == 0 {
            Standing::Captured
        } else if self.safe(area) & area.target != 0 {
            Standing::Safe
        } else {
            Standing::Open
        }
    }

    /// The defender's stones that live even if the defender always passes: those connected to what is beyond the
    /// region, and those with two eyes by Benson's algorithm.
    fn safe(&self, area: &Area) -> u128 {
        let own = self.stones[DEFENDER];
        let empty = self.empty(area);
        let anchored = area.flood(own & area.anchors[DEFENDER], own);
        let mut alive = own & !anchored;
        let mut eyes: Vec<u128> = area
            .parts(area.mask & !own)
            .filter(|part| part & area.open == 0)
            .collect();
        loop {
            if eyes.len() < 2 {
                return anchored;
            }
            let mut lost = 0;
            for chain in area.parts(alive) {
                let liberties = area.beside(chain) & empty;
                let vital = eyes.iter().filter(|eye| *eye & empty & !liberties == 0);
                if vital.take(2).count() < 2 {
                    lost |= chain;
                }
            }
            if lost == 0 {
                return anchored | alive;
            }
            alive &= !lost;
            let beside = area.beside(lost);
            eyes.retain(|eye| eye & beside == 0);
        }
    }

    /// The liberties of the defender's chains in the target: what is left to be filled before they are captured.
    pub(super) fn target_liberties(&self, area: &Area) -> u32 {
        let own = self.stones[DEFENDER];
        let chains = area.flood(own & area.target, own);
        (area.beside(chains) & self.empty(area)).count_ones()
    }

    /// The situation as certificates have it.
    pub(super) fn situation(&self, area: &Area, places: &Places) -> LocalSituation {
        let bits = |color: Color| {
            let stones = self.stones[area.role(color)];
            (0..places.count()).fold(0, |bits, place| {
                let cell = area.cell_of(places.point(place));
                bits | ((stones >> cell & 1) as u64) << place
            })
        };
        let supply = |role: usize| {
            Supply::from_code(self.threats[role]).expect("threats are counted as the file does")
        };
        LocalSituation {
            stones: Color::BOTH.map(bits).into(),
            ko: match self.ko {
                PASS => None,
                cell => places.place(area.point_of(cell)),
            },
            threats: Threats {
                attacker: supply(ATTACKER),
                defender: supply(DEFENDER),
            },
        }
    }
}

/// Does a chain of a player have a liberty, in the region or beyond?
const fn has_liberty(area: &Area, chain: u128, empty: u128, role: usize) -> bool {
    chain & area.anchors[role] != 0 || area.beside(chain) & empty != 0
}
