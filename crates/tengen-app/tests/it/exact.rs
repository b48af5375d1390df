//! What is proven about small boards, as viewers see it.

use serde_json::{Value, json};
use tengen_app::{JobKind, Portion, Report, RoomSettings, Work};
use tengen_search::{Engine, Options, Stop};

use crate::host::Host;

fn host() -> Host {
    Host::new(RoomSettings::default())
}

/// Carries out the oldest job, and returns how many portions it took.
fn work(host: &mut Host) -> usize {
    let mut engine = Engine::new(Options {
        threads: 1,
        memory: 4 << 20,
        ..Options::default()
    });
    let mut work = Work::new(host.jobs[0].clone());
    let mut portions = 0;
    while !work.is_done() {
        let mut reports = Vec::new();
        let mut keep = |report| reports.push(report);
        work.step(&mut engine, Portion::default(), &Stop::new(), &mut keep);
        for report in reports {
            assert!(host.report(work.job().id, report));
        }
        portions += 1;
    }
    portions
}

fn open(host: &mut Host, sgf: &str) -> Value {
    host.ask("games.open", json!({"text": sgf}))["games"][0]["id"].clone()
}

/// The events that a viewer got since somebody looked.
fn heard(host: &mut Host, viewer: u64) -> Vec<Value> {
    let events = std::mem::take(&mut host.events).into_iter();
    let to_viewer =
        events.filter(|(viewers, event)| viewers.contains(&viewer) && event["event"] == "exact");
    to_viewer.map(|(_, event)| event).collect()
}

/// What is told in the end about a position of a record.
fn found(host: &mut Host, sgf: &str, node: u32) -> Value {
    let game = open(host, sgf);
    host.ask("exact.watch", json!({"game": game, "node": node}));
    work(host);
    heard(host, 1).pop().unwrap()
}

fn of_move<'a>(event: &'a Value, action: &str) -> &'a Value {
    let mut moves = event["moves"].as_array().unwrap().iter();
    moves.find(|one| one["move"] == action).unwrap()
}

#[test]
fn the_centre_of_three_by_three_wins_everything() {
    let mut host = host();
    let last = &found(&mut host, "(;SZ[3]RU[Chinese]KM[0])", 0);
    assert_eq!(
        (&last["lower"], &last["upper"], &last["complete"]),
        (&json!(9), &json!(9), &json!(true))
    );
    assert_eq!(
        (&last["done"], &last["more"]),
        (&json!(true), &json!(false))
    );
    assert_eq!(last["ko_rules"].as_array().unwrap().len(), 3);
    assert_eq!(last["ignored"], json!([]));
    assert_eq!(last["moves"].as_array().unwrap().len(), 10);
    assert_eq!(
        *of_move(last, "B2"),
        json!({"move": "B2", "lower": 9, "upper": 9, "complete": true, "best": true})
    );
    assert_eq!(
        *of_move(last, "A2"),
        json!({"move": "A2", "lower": 3, "upper": 9, "complete": true, "best": false})
    );
    assert!(host.jobs.is_empty());

    // The same position again, for somebody else and in another game, needs no search.
    let again = open(&mut host, "(;SZ[3]RU[Chinese]KM[4])");
    host.call(2, "exact.watch", json!({"game": again, "node": 0}))
        .unwrap();
    assert!(host.jobs.is_empty());
    let [known] = <[Value; 1]>::try_from(heard(&mut host, 2)).unwrap();
    assert_eq!((&known["moves"], &known["game"]), (&last["moves"], &again));
}

#[test]
fn what_is_not_finished_is_told_as_an_interval_and_goes_on_when_asked() {
    let mut settings = RoomSettings::default();
    settings.effort.exact_nodes = 20_000;
    settings.limits.exact_nodes = 100_000;
    let mut host = Host::new(settings);
    let game = open(&mut host, "(;SZ[4]RU[Chinese]KM[0])");
    let watch = json!({"game": game, "node": 0});
    host.ask("exact.watch", watch.clone());
    assert!(work(&mut host) > 1);
    let events = heard(&mut host, 1);
    let (last, before) = events.split_last().unwrap();
    assert!(
        before
            .iter()
            .all(|event| event["done"] == false && event["more"] == false)
    );
    assert_eq!(
        (&last["complete"], &last["done"], &last["more"]),
        (&json!(false), &json!(true), &json!(true))
    );
    assert_eq!((&last["lower"], &last["upper"]), (&json!(-16), &json!(16)));

    // Whoever only looks is told what is known; whoever wants more has it searched.
    host.ask("exact.watch", watch);
    assert!(host.jobs.is_empty());
    heard(&mut host, 1);
    let more = json!({"game": game, "node": 0, "more": true});
    host.ask("exact.watch", more.clone());
    assert_eq!(host.jobs[0].kind, JobKind::Exact { nodes: 80_000 });
    let told = heard(&mut host, 1);
    assert_eq!((told.len(), &told[0]["done"]), (1, &json!(false)));
    work(&mut host);
    heard(&mut host, 1);
    host.ask("exact.watch", more.clone());
    assert_eq!(host.jobs[0].kind, JobKind::Exact { nodes: 100_000 });
    work(&mut host);
    let events = heard(&mut host, 1);
    assert_eq!(
        events.last().unwrap()["more"],
        false,
        "the limit is reached"
    );
    host.ask("exact.watch", more);
    assert!(host.jobs.is_empty());
}

