//! A problem as a record: its solution, and why other first moves are wrong.

use tengen_core::{Color, Move, Point, PointSet};
use tengen_sgf::{Collection, NodeId};
use tengen_solver::local::Solver;

use super::exercise::{Exercise, LEVELS, MEMORY, empty_points, stones_after};

/// How many replies are shown after the first right move, the second one and so on.
const REPLIES: [usize; 4] = [3, 2, 2, 1];

/// No line is followed further than this many moves.
const LONGEST: usize = 15;

/// Adds a problem.
pub(super) fn add(records: &mut Collection, number: usize, exercise: &Exercise) {
    let problem = &exercise.problem;
    let setup = &problem.setup;
    let root = records.add_root();
    let side = setup.size.width().to_string();
    let name = number.to_string();
    for (property, value) in [
        ("FF", "4"),
        ("GM", "1"),
        ("SZ", &side),
        ("GN", &name),
        ("GE", exercise.kind.name()),
        ("DI", LEVELS[exercise.level()].1),
        ("PL", "B"),
        ("C", exercise.kind.task()),
    ] {
        records.push_property(root, property, [value]);
    }
    for (property, points) in [
        ("AB", &setup.stones[Color::Black]),
        ("AW", &setup.stones[Color::White]),
        ("TR", &problem.target),
        ("SL", &problem.region),
    ] {
        add_points(records, root, property, points);
    }
    let mut sheet = Sheet {
        records,
        solver: Solver::new(*problem, MEMORY),
        first: setup.to_move,
    };
    let right = sheet.add_right(root, &[]);
    for point in empty_points(problem) {
        let action = Move::Play(point);
        if Some(action) != right && sheet.solver.advance_to(&[action]) {
            sheet.add_wrong(root, action);
        }
    }
}

/// The most letters of a line.
const WIDEST: usize = 118;

/// A text of problems in lines that are not too long. It breaks behind values, where SGF allows it; the problems
/// themselves have no brackets in their values.
pub(super) fn wrapped(text: &str) -> String {
    let mut lines = String::new();
    let mut width = 0;
    for part in text
        .lines()
        .flat_map(|line| line.split_inclusive(']').chain(["\n"]))
    {
        if part == "\n" || width > 0 && width + part.len() > WIDEST {
            lines.push('\n');
            width = 0;
        }
        let part = part.trim_end_matches('\n');
        lines.push_str(part);
        width += part.len();
    }
    lines
}

fn add_points(records: &mut Collection, node: NodeId, name: &str, points: &PointSet) {
    if !points.is_empty() {
        records.push_property(node, name, points.iter().map(Point::to_sgf));
    }
}

/// A record that is being written.
struct Sheet<'a> {
    records: &'a mut Collection,
    solver: Solver,
    /// Who is to solve the problem.
    first: Color,
}

impl Sheet<'_> {
    fn add_move(&mut self, parent: NodeId, color: Color, action: Move) -> NodeId {
        let node = self.records.add_child(parent);
        self.records
            .push_property(node, &color.letter().to_string(), [action.to_sgf()]);
        node
    }

    /// Adds the move that goes on with the solution after a line, and the replies to it.
    fn add_right(&mut self, parent: NodeId, line: &[Move]) -> Option<Move> {
        if line.len() >= LONGEST || !self.solver.advance_to(line) {
            return None;
        }
        let action = self.solver.judge(self.first).reply?;
        let node = self.add_move(parent, self.first, action);
        self.records.push_property(node, "TE", ["1"]);
        let line = [line, &[action]].concat();
        for reply in self.replies(&line) {
            let answered = self.add_move(node, !self.first, reply);
            self.add_right(answered, &[&line[..], &[reply]].concat());
        }
        Some(action)
    }

    /// The replies that hold out longest, if anything is left to be played.
    fn replies(&mut self, line: &[Move]) -> Vec<Move> {
        if !self.solver.advance_to(line) || self.solver.judge(!self.first).decided {
            return Vec::new();
        }
        let mut replies: Vec<(u32, Move)> = Vec::new();
        for point in stones_after(&mut self.solver, line) {
            let action = Move::Play(point);
            let longer = [line, &[action]].concat();
            if self.solver.advance_to(&longer) {
                let judged = self.solver.judge(self.first);
                if !judged.decided {
                    replies.push((judged.length.unwrap_or(0), action));
                }
            }
        }
        replies.sort_by_key(|(length, _)| std::cmp::Reverse(*length));
        let shown = REPLIES[(line.len() / 2).min(REPLIES.len() - 1)];
        replies.truncate(shown);
        replies.into_iter().map(|(_, action)| action).collect()
    }

    /// Adds a first move that fails, and the answer to it.
    fn add_wrong(&mut self, root: NodeId, action: Move) {
        let answer = self.solver.judge(!self.first).reply;
        let node = self.add_move(root, self.first, action);
        self.records.push_property(node, "BM", ["1"]);
        if let Some(answer @ Move::Play(_)) = answer {
            self.add_move(node, !self.first, answer);
        }
    }
}
