//! `tengen train`.

use std::fs;
use std::path::Path;

use crate::tengen::run;

const TINY: &str = r#"
[network]
blocks = 1
channels = 16
[teacher]
games = 2
visits = 10
[self_play]
boards = [{ size = "3" }]
full_visits = 4
fast_visits = 2
[generation]
games = 4
batch = 16
[until]
generations = 2
"#;

#[test]
fn numbers_are_written_for_other_programs() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("train");
    _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a test may make a folder");
    let at = |name: &str| folder.join(name).display().to_string();
    fs::write(at("tiny.toml"), TINY).expect("a test may write a file");
    for (log, name) in [("run.jsonl", "first"), ("events", "second")] {
        let (config, own, log) = (at("tiny.toml"), at(name), at(log));
        let line = [
            "train",
            &config,
            "--folder",
            &own,
            "--log",
            &log,
            "--threads",
            "1",
        ];
        let done = run(line, "");
        assert_eq!(done.code, 0, "{}", done.stderr);
        assert!(done.stdout.starts_with("2 generations"), "{}", done.stdout);
    }
    let text = fs::read_to_string(at("run.jsonl")).expect("it was written");
    let generations = text.lines().filter(|line| line.contains("run/generation"));
    assert_eq!(generations.count(), 2);
    assert!(text.lines().any(|line| line.contains("step/policy")));
    // Steps only grow.
    let steps: Vec<u64> = text
        .lines()
        .filter_map(|line| {
            let after = line.split_once("\"_step\":")?.1;
            after.split([',', '}']).next()?.parse().ok()
        })
        .collect();
    assert!(steps.len() > 2 && steps.is_sorted());
    let events = fs::read_dir(at("events")).expect("it was written");
    let names: Vec<_> = events.flatten().map(|entry| entry.file_name()).collect();
    assert_eq!(names.len(), 1);
    assert!(
        names[0]
            .to_string_lossy()
            .starts_with("events.out.tfevents.")
    );
}
