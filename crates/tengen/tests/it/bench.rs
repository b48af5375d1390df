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
