//! Records that are opened and saved.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD_NO_PAD;
use serde_json::{Value, json};
use tengen_app::{Code, Limits, RoomSettings};
use tengen_sgf::{Collection, Mode};

use crate::host::Host;

fn base64(bytes: &[u8]) -> String {
    BASE64_STANDARD_NO_PAD.encode(bytes)
}

fn open(host: &mut Host, text: &str) -> Value {
    let opened = host.ask("games.open", json!({"text": text}));
    opened["games"][0]["id"].clone()
}

#[test]
fn a_file_in_gbk_is_opened() {
    // 古力 against 常昊, with a comment of characters whose second bytes are a bracket and a backslash.
    let bytes =
        b"(;GM[1]SZ[9]CA[GBK]PB[\xb9\xc5\xc1\xa6]PW[\xb3\xa3\xea\xbb];B[ee]C[\x81\x5d\x81\x5c])";
    let mut host = Host::new(RoomSettings::default());
    let opened = host.ask(
        "games.open",
        json!({"base64": base64(bytes), "name": "game.sgf"}),
    );
    assert_eq!(opened["games"][0]["title"], "古力 – 常昊");
    let game = &opened["games"][0]["id"];
    let view = host.ask("game.view", json!({"game": game, "node": 1}));
    assert_eq!(view["comment"], "乚乗");
    let record = host.ask("game.record", json!({"game": game}));
    assert!(
        record["sgf"]
            .as_str()
            .unwrap()
            .contains("CA[UTF-8]PB[古力]")
    );
}

#[test]
fn what_nobody_touches_is_saved_as_it_was() {
    let text = "(;FF[4]GM[1]SZ[9]XX[private][\\]]KM[6.5]C[a \\\nsoft break\n\\\\ and \\: a colon]\
                ;B[ee]LB[aa:x\\:y]AB[]ZZ[]\
                (;W[tt];B[gc]MN[7])(;W[ge]HO[1]FG[3:name];;C[nothing moves])(;AW[aa:cc]AE[ee]PL[W]))";
    let before = Collection::parse(text, Mode::Lenient).unwrap().collection;
    let mut host = Host::new(RoomSettings::default());
    let game = open(&mut host, text);
    let record = |host: &mut Host| {
        let record = host.ask("game.record", json!({"game": game}));
        let text = record["sgf"].as_str().unwrap().to_owned();
        Collection::parse(text, Mode::Lenient).unwrap().collection
    };
    assert_eq!(record(&mut host), before);
    // Moving a variation to the front and back writes the record anew.
    let sheet = host.ask("game.get", json!({"game": game}));
    let first = sheet["tree"]["main"][2].clone();
    let node_of = |action: &str| {
        let moves = sheet["tree"]["moves"].as_array().unwrap();
        moves.iter().position(|found| found == action).unwrap()
    };
    for node in [json!(node_of("W G5")), first] {
        let edits = json!([{"do": "promote"}]);
        host.ask(
            "game.edit",
            json!({"game": game, "node": node, "edits": edits}),
        );
    }
    assert_eq!(record(&mut host).node_count(), before.node_count());
    host.restart();
    let mut texts: Vec<String> = Vec::new();
    for games in [&record(&mut host), &before] {
        let mut nodes: Vec<String> = games
            .roots()
            .flat_map(tengen_sgf::Node::descendants)
            .map(|node| format!("{node:?}"))
            .collect();
        nodes.sort();
        texts.push(nodes.join("\n"));
    }
    assert_eq!(texts[0], texts[1]);
}

