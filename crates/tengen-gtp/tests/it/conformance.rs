//! Sessions from `testdata/gtp`, in memory.

use std::collections::BTreeSet;
use std::path::Path;

use serde::Deserialize;
use tengen_gtp::gtp::{Ending, GtpSettings, Session, serve};
use tengen_gtp::setting::Tabulated;

use crate::transcript::{self, Transcript};

fn tmp() -> &'static Path {
    Path::new(env!("CARGO_TARGET_TMPDIR"))
}

fn session(transcript: &Transcript) -> Session {
    let mut settings = GtpSettings::default();
    for (key, value) in &transcript.settings {
        settings.set(key, value).unwrap();
    }
    Session::new(settings)
}

#[test]
fn every_session_goes_as_written() {
    for transcript in transcript::all(&tmp().join("answered")) {
        let mut session = session(&transcript);
        let mut replies = Vec::new();
        for step in &transcript.steps {
            let reply = session.answer(&step.sent);
            let is_expected = !step.reply.is_empty();
            assert_eq!(reply.is_some(), is_expected, "{}", step.number);
            replies.extend(reply);
        }
        transcript.check(&replies);
    }
}

#[test]
fn every_session_goes_as_written_when_all_of_it_is_sent_at_once() {
    for transcript in transcript::all(&tmp().join("served")) {
        let lines: Vec<&str> = transcript.steps.iter().map(|step| &*step.sent).collect();
        let input = std::io::Cursor::new(lines.join("\n").into_bytes());
        let mut output = Vec::new();
        let mut session = session(&transcript);
        let ending = serve(&mut session, input, &mut output).unwrap();
        assert_eq!(ending, Ending::Complete, "{}", transcript.name);
        let output = String::from_utf8(output).unwrap();
        let replies: Vec<String> = output.split_inclusive("\n\n").map(str::to_owned).collect();
        transcript.check(&replies);
    }
}

#[test]
fn every_command_occurs_in_some_session() {
    let mut session = Session::new(GtpSettings::default());
    let listed = session.answer("list_commands").unwrap();
    let listed: BTreeSet<&str> = listed.split_whitespace().skip(1).collect();
    let transcripts = transcript::all(&tmp().join("listed"));
    let sent: BTreeSet<&str> = transcripts
        .iter()
        .flat_map(|transcript| &transcript.steps)
        .flat_map(|step| step.sent.split_whitespace().take(2))
        .collect();
    let missing: Vec<&&str> = listed.difference(&sent).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn every_command_and_every_setting_is_documented() {
    let page = std::fs::read_to_string(transcript::folder().join("../../docs/gtp.md")).unwrap();
    let mut session = Session::new(GtpSettings::default());
    let listed = session.answer("list_commands").unwrap();
    let commands = listed.split_whitespace().skip(1);
    let rows = GtpSettings::rows();
    let settings = rows.iter().map(|row| row.description.name);
    for word in commands.chain(settings) {
        assert!(page.contains(&format!("`{word}`")), "{word}");
    }
}

/// The commands that clients look for before they connect, or send without asking.
#[test]
fn what_clients_ask_for_is_there() {
    let mut session = Session::new(GtpSettings::default());
    for name in [
        "genmove_analyze",
        "analyze",
        "kata-analyze",
        "lz-analyze",
        "lz-genmove_analyze",
        "kata-get-rules",
        "kgs-game_over",
        "gogui-analyze_commands",
        "gogui-play_sequence",
        "set_free_handicap",
        "rectangular_boardsize",
    ] {
        let reply = session.answer(&format!("known_command {name}"));
        assert_eq!(reply.as_deref(), Some("= true\n\n"), "{name}");
    }
}

#[derive(Deserialize)]
struct Keys {
    line: Vec<LineKeys>,
}

#[derive(Deserialize)]
struct LineKeys {
    command: String,
    keys: Vec<String>,
    root: Option<Vec<String>>,
}

/// The keys among the words of an `info` or a `rootInfo`: each has one value, but for the lists at the end.
fn keys(words: &[&str]) -> Vec<String> {
    let is_list = |word: &str| word == "pv" || word == "pvVisits";
    let first_list = words.iter().position(|word| is_list(word));
    let (pairs, lists) = words.split_at(first_list.unwrap_or(words.len()));
    assert_eq!(pairs.len() % 2, 0, "{pairs:?}");
    let keys = pairs.iter().step_by(2).copied();
    keys.chain(lists.iter().copied().filter(|word| is_list(word)))
        .map(str::to_owned)
        .collect()
}

#[test]
fn reports_have_the_keys_of_other_engines_in_their_order() {
    let text = std::fs::read_to_string(transcript::folder().join("info-keys.toml")).unwrap();
    let file: Keys = toml::from_str(&text).unwrap();
    assert!(file.line.len() >= 4);
    let mut settings = GtpSettings::default();
    for (key, value) in [("size", "9"), ("visits", "100"), ("threads", "1")] {
        settings.set(key, value).unwrap();
    }
    let mut session = Session::new(settings);
    for expected in file.line {
        let reply = session.answer(&expected.command).unwrap();
        let line = reply.lines().nth(1).unwrap();
        let (moves, root) = match line.split_once(" rootInfo ") {
            Some((moves, root)) => (moves, Some(root)),
            None => (line, None),
        };
        let moves = moves.strip_prefix("info ").unwrap();
        for one in moves.split(" info ") {
            let words: Vec<&str> = one.split(' ').collect();
            assert_eq!(keys(&words), expected.keys, "{}: {one}", expected.command);
        }
        let root = root.map(|root| keys(&root.split(' ').collect::<Vec<_>>()));
        assert_eq!(root, expected.root, "{}", expected.command);
    }
}
