//! `tengen perft`.

use serde_json::json;

use crate::tengen::tengen;

#[test]
fn prints_the_number_of_sequences() {
    assert_eq!(tengen("perft 3x3 0").out(), "1\n");
    assert_eq!(tengen("perft 3x3 2").out(), "91\n");
    assert_eq!(tengen("perft 19 2 --rules japanese").out(), "130683\n");
    assert_eq!(tengen("perft 1x1 3").out(), "0\n");
}

#[test]
fn divides_by_the_first_move() {
    assert_eq!(
        tengen("perft 2x1 2 --divide").out(),
        "A1   2\nB1   2\npass 3\n7\n"
    );
    assert_eq!(
        tengen("perft 2x1 2 --divide --json --rules chinese").json(),
        json!({
            "size": "2x1",
            "rules": "chinese",
            "depth": 2,
            "sequences": 7,
            "divide": [
                {"move": "A1", "sequences": 2},
                {"move": "B1", "sequences": 2},
                {"move": "pass", "sequences": 3},
            ],
        })
    );
}
