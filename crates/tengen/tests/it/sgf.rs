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
    let path = |name: &str| folder.join(name).display().to_string();
    let summary: Vec<&str> = all.stdout.lines().collect();
    let expected = [
        "5 files, 3 games, 7 moves: 1 with errors, 1 with warnings, 2 unreadable".to_owned(),
        format!(
            "       1 error   missing-bracket   {}:1:20: a `)` is missing: added at the end",
            path("wrong.sgf")
        ),
        format!(
            "       1 error   illegal-move      {}:1:17: move 2, White E5: occupied; played all the same",
            path("wrong.sgf")
        ),
        format!(
            "       1 warning lower-case-name   {}:1:16: lower-case letters in a property's name: read as `B`",
            path("warned.sgf")
        ),
        format!(
            "       1 warning komi-guess        {}:1:11: komi `375`: read as 7.5",
            path("warned.sgf")
        ),
    ];
    assert_eq!(summary.len(), expected.len(), "{}", all.stdout);
    for line in &expected {
        assert!(summary.contains(&line.as_str()), "{line}\n{}", all.stdout);
    }
    assert_eq!(summary[0], expected[0]);
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
fn formatting_in_place_takes_no_other_file_away() {
    const CANONICAL: &str = "(;FF[4]\nGM[1]\nCA[UTF-8]\nSZ[9]\n;B[ee])\n";
    let folder = folder("format-in-place");
    let text = |name: &str| fs::read_to_string(folder.join(name)).expect("it is there");
    // A name in capitals is that of an SGF file, too, and a draft takes no other file's name.
    let capitals = write(&folder, "LOUD.SGF", "(;SZ[9];B[ee])");
    write(&folder, "LOUD.sgf.tmp", "half of a film");
    write(&folder, "LOUD.part", "the other half");
    sgf(&["format", "--in-place", &capitals]).out();
    assert_eq!(text("LOUD.SGF"), CANONICAL);
    assert_eq!(text("LOUD.sgf.tmp"), "half of a film");
    assert_eq!(text("LOUD.part"), "the other half");
    // Another record beside a file in another format is not written over.
    let gib = "\\HS\n\\[GAMEBLACKNAME=Ada\\]\n\\HE\n\\GS\nSTO 0 2 1 3 3\n\\GE\n";
    let other = write(&folder, "game.gib", gib);
    sgf(&["format", "--in-place", &other]).out();
    let converted = text("game.sgf");
    assert!(converted.starts_with("(;FF[4]\n"), "{converted}");
    sgf(&["format", "--in-place", &other]).out();
    write(&folder, "game.sgf", "(;C[edited])");
    let again = sgf(&["format", "--in-place", &other]);
    assert_eq!((again.code, text("game.sgf").as_str()), (5, "(;C[edited])"));
    assert!(
        again.stderr.contains("game.sgf is another record"),
        "{}",
        again.stderr
    );
    let entries = fs::read_dir(&folder).expect("it is there").count();
    assert_eq!(entries, 5, "no draft is left");
}

