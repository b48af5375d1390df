//! Queries that are nearly right: whatever comes, the parser answers.

use serde_json::{Value, json};
use tengen_gtp::analysis::{QueryDefaults, Request, Severity};

use super::conversation::cases;

/// A generator of its own, so that a failure can be found again by its number.
struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((self.0 >> 33) as usize) % limit.max(1)
    }
}

/// Values that somebody may send where another is expected.
fn odd_values() -> Vec<Value> {
    vec![
        json!(null),
        json!(true),
        json!(0),
        json!(-1),
        json!(1),
        json!(26),
        json!(i64::MAX),
        json!(i64::MIN),
        json!(u64::MAX),
        json!(0.5),
        json!(-0.0),
        json!(1e308),
        json!(5e-324),
        json!(""),
        json!("pass"),
        json!("B"),
        json!("A1"),
        json!("(0,0)"),
        json!("(255,255)"),
        json!("(,)"),
        json!("Z99999999999"),
        json!("ß1"),
        json!("\u{0}"),
        json!("{\"ko\":\"SIMPLE\"}"),
        json!("koSIMPLEpass0max1"),
        json!("terminate"),
        json!([]),
        json!({}),
        json!([[]]),
        json!([["B", "A1"]]),
        json!([["B", "A1"], ["W", "A1"]]),
        json!([0, 1, -1]),
        json!({"maxVisits": -1, "maxTime": 1e300}),
        json!([{"player": "B", "moves": ["A1"], "untilDepth": 1}]),
    ]
}

/// Changes one thing somewhere in a value.
fn mutate(value: &mut Value, dice: &mut Dice, odd: &[Value]) {
    let inside = match value {
        Value::Object(map) => map.len(),
        Value::Array(array) => array.len(),
        _ => 0,
    };
    if inside > 0 && dice.below(8) > 0 {
        let index = dice.below(inside);
        match value {
            Value::Object(map) => {
                let key = map.keys().nth(index).cloned().unwrap();
                match dice.below(8) {
                    0 => {
                        map.remove(&key);
                    }
                    1 => {
                        let taken = map.remove(&key).unwrap();
                        map.insert(format!("{key}x"), taken);
                    }
                    2 => {
                        let fields = ["avoidMoves", "rules", "priorities", "action", "komi"];
                        let field = fields[dice.below(fields.len())];
                        map.insert(field.to_owned(), odd[dice.below(odd.len())].clone());
                    }
                    _ => mutate(&mut map[&key], dice, odd),
                }
            }
            Value::Array(array) => match dice.below(6) {
                0 => {
                    array.remove(index);
                }
                1 => array.push(array[index].clone()),
                _ => mutate(&mut array[index], dice, odd),
            },
            _ => unreachable!(),
        }
    } else {
        *value = odd[dice.below(odd.len())].clone();
    }
}

/// Reads a line and makes sure that what comes of it can be searched, or said.
fn read(line: &[u8]) -> Outcome {
    match Request::read(line, &QueryDefaults::default()) {
        Ok(Request::Analyze { warnings, jobs }) => {
            for warning in warnings {
                assert!(matches!(warning.severity, Severity::Warning(_)));
            }
            for job in jobs {
                let game = job.course.game_at(job.turn);
                assert!(!game.is_over());
                assert!(job.limits.visits.is_some_and(|visits| visits > 0));
            }
            Outcome::Accepted
        }
        Ok(_) => Outcome::Accepted,
        Err(complaint) => {
            let text = serde_json::to_value(&complaint).unwrap();
            assert!(
                text["error"]
                    .as_str()
                    .is_some_and(|error| !error.is_empty())
            );
            assert_eq!(complaint.id.is_some(), complaint.field.is_some());
            Outcome::Refused
        }
    }
}

#[derive(PartialEq)]
enum Outcome {
    Accepted,
    Refused,
}

#[test]
fn no_query_is_too_odd() {
    let odd = odd_values();
    let is_right = |query: &&String| read(query.as_bytes()) == Outcome::Accepted;
    let queries: Vec<Value> = cases()
        .iter()
        .flat_map(|case| case.queries.iter().filter(is_right))
        .map(|query| serde_json::from_str(query).unwrap())
        .collect();
    assert!(queries.len() > 20);
    let mut accepted = 0;
    let mut refused = 0;
    for number in 1..=6000_u64 {
        let mut dice = Dice(number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let mut query = queries[dice.below(queries.len())].clone();
        for _ in 0..=dice.below(3) {
            mutate(&mut query, &mut dice, &odd);
        }
        let mut line = query.to_string().into_bytes();
        if dice.below(5) == 0 {
            // Bytes rather than values.
            for _ in 0..=dice.below(3) {
                let index = dice.below(line.len());
                match dice.below(3) {
                    0 => line[index] = dice.below(256) as u8,
                    1 => line.truncate(index),
                    _ => line.insert(index, b"[{\"}],:0-e\\"[dice.below(11)]),
                }
                if line.is_empty() {
                    break;
                }
            }
        }
        match read(&line) {
            Outcome::Accepted => accepted += 1,
            Outcome::Refused => refused += 1,
        }
    }
    // Both ways are walked often enough to mean something.
    assert!(accepted > 300 && refused > 1000, "{accepted} {refused}");
}
