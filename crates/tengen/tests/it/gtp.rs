//! `tengen gtp` as clients meet it.

use std::fmt::Write as _;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use tengen_nn::Expert;

use crate::tengen::run;

#[path = "../../../tengen-gtp/tests/it/commands.rs"]
mod commands;
#[path = "../../../tengen-gtp/tests/it/transcript.rs"]
mod transcript;

/// Nothing takes that long, on however busy a machine.
const LONG: Duration = Duration::from_secs(120);

fn tmp(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}

/// The engine and both ends of its pipes.
struct Engine {
    child: Child,
    stdin: Option<ChildStdin>,
    stdout: Option<BufReader<ChildStdout>>,
}

impl Engine {
    fn start(arguments: &str) -> Self {
        Self::with_arguments(arguments.split_whitespace().map(str::to_owned))
    }

    fn with_arguments(arguments: impl IntoIterator<Item = String>) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_tengen"))
            .arg("gtp")
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("tengen was built for this test");
        Self {
            stdin: child.stdin.take(),
            stdout: child.stdout.take().map(BufReader::new),
            child,
        }
    }

    fn send(&mut self, text: impl AsRef<[u8]>) {
        let stdin = self.stdin.as_mut().expect("standard input is open");
        stdin.write_all(text.as_ref()).expect("the engine reads");
        stdin.flush().expect("the engine reads");
    }

    fn line(&mut self) -> String {
        let mut line = String::new();
        let stdout = self.stdout.as_mut().expect("standard output is open");
        stdout.read_line(&mut line).expect("the engine writes text");
        line
    }

    /// A reply, with the blank line at its end.
    fn reply(&mut self) -> String {
        let mut reply = String::new();
        loop {
            let line = self.line();
            reply += &line;
            if line == "\n" || line.is_empty() {
                return reply;
            }
        }
    }

    fn ask(&mut self, command: &str) -> String {
        self.send(format!("{command}\n"));
        self.reply()
    }

    /// Waits for the end, which must come by itself.
    fn end(mut self) -> (ExitStatus, String) {
        let started = Instant::now();
        let status = loop {
            if let Some(status) = self.child.try_wait().expect("the engine can be waited for") {
                break status;
            }
            assert!(started.elapsed() < LONG, "the engine does not end");
            thread::sleep(Duration::from_millis(5));
        };
        let mut complaint = String::new();
        let mut stderr = self.child.stderr.take().expect("standard error is a pipe");
        stderr
            .read_to_string(&mut complaint)
            .expect("the engine prints UTF-8");
        (status, complaint)
    }
}

/// A test that fails leaves no process behind.
impl Drop for Engine {
    fn drop(&mut self) {
        _ = self.child.kill();
        _ = self.child.wait();
    }
}

#[track_caller]
fn assert_ends_well(engine: Engine) {
    let (status, complaint) = engine.end();
    assert_eq!((status.code(), complaint.as_str()), (Some(0), ""));
}

#[test]
fn every_session_goes_as_written() {
    let folder = tmp("gtp-sessions");
    for transcript in transcript::all(&folder) {
        let mut config = String::new();
        for (key, value) in &transcript.settings {
            writeln!(config, "{key} = {value:?}").expect("a string takes all");
        }
        let file = folder.join(format!("{}.toml", transcript.name));
        fs::write(&file, config).expect("the folder is there");
        let lines: Vec<&str> = transcript.steps.iter().map(|step| &*step.sent).collect();
        let file = file.to_str().expect("the folder has a plain name");
        // The sessions are those of an engine in memory, which has rollouts alone.
        let arguments = ["gtp", "--net", "none", "--linger", "600", "--config", file];
        let out = run(arguments, lines.join("\n") + "\n").out();
        let replies: Vec<String> = out.split_inclusive("\n\n").map(str::to_owned).collect();
        transcript.check(&replies);
    }
}

