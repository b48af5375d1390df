//! The checker, on proofs made in the simplest way and on proofs spoiled in every way.

mod bound;
mod refused;
mod repetition;

use std::ops::ControlFlow;

use tengen_core::{Color, Setup};
use tengen_solver::Bound;
use tengen_solver::certificate::Claim;
use tengen_solver::verify::{Flaw, Refusal, Stage, Theorem};

use crate::proofs::{KNOWN, Tree, empty, file};

pub(crate) fn check(file: &[u8]) -> Result<Theorem, Refusal> {
    tengen_solver::verify::verify(file, &mut |_| ControlFlow::Continue(()))
}

/// A proof of the best that a player can force.
fn best(start: Setup, prover: Color) -> Vec<u8> {
    let tree = Tree::new(&[start], false);
    let (claim, entries) = tree.proof(prover, tree.value(prover)).unwrap();
    file(claim, &entries)
}

#[test]
fn small_boards_have_the_values_that_are_known() {
    for (size, lowest, highest) in KNOWN {
        for (prover, relation, margin) in
            [(Color::Black, ">=", lowest), (Color::White, "<=", highest)]
        {
            let theorem = check(&best(empty(size), prover)).unwrap();
            let claim = format!("black {relation} {margin} on {size}, black to move");
            assert_eq!(theorem.to_string(), claim);
            assert_eq!(theorem.ko_rules.granted().count(), 3, "{claim}");
            assert!(theorem.replies >= theorem.nodes / 2, "{theorem:?}");
        }
    }
}

#[test]
fn starts_other_than_the_empty_board_can_be_claimed() {
    let ko: Setup = ". X O .\nX O . O\nBlack to move\nko: C1".parse().unwrap();
    let pass: Setup = "X . .\n. . O\nWhite to move".parse().unwrap();
    for (start, passed, sentence) in [
        (
            ko,
            false,
            "black >= {} on 4x2 from .XO./XO.O, black to move, ko at C1",
        ),
        (
            pass,
            true,
            "black >= {} on 3x2 from X../..O, white to move, after a pass",
        ),
    ] {
        let tree = Tree::new(&[start], passed);
        let value = tree.value(Color::Black);
        let (claim, entries) = tree.proof(Color::Black, value).unwrap();
        let theorem = check(&file(claim, &entries)).unwrap();
        assert_eq!(
            theorem.to_string(),
            sentence.replace("{}", &value.to_string())
        );
        assert_eq!(theorem.claim, claim);
    }
}

/// A row of living stones needs no strategy, unless the opponent can end the game at once.
#[test]
fn stones_that_live_need_no_entries() {
    let claim =
        |text: &str, margin| Claim::new(text.parse().unwrap(), Bound::new(Color::Black, margin));
    let nothing = |claim| check(&file(claim, &[]));
    let theorem = nothing(claim(". X . X .\n. X . X .", 10)).unwrap();
    assert_eq!((theorem.nodes, theorem.replies), (0, 0));
    assert_eq!(theorem.ko_rules.granted().count(), 3);
    let white_begins = claim(". X . X .\n. X . X .\nWhite to move", 10);
    assert_eq!(nothing(white_begins).unwrap().nodes, 0);

    // With a dead stone inside, White's pass would end the game before it is taken.
    let inside = claim(". X O X .\n. X . X .\nWhite to move", 10);
    assert!(nothing(inside).is_ok());
    let at_once = Claim {
        passed: true,
        ..inside
    };
    assert!(matches!(nothing(at_once).unwrap_err().flaw, Flaw::Score(7)));
}

#[test]
fn a_check_can_be_watched_and_stopped() {
    let proof = best(empty("2x4"), Color::Black);
    let mut stages = Vec::new();
    let theorem = tengen_solver::verify::verify(proof.as_slice(), &mut |progress| {
        assert!(progress.done <= progress.all);
        stages.push(progress.stage);
        ControlFlow::Continue(())
    });
    assert!(theorem.is_ok());
    assert_eq!(stages.first(), Some(&Stage::Reading));
    assert_eq!(stages.last(), Some(&Stage::KoRules));
    let stopped = tengen_solver::verify::verify(proof.as_slice(), &mut |_| ControlFlow::Break(()));
    assert!(matches!(stopped.unwrap_err().flaw, Flaw::Stopped));
}
