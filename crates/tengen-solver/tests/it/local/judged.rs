//! Positions on the way to a solution, and what is replied there.

use tengen_core::{Color, Move, Point};
use tengen_solver::local::TargetStatus;

use super::{problem, solver};

const ROW: &str = ". . . O X ,
                   O O O O X ,
                   X X X X X ,
                   , , , , , ,";

fn at(x: u8) -> Move {
    Move::Play(Point::new(x, 0))
}

#[test]
fn the_shortest_way_is_played_and_the_longest_resistance() {
    let mut solver = solver(problem(ROW, Color::White).with_first(Color::Black));
    let judged = solver.judge(Color::Black);
    assert_eq!(judged.answer.verdict, TargetStatus::Dies);
    assert_eq!(judged.reply, Some(at(1)));
    assert!(!judged.decided);
    let whole = judged.length.unwrap();
    assert_eq!(whole % 2, 1, "the attacker has the last word: {whole}");
    // Along the line that is told, it gets shorter by a move each time.
    let mut line = Vec::new();
    let mut next = Color::Black;
    for left in (1..=whole).rev() {
        assert!(solver.advance_to(&line), "{line:?}");
        let judged = solver.judge(next);
        assert_eq!(judged.answer.verdict, TargetStatus::Dies);
        assert!(judged.length.unwrap() <= left, "{line:?}: {judged:?}");
        let Some(reply) = judged.reply else { break };
        line.push(reply);
        next = !next;
    }
    assert!(solver.advance_to(&line));
    let judged = solver.judge(next);
    assert!(judged.decided, "{line:?}");
    assert_eq!((judged.reply, judged.length), (None, Some(0)));
}

#[test]
fn a_wrong_move_is_refuted() {
    let mut solver = solver(problem(ROW, Color::White).with_first(Color::Black));
    assert!(solver.advance_to(&[at(0)]));
    let judged = solver.judge(Color::White);
    assert_eq!(judged.answer.verdict, TargetStatus::Lives);
    assert_eq!(judged.reply, Some(at(1)));
    assert!(solver.advance_to(&[at(0), at(1)]));
    assert!(solver.judge(Color::Black).decided);
    // What is about a position on the way has no certificate of its own.
    let (goal, threats) = judged.answer.proven[0];
    assert!(solver.certificate(goal, threats, Color::White).is_none());
}

#[test]
fn moves_that_cannot_be_made_change_nothing() {
    let mut solver = solver(problem(ROW, Color::White).with_first(Color::Black));
    assert!(solver.advance_to(&[at(1)]));
    let outside = Move::Play(Point::new(5, 3));
    let taken = Move::Play(Point::new(3, 0));
    for line in [
        vec![outside],
        vec![taken],
        vec![at(1), at(1)],
        vec![at(1), Move::Pass, outside],
    ] {
        assert!(!solver.advance_to(&line), "{line:?}");
    }
    assert_eq!(
        solver.judge(Color::White).answer.verdict,
        TargetStatus::Dies
    );
    assert!(solver.advance_to(&[Move::Pass, at(1)]));
    assert_eq!(
        solver.judge(Color::Black).answer.verdict,
        TargetStatus::Lives
    );
}
