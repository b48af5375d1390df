//! `tengen serve`, started, killed and started again.
#![cfg(unix)]

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tengen_nn::Expert;

use crate::tengen::run;

/// Nothing takes that long, on whatever machine.
const LONG: Duration = Duration::from_secs(120);

/// A server of its own, which ends with the test.
struct Serving {
    child: Child,
    address: SocketAddr,
}

/// An empty folder for a test.
fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("tengen-serve-{name}-{}", std::process::id()));
    _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("there is room for a folder");
    folder
}

fn start(data: &Path, more: &[&str]) -> Serving {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tengen"));
    command
        .args([
            "serve",
            "--no-open",
            "--port",
            "0",
            "--threads",
            "1",
            "--memory",
            "64",
            "--data",
        ])
        .arg(data)
        .args(more);
    started(&mut command)
}

fn started(command: &mut Command) -> Serving {
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("tengen was built for this test");
    let out = child.stdout.take().expect("standard output is a pipe");
    let mut line = String::new();
    BufReader::new(out)
        .read_line(&mut line)
        .expect("it prints its address");
    let address = line
        .trim()
        .strip_prefix("Tengen runs at http://")
        .and_then(|rest| rest.split('/').next());
    let address = address.and_then(|address| address.parse().ok());
    Serving {
        child,
        address: address.unwrap_or_else(|| panic!("{line}")),
    }
}

impl Serving {
    /// Calls a method over HTTP.
    fn call(&self, method: &str, params: &Value) -> Value {
        let body = params.to_string();
        let request = format!(
            "POST /api/{method} HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\nContent-Length: \
                {}\r\nConnection: close\r\n\r\n{body}",
            self.address,
            body.len()
        );
        let mut stream = TcpStream::connect(self.address).expect("the server listens");
        stream
            .write_all(request.as_bytes())
            .expect("the server reads");
        let mut answer = String::new();
        stream
            .read_to_string(&mut answer)
            .expect("the server answers");
        let (head, body) = answer.split_once("\r\n\r\n").expect("an answer has a head");
        assert!(head.starts_with("HTTP/1.1 200"), "{answer}");
        serde_json::from_str(body).expect("answers are JSON")
    }

    fn kill(mut self) {
        self.child.kill().expect("it can be killed");
        self.child.wait().expect("it ends");
    }

    /// Ends it as the system does, and waits for it.
    fn terminate(mut self) -> i32 {
        let id = self.child.id().to_string();
        let ended = Command::new("kill").args(["-TERM", &id]).status();
        assert!(ended.expect("there is a kill command").success());
        let status = self.child.wait().expect("it ends");
        status.code().expect("it ends by itself")
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        // It may have ended already.
        _ = self.child.kill();
        _ = self.child.wait();
    }
}

#[test]
fn the_app_starts_without_a_command() {
    let folder = folder("plain");
    let mut command = Command::new(env!("CARGO_BIN_EXE_tengen"));
    command.env("XDG_DATA_HOME", &folder);
    // No browser is to open in the middle of a test.
    for screen in ["DISPLAY", "WAYLAND_DISPLAY", "BROWSER"] {
        command.env_remove(screen);
    }
    let server = started(&mut command);
    let about = server.call("about", &json!({}));
    assert!(about["version"].is_string());
    assert_eq!(about["engine"]["network"], Expert::baseline().name());
    assert_eq!(server.terminate(), 0);
    assert!(folder.join("tengen/app").is_dir());
    fs::remove_dir_all(folder).expect("a test may clean up");
}

#[test]
fn a_game_outlives_its_server() {
    let folder = folder("outlives");
    let person = json!({ "kind": "person" });
    let params =
        json!({ "width": 9, "height": 9, "rules": "japanese", "black": person, "white": person });
    let server = start(&folder, &[]);
    let game = server.call("games.new", &params)["id"].clone();
    server.call(
        "game.play",
        &json!({ "game": game, "node": 0, "move": "E5" }),
    );
    server.kill();
    let server = start(&folder, &[]);
    let sheet = server.call("game.get", &json!({ "game": game }));
    assert_eq!(
        (&sheet["live"], &sheet["tree"]["moves"][1]),
        (&json!(1), &json!("B E5"))
    );
    server.call(
        "game.play",
        &json!({ "game": game, "node": 1, "move": "C3" }),
    );
    assert_eq!(server.terminate(), 0);
    let server = start(&folder, &[]);
    assert_eq!(server.call("game.get", &json!({ "game": game }))["live"], 2);
    // What was kept is an ordinary record.
    let file = folder.join(format!(
        "games/{}.sgf",
        game.as_str().expect("games have names")
    ));
    let file = file.to_str().expect("temporary folders have plain names");
    let info = run(["sgf", "info", file, "--json"], "").out();
    assert!(
        info.contains("japanese") || info.contains("Japanese"),
        "{info}"
    );
    drop(server);
    fs::remove_dir_all(folder).expect("the folder is ours");
}

