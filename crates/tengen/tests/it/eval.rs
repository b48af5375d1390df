//! `tengen eval`.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use tengen_nn::{Architecture, Net};

use crate::tengen::{Run, run};

/// A folder with two networks that know nothing.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR"))
            .join("eval")
            .join(name);
        _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).expect("a test may make a folder");
        let architecture = Architecture {
            blocks: 1,
            channels: 16,
        };
        for (name, seed) in [("one", 1), ("two@home", 2)] {
            let net = Net::random(architecture, seed).expect("it is a size");
            fs::write(folder.join(name), net.to_bytes(&[])).expect("a test may write a file");
        }
        Self(folder)
    }

    /// A player whose file is in the folder.
    fn at(&self, name: &str) -> String {
        self.0.join(name).display().to_string()
    }
}

fn eval(players: &[&str], more: &str) -> Run {
    let line = ["eval"].into_iter().chain(players.iter().copied());
    run(line.chain(more.split_whitespace()), "")
}

fn elo(report: &Value, name: &str) -> f64 {
    let players = report["players"].as_array().expect("it is a list");
    let player = players.iter().find(|player| player["name"] == name);
    player.expect("it played")["elo"]
        .as_f64()
        .expect("it is a number")
}

#[test]
fn everybody_plays_everybody() {
    let folder = Folder::new("everybody");
    let (one, two) = (folder.at("one"), folder.at("two@home"));
    let (policy, search) = (format!("{one}@0"), format!("{two}@8"));
    let players = [policy.as_str(), &search, "rollouts@40", "rollouts@41"];
    let report = eval(&players, "--size 4 --games 4 --seed 3 --json").json();
    let pairs = report["pairs"].as_array().expect("it is a list");
    assert_eq!(pairs.len(), 6);
    let count = |value: &Value| value.as_u64().expect("it is a number");
    for pair in pairs {
        let games = count(&pair["wins"]) + count(&pair["draws"]) + count(&pair["losses"]);
        assert_eq!(games, 4, "{pair}");
    }
    let ranked = report["players"].as_array().expect("it is a list");
    assert_eq!(ranked.len(), 4);
    let mut points = 0.0;
    for player in ranked {
        assert_eq!(player["games"], 12);
        points += player["points"].as_f64().expect("it is a number");
    }
    assert_eq!(points, 24.0);
    assert_eq!(elo(&report, &policy), 0.0);
    assert_eq!(
        (&report["size"], &report["seed"]),
        (&"4x4".into(), &3.into())
    );
}

#[test]
fn rollouts_are_stronger_than_a_network_that_knows_nothing() {
    let folder = Folder::new("stronger");
    let policy = format!("{}@0", folder.at("one"));
    let report = eval(&[&policy, "rollouts@150"], "--size 7 --games 8 --json").json();
    assert!(elo(&report, "rollouts@150") > 50.0, "{report}");
    let best = &report["players"][0];
    assert_eq!(best["name"], "rollouts@150");
    let error = best["error"].as_f64().expect("it is a number");
    assert!((50.0..1000.0).contains(&error), "{report}");
}

#[test]
fn threads_change_nothing_and_seeds_do() {
    let folder = Folder::new("threads");
    let (one, two) = (folder.at("one"), folder.at("two@home"));
    let table = |more: &str| {
        let more = format!("--size 4 --visits 2 --games 20 {more}");
        eval(&[&one, &two, "rollouts@4"], &more).out()
    };
    let single = table("--threads 1 --seed 1");
    assert_eq!(single, table("--threads 3 --seed 1"));
    assert_ne!(single, table("--threads 3 --seed 2"));
    let lines: Vec<&str> = single.lines().collect();
    assert_eq!(lines.len(), 4, "{single}");
    assert!(lines[0].ends_with("1       2       3"), "{single}");
    assert!(single.contains(&format!("{one}@2")), "{single}");
    assert!(single.contains(" ± ") && single.contains(" %"), "{single}");
}

#[test]
fn a_policy_and_the_same_one_are_equal() {
    let folder = Folder::new("equal");
    let one = folder.at("one");
    fs::copy(folder.0.join("one"), folder.0.join("same")).expect("it can be copied");
    let same = folder.at("same");
    let report = eval(&[&one, &same], "--size 4 --visits 0 --games 10 --json").json();
    // Whatever the opening is worth, each of them gets both sides of it.
    assert_eq!(elo(&report, &format!("{same}@0")), 0.0);
}

#[test]
fn what_is_wrong_is_said_in_a_line() {
    let folder = Folder::new("wrong");
    let one = folder.at("one");
    let at_64 = format!("{one}@64");
    fs::write(folder.0.join("text"), "not a network").expect("it can be written");
    for (players, more, said) in [
        (vec![one.as_str()], "", "2 values required"),
        (vec![&one, &at_64], "", "named twice"),
        (vec![&one, "rollouts@0"], "", "rollouts@1000"),
        (vec![&one, "rollouts"], "--games 3", "even number"),
        (vec![&one, "rollouts"], "--games 0", "--games"),
        (vec![&one, "no/such/file@9"], "", "no/such/file:"),
        (vec![&one, &folder.at("text")], "", "text:"),
    ] {
        let refusal = eval(&players, more).refusal();
        assert!(refusal.contains(said), "{refusal}");
    }
}

/// An interrupt shows how it stands.
#[cfg(unix)]
#[test]
fn an_interrupt_shows_how_it_stands() {
    use std::io::{BufRead, BufReader};
    use std::process::{Command, Stdio};

    let folder = Folder::new("interrupted");
    let mut child = Command::new(env!("CARGO_BIN_EXE_tengen"))
        .args(["eval", "--size", "4", "--games", "1000000", "--progress"])
        .args(["--visits", "2", "--json"])
        .args([folder.at("one"), folder.at("two@home")])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("tengen was built for this test");
    let told = child.stderr.take().expect("it is a pipe");
    let mut lines = BufReader::new(told).lines();
    lines.next().expect("it says").expect("how far it is");
    let killed = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(killed.expect("there is a command for that").success());
    let last = lines.last().expect("it says").expect("why it ends");
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(1), "{last}");
    let report: Value = serde_json::from_slice(&output.stdout).expect("it is JSON");
    let games = &report["players"][0]["games"];
    assert!(games.as_u64() >= Some(2), "{report}");
    assert_eq!(
        last,
        format!("tengen: interrupted after {games} of 1000000 games")
    );
}
