//! What comes of a position and of each of its moves, found out in portions.

use std::collections::HashMap;
use std::fmt;

use tengen_core::{Color, Ko, Move};

use crate::geometry::{PASS, cells};
use crate::interval::{Enclosure, Interval};
use crate::narrowing::{Instincts, Narrowing};
use crate::solver::{BoundStatus, Solver};
use crate::verify::KoRule;

/// Situations that an iteration may look at before others get a turn. One that needs more gets twice as many the next
/// time, so that the work of all its tries is at most a few times that of the last.
const FIRST_PORTION: u64 = 1 << 13;

/// The most that it gets, about a second: others wait meanwhile.
const LONGEST: u64 = 1 << 19;

/// The most that a search with history gets, which is as long. What needs more is not found here.
const LONGEST_WITH_HISTORY: u64 = 1 << 17;

/// Values that took more are not put to the checker, since it would take too long to write the proof down.
const CHECKED: u64 = 1 << 18;

/// A search with history and the checker cost about so much more than a search for bounds that looks at as many
/// situations.
const DEAR: u64 = 4;

/// What is known about a position.
#[derive(Clone, Debug, PartialEq)]
pub struct Values {
    /// What both players force.
    pub interval: Interval,
    /// Is it also proven that neither player forces more? If it is open then, repetitions decide.
    pub is_complete: bool,
    /// The same for each move, row by row from the top, a pass at the end.
    pub moves: Vec<MoveValue>,
    /// The bounds under one superko rule, if it was asked for and its search came to an end soon. They are those of a
    /// game that begins with the position.
    pub ruled: Option<(Ko, Interval)>,
    /// The ko rules that the checker grants to the value, if there is one and it was asked, as it is where that takes a
    /// moment.
    pub granted: Option<Vec<KoRule>>,
    /// Is there nothing left to find out?
    pub is_finished: bool,
    /// Situations looked at.
    pub nodes: u64,
}

/// What is known about a move: Black's margin after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveValue {
    /// The move.
    pub action: Move,
    /// What both players force after it.
    pub interval: Interval,
    /// Is it also proven that neither player forces more?
    pub is_complete: bool,
}

impl Values {
    /// Is this move, for all that is known, the best for a player? First counts what is sure, then what may be.
    pub fn is_best(&self, value: &MoveValue, mover: Color) -> bool {
        let worth = |value: &MoveValue| match mover {
            Color::Black => (value.interval.lower, value.interval.upper),
            Color::White => (-value.interval.upper, -value.interval.lower),
        };
        self.moves.iter().all(|other| worth(other) <= worth(value))
    }

    /// Takes over what was found out about the same position before, with less effort or more.
    pub fn learn(&mut self, before: &Self) {
        let meet = |interval: &mut Interval, other: Interval| {
            for color in Color::BOTH {
                interval.learn(other.bound(color));
            }
        };
        meet(&mut self.interval, before.interval);
        self.is_complete |= before.is_complete || self.interval.value().is_some();
        for value in &mut self.moves {
            let known = before
                .moves
                .iter()
                .find(|known| known.action == value.action);
            if let Some(known) = known {
                meet(&mut value.interval, known.interval);
                value.is_complete |= known.is_complete || value.interval.value().is_some();
            }
        }
        self.is_finished |= before.is_finished;
        self.ruled = self.ruled.or(before.ruled);
        if self.granted.is_none() {
            self.granted.clone_from(&before.granted);
        }
    }
}

