//! What is no proof is refused, with the place where it is wrong.

use std::collections::HashMap;
use std::io::{self, Read};

use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use tengen_core::{Color, Move, Suicide};
use tengen_solver::Bound;
use tengen_solver::certificate::{Claim, Classes, Entry, Problem};
use tengen_solver::verify::Flaw;

use super::{best, check};
use crate::fuzz::seal;
use crate::proofs::{Tree, empty, file, place};

#[test]
fn every_changed_byte_is_noticed() {
    let proof = best(empty("1x4"), Color::White);
    for at in 0..proof.len() {
        for change in 1..=255_u8 {
            let mut changed = proof.clone();
            changed[at] ^= change;
            let refusal = check(&changed).unwrap_err();
            assert!(matches!(refusal.flaw, Flaw::File(_)), "{refusal}");
            let offset = refusal.offset.unwrap() as usize;
            // What is wrong is told where it is noticed: at the byte, or at the next checksum.
            assert!(offset <= proof.len(), "{refusal}");
            assert!(offset + 8 > at || offset == at, "byte {at}: {refusal}");
        }
    }
}

#[test]
fn a_file_that_ends_early_or_late_is_refused() {
    let mut proof = best(empty("1x3"), Color::White);
    for length in 0..proof.len() {
        let refusal = check(&proof[..length]).unwrap_err();
        assert!(refusal.offset.unwrap() <= length as u64, "{refusal}");
    }
    proof.push(0);
    let refusal = check(&proof).unwrap_err();
    assert_eq!(refusal.offset, Some(proof.len() as u64 - 1));
    assert_eq!(
        refusal.to_string(),
        format!("byte {}: bytes after the end", proof.len() - 1)
    );
}

/// Whoever repairs the checksums after a change gets an honest answer: a refusal, or a theorem that is true.
#[test]
fn no_change_proves_what_is_false() {
    for size in ["1x3", "1x4", "2x2"] {
        for prover in Color::BOTH {
            let proof = best(empty(size), prover);
            let mut truths = HashMap::new();
            for at in 0..proof.len() {
                for bit in 0..8 {
                    let mut changed = proof.clone();
                    changed[at] ^= 1 << bit;
                    seal(&mut changed);
                    let Ok(theorem) = check(&changed) else {
                        continue;
                    };
                    let Claim {
                        start,
                        passed,
                        bound: Bound { prover, margin },
                    } = theorem.claim;
                    let key = (start, passed, prover, margin);
                    let is_true = *truths.entry(key).or_insert_with(|| {
                        Tree::new(&[start], passed).solve(prover, margin)[0].is_some()
                    });
                    assert!(is_true, "{theorem}");
                }
            }
            assert!(!truths.is_empty(), "the file itself proves something");
        }
    }
}

#[test]
fn a_missing_entry_is_named_by_the_moves_that_lead_there() {
    let tree = Tree::new(&[empty("1x4")], false);
    let (claim, entries) = tree.proof(Color::Black, 4).unwrap();
    let classes = Classes::new(claim.start.size).unwrap();
    assert!(check(&file(claim, &entries)).is_ok());
    for left_out in &entries {
        let key = classes.class(&left_out.situation).key;
        let rest: Vec<Entry> = entries
            .iter()
            .filter(|entry| classes.class(&entry.situation).key != key)
            .copied()
            .collect();
        let Err(refusal) = check(&file(claim, &rest)) else {
            // What the stones guarantee was enough.
            continue;
        };
        assert!(matches!(refusal.flaw, Flaw::Missing), "{refusal}");
        // The moves lead to where the entry is missing.
        let mut game =
            tengen_core::Game::from_setup(&claim.start, "koSIMPLEsui0".parse().unwrap()).unwrap();
        for action in &refusal.line {
            game.play(*action).unwrap();
        }
        let mut situation = tengen_solver::certificate::Situation::of(game.board());
        if refusal.line.last() == Some(&Move::Pass) {
            situation = situation.after_pass();
        }
        assert_eq!(classes.class(&situation).key, key, "{refusal}");
    }
    let refusal = check(&file(claim, &[])).unwrap_err();
    assert!(
        refusal.to_string().ends_with("is not enough, at the start"),
        "{refusal}"
    );
}

#[test]
fn illegal_moves_are_refused() {
    let tree = Tree::new(&[empty("1x3")], false);
    let (claim, mut entries) = tree.proof(Color::White, 3).unwrap();
    let after_middle = entries
        .iter_mut()
        .find(|entry| entry.situation.stones.black == 0b010);
    after_middle.unwrap().reply = Some(1);
    let refusal = check(&file(claim, &entries)).unwrap_err();
    assert!(matches!(refusal.flaw, Flaw::Illegal(..)), "{refusal}");
    assert!(refusal.to_string().contains("illegal at A2"), "{refusal}");
    assert!(refusal.to_string().ends_with("after A2"), "{refusal}");
    assert!(refusal.offset.is_some());
}

