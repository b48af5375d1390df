//! What both protocols say about a network, with one that has its answers ready.

use std::io::{self, Write};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};
use tengen_core::{ByColor, Game, Move, Symmetry};
use tengen_gtp::analysis::{AnalysisSettings, People, QueryDefaults, Role};
use tengen_gtp::gtp::{GtpSettings, Session};
use tengen_search::{Evaluation, Evaluator, Judge, Leaf, Model, Raw, RawQuery};

/// Says what it was told to say, and how it was asked in the lead.
struct Oracle;

impl Evaluator for Oracle {
    fn begin(&mut self, _: &Game, _: u64) {}

    fn evaluate(&mut self, leaves: &mut [Leaf]) {
        for leaf in leaves {
            let legal = leaf.game.legal_moves();
            let moves = legal.iter().map(Move::Play).chain([Move::Pass]);
            let share = 1.0 / (legal.len() + 1) as f32;
            leaf.evaluation = Evaluation {
                black_wins: 0.5,
                black_lead: 0.0,
                lead_spread: 0.0,
                ownership: vec![0.0; leaf.game.size().area()],
                priors: moves.map(|action| (action, share)).collect(),
                later: Vec::new(),
            };
        }
    }

    fn raw(&mut self, game: &Game, query: &RawQuery) -> Option<Raw> {
        if game.size().area() > 49 {
            return None;
        }
        let legal = game.legal_moves();
        let points = game.size().points();
        let policy = points
            .iter()
            .map(|point| legal.contains(point).then_some(0.125));
        let asked = query.symmetry.map_or(0, Symmetry::number);
        Some(Raw {
            wins: ByColor::new(0.25, 0.625),
            no_result: 0.125,
            black_lead: f32::from(asked) + query.optimism.unwrap_or(0.0),
            black_score: Some(-3.0),
            score_spread: Some(4.0),
            time_left: None,
            win_error: Some(0.5),
            score_error: None,
            policy: policy.chain([Some(0.5)]).collect(),
            ownership: points
                .iter()
                .map(|point| f32::from(point.x()) / 8.0)
                .collect(),
        })
    }

    fn models(&self) -> Vec<Model> {
        vec![Model {
            name: "delphi".to_owned(),
            version: 14,
            batch: 1,
            imitates: true,
        }]
    }
}

fn judge() -> Judge {
    Judge::new("oracle", |_| Box::new(Oracle))
}

fn session(size: &str) -> Session {
    let mut settings = GtpSettings::default();
    for (key, value) in [("size", size), ("visits", "20"), ("threads", "1")] {
        settings.set(key, value).unwrap();
    }
    Session::with_judge(settings, judge())
}

/// The value behind a key.
fn value<'a>(reply: &'a str, key: &str) -> &'a str {
    let mut words = reply.split_whitespace().skip_while(|word| *word != key);
    words.nth(1).unwrap()
}

#[test]
fn raw_outputs_have_katagos_keys_and_whites_view() {
    let mut session = session("3x2");
    session.answer("play b B2").unwrap();
    let reply = session.answer("kata-raw-nn 0").unwrap();
    let expected = "= symmetry 0\nwhiteWin 0.625000\nwhiteLoss 0.250000\nnoResult 0.125000\nwhiteLead 0.000\n\
        whiteScoreSelfplay 3.000\nwhiteScoreSelfplaySq 25.000\nvarTimeLeft -1.000\nshorttermWinlossError 0.500\n\
        shorttermScoreError -1.000\npolicy\n0.125000      NAN 0.125000\n0.125000 0.125000 0.125000\n\
        policyPass 0.500000\nwhiteOwnership\n0.0000000 -0.1250000 -0.2500000\n0.0000000 -0.1250000 -0.2500000\n\n";
    assert_eq!(reply, expected);
}

#[test]
fn a_network_that_imitates_people_has_a_command_of_its_own() {
    let mut people = session("3");
    assert_eq!(
        people.answer("kata-raw-human-nn 2").unwrap(),
        people.answer("kata-raw-nn 2").unwrap()
    );
    let mut nobody = Session::new(GtpSettings::default());
    let reply = nobody.answer("kata-raw-human-nn 0").unwrap();
    assert_eq!(reply, "? no network imitates people\n\n");
}