/// Finds out what comes of a position and of each of its moves, in portions of a size that the caller likes. No threads
/// are started and no clock is read: effort is counted in situations, so that the same comes out on every machine.
///
/// ```
/// use tengen_core::{Setup, Size};
/// use tengen_solver::{Options, Solver, Survey};
/// let solver = Solver::new(&Setup::empty(Size::square(3)?), Options::default())?;
/// let mut survey = Survey::new(solver, None, 200_000);
/// while !survey.is_done() {
///     survey.go_on(10_000);
/// }
/// let values = survey.values();
/// assert!(values.is_complete);
/// assert_eq!(values.interval.value(), Some(9));
/// let centre = values.moves.iter().find(|value| value.interval.value() == Some(9)).unwrap();
/// assert_eq!(centre.action.to_gtp(survey.size()), "B2");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Survey {
    solver: Solver,
    root: Study,
    /// The situations after moves, each class of symmetric ones once.
    children: Vec<Study>,
    moves: Vec<(Move, After)>,
    instincts: Instincts,
    ko: Option<Ko>,
    ruled: Option<(Ko, Interval)>,
    granted: Option<Vec<KoRule>>,
    /// Was the checker asked, even if it was given up?
    is_checked: bool,
    /// What the search with history was given last.
    allowance: u64,
    budget: u64,
    /// Effort that is not in the solver's count.
    extra: u64,
}

/// What a move leads to.
#[derive(Clone, Copy)]
enum After {
    /// One of the children.
    Child(usize),
    /// The end of the game.
    End(Enclosure),
}

/// A situation that is looked at.
struct Study {
    narrowing: Narrowing,
    nodes: u64,
    patience: u64,
    /// Was it stopped because another one has the memory that it needs?
    waits: bool,
}

impl Study {
    fn new(narrowing: Narrowing) -> Self {
        Self {
            narrowing,
            nodes: 0,
            patience: FIRST_PORTION,
            waits: false,
        }
    }

    fn is_open(&self) -> bool {
        !self.narrowing.is_ended() && !self.waits
    }
}

impl Survey {
    /// A survey of the solver's position that looks at about so many situations. Where repetitions decide, the bounds
    /// under this superko rule are searched, too.
    pub fn new(solver: Solver, ko: Option<Ko>, budget: u64) -> Self {
        let root = solver.root;
        let geometry = &solver.shared.geometry;
        let unknown = Enclosure::of(Interval::of_area(geometry.area));
        let mut children = Vec::new();
        let mut by_key: HashMap<u64, usize> = HashMap::new();
        let mut moves = Vec::new();
        for cell in cells(root.moves(geometry).legal).chain([PASS]) {
            let after = if cell == PASS && root.passed {
                After::End(Enclosure::ended(root.margin(geometry)))
            } else {
                let at = root.after(geometry, cell);
                let number = *by_key
                    .entry(solver.shared.key(&at).number)
                    .or_insert_with(|| {
                        children.push(Study::new(Narrowing::new(at, unknown)));
                        children.len() - 1
                    });
                After::Child(number)
            };
            moves.push((geometry.move_of(cell), after));
        }
        moves.sort_by_key(|(action, _)| match action {
            Move::Play(point) => (0, point.y(), point.x()),
            Move::Pass => (1, 0, 0),
        });
        let known = *solver.known();
        Self {
            root: Study::new(Narrowing::new(root, known)),
            children,
            moves,
            instincts: [None, None],
            ko: ko.filter(|ko| *ko != Ko::Simple),
            ruled: None,
            granted: None,
            is_checked: false,
            allowance: FIRST_PORTION / 2,
            budget,
            extra: 0,
            solver,
        }
    }

    /// The size of the board.
    pub const fn size(&self) -> tengen_core::Size {
        self.solver.setup().size
    }

    /// Is there nothing left to find out, or no effort left for it?
    pub fn is_done(&self) -> bool {
        self.spent() >= self.budget || self.next().is_none()
    }

    fn spent(&self) -> u64 {
        self.solver.nodes() + self.extra
    }

