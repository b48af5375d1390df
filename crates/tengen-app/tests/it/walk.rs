//! Walks through proofs, as viewers make them.

use std::ops::ControlFlow;
use std::sync::Arc;

use serde_json::{Value, json};
use tengen_app::{Code, JobKind, Portion, Proof, Report, RoomSettings, Work};
use tengen_core::{Color, Setup, Size};
use tengen_search::{Engine, Options, Stop};
use tengen_solver::{Bound, Solver};

use crate::host::Host;

/// Carries out the oldest job, and returns what was reported on the way.
fn work(host: &mut Host) -> Vec<Report> {
    let mut engine = Engine::new(Options {
        threads: 1,
        memory: 16 << 20,
        ..Options::default()
    });
    let mut work = Work::new(host.jobs[0].clone());
    let mut all = Vec::new();
    while !work.is_done() {
        let mut reports = Vec::new();
        let mut keep = |report| reports.push(report);
        work.step(&mut engine, Portion::default(), &Stop::new(), &mut keep);
        for report in reports {
            all.push(report.clone());
            assert!(host.report(work.job().id, report));
        }
    }
    all
}

fn open(host: &mut Host, sgf: &str) -> Value {
    host.ask("games.open", json!({"text": sgf}))["games"][0]["id"].clone()
}

/// Has a proof found, and returns what is told about it.
fn find(host: &mut Host, params: &Value) -> Value {
    assert_eq!(host.ask("proof.find", params.clone()), "later");
    if !host.jobs.is_empty() {
        work(host);
    }
    host.answers.pop().unwrap().unwrap()
}

fn with(params: &Value, moves: &[&str]) -> Value {
    let mut params = params.clone();
    params["moves"] = json!(moves);
    params
}

#[test]
fn the_proof_of_three_by_three_answers_every_reply() {
    let mut host = Host::new(RoomSettings::default());
    let game = open(&mut host, "(;SZ[3]RU[Chinese]KM[0])");
    let proof = json!({"game": game, "node": 0, "color": "black", "margin": 9});
    // Nothing is known before it was found.
    let before = host.ask("proof.walk", proof.clone());
    assert_eq!(
        (&before["state"], &before["reply"]),
        (&json!("unknown"), &Value::Null)
    );

    let found = find(&mut host, &proof)["proof"].clone();
    assert_eq!(
        found["ko_rules"],
        json!(["simple", "situational", "positional"])
    );
    assert!(found["positions"].as_u64() > Some(50), "{found}");
    let progress: Vec<Value> = std::mem::take(&mut host.events)
        .into_iter()
        .filter(|(_, event)| event["event"] == "proof")
        .map(|(_, event)| event)
        .collect();
    assert_eq!(progress.last().unwrap()["found"], true);

    let first = host.ask("proof.walk", proof.clone());
    assert_eq!(first["moves"], json!(["B2"]));
    assert_eq!(
        (&first["state"], &first["to_move"], &first["stones"]),
        (&json!("open"), &json!("white"), &json!("....X...."))
    );
    assert_eq!(first["last"], json!({"color": "black", "point": "B2"}));
    // Every reply of White has an answer, and every answer to that.
    let points = ["A1", "A2", "A3", "B1", "B3", "C1", "C2", "C3", "pass"];
    for reply in points {
        let second = host.ask("proof.walk", with(&proof, &["B2", reply]));
        assert_ne!(second["state"], "unknown", "{reply}");
        let moves: Vec<&str> = second["moves"]
            .as_array()
            .unwrap()
            .iter()
            .map(|one| one.as_str().unwrap())
            .collect();
        if second["state"] != "open" {
            continue;
        }
        for next in points.iter().filter(|next| !moves.contains(next)) {
            let line: Vec<&str> = moves.iter().copied().chain([*next]).collect();
            match host.call(1, "proof.walk", with(&proof, &line)) {
                Ok(third) => assert_ne!(third["state"], "unknown", "{line:?}"),
                Err(refusal) => assert_eq!(refusal.code, Code::IllegalMove),
            }
        }
    }
    // Who passes twice is told the count.
    let over = host.ask("proof.walk", with(&proof, &["B2", "pass"]));
    assert_eq!(
        (&over["state"], &over["margin"]),
        (&json!("over"), &json!(9))
    );

    // The same again needs no search.
    find(&mut host, &proof);
    assert!(host.jobs.is_empty());
}

#[test]
fn a_proof_from_a_walk_on_goes_on_where_there_was_none() {
    let mut host = Host::new(RoomSettings::default());
    let game = open(&mut host, "(;SZ[3]RU[Chinese]KM[0])");
    let proof = json!({"game": game, "node": 0, "color": "black", "margin": 9});
    let later = with(&proof, &["B2", "pass"]);
    assert_eq!(host.ask("proof.walk", later.clone())["state"], "unknown");
    assert_ne!(find(&mut host, &later)["proof"], Value::Null);
    assert_eq!(host.ask("proof.walk", later)["state"], "over");
    assert_eq!(host.ask("proof.walk", proof)["state"], "unknown");
}

/// The certificate of 3×3 as a file.
fn certificate() -> Vec<u8> {
    let start = Setup::empty(Size::square(3).unwrap());
    let bound = Bound::new(Color::Black, 9);
    let mut solver = Solver::new(&start, tengen_solver::Options::default()).unwrap();
    solver.prove(bound, &mut |_, _| {});
    let mut file = Vec::new();
    let writer = solver.certificate(bound).unwrap();
    writer.finish(&mut file).unwrap();
    file
}