#[test]
fn the_network_answers_in_a_game_and_may_be_left_out() {
    let folder = folder("network");
    let server = start(&folder, &[]);
    let white = json!({ "kind": "engine", "level": 8 });
    let params = json!({ "width": 9, "height": 9, "rules": "chinese", "black": { "kind": "person" }, "white": white });
    let game = server.call("games.new", &params)["id"].clone();
    let play = json!({ "game": game, "node": 0, "move": "E5" });
    server.call("game.play", &play);
    let started = Instant::now();
    let answer = loop {
        assert!(started.elapsed() < LONG, "no answer");
        let sheet = server.call("game.get", &json!({ "game": game }));
        assert_eq!(sheet["trouble"], Value::Null);
        if sheet["live"] == 2 {
            break sheet["tree"]["moves"][2].clone();
        }
        std::thread::sleep(Duration::from_millis(20));
    };
    assert!(
        answer
            .as_str()
            .is_some_and(|answer| answer.starts_with("W ") && answer != "W pass"),
        "{answer}"
    );
    drop(server);
    let server = start(&folder, &["--net", "none"]);
    assert_eq!(
        server.call("about", &json!({}))["engine"]["network"],
        Value::Null
    );
    drop(server);
    fs::remove_dir_all(folder).expect("the folder is ours");
}

#[test]
fn programs_named_at_the_start_may_play() {
    let folder = folder("programs");
    let dummy = format!("Dummy={} dummy", env!("CARGO_BIN_EXE_tengen"));
    let server = start(&folder, &["--program", &dummy]);
    assert_eq!(
        server.call("about", &json!({}))["programs"],
        json!(["Dummy"])
    );
    let program = json!({ "kind": "program", "name": "Dummy" });
    let white = json!({ "kind": "person" });
    let params =
        json!({ "width": 5, "height": 5, "rules": "chinese", "black": program, "white": white });
    let game = server.call("games.new", &params)["id"].clone();
    let started = Instant::now();
    loop {
        assert!(started.elapsed() < LONG, "no move");
        let sheet = server.call("game.get", &json!({ "game": game }));
        assert_eq!(sheet["trouble"], Value::Null);
        if sheet["live"] == 1 {
            break;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    drop(server);
    fs::remove_dir_all(folder).expect("the folder is ours");
}

#[test]
fn wrong_requests_are_one_line() {
    let refusal =
        |arguments: &[&str]| run([&["serve", "--no-open"], arguments].concat(), "").refusal();
    assert!(refusal(&["--token", "short"]).contains("16"));
    assert!(refusal(&["--program", "gnugo"]).contains("NAME=COMMAND"));
    assert!(
        refusal(&["--program", "A=a", "--program", "A=b"]).contains("two programs are called A")
    );
    assert!(
        refusal(&["--run", "/nowhere"]).contains("/nowhere is not the folder of a training run")
    );
    assert!(refusal(&["--web", "/nowhere"]).contains("index.html"));
    assert!(refusal(&["--listen", "everywhere"]).contains("--listen"));
    let folder = folder("taken");
    let data = folder.to_str().expect("temporary folders have plain names");
    let taken = TcpListener::bind("127.0.0.1:0").expect("there is a free port");
    let port = taken
        .local_addr()
        .expect("it has an address")
        .port()
        .to_string();
    let said = refusal(&["--data", data, "--port", &port]);
    assert!(said.contains("another program listens already"), "{said}");
    let server = start(&folder, &[]);
    let port = server.address.port().to_string();
    let said = refusal(&["--data", data, "--port", &port]);
    assert!(said.contains("Tengen runs already"), "{said}");
    let second = run(["serve", "--no-open", "--port", "0", "--data", data], "");
    assert_eq!(second.code, 1);
    assert_eq!(
        second.stderr.matches("runs already").count(),
        1,
        "{}",
        second.stderr
    );
    assert!(
        second
            .stderr
            .contains(&format!("at http://{}/", server.address)),
        "{}",
        second.stderr
    );
    drop(server);
    fs::remove_dir_all(folder).expect("the folder is ours");
}
