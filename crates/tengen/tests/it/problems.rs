//! `tengen problems`, and the problems that the page has from it.

use std::collections::HashSet;
use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use tengen_core::{Color, Move, PointSet, Setup, Suicide};
use tengen_sgf::{Collection, Mode, Node, Replay};
use tengen_solver::local::{Problem, Solver, TargetStatus};
use tengen_solver::verify::{Proven, verify_any};

use crate::tengen::run;

/// Enough for every problem of the page, and not for much more.
const MEMORY: u64 = 24 << 20;

/// The problems of the page.
fn collection() -> Collection {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web/page/problems.sgf");
    let text = fs::read_to_string(path).expect("the page has problems");
    let read = Collection::parse(text, Mode::Strict).expect("they are SGF");
    assert_eq!(read.diagnostics.len(), 0, "{:?}", read.diagnostics);
    read.collection
}

fn setup(root: Node<'_>) -> Setup {
    let replay = Replay::start(root, Mode::Strict).expect("a problem has a position");
    replay.game().position()
}

fn points(root: Node<'_>, name: &str) -> PointSet {
    root.property(name)
        .map_or(PointSet::EMPTY, tengen_sgf::Property::points)
}

/// The first moves with a property.
fn marked(root: Node<'_>, name: &str) -> Vec<Move> {
    let children = root
        .children()
        .filter(|child| child.property(name).is_some());
    children
        .map(|child| {
            let point = child.value("B").and_then(tengen_sgf::Value::point);
            Move::Play(
                point
                    .and_then(tengen_sgf::SgfPoint::to_point)
                    .expect("Black plays"),
            )
        })
        .collect()
}

/// The checker accepts the certificate of what was proven about a problem with this player to move.
fn check(solver: &mut Solver, first: Color, verdict: &[TargetStatus], which: usize) {
    let answer = solver.answer(first);
    assert!(
        verdict.contains(&answer.verdict),
        "problem {which}: {answer:?}"
    );
    let (goal, threats) = *answer.proven.last().expect("something was proven");
    let writer = solver
        .certificate(goal, threats, first)
        .expect("it is proven")
        .expect("it can be claimed");
    let mut file = Vec::new();
    writer
        .finish(&mut file)
        .expect("it is written into the memory");
    let proven = verify_any(&file[..], &mut |_| ControlFlow::Continue(()));
    let Ok(Proven::Local(theorem)) = proven else {
        panic!("problem {which}: {proven:?}");
    };
    let claim = solver.problem().with_first(first).claim(goal, threats);
    assert_eq!(theorem.claim, claim, "problem {which}");
}

/// For each of them: the first move that the record calls right is the only one, and what it and every other move comes
/// to has a certificate that the checker accepts.
#[test]
fn every_problem_of_the_page_has_one_solution() {
    const SAFE: [TargetStatus; 3] = [
        TargetStatus::Lives,
        TargetStatus::Seki,
        TargetStatus::Stands,
    ];
    let collection = collection();
    let mut known = HashSet::new();
    let mut levels = HashSet::new();
    let mut count = 0;
    for root in collection.roots() {
        count += 1;
        let setup = setup(root);
        assert_eq!(setup.to_move, Color::Black);
        assert!(
            known.insert(setup.canonical().setup),
            "problem {count} is there twice"
        );
        levels.insert(root.value("DI").expect("a level").raw().to_owned());
        let (target, region) = (points(root, "TR"), points(root, "SL"));
        let problem = Problem::new(&setup, &region, &target).expect("it can be solved");
        assert_eq!(problem.region, region, "problem {count}");
        let attacks = problem.attacker() == Color::Black;
        let kind = root.value("GE").expect("a kind").raw();
        assert_eq!(attacks, kind == "capture", "problem {count}");
        let mut solver = Solver::new(problem, MEMORY);
        let right = marked(root, "TE");
        assert_eq!(
            solver.answer(Color::Black).moves,
            right,
            "problem {count}: {kind}"
        );
        assert_eq!(right.len(), 1);
        let (good, bad): (&[_], &[_]) = match attacks {
            true => (&[TargetStatus::Dies], &SAFE),
            false => (&SAFE[..1], &[TargetStatus::Dies]),
        };
        check(&mut solver, Color::Black, good, count);
        let wrong = marked(root, "BM");
        assert!(wrong.len() >= 2, "problem {count}");
        let empty = region - setup.stones.black - setup.stones.white;
        for point in empty {
            let action = Move::Play(point);
            let mut board = setup.board().expect("it stands");
            if board.play(point, Color::Black, Suicide::Forbidden).is_err() {
                continue;
            }
            if right.contains(&action) {
                continue;
            }
            assert!(wrong.contains(&action), "problem {count}: {action:?}");
            let after = Setup::of(&board, Color::White);
            let left = target & after.stones[problem.defender];
            match Problem::new(&after, &region, &left) {
                Ok(problem) => {
                    check(&mut Solver::new(problem, MEMORY), Color::White, bad, count);
                }
                // The target has got out at once, which is no solution for who attacks it.
                Err(tengen_solver::local::ProblemError::Safe(_)) => assert!(attacks),
                Err(error) => panic!("problem {count}: {error}"),
            }
        }
    }
    assert!(count >= 60, "{count}");
    assert_eq!(levels.len(), 5, "{levels:?}");
}

fn found(name: &str, words: &str) -> String {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let file = folder.join(name);
    let path = file.to_str().expect("UTF-8");
    let arguments = std::iter::once("problems")
        .chain(words.split_whitespace())
        .chain([path]);
    let said = run(arguments, "").out();
    assert!(said.contains(" all  "), "{said}");
    fs::read_to_string(&file).expect("they were written")
}

#[test]
fn the_same_seed_finds_the_same_problems() {
    let first = found("problems-1.sgf", "--seed 3 --each 1 --games 2");
    let again = found("problems-2.sgf", "--seed 3 --each 1 --games 2");
    assert_eq!(first, again);
    assert!(first.contains("GE[capture]"), "{first}");
    let other = found("problems-3.sgf", "--seed 4 --each 1 --games 2");
    assert_ne!(first, other);
}