#[test]
fn an_analysis_begins_at_once_and_ends_with_the_next_line() {
    let mut engine = Engine::start("--size 9 --threads 1");
    engine.send("7 kata-analyze B 5\n");
    assert_eq!(engine.line(), "=7\n");
    for _ in 0..3 {
        let line = engine.line();
        assert!(line.starts_with("info move "), "{line}");
    }
    // Sabaki ends an analysis in this way.
    engine.send("8 protocol_version\n");
    let rest = engine.reply();
    let is_info = |line: &str| line.is_empty() || line.starts_with("info move ");
    assert!(rest.lines().all(is_info), "{rest}");
    assert_eq!(engine.reply(), "=8 2\n\n");
    // So does an empty line, which has no reply of its own.
    engine.send("lz-analyze 5\n");
    assert_eq!(engine.line(), "=\n");
    assert!(engine.line().starts_with("info move "));
    engine.send("\n");
    engine.reply();
    assert_eq!(engine.ask("9 name"), "=9 Tengen\n\n");
    assert_eq!(engine.ask("quit"), "= \n\n");
    assert_ends_well(engine);
}

#[test]
fn commands_that_are_sent_without_waiting_are_answered_in_order() {
    let mut engine = Engine::start("--size 9 --visits 8 --name Hidden --version 0.17");
    engine.send("name\nversion\nprotocol_version\nlist_commands\n");
    assert_eq!(engine.reply(), "= Hidden\n\n");
    assert_eq!(engine.reply(), "= 0.17\n\n");
    assert_eq!(engine.reply(), "= 2\n\n");
    assert!(engine.reply().starts_with("= protocol_version\n"));
    assert_eq!(engine.ask("quit"), "= \n\n");
    assert_ends_well(engine);
}

#[test]
fn the_end_of_the_input_ends_an_analysis() {
    let mut engine = Engine::start("--size 9");
    engine.send("kata-analyze 5\n");
    assert_eq!(engine.line(), "=\n");
    engine.stdin = None;
    assert_ends_well(engine);
}

#[test]
fn a_reader_that_goes_away_ends_an_analysis() {
    let mut engine = Engine::start("--size 9");
    engine.send("kata-analyze 5\n");
    assert_eq!(engine.line(), "=\n");
    // Standard input stays open, as when a client hangs.
    engine.stdout = None;
    assert_ends_well(engine);
}

#[test]
fn a_client_that_goes_away_ends_the_search_for_a_move() {
    let mut engine = Engine::start("--size 9 --time 10000 --linger 0.1");
    engine.send("name\ngenmove b\n");
    assert_eq!(engine.reply(), "= Tengen\n\n");
    engine.stdin = None;
    let (status, complaint) = engine.end();
    assert_eq!(status.code(), Some(0));
    assert!(complaint.contains("cut short"), "{complaint}");
}

#[test]
fn quit_ends_the_search_for_a_move() {
    let mut engine = Engine::start("--size 9 --time 10000 --linger 0.1");
    engine.send("genmove b\nquit\n");
    assert!(engine.reply().starts_with("= "));
    assert_eq!(engine.reply(), "= \n\n");
    let (status, complaint) = engine.end();
    assert_eq!(status.code(), Some(0));
    assert!(complaint.contains("cut short"), "{complaint}");
}

#[test]
fn an_interruption_ends_the_search_for_a_move() {
    let mut engine = Engine::start("--size 9 --time 10000");
    engine.send("kata-genmove_analyze b 5\n");
    assert_eq!(engine.line(), "=\n");
    assert!(engine.line().starts_with("info move "));
    // Other lines do not end it: the reply to this one comes behind the move.
    engine.send("5 name\n");
    engine.send("# interrupt\n");
    let reply = engine.reply();
    let last = reply.trim_end().lines().next_back();
    assert!(
        last.is_some_and(|line| line.starts_with("play ")),
        "{reply}"
    );
    assert_eq!(engine.reply(), "=5 Tengen\n\n");
    engine.stdin = None;
    assert_ends_well(engine);
}

#[test]
fn it_thinks_in_the_opponents_time_until_something_arrives() {
    let mut engine = Engine::start("--size 9 --visits 20 --threads 1 --ponder");
    for command in ["genmove b", "play w E5", "genmove b"] {
        // Either player may have taken the point.
        let reply = engine.ask(command);
        assert!(
            reply.starts_with("= ") || reply == "? illegal move\n\n",
            "{reply}"
        );
    }
    engine.stdin = None;
    assert_ends_well(engine);
}

