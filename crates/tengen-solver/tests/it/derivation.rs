//! Proofs under one superko rule: what the checker accepts, and what it must not.

use std::ops::ControlFlow;

use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use tengen_core::{Color, Ko, Point, Setup};
use tengen_solver::certificate::{Claim, Derivation, Link, Situation, Step};
use tengen_solver::verify::{Flaw, KoRule, Refusal, Theorem, verify};
use tengen_solver::{Bound, Options, Solver};

fn solver(diagram: &str) -> Solver {
    let setup = diagram
        .parse()
        .map_or_else(|_| diagram.parse().unwrap(), Setup::empty);
    solver_of(&setup)
}

fn solver_of(setup: &Setup) -> Solver {
    let options = Options {
        memory: 1 << 20,
        ..Options::default()
    };
    Solver::new(setup, options).unwrap()
}

fn check(bytes: &[u8]) -> Result<Theorem, Refusal> {
    verify(bytes, &mut |_| ControlFlow::Continue(()))
}

fn bytes(derivation: &Derivation) -> Vec<u8> {
    let mut bytes = Vec::new();
    let written = derivation.write(&mut bytes).unwrap();
    assert_eq!(written.bytes, bytes.len() as u64);
    assert_eq!(written.entries, derivation.len() as u64);
    bytes
}

/// The proof that Black gets nothing on 2x3, and no less.
fn two_by_three(ko: Ko, prover: Color) -> Derivation {
    let mut solver = solver("2x3");
    let value = solver.solve_with_history(ko).value();
    assert_eq!(value, Some(0), "{ko:?}");
    let bound = Bound { prover, margin: 0 };
    solver.derivation(ko, bound).unwrap().clone()
}

/// The same steps, each changed or left as it is.
fn changed(
    derivation: &Derivation,
    claim: Claim,
    ko: Ko,
    change: impl Fn(usize, &mut Step, &mut Vec<Link>),
) -> Derivation {
    let mut copy = Derivation::new(claim, ko);
    for number in 0..derivation.len() {
        let (step, links) = derivation.step(number);
        let (mut step, mut links) = (*step, links.to_vec());
        change(number, &mut step, &mut links);
        copy.push(step, links);
    }
    copy
}

#[test]
fn both_bounds_of_open_boards_are_granted_the_rule_and_no_other() {
    for (board, value) in [
        ("1x5", 0),
        ("1x6", 1),
        ("1x7", 2),
        ("2x2", 1),
        ("2x3", 0),
        ("X.X.X.\nWhite to move", -2),
    ] {
        for (ko, rule) in [
            (Ko::Positional, KoRule::Positional),
            (Ko::Situational, KoRule::Situational),
        ] {
            let mut solver = solver(board);
            let interval = solver.solve_with_history(ko);
            if !board.contains('\n') {
                assert_eq!(interval.value(), Some(value), "{board} {ko:?}");
            }
            for color in Color::BOTH {
                let bound = interval.bound(color);
                let Some(derivation) = solver.derivation(ko, bound) else {
                    assert_eq!(
                        bound.margin.unsigned_abs() as usize,
                        solver.setup().size.area()
                    );
                    continue;
                };
                let theorem = check(&bytes(derivation)).unwrap();
                assert_eq!(theorem.claim.start, *solver.setup());
                assert_eq!(theorem.claim.bound.prover, color);
                assert_eq!(theorem.claim.bound.margin, bound.margin);
                assert_eq!(theorem.ko_rules.granted().collect::<Vec<_>>(), [rule]);
                assert_eq!(theorem.unused, 0);
                assert_eq!(theorem.nodes, derivation.len() as u64);
            }
        }
    }
}

/// White's bound on 3x4 needs bans; Black's holds under every rule.
#[test]
fn three_by_four_is_four_under_superko() {
    for ko in [Ko::Positional, Ko::Situational] {
        let mut solver = solver("3x4");
        solver.solve(&mut |_, _| {});
        let interval = solver.solve_with_history(ko);
        assert_eq!(interval.value(), Some(4), "{ko:?}");
        let derivation = solver.derivation(ko, interval.bound(Color::White));
        let theorem = check(&bytes(derivation.unwrap())).unwrap();
        assert_eq!(theorem.to_string(), "black <= 4 on 3x4, black to move");
    }
}

#[test]
fn a_changed_byte_is_refused() {
    let file = bytes(&two_by_three(Ko::Positional, Color::Black));
    let mut random = Xoshiro256PlusPlus::seed_from_u64(5);
    assert!(check(&file).is_ok());
    for at in 0..file.len() {
        let mut copy = file.clone();
        copy[at] ^= 1 << (random.next_u32() % 8);
        assert!(check(&copy).is_err(), "byte {at}");
        assert!(check(&file[..at]).is_err(), "the first {at} bytes");
    }
    let mut longer = file;
    longer.push(0);
    assert!(check(&longer).is_err());
}

