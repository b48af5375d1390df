//! The solution as a tree of moves: what works with all replies, and why the rest does not.

use std::collections::{HashSet, VecDeque};

use tengen_core::{Color, Move};

use super::area::PASS;
use super::{Answer, Finding, Goal, Solver, State, Threats};

/// A tree of moves. The first step stands for the position of the problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution {
    /// The steps; the children of each come after it.
    pub steps: Vec<Step>,
}

/// A move in a solution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// Who has moved, and how; nobody at the start.
    pub action: Option<(Color, Move)>,
    /// What there is to say about the move.
    pub judgement: Judgement,
    /// Was a ko threat needed for it?
    pub threat: bool,
    /// Is what follows shown where the same situation came up before?
    pub again: bool,
    /// The moves that follow.
    pub children: Vec<usize>,
}

/// What there is to say about a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Judgement {
    /// It belongs to the strategy of whoever reaches the goal.
    Right,
    /// It is a first move that does not reach what another one does.
    Wrong,
    /// It is one of the replies to the strategy.
    Reply,
}

/// A place in the tree that may still be followed.
struct OpenStep {
    step: usize,
    goal: Goal,
    node: u32,
    depth: usize,
}

impl Solver {
    /// The solution of a problem for an answer, up to so many moves.
    ///
    /// If the first player reaches something, it has all first moves that do, the strategy after each of them, and the
    /// other first moves with their refutation; if not, all first moves with the strategy of the other player.
    pub fn solution(&mut self, answer: &Answer, depth: usize) -> Solution {
        let mut solution = Solution {
            steps: vec![Step::start()],
        };
        let mut places = VecDeque::new();
        match answer.reached {
            Some((goal, threats)) => {
                self.add_first_moves(&mut solution, &mut places, answer, (goal, threats));
            }
            None => {
                if let Some((goal, threats)) = answer.proven.first().copied() {
                    let node = self.root(goal, threats, answer.first);
                    places.push_back(OpenStep {
                        step: 0,
                        goal,
                        node,
                        depth: 0,
                    });
                }
            }
        }
        self.follow(&mut solution, places, depth);
        solution
    }

    fn add_first_moves(
        &mut self,
        solution: &mut Solution,
        places: &mut VecDeque<OpenStep>,
        answer: &Answer,
        (goal, threats): (Goal, Threats),
    ) {
        let root = self.root(goal, threats, answer.first);
        let mut children: Vec<(u8, u32)> = self.graph(goal).moves(root).collect();
        let is_right = |solver: &Self, child| solver.graph(goal).state(child) == State::Proven;
        children.sort_by_key(|(_, child)| !is_right(self, *child));
        for (cell, node) in children {
            let action = self.graph(goal).action(cell);
            let threat = self.needs_threat(goal, root, cell);
            if is_right(self, node) {
                let step = solution.add(0, (answer.first, action), Judgement::Right, threat);
                places.push_back(OpenStep {
                    step,
                    goal,
                    node,
                    depth: 1,
                });
            } else if let Some((goal, node)) = self.refutation(goal, threats, answer.first, cell) {
                let step = solution.add(0, (answer.first, action), Judgement::Wrong, threat);
                places.push_back(OpenStep {
                    step,
                    goal,
                    node,
                    depth: 1,
                });
            }
        }
    }

    /// What the other player reaches after a first move, as far as the answer has found out.
    fn refutation(
        &mut self,
        goal: Goal,
        threats: Threats,
        first: Color,
        cell: u8,
    ) -> Option<(Goal, u32)> {
        let against = match goal {
            Goal::Capture => Goal::Stand,
            Goal::Stand | Goal::Live => Goal::Capture,
        };
        let spot = self.start(threats, first);
        let after = match cell {
            PASS => spot.pass(),
            cell => spot.play(self.graph(against).area(), cell)?,
        };
        let node = self.graphs[super::index(against)].node(&after);
        let is_proven = self.graph(against).finding(node) == Finding::Proven;
        is_proven.then_some((against, node))
    }

    /// Adds what follows, level by level, so that a situation is followed where it is nearest to the start.
    fn follow(&self, solution: &mut Solution, mut places: VecDeque<OpenStep>, depth: usize) {
        let mut followed: HashSet<(Goal, u32)> = HashSet::new();
        while let Some(place) = places.pop_front() {
            let graph = self.graph(place.goal);
            if graph.moves(place.node).next().is_none() || place.depth >= depth {
                continue;
            }
            if !followed.insert((place.goal, place.node)) {
                solution.steps[place.step].again = true;
                continue;
            }
            let mover = graph.spot(place.node).mover();
            let (moves, judgement) = if mover == graph.prover() {
                let best = graph.best(place.node).into_iter().collect();
                (best, Judgement::Right)
            } else {
                // A pass is shown last.
                (
                    graph.moves(place.node).collect::<Vec<_>>(),
                    Judgement::Reply,
                )
            };
            for (cell, node) in moves {
                let action = (graph.area().color(mover), graph.action(cell));
                let threat = self.needs_threat(place.goal, place.node, cell);
                let step = solution.add(place.step, action, judgement, threat);
                places.push_back(OpenStep {
                    step,
                    node,
                    depth: place.depth + 1,
                    ..place
                });
            }
        }
    }

    /// Does simple ko forbid the move, so that a ko threat is made before it?
    fn needs_threat(&self, goal: Goal, node: u32, cell: u8) -> bool {
        cell != PASS && self.graph(goal).spot(node).ko == cell
    }
}

impl Solution {
    fn add(
        &mut self,
        parent: usize,
        action: (Color, Move),
        judgement: Judgement,
        threat: bool,
    ) -> usize {
        let step = self.steps.len();
        self.steps[parent].children.push(step);
        self.steps.push(Step {
            action: Some(action),
            judgement,
            threat,
            ..Step::start()
        });
        step
    }
}

impl Step {
    const fn start() -> Self {
        Self {
            action: None,
            judgement: Judgement::Reply,
            threat: false,
            again: false,
            children: Vec::new(),
        }
    }
}