#[test]
fn symmetries_are_numbered_as_katago_does() {
    let mut square = session("3");
    // Bit 0 is KataGo's mirror of top and bottom, which is bit 1 here.
    for (asked, ours) in [
        ("1", "-2.000"),
        ("2", "-1.000"),
        ("5", "-6.000"),
        ("7 1", "-8.000"),
    ] {
        let reply = square.answer(&format!("kata-raw-nn {asked}")).unwrap();
        assert_eq!(value(&reply, "whiteLead"), ours, "{asked}");
    }
    let all = square.answer("kata-raw-nn w all").unwrap();
    assert_eq!(all.matches("symmetry ").count(), 8);
    let mut rectangle = session("3x2");
    let all = rectangle.answer("kata-raw-nn all 0.5").unwrap();
    assert_eq!(all.matches("symmetry ").count(), 4);
    for (line, problem) in [
        (
            "kata-raw-nn 4",
            "? symmetry 4 turns the board into one of another shape",
        ),
        ("kata-raw-nn", "? syntax error"),
        ("kata-raw-nn 8", "? syntax error"),
        ("kata-raw-nn x 0", "? syntax error"),
        ("kata-raw-nn 0 2", "? optimism is 0 to 1"),
        ("kata-raw-nn 0 x", "? syntax error"),
    ] {
        assert_eq!(
            rectangle.answer(line).unwrap().trim_end(),
            problem,
            "{line}"
        );
    }
    let refused = session("9").answer("kata-raw-nn 0").unwrap();
    assert_eq!(
        refused.trim_end(),
        "? no network judges boards of this size"
    );
}

#[test]
fn models_are_listed_in_both_protocols() {
    let expected = json!([{
        "name": "oracle", "internalName": "delphi", "maxBatchSize": 1, "usesHumanSLProfile": true,
        "version": 14, "usingFP16": "false",
    }]);
    let reply = session("5").answer("kata-get-models").unwrap();
    let models: Value = serde_json::from_str(reply.strip_prefix("= ").unwrap()).unwrap();
    assert_eq!(models, expected);
    let answers = ask(&json!({"id": "m", "action": "query_models"}));
    assert_eq!(answers["models"], expected);
}

#[test]
fn a_benchmark_counts_all_visits_and_leaves_the_game_alone() {
    let mut session = session("5");
    for line in ["play b C3", "play w B2", "play b D2"] {
        session.answer(line).unwrap();
    }
    let reply = session.answer("kata-benchmark 10").unwrap();
    assert!(
        reply.starts_with("= numSearchThreads = 1: 4 / 4 positions, visits/s = "),
        "{reply}"
    );
    assert!(reply.contains("(40 visits, "), "{reply}");
    assert_eq!(session.game().turns().len(), 3);
    for line in ["kata-benchmark", "kata-benchmark x"] {
        assert_eq!(session.answer(line).unwrap().trim_end(), "? syntax error");
    }
    let none = session.answer("kata-benchmark 0").unwrap();
    assert_eq!(none.trim_end(), "? a search takes at least 1 visit");
}

/// A client that sends a line some time after another.
struct Pause(mpsc::Receiver<Vec<u8>>);

impl io::Read for Pause {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let Ok(line) = self.0.recv() else {
            return Ok(0);
        };
        buffer[..line.len()].copy_from_slice(&line);
        Ok(line.len())
    }
}

#[test]
fn a_search_is_cancelled_by_the_next_line_and_plays_nothing() {
    for (command, cancelled) in [
        ("kata-search_cancellable b", "= cancelled"),
        ("kata-search_analyze_cancellable b 5", "play cancelled"),
        ("kata-search_analyze_cancellable b", "play cancelled"),
    ] {
        let mut settings = GtpSettings::default();
        for (key, value) in [("size", "5"), ("time", "600"), ("threads", "1")] {
            settings.set(key, value).unwrap();
        }
        let mut session = Session::with_judge(settings, judge());
        let (client, lines) = mpsc::sync_channel(1);
        let writer = thread::spawn(move || {
            client.send(format!("{command}\n").into_bytes()).unwrap();
            thread::sleep(Duration::from_millis(50));
            client.send(b"name\n".to_vec()).unwrap();
        });
        let mut output = Vec::new();
        let input = io::BufReader::new(Pause(lines));
        tengen_gtp::gtp::serve(&mut session, input, &mut output).unwrap();
        writer.join().unwrap();
        let output = String::from_utf8(output).unwrap();
        assert!(
            output.lines().any(|line| line == cancelled),
            "{command}: {output}"
        );
        assert!(output.ends_with("= Tengen\n\n"), "{output}");
        assert!(session.game().turns().is_empty());
    }
    // Whoever waits gets a move.
    let reply = session("5").answer("kata-search_cancellable").unwrap();
    assert!(
        !reply.contains("cancelled") && reply.starts_with("= "),
        "{reply}"
    );
}

