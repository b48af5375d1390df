//! Whole games with the real engine.

use serde_json::{Value, json};
use tengen_app::{Code, Finding, Portion, Report, RoomSettings, Work};
use tengen_search::{Engine, Level, Options, Stop};

use crate::host::Host;

fn engine() -> Engine {
    Engine::new(Options {
        threads: 1,
        memory: 16 << 20,
        ..Options::default()
    })
}

/// Carries out the oldest job, in portions.
fn work(host: &mut Host, engine: &mut Engine) {
    let portion = Portion {
        visits: Some(40),
        ..Portion::default()
    };
    let mut work = Work::new(host.jobs[0].clone());
    while !work.is_done() {
        let mut reports = Vec::new();
        let mut keep = |report| reports.push(report);
        work.step(engine, portion, &Stop::new(), &mut keep);
        for report in reports {
            assert!(host.report(work.job().id, report));
        }
    }
}

#[test]
fn every_level_is_offered_with_its_rank() {
    let mut host = Host::new(RoomSettings::default());
    let offered = host.ask("about", json!({}))["levels"].clone();
    let level = |level: Level| json!({"level": level.number(), "rank": level.skill().rank});
    let levels: Vec<Value> = Level::all().map(level).collect();
    assert_eq!(offered, json!(levels));
}

#[test]
fn two_engines_play_a_game_to_its_count() {
    let mut host = Host::new(RoomSettings::default());
    let (weak, strong) = (
        json!({"kind": "engine", "level": 1}),
        json!({"kind": "engine", "level": 3}),
    );
    let params =
        json!({"width": 5, "height": 5, "rules": "chinese", "black": strong, "white": weak});
    let game = host.ask("games.new", params)["id"].clone();
    host.ask("watch", json!({"game": game}));
    let mut engine = engine();
    let mut moves = 0;
    while !host.jobs.is_empty() {
        work(&mut host, &mut engine);
        moves += 1;
        assert!(moves < 300, "the game does not end");
    }
    let sheet = host.ask("game.get", json!({"game": game}));
    assert_eq!(sheet["phase"], "finished");
    let record = host.room.sgf(game.as_str().unwrap()).unwrap();
    let result = sheet["result"]["text"].as_str().unwrap();
    assert!(record.contains(&format!("RE[{result}]")), "{record}");
}

#[test]
fn the_engine_proposes_what_is_dead() {
    let mut host = Host::new(RoomSettings::default());
    let person = json!({"kind": "person"});
    let position = ".X.XO..\nXXXXO.O\n.X.XOO.\nXXXXO.O\n.O.XOO.\nXXXXO..\n.X.XOO.";
    let params = json!({"rules": "japanese", "komi": 0.5, "position": position, "black": person, "white": person});
    let game = host.ask("games.new", params)["id"].clone();
    for node in 0..2 {
        host.ask(
            "game.play",
            json!({"game": game, "node": node, "move": "pass"}),
        );
    }
    work(&mut host, &mut engine());
    let sheet = host.ask("game.get", json!({"game": game}));
    assert_eq!(sheet["dead"], json!(["B3"]));
    assert_eq!(sheet["thinking"], false);
    // The dead stone's point is territory, too, and what is between the two is nobody's.
    let black = sheet["territory"]["black"].as_array().unwrap();
    assert!(black.contains(&json!("B3")) && black.contains(&json!("A7")));
    assert_eq!(
        black.len() as u64,
        sheet["score"]["black"]["territory"].as_u64().unwrap()
    );
    let white = sheet["territory"]["white"].as_array().unwrap();
    assert_eq!(
        white.len() as u64,
        sheet["score"]["white"]["territory"].as_u64().unwrap()
    );
}

#[test]
fn a_move_that_lets_a_group_live_is_judged_as_a_loss() {
    let mut host = Host::new(RoomSettings::default());
    // E3 is the middle of White's three points: there Black kills, and after E4 White lives.
    let position = ".XXOO\nXXXO.\nX.XO.\nXXXO.\nXXXOO";
    let person = json!({"kind": "person"});
    let params = json!({"rules": "chinese", "komi": 0.5, "position": position, "black": person, "white": person});
    let game = host.ask("games.new", params)["id"].clone();
    let mut engine = engine();
    for point in ["E3", "E4"] {
        host.ask(
            "review.judge",
            json!({"game": game, "node": 0, "move": point}),
        );
        work(&mut host, &mut engine);
    }
    let refused = host.call(
        1,
        "review.judge",
        json!({"game": game, "node": 0, "move": "A1"}),
    );
    assert_eq!(refused.unwrap_err().code, Code::IllegalMove);
    let answers = std::mem::take(&mut host.answers);
    let [killing, sparing]: [Value; 2] = answers
        .into_iter()
        .map(Result::unwrap)
        .collect::<Vec<_>>()
        .try_into()
        .unwrap();
    assert_eq!(sparing["move"], "E4");
    let lost = |judged: &Value| judged["lost"].as_f64().unwrap();
    assert!(lost(&killing) < 1.0, "{killing}");
    assert!(lost(&sparing) > 5.0, "{sparing}");
    assert!(sparing["lead"].as_f64() < killing["lead"].as_f64());
    assert_eq!(sparing["best"], "E3");
    assert_eq!(sparing["best_pv"][0], sparing["best"]);
}

