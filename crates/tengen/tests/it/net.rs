//! `tengen net`.

use std::fs;
use std::path::{Path, PathBuf};

use tengen_nn::{Architecture, Net, Precision};

use crate::tengen::{Run, run};

/// A folder of its own for each test, empty.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join("net")
        .join(name);
    _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a test may make a folder");
    folder
}

/// The name of a file in a folder.
fn at(folder: &Path, name: &str) -> String {
    folder.join(name).display().to_string()
}

fn new(file: &str, seed: &str) -> Run {
    let line = ["net", "new", "--blocks", "2", "--channels", "16"];
    run(line.into_iter().chain(["--seed", seed, file]), "")
}

#[test]
fn a_new_network_depends_on_its_seed_alone() {
    let folder = folder("new");
    let [one, same, other] = ["one", "same", "other"].map(|name| at(&folder, name));
    for (file, seed) in [(&one, "7"), (&same, "7"), (&other, "8")] {
        assert_eq!(new(file, seed).out(), "");
    }
    let [one, same, other] = [one, same, other].map(|file| {
        let bytes = fs::read(file).expect("the command wrote it");
        Net::from_bytes(&bytes).expect("it is a network")
    });
    let architecture = Architecture {
        blocks: 2,
        channels: 16,
    };
    assert_eq!(one.architecture(), architecture);
    assert_eq!(one.weights(), same.weights());
    assert_ne!(one.weights(), other.weights());
}

#[test]
fn info_tells_size_notes_and_speed() {
    let file = at(&folder("info"), "net.safetensors");
    let architecture = Architecture {
        blocks: 3,
        channels: 16,
    };
    let net = Net::random(architecture, 1).expect("it is a size");
    fs::write(&file, net.to_bytes(&[("games", "12\u{1b}[2J")])).expect("it can be written");
    let told = run(["net", "info", &file], "").out();
    let lines: Vec<&str> = told.lines().collect();
    assert_eq!(lines[..2], ["blocks    3", "channels  16"]);
    assert_eq!(lines[2], format!("weights   {}", architecture.count()));
    assert_eq!(lines[3], "bits      32");
    assert_eq!(lines[5..lines.len() - 1], ["note      games: 12 [2J"]);
    let speed = lines[lines.len() - 1];
    let speed = speed
        .strip_prefix("speed     ")
        .and_then(|rest| rest.strip_suffix(" positions of 9x9 a second"))
        .expect("the last line is the speed");
    assert!(speed.parse::<u64>().expect("it is a number") > 0);
}

#[test]
fn a_network_shrinks_to_half_or_a_quarter_and_keeps_its_notes() {
    let folder = folder("shrink");
    let [file, half, byte] = ["net", "half", "byte"].map(|name| at(&folder, name));
    let architecture = Architecture {
        blocks: 2,
        channels: 32,
    };
    let net = Net::random(architecture, 1).expect("it is a size");
    fs::write(&file, net.to_bytes(&[("games", "12")])).expect("it can be written");
    assert_eq!(run(["net", "shrink", &file, &half], "").out(), "");
    let line = ["net", "shrink", "--bits", "8", &file, &byte];
    assert_eq!(run(line, "").out(), "");
    for (file, bits, precision) in [(&half, 16, Precision::Half), (&byte, 8, Precision::Byte)] {
        let bytes = fs::read(file).expect("the command wrote it");
        assert!(bytes == net.to_bytes_with(precision, &[("games", "12")]));
        let told = run(["net", "info", file], "").out();
        assert!(told.contains(&format!("\nbits      {bits}\n")), "{told}");
        assert!(told.contains("\nnote      games: 12\n"), "{told}");
    }
    let other = at(&folder, "other");
    for bits in ["4", "32", "eight"] {
        let refusal = run(["net", "shrink", "--bits", bits, &file, &other], "").refusal();
        assert!(refusal.contains("it is 16 or 8"), "{refusal}");
    }
}

/// Games of 45 moves in which rows are filled that do not touch each other; who moves first wins every other one.
fn games() -> String {
    let game = |number: usize| {
        let rows = (0..5).map(|row| 2 * ((row * (number % 4 + 1) + number) % 5));
        let points = rows.flat_map(|y| (0..9).map(move |x| (x, y)));
        let name = |at: usize| char::from(b'a' + at as u8);
        let moves = points.enumerate().map(|(turn, (x, y))| {
            let player = if turn % 2 == 0 { 'B' } else { 'W' };
            format!(";{player}[{}{}]", name(x), name(y))
        });
        let winner = if number.is_multiple_of(2) { 'B' } else { 'W' };
        let moves: String = moves.collect();
        format!("(;GM[1]SZ[9]KM[6.5]RE[{winner}+R]{moves})\n")
    };
    (0..20).map(game).collect()
}

