//! Bounds that are proven in portions, and walks through their proofs.

use std::ops::ControlFlow;

use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use tengen_core::{Board, Color, Move, Settlement, Setup, Size, Stop, Suicide};
use tengen_solver::verify::{KoRule, Proof, ProofStep};
use tengen_solver::{Bound, NoProof, Options, Proving, Solver};

fn proving(board: &str, bound: Bound, budget: u64) -> Proving {
    let setup = match board.parse::<Size>() {
        Ok(size) => Setup::empty(size),
        Err(_) => board.replace('/', "\n").parse().unwrap(),
    };
    let options = Options {
        memory: 1 << 24,
        ..Options::default()
    };
    Proving::new(Solver::new(&setup, options).unwrap(), bound, budget)
}

fn ended(mut proving: Proving) -> Result<Proof, NoProof> {
    loop {
        if let Some(ended) = proving.go_on(4096, &Stop::new()) {
            return ended;
        }
    }
}

fn margin(board: &Board) -> i32 {
    let territory = board.territory(&Settlement::default());
    let points = |color| board.stones(color).len() + territory.owned[color].len();
    points(Color::Black) as i32 - points(Color::White) as i32
}

/// Plays by the proof against random moves, and returns how many moves it took. Panics if the proof has no answer, or
/// the game ends otherwise than it says.
fn random_walk(proof: &Proof, random: &mut Xoshiro256PlusPlus) -> usize {
    let claim = *proof.claim();
    let mut at = claim.start;
    let mut passed = claim.passed;
    for count in 0.. {
        let board = at.board().unwrap();
        assert!(proof.covers(&at, passed), "{claim}\n{board}");
        let action = match proof.step(&at, passed) {
            ProofStep::Sure => return count,
            ProofStep::Play(action) => {
                assert_eq!(at.to_move, claim.bound.prover);
                action
            }
            ProofStep::Open => {
                assert_ne!(at.to_move, claim.bound.prover);
                let legal = board.playable(at.to_move, Suicide::Forbidden);
                match random.next_u32() as usize % (legal.len() + 1) {
                    0 => Move::Pass,
                    n => Move::Play(legal.nth(n - 1).unwrap()),
                }
            }
            ProofStep::Unknown => panic!("the proof of {claim} has no answer on\n{board}"),
        };
        let mut after = board;
        match action {
            Move::Pass if passed => {
                assert!(claim.bound.holds_for(margin(&after)), "{claim}\n{after}");
                return count;
            }
            Move::Pass => at.ko = None,
            Move::Play(point) => {
                after.play(point, at.to_move, Suicide::Forbidden).unwrap();
                at.stones.black = *after.stones(Color::Black);
                at.stones.white = *after.stones(Color::White);
                at.ko = after.ko();
            }
        }
        passed = action == Move::Pass;
        at.to_move = !at.to_move;
    }
    unreachable!("a walk comes to its end")
}

#[test]
fn a_proof_answers_whatever_is_tried() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(5);
    for (board, prover, margin) in [
        ("3x3", Color::Black, 9),
        ("3x4", Color::Black, 4),
        ("2x5", Color::Black, 10),
        ("4x4", Color::Black, 1),
        // White is to move, and Black has no more than an edge.
        ("X../.../...\nwhite to move", Color::White, -9),
        (".O./X.O/O.O", Color::Black, 9),
    ] {
        let proof = ended(proving(board, Bound::new(prover, margin), 3_000_000)).unwrap();
        let granted: Vec<KoRule> = proof.theorem().unwrap().ko_rules.granted().collect();
        assert!(granted.contains(&KoRule::Simple), "{board}");
        let longest = (0..400).map(|_| random_walk(&proof, &mut random)).max();
        assert!(longest > Some(1), "{board}");
    }
}

#[test]
fn a_certificate_that_is_taken_at_its_word_answers_the_same() {
    let start = Setup::empty(Size::square(3).unwrap());
    let bound = Bound::new(Color::Black, 9);
    let mut solver = Solver::new(&start, Options::default()).unwrap();
    solver.prove(bound, &mut |_, _| {});
    let mut file = Vec::new();
    let writer = solver.certificate(bound).unwrap();
    writer.finish(&mut file).unwrap();
    let mut watch = |_| ControlFlow::Continue(());
    let read = Proof::read(file.as_slice(), &mut watch).unwrap();
    let checked = Proof::check(file.as_slice(), &mut watch).unwrap();
    assert!(read.theorem().is_none());
    assert_eq!(
        (read.claim(), read.entries()),
        (checked.claim(), checked.entries())
    );
    assert_eq!(read.claim(), &checked.theorem().unwrap().claim);
    let mut random = Xoshiro256PlusPlus::seed_from_u64(6);
    for _ in 0..100 {
        random_walk(&read, &mut random);
    }
    // A position that Black does not come to, and another board.
    let corner: Setup = "X..\n...\n...\nwhite to move".parse().unwrap();
    assert!(!read.covers(&corner, false));
    assert!(!read.covers(&Setup::empty(Size::square(4).unwrap()), false));
    // What was cut off is no certificate.
    file.truncate(file.len() - 1);
    assert!(Proof::read(file.as_slice(), &mut watch).is_err());
}

#[test]
fn what_cannot_be_forced_or_is_too_much_has_no_proof() {
    let black = |margin| Bound::new(Color::Black, margin);
    assert_eq!(
        ended(proving("2x2", black(4), 1_000_000)).unwrap_err(),
        NoProof::Refuted,
    );
    assert_eq!(
        ended(proving("4x4", black(1), 20_000)).unwrap_err(),
        NoProof::TooMuch,
    );
}

#[test]
fn whoever_stops_it_gets_nothing_more() {
    let mut proving = proving("3x4", Bound::new(Color::Black, 4), 1_000_000);
    let stop = Stop::new();
    assert!(proving.go_on(100, &stop).is_none());
    stop.stop();
    assert_eq!(
        proving.go_on(100, &stop).unwrap().unwrap_err(),
        NoProof::Stopped
    );
    // Nor is anything written down then.
    stop.reset();
    while !proving.is_proven() {
        assert!(proving.go_on(4096, &stop).is_none());
    }
    stop.stop();
    assert_eq!(
        proving.go_on(1, &stop).unwrap().unwrap_err(),
        NoProof::Stopped
    );
}

#[test]
fn a_position_of_another_board_is_unknown() {
    let proof = ended(proving("3x3", Bound::new(Color::Black, 9), 100_000)).unwrap();
    let other = Setup::empty("4x3".parse().unwrap());
    assert_eq!(proof.step(&other, false), ProofStep::Unknown);
}