#[cfg(unix)]
#[test]
fn what_is_named_for_the_result_stays_what_it_is() {
    use std::os::unix::fs::{FileTypeExt, PermissionsExt, symlink};
    let folder = folder("named-results");
    let path = |name: &str| folder.join(name).to_str().expect("it is text").to_owned();
    let game = write(&folder, "private.sgf", "(;SZ[9];B[ee])");
    fs::set_permissions(&game, fs::Permissions::from_mode(0o600)).expect("it is ours");
    sgf(&["format", "--in-place", &game]).out();
    let rights = fs::metadata(&game).expect("it is there").permissions();
    assert_eq!(rights.mode() & 0o777, 0o600);
    // A link goes on leading to its file, and a device stays a device, whoever runs this.
    symlink("real.svg", path("link.svg")).expect("links can be made");
    write(&folder, "real.svg", "old");
    sgf(&["render", &game, "--output", &path("link.svg")]).out();
    assert!(Path::new(&path("link.svg")).is_symlink());
    assert!(fs::read_to_string(path("real.svg")).is_ok_and(|svg| svg.starts_with("<svg")));
    symlink("/dev/null", path("null.svg")).expect("links can be made");
    sgf(&["render", &game, "--output", &path("null.svg")]).out();
    let about = fs::metadata("/dev/null").expect("it is there");
    assert!(about.file_type().is_char_device());
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

/// Runs `tengen sgf` with these bytes on its standard input.
fn sgf_reading(arguments: &[&str], input: impl AsRef<[u8]>) -> Run {
    run(["sgf"].into_iter().chain(arguments.iter().copied()), input)
}

#[test]
fn what_repeats_is_grouped_and_drowns_nothing() {
    let games =
        "(;AP[a]AP[b];B[aa];W[bb];B[cc];W[dd];B[ee])".repeat(2_000) + "(;SZ[9];B[ee];W[ee])";
    let run = sgf_reading(&["check", "-"], &games);
    assert_eq!(run.code, 4);
    let lines: Vec<&str> = run.stdout.lines().collect();
    // Five of a kind, the error behind them all, what is left, and the summary.
    assert_eq!(lines.len(), 5 + 1 + 1 + 2, "{}", run.stdout);
    assert!(
        lines[5].contains("move 2, White E5: occupied"),
        "{}",
        lines[5]
    );
    assert_eq!(
        lines[6],
        "standard input: 1995 more, 1995 of property-twice; --limit sets how many are printed"
    );
    assert_eq!(
        lines[8],
        "    2000 warning property-twice    standard input:1:11: `AP` twice in a node"
    );
    let report = sgf_reading(&["check", "-", "--json"], &games);
    let report: Value = serde_json::from_str(&report.stdout).expect("a line of JSON");
    assert_eq!(report["kinds"]["property-twice"], 2_000);
    assert_eq!(report["diagnostics"].as_array().map(Vec::len), Some(2_001));
}

#[test]
fn one_bad_point_is_told_once() {
    let run = sgf_reading(&["check", "-"], "(;SZ[9];B[zz];W[];PL[x])");
    assert_eq!(run.code, 4);
    assert_eq!(run.stdout.matches("zz").count(), 1, "{}", run.stdout);
    assert_eq!(run.stdout.matches("no player").count(), 1, "{}", run.stdout);
    assert_eq!(run.stdout.lines().count(), 2 + 1, "{}", run.stdout);
    // A handicap in the second node, and a komi of a Chinese server.
    let legal = sgf_reading(&["check", "-"], "(;SZ[19]HA[3];AB[dp][pd][pp];W[dd])");
    assert_eq!(
        legal.out(),
        "1 file, 1 game, 1 move: 0 with errors, 0 with warnings, 0 unreadable\n"
    );
}

#[test]
fn info_says_what_was_meant_and_what_was_written() {
    let record = "(;SZ[19]KM[375]PB[a]BR[9\u{6bb5}]WR[P7\u{6bb5}]RE[W+3.5]DT[1996-12-27,28]HA[2])";
    let report = sgf_reading(&["info", "--json", "-"], record).json();
    assert_eq!(report["komi"], 7.5);
    assert_eq!(report["given"]["komi"], "375");
    assert_eq!(
        report["result"],
        serde_json::json!({"winner": "white", "by": "score", "points": 3.5})
    );
    assert_eq!(report["given"]["result"], "W+3.5");
    assert_eq!(
        report["dates"],
        serde_json::json!(["1996-12-27", "1996-12-28"])
    );
    assert_eq!(
        (&report["black_rank"], &report["white_rank"]),
        (&Value::from("9d"), &Value::from("7p"))
    );
    assert_eq!(report["handicap"], 2);
    assert_eq!(
        (&report["encoding"], &report["encoding_sure"]),
        (&Value::from("UTF-8"), &Value::from(100))
    );
    let nothing = sgf_reading(&["info", "--json", "-"], "(;KM[?]RE[?]DT[?]BR[?])").json();
    for field in ["komi", "result", "black_rank", "handicap"] {
        assert_eq!(nothing[field], Value::Null, "{field}");
    }
}

#[test]
fn a_guessed_encoding_is_told_and_can_be_chosen() {
    // The file of a server whose second character lost a byte.
    let damaged =
        b"(;PB[x]  PW[\xe6\x84\x9f\xe6?\xa9\xe7\x9a\x84\xe6\x96\xb0]  BR[9\xe6\xae\xb5]  \
        WR[9\xe6\xae\xb5]  KM[650]HA[0];B[dd])";
    let run = sgf_reading(&["check", "-"], damaged);
    assert_eq!(run.code, 4, "{}", run.stdout);
    assert!(
        run.stdout
            .contains("1:14: error: a character has lost bytes: replaced by U+FFFD; "),
        "{}",
        run.stdout
    );
    assert!(run.stdout.contains('\u{6069}'), "{}", run.stdout);
    let info = sgf_reading(&["info", "--json", "-"], damaged).json();
    assert_eq!(info["white"], "\u{611f}\u{fffd}\u{7684}\u{65b0}");
    assert_eq!(info["komi"], 6.5);
    assert_eq!(info["white_rank"], "9d");
    assert_eq!(info["encoding"], "UTF-8");

    let latin = b"(;PB[J\xfcrgen Gr\xf6\xdfler];B[dd])";
    let run = sgf_reading(&["check", "-"], latin);
    assert_eq!(run.code, 3, "{}", run.stdout);
    assert!(
        run.stdout.contains(": read as windows-1252, "),
        "{}",
        run.stdout
    );
    for arguments in [
        &["check", "--encoding", "latin1", "-"][..],
        &["--encoding", "latin1", "check", "-"],
    ] {
        let run = sgf_reading(arguments, latin);
        assert_eq!(run.code, 0, "{}", run.stdout);
    }
    let info = sgf_reading(&["info", "--json", "-", "--encoding", "cp1251"], latin).json();
    assert_eq!(
        (&info["encoding"], &info["encoding_sure"]),
        (&Value::from("windows-1251"), &Value::from(100))
    );
    let refusal = sgf_reading(&["info", "-", "--encoding", "Klingon"], latin).refusal();
    assert!(
        refusal.contains("no encoding is called `Klingon`"),
        "{refusal}"
    );
}

#[test]
fn nothing_that_a_terminal_obeys_comes_from_a_record() {
    let hostile = "\u{1b}]0;owned\u{7}\u{1b}[2J\u{9b}31m\u{202e}\u{7f}";
    let long = "x".repeat(500);
    let record = format!(
        "(;SZ[9]PB[{hostile}A]PW[{long}]RE[{hostile}]EV[{hostile}]RU[{hostile}]DT[{hostile}]KM[{hostile}]\
         HA[{hostile}]SO[{hostile}];B[ee]C[{hostile}\nsecond line];W[{hostile}])"
    );
    let folder = folder("hostile");
    let file = write(&folder, "a\u{1b}[2Jb.sgf", &record);
    let obeyed = |c: char| c.is_control() && c != '\n' || matches!(c, '\u{202e}' | '\u{9b}');
    for arguments in [
        &["info", &file][..],
        &["info", "--json", &file],
        &["show", &file],
        &["show", "--move", "1", &file],
        &["show", "--json", "--move", "1", &file],
        &["check", "--notes", &file],
        &["check", "--json", &file],
        &[
            "split",
            &file,
            "-o",
            folder.to_str().expect("the path is text"),
        ],
        &["show", &file, "--move", "9"],
        &["show", &file, "--game", "9"],
        &["info", "\u{1b}[2J-no-such-file"],
    ] {
        let run = sgf(arguments);
        for text in [&run.stdout, &run.stderr] {
            assert!(!text.contains(obeyed), "{arguments:?}: {text:?}");
        }
    }
    let shown = sgf(&["show", &file, "--move", "1"]).out();
    assert!(shown.contains("second line"), "{shown}");
    let widest = shown.lines().map(|line| line.chars().count()).max();
    assert!(widest < Some(160), "{shown}");
    let table = sgf(&["info", &file]).out();
    let widest = table.lines().map(|line| line.chars().count()).max();
    assert!(widest < Some(400), "{table}");
}

#[test]
fn packed_collections_and_lines_of_moves_are_read_as_they_are() {
    let folder = folder("packed");
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/packed");
    let data = |name: &str| {
        data.join(name)
            .to_str()
            .expect("the path is text")
            .to_owned()
    };
    let one = "1 file, 1 game, 1 move: 0 with errors, 0 with warnings, 0 unreadable\n";
    assert_eq!(sgf(&["check", &data("game.sgf.xz")]).out(), one);
    let two = "2 files, 2 games, 2 moves: 0 with errors, 0 with warnings, 0 unreadable\n";
    assert_eq!(sgf(&["check", &data("games.zip")]).out(), two);
    let zip = fs::read(data("games.zip")).expect("the archive is there");
    assert_eq!(sgf_reading(&["check", "-"], &zip).out(), two);
    let table = sgf(&["info", &data("games.zip")]).out();
    assert!(table.contains("games.zip/"), "{table}");
    assert_eq!(
        sgf(&["cat", &data("games.zip")]).out(),
        "(;SZ[9];B[ee])\n(;SZ[9];B[cc])\n"
    );
    let refusal = sgf(&["show", &data("games.zip")]).refusal();
    assert!(
        refusal.contains("2 records, where one is needed"),
        "{refusal}"
    );

    let kifu = write(
        &folder,
        "kifu.txt",
        "4094434\t;B[pd];W[dp]\r\n4094435\t;B[dd]\r\n",
    );
    let check = sgf(&["check", &kifu]).out();
    assert_eq!(
        check,
        "1 file, 2 games, 3 moves: 0 with errors, 0 with warnings, 0 unreadable\n"
    );
    assert!(sgf(&["cat", &kifu]).out().contains("GN[4094435];B[dd])"));
    assert_eq!(
        sgf(&["show", &kifu, "--game", "2", "--json"]).json()["last"],
        "D16"
    );

    let packed = write(
        &folder,
        "copy.sgf.xz",
        fs::read(data("game.sgf.xz")).expect("it is there"),
    );
    let refusal = sgf(&["format", "--in-place", &packed]).refusal();
    assert!(
        refusal.contains("what is packed cannot be formatted in place"),
        "{refusal}"
    );
}

#[cfg(unix)]
#[test]
fn a_folder_of_links_has_the_files_that_they_point_to() {
    use std::os::unix::fs::symlink;
    let (real, links) = (folder("linked"), folder("links"));
    let game = write(&real, "game.sgf", GAME);
    symlink(&game, links.join("one.sgf")).expect("links can be made");
    let links = links.to_str().expect("the path is text");
    assert_eq!(
        sgf(&["check", links]).out(),
        "1 file, 1 game, 4 moves: 0 with errors, 0 with warnings, 0 unreadable\n"
    );
    // Formatted in place, the link is still one.
    sgf(&["format", "--in-place", links]).out();
    assert!(Path::new(links).join("one.sgf").is_symlink());
    assert!(
        fs::read_to_string(&game)
            .expect("it is there")
            .starts_with("(;FF[4]\nGM[1]\n")
    );
}

#[test]
fn what_is_not_listed_is_counted() {
    const FAULTS: usize = 25_000;
    let games = format!("(;SZ[9]{})", ";B[zz]".repeat(FAULTS));
    let report = sgf_reading(&["check", "-", "--json"], &games);
    let report: Value = serde_json::from_str(&report.stdout).expect("a line of JSON");
    let kinds = report["kinds"].as_object().expect("kinds are counted");
    let listed = report["diagnostics"].as_array().map(Vec::len);
    assert!(listed < Some(FAULTS), "{listed:?}");
    // Each bad point is told once, by whoever plays the game.
    let bad: Vec<_> = kinds
        .iter()
        .filter(|(kind, _)| kind.starts_with("bad-"))
        .collect();
    assert_eq!(bad.len(), 1, "{kinds:?}");
    assert_eq!(*bad[0].1, FAULTS, "{kinds:?}");
    let run = sgf_reading(&["check", "-"], &games);
    let last = run
        .stdout
        .lines()
        .find(|line| line.contains(bad[0].0) && line.starts_with("   "));
    assert!(
        last.is_some_and(|line| line.contains("25000 error")),
        "{}",
        run.stdout
    );
}
