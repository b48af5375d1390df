//! Pages that are written by a program are as the program would write them today.

use anyhow::Result;

use super::Check;
use super::source::Source;

/// All generated files: what they are called, and a function that says how they differ from what is committed. A
/// problem names the command that writes the file anew.
const GENERATED: [Check; 0] = [];

pub(super) fn check(source: &Source) -> Result<Vec<String>> {
    let mut problems = Vec::new();
    for (name, check) in GENERATED {
        let found = check(source)?;
        problems.extend(
            found
                .into_iter()
                .map(|problem| format!("{name}: {problem}")),
        );
    }
    Ok(problems)
}
