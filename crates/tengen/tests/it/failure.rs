//! Requests that are wrong, and readers that go away.

use std::io::Read;
use std::process::{Command, Stdio};

use crate::tengen::{run, tengen, tengen_reading};

#[test]
fn a_wrong_request_is_one_line_and_exit_code_2() {
    for (line, problem) in [
        ("count positions 0x3", "1 to 25 columns"),
        ("count positions huge", "a size is written"),
        ("count positions 13x13", "128 bits"),
        (
            "count positions 9x9 --up-to-symmetry",
            "symmetric positions",
        ),
        ("count positions", "<SIZE>"),
        ("count", "requires a subcommand"),
        ("count games 3x3", "too many games"),
        ("count games 2x2 --rules petting-zoo", "for ever"),
        ("count games 2x2 --rules ing", "unknown rules `ing`"),
        ("count games 2x2 --threads 0", "--threads"),
        ("perft 3x3", "<DEPTH>"),
        ("perft 3x3 1001", "1001"),
        ("perft 3x3 many", "'many'"),
        ("perft 3x3 2 --rules koNONE", "koNONE"),
        ("show", "<FILE>"),
        ("show no-such-file.txt", "no-such-file.txt: "),
        ("show .", ".: "),
        ("show - --to-move green", "a colour is"),
        ("bench --only nothing", "no such benchmark"),
        ("pref 3x3 2", "perft"),
        ("--colour", "--colour"),
    ] {
        let refusal = tengen(line).refusal();
        assert!(refusal.contains(problem), "{line}: {refusal}");
    }
}

#[test]
fn a_bad_diagram_says_where() {
    for (diagram, problem) in [
        ("", "no row"),
        (". X\n. ?", "line 2, column 3"),
        (". .\n.", "line 2"),
        ("X O", "a chain without liberties at column 1"),
        ("..\nko: A7", "line 2"),
    ] {
        let refusal = tengen_reading("show -", diagram).refusal();
        assert!(refusal.starts_with("standard input: "), "{refusal}");
        assert!(refusal.contains(problem), "{diagram}: {refusal}");
    }
    let refusal = tengen_reading("show -", b"\xff\xfe").refusal();
    assert!(refusal.contains("UTF-8"), "{refusal}");
}

#[test]
fn a_bad_move_is_named() {
    for (moves, problem) in [
        ("A1 A1", "move 2, A1: occupied"),
        ("A1 Z9", "move 2, Z9: the point is not on"),
        ("A1, B1, i5", "move 3, i5: there is no column I"),
        ("pass pass pass", "move 3, pass: the game is over"),
    ] {
        let refusal = run(["show", "-", "--moves", moves], "...\n...").refusal();
        assert!(refusal.starts_with(problem), "{refusal}");
    }
}

#[test]
fn help_goes_to_stdout() {
    let bare = tengen("-h").out();
    for command in ["count", "perft", "show", "bench"] {
        let line = bare
            .lines()
            .find(|line| line.trim_start().starts_with(command));
        assert!(line.is_some(), "{bare}");
        let help = tengen(&format!("{command} --help")).out();
        assert!(help.contains("--json") || command == "count", "{help}");
    }
    assert!(tengen("--help").out().contains("exit code"));
    assert!(tengen("count games --help").out().contains("Examples:"));
    assert!(tengen("--version").out().starts_with("tengen "));
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    // More than a pipe holds, so that the command is still writing when the reader is gone.
    let mut child = Command::new(env!("CARGO_BIN_EXE_tengen"))
        .args(["perft", "25x25", "2", "--divide", "--json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("tengen was built for this test");
    drop(child.stdout.take());
    let mut complaint = String::new();
    let mut stderr = child.stderr.take().expect("standard error is a pipe");
    stderr
        .read_to_string(&mut complaint)
        .expect("the command prints UTF-8");
    let status = child.wait().expect("the command ends");
    assert_eq!((status.code(), complaint.as_str()), (Some(0), ""));
}