#[test]
fn a_network_is_asked_about_games_and_calibrated_by_their_results() {
    let folder = folder("calibrate");
    let [file, calibrated, records] =
        ["net", "calibrated", "games.sgf"].map(|name| at(&folder, name));
    fs::write(&records, games()).expect("it can be written");
    let told = run(["net", "shrink", "baseline", &file], "").out();
    assert_eq!(told, "");
    let told = run(["net", "calibrate", &file, &calibrated, &records], "").out();
    let temperature = told.lines().next().and_then(|line| line.split(' ').nth(1));
    let temperature: f64 = temperature.expect("it is told").parse().expect("a number");
    // Who wins was decided by the number of the game: nobody could know it.
    assert!(temperature > 1.5, "{told}");
    assert!(told.contains("calibration error "), "{told}");
    let exam = |file: &str| run(["net", "exam", file, &records, "--beside", "baseline"], "").out();
    let [before, after] = [&file, &calibrated].map(|file| exam(file));
    let part = |told: &str, from: &str, to: &str| {
        let rest = told.split_once(from).expect("it is told").1;
        rest.split_once(to).expect("it ends").0.to_owned()
    };
    assert_eq!(
        part(&before, "top-1", ", value"),
        part(&after, "top-1", ", value")
    );
    assert_ne!(part(&before, "value ", ","), part(&after, "value ", ","));
    assert_eq!(part(&after, "same favourite ", ","), "100.0 %");
    let nobody = at(&folder, "nobody.sgf");
    fs::write(&nobody, "(;SZ[9];B[aa])").expect("it can be written");
    let refusal = run(
        ["net", "calibrate", &file, &calibrated, &nobody, "--force"],
        "",
    )
    .refusal();
    assert!(refusal.contains("no game"), "{refusal}");
}

#[test]
fn the_network_of_the_program_needs_no_file() {
    let told = run(["net", "info"], "").out();
    assert_eq!(told.lines().next(), Some("blocks    6"), "{told}");
    assert_eq!(told.lines().nth(1), Some("channels  64"), "{told}");
    assert!(told.contains("\nnote      games: "), "{told}");
    let out = at(&folder("baseline"), "net.onnx");
    assert_eq!(run(["net", "export", "baseline", &out], "").out(), "");
    assert_eq!(
        fs::read(&out).expect("it is there"),
        Net::baseline().to_onnx()
    );
}

#[test]
fn an_export_is_what_the_network_says_of_itself() {
    let folder = folder("export");
    let [file, out] = ["net.safetensors", "net.onnx"].map(|name| at(&folder, name));
    new(&file, "3").out();
    assert_eq!(run(["net", "export", &file, &out], "").out(), "");
    let net = Net::from_bytes(&fs::read(&file).expect("it is there")).expect("it is a network");
    assert_eq!(fs::read(&out).expect("it is there"), net.to_onnx());
    let names = fs::read_dir(&folder).expect("it is a folder").count();
    assert_eq!(names, 2, "a draft was left behind");
}

#[test]
fn nothing_is_overwritten_unasked() {
    let folder = folder("overwrite");
    let [file, out] = ["net.safetensors", "taken"].map(|name| at(&folder, name));
    new(&file, "3").out();
    fs::write(&out, "precious").expect("it can be written");
    for refused in [new(&out, "1"), run(["net", "export", &file, &out], "")] {
        let refusal = refused.refusal();
        assert!(refusal.contains("taken is there already"), "{refusal}");
        assert_eq!(fs::read(&out).expect("it is there"), b"precious");
    }
    let forced = run(["net", "export", "--force", &file, &out], "");
    assert_eq!(forced.out(), "");
    assert!(fs::read(&out).expect("it is there").len() > 1000);
}

#[test]
fn what_is_wrong_is_said_in_a_line() {
    let folder = folder("wrong");
    let [file, out] = ["net.safetensors", "out"].map(|name| at(&folder, name));
    let missing = run(["net", "info", &file], "").refusal();
    assert!(missing.contains("net.safetensors"), "{missing}");
    new(&file, "3").out();
    let bytes = fs::read(&file).expect("it is there");
    fs::write(&file, &bytes[..bytes.len() / 2]).expect("it can be written");
    for command in [
        run(["net", "info", &file], ""),
        run(["net", "export", &file, &out], ""),
    ] {
        let refusal = command.refusal();
        assert!(
            refusal.contains("net.safetensors: it is not a whole"),
            "{refusal}"
        );
    }
    let line = ["net", "new", "--channels", "17", &out];
    let refusal = run(line, "").refusal();
    assert!(refusal.contains("in multiples of 16"), "{refusal}");
    assert!(!Path::new(&out).exists());
    let nowhere = at(&folder, "no/such/folder");
    let failed = new(&nowhere, "1");
    assert_eq!(failed.code, 1);
    assert!(
        failed.stderr.contains("no/such/folder"),
        "{}",
        failed.stderr
    );
}

