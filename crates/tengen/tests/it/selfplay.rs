//! `tengen selfplay`.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use tengen_nn::{Architecture, Net};
use tengen_sgf::{Mode, Record};
use tengen_train::{GameRecord, Records};

use crate::tengen::{Run, run};

/// Boards and searches that take milliseconds.
const TINY: &str = r#"
[network]
blocks = 1
channels = 16
[teacher]
games = 1
visits = 10
[self_play]
boards = [{ size = "4" }, { size = "4x3" }]
full_visits = 6
fast_visits = 2
full_share = 0.5
"#;

/// A folder of its own for each test, with the configuration in it.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR"))
            .join("selfplay")
            .join(name);
        _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).expect("a test may make a folder");
        fs::write(folder.join("tiny.toml"), TINY).expect("a test may write a file");
        Self(folder)
    }

    fn at(&self, name: &str) -> String {
        self.0.join(name).display().to_string()
    }

    /// Plays on tiny boards.
    fn play(&self, out: &str, more: &[&str]) -> Run {
        let (config, out) = (self.at("tiny.toml"), self.at(out));
        let line = ["selfplay", "--config", &config, &out];
        run(line.iter().chain(more).copied(), "")
    }

    fn bytes(&self, name: &str) -> Vec<u8> {
        fs::read(self.0.join(name)).expect("it was written")
    }

    fn games(&self, name: &str) -> Vec<GameRecord> {
        let bytes = self.bytes(name);
        let records: Result<Vec<_>, _> = Records::new(bytes.as_slice()).collect();
        records.expect("all of them are whole")
    }

    /// Writes a network, and says where.
    fn net(&self, name: &str, steps: &str) -> String {
        let architecture = Architecture {
            blocks: 1,
            channels: 16,
        };
        let net = Net::random(architecture, 3).expect("it is a size");
        let bytes = net.to_bytes(&[("steps", steps)]);
        fs::write(self.0.join(name), bytes).expect("a test may write a file");
        self.at(name)
    }
}

const RANDOM: [&str; 4] = ["--random", "1x16", "--threads", "1"];

/// The number that a line of the statistics begins with.
#[track_caller]
fn number(told: &str, name: &str) -> f64 {
    let line = told.lines().find_map(|line| line.strip_prefix(name));
    let word = line.and_then(|line| line.split_whitespace().next());
    let word = word.expect("there is such a line");
    word.parse().expect("it begins with a number")
}

#[test]
fn what_is_told_is_what_is_in_the_file() {
    let folder = Folder::new("told");
    let net = folder.net("net.safetensors", "77");
    let told = folder.play("out.tgr", &["--net", &net, "--games", "9"]);
    let told = told.out();
    let games = folder.games("out.tgr");
    assert_eq!(games.len(), 9);
    assert!(games.iter().all(|game| game.network == 77));
    assert!(number(&told, "an hour") > 0.0);
    assert_eq!(number(&told, "games"), 9.0);
    let positions: usize = games.iter().map(GameRecord::positions).sum();
    assert_eq!(number(&told, "positions"), positions as f64);
    let moves: usize = games.iter().map(|game| game.moves.len()).sum();
    assert!((number(&told, "moves") - moves as f64 / 9.0).abs() < 0.06);
    let seeds: HashSet<u64> = games.iter().map(|game| game.seed).collect();
    assert_eq!(seeds.len(), 9);
}

#[test]
fn the_same_command_goes_on() {
    let folder = Folder::new("go_on");
    let play = |out: &str, games: &str| {
        let more = [&RANDOM[..], &["--seed", "5", "--games", games]].concat();
        folder.play(out, &more)
    };
    play("whole.tgr", "6").out();
    let whole = folder.bytes("whole.tgr");
    play("parts.tgr", "2").out();
    let first = folder.bytes("parts.tgr").len();
    // The machine failed while the third game was written.
    fs::write(folder.at("parts.tgr"), &whole[..first + 20]).expect("it can be written");
    let rest = play("parts.tgr", "6");
    assert_eq!((rest.code, rest.stderr.as_str()), (0, FINISHED));
    assert_eq!(number(&rest.stdout, "games"), 6.0);
    assert!(folder.bytes("parts.tgr") == whole);
    // Nothing is left to do, and another seed adds its own games.
    assert_eq!(
        play("parts.tgr", "6").stderr,
        "6 games are finished already\n"
    );
    assert!(folder.bytes("parts.tgr") == whole);
    folder
        .play("parts.tgr", &[&RANDOM[..], &["--games", "1"]].concat())
        .out();
    assert_eq!(folder.games("parts.tgr").len(), 7);
}

const FINISHED: &str = "2 games are finished already\n";

#[test]
fn threads_change_nothing_but_the_order() {
    let folder = Folder::new("threads");
    let games = |out: &str, threads: &str| {
        let more = ["--random", "1x16", "--games", "8", "--threads", threads];
        folder.play(out, &more).out();
        let games = folder.games(out).into_iter();
        games.map(|game| game.to_bytes()).collect::<HashSet<_>>()
    };
    assert_eq!(games("one.tgr", "1"), games("three.tgr", "3"));
}