#[test]
fn garbage_is_refused_and_the_engine_goes_on() {
    let mut engine = Engine::start("--size 9");
    let garbage: Vec<u8> = (0..=255).filter(|byte| *byte != b'\n').collect();
    engine.send(garbage);
    engine.send("\n");
    assert!(engine.reply().starts_with('?'));
    engine.send(vec![b'x'; 2 << 20]);
    engine.send("\n");
    assert_eq!(engine.reply(), "? line too long\n\n");
    assert_eq!(engine.ask("name"), "= Tengen\n\n");
    engine.stdin = None;
    assert_ends_well(engine);
}

#[test]
fn one_thread_and_one_seed_play_the_same_game() {
    let commands = "genmove b\ngenmove w\n".repeat(6) + "printsgf\n";
    let play = |seed: &str| {
        let line = [
            "gtp",
            "--size",
            "9",
            "--visits",
            "50",
            "--threads",
            "1",
            "--linger",
            "600",
            "--seed",
            seed,
        ];
        run(line, &commands).out()
    };
    assert_eq!(play("3"), play("3"));
    assert_ne!(play("3"), play("4"));
}

#[test]
fn a_network_plays_where_it_has_learned_and_guides_rollouts_elsewhere() {
    let play = |more: &str, commands: &str| {
        let line = format!("gtp --visits 40 --threads 1 --linger 600 --rules chinese {more}");
        run(line.split_whitespace(), commands).out()
    };
    let who = "gomill-describe_engine\n";
    let baselines = format!("{}, level 20", Expert::baseline().name());
    for (net, name) in [
        ("", baselines.as_str()),
        ("--net baseline", baselines.as_str()),
        ("--net none", "rollouts, level 20"),
    ] {
        let told = play(net, who);
        assert!(told.contains(name), "{net}: {told}");
    }
    let game = "boardsize SIZE\nclear_board\nkomi 6.5\ngenmove b\ngenmove w\ngenmove b\n";
    let on = |side: &str, net: &str| play(net, &game.replace("SIZE", side));
    assert_ne!(on("9", ""), on("9", "--net none"));
    assert_ne!(on("13", ""), on("13", "--net none"));
    assert_ne!(on("9", "--level 12"), on("9", "--level 12 --net none"));
}

#[test]
fn the_first_moves_of_the_baseline_make_sense() {
    let commands = "boardsize 9\nkomi 7\ngenmove b\ngenmove w\nclear_board\ngenmove w\n";
    let line = "gtp --visits 60 --threads 1 --linger 600";
    let out = run(line.split(' '), commands).out();
    let moves: Vec<&str> = out.split("\n\n").filter(|reply| reply.len() > 2).collect();
    assert_eq!(moves.len(), 3, "{out}");
    for reply in moves {
        // Neither a pass nor a stone on the first two lines.
        let vertex = reply.trim_start_matches("= ");
        let is_inside = |line: char| "CDEFG34567".contains(line);
        assert!(vertex.len() == 2 && vertex.chars().all(is_inside), "{out}");
    }
}

#[test]
fn a_wrong_setting_is_one_line() {
    let config = |text: &str| {
        let file = tmp("gtp-wrong.toml");
        fs::write(&file, text).expect("the folder is there");
        let file = file.to_str().expect("the folder has a plain name");
        run(["gtp", "--config", file], "").refusal()
    };
    for (text, problem) in [
        ("visitors = 10", "`visitors`: no such key"),
        ("visits = 0", "`visits`: at least 1"),
        ("visits = -5", "`visits`: a whole number"),
        ("rules = \"martian\"", "unknown rules `martian`"),
        ("ponder = \"perhaps\"", "`ponder`: `true` or `false`"),
        ("level = 21", "`level`: a level is 1 to 20"),
        ("size = [9, 9]", "`size`: a text, a number"),
        ("name = \"a\"\nvisits =", "line 2: "),
    ] {
        let refusal = config(text);
        assert!(refusal.contains(problem), "{text}: {refusal}");
    }
    for (line, problem) in [
        ("gtp --visits 0", "--visits 0: at least 1"),
        ("gtp --visits 10 --time 1", "--time"),
        ("gtp --level 0", "--level 0: a level is 1 to 20"),
        ("gtp --size 26", "--size 26: "),
        ("gtp --komi x", "--komi x: "),
        ("gtp --resign soon", "--resign soon: "),
        ("gtp --config no-such-file.toml", "no-such-file.toml: "),
        ("gtp --version", "--version"),
    ] {
        let refusal = run(line.split(' '), "").refusal();
        assert!(refusal.contains(problem), "{line}: {refusal}");
    }
}

