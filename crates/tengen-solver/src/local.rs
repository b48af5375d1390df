//! Life and death in a part of a board: who captures stones or saves them, and what ko threats have to do with it.
//!
//! ```
//! use tengen_core::{Color, Setup};
//! use tengen_solver::local::{Problem, Solver, TargetStatus};
//!
//! // Three points in a row: whoever plays in the middle first decides.
//! let setup: Setup = "
//!     . . . O X .
//!     O O O O X .
//!     X X X X X .
//!     . . . . . .".parse()?;
//! let target = setup.stones.white;
//! let region = setup.size.points() - setup.stones.black;
//! let inside = (0..4).flat_map(|x| (0..2).map(move |y| tengen_core::Point::new(x, y)));
//! let problem = Problem::new(&setup, &(region & inside.collect()), &target)?;
//! let mut solver = Solver::new(problem, 1 << 26);
//! assert_eq!(solver.answer(Color::Black).verdict, TargetStatus::Dies);
//! assert_eq!(solver.answer(Color::White).verdict, TargetStatus::Lives);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod answer;
mod area;
mod graph;
mod judged;
mod problem;
mod solution;
mod spot;
mod wanted;

use tengen_core::{Color, Move, Stop};

pub use answer::{Answer, Outcome, SCENARIOS, TargetStatus};
pub use judged::Judged;
pub use problem::{Problem, ProblemError};
pub use solution::{Judgement, Solution, Step};
pub use wanted::Wanted;

use crate::certificate::local::{Goal, LocalClaimError, LocalEntry, LocalWriter, Supply, Threats};
use area::{Area, PASS};
use graph::{Budget, Graph, NODE_BYTES, State};
use spot::Spot;

/// Solves one problem, whoever moves first.
pub struct Solver {
    problem: Problem,
    /// The situations for each goal, in the order of [`Goal::ALL`].
    graphs: [Graph; 3],
    /// The moves that were made since the position of the problem.
    line: Vec<Move>,
    most_nodes: usize,
    stop: Stop,
}

/// What came of a search for a proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finding {
    /// There is one.
    Proven,
    /// There is none: every situation that matters was looked at.
    Impossible,
    /// The search was stopped, or the memory is full.
    Open,
}

/// Which of two proofs was found.
enum Race {
    Proven(Goal),
    /// Neither is possible.
    Impossible,
    Open,
}

/// How many situations are looked at for one of two goals before it is the other one's turn, at first.
const FIRST_SHARE: usize = 256;

impl Solver {
    /// A solver that takes about so many bytes of memory.
    pub fn new(problem: Problem, memory: u64) -> Self {
        let area = Area::new(&problem);
        let most_nodes = memory / NODE_BYTES;
        Self {
            problem,
            graphs: Goal::ALL.map(|goal| Graph::new(area.clone(), goal)),
            line: Vec::new(),
            most_nodes: usize::try_from(most_nodes)
                .unwrap_or(usize::MAX)
                .clamp(1 << 10, 1 << 30),
            stop: Stop::new(),
        }
    }

    /// Goes to the position after some moves, made in turn from the problem's player to move on; `false` if one of them
    /// is not legal in the local game: then nothing changes. What was found out stays known.
    #[must_use]
    pub fn advance_to(&mut self, line: &[Move]) -> bool {
        let before = std::mem::take(&mut self.line);
        let start = self.start(Threats::NONE, self.problem.setup.to_move);
        let after = |spot: Spot, action: &Move| self.follow_move(&spot, *action);
        let is_legal = line.iter().try_fold(start, after).is_some();
        self.line = match is_legal {
            true => line.to_vec(),
            false => before,
        };
        is_legal
    }

    /// The situation after a move.
    fn follow_move(&self, spot: &Spot, action: Move) -> Option<Spot> {
        let area = self.graphs[0].area();
        match action {
            Move::Pass => Some(spot.pass()),
            Move::Play(point) => {
                let is_free =
                    self.problem.region.contains(point) && spot.is_empty(area.cell_of(point));
                is_free.then(|| spot.play(area, area.cell_of(point)))?
            }
        }
    }

    /// The problem.
    pub const fn problem(&self) -> &Problem {
        &self.problem
    }

    /// A handle that stops the search.
    pub fn stop(&self) -> Stop {
        self.stop.clone()
    }

    /// How many situations were looked at or met.
    pub fn nodes(&self) -> u64 {
        self.graphs.iter().map(|graph| graph.len() as u64).sum()
    }

    /// Is the memory used up, so that nothing more is found out?
    pub fn is_full(&self) -> bool {
        self.nodes() as usize >= self.most_nodes
    }

    /// Is a goal reached when this player moves first? Looks until that is known.
    pub fn prove(&mut self, goal: Goal, threats: Threats, first: Color) -> Finding {
        let root = self.root(goal, threats, first);
        self.settle(goal, root)
    }

