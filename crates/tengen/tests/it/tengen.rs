//! Runs the command that was just built.

use std::io::Write;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

/// What a run of the command left behind.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// Runs `tengen` with the words of a command line as arguments.
pub(crate) fn tengen(line: &str) -> Run {
    tengen_reading(line, "")
}

/// Runs `tengen` with this text on its standard input.
pub(crate) fn tengen_reading(line: &str, input: impl AsRef<[u8]>) -> Run {
    run(line.split_whitespace(), input)
}

/// Runs `tengen` with these arguments, which may have spaces in them.
pub(crate) fn run<'a>(
    arguments: impl IntoIterator<Item = &'a str>,
    input: impl AsRef<[u8]>,
) -> Run {
    let mut child = Command::new(env!("CARGO_BIN_EXE_tengen"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("tengen was built for this test");
    let mut stdin = child.stdin.take().expect("standard input is a pipe");
    // A command that does not read its input may be gone before this is written.
    _ = stdin.write_all(input.as_ref());
    drop(stdin);
    let Output {
        status,
        stdout,
        stderr,
    } = child.wait_with_output().expect("the command ends");
    let text = |bytes| String::from_utf8(bytes).expect("the command prints UTF-8");
    Run {
        code: status.code().expect("no signal ended the command"),
        stdout: text(stdout),
        stderr: text(stderr),
    }
}

impl Run {
    /// Standard output of a run that went well and had nothing to complain about.
    pub(crate) fn out(self) -> String {
        assert_eq!(
            (self.code, self.stderr.as_str()),
            (0, ""),
            "{}",
            self.stdout
        );
        self.stdout
    }

    /// Standard output as one JSON object.
    pub(crate) fn json(self) -> Value {
        serde_json::from_str(&self.out()).expect("--json prints JSON")
    }

    /// The one line on standard error of a request that was wrong.
    pub(crate) fn refusal(self) -> String {
        assert_eq!(
            (self.code, self.stdout.as_str()),
            (2, ""),
            "{}",
            self.stderr
        );
        assert_eq!(self.stderr.matches('\n').count(), 1, "{}", self.stderr);
        let line = self
            .stderr
            .strip_prefix("tengen: ")
            .expect("errors begin with the command's name");
        line.trim_end().to_owned()
    }
}
