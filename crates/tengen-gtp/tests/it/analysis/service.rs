//! What answers mean, in which order they come, and what ends them.

use std::io::{self, BufRead, BufReader, PipeReader, PipeWriter, Write};
use std::thread::{self, JoinHandle};

use serde_json::{Value, json};
use tengen_gtp::analysis::{AnalysisSettings, AtEnd, serve};
use tengen_search::Judge;

use super::conversation::{converse, settings};

fn query(id: &str, more: &Value) -> String {
    let mut query = json!({
        "id": id, "moves": [], "rules": "chinese", "boardXSize": 7, "boardYSize": 7, "maxVisits": 300,
    });
    for (key, value) in more.as_object().unwrap() {
        query[key] = value.clone();
    }
    query.to_string()
}

fn answers_to(queries: &[String]) -> Vec<Value> {
    converse(&queries.join("\n"), &settings())
}

fn answer_to(more: &Value) -> Value {
    let mut answers = answers_to(&[query("q", more)]);
    assert_eq!(answers.len(), 1, "{answers:#?}");
    answers.remove(0)
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value}"))
}

#[test]
fn the_same_query_finds_the_same() {
    let queries = ["a", "b", "a"].map(|id| {
        query(
            id,
            &json!({"moves": [["B", "D4"], ["W", "C3"]], "includeOwnership": true}),
        )
    });
    let answers = answers_to(&queries);
    assert_eq!(answers[0], answers[2]);
    assert_eq!(answers[0]["moveInfos"], answers[1]["moveInfos"]);
    assert_eq!(answers[0]["ownership"], answers[1]["ownership"]);
}

#[test]
fn numbers_are_seen_from_the_side_that_was_asked_for() {
    let moves = json!([["B", "D4"], ["W", "C3"], ["B", "E3"]]);
    let seen = |side: &str| {
        answer_to(&json!({
            "moves": moves, "includeOwnership": true,
            "overrideSettings": {"reportAnalysisWinratesAs": side},
        }))
    };
    let [black, white, mover] = ["BLACK", "WHITE", "SIDETOMOVE"].map(seen);
    // White is to move.
    assert_eq!(white, mover);
    let near = |a: f64, b: f64| (a - b).abs() < 1e-5;
    for (one, other) in [
        (&black["rootInfo"], &white["rootInfo"]),
        (&black["moveInfos"][0], &white["moveInfos"][0]),
    ] {
        assert!(near(
            number(&one["winrate"]),
            1.0 - number(&other["winrate"])
        ));
        assert!(near(
            number(&one["utility"]),
            2.0 * number(&one["winrate"]) - 1.0
        ));
        for field in ["scoreLead", "utility", "scoreSelfplay"] {
            assert!(near(number(&one[field]), -number(&other[field])), "{field}");
        }
        assert_eq!(one["scoreStdev"], other["scoreStdev"]);
    }
    let best = |answer: &Value| answer["moveInfos"][0].clone();
    assert!(near(
        number(&best(&black)["lcb"]),
        1.0 - number(&best(&white)["lcb"])
    ));
    assert_eq!(best(&black)["scoreMean"], best(&black)["scoreLead"]);
    let owners = |answer: &Value| {
        let owners = answer["ownership"].as_array().unwrap().iter();
        owners.map(number).collect::<Vec<f64>>()
    };
    for (one, other) in owners(&black).into_iter().zip(owners(&white)) {
        assert!(near(one, -other));
    }
    // Nothing but Black's side is the default.
    assert_eq!(
        answer_to(&json!({"moves": moves, "includeOwnership": true})),
        black
    );
}

#[test]
fn moves_come_best_first_and_visits_add_up() {
    let answer = answer_to(&json!({"includePVVisits": true, "analysisPVLen": 2}));
    let moves = answer["moveInfos"].as_array().unwrap();
    let mut sum = 0;
    for (order, found) in moves.iter().enumerate() {
        assert_eq!(found["order"], order);
        assert_eq!(found["pv"][0], found["move"]);
        assert!(found["pv"].as_array().unwrap().len() <= 3);
        assert_eq!(
            found["pv"].as_array().unwrap().len(),
            found["pvVisits"].as_array().unwrap().len()
        );
        let visits = found["visits"].as_u64().unwrap();
        assert!(visits > 0);
        assert_eq!(found["edgeVisits"], visits);
        sum += visits;
    }
    assert!(sum > 0 && sum <= answer["rootInfo"]["visits"].as_u64().unwrap());
}