#[test]
fn a_certificate_that_the_host_was_started_with_is_offered_and_walked_without_a_search() {
    let file = certificate();
    let mut watch = |_| ControlFlow::Continue(());
    for is_checked in [true, false] {
        let stored = match is_checked {
            true => Proof::check(file.as_slice(), &mut watch),
            false => Proof::read(file.as_slice(), &mut watch),
        };
        let mut host = Host::new(RoomSettings::default());
        host.room.store_proof(Arc::new(stored.unwrap()));
        let game = open(&mut host, "(;SZ[3]RU[Chinese]KM[0];B[bb];W[ab];B[aa])");
        // It is offered where it has an answer to everything, and nowhere else.
        for (node, is_offered) in [(0, true), (1, true), (2, true), (3, false)] {
            host.ask("exact.watch", json!({"game": game, "node": node}));
            work(&mut host);
            let events = std::mem::take(&mut host.events);
            let (_, told) = events.last().unwrap();
            let offered = match is_offered {
                true => {
                    json!([{"color": "black", "margin": 9, "positions": 104, "checked": is_checked}])
                }
                false => Value::Null,
            };
            assert_eq!(told["stored"], offered, "{node}");
        }
        let proof = json!({"game": game, "node": 2, "color": "black", "margin": 9});
        let found = find(&mut host, &proof)["proof"].clone();
        assert_eq!(found["checked"], is_checked);
        assert_eq!(found["positions"], 104);
        let rules = found["ko_rules"].as_array().unwrap().len();
        assert_eq!(rules, if is_checked { 3 } else { 0 });
        assert!(host.jobs.is_empty(), "nothing is searched for");
        let first = host.ask("proof.walk", proof);
        assert!(["open", "sure"].contains(&first["state"].as_str().unwrap()));
        assert_ne!(first["reply"], Value::Null);
    }
}

#[test]
fn both_players_have_proofs_where_both_force_something() {
    let mut host = Host::new(RoomSettings::default());
    // Black has passed in the game, and so may White.
    let game = open(&mut host, "(;SZ[3]RU[Chinese]KM[0]AB[bc]AW[ba];B[])");
    let white = json!({"game": game, "node": 1, "color": "white", "margin": -9});
    let found = find(&mut host, &white);
    assert_ne!(
        found["proof"],
        Value::Null,
        "White takes everything with the centre"
    );
    let first = host.ask("proof.walk", white);
    assert_eq!(first["reply"], "B2");
}

#[test]
fn a_proof_may_take_the_effort_that_was_spent_on_its_position() {
    let mut settings = RoomSettings::default();
    settings.effort.exact_nodes = 20_000;
    settings.effort.proof_nodes = 30_000;
    let mut host = Host::new(settings);
    let game = open(&mut host, "(;SZ[4]RU[Chinese]KM[0])");
    let proof = json!({"game": game, "node": 0, "color": "black", "margin": 1});
    let effort = |host: &mut Host| {
        host.ask("proof.find", proof.clone());
        let JobKind::Proof { nodes, .. } = host.jobs[0].kind else {
            panic!("{:?}", host.jobs[0]);
        };
        host.ask("proof.stop", json!({}));
        nodes
    };
    assert_eq!(effort(&mut host), 30_000);
    for (more, expected) in [(false, 30_000), (true, 80_000)] {
        host.ask(
            "exact.watch",
            json!({"game": game, "node": 0, "more": more}),
        );
        work(&mut host);
        assert_eq!(effort(&mut host), expected);
    }
}

#[test]
fn what_cannot_be_forced_has_no_proof() {
    let mut host = Host::new(RoomSettings::default());
    let game = open(&mut host, "(;SZ[2]RU[Chinese]KM[0])");
    let found = find(
        &mut host,
        &json!({"game": game, "node": 0, "color": "black", "margin": 4}),
    );
    assert_eq!(found["proof"], Value::Null);
}

#[test]
fn a_newer_search_replaces_the_former_and_each_can_be_stopped() {
    let mut host = Host::new(RoomSettings::default());
    let game = open(&mut host, "(;SZ[4]RU[Chinese]KM[0])");
    let proof = |margin: i32| json!({"game": game, "node": 0, "color": "black", "margin": margin});
    host.ask("proof.find", proof(1));
    assert!(matches!(host.jobs[0].kind, JobKind::Proof { .. }));
    host.ask("proof.find", proof(0));
    let refused = |host: &mut Host| host.answers.pop().unwrap().unwrap_err().code;
    assert_eq!(refused(&mut host), Code::Cancelled);
    assert_eq!(host.jobs.len(), 1);
    host.ask("proof.stop", json!({}));
    assert_eq!(refused(&mut host), Code::Cancelled);
    assert!(host.jobs.is_empty());
}

#[test]
fn large_boards_impossible_margins_and_illegal_moves_are_refused() {
    let mut host = Host::new(RoomSettings::default());
    let game = open(&mut host, "(;SZ[9])");
    let proof = json!({"game": game, "node": 0, "color": "black", "margin": 5});
    for method in ["proof.find", "proof.walk"] {
        let refusal = host.call(1, method, proof.clone()).unwrap_err();
        assert_eq!(refusal.code, Code::Limit);
    }
    let game = open(&mut host, "(;SZ[3])");
    let proof = json!({"game": game, "node": 0, "color": "black", "margin": 10});
    assert_eq!(
        host.call(1, "proof.find", proof.clone()).unwrap_err().code,
        Code::InvalidParams
    );
    let twice = with(&proof, &["A1", "A1"]);
    assert_eq!(
        host.call(1, "proof.walk", twice).unwrap_err().code,
        Code::IllegalMove
    );
}
