//! Sessions in files: what a client sends and what it is to get back. The format is in `testdata/gtp/README.md`.

use std::fs;
use std::path::{Path, PathBuf};

/// A session.
#[derive(Debug)]
pub(crate) struct Transcript {
    pub(crate) name: String,
    pub(crate) settings: Vec<(String, String)>,
    pub(crate) steps: Vec<Step>,
}

/// A line and the reply to it.
#[derive(Debug)]
pub(crate) struct Step {
    /// Where in the file it stands.
    pub(crate) number: usize,
    pub(crate) sent: String,
    /// Patterns; none if there is to be no reply.
    pub(crate) reply: Vec<String>,
}

/// The folder of the sessions.
pub(crate) fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/gtp")
}

/// All sessions. What commands write goes to this folder.
pub(crate) fn all(tmp: &Path) -> Vec<Transcript> {
    fs::create_dir_all(tmp).expect("the folder can be made");
    let mut files: Vec<PathBuf> = fs::read_dir(folder())
        .expect("the folder is there")
        .map(|entry| entry.expect("the folder can be read").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "txt"))
        .collect();
    files.sort();
    assert!(files.len() >= 10, "{files:?}");
    files.iter().map(|file| read(file, tmp)).collect()
}

fn read(file: &Path, tmp: &Path) -> Transcript {
    let name = file
        .file_stem()
        .expect("files have names")
        .to_string_lossy()
        .into_owned();
    let mut settings = Vec::new();
    let mut steps: Vec<Step> = Vec::new();
    let text = fs::read_to_string(file).expect("sessions are UTF-8");
    for (line, number) in text.lines().zip(1..) {
        let line = line
            .replace("{data}", &folder().to_string_lossy())
            .replace("{tmp}", &tmp.to_string_lossy());
        if let Some(setting) = line.strip_prefix("! ") {
            assert!(steps.is_empty(), "{name}:{number}");
            let (key, value) = setting.split_once(' ').expect("a key and a value");
            settings.push((key.to_owned(), value.to_owned()));
        } else if let Some(sent) = line.strip_prefix('>') {
            steps.push(Step {
                number,
                sent: unescape(sent.strip_prefix(' ').unwrap_or(sent)),
                reply: Vec::new(),
            });
        } else if let Some(pattern) = line.strip_prefix('<') {
            let reply = &mut steps.last_mut().expect("a reply follows a line").reply;
            reply.push(pattern.strip_prefix(' ').unwrap_or(pattern).to_owned());
        } else {
            assert!(line.is_empty() || line.starts_with("//"), "{name}:{number}");
        }
    }
    assert!(!steps.is_empty(), "{name}");
    Transcript {
        name,
        settings,
        steps,
    }
}

fn unescape(text: &str) -> String {
    let mut plain = String::new();
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        plain.push(match c {
            '\\' => match chars.next().expect("a character follows a backslash") {
                't' => '\t',
                'r' => '\r',
                '\\' => '\\',
                'x' => {
                    let digits: String = chars.by_ref().take(2).collect();
                    char::from(u8::from_str_radix(&digits, 16).expect("two digits"))
                }
                other => panic!("\\{other} in {text}"),
            },
            c => c,
        });
    }
    plain
}

impl Transcript {
    /// Compares the replies, one for each line that has one, with what they are to be.
    pub(crate) fn check(&self, replies: &[String]) {
        let expected: Vec<&Step> = self
            .steps
            .iter()
            .filter(|step| !step.reply.is_empty())
            .collect();
        for (step, reply) in expected.iter().zip(replies) {
            let Step {
                number,
                sent,
                reply: pattern,
            } = step;
            assert!(
                fits_all(pattern, reply),
                "{}.txt:{number}: {sent}\nexpected {pattern:#?}\nbut got {reply:?}",
                self.name
            );
        }
        assert_eq!(expected.len(), replies.len(), "{}", self.name);
    }
}

/// Is it one reply, with nothing behind its blank line and no other blank line? Returns what stands before that.
pub(crate) fn well_formed(reply: &str) -> Option<&str> {
    let text = reply.strip_suffix("\n\n")?;
    (text.starts_with(['=', '?']) && !text.contains("\n\n") && !text.ends_with('\n'))
        .then_some(text)
}

fn fits_all(patterns: &[String], reply: &str) -> bool {
    let Some(text) = well_formed(reply) else {
        return false;
    };
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    fits_lines(patterns, &lines)
}

fn fits_lines(patterns: &[String], lines: &[&str]) -> bool {
    match (patterns.split_first(), lines.split_first()) {
        (None, None) => true,
        (Some((first, rest)), _) if first == "*" => {
            (0..=lines.len()).any(|skipped| fits_lines(rest, &lines[skipped..]))
        }
        (Some((pattern, patterns)), Some((line, lines))) => {
            fits(pattern.trim_end(), line) && fits_lines(patterns, lines)
        }
        _ => false,
    }
}

/// Does a line fit a pattern?
fn fits(pattern: &str, line: &str) -> bool {
    let kinds = ["int", "float", "vertex", "move", "word", "rest"];
    let next = kinds
        .into_iter()
        .filter_map(|kind| Some((pattern.find(&format!("{{{kind}}}"))?, kind)))
        .min();
    let Some((at, kind)) = next else {
        return pattern == line;
    };
    let Some(line) = line.strip_prefix(&pattern[..at]) else {
        return false;
    };
    let pattern = &pattern[at + kind.len() + 2..];
    let ends = (0..=line.len())
        .rev()
        .filter(|end| line.is_char_boundary(*end));
    let mut ends = ends.filter(|end| is(kind, &line[..*end]));
    ends.any(|end| fits(pattern, &line[end..]))
}

fn is(kind: &str, text: &str) -> bool {
    let is_vertex = || {
        let mut chars = text.chars();
        let column = chars
            .next()
            .is_some_and(|c: char| c.is_ascii_uppercase() && c != 'I');
        column && matches!(chars.as_str().parse::<u8>(), Ok(1..=25))
    };
    match kind {
        "int" => text.parse::<i64>().is_ok(),
        "float" => text.contains('.') && text.parse::<f64>().is_ok_and(f64::is_finite),
        "vertex" => is_vertex(),
        "move" => is_vertex() || matches!(text, "pass" | "resign"),
        "word" => !text.is_empty() && !text.contains(' '),
        _ => true,
    }
}

#[test]
fn patterns_tell_what_fits_from_what_does_not() {
    for (pattern, line, verdict) in [
        ("= {vertex} {vertex}", "= A1 T19", true),
        ("= {vertex} {vertex}", "= A1 I9", false),
        ("= {move}", "= pass", true),
        ("= {move}", "= Pass", false),
        ("B+{float}", "B+3.5", true),
        ("B+{float}", "B+3", false),
        ("a {int} b {rest}", "a -7 b ", true),
        ("a {int} b", "a 7 b c", false),
        ("{word} {word}", "a b c", false),
    ] {
        assert_eq!(fits(pattern, line), verdict, "{pattern} and {line}");
    }
    let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
    assert!(fits_all(&lines("= a\n*\nz"), "= a\nb\nc\nz\n\n"));
    assert!(!fits_all(&lines("= a\n*\nz"), "= a\nb\n\n"));
    assert!(!fits_all(&lines("= a"), "= a\n"));
}