#[test]
fn policy_tells_legal_moves_from_others() {
    let answer = answer_to(&json!({
        "includePolicy": true,
        "initialStones": [["B", "A7"], ["W", "B5"], ["W", "A6"], ["W", "C6"]],
        "moves": [["W", "B7"], ["B", "D2"], ["W", "F2"]],
    }));
    let policy: Vec<f64> = answer["policy"]
        .as_array()
        .unwrap()
        .iter()
        .map(number)
        .collect();
    assert_eq!(policy.len(), 50);
    // White has captured in the corner, and B6 is surrounded: Black may play there no more than on a stone.
    for illegal in [1, 8, 7, 9, 15] {
        assert_eq!(policy[illegal], -1.0, "{policy:?}");
    }
    assert!(policy[20] >= 0.0 && policy[49] >= 0.0);
    let sum: f64 = policy.iter().filter(|prior| **prior > 0.0).sum();
    assert!((0.5..=1.001).contains(&sum), "{sum}");
}

#[test]
fn avoided_moves_are_not_searched_and_others_not_beside_allowed_ones() {
    let found = |more: &Value| -> Vec<String> {
        let answer = answer_to(more);
        let moves = answer["moveInfos"].as_array().unwrap().iter();
        moves
            .map(|found| found["move"].as_str().unwrap().to_owned())
            .collect()
    };
    let free = found(&json!({}));
    assert!(free.len() > 3);
    let avoid = &free[..3];
    let avoided = found(&json!({
        "avoidMoves": [{"player": "B", "moves": avoid, "untilDepth": 1}]
    }));
    assert!(!avoided.is_empty());
    assert!(avoid.iter().all(|action| !avoided.contains(action)));
    let allow = json!([
        {"player": "B", "moves": ["C3", "pass"], "untilDepth": 1},
        {"player": "W", "moves": ["D4"], "untilDepth": 1},
    ]);
    let mut allowed = found(&json!({"allowMoves": allow}));
    allowed.sort();
    assert!(!allowed.is_empty());
    assert!(
        allowed
            .iter()
            .all(|action| action == "C3" || action == "pass")
    );
}

/// A service at the other end of pipes.
struct Dialogue {
    input: Option<PipeWriter>,
    output: BufReader<PipeReader>,
    service: JoinHandle<io::Result<()>>,
}

impl Dialogue {
    fn start(settings: AnalysisSettings) -> Self {
        let (from_us, input) = io::pipe().unwrap();
        let (output, to_us) = io::pipe().unwrap();
        let service = thread::spawn(move || {
            serve(BufReader::new(from_us), to_us, &settings, &Judge::default())
        });
        Self {
            input: Some(input),
            output: BufReader::new(output),
            service,
        }
    }

    fn say(&mut self, line: &str) {
        let input = self.input.as_mut().unwrap();
        writeln!(input, "{line}").unwrap();
    }

    fn hear(&mut self) -> Value {
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line:?}"))
    }

    /// The next line that is no report of a search that goes on.
    fn hear_end(&mut self) -> Value {
        loop {
            let answer = self.hear();
            if answer["isDuringSearch"] != true {
                return answer;
            }
        }
    }

    /// Starts a search that only a word from us ends.
    fn occupy(&mut self, id: &str) {
        self.say(&query(
            id,
            &json!({
                "maxVisits": 1_u64 << 50, "boardXSize": 19, "boardYSize": 19,
                "reportDuringSearchEvery": 0.01,
            }),
        ));
        let first = self.hear();
        assert_eq!(
            (&first["id"], &first["isDuringSearch"]),
            (&json!(id), &json!(true))
        );
        assert!(number(&first["rootInfo"]["visits"]) > 0.0);
    }

    fn end(mut self) -> Vec<Value> {
        drop(self.input.take());
        let mut rest = Vec::new();
        for line in self.output.lines() {
            rest.push(serde_json::from_str(&line.unwrap()).unwrap());
        }
        self.service.join().unwrap().unwrap();
        rest
    }
}

fn name(answer: &Value) -> String {
    format!("{}{}", answer["id"].as_str().unwrap(), answer["turnNumber"])
}

