//! `tengen analysis`.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};
use tengen_nn::Expert;

use crate::tengen::{Run, run, tengen, tengen_reading};

fn query(id: &str, more: &str) -> String {
    format!(
        "{{\"id\":\"{id}\",\"moves\":[[\"B\",\"D4\"],[\"W\",\"E5\"]],\"rules\":\"chinese\",\
         \"boardXSize\":7,\"boardYSize\":7,\"maxVisits\":30{more}}}\n"
    )
}

/// Standard output of a run that went well, line by line.
fn answers(run: &Run) -> Vec<Value> {
    assert_eq!(run.code, 0, "{}", run.stderr);
    run.stdout
        .lines()
        .map(|line| serde_json::from_str(line).expect("every line is JSON"))
        .collect()
}

/// A process that is spoken to line by line.
struct Analyst {
    child: Child,
    stdin: Option<ChildStdin>,
    stdout: BufReader<ChildStdout>,
}

impl Analyst {
    fn start(line: &str) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_tengen"))
            .args(line.split_whitespace())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("tengen was built for this test");
        Self {
            stdin: child.stdin.take(),
            stdout: BufReader::new(child.stdout.take().expect("standard output is a pipe")),
            child,
        }
    }

    fn say(&mut self, text: &str) {
        let stdin = self.stdin.as_mut().expect("the input is open");
        stdin.write_all(text.as_bytes()).expect("it listens");
    }

    fn hear(&mut self) -> Value {
        let mut line = String::new();
        self.stdout.read_line(&mut line).expect("it prints UTF-8");
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

    fn end(mut self) -> (Option<i32>, String) {
        drop(self.stdin.take());
        let mut rest = String::new();
        self.stdout
            .read_to_string(&mut rest)
            .expect("it prints UTF-8");
        (self.child.wait().expect("it ends").code(), rest)
    }
}

const LONG: &str = "{\"id\":\"long\",\"moves\":[],\"rules\":\"aga\",\"boardXSize\":19,\"boardYSize\":19,\
    \"maxVisits\":1000000000,\"reportDuringSearchEvery\":0.01}\n";

#[test]
fn queries_come_and_go_as_they_like() {
    let mut analyst = Analyst::start("analysis --analysis-threads 1 --search-threads 1 --seed 3");
    analyst.say(LONG);
    let first = analyst.hear();
    assert_eq!(
        (&first["id"], &first["isDuringSearch"]),
        (&json!("long"), &json!(true))
    );
    analyst.say(&query("low", ",\"priority\":-1"));
    analyst.say(&query("turns", ",\"analyzeTurns\":[0,1,2]"));
    analyst.say("this is no JSON\n\n");
    analyst.say(&query("wrong", ",\"komi\":\"high\""));
    analyst.say(&query("high", ",\"priority\":7,\"includeOwnership\":true"));
    let heard = [0; 2].map(|_| analyst.hear_end());
    assert!(heard[0]["error"].is_string(), "{}", heard[0]);
    assert_eq!(
        (&heard[1]["id"], &heard[1]["field"]),
        (&json!("wrong"), &json!("komi"))
    );
    analyst.say(
        "{\"id\":\"t\",\"action\":\"terminate\",\"terminateId\":\"turns\",\"turnNumbers\":[1]}\n",
    );
    let ended = analyst.hear_end();
    assert_eq!(
        (&ended["id"], &ended["turnNumber"], &ended["noResults"]),
        (&json!("turns"), &json!(1), &json!(true))
    );
    assert_eq!(analyst.hear_end()["terminateId"], "turns");
    analyst.say("{\"id\":\"u\",\"action\":\"terminate\",\"terminateId\":\"long\"}\n");
    // The rest is answered although nobody says anything any more.
    let (code, rest) = analyst.end();
    assert_eq!(code, Some(0));
    let names: Vec<String> = rest
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).expect("every line is JSON"))
        .filter(|answer| answer["isDuringSearch"] == false)
        .map(|answer| format!("{} {}", answer["id"], answer["turnNumber"]))
        .collect();
    assert_eq!(
        names,
        [
            "\"long\" 0",
            "\"high\" 2",
            "\"turns\" 0",
            "\"turns\" 2",
            "\"low\" 2"
        ]
    );
}

#[test]
fn an_end_without_waiting_is_an_end() {
    let mut analyst = Analyst::start("analysis --search-threads 1 -quit-without-waiting");
    analyst.say(LONG);
    analyst.hear();
    assert_eq!(analyst.end().0, Some(0));
}

#[test]
fn a_client_that_is_gone_ends_the_process() {
    let mut analyst = Analyst::start("analysis --search-threads 1");
    analyst.say(LONG);
    analyst.hear();
    // It still holds our input open, as a parent that has crashed half-way may.
    drop(analyst.stdout);
    let status = analyst.child.wait().expect("it ends by itself");
    assert_eq!(status.code(), Some(0));
}

#[test]
fn one_thread_and_a_seed_find_the_same() {
    let line = "analysis --search-threads 1 --seed 5 --rules aga --visits 40 --memory 64";
    let input = "{\"id\":\"a\",\"moves\":[],\"boardXSize\":5,\"boardYSize\":5}\n";
    let first = tengen_reading(line, input);
    assert_eq!(answers(&first).len(), 1);
    assert_eq!(first.stdout, tengen_reading(line, input).stdout);
    assert!(first.stderr.contains("1 search thread"), "{}", first.stderr);
}

