//! `tengen sgf`: records in, answers out.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::tengen::{Run, run};

const GAME: &str = "(;FF[4]SZ[9]KM[7]RU[Chinese]PB[Ada]BR[1d]PW[Grace]RE[B+R];B[ee]C[the centre];W[ge];B[gf];W[ff])";

/// A folder for the files of one test, empty at its start.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    // It may be there from an earlier run.
    _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("cargo's folder for tests can be written");
    folder
}

fn write(folder: &Path, name: &str, content: impl AsRef<[u8]>) -> String {
    let path = folder.join(name);
    fs::write(&path, content).expect("the folder can be written");
    path.to_str().expect("the path is text").to_owned()
}

fn sgf(arguments: &[&str]) -> Run {
    run(["sgf"].into_iter().chain(arguments.iter().copied()), GAME)
}

#[test]
fn check_tells_the_worst_by_its_exit_code() {
    let folder = folder("check");
    let good = write(&folder, "good.sgf", GAME);
    let warned = write(&folder, "warned.sgf", "(;SZ[9]KM[375];b[ee])");
    let wrong = write(&folder, "wrong.sgf", "(;SZ[9];B[ee];W[ee]");
    let other = write(&folder, "other.sgf", "# A list\n- of things\n");
    let empty = write(&folder, "empty.sgf", "");
    for (file, code, line) in [
        (
            &good,
            0,
            "1 file, 1 game, 4 moves: 0 with errors, 0 with warnings, 0 unreadable",
        ),
        (&warned, 3, ":1:11: warning: komi `375`: read as 7.5"),
        (
            &wrong,
            4,
            ":1:17: error: move 2, White E5: occupied; played all the same",
        ),
        (
            &wrong,
            4,
            ":1:20: error: a `)` is missing: added at the end",
        ),
        (&other, 5, "this is not SGF"),
        (&empty, 5, "the file is empty"),
    ] {
        let run = sgf(&["check", file]);
        assert_eq!(
            (run.code, run.stderr.as_str()),
            (code, ""),
            "{file}: {}",
            run.stdout
        );
        assert!(run.stdout.contains(line), "{file}: {}", run.stdout);
    }
    let all = sgf(&[
        "check",
        "--quiet",
        folder.to_str().expect("the path is text"),
    ]);
    assert_eq!(all.code, 5);
    assert_eq!(
        all.stdout,
        "5 files, 3 games, 7 moves: 1 with errors, 1 with warnings, 2 unreadable\n"
    );
    let missing = sgf(&["check", "no-such-file.sgf"]);
    assert_eq!(missing.code, 5);
    assert!(
        missing.stdout.starts_with("no-such-file.sgf: no such file"),
        "{}",
        missing.stdout
    );
}

#[test]
fn check_speaks_json() {
    let report = sgf(&["check", "--json", "-"]).json();
    assert_eq!(report["file"], "standard input");
    assert_eq!(
        (&report["games"], &report["moves"]),
        (&Value::from(1), &Value::from(4))
    );
    assert_eq!(
        (&report["encoding"], &report["format"]),
        (&Value::from("UTF-8"), &Value::from("SGF"))
    );
    assert_eq!(report["diagnostics"], Value::Array(Vec::new()));
}

#[test]
fn format_is_canonical_and_stays_so() {
    let folder = folder("format");
    let path = write(&folder, "game.sgf", "(;SZ[9]C[a\\\nb]B[ e e ];W[tt])");
    assert_eq!(sgf(&["format", "--check", &path]).code, 3);
    let formatted = sgf(&["format", &path]).out();
    assert_eq!(
        formatted,
        "(;FF[4]\nGM[1]\nCA[UTF-8]\nSZ[9]\nC[ab]\nB[ee]\n;W[])\n"
    );
    sgf(&["format", "--in-place", &path]).out();
    assert_eq!(
        fs::read_to_string(&path).expect("it was written"),
        formatted
    );
    assert_eq!(sgf(&["format", "--check", &path]).out(), "");
}