#[test]
fn more_than_was_proven_is_refused() {
    for prover in Color::BOTH {
        let derivation = two_by_three(Ko::Positional, prover);
        let same = |_: usize, _: &mut Step, _: &mut Vec<Link>| {};
        let claim = derivation.claim;
        assert!(check(&bytes(&changed(&derivation, claim, Ko::Positional, same))).is_ok());
        let bound = Bound::new(prover, claim.bound.margin + prover.sign(1));
        let more = changed(&derivation, Claim { bound, ..claim }, Ko::Positional, same);
        let refusal = check(&bytes(&more)).unwrap_err();
        assert!(
            matches!(refusal.flaw, Flaw::Missing | Flaw::Score(_)),
            "{refusal}"
        );
        let to_move = !claim.start.to_move;
        let start = Setup {
            to_move,
            ..claim.start
        };
        let other = changed(&derivation, Claim { start, ..claim }, Ko::Positional, same);
        assert!(matches!(
            check(&bytes(&other)).unwrap_err().flaw,
            Flaw::Mismatch
        ));
    }
}

/// Every change of one link makes a proof of nothing, or of the same by other means; a ban in place of an answer never
/// passes unless the board was there.
#[test]
fn what_is_not_banned_must_be_answered() {
    for ko in [Ko::Positional, Ko::Situational] {
        for prover in Color::BOTH {
            let derivation = two_by_three(ko, prover);
            let mut refused = 0;
            for number in 0..derivation.len() {
                let (step, links) = derivation.step(number);
                for link in 0..links.len() {
                    if links[link] == Link::Banned {
                        continue;
                    }
                    let ban = |at: usize, _: &mut Step, links: &mut Vec<Link>| {
                        if at == number {
                            links[link] = Link::Banned;
                        }
                    };
                    let banned = changed(&derivation, derivation.claim, ko, ban);
                    // A stone that leads back may well be banned on every line; the prover's own may not.
                    let refusal = check(&bytes(&banned));
                    assert!(refusal.is_err() || step.to_move != prover);
                    refused += usize::from(refusal.is_err());
                }
            }
            assert!(refused > 100, "{refused} {ko:?} {prover}");
        }
    }
}

#[test]
fn a_missing_or_superfluous_answer_is_refused() {
    let derivation = two_by_three(Ko::Situational, Color::White);
    for number in 0..derivation.len() {
        if derivation.step(number).0.to_move == Color::White {
            continue;
        }
        for superfluous in [true, false] {
            let count = |at: usize, _: &mut Step, links: &mut Vec<Link>| {
                if at == number && superfluous {
                    links.push(Link::Leaf);
                } else if at == number {
                    links.pop();
                }
            };
            let other = changed(&derivation, derivation.claim, derivation.ko, count);
            let refusal = check(&bytes(&other)).unwrap_err();
            assert!(
                matches!(refusal.flaw, Flaw::Replies(..) | Flaw::File(_)),
                "{refusal}"
            );
        }
    }
}

/// The rules differ here, so that a proof for one of them must be refused for the other.
#[test]
fn a_proof_is_for_its_own_rule() {
    let mut refused = 0;
    for diagram in ["X.X.X.", "OOO\n.X.\nWhite to move"] {
        for (ko, other) in [
            (Ko::Positional, Ko::Situational),
            (Ko::Situational, Ko::Positional),
        ] {
            let mut solver = solver(diagram);
            let interval = solver.solve_with_history(ko);
            let truth = self::solver(diagram).solve_with_history(other);
            assert_ne!(interval, truth);
            for color in Color::BOTH {
                let bound = interval.bound(color);
                let Some(derivation) = solver.derivation(ko, bound) else {
                    continue;
                };
                let same = |_: usize, _: &mut Step, _: &mut Vec<Link>| {};
                let copy = changed(derivation, derivation.claim, other, same);
                let holds = match color {
                    Color::Black => truth.lower >= bound.margin,
                    Color::White => truth.upper <= bound.margin,
                };
                let verdict = check(&bytes(&copy));
                assert!(holds || verdict.is_err(), "{diagram} {bound} {other:?}");
                refused += usize::from(verdict.is_err());
            }
        }
    }
    assert!(refused >= 2);
}