#[test]
fn all_parameters_are_set_or_none() {
    let mut session = session("5");
    let get = |session: &mut Session| -> Value {
        let reply = session.answer("kata-get-params").unwrap();
        serde_json::from_str(reply.strip_prefix("= ").unwrap()).unwrap()
    };
    let before = get(&mut session);
    assert_eq!(before["maxVisits"], 20);
    assert_eq!(before["ponderingEnabled"], false);
    let names = session.answer("kata-list-params").unwrap();
    assert_eq!(
        before.as_object().unwrap().len(),
        names.split_whitespace().skip(1).count()
    );
    let refused = session.answer(r#"kata-set-params {"maxVisits": 30, "nonsense": 1}"#);
    assert_eq!(
        refused.as_deref(),
        Some("? unknown parameter `nonsense`\n\n")
    );
    assert_eq!(get(&mut session), before);
    let set = session.answer(
        r#"kata-set-params {"maxVisits": "30", "ponderingEnabled": true, "lagBuffer": 0.5}"#,
    );
    assert_eq!(set.as_deref(), Some("= \n\n"));
    let after = get(&mut session);
    assert_eq!(
        (&after["maxVisits"], &after["ponderingEnabled"]),
        (&json!(30), &json!(true))
    );
    assert_eq!(after["lagBuffer"], 0.5);
    for line in [
        "kata-set-params",
        "kata-set-params 5",
        r#"kata-set-params {"maxVisits": null}"#,
    ] {
        assert_eq!(
            session.answer(line).as_deref(),
            Some("? syntax error\n\n"),
            "{line}"
        );
    }
}

/// The only answer to a query.
fn ask(query: &Value) -> Value {
    ask_with(query, &AnalysisSettings::default())
}

fn ask_with(query: &Value, settings: &AnalysisSettings) -> Value {
    let (reader, mut writer) = io::pipe().unwrap();
    let (answers, output) = io::pipe().unwrap();
    writeln!(writer, "{query}").unwrap();
    drop(writer);
    tengen_gtp::analysis::serve(io::BufReader::new(reader), output, settings, &judge()).unwrap();
    let answers = io::read_to_string(answers).unwrap();
    serde_json::from_str(&answers).unwrap()
}

#[test]
fn what_the_network_says_without_search_stands_with_the_position() {
    for (side, winrate, score) in [("WHITE", 0.625, 3.0), ("BLACK", 0.375, -3.0)] {
        let answer = ask(&json!({
            "id": "q", "moves": [["B", "C3"]], "rules": "chinese", "boardXSize": 5, "boardYSize": 5,
            "maxVisits": 20, "overrideSettings": {"reportAnalysisWinratesAs": side},
        }));
        let root = &answer["rootInfo"];
        assert_eq!(root["rawWinrate"], winrate);
        assert_eq!(root["rawLead"], 0.0);
        assert_eq!(root["rawScoreSelfplay"], score);
        assert_eq!(root["rawScoreSelfplayStdev"], 4.0);
        assert_eq!(root["rawNoResultProb"], 0.125);
        assert_eq!(root["rawStWrError"], 0.5);
        assert_eq!(root.get("rawStScoreError"), None);
        assert_eq!(root["weight"], 20.0);
        let moves = answer["moveInfos"].as_array().unwrap();
        assert!(
            moves
                .iter()
                .all(|found| found["weight"] == found["visits"].as_f64().unwrap())
        );
        let values: Vec<f64> = moves
            .iter()
            .map(|found| found["playSelectionValue"].as_f64().unwrap())
            .collect();
        assert!(values.is_sorted_by(|a, b| a >= b));
    }
}

/// Plays as people do: the first point and nothing else.
struct Person;

impl Evaluator for Person {
    fn begin(&mut self, _: &Game, _: u64) {}

    fn evaluate(&mut self, leaves: &mut [Leaf]) {
        Oracle.evaluate(leaves);
        for leaf in leaves {
            leaf.evaluation.black_wins = 1.0;
        }
    }

    fn raw(&mut self, game: &Game, _: &RawQuery) -> Option<Raw> {
        let legal = game.legal_moves();
        let first = legal.iter().next();
        let points = game.size().points();
        let likely = |point| {
            let share = if Some(point) == first { 1.0 } else { 0.0 };
            legal.contains(point).then_some(share)
        };
        Some(Raw {
            wins: ByColor::new(0.75, 0.25),
            black_lead: 2.0,
            black_score: Some(2.5),
            score_spread: Some(9.0),
            policy: points.iter().map(likely).chain([Some(0.0)]).collect(),
            ..Raw::default()
        })
    }
}

/// Settings with a network for people of one rank.
fn with_people(role: Role) -> AnalysisSettings {
    let people = People::new(role, |name| match name {
        "rank_5k" => Ok(Judge::new("people", |_| Box::new(Person))),
        _ => Err("it names no players".to_owned()),
    });
    AnalysisSettings {
        defaults: QueryDefaults {
            people: Some(people),
            ..QueryDefaults::default()
        },
        ..AnalysisSettings::default()
    }
}

fn of_people(overrides: &Value) -> Value {
    json!({
        "id": "q", "moves": [["B", "A5"], ["W", "C3"]], "rules": "chinese", "boardXSize": 5, "boardYSize": 5,
        "maxVisits": 40, "includePolicy": true, "overrideSettings": overrides,
    })
}

#[test]
fn a_query_hears_what_the_players_whom_it_names_would_play() {
    let query = of_people(&json!({"humanSLProfile": "rank_5k"}));
    let answer = ask_with(&query, &with_people(Role::Beside));
    let policy = answer["humanPolicy"].as_array().unwrap();
    assert_eq!(policy.len(), 26);
    // A5 and C3 are taken, and B5 is the first free point.
    assert_eq!((&policy[0], &policy[12]), (&json!(-1.0), &json!(-1.0)));
    assert_eq!((&policy[1], &policy[25]), (&json!(1.0), &json!(0.0)));
    for found in answer["moveInfos"].as_array().unwrap() {
        let is_first = found["move"] == "B5";
        let wanted = if is_first { 1.0 } else { 0.0 };
        assert_eq!(found["humanPrior"], wanted, "{found}");
        assert_ne!(found["prior"], found["humanPrior"]);
    }
    let root = &answer["rootInfo"];
    assert_eq!(root["humanWinrate"], 0.75);
    assert_eq!(root["humanScoreMean"], 2.5);
    assert_eq!(root["humanScoreStdev"], 9.0);
    assert_eq!(root.get("humanStWrError"), None);
    // The other network searches.
    assert_eq!(root["rawWinrate"], 0.25);
    assert_eq!(root["winrate"], 0.5);
    let searching = ask_with(&query, &with_people(Role::Searching));
    assert_eq!(searching["rootInfo"]["humanWinrate"], 0.75);
    assert_eq!(searching["rootInfo"]["rawWinrate"], 0.75);
    assert_eq!(searching["rootInfo"]["winrate"], 1.0);
}

#[test]
fn nobody_is_imitated_unasked_and_unknown_players_are_an_error() {
    let plain = ask_with(&of_people(&json!({})), &with_people(Role::Beside));
    assert_eq!(plain.get("humanPolicy"), None);
    assert_eq!(plain["rootInfo"].get("humanWinrate"), None);
    assert_eq!(plain["moveInfos"][0].get("humanPrior"), None);
    let unknown = of_people(&json!({"humanSLProfile": "rank_99k"}));
    let refused = ask_with(&unknown, &with_people(Role::Beside));
    assert_eq!(refused["field"], "overrideSettings");
    let problem = refused["error"].as_str().unwrap();
    assert!(
        problem.contains("humanSLProfile cannot be \"rank_99k\": it names no players"),
        "{problem}"
    );
    let nobody = ask(&of_people(&json!({"humanSLProfile": "rank_5k"})));
    let problem = nobody["error"].as_str().unwrap();
    assert!(problem.contains("no network that imitates"), "{problem}");
}

#[test]
fn mirrored_moves_are_searched_once_if_that_is_wanted() {
    let query = |more: &Value| {
        let mut query = json!({
            "id": "q", "moves": [["B", "C3"]], "rules": "chinese", "boardXSize": 5, "boardYSize": 5,
            "maxVisits": 200, "includePolicy": true, "includeMovesOwnership": true,
            "overrideSettings": {"rootSymmetryPruning": true},
        });
        for (key, value) in more.as_object().unwrap() {
            query[key] = value.clone();
        }
        ask(&query)
    };
    let answer = query(&json!({}));
    let moves = answer["moveInfos"].as_array().unwrap();
    let (copies, searched): (Vec<&Value>, Vec<&Value>) = moves
        .iter()
        .partition(|found| found.get("isSymmetryOf").is_some());
    let names = |found: &[&Value]| {
        let mut names: Vec<String> = found
            .iter()
            .map(|found| found["move"].as_str().unwrap().to_owned())
            .collect();
        names.sort();
        names
    };
    assert_eq!(names(&searched), ["D3", "D4", "E3", "E4", "E5", "pass"]);
    assert_eq!(moves.len(), 25);
    for (order, found) in moves.iter().enumerate() {
        assert_eq!(found["order"], order);
    }
    for copy in copies {
        let original = searched
            .iter()
            .find(|found| found["move"] == copy["isSymmetryOf"])
            .unwrap();
        for field in ["visits", "winrate", "scoreLead", "prior", "lcb"] {
            assert_eq!(copy[field], original[field], "{field}");
        }
        assert_eq!(copy["pv"][0], copy["move"]);
        assert_eq!(
            copy["pv"].as_array().unwrap().len(),
            original["pv"].as_array().unwrap().len()
        );
    }
    // What the network said of all points.
    let policy = answer["policy"].as_array().unwrap();
    assert!(policy[..12].iter().all(|share| share == 0.125));
    for more in [
        json!({"overrideSettings": {}}),
        json!({"moves": [["B", "C3"], ["W", "D2"], ["B", "D3"]]}),
        json!({"avoidMoves": [{"player": "W", "moves": ["A1"], "untilDepth": 1}]}),
    ] {
        let answer = query(&more);
        let moves = answer["moveInfos"].as_array().unwrap();
        let is_copy = |found: &Value| found.get("isSymmetryOf").is_some();
        assert!(!moves.iter().any(is_copy), "{more}");
    }
}

/// Finds the first point nearly certain, and all others as likely as each other.
struct Certain;

impl Evaluator for Certain {
    fn begin(&mut self, _: &Game, _: u64) {}

    fn evaluate(&mut self, leaves: &mut [Leaf]) {
        Oracle.evaluate(leaves);
        for leaf in leaves {
            let priors = &mut leaf.evaluation.priors;
            let others = 0.1 / (priors.len() - 1) as f32;
            for (number, (_, prior)) in priors.iter_mut().enumerate() {
                *prior = if number == 0 { 0.9 } else { others };
            }
        }
    }
}

/// The largest prior of a position, and how many moves were searched.
fn most_likely(overrides: &Value, fields: &Value) -> (f64, usize) {
    let mut query = of_people(overrides);
    query["maxVisits"] = json!(400);
    for (key, value) in fields.as_object().unwrap() {
        query[key] = value.clone();
    }
    let (reader, mut writer) = io::pipe().unwrap();
    let (answers, output) = io::pipe().unwrap();
    writeln!(writer, "{query}").unwrap();
    drop(writer);
    let mut settings = AnalysisSettings::default();
    settings.engine.threads = 1;
    let judge = Judge::new("certain", |_| Box::new(Certain));
    tengen_gtp::analysis::serve(io::BufReader::new(reader), output, &settings, &judge).unwrap();
    let answer: Value = serde_json::from_str(&io::read_to_string(answers).unwrap()).unwrap();
    let moves = answer["moveInfos"].as_array();
    let moves = moves.unwrap_or_else(|| panic!("{answer}"));
    let priors = moves.iter().map(|found| found["prior"].as_f64().unwrap());
    (priors.fold(0.0, f64::max), moves.len())
}

#[test]
fn parameters_of_the_search_do_what_they_say() {
    let (usual, usual_count) = most_likely(&json!({}), &json!({}));
    assert!((usual - 0.9).abs() < 1e-5, "{usual}");
    let (wide, wide_count) = most_likely(&json!({"wideRootNoise": 0.25}), &json!({}));
    let (warm, _) = most_likely(&json!({}), &json!({"rootPolicyTemperature": 2.0}));
    // Twice the temperature is the root of what was likely: 1 + 4 × 0.25 = 2.
    assert!((wide - warm).abs() < 1e-6 && wide < 0.6, "{wide} {warm}");
    assert!(wide_count > usual_count, "{wide_count} {usual_count}");
    let both = json!({"rootPolicyTemperature": 5.0});
    let (warmer, _) = most_likely(&both, &json!({}));
    assert!(warmer < warm, "{warmer} {warm}");
    let (first, _) = most_likely(&both, &json!({"rootPolicyTemperature": 2.0}));
    assert!((first - warm).abs() < 1e-6, "a field goes before a setting");
    let (_, curious) = most_likely(&json!({"cpuctExploration": "8.0"}), &json!({}));
    assert!(curious > usual_count, "{curious} {usual_count}");
    for (name, value) in [
        ("wideRootNoise", json!(-1)),
        ("lcbStdevs", json!(0)),
        ("rootNumSymmetriesToSample", json!("many")),
        ("rootSymmetryPruning", json!(3)),
        ("useLcbForSelection", json!("perhaps")),
    ] {
        let refused = ask(&of_people(&json!({ name: value })));
        let problem = refused["error"].as_str();
        assert!(problem.is_some_and(|text| text.contains(name)), "{refused}");
    }
}
