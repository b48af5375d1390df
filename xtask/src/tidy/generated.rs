//! Parts of documents that a test generates have a beginning, an end and a command that writes them anew.
//!
//! Whether they are current, those tests say: what they generate comes from types of the crates, which are not known
//! here.

use anyhow::Result;

use super::source::Source;

const BEGIN: &str = "<!-- generated: ";
const END: &str = "<!-- end: ";

pub(super) fn check(source: &Source) -> Result<Vec<String>> {
    let mut problems = Vec::new();
    for file in source.ending(".md") {
        let text = source.text(file)?.unwrap_or_default();
        let found = markers(&text, &|name| {
            source.has(&format!("crates/{name}/Cargo.toml"))
        });
        problems.extend(
            found
                .into_iter()
                .map(|problem| format!("{file}: {problem}")),
        );
    }
    Ok(problems)
}

/// What is wrong with the markers of a document.
fn markers(text: &str, is_crate: &dyn Fn(&str) -> bool) -> Vec<String> {
    let mut problems = Vec::new();
    let mut open: Option<&str> = None;
    for line in text.lines() {
        if let Some(rest) = line.strip_prefix(BEGIN) {
            if let Some(part) = open {
                problems.push(format!("the generated part `{part}` has no end"));
            }
            let rest = rest.trim_end_matches(" -->");
            let (part, command) = rest.split_once(" (").unwrap_or((rest, ""));
            open = Some(part);
            let words = command.split([' ', ')']).skip_while(|word| *word != "-p");
            let is_known = words.skip(1).take(1).any(is_crate);
            if !is_known || !command.starts_with("UPDATE_EXPECT=1 cargo test ") {
                problems.push(format!("`{part}` does not say which test writes it"));
            }
        } else if let Some(rest) = line.strip_prefix(END) {
            let part = rest.trim_end_matches(" -->");
            if open.take() != Some(part) {
                problems.push(format!(
                    "the generated part `{part}` ends and did not begin"
                ));
            }
        }
    }
    problems.extend(open.map(|part| format!("the generated part `{part}` has no end")));
    problems
}

#[cfg(test)]
mod tests {
    use super::markers;

    #[test]
    fn parts_begin_and_end_and_name_their_test() {
        let is_crate = |name: &str| name == "tengen-a";
        let begin = "<!-- generated: x (UPDATE_EXPECT=1 cargo test -p tengen-a pages) -->\n";
        let end = "<!-- end: x -->\n";
        assert!(markers(&format!("{begin}text\n{end}"), &is_crate).is_empty());
        for wrong in [
            begin.to_owned(),
            end.to_owned(),
            format!("{begin}{begin}{end}"),
            format!("<!-- generated: x -->\n{end}"),
            format!("{}{end}", begin.replace("tengen-a", "tengen-b")),
        ] {
            assert_eq!(markers(&wrong, &is_crate).len(), 1, "{wrong}");
        }
    }
}
