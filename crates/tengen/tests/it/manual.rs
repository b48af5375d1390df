//! `tengen manual` and `tengen completions`: what comes with an installed program.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::tengen::{run, tengen};

/// The commands that `tengen --help` names.
fn commands() -> BTreeSet<String> {
    let help = tengen("--help").out();
    let listed = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    listed
        .take_while(|line| !line.is_empty())
        // Explanations that are continued stand further to the right.
        .filter(|line| line.starts_with("  ") && !line.starts_with("   "))
        .filter_map(|line| line.split_whitespace().next())
        .filter(|name| *name != "help")
        .map(str::to_owned)
        .collect()
}

fn empty_folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    _ = fs::remove_dir_all(&folder);
    folder
}

#[test]
fn every_command_has_a_page() {
    let folder = empty_folder("manual");
    let name = folder.to_str().expect("the folder's name is UTF-8");
    assert_eq!(run(["manual", name], "").out(), "");
    let first = fs::read_to_string(folder.join("tengen.1")).expect("there is a first page");
    assert!(first.contains(".TH tengen 1"), "{first}");
    let commands = commands();
    assert!(commands.len() > 10, "{commands:?}");
    for command in &commands {
        let page = fs::read_to_string(folder.join(format!("tengen-{command}.1")));
        let page = page.unwrap_or_else(|error| panic!("{command}: {error}"));
        assert!(page.contains(".SH SYNOPSIS"), "{command}: {page}");
        assert!(
            first.contains(&format!("tengen\\-{command}(1)")),
            "{command}: {first}"
        );
    }
    assert!(folder.join("tengen-sgf-check.1").exists());
    // What is for tests and packagers has none.
    assert!(!folder.join("tengen-dummy.1").exists());
    assert!(!folder.join("tengen-manual.1").exists());
}

#[test]
fn a_folder_that_cannot_be_made_is_said() {
    let folder = empty_folder("manual-file");
    fs::write(&folder, "a file").expect("tests may write here");
    let said = run(["manual", folder.to_str().expect("UTF-8")], "");
    assert_eq!(said.code, 1);
    assert!(
        said.stderr.starts_with("tengen: cannot write to "),
        "{}",
        said.stderr
    );
}

#[test]
fn every_shell_knows_every_command() {
    let commands = commands();
    for shell in ["bash", "zsh", "fish", "powershell"] {
        let text = tengen(&format!("completions {shell}")).out();
        for command in &commands {
            assert!(
                text.contains(command.as_str()),
                "{shell} does not know {command}"
            );
        }
        assert!(
            text.contains("--handicap") || text.contains("handicap"),
            "{shell}: options are missing"
        );
    }
    assert_eq!(tengen("completions cmd").code, 2);
}

/// Bash reads what is written for it, and completes by it.
#[test]
#[cfg(unix)]
fn bash_completes_a_command() {
    let script = tengen("completions bash").out();
    let script = format!(
        "{script}\nCOMP_WORDS=(tengen ana); COMP_CWORD=1; _tengen tengen ana tengen; echo \"${{COMPREPLY[@]}}\""
    );
    let output = std::process::Command::new("bash")
        .args(["--norc", "-c", &script])
        .output()
        .expect("there is a bash");
    assert_eq!(String::from_utf8_lossy(&output.stdout).trim(), "analysis");
}