#[test]
fn saved_games_are_sgf_that_others_can_read() {
    let mut host = Host::new(RoomSettings::default());
    let clock = json!({"main_seconds": 60, "byoyomi": {"periods": 3, "seconds": 10}});
    let person = json!({"kind": "person", "name": "A]da"});
    let sheet = host.ask(
        "games.new",
        json!({
            "width": 9, "height": 7, "rules": "korean", "handicap": 2, "clock": clock,
            "black": person, "white": {"kind": "engine", "level": 2},
        }),
    );
    assert_eq!(sheet["rules"], "korean");
    host.engine_plays(Some("E4"));
    let saved = host.saves[0].1.clone().unwrap();
    let strict = Collection::parse(saved, Mode::Strict).unwrap().collection;
    let root = strict.roots().next().unwrap();
    assert!(tengen_sgf::validate(root).is_empty());
    let text = |name: &str| root.value(name).unwrap().text().into_owned();
    let texts = ["SZ", "RU", "PB", "PW", "KM", "HA", "TM", "OT"].map(text);
    let expected = [
        "9:7",
        "Korean",
        "A]da",
        "Tengen level 2",
        "0.5",
        "2",
        "60",
        "3x10 byo-yomi",
    ];
    assert_eq!(texts, expected);
    let first = root.first_child().unwrap();
    assert_eq!(first.value("WL").unwrap().raw(), "60.000");
    // A download has nothing of ours.
    let game = host.saves[0].0.clone();
    let download = host.room.sgf(&game).unwrap();
    assert!(!download.contains("TG["), "{download}");
}

#[test]
fn many_edits_do_not_make_a_record_large() {
    let limits = Limits {
        record_bytes: 40_000,
        ..Limits::default()
    };
    let mut host = Host::new(RoomSettings {
        limits,
        ..RoomSettings::default()
    });
    let game = open(&mut host, "(;SZ[9];B[ee];W[ge])");
    let mut comment = |node: usize, length: usize| {
        let edits = json!([{"do": "comment", "text": "x".repeat(length)}]);
        let params = json!({"game": game, "node": node, "edits": edits});
        host.call(1, "game.edit", params)
    };
    // What was said before is forgotten, or the limit would soon be reached.
    for length in 9_000..9_200 {
        assert_eq!(
            comment(1, length).unwrap()["view"]["comment"]
                .as_str()
                .unwrap()
                .len(),
            length
        );
    }
    assert!(comment(2, 30_000).is_ok());
    assert_eq!(comment(0, 30_000).unwrap_err().code, Code::Limit);
    let record = host.ask("game.record", json!({"game": game}));
    assert!((39_000..40_000).contains(&record["sgf"].as_str().unwrap().len()));
}

#[test]
fn a_file_of_many_games_is_many_games() {
    let mut host = Host::new(RoomSettings::default());
    let text =
        "(;SZ[9]GN[one];B[ee])(;SZ[37])(;GM[6])(;SZ[13]GN[two]TG[{\"phase\":\"playing\"}];B[jj]";
    let opened = host.ask("games.open", json!({"text": text}));
    let games = opened["games"].as_array().unwrap();
    let titles: Vec<&str> = games
        .iter()
        .map(|game| game["title"].as_str().unwrap())
        .collect();
    assert_eq!(titles, ["one", "two"]);
    let messages: Vec<&str> = opened["diagnostics"]
        .as_array()
        .unwrap()
        .iter()
        .map(|remark| remark["message"].as_str().unwrap())
        .collect();
    for message in ["a `)` is missing", "37x37 cannot be replayed", "not Go"] {
        assert!(
            messages.iter().any(|found| found.contains(message)),
            "{messages:?}"
        );
    }
    let sheet = host.ask("game.get", json!({"game": games[1]["id"]}));
    assert_eq!(sheet["phase"], "review");
    let record = host.ask("game.record", json!({"game": games[1]["id"]}));
    assert_eq!(record["sgf"], "(;SZ[13]GN[two];B[jj])");
}

#[test]
fn pictures_show_what_a_record_draws() {
    let mut host = Host::new(RoomSettings::default());
    let game = open(&mut host, "(;SZ[9]AB[aa];B[ee]TR[aa]LB[cc:Q]AR[aa:bb])");
    let game = game.as_str().unwrap();
    let picture = host.room.picture(game, None).unwrap().to_svg();
    assert!(picture.contains(">Q<"), "{picture}");
    assert_eq!(host.room.frames(game, None).unwrap().len(), 2);
    assert_ne!(host.room.picture(game, Some(0)).unwrap().to_svg(), picture);
    assert!(host.room.picture(game, Some(5)).is_err());
}

