//! `tengen play`, typed by a program.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::tengen::{run, tengen};

/// A folder of its own for a test, empty.
fn folder(test: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join("play")
        .join(test);
    _ = fs::remove_dir_all(&path);
    path
}

/// Plays with few visits. Games are kept below this folder.
fn play(data: &Path, arguments: &str, input: &str) -> String {
    let mut child = Command::new(env!("CARGO_BIN_EXE_tengen"))
        .args("play --plain --level 1 --visits 10 --threads 1 --seed 1".split(' '))
        .args(arguments.split_whitespace())
        .env("XDG_DATA_HOME", data)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("tengen was built for this test");
    let mut stdin = child.stdin.take().expect("standard input is a pipe");
    stdin
        .write_all(input.as_bytes())
        .expect("the command listens");
    drop(stdin);
    let output = child.wait_with_output().expect("the command ends");
    let text = |bytes| String::from_utf8(bytes).expect("the command prints UTF-8");
    assert_eq!(
        (output.status.code(), text(output.stderr)),
        (Some(0), String::new())
    );
    text(output.stdout)
}

/// The records that were kept.
fn records(data: &Path) -> Vec<String> {
    let entries = fs::read_dir(data.join("tengen/games"));
    let entries = entries.into_iter().flatten().flatten();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    files.sort();
    files
        .iter()
        .map(|file| fs::read_to_string(file).expect("a record is text"))
        .collect()
}

/// How many moves a record has.
fn moves(record: &str) -> usize {
    record.matches(";B[").count() + record.matches(";W[").count()
}

#[test]
fn a_game_is_played_kept_and_taken_up_again() {
    let data = folder("again");
    let shown = play(&data, "--size 7", "c3\nquit\n");
    assert!(
        shown.starts_with("You are Black against Tengen level 1: 7x7 board, chinese rules, komi "),
        "{shown}"
    );
    assert!(shown.contains("\nTengen level 1 plays "), "{shown}");
    assert!(
        shown.ends_with("Goodbye. The game goes on when you come back.\n"),
        "{shown}"
    );
    let [record] = records(&data).try_into().unwrap();
    assert!(record.contains("PB[You]PW[Tengen level 1]DT[2"), "{record}");
    assert_eq!(moves(&record), 2);

    // Nothing is asked where nobody sits, but the question about the game, which is answered by a blank line here.
    let shown = play(&data, "--size 7", "\nundo\nresign\n");
    assert!(
        shown.starts_with("There is an unfinished game from 2"),
        "{shown}"
    );
    assert!(
        shown.contains("(7x7 board, level 1, 2 moves). Go on? [Y/n] \n"),
        "{shown}"
    );
    assert!(
        shown.contains("You resign. Tengen level 1 wins (W+R).\n"),
        "{shown}"
    );
    assert!(!shown.contains("> "), "{shown}");
    let [record] = records(&data).try_into().unwrap();
    assert!(
        record.contains("RE[W+R]") && moves(&record) == 0,
        "{record}"
    );

    // A finished game is not offered.
    let shown = play(&data, "--size 7 --color white", "");
    assert!(shown.starts_with("You are White "), "{shown}");
    assert_eq!(records(&data).len(), 2);
}

#[test]
fn a_game_that_is_not_wanted_is_not_offered_twice() {
    let data = folder("declined");
    play(&data, "--size 7", "c3\n");
    let shown = play(&data, "--size 7 --new", "quit\n");
    assert!(shown.starts_with("You are Black"), "{shown}");
    let shown = play(&data, "--size 7", "no\nquit\n");
    assert!(shown.contains("Go on? [Y/n] \nYou are Black"), "{shown}");
    assert!(records(&data)[0].contains("RE[?]"));
    let shown = play(&data, "--size 7", "quit\n");
    assert!(shown.starts_with("You are Black"), "{shown}");
    // No move was made but in the first game.
    assert_eq!(records(&data).len(), 1);
}

#[test]
fn passes_lead_to_the_score_which_is_agreed() {
    let data = folder("agreed");
    let file = data.join("my game.sgf");
    let saved = data.join("saved.sgf");
    let input = format!("c3\nscore\nplay\nsave {}\nscore\nagree\n", saved.display());
    fs::create_dir_all(&data).unwrap();
    let mut command: Vec<&str> = "play --plain --size 7 --visits 10 --threads 1 --file"
        .split(' ')
        .collect();
    command.push(file.to_str().unwrap());
    let shown = run(command.iter().copied(), &input).out();
    assert!(shown.contains("Are these the dead stones?"), "{shown}");
    assert!(shown.contains("The game goes on.\n"), "{shown}");
    assert!(
        shown.contains(&format!("Saved in {}.\n", saved.display())),
        "{shown}"
    );
    let record = fs::read_to_string(&file).unwrap();
    let result = record
        .split("RE[")
        .nth(1)
        .and_then(|rest| rest.split(']').next())
        .unwrap();
    assert!(shown.contains(&format!(": {result}. ")), "{shown}");
    assert!(
        shown.ends_with(&format!("The game is in {}.\n", file.display())),
        "{shown}"
    );
    assert!(!fs::read_to_string(&saved).unwrap().contains("RE["));

    let refusal = run(command, "").refusal();
    assert!(
        refusal.ends_with("my game.sgf holds another game; choose another file"),
        "{refusal}"
    );
}

#[test]
fn a_named_file_is_gone_on_with() {
    let data = folder("named");
    fs::create_dir_all(&data).unwrap();
    let file = data.join("handicap.sgf");
    let arguments = format!(
        "--size 13 --handicap 2 --rules japanese --file {}",
        file.display()
    );
    let shown = play(&data, &arguments, "quit\n");
    let greeting = "You are Black against Tengen level 1: 13x13 board, japanese rules, komi 0.5, 2 handicap stones.\n";
    assert!(shown.starts_with(greeting), "{shown}");
    let record = fs::read_to_string(&file).unwrap();
    assert!(
        record.contains("HA[2]") && record.contains("PL[W]") && moves(&record) == 1,
        "{record}"
    );

    let again = play(&data, &format!("--file {}", file.display()), "hint\npass\n");
    assert!(again.starts_with(greeting), "{again}");
    assert!(again.contains("I would "), "{again}");
    let longer = fs::read_to_string(&file).unwrap();
    assert!(
        longer.starts_with(record.trim_end().trim_end_matches(')')),
        "{longer}"
    );
    assert!(moves(&longer) >= 2, "{longer}");
    assert_eq!(records(&data).len(), 0);
}

#[test]
fn the_board_is_drawn() {
    let data = folder("drawn");
    let shown = play(
        &data,
        "--size 7 --color white",
        "help\nboard\nnonsense\n\u{7}\n",
    );
    assert!(shown.contains("   A B C D E F G\n 7 "), "{shown}");
    assert!(shown.contains("(X)"), "{shown}");
    assert!(shown.contains("take your last move back"), "{shown}");
    assert!(shown.contains("I do not know `nonsense`."), "{shown}");
    assert!(!shown.contains('\x1b'), "{shown}");
}

#[test]
fn a_wrong_request_is_refused() {
    for (line, problem) in [
        ("play --level 21", "21"),
        ("play --color green", "black, white or random"),
        ("play --time inf", "--time"),
        ("play --size 2 --handicap 9", "--handicap"),
    ] {
        let refusal = tengen(&format!("{line} --new")).refusal();
        assert!(refusal.contains(problem), "{line}: {refusal}");
    }
}