#[test]
fn info_lists_games() {
    let table = sgf(&["info", "-"]).out();
    let expected = "Black   White  Result  Rules    Komi   Size   Moves  File\n\
        Ada 1d  Grace  B+R    Chinese  7      9      4      standard input\n";
    assert_eq!(
        table.split_whitespace().collect::<Vec<_>>(),
        expected.split_whitespace().collect::<Vec<_>>()
    );
    let report = sgf(&["info", "--json", "-"]).json();
    assert_eq!(
        (&report["black"], &report["white"]),
        (&Value::from("Ada"), &Value::from("Grace"))
    );
    assert_eq!(
        (&report["moves"], &report["nodes"]),
        (&Value::from(4), &Value::from(5))
    );
}

#[test]
fn show_draws_the_position_after_a_move() {
    let shown = sgf(&["show", "-", "--move", "1"]).out();
    assert!(
        shown.contains(" 5 . . + .(X). + . .  5") || shown.contains("(X)"),
        "{shown}"
    );
    assert!(shown.contains("Move 1 of 4: Black E5"), "{shown}");
    assert!(shown.ends_with("the centre\n"), "{shown}");
    let report = sgf(&["show", "-", "--json"]).json();
    assert_eq!(report["board"][4], ". . . . X . O . .");
    assert_eq!(report["last"], "F4");
    assert!(
        sgf(&["show", "-", "--move", "5"])
            .refusal()
            .contains("the game has 4 moves")
    );
    assert!(
        sgf(&["show", "-", "--game", "2"])
            .refusal()
            .contains("the file has 1 game")
    );
}

#[test]
fn render_writes_pictures_of_every_kind() {
    let folder = folder("render");
    for (name, more, begins) in [
        ("position.svg", &[][..], &b"<svg"[..]),
        (
            "position.png",
            &["--width", "300", "--theme", "plain"],
            b"\x89PNG",
        ),
        ("game.svg", &["--animate"], b"<svg"),
        (
            "game.gif",
            &["--animate", "--width", "200", "--delay", "0.2"],
            b"GIF89a",
        ),
        (
            "numbers.svg",
            &["--numbers", "2-3", "--no-coordinates"],
            b"<svg",
        ),
    ] {
        let path = folder.join(name);
        let path = path.to_str().expect("the path is text");
        let arguments = [&["render", "-", "-o", path], more].concat();
        assert_eq!(sgf(&arguments).out(), "");
        let written = fs::read(path).expect("the picture was written");
        assert!(written.starts_with(begins), "{name}");
    }
    assert!(
        sgf(&["render", "-", "-o", "picture.jpg"])
            .refusal()
            .contains(".svg, .png or .gif")
    );
    assert!(
        sgf(&["render", "-", "-o", "picture.gif"])
            .refusal()
            .contains("--animate")
    );
    assert!(
        sgf(&["render", "-", "-o", "-", "--numbers", "3-2"])
            .refusal()
            .contains("a range of moves")
    );
}

#[test]
fn cat_and_split_are_inverse() {
    let folder = folder("split");
    let one = write(&folder, "one.sgf", GAME);
    let two = write(&folder, "two.sgf", b"(;CA[Big5]SZ[9]C[\xb3\x5c];B[aa])");
    let all = sgf(&["cat", &one, &two]).out();
    assert_eq!(all, format!("{GAME}\n(;CA[UTF-8]SZ[9]C[許];B[aa])\n"));
    let collection = write(&folder, "all.sgf", &all);
    let parts = folder.join("parts");
    let parts = parts.to_str().expect("the path is text");
    let names = sgf(&["split", &collection, "-o", parts]).out();
    let texts: Vec<String> = names
        .lines()
        .map(|name| fs::read_to_string(name).expect("the part was written"))
        .collect();
    assert_eq!(texts.concat(), all);
    assert!(
        sgf(&["split", &collection, "-o", parts])
            .refusal()
            .contains("--force")
    );
}

#[test]
fn a_pattern_or_folder_without_records_is_said_so() {
    let folder = folder("nothing");
    let folder = folder.to_str().expect("the path is text");
    assert!(
        sgf(&["check", &format!("{folder}/*.sgf")])
            .refusal()
            .contains("no file matches")
    );
    assert!(
        sgf(&["show", folder])
            .refusal()
            .contains("no record in this folder")
    );
}
