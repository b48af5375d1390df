//! `tengen count`, against the published numbers in `testdata/counts.toml`.

use std::path::Path;

use serde_json::{Value, json};

use crate::tengen::tengen;

/// The rows of one of the tables in the corpus.
fn rows(table: &str) -> Vec<toml::Table> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/counts.toml");
    let text = std::fs::read_to_string(path).expect("the corpus is part of the repository");
    let corpus: toml::Table = text.parse().expect("the corpus is TOML");
    let rows = corpus[table].as_array().expect("a list of tables");
    rows.iter()
        .map(|row| row.as_table().expect("a list of tables").clone())
        .collect()
}

fn text<'a>(row: &'a toml::Table, field: &str) -> &'a str {
    row[field]
        .as_str()
        .unwrap_or_else(|| panic!("{field} is a string"))
}

#[test]
fn positions_are_as_many_as_published() {
    let rows = rows("positions");
    assert!(rows.len() > 30);
    for row in rows {
        let size = text(&row, "size");
        let out = tengen(&format!("count positions {size}")).out();
        assert_eq!(out.trim_end(), text(&row, "count"), "{size}");
    }
}

#[test]
fn games_are_as_many_as_published() {
    for row in rows("games") {
        let count = text(&row, "count");
        // Larger counts take a minute and more: run `tengen count games 2x2` by hand.
        if count.len() > 10 {
            continue;
        }
        let size = text(&row, "size");
        let ko = text(&row, "ko").to_uppercase();
        let suicide = match text(&row, "suicide") {
            "forbidden" => "0",
            "multi-stone" => "1",
            "allowed" => "ANY",
            other => panic!("unknown suicide rule {other}"),
        };
        let rules = format!("ko{ko}sui{suicide}");
        let out = tengen(&format!("count games {size} --rules {rules}")).out();
        assert_eq!(out.trim_end(), count, "{size} {rules}");
    }
}

#[test]
fn counts_as_json() {
    let positions = tengen("count positions 2x3 --up-to-symmetry --json").json();
    assert_eq!(
        positions,
        json!({"size": "2x3", "positions": 489, "up_to_symmetry": 145, "up_to_symmetry_and_color": 78})
    );
    let games = tengen("count games 1x3 --rules aga --json").json();
    assert_eq!(games, json!({"size": "1x3", "rules": "aga", "games": 959}));
    let large = tengen("count positions 6x6 --json").json();
    assert_eq!(large["positions"], Value::from("62567386502084877"));
}

#[test]
fn positions_up_to_symmetry_have_lines_of_their_own() {
    assert_eq!(
        tengen("count positions 2x2 --up-to-symmetry").out(),
        "57\n13 up to symmetry\n8 up to symmetry and colour\n"
    );
}

#[test]
fn threads_and_progress_do_not_change_the_result() {
    for threads in [1, 2, 7] {
        let run = tengen(&format!(
            "count games 1x3 --rules new-zealand --threads {threads} --progress"
        ));
        assert_eq!((run.code, run.stdout.as_str()), (0, "19207\n"));
    }
    // A game of at most two moves on 3x3: a stone and any of nine answers, or a pass and any of ten.
    assert_eq!(
        tengen("count games 3x3 --rules koPOSITIONALsui0max2").out(),
        "91\n"
    );
}