/// A network in KataGo's format: tiny, as the fuzz tests have it.
fn katago_net(folder: &Path) -> String {
    let file = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../fuzz/regressions/katago/a-compressed-network");
    let copy = at(folder, "tiny.bin.gz");
    fs::copy(file, &copy).expect("it can be copied");
    copy
}

#[test]
fn networks_of_katago_play_wherever_a_network_is_named() {
    let file = katago_net(&folder("katago"));
    let told = run(["net", "info", &file], "").out();
    let lines: Vec<&str> = told.lines().collect();
    assert_eq!(
        lines[..2],
        ["name      tiny", "format    KataGo's, version 8"]
    );
    assert_eq!(lines[2..4], ["blocks    2", "channels  1"]);

    let line = ["net", "bench", &file, "--size", "9", "--seconds", "0.1"];
    assert!(run(line, "").out().contains("tiny.bin.gz"));
    let line = ["net", "bench", &file, "--size", "25"];
    assert!(run(line, "").refusal().contains("boards up to 19x19"));

    let commands = "boardsize 7\ngenmove b\ngenmove w\nboardsize 21\ngenmove b\nfinal_score\n";
    let line = ["gtp", "--net", &file, "--visits", "20", "--linger", "600"];
    let told = run(line, commands).out();
    assert_eq!(told.matches("= ").count(), 6, "{told}");
    let query = r#"{"id":"a","moves":[["B","C3"]],"rules":"chinese","boardXSize":5,"boardYSize":5,"maxVisits":20}"#;
    let answer = run(["analysis", "--net", &file], query);
    assert!(answer.stdout.contains("\"rootInfo\""), "{}", answer.stdout);
    assert!(
        answer.stderr.contains("judged by network tiny (2x1,"),
        "{}",
        answer.stderr
    );

    let line = [
        "eval",
        &file,
        "rollouts@10",
        "--games",
        "2",
        "--size",
        "5",
        "--visits",
        "4",
    ];
    assert!(run(line, "").out().contains("tiny.bin.gz"));
}

#[test]
fn a_network_of_katago_plays_with_itself() {
    let folder = folder("katago-selfplay");
    let file = katago_net(&folder);
    let config = at(&folder, "tiny.toml");
    let boards = "[network]\nblocks = 1\nchannels = 16\n\
                  [self_play]\nboards = [{ size = \"4\" }]\nfull_visits = 6\nfast_visits = 2\n";
    fs::write(&config, boards).expect("it can be written");
    let play = |name: &str| {
        let out = at(&folder, name);
        let line = [
            "selfplay",
            "--net",
            &file,
            "--config",
            &config,
            &out,
            "--games",
            "2",
            "--threads",
            "1",
        ];
        run(line, "").out();
        fs::read(out).expect("it was written")
    };
    let games = play("one.tgr");
    assert!(!games.is_empty());
    assert_eq!(games, play("two.tgr"));
}

#[test]
fn what_is_for_own_networks_refuses_those_of_katago() {
    let folder = folder("foreign");
    let file = katago_net(&folder);
    let out = at(&folder, "net.onnx");
    for line in [
        vec!["net", "export", &file, &out],
        vec!["net", "shrink", &file, &out],
    ] {
        let refusal = run(line, "").refusal();
        assert!(refusal.contains("it is a network of KataGo"), "{refusal}");
    }
}

#[test]
fn a_broken_network_of_katago_is_one_line_with_its_block() {
    let folder = folder("broken");
    let whole = fs::read(katago_net(&folder)).expect("it is there");
    let cut = at(&folder, "cut.bin.gz");
    fs::write(&cut, &whole[..whole.len() / 2]).expect("it can be written");
    let refusal = run(["gtp", "--net", &cut], "").refusal();
    assert!(
        refusal.contains("cut.bin.gz: block 2 of 2: the file ends too early"),
        "{refusal}"
    );
}

#[test]
fn a_profile_is_for_networks_that_imitate_people() {
    let file = katago_net(&folder("profile"));
    for (line, problem) in [
        (
            vec!["gtp", "--net", &file, "--profile", "rank_5k"],
            "tiny.bin.gz does not imitate people",
        ),
        (
            vec!["gtp", "--profile", "rank_5k"],
            "the baseline does not imitate people",
        ),
        (
            vec!["gtp", "--net", "none", "--profile", "rank_5k"],
            "none does not imitate people",
        ),
        (
            vec!["gtp", "--net", &file, "--profile", "rank_99k"],
            "`rank_99k` names no players",
        ),
    ] {
        let refusal = run(line, "").refusal();
        assert!(refusal.contains(problem), "{refusal}");
    }
}