#[test]
fn options_win_over_the_file() {
    let file = tmp("gtp-settings.toml");
    let text = "size = 13\nkomi = 5.5\ntime = 100\nname = \"File\"\nponder = false\n";
    fs::write(&file, text).expect("the folder is there");
    let file = file.to_str().expect("the folder has a plain name");
    let commands =
        "query_boardsize\nget_komi\nname\nkata-get-param maxTime\nkata-get-param maxVisits\n";
    let line = ["gtp", "--config", file, "--name", "Option", "--visits", "7"];
    let out = run(line, commands).out();
    let replies: Vec<&str> = out.split("\n\n").collect();
    let endless = "= 100000000000000000000";
    assert_eq!(replies, ["= 13", "= 5.5", "= Option", endless, "= 7", ""]);
}

/// How many kilobytes of memory a process uses, where the system tells.
fn resident(child: &Child) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.trim().strip_suffix(" kB")?.parse().ok()
}

#[test]
fn ten_thousand_random_lines_leave_no_memory_behind() {
    let mut engine = Engine::start("--net none --size 7 --visits 4 --threads 1 --memory 16");
    let mut commands = commands::Commands::new(11);
    let mut warm = None;
    for batch in 0..100 {
        let mut text = String::new();
        let mut replies = 0;
        for _ in 0..100 {
            let (line, id) = commands.next();
            text += &line;
            text.push('\n');
            replies += usize::from(id.is_some());
        }
        // An analysis may be the last of them, and goes on until a line ends it.
        text.push('\n');
        engine.send(&text);
        for _ in 0..replies {
            let reply = engine.reply();
            assert!(transcript::well_formed(&reply).is_some(), "{reply:?}");
        }
        if batch == 20 {
            warm = resident(&engine.child);
        }
    }
    if let (Some(warm), Some(end)) = (warm, resident(&engine.child)) {
        assert!(end < warm + 48 * 1024, "{warm} kB became {end} kB");
    }
    engine.stdin = None;
    assert_ends_well(engine);
}

#[test]
fn files_can_be_forbidden_and_forced() {
    let folder = tmp("gtp-files");
    // It may be there from an earlier run.
    _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    let letter = folder.join("letter.txt");
    fs::write(&letter, "Dear Ada,").unwrap();
    let (letter, new) = (letter.display(), folder.join("new.sgf"));
    let commands = format!(
        "printsgf {letter}\nprintsgf {}\nloadsgf {letter}\nprintsgf\nquit\n",
        new.display()
    );
    let replies = |option: &str| -> Vec<String> {
        let run = run(["gtp", option, "--visits", "1"], &commands);
        let lines = run.stdout.lines().filter(|line| !line.is_empty());
        lines.map(str::to_owned).collect()
    };
    let forbidden = replies("--no-files");
    assert_eq!(forbidden[0], "? cannot save file: files are forbidden here");
    assert_eq!(forbidden[1], "? cannot save file: files are forbidden here");
    assert_eq!(forbidden[2], "? cannot load file: files are forbidden here");
    assert!(forbidden[3].starts_with("= (;"), "{forbidden:?}");
    assert!(!new.exists());
    let read = || fs::read_to_string(folder.join("letter.txt")).unwrap();
    assert_eq!(read(), "Dear Ada,");
    let usual = replies("--ponder");
    assert_eq!(
        usual[0],
        "? cannot save file: it exists and is no game record"
    );
    assert_eq!((usual[1].trim(), read().as_str()), ("=", "Dear Ada,"));
    assert!(new.exists());
    let forced = replies("--force-files");
    assert_eq!(forced[0].trim(), "=");
    assert!(read().starts_with("(;"));
}