#[test]
fn the_superko_rule_of_the_game_decides() {
    let mut host = host();
    for (rules, expected) in [
        (
            "Chinese",
            json!({"ko": "positional", "lower": 1, "upper": 1}),
        ),
        ("Japanese", Value::Null),
    ] {
        let game = open(&mut host, &format!("(;SZ[2]RU[{rules}]KM[0])"));
        host.ask("exact.watch", json!({"game": game, "node": 0}));
        work(&mut host);
        let events = heard(&mut host, 1);
        let last = events.last().unwrap();
        assert_eq!(
            (&last["lower"], &last["upper"], &last["complete"]),
            (&json!(-4), &json!(4), &json!(true))
        );
        assert_eq!(last["rule"], expected, "{rules}");
        let ignored = if rules == "Japanese" {
            json!(["territory"])
        } else {
            json!([])
        };
        assert_eq!(last["ignored"], ignored);
    }
}

#[test]
fn a_pass_before_and_moves_that_the_history_forbids_are_known() {
    let mut host = host();
    // Black owns the board, and White has passed: so another pass wins it.
    let last = &found(
        &mut host,
        "(;SZ[3]RU[Chinese]KM[0]AB[ab][bb][cb]PL[W];W[])",
        1,
    );
    assert_eq!(
        *of_move(last, "pass"),
        json!({"move": "pass", "lower": 9, "upper": 9, "complete": true, "best": true})
    );
    assert_eq!(last["ignored"], json!([]));

    // Black takes two, White takes one back, and Black may not make the board that was there.
    let sgf = "(;SZ[4:3]RU[Chinese]KM[0]AB[ab][bb][ca]AW[ba][cb][db][da];W[aa];B[ca])";
    let game = open(&mut host, sgf);
    host.ask("exact.watch", json!({"game": game, "node": 1}));
    work(&mut host);
    let events = heard(&mut host, 1);
    assert_eq!(events.last().unwrap()["ignored"], json!(["history"]));
    let view = host.ask("game.view", json!({"game": game, "node": 1}));
    let illegal: Vec<&Value> = view["illegal"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| &one["point"])
        .collect();
    for one in events.last().unwrap()["moves"].as_array().unwrap() {
        assert!(!illegal.contains(&&one["move"]), "{one}");
    }
}

#[test]
fn large_boards_and_too_many_searches_are_refused() {
    let mut settings = RoomSettings::default();
    settings.limits.exact_searches = 1;
    let mut host = Host::new(settings);
    let large = open(&mut host, "(;SZ[6])");
    let refusal = host
        .call(1, "exact.watch", json!({"game": large, "node": 0}))
        .unwrap_err();
    assert_eq!(
        refusal.data,
        json!({"what": "points_of_an_exact_board", "limit": 25})
    );
    let about = host.ask("about", json!({}));
    assert_eq!(about["limits"]["points_of_an_exact_board"], 25);
    assert_eq!(about["features"]["exact"], true);

    let small = open(&mut host, "(;SZ[4])");
    let watch = json!({"game": small, "node": 0});
    host.ask("exact.watch", watch.clone());
    let refusal = host.call(2, "exact.watch", watch.clone()).unwrap_err();
    assert_eq!(refusal.data["what"], "exact_searches");
    // A viewer's next question takes the place of the former.
    host.ask("exact.watch", watch.clone());
    assert_eq!((host.jobs.len(), host.cancelled.len()), (1, 1));
    // Who is gone wants nothing.
    host.leave(1);
    assert!(host.jobs.is_empty());
    host.call(2, "exact.watch", watch).unwrap();
    host.call(2, "exact.stop", json!({})).unwrap();
    assert!(host.jobs.is_empty());
}

#[test]
fn a_position_that_is_gone_and_a_failure_are_told() {
    let mut host = host();
    let game = open(&mut host, "(;SZ[4];B[bb];W[cc])");
    host.ask("exact.watch", json!({"game": game, "node": 2}));
    host.ask(
        "game.edit",
        json!({"game": game, "node": 2, "edits": [{"do": "remove"}]}),
    );
    let [gone] = <[Value; 1]>::try_from(heard(&mut host, 1)).unwrap();
    assert_eq!((&gone["node"], &gone["done"]), (&json!(2), &json!(true)));
    assert!(gone["failed"].is_string() && host.jobs.is_empty());

    host.ask("exact.watch", json!({"game": game, "node": 1}));
    let job = host.jobs[0].id;
    host.report(job, Report::Failed("no luck".to_owned()));
    let [failed] = <[Value; 1]>::try_from(heard(&mut host, 1)).unwrap();
    assert_eq!(failed["failed"], "no luck");
}
