//! The search under one ko rule, with the whole history.
//!
//! Depth-first with a zero window, deeper and deeper. Whoever wins a situation, the proof is remembered with the paths
//! on which it holds. That nothing was found is remembered, too, without regard to the path: it claims nothing.

use super::facts::{Fact, Facts, Gathered, Life, Link, Tried, Turned};
use super::marks::{MarkedSituation, Marks};
use crate::geometry::{FORMS, NO_MOVE, PASS, cells};
use crate::life;
use crate::position::Position;
use crate::search::Shared;

/// What came of a search.
#[derive(Clone, Copy, Debug)]
pub(super) enum Answer {
    /// By this fact.
    Fact(u8, Turned),
    /// By stones that are alive for certain.
    Life(u8, Life),
    /// By a pass that ends the game.
    Ended(u8),
    Unknown,
    Stopped,
}

impl Answer {
    /// Who wins, if that is known.
    pub(super) const fn winner(self) -> Option<u8> {
        match self {
            Self::Fact(winner, _) | Self::Life(winner, _) | Self::Ended(winner) => Some(winner),
            Self::Unknown | Self::Stopped => None,
        }
    }
}

/// How far a search goes.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Effort {
    /// How many moves ahead.
    pub(super) depth: u16,
    /// How many moves the prover tries in each situation. The other player always has all.
    pub(super) width: u16,
    /// The number of this iteration, and of the first one that is believed when it found nothing, on whatever path.
    pub(super) iteration: u32,
    pub(super) believed: u32,
}

/// Where a walk is.
#[derive(Clone, Copy)]
pub(super) struct Here {
    pub(super) prover: u8,
    pub(super) depth: u16,
    /// Situations that the solver has not counted yet.
    pub(super) uncounted: u64,
    /// The memory that facts take.
    pub(super) bytes: u64,
}

/// A walk through the tree of games.
pub(super) struct Walk<'a> {
    pub(super) shared: &'a Shared,
    pub(super) marks: &'a Marks,
    pub(super) facts: Facts,
    /// Does Black get this margin, or White less?
    pub(super) margin: i32,
    /// Who is thought to win, and tries few moves for that at first.
    pub(super) prover: u8,
    pub(super) effort: Effort,
    /// Bytes for facts.
    pub(super) memory: u64,
    /// The boards so far.
    pub(super) path: Vec<[u64; FORMS]>,
    /// How often a move decided.
    pub(super) scores: Box<[[u32; 64]; 2]>,
    pub(super) nodes: u64,
    /// How many of them the solver has counted.
    pub(super) counted: u64,
    /// Is told now and then where the walk is.
    pub(super) tell: &'a mut dyn FnMut(Here),
}

/// Why a move wins or loses, and the life that this rests on.
type Reason = (Link, Option<Life>);

/// A move, and what it leads to.
#[derive(Clone, Copy)]
struct Child {
    cell: u8,
    order: u64,
    position: Position,
    place: MarkedSituation,
    repeats: bool,
}

