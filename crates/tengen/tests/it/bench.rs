//! `tengen bench`: how fast differs, what was computed does not.

use serde_json::Value;

use crate::tengen::tengen;

fn signatures(line: &str) -> Vec<(String, String)> {
    let out = tengen(line).out();
    out.lines()
        .map(|line| {
            let report: Value = serde_json::from_str(line).expect("one JSON object a line");
            assert!(report["per_second"].as_f64().is_some_and(|rate| rate > 0.0));
            let text = |field: &str| report[field].as_str().expect("a string").to_owned();
            (text("name"), text("signature"))
        })
        .collect()
}

#[test]
fn signatures_are_the_same_every_time() {
    let first = signatures("bench --json --iterations 20");
    assert_eq!(first, signatures("bench --json --iterations 20"));
    let names: Vec<&str> = first.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(
        names[..5],
        [
            "playouts-9x9",
            "playouts-13x13",
            "playouts-19x19",
            "steps-9x9",
            "steps-19x19"
        ]
    );
    let listed = tengen("bench --list").out();
    assert_eq!(listed.lines().collect::<Vec<_>>(), names);
}

/// What every benchmark computes in one round, and the hash of them all. A commit that makes code faster must not
/// change them; one that changes behaviour says in its message why they moved.
const PINNED: &str = "\
playouts-9x9 42ab05a5b4ce8429
playouts-13x13 bd500eeb8c2e4349
playouts-19x19 38c77c6f7f32fd28
steps-9x9 195870366906ed63
steps-19x19 e2281df45a1e7e79
copies-9x9 0b225d3136d013c3
copies-19x19 ec801129252da4af
scores-9x9 fd1cef4468c64fd1
scores-19x19 7b9cb6abbb9da2a4
undos-9x9 56b5adac5a829996
undos-19x19 11307a701eccc434
search-9x9 e4bc34b02de95aa6
search-13x13 c6aecb4fd01596ca
search-19x19 2563f55d750e680b
signature 99bd3ded395d137a
";

/// Names and signatures of a table as `tengen bench` prints it.
fn without_rates(table: &str) -> String {
    let mut lines = String::new();
    for line in table.lines() {
        let mut words = line.split_whitespace();
        let name = words.next().expect("no line is empty");
        let is_signature = |word: &&str| word.len() == 16 && u64::from_str_radix(word, 16).is_ok();
        if let Some(signature) = words.find(is_signature) {
            lines += &format!("{name} {signature}\n");
        }
    }
    lines
}

#[test]
fn signatures_are_those_that_are_written_down() {
    // A moment is enough for one round, which is always whole.
    assert_eq!(without_rates(&tengen("bench --time 0.001").out()), PINNED);
    let readme = include_str!("../../../../README.md");
    let (_, shown) = readme
        .split_once("$ tengen bench\n")
        .expect("the README shows a run");
    let (shown, _) = shown.split_once("\n```").expect("the block ends");
    assert_eq!(without_rates(shown), PINNED, "what the README shows");
}