#[test]
fn without_a_network_the_teacher_plays() {
    let folder = Folder::new("teacher");
    folder.play("out.tgr", &["--games", "2"]).out();
    for game in folder.games("out.tgr") {
        // The teacher searches every turn, and so often as its section says.
        assert!(game.positions() + 5 > game.moves.len(), "{game:?}");
        assert!(game.targets.iter().all(|target| target.visits >= 10));
    }
}

#[test]
fn visits_are_those_of_every_turn() {
    let folder = Folder::new("visits");
    let more = [&RANDOM[..], &["--visits", "12", "--games", "3"]].concat();
    folder.play("out.tgr", &more).out();
    let mut turns = 0;
    for game in folder.games("out.tgr") {
        assert!(game.targets.iter().all(|target| target.visits == 12));
        turns += game.positions();
    }
    assert!(turns > 10, "{turns} turns");
}

#[test]
fn games_can_be_looked_at() {
    let folder = Folder::new("sgf");
    let album = folder.at("album");
    let play = |games: &str| {
        let more = [&RANDOM[..], &["--games", games, "--sgf", &album]].concat();
        folder.play("out.tgr", &more)
    };
    play("2").out();
    assert_eq!(play("3").code, 0);
    let games = folder.games("out.tgr");
    for (number, game) in (1..).zip(&games) {
        let bytes = folder.bytes(&format!("album/seed-0-game-{number:06}.sgf"));
        let text = String::from_utf8(bytes.clone()).expect("it is text");
        assert!(text.contains(&format!("seed {}", game.seed)), "{text}");
        let record = Record::read(bytes, Mode::Strict).expect("it is a record");
        let root = record.collection.roots().next().expect("it has a game");
        assert_eq!(root.main_line().count(), 1 + game.moves.len());
    }
    assert_eq!(games.len(), 3);
}

#[test]
fn files_of_others_are_left_alone() {
    let folder = Folder::new("foreign");
    let net = folder.net("net.safetensors", "1");
    let other = folder.net("other.safetensors", "2");
    let before = folder.bytes("net.safetensors");
    let refusal = folder.play("net.safetensors", &RANDOM).refusal();
    assert!(refusal.contains("not a record"), "{refusal}");
    assert!(folder.bytes("net.safetensors") == before);
    let by = |net: &str| folder.play("out.tgr", &["--net", net, "--games", "2"]);
    by(&net).out();
    let refusal = by(&other).refusal();
    assert!(refusal.contains("step 1"), "{refusal}");
    // A fault in the middle is not the end of a game that was being written.
    let mut bytes = folder.bytes("out.tgr");
    bytes[40] ^= 1;
    fs::write(folder.at("out.tgr"), &bytes).expect("it can be written");
    let refusal = by(&net).refusal();
    assert!(refusal.contains("byte 0: a record is damaged"), "{refusal}");
    assert!(folder.bytes("out.tgr") == bytes);
}

#[test]
fn what_is_wrong_is_said_in_a_line() {
    let folder = Folder::new("wrong");
    for (more, said) in [
        (vec!["--random", "4"], "4x32"),
        (vec!["--random", "4x20"], "multiples of 16"),
        (vec!["--net", "no/such/file"], "no/such/file"),
        (vec!["--net", "a", "--random", "1x16"], "cannot be used"),
        (vec!["--visits", "0"], "--visits"),
    ] {
        let refusal = folder.play("out.tgr", &more).refusal();
        assert!(refusal.contains(said), "{refusal}");
    }
    fs::write(folder.at("tiny.toml"), "[self_play]\nfull_share = 2").expect("it can be written");
    let refusal = folder.play("out.tgr", &[]);
    assert!(refusal.stderr.contains("tiny.toml"), "{refusal:?}");
    assert!(!folder.0.join("out.tgr").exists());
}

/// What an interrupt leaves behind is whole.
#[cfg(unix)]
#[test]
fn an_interrupt_keeps_all_games() {
    use std::process::{Command, Stdio};
    use std::time::{Duration, Instant};

    let folder = Folder::new("interrupted");
    let child = Command::new(env!("CARGO_BIN_EXE_tengen"))
        .args(["selfplay", "--config", &folder.at("tiny.toml")])
        .args(["--random", "1x16", "--games", "100000"])
        .arg(folder.at("out.tgr"))
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("tengen was built for this test");
    let started = Instant::now();
    while fs::metadata(folder.at("out.tgr")).map_or(0, |file| file.len()) < 2000 {
        assert!(started.elapsed() < Duration::from_secs(120), "no games");
        std::thread::sleep(Duration::from_millis(20));
    }
    let killed = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(killed.expect("there is a command for that").success());
    let output = child.wait_with_output().expect("it ends");
    let told = String::from_utf8_lossy(&output.stderr);
    let games = folder.games("out.tgr").len();
    assert_eq!(
        told.lines().last(),
        Some(format!("tengen: interrupted after {games} of 100000 games").as_str())
    );
    assert_eq!(output.status.code(), Some(1));
    let told = String::from_utf8_lossy(&output.stdout);
    assert_eq!(number(&told, "games"), games as f64);
}