impl Walk<'_> {
    /// Who wins the situation at the end of the path?
    pub(super) fn search(&mut self, at: &Position, place: &MarkedSituation, depth: u16) -> Answer {
        self.nodes += 1;
        if self.nodes.is_multiple_of(1024) {
            let here = self.here();
            if self.shared.is_stopped(here.uncounted) || here.bytes > self.memory {
                return Answer::Stopped;
            }
            (self.tell)(here);
        }
        if let Some(answer) = self.leaf(at) {
            return answer;
        }
        if let Some(answer) = self.known(place) {
            return answer;
        }
        let Effort {
            width,
            iteration,
            believed,
            ..
        } = self.effort;
        let prover = usize::from(self.prover);
        let mut best = NO_MOVE;
        if let Some(slot) = self.facts.slots.get(&place.key) {
            let tried = slot.tried[prover];
            if tried.depth >= depth && tried.width >= width && tried.iteration >= believed {
                return Answer::Unknown;
            }
            if slot.best != 0 {
                best = self.marks.origin(place.form, slot.best - 1);
            }
        }
        if depth == 0 {
            return Answer::Unknown;
        }
        let is_prover = at.turn == self.prover;
        let mut children = self.children(at, best);
        // What is known already may decide.
        for child in &children {
            if !child.repeats
                && let Some(Answer::Fact(winner, turned)) = self.known_after(child)
                && winner == at.turn
            {
                return self.won(at, place, child, (Link::Fact(turned), None));
            }
        }
        children.sort_unstable_by_key(|child| std::cmp::Reverse(child.order));
        let mut links: Vec<(&Child, Reason)> = Vec::with_capacity(children.len());
        let mut unknown = false;
        let mut tried = 0;
        for child in &children {
            if child.repeats {
                // A proof that needs no repetition holds on more paths.
                let link = match self.known_after(child) {
                    Some(Answer::Fact(winner, turned)) if winner != at.turn => Link::Fact(turned),
                    _ => Link::Repeats,
                };
                links.push((child, (link, None)));
                continue;
            }
            if is_prover && tried >= width {
                unknown = true;
                break;
            }
            tried += 1;
            self.path.push(child.place.marks);
            let answer = self.search(&child.position, &child.place, depth - 1);
            self.path.pop();
            let (winner, link, life) = match answer {
                Answer::Stopped => return Answer::Stopped,
                Answer::Unknown => {
                    unknown = true;
                    if !is_prover {
                        // A move that is not refuted: the prover has not won, and that is what is asked.
                        break;
                    }
                    continue;
                }
                Answer::Fact(winner, turned) => (winner, Link::Fact(turned), None),
                Answer::Life(winner, life) => (winner, Link::Leaf, Some(life)),
                Answer::Ended(winner) => (winner, Link::Leaf, None),
            };
            if winner == at.turn {
                let score = &mut self.scores[usize::from(at.turn)][usize::from(child.cell)];
                *score = score.saturating_add(1 + u32::from(depth) * u32::from(depth));
                return self.won(at, place, child, (link, life));
            }
            links.push((child, (link, life)));
        }
        if unknown {
            let slot = self.facts.slots.entry(place.key).or_default();
            slot.tried[prover] = Tried {
                depth,
                width,
                iteration,
            };
            return Answer::Unknown;
        }
        self.lost(at, place, &links)
    }

    fn here(&self) -> Here {
        Here {
            prover: self.prover,
            depth: self.effort.depth,
            uncounted: self.nodes - self.counted,
            bytes: self.facts.bytes(),
        }
    }

    /// A fact about a situation that holds on the path.
    fn known(&self, place: &MarkedSituation) -> Option<Answer> {
        let number = self.facts.find(place, &self.path)?;
        let winner = self.facts.all[number as usize].winner;
        Some(Answer::Fact(winner, Turned::new(number, place.form)))
    }

    /// A fact about the situation after a move that holds on the path. A board that is there already makes no
    /// difference.
    fn known_after(&mut self, child: &Child) -> Option<Answer> {
        self.path.push(child.place.marks);
        let known = self.known(&child.place);
        self.path.pop();
        known
    }

    /// All moves that are no suicide.
    fn children(&self, at: &Position, best: u8) -> Vec<Child> {
        let geometry = &self.shared.geometry;
        let moves = at.moves(geometry);
        let scores = &self.scores[usize::from(at.turn)];
        let mut children = Vec::with_capacity(geometry.area + 1);
        for cell in cells(moves.legal) {
            let mut position = at.play(geometry, &moves, cell);
            // What simple ko forbids, superko does.
            position.ko = 0;
            let place = self.marks.place(&position);
            let takes = u64::from(moves.capturing >> cell & 1 != 0);
            children.push(Child {
                cell,
                order: u64::from(cell == best) << 41
                    | takes << 40
                    | u64::from(scores[usize::from(cell)]) << 8,
                position,
                repeats: self.path.iter().any(|marks| marks[0] == place.marks[0]),
                place,
            });
        }
        if !at.passed {
            let position = at.pass();
            children.push(Child {
                cell: PASS,
                order: u64::from(best == PASS) << 41,
                place: self.marks.place(&position),
                position,
                repeats: false,
            });
        }
        children
    }

    /// The player to move wins by this move.
    fn won(&mut self, at: &Position, place: &MarkedSituation, child: &Child, by: Reason) -> Answer {
        let mut gathered = Gathered::default();
        let link = self.gather(&mut gathered, place, by);
        if child.cell != PASS {
            gathered.absent.push(child.place.marks[place.form]);
        }
        let action = self.marks.image(place.form, child.cell);
        self.remember(place, (at.turn, action), gathered, vec![link])
    }

    /// The player to move loses, whatever the move.
    fn lost(
        &mut self,
        at: &Position,
        place: &MarkedSituation,
        moves: &[(&Child, Reason)],
    ) -> Answer {
        let mut gathered = Gathered::default();
        let mut links = Vec::with_capacity(moves.len());
        for (child, by) in moves {
            let link = self.gather(&mut gathered, place, *by);
            if link == Link::Repeats {
                gathered.present.push(child.place.marks[place.form]);
            }
            links.push((self.marks.image(place.form, child.cell), link));
        }
        links.sort_unstable_by_key(|(point, _)| *point);
        let links = links.into_iter().map(|(_, link)| link).collect();
        self.remember(place, (at.turn ^ 1, NO_MOVE), gathered, links)
    }

    /// Adds what a move needs, and returns the link as it is seen from the situation that stands for the class.
    fn gather(
        &self,
        gathered: &mut Gathered,
        place: &MarkedSituation,
        (link, life): Reason,
    ) -> Link {
        if let Some(life) = life {
            gathered.life.push(life.turned(self.marks, place.form));
        }
        let Link::Fact(turned) = link else {
            return link;
        };
        let symmetry = self.marks.between(turned.symmetry(), place.form);
        let fact = &self.facts.all[turned.fact() as usize];
        gathered.add(self.marks, &fact.conditions, symmetry);
        Link::Fact(Turned::new(turned.fact(), symmetry))
    }

    fn remember(
        &mut self,
        place: &MarkedSituation,
        (winner, action): (u8, u8),
        gathered: Gathered,
        links: Vec<Link>,
    ) -> Answer {
        let fact = Fact {
            key: place.key,
            winner,
            action,
            conditions: gathered.finish(place.marks[place.form]),
            links: links.into(),
        };
        let number = self.facts.add(fact);
        Answer::Fact(winner, Turned::new(number, place.form))
    }

    /// What follows at once from the stones on the board.
    fn leaf(&self, at: &Position) -> Option<Answer> {
        let geometry = &self.shared.geometry;
        let area = geometry.area as i32;
        let ends_for = |at: &Position| u8::from(at.margin(geometry) < self.margin);
        if at.passed && ends_for(at) == at.turn {
            return Some(Answer::Ended(at.turn));
        }
        for winner in [0_u8, 1] {
            let me = usize::from(winner);
            // What Black needs to get the margin, or White to keep Black from it.
            let threshold = if winner == 0 {
                self.margin
            } else {
                1 - self.margin
            };
            let needed = (threshold + area + 1).div_euclid(2);
            if needed <= 0 {
                return Some(Answer::Ended(winner));
            }
            let [own, enemy] = [at.stones[me], at.stones[me ^ 1]];
            let owner_moves = at.turn == winner;
            let owned = life::sure(geometry, own, enemy, owner_moves, needed as u32);
            if owned.points == 0 || at.passed && !owner_moves && ends_for(at) != winner {
                continue;
            }
            let life = Life {
                alive: self.marks.points(0, owned.alive),
                territory: self.marks.points(0, owned.territory),
            };
            if self.path.iter().all(|marks| life.allows(winner, marks[0])) {
                return Some(Answer::Life(winner, life));
            }
        }
        None
    }
}