#[test]
fn the_urgent_are_served_first_and_termination_reaches_all() {
    let mut dialogue = Dialogue::start(settings());
    dialogue.occupy("long");
    let moves = json!([["B", "D4"], ["W", "C3"]]);
    dialogue.say(&query(
        "a",
        &json!({"moves": moves, "analyzeTurns": [0, 1, 2]}),
    ));
    dialogue.say(&query("b", &json!({"priority": 2})));
    dialogue.say(&query(
        "c",
        &json!({"moves": moves, "analyzeTurns": [0, 1], "priorities": [3, -1]}),
    ));
    dialogue.say(&query("d", &json!({"priority": 2})));
    // A part of a query that waits has no results, and the rest of it stays.
    dialogue.say(r#"{"id":"t1","action":"terminate","terminateId":"a","turnNumbers":[1]}"#);
    let ended = dialogue.hear_end();
    assert_eq!(
        ended,
        json!({"id": "a", "turnNumber": 1, "isDuringSearch": false, "noResults": true})
    );
    assert_eq!(
        dialogue.hear_end(),
        json!({"id": "t1", "action": "terminate", "terminateId": "a", "turnNumbers": [1]})
    );
    // The one that runs ends with what it has found.
    dialogue.say(r#"{"id":"t2","action":"terminate","terminateId":"long"}"#);
    let mut order = Vec::new();
    for _ in 0..2 {
        let answer = dialogue.hear_end();
        if answer["id"] == "long" {
            assert_eq!(answer["isDuringSearch"], false);
            assert!(number(&answer["rootInfo"]["visits"]) > 0.0);
            assert_eq!(answer["noResults"], Value::Null);
        } else {
            assert_eq!(answer["id"], "t2");
        }
    }
    for _ in 0..6 {
        order.push(name(&dialogue.hear_end()));
    }
    assert_eq!(order, ["c0", "b0", "d0", "a0", "a2", "c1"]);
    assert!(dialogue.end().is_empty());
}

#[test]
fn everything_can_be_terminated() {
    let mut dialogue = Dialogue::start(settings());
    dialogue.occupy("long");
    dialogue.say(&query("a", &json!({})));
    dialogue.say(r#"{"id":"t","action":"terminate_all"}"#);
    let heard = [0; 3].map(|_| dialogue.hear_end());
    let ids: Vec<&str> = heard.iter().map(|it| it["id"].as_str().unwrap()).collect();
    for id in ["a", "t", "long"] {
        assert!(ids.contains(&id), "{ids:?}");
    }
    // Queries that come after are served as ever.
    dialogue.say(&query("b", &json!({})));
    assert_eq!(name(&dialogue.hear_end()), "b0");
    assert!(dialogue.end().is_empty());
}

#[test]
fn a_second_position_does_not_wait_for_one_that_ponders() {
    let mut two = settings();
    two.positions = 2;
    let mut dialogue = Dialogue::start(two);
    dialogue.occupy("ponder");
    dialogue.say(&query("quick", &json!({})));
    assert_eq!(name(&dialogue.hear_end()), "quick0");
    dialogue.say(r#"{"id":"t","action":"terminate_all"}"#);
    let rest: Vec<Value> = dialogue.end();
    let ends = rest.iter().filter(|it| it["isDuringSearch"] == false);
    assert_eq!(ends.count(), 1);
}

#[test]
fn what_is_open_at_the_end_is_finished_or_given_up() {
    let queries: Vec<String> = (0..20)
        .map(|number| query(&format!("q{number}"), &json!({"maxVisits": 20})))
        .collect();
    assert_eq!(answers_to(&queries).len(), 20);
    let mut hasty = settings();
    hasty.at_end = AtEnd::Abandon;
    let mut dialogue = Dialogue::start(hasty);
    dialogue.occupy("long");
    dialogue.say(&query("a", &json!({})));
    let rest = dialogue.end();
    assert!(
        rest.iter().all(|it| it["isDuringSearch"] == true),
        "{rest:?}"
    );
}

#[test]
fn an_output_that_is_gone_ends_the_service() {
    struct Gone;
    impl Write for Gone {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::ErrorKind::BrokenPipe.into())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    // The client still has our input open, and says nothing more.
    let (from_us, mut input) = io::pipe().unwrap();
    writeln!(
        input,
        "{}",
        query("long", &json!({"maxVisits": 1_u64 << 50}))
    )
    .unwrap();
    writeln!(input, "nonsense").unwrap();
    let error = serve(
        BufReader::new(from_us),
        Gone,
        &settings(),
        &Judge::default(),
    )
    .unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::BrokenPipe);
    drop(input);
}

#[test]
fn a_client_may_say_everything_before_it_listens() {
    // More answers than a pipe holds.
    let queries: String = (0..3000)
        .map(|number| {
            let note = "x".repeat(100);
            format!("{{\"id\":\"{number}\",\"action\":\"clear_cache\",\"note\":\"{note}\"}}\n")
        })
        .collect();
    let mut dialogue = Dialogue::start(settings());
    dialogue.say(&queries);
    assert_eq!(dialogue.end().len(), 3000);
}
