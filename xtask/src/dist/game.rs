//! A whole game by GTP, as a program that drives engines plays it.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use anyhow::{Context, Result, bail, ensure};

/// More moves than a game of an engine with itself on a board of this size ever had.
const MOST_MOVES: usize = 300;

/// An engine that answers.
struct Engine {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Engine {
    fn start(mut command: Command) -> Result<Self> {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .context("cannot start the engine")?;
        let input = child.stdin.take().context("the engine has no input")?;
        let output = child.stdout.take().context("the engine has no output")?;
        Ok(Self {
            child,
            input,
            output: BufReader::new(output),
        })
    }

    /// What it answers to a command.
    fn ask(&mut self, command: &str) -> Result<String> {
        writeln!(self.input, "{command}").context("the engine does not listen")?;
        let mut answer = String::new();
        loop {
            let mut line = String::new();
            let read = self.output.read_line(&mut line)?;
            ensure!(read > 0, "the engine has gone at {command:?}");
            if line.trim().is_empty() {
                break;
            }
            answer += &line;
        }
        match answer.trim().strip_prefix('=') {
            Some(answer) => Ok(answer.trim().to_owned()),
            None => bail!("{command:?} was answered {:?}", answer.trim()),
        }
    }
}

/// Lets an engine play both sides on 7×7 until two passes or a resignation, and returns the moves and the result.
pub(super) fn play(command: Command) -> Result<(usize, String)> {
    let mut engine = Engine::start(command)?;
    for setting in ["boardsize 7", "komi 7.5", "clear_board"] {
        engine.ask(setting)?;
    }
    let mut passes = 0;
    for number in 0..MOST_MOVES {
        let color = if number % 2 == 0 { "b" } else { "w" };
        let answer = engine.ask(&format!("genmove {color}"))?;
        passes = match answer.to_ascii_lowercase().as_str() {
            "pass" => passes + 1,
            "resign" => 2,
            _ => 0,
        };
        if passes == 2 {
            let score = engine.ask("final_score")?;
            engine.ask("quit")?;
            let status = engine.child.wait().context("the engine does not end")?;
            ensure!(status.success(), "the engine ended with {status}");
            return Ok((number + 1, score));
        }
    }
    // Dropping its input would end it as well; this is for one that does not listen.
    engine.child.kill().context("cannot end the engine")?;
    engine.child.wait().context("the engine does not end")?;
    bail!("the game has not ended after {MOST_MOVES} moves")
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::process::Command;

    use super::play;

    fn shell(script: &str) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        command
    }

    #[test]
    fn two_passes_end_a_game() {
        let script = r#"while read line; do case $line in
            genmove*) printf '= PASS\n\n';;
            final_score) printf '= W+7.5\n\n';;
            quit) printf '=\n\n'; exit 0;;
            *) printf '=\n\n';; esac; done"#;
        let (moves, result) = play(shell(script)).unwrap();
        assert_eq!((moves, result.as_str()), (2, "W+7.5"));
    }

    #[test]
    fn refusals_and_ends_are_said() {
        let refused = play(shell("while read line; do printf '? no\\n\\n'; done"));
        assert!(refused.unwrap_err().to_string().contains("boardsize 7"));
        assert!(play(shell("exit 0")).is_err());
    }
}