    /// Looks at about so many situations more; it may be several times as many where less would lead nowhere.
    pub fn go_on(&mut self, nodes: u64) {
        let end = self.spent().saturating_add(nodes).min(self.budget);
        while self.spent() < end
            && let Some(next) = self.next()
        {
            let left = self.budget - self.spent();
            match next {
                Next::Narrow(number) => self.narrow(number, left),
                Next::History(ko) => self.search_history(ko, left),
                Next::Check => self.check(left),
            }
        }
        self.solver.limit(u64::MAX);
    }

    /// What is to be done next. The position itself, its moves and what comes after its value take turns, and so do
    /// moves: the one with the fewest nodes so far goes on.
    fn next(&self) -> Option<Next> {
        let open = (0..).zip(&self.children);
        let open = open.filter(|(_, child)| child.is_open());
        let child = open.min_by_key(|(_, child)| child.nodes);
        let child = child.map(|(number, _)| number);
        let for_children: u64 = self.children.iter().map(|child| child.nodes).sum();
        let is_ahead = child.is_none() || self.root.nodes <= for_children;
        if self.root.is_open() && is_ahead {
            return Some(Next::Narrow(None));
        }
        // Both take as much memory as a graph does.
        if is_ahead
            && !self.has_graph()
            && (child.is_none() || self.extra <= for_children)
            && let Some(next) = self.afterwards()
        {
            return Some(next);
        }
        child.map(|number| Next::Narrow(Some(number)))
    }

    /// Does anybody keep the graph of a retrograde analysis? There is memory for one at a time.
    fn has_graph(&self) -> bool {
        let mut studies = self.children.iter().chain([&self.root]);
        studies.any(|study| study.narrowing.has_graph())
    }

    /// What is to be done when the search for bounds of the position has ended.
    fn afterwards(&self) -> Option<Next> {
        if !self.root.narrowing.is_ended() {
            return None;
        }
        match (self.root.narrowing.known().proven.value(), self.ko) {
            (Some(_), _) => {
                let is_due = !self.is_checked && self.root.nodes <= CHECKED;
                is_due.then_some(Next::Check)
            }
            (None, Some(ko)) => {
                let is_due = self.ruled.is_none() && self.allowance < LONGEST_WITH_HISTORY;
                is_due.then_some(Next::History(ko))
            }
            (None, None) => None,
        }
    }

    /// An iteration for a child, or for the position itself.
    fn narrow(&mut self, number: Option<usize>, left: u64) {
        let others_have_graph = self.has_graph();
        let study = match number {
            Some(number) => &mut self.children[number],
            None => &mut self.root,
        };
        let may_begin = !others_have_graph || study.narrowing.has_graph();
        self.solver.may_begin_graph = may_begin;
        let before = self.solver.nodes();
        self.solver.limit(study.patience.min(left));
        let verdict = study
            .narrowing
            .step_with(&mut self.solver, &mut self.instincts);
        // Who finds everything in the table has done some work as well.
        let nodes = (self.solver.nodes() - before).max(1);
        study.nodes += nodes;
        if verdict == Some(BoundStatus::Stopped) {
            study.patience = (2 * study.patience).min(LONGEST);
            study.waits = !may_begin && study.narrowing.wants_graph();
        }
        self.solver.may_begin_graph = true;
        self.share();
        if !self.has_graph() {
            for study in self.children.iter_mut().chain([&mut self.root]) {
                study.waits = false;
            }
        }
    }

    /// What was proven about the position says something about moves, and the other way round.
    fn share(&mut self) {
        let mover = self.solver.root.mover();
        let area = self.solver.shared.geometry.area;
        let known = self.root.narrowing.known().for_moves_of(mover, area);
        for child in &mut self.children {
            child.narrowing.learn(known);
        }
        let known = self.moves.iter().map(|(_, after)| self.after(*after));
        if let Some(best) = known.reduce(|best, other| best.best_for(mover, other)) {
            self.root.narrowing.learn(best);
            // A position is worth what its best move is, and nothing more can be found out about any.
            if self.children.iter().all(|child| child.narrowing.is_ended()) {
                self.root.narrowing.settle();
            }
            self.solver.learn(*self.root.narrowing.known());
        }
    }

