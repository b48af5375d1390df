//! Certificates of the local game: what is written is read again, and what was changed is refused.

use tengen_core::{Color, Point, PointSet, Setup};
use tengen_solver::certificate::local::{
    Goal, LocalClaim, LocalClaimError, LocalEntry, LocalReader, LocalWriter, Places, Supply,
    Threats,
};
use tengen_solver::local::{Finding, Problem, ProblemError, SCENARIOS};
use tengen_solver::verify::Flaw;

use super::{certificate, check, problem, solver, verify};
use crate::fuzz::seal;

const ROW: &str = ". . . O X ,
                   O O O O X ,
                   X X X X X ,
                   , , , , , ,";

fn row() -> Problem {
    problem(ROW, Color::White)
}

/// A proof that Black takes the row of three.
fn proof() -> Vec<u8> {
    let mut solver = solver(row());
    solver.prove(Goal::Capture, SCENARIOS[0], Color::Black);
    certificate(&mut solver, Goal::Capture, SCENARIOS[0], Color::Black)
}

#[test]
fn a_theorem_is_a_sentence() {
    let theorem = verify(&proof()).unwrap();
    assert_eq!(
        theorem.to_string(),
        "black captures white's D4 A3 B3 C3 D3 on 6x4, playing on 8 points, black to move; ko threats: black none, \
            white any"
    );
    let mut solver = solver(row());
    let threats = SCENARIOS[4];
    solver.prove(Goal::Live, threats, Color::White);
    let theorem = check(&mut solver, Goal::Live, threats, Color::White);
    assert!(
        theorem
            .to_string()
            .starts_with("white gives unconditional life to some of D4"),
        "{theorem}"
    );
}

#[test]
fn every_changed_byte_is_refused() {
    let file = proof();
    for at in 0..file.len() {
        for bit in [1, 128] {
            let mut changed = file.clone();
            changed[at] ^= bit;
            assert!(verify(&changed).is_err(), "byte {at}");
        }
    }
    for length in 0..file.len() {
        assert!(verify(&file[..length]).is_err(), "{length} bytes");
    }
    let longer: Vec<u8> = file.iter().copied().chain([0]).collect();
    assert!(verify(&longer).is_err());
}

/// With right checksums, too: what is still accepted is another theorem, and true.
#[test]
fn changed_bytes_with_right_checksums_prove_nothing_wrong() {
    let file = proof();
    let (mut refused, mut accepted) = (0, 0);
    for at in 10..file.len() {
        let mut changed = file.clone();
        changed[at] ^= 1;
        seal(&mut changed);
        let Ok(theorem) = verify(&changed) else {
            refused += 1;
            continue;
        };
        let LocalClaim {
            start: setup,
            region,
            target,
            defender,
            goal,
            threats,
        } = theorem.claim;
        let problem = Problem {
            setup,
            region,
            target,
            defender,
        };
        let finding = solver(problem).prove(goal, threats, setup.to_move);
        assert_eq!(finding, Finding::Proven, "byte {at}: {theorem}");
        accepted += 1;
    }
    // Stones elsewhere do not matter, nor does a ko threat more or less for those who do not need it.
    assert!(
        refused > file.len() / 2 && accepted > 0,
        "{refused}, {accepted}"
    );
}

#[test]
fn what_is_wrong_is_told_with_the_moves() {
    let problem = row();
    let claim = problem.claim(Goal::Capture, Threats::NONE);
    let refused = |claim: LocalClaim, entries: &[LocalEntry]| {
        let mut writer = LocalWriter::new(claim).unwrap();
        entries.iter().for_each(|entry| writer.add(entry));
        let mut file = Vec::new();
        writer.finish(&mut file).unwrap();
        verify(&file).unwrap_err()
    };
    let places = Places::of(&problem.region);
    let start = places.situation(&problem.setup, Threats::NONE);
    let entry = |reply| LocalEntry {
        situation: start,
        reply,
    };
    assert!(matches!(refused(claim, &[]).flaw, Flaw::Missing));
    assert!(matches!(refused(claim, &[entry(None)]).flaw, Flaw::GivesUp));
    // The wall is White's own.
    let occupied = refused(claim, &[entry(Some(3))]);
    assert!(matches!(occupied.flaw, Flaw::Illegal(..)), "{occupied}");
    let unanswered = refused(claim, &[entry(Some(1))]);
    assert!(matches!(unanswered.flaw, Flaw::Missing), "{unanswered}");
    assert_eq!(unanswered.line.len(), 2, "{unanswered}");
    let saved = LocalClaim {
        goal: Goal::Stand,
        ..claim
    };
    assert!(matches!(refused(saved, &[]).flaw, Flaw::Missing));
}