#[test]
fn more_than_can_be_had_is_refused() {
    for size in ["1x3", "1x4", "2x2", "3x3"] {
        let start = empty(size);
        let tree = Tree::new(&[start], false);
        for prover in Color::BOTH {
            let value = tree.value(prover);
            let (claim, entries) = tree.proof(prover, value).unwrap();
            let more = match prover {
                Color::Black => value + 1,
                Color::White => value - 1,
            };
            let greedy = Claim {
                bound: Bound::new(prover, more),
                ..claim
            };
            if greedy.check().is_ok() {
                let refusal = check(&file(greedy, &entries)).unwrap_err();
                let expected = matches!(refusal.flaw, Flaw::Score(_) | Flaw::Missing);
                assert!(expected, "{refusal}");
            }
        }
    }
}

/// If repetitions counted as won, Black would get all of 2x2.
#[test]
fn a_strategy_that_goes_round_in_circles_is_refused() {
    let tree = Tree::new(&[empty("2x2")], false);
    let (claim, entries) = tree.circular_proof(Color::Black, 4).unwrap();
    let refusal = check(&file(claim, &entries)).unwrap_err();
    assert!(matches!(refusal.flaw, Flaw::Cycle), "{refusal}");
    assert!(
        refusal.line.len() > 4 && refusal.offset.is_some(),
        "{refusal}"
    );
}

/// Strategies at random prove a claim now and then, and then it is true.
#[test]
fn random_strategies_prove_nothing_false() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    let mut proven = 0;
    let mut flaws = [0; 4];
    for size in ["1x3", "1x4", "2x2"] {
        let tree = Tree::new(&[empty(size)], false);
        let classes = Classes::new(empty(size).size).unwrap();
        let area = i32::from(classes.area());
        for round in 0..400 {
            let prover = Color::BOTH[round % 2];
            let margin = (random.next_u32() % (2 * area as u32 + 1)) as i32 - area;
            let claim = Claim::new(empty(size), Bound::new(prover, margin));
            let won = tree.solve(prover, margin);
            let mut entries = Vec::new();
            for ((situation, mover), win) in tree.turns.iter().zip(&won) {
                if *mover != prover {
                    continue;
                }
                let board = situation.setup(claim.start.size, prover).board().unwrap();
                let legal = board.playable(prover, Suicide::Forbidden);
                let choice = random.next_u32() as usize % (legal.len() + 1);
                let random_reply = legal.nth(choice).map(|point| place(point, &board));
                // Mostly good moves, so that some strategies hold.
                let reply = match win {
                    Some(best) if random.next_u32() % 10 != 0 => *best,
                    _ => random_reply,
                };
                entries.push(Entry {
                    situation: *situation,
                    reply,
                });
            }
            match check(&file(claim, &entries)) {
                Ok(theorem) => {
                    assert!(won[0].is_some(), "{theorem} is false");
                    proven += 1;
                }
                Err(refusal) => match refusal.flaw {
                    Flaw::Score(_) => flaws[0] += 1,
                    Flaw::Cycle => flaws[1] += 1,
                    Flaw::Illegal(..) => flaws[2] += 1,
                    _ => flaws[3] += 1,
                },
            }
        }
    }
    assert!(
        proven > 100 && flaws[0] > 100 && flaws[1] > 10,
        "{proven} {flaws:?}"
    );
    assert_eq!(
        flaws[2..],
        [0, 0],
        "all moves are legal and none is missing"
    );
}

/// Bytes that come one by one, and then an error.
struct Slow<'a> {
    bytes: &'a [u8],
    fails: bool,
}

impl Read for Slow<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self.bytes.split_first() {
            Some((byte, rest)) => {
                buffer[0] = *byte;
                self.bytes = rest;
                Ok(1)
            }
            None if self.fails => Err(io::Error::other("the disk is gone")),
            None => Ok(0),
        }
    }
}

#[test]
fn any_stream_will_do() {
    let proof = best(empty("1x4"), Color::Black);
    let verify = |bytes, fails| {
        let input = Slow { bytes, fails };
        tengen_solver::verify::verify(input, &mut |_| std::ops::ControlFlow::Continue(()))
    };
    assert!(verify(&proof, false).is_ok());
    for length in [0, 20, proof.len()] {
        match verify(&proof[..length], true).unwrap_err().flaw {
            Flaw::File(error) => assert!(matches!(error.problem, Problem::Io(_)), "{error}"),
            other => panic!("{other}"),
        }
    }
}
