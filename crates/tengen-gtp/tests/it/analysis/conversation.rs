//! Conversations from `testdata/analysis`, held in memory.

use std::fs;
use std::io::{self, Cursor, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use serde_json::Value;
use tengen_gtp::analysis::{AnalysisSettings, serve};
use tengen_search::Judge;

use super::pattern::matches;

/// A conversation: what the client says, and what it must hear.
pub(crate) struct Case {
    pub(crate) name: String,
    pub(crate) queries: Vec<String>,
    pub(crate) answers: Vec<Value>,
}

/// All conversations.
pub(crate) fn cases() -> Vec<Case> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/analysis");
    let mut files: Vec<PathBuf> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "txt"))
        .collect();
    files.sort();
    assert!(files.len() >= 4);
    files.iter().flat_map(|file| read_cases(file)).collect()
}

fn read_cases(file: &Path) -> Vec<Case> {
    let mut cases: Vec<Case> = Vec::new();
    for (line, number) in fs::read_to_string(file).unwrap().lines().zip(1..) {
        let place = || format!("{}:{number}", file.display());
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        if let Some(name) = line.strip_prefix("== ") {
            cases.push(Case {
                name: format!("{} {name}", place()),
                queries: Vec::new(),
                answers: Vec::new(),
            });
            continue;
        }
        let case = cases.last_mut().expect("a case begins with ==");
        match line.split_at(1) {
            (">", query) => case.queries.push(query.trim_start().to_owned()),
            ("<", answer) => {
                let pattern = serde_json::from_str(answer);
                case.answers
                    .push(pattern.unwrap_or_else(|error| panic!("{}: {error}", place())));
            }
            _ => panic!("{}: {line}", place()),
        }
    }
    cases
}

/// An output that others can look into.
#[derive(Clone, Default)]
pub(crate) struct Heard(Arc<Mutex<Vec<u8>>>);

impl Write for Heard {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Heard {
    /// The lines so far, as JSON.
    pub(crate) fn answers(&self) -> Vec<Value> {
        let text = String::from_utf8(self.0.lock().unwrap().clone()).unwrap();
        assert!(text.is_empty() || text.ends_with('\n'));
        text.lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    }
}

/// One position at a time, one thread: everything is found in the same way every time.
pub(crate) fn settings() -> AnalysisSettings {
    let mut settings = AnalysisSettings {
        positions: 1,
        ..AnalysisSettings::default()
    };
    settings.engine.threads = 1;
    settings.engine.memory = 256 << 20;
    settings
}

/// Says all this, ends the input, and returns all answers.
pub(crate) fn converse(queries: &str, settings: &AnalysisSettings) -> Vec<Value> {
    let heard = Heard::default();
    serve(
        Cursor::new(queries.to_owned()),
        heard.clone(),
        settings,
        &Judge::default(),
    )
    .unwrap();
    heard.answers()
}

#[test]
fn conversations_go_as_they_should() {
    for case in cases() {
        let mut left = converse(&case.queries.join("\n"), &settings());
        for pattern in &case.answers {
            let Some(index) = left.iter().position(|found| matches(pattern, Some(found))) else {
                panic!("{}: no answer {pattern} among {left:#?}", case.name);
            };
            left.remove(index);
        }
        assert!(left.is_empty(), "{}: also heard {left:#?}", case.name);
    }
}
