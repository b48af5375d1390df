//! `tengen verify`.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::json;

use crate::tengen::{Run, run, tengen};

/// One of the small certificates that fuzzing starts from.
fn path(name: &str) -> PathBuf {
    let folder = "../../fuzz/regressions/certificate";
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join(folder)
        .join(name)
}

fn verify(name: &str, options: &[&str]) -> Run {
    let path = path(name);
    let path = path.to_str().expect("the path is UTF-8");
    run(
        ["verify", path].into_iter().chain(options.iter().copied()),
        "",
    )
}

#[test]
fn tells_a_person_what_is_proven() {
    let expected = "\
Valid: black >= 4 on 4x1, black to move
6 nodes, 5 replies
Simple ko: holds
Situational superko: holds
Positional superko: holds
";
    assert_eq!(verify("one-by-four", &[]).out(), expected);
    let depends = verify("depends-on-the-ko-rule", &[]).out();
    assert!(depends.starts_with("Valid: black >= 6 on 6x1 from X.X.X., black to move\n"));
    assert!(depends.contains(
        "\nSituational superko: holds\nPositional superko: not by this proof, which may repeat a \
            board: "
    ));
}

#[test]
fn tells_a_machine_what_is_proven() {
    let proven = verify("two-by-four", &["--json"]).json();
    assert_eq!(proven["valid"], json!(true));
    assert_eq!(proven["claim"], "black >= 8 on 4x2, black to move");
    assert_eq!(
        proven["ko_rules"],
        json!(["simple", "situational", "positional"])
    );
    assert_eq!(
        (&proven["prover"], &proven["margin"]),
        (&json!("black"), &json!(8))
    );
    assert!(proven["nodes"].as_u64() > Some(10));
    let depends = verify("depends-on-the-ko-rule", &["--json"]).json();
    assert_eq!(depends["ko_rules"], json!(["simple", "situational"]));
    let rules: Vec<_> = depends["repetitions"]
        .as_array()
        .expect("lines")
        .iter()
        .map(|line| &line["rule"])
        .collect();
    assert_eq!(rules, ["positional"]);
}

#[test]
fn a_certificate_with_one_byte_changed_is_refused() {
    let mut bytes = fs::read(path("two-by-four")).expect("the certificate is there");
    bytes[100] ^= 1;
    let refused = run(["verify", "-"], &bytes);
    assert_eq!((refused.code, refused.stdout.as_str()), (1, ""));
    assert!(
        refused.stderr.starts_with("tengen: - is refused: byte "),
        "{}",
        refused.stderr
    );
    let refused = run(["verify", "-", "--json"], &bytes);
    assert_eq!(refused.code, 1);
    let told: serde_json::Value = serde_json::from_str(&refused.stdout).expect("JSON");
    assert_eq!(told["valid"], json!(false));
    assert!(told["offset"].as_u64() >= Some(100), "{told}");
    assert_eq!(told["line"], json!([]));
}

#[test]
fn a_strategy_that_fails_is_refused_with_the_moves_that_show_it() {
    let refused = verify("goes-round-in-circles", &["--json"]);
    assert_eq!(refused.code, 1);
    let told: serde_json::Value = serde_json::from_str(&refused.stdout).expect("JSON");
    let error = told["error"].as_str().expect("a text");
    assert!(
        error.contains("leads back to where it was before, after "),
        "{error}"
    );
    assert!(told["line"].as_array().expect("moves").len() > 4);
    assert_eq!(verify("ends-in-a-block", &[]).code, 1);
}

#[test]
fn what_cannot_be_opened_is_a_mistake_of_the_user() {
    assert!(
        tengen("verify no-such-file")
            .refusal()
            .starts_with("no-such-file: ")
    );
    assert!(tengen("verify .").refusal().contains("a folder"));
    tengen("verify").refusal();
}