    /// Looks until it is known whether a goal is reached from a situation.
    fn settle(&mut self, goal: Goal, node: u32) -> Finding {
        while self.graph(goal).finding(node) == Finding::Open {
            if !self.look(goal, node, usize::MAX) {
                break;
            }
        }
        self.graph(goal).finding(node)
    }

    /// What becomes of the target in a situation: both players look for a proof, in turns.
    fn outcome(&mut self, spot: &Spot) -> Outcome {
        let tasks = [Goal::Capture, Goal::Stand].map(|goal| (goal, *spot));
        match self.first_proven(tasks, usize::MAX) {
            Race::Proven(Goal::Capture) => Outcome::Captured,
            Race::Proven(Goal::Stand | Goal::Live) => Outcome::Stands,
            Race::Impossible => Outcome::Repeats,
            Race::Open => Outcome::Open,
        }
    }

    /// Looks for proofs that exclude each other, in turns, at about so many situations for each.
    fn first_proven(&mut self, tasks: [(Goal, Spot); 2], most: usize) -> Race {
        let nodes = tasks.map(|(goal, spot)| (goal, self.graphs[index(goal)].node(&spot)));
        let mut share = FIRST_SHARE;
        let mut looked = 0;
        loop {
            let mut may_go_on = looked < most;
            for (goal, node) in nodes {
                may_go_on &= self.look(goal, node, share);
                if self.graph(goal).finding(node) == Finding::Proven {
                    return Race::Proven(goal);
                }
            }
            let found = nodes.map(|(goal, node)| self.graph(goal).finding(node));
            if found == [Finding::Impossible; 2] {
                return Race::Impossible;
            }
            if !may_go_on {
                return Race::Open;
            }
            looked += share;
            share = share.saturating_mul(2);
        }
    }

    /// Looks at so many situations, at most; `false` if there is no sense in going on.
    fn look(&mut self, goal: Goal, node: u32, most: usize) -> bool {
        let all = self.nodes() as usize;
        let graph = &mut self.graphs[index(goal)];
        let elsewhere = all - graph.len();
        let budget = Budget {
            most_nodes: self.most_nodes.saturating_sub(elsewhere),
            stop: &self.stop,
        };
        graph.search(node, most, &budget)
    }

    fn graph(&self, goal: Goal) -> &Graph {
        &self.graphs[index(goal)]
    }

    /// The situation with this player to move, behind the moves that were made.
    fn start(&self, threats: Threats, first: Color) -> Spot {
        let began = match self.line.len() % 2 {
            0 => first,
            _ => !first,
        };
        let setup = self.problem.with_first(began).setup;
        let start = Spot::of(self.graphs[0].area(), &setup, threats);
        let after = |spot: Spot, action: &Move| self.follow_move(&spot, *action);
        // The line is legal without ko threats, and so it is with any.
        self.line.iter().try_fold(start, after).unwrap_or(start)
    }

    /// The node in which a game begins.
    fn root(&mut self, goal: Goal, threats: Threats, first: Color) -> u32 {
        let spot = self.start(threats, first);
        self.graphs[index(goal)].node(&spot)
    }

    /// The certificate of what was proven, or `None` if it was not, or is about a position behind that of the problem.
    pub fn certificate(
        &mut self,
        goal: Goal,
        threats: Threats,
        first: Color,
    ) -> Option<Result<LocalWriter, LocalClaimError>> {
        let root = self.root(goal, threats, first);
        let graph = self.graph(goal);
        if graph.finding(root) != Finding::Proven || !self.line.is_empty() {
            return None;
        }
        let claim = self.problem.with_first(first).claim(goal, threats);
        Some(LocalWriter::new(claim).map(|mut writer| {
            let places = writer.places().clone();
            let mut met = vec![root];
            let mut seen = vec![false; graph.len()];
            while let Some(node) = met.pop() {
                if std::mem::replace(&mut seen[node as usize], true) {
                    continue;
                }
                if graph.spot(node).mover() != graph.prover() {
                    met.extend(graph.moves(node).map(|(_, child)| child));
                } else if let Some((action, child)) = graph.best(node) {
                    writer.add(&LocalEntry {
                        situation: graph.spot(node).situation(graph.area(), &places),
                        reply: match action {
                            PASS => None,
                            cell => places.place(graph.area().point_of(cell)),
                        },
                    });
                    met.push(child);
                }
            }
            writer
        }))
    }
}

impl Graph {
    fn finding(&self, node: u32) -> Finding {
        match self.state(node) {
            State::New | State::Expanded => Finding::Open,
            State::Proven => Finding::Proven,
            State::Disproven => Finding::Impossible,
        }
    }

    /// The move of a cell.
    fn action(&self, cell: u8) -> Move {
        match cell {
            PASS => Move::Pass,
            cell => Move::Play(self.area().point_of(cell)),
        }
    }
}

const fn index(goal: Goal) -> usize {
    match goal {
        Goal::Capture => 0,
        Goal::Stand => 1,
        Goal::Live => 2,
    }
}
