//! The rounds of a review, what is settled, and why moves are mistakes.

use serde_json::{Value, json};
use tengen_app::{Code, Finding, Job, JobKind, Report, RoomSettings};
use tengen_core::{Move, Point, PointMap};
use tengen_search::{Analysis, Candidate, Worth};

use crate::host::Host;

/// What a search says about a move: its name, lead for the mover, spread, and what is expected to follow.
#[derive(Clone, Copy)]
struct Said<'a> {
    line: &'a [&'a str],
    visits: u32,
    lead: f32,
    spread: f32,
    /// Points that will be somebody's, and whose.
    owned: &'a [&'a str],
    owner: f32,
}

fn analysis(job: &Job, visits: u32, said: &[Said<'_>]) -> Analysis {
    let size = job.position.size();
    let candidate = |said: &Said<'_>| {
        let named = |name: &&str| Move::from_gtp(name, size).unwrap();
        let owner = |point: Point| match said.owned.contains(&point.to_gtp(size).as_str()) {
            true => said.owner,
            false => 0.0,
        };
        let variation: Vec<Move> = said.line.iter().map(named).collect();
        Candidate {
            action: variation[0],
            visits: said.visits,
            selection: said.visits as f32,
            worth: Worth {
                win_rate: 0.5,
                lead: said.lead,
                // What a network leaves open in each position is no error of the mean.
                lead_spread: 40.0,
                lead_deviation: said.spread,
            },
            lcb: 0.4,
            prior: 0.1,
            variation_visits: vec![said.visits; variation.len()],
            variation,
            ownership: size.points().iter().map(owner).collect(),
            ownership_spread: Vec::new(),
        }
    };
    Analysis {
        to_move: job.position.to_move(),
        visits,
        worth: Worth::default(),
        moves: said.iter().map(candidate).collect(),
        ownership: PointMap::new(0.5),
        ownership_spread: PointMap::new(0.0),
    }
}

fn opened(text: &str) -> (Host, String) {
    let mut settings = RoomSettings::default();
    settings.effort.first_visits = 10;
    let mut host = Host::new(settings);
    let opened = host.ask("games.open", json!({ "text": text }));
    let game = opened["games"][0]["id"].as_str().unwrap().to_owned();
    (host, game)
}

/// Lets the engine answer the oldest job: the best move is a pass, and the one that was played is so much behind it.
fn answer(host: &mut Host, behind: impl Fn(usize) -> (f32, f32)) -> (usize, u32) {
    let job = host.jobs[0].clone();
    let JobKind::Review { visits, beside } = job.kind else {
        panic!("{job:?}");
    };
    let (lead, spread) = behind(job.node);
    let mut said = vec![Said {
        line: &["pass"],
        visits: visits / 2,
        lead: 0.0,
        spread,
        owned: &[],
        owner: 0.0,
    }];
    let played = beside.map(|action| action.to_gtp(job.position.size()));
    let line = played.as_deref().map(|name| [name]);
    if let Some(line) = &line {
        said.push(Said {
            line,
            lead: -lead,
            ..said[0]
        });
    }
    let found = analysis(&job, visits, &said);
    assert!(host.report(job.id, Report::Done(Finding::Analysis(Box::new(found)))));
    (job.node, visits)
}

const GAME: &str = "(;SZ[5]KM[0];B[cc];W[bb];B[cb];W[bc];B[dd];W[bd])";

#[test]
fn no_round_is_made_for_a_few_visits_more() {
    let (mut host, game) = opened(GAME);
    host.ask("review.start", json!({"game": game, "visits": 70}));
    let unknown = |_: usize| (4.0, 20.0);
    let visits: Vec<u32> =
        std::iter::from_fn(|| (!host.jobs.is_empty()).then(|| answer(&mut host, unknown).1))
            .collect();
    // 40 of at most 70 come next, but then nothing would be left that is worth a round.
    assert_eq!(visits[..7], [10; 7]);
    assert!(visits.len() > 7 && visits[7..].iter().all(|visits| *visits == 70));
}

