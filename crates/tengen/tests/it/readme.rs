//! The README shows what the command really prints.

#![cfg(unix)]

use std::path::Path;
use std::process::Command;

/// The commands in the README's `console` blocks, each with the output below it.
fn sessions(readme: &str) -> Vec<(String, String)> {
    let mut sessions: Vec<(String, String)> = Vec::new();
    let mut inside = false;
    for line in readme.lines() {
        match line.strip_prefix("$ ") {
            _ if line.starts_with("```") => inside = line == "```console",
            Some(command) if inside => sessions.push((command.to_owned(), String::new())),
            None if inside => {
                let (_, output) = sessions.last_mut().expect("a block begins with a command");
                *output += line;
                output.push('\n');
            }
            _ => {}
        }
    }
    sessions
}

#[test]
fn every_session_is_real() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let readme = std::fs::read_to_string(root.join("README.md")).expect("there is a README");
    let tengen = Path::new(env!("CARGO_BIN_EXE_tengen"));
    let directory = tengen.parent().expect("the command is in a directory");
    let path = std::env::var("PATH").expect("there is a PATH");
    let sessions = sessions(&readme);
    assert!(sessions.len() >= 3);
    for (command, shown) in sessions {
        let output = Command::new("sh")
            .args(["-c", &command])
            .current_dir(&root)
            .env("PATH", format!("{}:{path}", directory.display()))
            .output()
            .expect("there is a shell");
        let printed = String::from_utf8(output.stdout).expect("the command prints UTF-8");
        assert_eq!(printed, shown, "$ {command}");
    }
}
