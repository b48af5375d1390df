//! Solutions of problems as game records.

use tengen_core::{Color, Move, Point, PointSet};
use tengen_sgf::{Collection, NodeId};
use tengen_solver::local::{Answer, Judgement, Problem, Solution, Solver, Step};

/// Adds a problem with its answers: variations with what works, and why the rest does not.
pub(super) fn add_solution(
    records: &mut Collection,
    solver: &mut Solver,
    answers: &[Answer],
    moves: usize,
) {
    let root = add_problem(records, solver.problem(), answers);
    for answer in answers {
        let solution = solver.solution(answer, moves);
        add_steps(records, root, &solution);
    }
}

fn add_problem(records: &mut Collection, problem: &Problem, answers: &[Answer]) -> NodeId {
    let setup = &problem.setup;
    let size = setup.size;
    let root = records.add_root();
    let application = concat!("tengen:", env!("CARGO_PKG_VERSION"));
    let board = match size.is_square() {
        true => size.width().to_string(),
        false => format!("{}:{}", size.width(), size.height()),
    };
    let mut set = |name: &str, value: &str| records.push_property(root, name, [value]);
    for (name, value) in [
        ("FF", "4"),
        ("GM", "1"),
        ("CA", "UTF-8"),
        ("AP", application),
    ] {
        set(name, value);
    }
    set("SZ", &board);
    set("PL", &setup.to_move.letter().to_string());
    let told: Vec<String> = answers
        .iter()
        .map(|answer| format!("{} first: {}", answer.first, answer.verdict))
        .collect();
    set("C", &told.join("\n"));
    for (name, points) in [
        ("AB", &setup.stones[Color::Black]),
        ("AW", &setup.stones[Color::White]),
        ("TR", &problem.target),
    ] {
        add_points(records, root, name, points);
    }
    root
}

fn add_points(records: &mut Collection, node: NodeId, name: &str, points: &PointSet) {
    if !points.is_empty() {
        records.push_property(node, name, points.iter().map(Point::to_sgf));
    }
}

fn add_steps(records: &mut Collection, root: NodeId, solution: &Solution) {
    let mut nodes = vec![root];
    // Children come after their parents, and in the order of the steps.
    for step in &solution.steps {
        nodes.extend(step.children.iter().map(|_| root));
    }
    for (at, step) in solution.steps.iter().enumerate() {
        for child in &step.children {
            let node = records.add_child(nodes[at]);
            nodes[*child] = node;
            describe(records, node, &solution.steps[*child]);
        }
    }
}

fn describe(records: &mut Collection, node: NodeId, step: &Step) {
    if let Some((color, action)) = step.action {
        let place = match action {
            Move::Pass => String::new(),
            Move::Play(point) => point.to_sgf(),
        };
        records.push_property(node, &color.letter().to_string(), [place]);
    }
    match step.judgement {
        Judgement::Right => records.push_property(node, "TE", ["1"]),
        Judgement::Wrong => records.push_property(node, "BM", ["1"]),
        Judgement::Reply => {}
    }
    let mut notes = Vec::new();
    if step.threat {
        // The record has no ko threat before it: the move is to be played all the same.
        records.push_property(node, "KO", [""]);
        notes.push("after a ko threat");
    }
    if step.again {
        notes.push("followed elsewhere");
    }
    if !notes.is_empty() {
        records.push_property(node, "C", [notes.join(", ")]);
    }
}