#[test]
fn the_first_round_looks_at_everything_and_later_ones_at_what_matters() {
    let (mut host, game) = opened(GAME);
    let started = host.ask("review.start", json!({"game": game, "visits": 160}));
    assert_eq!(
        started,
        json!({"running": true, "round": 0, "total": 7, "done": 0})
    );
    // Black's second move is a mistake of unknown size, White's third one a large one that is known well, and the rest
    // loses nothing.
    let first = |node: usize| match node {
        2 => (4.0, 20.0),
        5 => (9.0, 1.0),
        _ => (0.0, 0.1),
    };
    let looked: Vec<_> = (0..7).map(|_| answer(&mut host, first)).collect();
    assert_eq!(looked, (0..7).map(|node| (node, 10)).collect::<Vec<_>>());
    let found = host.ask("review.get", json!({ "game": game }));
    assert_eq!(
        (&found["running"], &found["round"], &found["total"]),
        (&json!(true), &json!(1), &json!(1)),
        "only what is not settled is looked at again"
    );
    let settled: Vec<bool> = found["nodes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|node| node["settled"].as_bool().unwrap())
        .collect();
    assert_eq!(settled, [true, true, false, true, true, true, true]);
    // Within the noise nothing is lost; the mistake that is known well is told with its error.
    assert_eq!(found["nodes"][2]["next"]["lost"], 0.0);
    assert_eq!(found["nodes"][5]["next"]["lost"], 9.0);
    assert_eq!(found["nodes"][5]["next"]["node"], 6);
    // Four times the visits, and still nobody knows.
    assert_eq!(answer(&mut host, first), (2, 40));
    host.events.clear();
    let last = |_: usize| (6.0, 1.0);
    assert_eq!(answer(&mut host, last), (2, 160));
    let (_, event) = host.events.last().unwrap();
    assert_eq!(
        (&event["running"], &event["round"], &event["settled"]),
        (&json!(false), &json!(2), &json!(true))
    );
    assert_eq!(event["next"]["lost"], 6.0);
    assert!(host.jobs.is_empty());
    // All of it is known when somebody asks again.
    let again = host.ask("review.start", json!({"game": game, "visits": 160}));
    assert_eq!(again["running"], false);
}

#[test]
fn passes_that_end_a_game_are_not_judged() {
    let nothing = |_: usize| (0.0, 0.1);
    for (game, looked_at, judged) in [
        ("(;SZ[5]KM[0];B[cc];W[bb];B[];W[])", 3, [true, true, false]),
        (
            "(;SZ[5]KM[0];B[cc];W[bb];B[];W[];B[])",
            3,
            [true, true, false],
        ),
        // A pass that is answered, or that the game has stopped with, may have been a mistake.
        ("(;SZ[5]KM[0];B[cc];W[];B[bb];W[bc])", 5, [true, true, true]),
        ("(;SZ[5]KM[0];B[cc];W[bb];B[])", 4, [true, true, true]),
    ] {
        let (mut host, id) = opened(game);
        let started = host.ask("review.start", json!({"game": id, "visits": 10}));
        assert_eq!(started["total"], looked_at, "{game}");
        let looked: Vec<usize> = (0..looked_at)
            .map(|_| answer(&mut host, nothing).0)
            .collect();
        assert_eq!(looked, (0..looked_at).collect::<Vec<_>>(), "{game}");
        assert!(host.jobs.is_empty(), "{game}");
        let found = host.ask("review.get", json!({ "game": id }));
        let nodes = found["nodes"].as_array().unwrap();
        let has_next: Vec<bool> = nodes.iter().map(|node| !node["next"].is_null()).collect();
        assert_eq!(has_next[..3], judged, "{game}");
        assert!(nodes.iter().all(|node| node["settled"] == true), "{game}");
    }
}

#[test]
fn a_position_that_turned_out_worse_is_looked_at_again_even_if_its_move_seemed_good() {
    let (mut host, game) = opened("(;SZ[5]KM[0];B[cc];W[bb])");
    host.ask("review.start", json!({"game": game, "visits": 40}));
    for lead in [0.0, 8.0, -8.0] {
        let job = host.jobs[0].clone();
        let JobKind::Review { visits, beside } = job.kind else {
            panic!("{job:?}");
        };
        let name = beside.map_or("pass".to_owned(), |action| {
            action.to_gtp(job.position.size())
        });
        let said = Said {
            line: &[name.as_str()],
            visits,
            lead,
            spread: 0.1,
            owned: &[],
            owner: 0.0,
        };
        let found = analysis(&job, visits, &[said]);
        host.report(job.id, Report::Done(Finding::Analysis(Box::new(found))));
    }
    // Black's move was the best one of its search, and yet White leads by eight points after it.
    assert_eq!(host.jobs[0].node, 0);
    assert!(matches!(
        host.jobs[0].kind,
        JobKind::Review { visits: 40, .. }
    ));
}

/// What is said about a move in a position, beside a better one.
fn judged(position: &str, played: &Said<'_>, better: &Said<'_>) -> Value {
    let mut host = Host::new(RoomSettings::default());
    let person = json!({"kind": "person"});
    let params = json!({
        "rules": "chinese", "komi": 0, "position": position, "black": person, "white": person,
    });
    let game = host.ask("games.new", params)["id"].clone();
    let params = json!({"game": game, "node": 0, "move": played.line[0]});
    assert_eq!(host.ask("review.judge", params), "later");
    let job = host.jobs[0].clone();
    let found = analysis(&job, 2 * played.visits, &[*better, *played]);
    host.report(job.id, Report::Done(Finding::Analysis(Box::new(found))));
    host.answers.pop().unwrap().unwrap()
}

fn said<'a>(line: &'a [&'a str], lead: f32) -> Said<'a> {
    Said {
        line,
        visits: 500,
        lead,
        spread: 5.0,
        owned: &[],
        owner: 0.0,
    }
}

fn kinds(judged: &Value) -> Vec<(String, u64)> {
    let facts = judged["facts"].as_array().unwrap();
    facts
        .iter()
        .map(|fact| {
            let kind = fact["kind"].as_str().unwrap().to_owned();
            (kind, fact["stones"].as_u64().unwrap())
        })
        .collect()
}

#[test]
fn a_move_is_judged_beside_the_best_one_of_the_same_search() {
    let position = ".......\n..OO...\n.OXX...\n..OO...\n.......\n.......\n.......\nBlack to move";
    let played = said(&["G1", "E5"], -8.0);
    let better = said(&["E5", "G1"], 2.0);
    let found = judged(position, &played, &better);
    assert_eq!(
        (&found["lost"], &found["best"]),
        (&json!(10.0), &json!("E5"))
    );
    assert_eq!(
        (&found["lead"], &found["best_lead"]),
        (&json!(-8.0), &json!(2.0))
    );
    assert_eq!(found["pv"], json!(["G1", "E5"]));
    assert_eq!(found["best_pv"], json!(["E5", "G1"]));
    assert_eq!(found["is_good"], false);
}

#[test]
fn stones_that_are_left_in_atari_are_captured() {
    let position = ".......\n..OO...\n.OXX...\n..OO...\n.......\n.......\n.......\nBlack to move";
    let played = said(&["G1", "E5"], -8.0);
    let better = said(&["E5", "G1"], 2.0);
    let found = judged(position, &played, &better);
    assert_eq!(kinds(&found), [("captured".to_owned(), 2)]);
    // Nobody takes them in what follows, so that the atari itself is what there is to say.
    let played = said(&["G1", "A1"], -8.0);
    let found = judged(position, &played, &better);
    assert_eq!(kinds(&found), [("left_in_atari".to_owned(), 2)]);
}

#[test]
fn a_capture_that_was_missed_is_told() {
    let position = ".......\n..OO...\n.OXX...\n..OO...\n.......\n.......\n.......\nWhite to move";
    let found = judged(position, &said(&["G1", "E5"], 0.0), &said(&["E5"], 9.0));
    assert_eq!(kinds(&found), [("missed_capture".to_owned(), 2)]);
    assert_eq!(found["facts"][0]["at"], "E5");
}

#[test]
fn stones_that_change_sides_are_told() {
    let position = ".......\n.XXX...\n.......\n.......\n....O..\n.......\n.......\nBlack to move";
    let owned = &["B6", "C6", "D6"];
    let lost = Said {
        owned,
        owner: -0.9,
        ..said(&["G1"], -9.0)
    };
    let kept = Said {
        owned,
        owner: 0.9,
        ..said(&["B4"], 3.0)
    };
    assert_eq!(
        kinds(&judged(position, &lost, &kept)),
        [("dies".to_owned(), 3)]
    );
    let enemy = &["E3"];
    let lives = Said {
        owned: enemy,
        owner: -0.9,
        ..said(&["G7"], -9.0)
    };
    let killed = Said {
        owned: enemy,
        owner: 0.9,
        ..said(&["E4"], 3.0)
    };
    assert_eq!(
        kinds(&judged(position, &lives, &killed)),
        [("lives".to_owned(), 1)]
    );
}

#[test]
fn a_part_of_the_board_that_is_lost_is_told() {
    let position = ".......\n.......\n.......\n.......\n.......\n.......\n.......\nBlack to move";
    let owned = &["A1", "B1", "A2", "B2"];
    let lost = Said {
        owned,
        owner: -0.8,
        ..said(&["F6"], -9.0)
    };
    let kept = Said {
        owned,
        owner: 0.8,
        ..said(&["B3"], 3.0)
    };
    let found = judged(position, &lost, &kept);
    assert_eq!(kinds(&found), [("region".to_owned(), 0)]);
    assert_eq!(found["facts"][0]["region"], "lower_left");
    assert_eq!(found["facts"][0]["points"], 6.4);
}

#[test]
fn a_cut_is_told() {
    let position = ".......\n.......\n..O.O..\n.......\n.......\n.......\n.......\nWhite to move";
    let found = judged(position, &said(&["G1", "D5"], -6.0), &said(&["D5"], 3.0));
    assert_eq!(kinds(&found), [("cut_off".to_owned(), 1)]);
    assert_eq!(found["facts"][0]["at"], "D5");
    let position = position.replace("White", "Black");
    let found = judged(&position, &said(&["G1", "D5"], -6.0), &said(&["D5"], 3.0));
    assert_eq!(kinds(&found), [("missed_cut".to_owned(), 1)]);
}

#[test]
fn a_ladder_is_told() {
    let position = ".......\n..OO...\n.OX....\n.......\n.......\n.......\n.......\nBlack to move";
    let played = said(&["A7", "C4"], -6.0);
    let better = said(&["D5", "G1"], 2.0);
    let found = judged(position, &played, &better);
    assert_eq!(kinds(&found)[0], ("ladder".to_owned(), 1), "{found}");
    assert_eq!(found["facts"][0]["at"], "C4");
}

#[test]
fn a_move_far_away_and_a_pass_are_told() {
    let position = ".........\n.........\n..X......\n.........\n.........\n.........\n.........\n.........\n.........";
    let better = said(&["G3"], 5.0);
    let found = judged(position, &said(&["A9"], 0.0), &better);
    assert_eq!(kinds(&found), [("elsewhere".to_owned(), 0)]);
    let found = judged(position, &said(&["pass"], 0.0), &better);
    assert_eq!(kinds(&found), [("passed".to_owned(), 0)]);
    // A move within the noise is no mistake, and needs no reason.
    let found = judged(position, &said(&["A9"], 4.8), &better);
    assert_eq!((kinds(&found).len(), &found["lost"]), (0, &json!(0.0)));
    assert_eq!(found["is_good"], true);
}

#[test]
fn a_move_that_is_not_possible_is_not_judged() {
    let (mut host, game) = opened(GAME);
    let refusal = host
        .call(
            1,
            "review.judge",
            json!({"game": game, "node": 1, "move": "C3"}),
        )
        .unwrap_err();
    assert_eq!(refusal.code, Code::IllegalMove);
    // A newer question replaces the former.
    for name in ["A1", "A2"] {
        host.ask(
            "review.judge",
            json!({"game": game, "node": 1, "move": name}),
        );
    }
    assert_eq!(host.jobs.len(), 1);
    let refusal = host.answers.pop().unwrap().unwrap_err();
    assert_eq!(refusal.code, Code::Cancelled);
}

#[test]
fn what_was_found_is_in_the_record_and_comes_back_with_it() {
    let (mut host, game) = opened(GAME);
    host.ask("review.start", json!({"game": game, "visits": 10}));
    while !host.jobs.is_empty() {
        answer(
            &mut host,
            |node| if node == 5 { (9.0, 1.0) } else { (0.0, 0.1) },
        );
    }
    let found = host.ask("review.get", json!({ "game": game }))["nodes"].clone();
    let record = host.ask("game.record", json!({ "game": game }))["sgf"].clone();
    let record = record.as_str().unwrap();
    assert!(
        record.contains("TGA[") && !record.contains("C["),
        "{record}"
    );
    let opened = host.ask("games.open", json!({ "text": record }));
    let copy = opened["games"][0]["id"].clone();
    assert_eq!(
        host.ask("review.get", json!({ "game": copy }))["nodes"],
        found
    );
    // The tree of the copy shows nothing of it.
    let view = host.ask("game.view", json!({"game": copy, "node": 6}));
    assert_eq!(view["comment"], "");
    // Somebody who wants to read it has it in comments.
    let comments = host
        .room
        .copy(&game)
        .unwrap()
        .sgf(tengen_app::Comments::Added);
    assert!(
        comments.contains("B2 loses 9.0 ± 0.6 points. Better: pass"),
        "{comments}"
    );
    // A record whose stones are others has lost what was found about them.
    let other = record.replace("B[cc]", "B[ca]");
    let opened = host.ask("games.open", json!({ "text": other }));
    let other = opened["games"][0]["id"].clone();
    let nodes = host.ask("review.get", json!({ "game": other }))["nodes"].clone();
    assert_eq!(
        nodes.as_array().unwrap().len(),
        1,
        "only the empty board is as it was"
    );
    // Nonsense is left alone.
    let nonsense = "(;SZ[5]TGA[{\"v\":1}];B[cc]TGA[x])";
    let opened = host.ask("games.open", json!({ "text": nonsense }));
    let nonsense = opened["games"][0]["id"].clone();
    let nodes = host.ask("review.get", json!({ "game": nonsense }))["nodes"].clone();
    assert_eq!(nodes, json!([]));
    // And it is there after a restart.
    host.restart();
    assert_eq!(
        host.ask("review.get", json!({ "game": game }))["nodes"],
        found
    );
}

/// Three points in a row: White lives by playing in the middle, and dies if Black does.
const ROW: &str =
    "(;FF[4]GM[1]SZ[9]AB[ea][eb][ac][bc][cc][dc][ec][gg][cg]AW[da][ab][bb][cb][db][gc][cf]PL[W]";

fn fates(host: &mut Host, sgf: &str, action: &str, better: Option<&str>) -> Value {
    let opened = host.ask("games.open", json!({"text": format!("{sgf})")}));
    let game = &opened["games"][0]["id"];
    let params = json!({"game": game, "node": 0, "move": action, "better": better});
    host.ask("review.fates", params)["fates"].clone()
}

#[test]
fn a_group_that_a_move_kills_or_lets_live_is_told_with_proof() {
    let mut host = Host::new(RoomSettings::default());
    let dead =
        json!([{"fate": "dead", "color": "white", "stones": 5, "at": "D9", "instead": ["B9"]}]);
    // White plays elsewhere, or on a point that makes no two eyes.
    assert_eq!(fates(&mut host, ROW, "A9", None), dead);
    assert_eq!(fates(&mut host, ROW, "E6", None), dead);
    assert_eq!(fates(&mut host, ROW, "J1", Some("B9")), dead);
    assert_eq!(fates(&mut host, ROW, "B9", None), json!([]));
    // Black lets it live.
    let black = ROW.replace("PL[W]", "PL[B]");
    let alive =
        json!([{"fate": "alive", "color": "white", "stones": 5, "at": "D9", "instead": ["B9"]}]);
    assert_eq!(fates(&mut host, &black, "pass", Some("B9")), alive);
    assert_eq!(fates(&mut host, &black, "B9", None), json!([]));
    // What is far from the move is not looked at, nor is a group that is not shut in.
    assert_eq!(fates(&mut host, ROW, "J1", None), json!([]));
    assert_eq!(
        fates(&mut host, "(;SZ[9]AB[ee]AW[ed]", "E7", None),
        json!([])
    );
    assert_eq!(fates(&mut host, "(;SZ[9]AB[ee]", "E5", None), json!([]));
}