/// White, who lives anyway, takes a ko back as often as Black takes it: that never ends, however many ko threats White
/// has.
#[test]
fn a_strategy_that_spends_its_own_threats_for_ever_is_refused() {
    let problem = problem(
        "X O . O . O . O X ,
         , X O O O O O O X ,
         , X X X X X X X X ,
         , , , , , , , , , ,",
        Color::White,
    );
    let threats = SCENARIOS[0];
    let claim = problem.claim(Goal::Stand, threats);
    let places = Places::of(&problem.region);
    let [taken, free] = [1, 2].map(|x| places.place(Point::new(x, 0)).unwrap());
    let start = places.situation(&problem.setup, threats);
    let mut after_taking = start;
    after_taking.stones.white &= !(1 << taken);
    after_taking.stones.black |= 1 << free;
    after_taking.ko = Some(taken);
    let proof = |entries: &[(_, _)]| {
        let mut writer = LocalWriter::new(claim).unwrap();
        for (situation, reply) in entries {
            writer.add(&LocalEntry {
                situation: *situation,
                reply: *reply,
            });
        }
        let mut file = Vec::new();
        writer.finish(&mut file).unwrap();
        verify(&file)
    };
    let refused = proof(&[(after_taking, Some(taken)), (start, None)]).unwrap_err();
    assert!(matches!(refused.flaw, Flaw::Cycle), "{refused}");
    // Black takes, White takes back, Black passes, White passes, and Black takes again.
    let size = problem.setup.size;
    let line: Vec<String> = refused.line.iter().map(|at| at.to_gtp(size)).collect();
    assert_eq!(line, ["C4", "B4", "pass", "pass", "C4"]);
    // Whoever lives needs no strategy.
    assert_eq!(proof(&[]).unwrap().nodes, 0);
}

/// A proof is about one number of ko threats, or more for the prover and fewer for the opponent; never the other way.
#[test]
fn ko_threats_cannot_be_forged() {
    let corner = problem(
        ". . O O O X ,
         . O O . O X ,
         . O X X X X ,
         O O X , , , ,
         X X X , , , ,",
        Color::White,
    );
    let mut solver = solver(corner);
    solver.answer(Color::Black);
    let mut file = certificate(&mut solver, Goal::Capture, Threats::NONE, Color::Black);
    assert!(verify(&file).is_ok());
    for threats in [1, 15] {
        file[18] = threats;
        seal(&mut file);
        let refused = verify(&file).unwrap_err();
        assert!(matches!(refused.flaw, Flaw::Missing), "{refused}");
    }
}

#[test]
fn what_is_written_is_read_again() {
    let mut file = Vec::new();
    let threats = Threats {
        attacker: Supply::Count(3),
        defender: Supply::Any,
    };
    let claim = row().claim(Goal::Stand, threats);
    let mut writer = LocalWriter::new(claim).unwrap();
    let places = writer.places().clone();
    let situation = places.situation(&claim.start, threats);
    for reply in [Some(2), None] {
        let mut other = situation;
        other.ko = reply;
        assert_eq!(places.from_key(places.key(&other)), Some(other));
        writer.add(&LocalEntry {
            situation: other,
            reply,
        });
    }
    writer.finish(&mut file).unwrap();
    let mut reader = LocalReader::new(file.as_slice()).unwrap();
    assert_eq!((reader.claim(), reader.entries()), (&claim, 2));
    let mut replies = Vec::new();
    while let Some((code, _)) = reader.next_code().unwrap() {
        replies.push(places.split(code).1);
    }
    assert_eq!(replies, [None, Some(2)]);
}

#[test]
fn what_cannot_be_claimed_is_refused() {
    let claim = row().claim(Goal::Capture, Threats::NONE);
    let refused = |claim: LocalClaim| LocalWriter::new(claim).err().unwrap();
    let none = PointSet::EMPTY;
    assert_eq!(
        refused(LocalClaim {
            region: none,
            ..claim
        }),
        LocalClaimError::Region
    );
    assert_eq!(
        refused(LocalClaim {
            target: none,
            ..claim
        }),
        LocalClaimError::Target
    );
    assert_eq!(
        refused(LocalClaim {
            defender: Color::Black,
            ..claim
        }),
        LocalClaimError::Target
    );
    let all = claim.start.size.points();
    assert!(matches!(
        refused(LocalClaim {
            region: all - claim.start.stones.black,
            ..claim
        }),
        LocalClaimError::Chain(_)
    ));
    let many = Threats {
        attacker: Supply::Count(15),
        ..Threats::NONE
    };
    assert_eq!(
        refused(LocalClaim {
            threats: many,
            ..claim
        }),
        LocalClaimError::Threats
    );
}

#[test]
fn what_is_no_problem_is_refused() {
    let setup: Setup = ". O .\n. O X\n. X .".parse().unwrap();
    let all = setup.size.points();
    let white = setup.stones.white;
    let refused = |region, target| Problem::new(&setup, region, target).unwrap_err();
    assert_eq!(refused(&all, &PointSet::EMPTY), ProblemError::NoTarget);
    assert_eq!(refused(&all, &all), ProblemError::Colors);
    let right: PointSet = all.iter().filter(|point| point.x() > 0).collect();
    assert!(matches!(refused(&right, &white), ProblemError::Safe(_)));
    let large = Setup::empty("19x19".parse().unwrap());
    let stone = PointSet::from(Point::new(3, 3));
    let mut with_stone = large;
    with_stone.stones.white = stone;
    let error = Problem::new(&with_stone, &large.size.points(), &stone).unwrap_err();
    assert_eq!(error, ProblemError::Large(361));
}