/// The records that the tests of tengen-sgf are about, most of them broken in some way.
fn corpus() -> Vec<String> {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/sgf");
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).unwrap();
    let mut texts = vec![read("gnugo.sgf")];
    for (file, key) in [("repairs.toml", "input"), ("replay.toml", "record")] {
        let table: toml::Table = read(file).parse().unwrap();
        let cases = table["case"].as_array().unwrap().iter();
        texts.extend(cases.filter_map(|case| Some(case.get(key)?.as_str()?.to_owned())));
    }
    texts
}

#[test]
fn records_of_others_come_back_as_they_were() {
    let mut opened_games = 0;
    for text in corpus() {
        let mut host = Host::new(RoomSettings::default());
        let Ok(opened) = host.call(1, "games.open", json!({"text": text})) else {
            continue;
        };
        let file = tengen_sgf::Record::read_text(text.clone(), Mode::Lenient).unwrap();
        let written: Vec<String> = file
            .into_utf8()
            .roots()
            .map(tengen_sgf::Node::to_sgf)
            .collect();
        let games: Vec<Value> = opened["games"]
            .as_array()
            .unwrap()
            .iter()
            .map(|game| game["id"].clone())
            .collect();
        for round in ["opened", "restored"] {
            for game in &games {
                opened_games += 1;
                let record = host.ask("game.record", json!({"game": game}));
                let record = record["sgf"].as_str().unwrap().to_owned();
                assert!(written.contains(&record), "{text:?} {round}: {record}");
                let sheet = host.ask("game.get", json!({"game": game}));
                for node in 0..sheet["tree"]["moves"].as_array().unwrap().len() {
                    host.ask("game.view", json!({"game": game, "node": node}));
                }
            }
            host.restart();
        }
    }
    assert!(opened_games > 200, "{opened_games}");
}

#[test]
fn the_encoding_of_a_file_can_be_chosen() {
    // 古力 and 柯洁 in GBK, in a file that says to be Big5.
    let bytes = base64(b"(;CA[Big5]PB[\xb9\xc5\xc1\xa6]PW[\xbf\xc2\xbd\xe0];B[dd])");
    let mut host = Host::new(RoomSettings::default());
    let opened = host.ask("games.open", json!({"base64": bytes, "encoding": "gb2312"}));
    let title = opened["games"][0]["title"].as_str().unwrap();
    assert!(title.contains("古力") && title.contains("柯洁"), "{title}");
    assert_eq!(opened["diagnostics"], json!([]));
    let refused = host.call(
        1,
        "games.open",
        json!({"base64": bytes, "encoding": "Klingon"}),
    );
    let refused = refused.unwrap_err().to_string();
    assert!(
        refused.contains("no encoding is called `Klingon`"),
        "{refused}"
    );
}

#[test]
fn one_bad_point_is_one_remark() {
    let mut host = Host::new(RoomSettings::default());
    let opened = host.ask("games.open", json!({"text": "(;SZ[9];B[zz];W[ee])"}));
    assert_eq!(
        opened["diagnostics"].as_array().unwrap().len(),
        1,
        "{opened}"
    );
}

#[test]
fn the_page_lists_the_encodings_that_records_are_found_in() {
    let page = include_str!("../../../../web/page/parts/opener.js");
    let start = page.find("export const ENCODINGS = [").unwrap();
    let list = &page[start..start + page[start..].find("];").unwrap()];
    let listed: Vec<&str> = list.split('"').skip(1).step_by(2).collect();
    assert_eq!(
        listed,
        tengen_sgf::Charset::USUAL.map(tengen_sgf::Charset::name)
    );
}