#[test]
fn models_are_named() {
    let ask = |line: &str| {
        let query = "{\"id\":\"m\",\"action\":\"query_models\"}\n";
        answers(&tengen_reading(line, query)).remove(0)["models"].clone()
    };
    assert_eq!(ask("analysis --net none"), json!([]));
    // A network that is not there leaves its place to the one that is always there.
    for line in ["analysis", "analysis -model foreign.bin.gz"] {
        assert_eq!(ask(line)[0]["name"], Expert::baseline().name());
    }
}

#[test]
fn priors_are_those_of_the_judge() {
    let priors = |line: &str, side: u8| {
        let query = format!(
            "{{\"id\":\"a\",\"moves\":[],\"rules\":\"aga\",\"maxVisits\":2,\"includePolicy\":true,\
             \"boardXSize\":{side},\"boardYSize\":{side}}}\n"
        );
        let line = format!("analysis --search-threads 1 {line}");
        answers(&tengen_reading(&line, &query)).remove(0)["policy"].clone()
    };
    assert!(priors("", 9).is_array());
    assert_ne!(priors("", 9), priors("--net none", 9));
    assert_ne!(priors("", 13), priors("--net none", 13));
    // Beyond what a network has learned, it has nothing to say in the open.
    assert_eq!(priors("", 21), priors("--net none", 21));
}

/// A file that goes away with its owner.
struct TemporaryFile(PathBuf);

impl TemporaryFile {
    fn new(name: &str, text: &str) -> Self {
        let path = std::env::temp_dir().join(format!("tengen-{}-{name}", std::process::id()));
        fs::write(&path, text).expect("temporary files can be written");
        Self(path)
    }

    fn path(&self) -> &str {
        self.0.to_str().expect("the path is UTF-8")
    }
}

impl Drop for TemporaryFile {
    fn drop(&mut self) {
        _ = fs::remove_file(&self.0);
    }
}

#[test]
fn a_human_model_is_one_that_has_learned_from_people() {
    let refusal = run(["analysis", "--human-model", "baseline"], "").refusal();
    let problem = "--human-model: baseline has not learned from people";
    assert!(refusal.contains(problem), "{refusal}");
}

#[test]
fn starts_as_katago_does() {
    let config = TemporaryFile::new(
        "analysis.cfg",
        "# for a graphics card\nnumAnalysisThreads = 12\nnumSearchThreads = 8\nnnMaxBatchSize = 96\n\
         reportAnalysisWinratesAs = WHITE\nmaxVisits = 500\n",
    );
    let run = run(
        [
            "analysis",
            "-model",
            "no-such-model.bin.gz",
            "-human-model",
            "none.bin.gz",
            "-config",
            config.path(),
            "-override-config",
            "homeDataDir=/nowhere,maxVisits=20",
        ],
        "{\"id\":\"a\",\"moves\":[],\"rules\":\"aga\",\"boardXSize\":5,\"boardYSize\":5}\n",
    );
    let answers = answers(&run);
    assert_eq!(answers[0]["rootInfo"]["currentPlayer"], "B");
    let visits = answers[0]["rootInfo"]["visits"].as_u64();
    assert!(visits.is_some_and(|visits| visits < 100), "{visits:?}");
    for note in [
        "no-such-model.bin.gz is not used",
        "none.bin.gz is not used",
        "without effect here: homeDataDir, nnMaxBatchSize",
    ] {
        assert!(run.stderr.contains(note), "{}", run.stderr);
    }
}

#[test]
fn reads_toml() {
    let config = TemporaryFile::new(
        "analysis.toml",
        "analysis-threads = 3\nsearch-threads = 1\nrules = \"aga\"\nvisits = 10\n\
         report-winrates-as = \"SIDETOMOVE\"\nseed = 1\nmemory = 64\ntime = 5.5\n",
    );
    let arguments = ["analysis", "--config", config.path()];
    let done = run(
        arguments,
        "{\"id\":\"a\",\"moves\":[],\"boardXSize\":5,\"boardYSize\":5}\n",
    );
    assert_eq!(answers(&done)[0]["id"], "a");
    assert_eq!(
        done.stderr,
        format!(
            "tengen: ready: 3 positions at a time, 1 search thread each, judged by {}\n",
            Expert::baseline().name()
        )
    );
    let broken = TemporaryFile::new("broken.toml", "visits = 10\nrules = aga\n");
    let refusal = run(["analysis", "--config", broken.path()], "").refusal();
    assert!(refusal.contains("broken.toml: line 2: "), "{refusal}");
}

#[test]
fn a_wrong_request_is_one_line() {
    for (line, problem) in [
        ("analysis --visits 0", "--visits"),
        ("analysis --analysis-threads 0", "--analysis-threads"),
        ("analysis -search-threads many", "--search-threads"),
        ("analysis --rules chess", "chess"),
        ("analysis --report-winrates-as GREEN", "BLACK, WHITE"),
        ("analysis -config no-such.cfg", "no-such.cfg: "),
        ("analysis -override-config maxVisits", "key=value"),
        ("analysis -override-config maxVisits=none", "maxVisits"),
        ("analysis --speed", "--speed"),
    ] {
        let refusal = tengen(line).refusal();
        assert!(refusal.contains(problem), "{line}: {refusal}");
    }
    let help = tengen("analysis --help").out();
    assert!(help.contains("KataGo") && help.contains("--quit-without-waiting"));
}