#[test]
fn every_question_is_answered() {
    let mut host = Host::new(RoomSettings::default());
    host.settings.effort.hint_visits = 100;
    host.restart();
    let opened = host.ask(
        "games.open",
        json!({"text": "(;SZ[5]KM[0.5];B[cc];W[bb];B[cb])"}),
    );
    let game = opened["games"][0]["id"].clone();
    let mut engine = engine();
    host.ask("game.hint", json!({"game": game}));
    work(&mut host, &mut engine);
    host.ask("game.estimate", json!({"game": game, "node": 1}));
    work(&mut host, &mut engine);
    let answers = std::mem::take(&mut host.answers);
    let [hint, estimate]: [Value; 2] = answers
        .into_iter()
        .map(Result::unwrap)
        .collect::<Vec<_>>()
        .try_into()
        .unwrap();
    assert!(hint["visits"].as_u64().unwrap() >= 100);
    assert_eq!(hint["pv"][0], hint["move"]);
    assert_eq!(estimate["ownership"].as_array().unwrap().len(), 25);
    host.ask(
        "analysis.watch",
        json!({"game": game, "node": 2, "max_visits": 100}),
    );
    work(&mut host, &mut engine);
    // Portions of forty: two reports on the way and one at the end.
    assert_eq!(host.events.len(), 3);
    let last = &host.events[2].1;
    assert_eq!(
        (last["done"].as_bool(), last["node"].as_u64()),
        (Some(true), Some(2))
    );
    host.ask("review.start", json!({"game": game, "visits": 30}));
    while !host.jobs.is_empty() {
        work(&mut host, &mut engine);
    }
    let review = host.ask("review.get", json!({"game": game}));
    assert_eq!(review["nodes"].as_array().unwrap().len(), 4);
}

#[test]
fn the_best_move_of_a_review_loses_nothing() {
    let reviewed = |text: &str, visits: u32| {
        let mut engine = engine();
        let mut host = Host::new(RoomSettings::default());
        let opened = host.ask("games.open", json!({ "text": text }));
        let game = opened["games"][0]["id"].clone();
        host.ask("review.start", json!({"game": game, "visits": visits}));
        while !host.jobs.is_empty() {
            work(&mut host, &mut engine);
        }
        host.ask("review.get", json!({ "game": game }))["nodes"].clone()
    };
    let empty = reviewed("(;SZ[5])", 30);
    let best = empty[0]["best"].as_str().unwrap();
    let column = best[..1].to_lowercase();
    let row = char::from(b'a' + 5 - best[1..].parse::<u8>().unwrap());
    let played = reviewed(&format!("(;SZ[5];B[{column}{row}])"), 30);
    let next = &played[0]["next"];
    assert!(next["lost"].as_f64().unwrap() == 0.0, "{next}");
    // A stone in the corner is worse than that, by more than the noise.
    let corner = reviewed("(;SZ[5];B[aa])", 400);
    let [lost, error] = ["lost", "lost_error"].map(|key| corner[0]["next"][key].as_f64().unwrap());
    assert!(lost > 2.0 * error && error > 0.0, "{lost} ± {error}");
}

#[test]
fn a_job_that_is_stopped_reports_nothing_and_what_comes_late_is_ignored() {
    let mut host = Host::new(RoomSettings::default());
    let opened = host.ask("games.open", json!({"text": "(;SZ[9])"}));
    let game = opened["games"][0]["id"].clone();
    host.ask(
        "analysis.watch",
        json!({"game": game, "node": 0, "max_visits": 100_000}),
    );
    let job = host.jobs[0].clone();
    host.ask("analysis.stop", json!({}));
    assert_eq!(host.cancelled, [job.id]);
    let stop = Stop::new();
    stop.stop();
    let mut work = Work::new(job.clone());
    work.finish(&mut engine(), &stop, &mut |report| panic!("{report:?}"));
    assert!(work.is_done());
    let late = crate::host::analysis(&job, 10, 0.5, 0.0, &["E5"]);
    assert!(!host.report(job.id, Report::Progress(Box::new(late.clone()))));
    assert!(!host.report(job.id, Report::Done(Finding::Analysis(Box::new(late)))));
    assert!(host.events.is_empty());
}