    /// What is known about the situation after a move.
    fn after(&self, after: After) -> Enclosure {
        match after {
            After::Child(number) => *self.children[number].narrowing.known(),
            After::End(known) => known,
        }
    }

    /// The bounds under one ko rule. The search begins anew each time, with twice the effort.
    fn search_history(&mut self, ko: Ko, left: u64) {
        self.allowance *= 2;
        let given = self.allowance.min(left / DEAR + 1);
        self.solver.limit(given);
        let before = self.solver.nodes();
        let interval = self.solver.solve_with_history(ko);
        let is_stopped = self.solver.shared.is_stopped(0);
        self.spend(before, given);
        if !is_stopped {
            self.ruled = Some((ko, interval));
        }
    }

    /// The ko rules that the checker grants the value. The strategy may need more searches, and is given up if they are
    /// too many.
    fn check(&mut self, left: u64) {
        let given = (self.root.nodes / DEAR)
            .max(FIRST_PORTION)
            .min(left / DEAR + 1);
        self.solver.limit(given);
        let before = self.solver.nodes();
        let interval = self.solver.interval();
        let [lower, upper] = Color::BOTH.map(|color| self.solver.confirmed(interval.bound(color)));
        let both = lower.into_iter().filter(|rule| upper.contains(rule));
        let is_stopped = self.solver.shared.is_stopped(0);
        self.granted = (!is_stopped).then(|| both.collect());
        self.is_checked = true;
        self.spend(before, 0);
    }

    /// Counts effort of the dear kind, this much at least.
    fn spend(&mut self, before: u64, least: u64) {
        let nodes = (self.solver.nodes() - before).max(least).max(1);
        self.extra += DEAR * nodes - (self.solver.nodes() - before);
    }

    /// What is known so far.
    pub fn values(&self) -> Values {
        let value = |(action, after): &(Move, After)| {
            let known = self.after(*after);
            MoveValue {
                action: *action,
                interval: known.proven,
                is_complete: known.is_exact(),
            }
        };
        Values {
            interval: self.root.narrowing.known().proven,
            is_complete: self.root.narrowing.known().is_exact(),
            moves: self.moves.iter().map(value).collect(),
            ruled: self.ruled,
            granted: self.granted.clone(),
            is_finished: self.next().is_none(),
            nodes: self.solver.nodes(),
        }
    }
}

/// What a survey does next.
enum Next {
    /// An iteration for a child, or for the position itself.
    Narrow(Option<usize>),
    /// The search under one ko rule.
    History(Ko),
    /// The question to the checker.
    Check,
}

impl fmt::Debug for Survey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Survey")
            .field("values", &self.values())
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solver::Options;

    /// The most graphs that were there at a time, and how many were begun in all.
    fn graphs(board: &str) -> (usize, usize) {
        let setup = board.replace('/', "\n").parse().unwrap();
        let options = Options {
            memory: 1 << 20,
            ..Options::default()
        };
        let mut survey = Survey::new(Solver::new(&setup, options).unwrap(), None, 1_000_000);
        let (mut most, mut begun, mut before) = (0, 0, 0);
        while !survey.is_done() {
            survey.go_on(1);
            let studies = survey.children.iter().chain([&survey.root]);
            let now = studies.filter(|study| study.narrowing.has_graph()).count();
            begun += now.saturating_sub(before);
            most = most.max(now);
            before = now;
        }
        (most, begun)
    }

    #[test]
    fn there_is_memory_for_one_graph_at_a_time() {
        // Repetitions decide, so that several moves are left to retrograde analysis.
        for board in ["..../.XO./....", ".O../.X../...."] {
            let (most, begun) = graphs(board);
            assert!(begun > 1, "{board}: only {begun} graphs were begun");
            assert_eq!(most, 1, "{board}");
        }
    }
}
