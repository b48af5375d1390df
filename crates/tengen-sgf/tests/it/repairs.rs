//! The cases in `testdata/sgf/repairs.toml`.

use serde::Deserialize;
use tengen_sgf::{Collection, Diagnostic, Mode, Places, Severity, validate};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Cases {
    case: Vec<Case>,
    refusal: Vec<Refusal>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    name: String,
    input: String,
    diagnostics: Vec<String>,
    written: String,
    canonical: Option<String>,
    #[serde(default)]
    checked: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Refusal {
    name: String,
    input: String,
    message: String,
}

fn cases() -> Cases {
    let text = include_str!("../../../../testdata/sgf/repairs.toml");
    toml::from_str(text).expect("the corpus is well-formed")
}

/// Diagnostics as the corpus writes them.
pub(crate) fn lines(text: &str, diagnostics: &[Diagnostic]) -> Vec<String> {
    let places = Places::new(text);
    let line = |d: &Diagnostic| format!("{} {}: {}", d.severity, places.at(d.offset), d.message);
    diagnostics.iter().map(line).collect()
}

#[test]
fn files_are_repaired_and_the_repairs_reported() {
    for case in cases().case {
        let Case { name, input, .. } = &case;
        let parsed = Collection::parse(input.as_str(), Mode::Lenient).expect(name);
        assert_eq!(
            lines(input, &parsed.diagnostics),
            case.diagnostics,
            "{name}"
        );
        assert_eq!(parsed.collection.to_string(), case.written, "{name}");
        if let Some(canonical) = &case.canonical {
            assert_eq!(parsed.collection.to_canonical(), *canonical, "{name}");
        }
        let checked: Vec<_> = parsed.collection.roots().flat_map(validate).collect();
        assert_eq!(lines(input, &checked), case.checked, "{name}");
    }
}

#[test]
fn strict_mode_refuses_exactly_what_lenient_mode_repairs() {
    for Case { name, input, .. } in cases().case {
        let lenient = Collection::parse(input.as_str(), Mode::Lenient).expect(&name);
        let strict = Collection::parse(input.as_str(), Mode::Strict);
        let repairs = lenient
            .diagnostics
            .iter()
            .filter(|d| d.severity > Severity::Note);
        let first = repairs
            .map(|d| format!("{}: {}", Places::new(&input).at(d.offset), d.message))
            .next();
        match strict {
            Ok(strict) => {
                assert_eq!(first, None, "{name}");
                assert_eq!(strict.collection, lenient.collection, "{name}");
                assert_eq!(strict.diagnostics, lenient.diagnostics, "{name}");
            }
            Err(error) => assert_eq!(Some(error.to_string()), first, "{name}"),
        }
    }
}

#[test]
fn what_is_written_needs_no_repair() {
    for case in cases().case {
        let again = Collection::parse(case.written.as_str(), Mode::Strict).expect(&case.name);
        assert_eq!(again.diagnostics, [], "{}", case.name);
        assert_eq!(again.collection.to_string(), case.written, "{}", case.name);
    }
}

#[test]
fn what_is_no_record_is_refused_in_both_modes() {
    for Refusal {
        name,
        input,
        message,
    } in cases().refusal
    {
        for mode in [Mode::Lenient, Mode::Strict] {
            let refused = Collection::parse(input.as_str(), mode).expect_err(&name);
            assert_eq!(refused.to_string(), message, "{name}");
        }
    }
}