#[test]
fn a_ko_at_the_start_forbids_the_first_stone_there() {
    let free: Setup = ".OX.\nO.OX\n.OX.".parse().unwrap();
    let ko = Setup {
        ko: Some(Point::new(1, 1)),
        ..free
    };
    let mut values = Vec::new();
    for setup in [free, ko] {
        let mut solver = solver_of(&setup);
        let interval = solver.solve_with_history(Ko::Positional);
        values.push(interval.value().unwrap());
        for color in Color::BOTH {
            if let Some(derivation) = solver.derivation(Ko::Positional, interval.bound(color)) {
                let theorem = check(&bytes(derivation)).unwrap();
                assert_eq!(theorem.claim.start, setup);
                // Of the other position it is not proven by the same steps: White has one stone more or less to
                // answer, and Black may not take the ko with which the free position is won.
                let start = if setup == free { ko } else { free };
                let claim = Claim {
                    start,
                    ..derivation.claim
                };
                let other = changed(derivation, claim, Ko::Positional, |_, _, _| {});
                let refused = color == Color::White || setup == free;
                assert_eq!(check(&bytes(&other)).is_err(), refused);
            }
        }
    }
    assert!(values[0] > values[1], "{values:?}");
}

/// Steps that are changed at random, in files that are written as they should be, prove nothing that is false.
#[test]
fn no_change_proves_what_is_false() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(13);
    for prover in Color::BOTH {
        let derivation = two_by_three(Ko::Positional, prover);
        let margin = derivation.claim.bound.margin + prover.sign(1);
        let claim = Claim {
            bound: Bound::new(prover, margin),
            ..derivation.claim
        };
        for _ in 0..500 {
            let first = random.next_u32() as usize % derivation.len();
            let noise = random.next_u64();
            let other = changed(&derivation, claim, Ko::Positional, |number, step, links| {
                // From some step on every link that fails now is called banned, a leaf or another step.
                if number >= first.max(1) && noise >> (number % 32) & 1 != 0 {
                    let at = (noise >> 32) as usize % links.len().max(1);
                    if let Some(link) = links.get_mut(at) {
                        *link = match (noise >> 40) % 3 {
                            0 => Link::Banned,
                            1 => Link::Leaf,
                            _ => Link::Step {
                                step: (noise >> 48) as u32 % (number.max(1) as u32),
                                symmetry: (noise >> 44) as u8 % 4,
                            },
                        };
                    }
                    if step.to_move == prover {
                        step.reply = Some((noise >> 36) as u8 % 6);
                    }
                }
            });
            assert!(check(&bytes(&other)).is_err());
        }
    }
}

/// A step about a board of one row.
fn step(row: &str, to_move: Color, reply: Option<u8>) -> Step {
    let setup: Setup = row.parse().unwrap();
    let situation = Situation::of(&setup.board().unwrap());
    Step {
        situation: Situation {
            ko: None,
            ..situation
        },
        to_move,
        reply,
    }
}

fn link(step: u32) -> Link {
    Link::Step { step, symmetry: 0 }
}

/// Black's stone can be taken, and taking back is banned. That White may not take if the capture was there before must
/// not be used where it was not.
#[test]
fn a_ban_holds_only_where_the_board_was_there() {
    for ko in [Ko::Positional, Ko::Situational] {
        let start: Setup = "X.\nWhite to move".parse().unwrap();
        let claim = Claim::new(start, Bound::new(Color::Black, 2));
        let mut derivation = Derivation::new(claim, ko);
        let attacked = step("X.", Color::White, None);
        derivation.push(attacked, [Link::Banned, Link::Leaf]);
        let refusal = check(&bytes(&derivation)).unwrap_err();
        assert!(matches!(refusal.flaw, Flaw::NotBanned), "{refusal}");
        derivation.push(step(".O", Color::Black, Some(0)), [link(0)]);
        derivation.push(attacked, [link(1), Link::Leaf]);
        let refusal = check(&bytes(&derivation)).unwrap_err();
        assert!(matches!(refusal.flaw, Flaw::Repetition), "{refusal}");
        let truth = solver_of(&start).solve_with_history(ko);
        assert_eq!(truth.value(), Some(-2));
    }
}

/// Black lives with one stone in the middle, but the board with another one beside it was there before.
#[test]
fn what_a_holding_needs_must_not_have_been_there() {
    let start: Setup = "XX.\nWhite to move".parse().unwrap();
    let mut derivation = Derivation::new(
        Claim::new(start, Bound::new(Color::Black, 3)),
        Ko::Positional,
    );
    derivation.push(step("..O", Color::Black, Some(1)), [Link::Leaf]);
    derivation.push(step("XX.", Color::White, None), [link(0), Link::Leaf]);
    let refusal = check(&bytes(&derivation)).unwrap_err();
    assert!(matches!(refusal.flaw, Flaw::Repetition), "{refusal}");
}
