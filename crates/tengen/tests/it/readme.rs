//! The README and the tutorials show what the command really prints, and pictures are those that it draws.
//!
//! `UPDATE_EXPECT=1 cargo test -p tengen --test it readme` writes what it prints and draws into the documents.

#![cfg(unix)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What stands before a block of code that is a file of the reader's.
const SAVED: &str = "Save this as `";

fn root() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    root.canonicalize().expect("the project is there")
}

/// An empty folder for one test.
fn scratch(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("readme-{name}"));
    if folder.exists() {
        fs::remove_dir_all(&folder).expect("it can be emptied");
    }
    fs::create_dir_all(&folder).expect("it can be made");
    folder
}

/// What a shell in a folder prints that finds the command which was just built.
fn printed(command: &str, folder: &Path) -> String {
    let tengen = Path::new(env!("CARGO_BIN_EXE_tengen"));
    let directory = tengen.parent().expect("the command is in a directory");
    let path = std::env::var("PATH").expect("there is a PATH");
    let output = Command::new("sh")
        .args(["-c", command])
        .current_dir(folder)
        .env("PATH", format!("{}:{path}", directory.display()))
        .output()
        .expect("there is a shell");
    String::from_utf8(output.stdout).expect("the command prints UTF-8")
}

/// A document as it is when its files have been saved, and its commands run, in a folder.
fn performed(page: &str, folder: &Path) -> String {
    let mut result = String::new();
    let mut lines = page.lines();
    let mut file = None;
    while let Some(line) = lines.next() {
        result += &format!("{line}\n");
        if let Some(rest) = line.strip_prefix(SAVED) {
            file = rest.split('`').next();
        }
        let Some(kind) = line.strip_prefix("```") else {
            continue;
        };
        let block: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
        if let Some(name) = file.take() {
            fs::write(folder.join(name), block.join("\n") + "\n").expect("it can be written");
        }
        if kind == "console" {
            let mut shown = block.iter();
            let mut commands = 0;
            while let Some(line) = shown.next() {
                let Some(first) = line.strip_prefix("$ ") else {
                    continue;
                };
                let mut command = first.to_owned();
                while command.ends_with('\\') {
                    command += &format!("\n{}", shown.next().expect("a command has an end"));
                }
                result += &format!("$ {command}\n{}", printed(&command, folder));
                commands += 1;
            }
            assert!(commands > 0, "a console block without a command: {block:?}");
        } else {
            result.extend(block.iter().map(|line| format!("{line}\n")));
        }
        result += "```\n";
    }
    result
}

/// Compares a document with what happens when its commands are run.
fn perform(page: &str, folder: &Path) {
    let path = root().join(page);
    let text = fs::read_to_string(&path).expect("the document is there");
    let happened = performed(&text, folder);
    assert!(happened.contains("\n$ "), "{page} has no commands");
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        fs::write(path, happened).expect("it can be written");
    } else {
        assert_eq!(text, happened, "{page}: UPDATE_EXPECT=1 writes it anew");
    }
}

#[test]
fn the_readme_shows_what_is_printed() {
    perform("README.md", &root());
}

#[test]
fn players_see_what_their_tutorial_shows() {
    perform("docs/tutorials/player.md", &scratch("player"));
}

#[test]
fn authors_of_bots_see_what_their_tutorial_shows() {
    perform("docs/tutorials/bots.md", &scratch("bots"));
}

#[test]
fn people_who_want_proofs_see_what_their_tutorial_shows() {
    perform("docs/tutorials/proofs.md", &scratch("proofs"));
}

/// Each command of the gallery's `sh` blocks draws the picture that is shown.
#[test]
fn pictures_of_the_gallery_are_drawn_by_its_commands() {
    let root = root();
    let page = fs::read_to_string(root.join("docs/gallery.md")).expect("there is a gallery");
    let blocks = page.split("```sh\n").skip(1);
    let commands: Vec<&str> = blocks
        .filter_map(|block| block.split("```").next())
        .flat_map(str::lines)
        .filter(|line| line.contains("docs/gallery/"))
        .collect();
    assert!(commands.len() > 5, "{commands:?}");
    let folder = scratch("gallery");
    let mut drawn = 0;
    for command in commands {
        let elsewhere = command.replace("docs/gallery/", &format!("{}/", folder.display()));
        assert_eq!(printed(&elsewhere, &root), "", "{command}");
    }
    for file in fs::read_dir(&folder).expect("it is there").flatten() {
        let picture = fs::read(file.path()).expect("it can be read");
        let shown = root.join("docs/gallery").join(file.file_name());
        if std::env::var_os("UPDATE_EXPECT").is_some() {
            fs::write(&shown, &picture).expect("it can be written");
        }
        let same = fs::read(&shown).is_ok_and(|shown| shown == picture);
        assert!(same, "{}: UPDATE_EXPECT=1 draws it anew", shown.display());
        drawn += 1;
    }
    let kept = fs::read_dir(root.join("docs/gallery")).expect("there are pictures");
    assert_eq!(kept.count(), drawn, "each picture has its command");
}
