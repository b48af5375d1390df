//! What a solver knows survives in a file.

use tengen_core::{Color, Setup, Size};
use tengen_solver::{Bound, BoundStatus, CheckpointError, Options, Solver};

fn solver(size: &str) -> Solver {
    let size: Size = size.parse().unwrap();
    Solver::new(&Setup::empty(size), Options::default()).unwrap()
}

const BOUND: Bound = Bound {
    prover: Color::Black,
    margin: 4,
};

#[test]
fn a_resumed_solver_knows_the_bounds_and_has_less_to_do() {
    let mut first = solver("3x4");
    assert_eq!(first.prove(BOUND, &mut |_, _| {}), BoundStatus::Proven);
    let mut file = Vec::new();
    first.save(&mut file).unwrap();

    let mut second = solver("3x4");
    second.restore(file.as_slice()).unwrap();
    assert_eq!(second.interval(), first.interval());
    assert_eq!(second.prove(BOUND, &mut |_, _| {}), BoundStatus::Proven);
    assert!(second.nodes() < first.nodes() + first.nodes() / 2);
    assert!(second.certificate(BOUND).is_ok());
}

#[test]
fn a_stopped_solver_goes_on_where_it_was() {
    let mut first = solver("3x4");
    let stop = first.stop();
    let verdict = first.prove(BOUND, &mut |_, progress| {
        if progress.nodes > 200 {
            stop.stop();
        }
    });
    assert_eq!(verdict, BoundStatus::Stopped);
    assert_eq!(first.interval().lower, -12);
    let mut file = Vec::new();
    first.save(&mut file).unwrap();
    let mut second = solver("3x4");
    second.restore(file.as_slice()).unwrap();
    assert_eq!(second.prove(BOUND, &mut |_, _| {}), BoundStatus::Proven);
}

#[test]
fn other_positions_and_damage_are_refused() {
    let mut first = solver("3x3");
    first.solve(&mut |_, _| {});
    let mut file = Vec::new();
    first.save(&mut file).unwrap();
    let refusal = |size: &str, bytes: &[u8]| solver(size).restore(bytes).unwrap_err();
    assert!(matches!(
        refusal("3x4", &file),
        CheckpointError::OtherPosition
    ));
    assert!(matches!(refusal("3x3", b"no"), CheckpointError::Damaged));
    assert!(matches!(
        refusal("3x3", &[7; 40]),
        CheckpointError::NotACheckpoint
    ));
    for at in [40, file.len() / 2, file.len() - 1] {
        let mut spoiled = file.clone();
        spoiled[at] ^= 1;
        assert!(
            solver("3x3").restore(spoiled.as_slice()).is_err(),
            "byte {at}"
        );
    }
    assert!(matches!(
        refusal("3x3", &file[..file.len() - 1]),
        CheckpointError::Damaged
    ));
}
