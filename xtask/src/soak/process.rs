//! Programs that are started, talked to, stopped and killed.

use std::fs::OpenOptions;
use std::io::{BufRead, BufReader, Write};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};

use super::http::PATIENCE;

/// A program whose standard input is ours, and whose lines can be waited for. It is killed when this goes.
pub(super) struct Process {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
}

/// What became of the wait for a line.
pub(super) enum Line {
    Text(String),
    /// The program has closed its output.
    End,
    Nothing,
}

impl Process {
    /// Starts a program. What it says on standard error is added to a file.
    pub(super) fn start(command: &mut Command, log: &Path) -> Result<Self> {
        let log = OpenOptions::new().create(true).append(true).open(log);
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(log.context("cannot write the log")?)
            .spawn()
            .with_context(|| format!("cannot start {}", command.get_program().display()))?;
        let input = child.stdin.take();
        let output = child.stdout.take().context("there is no pipe")?;
        let (sender, lines) = channel();
        thread::spawn(move || {
            let mut output = BufReader::new(output);
            let mut line = Vec::new();
            while output
                .read_until(b'\n', &mut line)
                .is_ok_and(|read| read > 0)
            {
                let text = String::from_utf8_lossy(&line).trim_end().to_owned();
                // Nobody waits for a program that was killed.
                if sender.send(text).is_err() {
                    break;
                }
                line.clear();
            }
        });
        Ok(Self {
            child,
            input,
            lines,
        })
    }

    pub(super) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Sends a line. A program that is gone hears nothing, and its end is noticed by who reads.
    pub(super) fn say(&mut self, line: &[u8]) {
        if let Some(input) = &mut self.input {
            let said = input.write_all(line).and_then(|()| input.write_all(b"\n"));
            _ = said.and_then(|()| input.flush());
        }
    }

    pub(super) fn hear(&self, patience: Duration) -> Line {
        match self.lines.recv_timeout(patience) {
            Ok(text) => Line::Text(text),
            Err(RecvTimeoutError::Disconnected) => Line::End,
            Err(RecvTimeoutError::Timeout) => Line::Nothing,
        }
    }

    pub(super) fn kill(mut self) {
        self.end_at_once();
    }

    /// Asks the program to end as the system does.
    pub(super) fn terminate(&self) -> Result<()> {
        let status = Command::new("kill")
            .args(["-TERM", &self.id().to_string()])
            .status()
            .context("cannot start kill")?;
        ensure!(status.success(), "cannot stop process {}", self.id());
        Ok(())
    }

    /// Waits until it ends by itself; its input ends first.
    pub(super) fn wait(mut self) -> Result<ExitStatus> {
        self.input = None;
        let start = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().context("cannot wait")? {
                return Ok(status);
            }
            ensure!(start.elapsed() < PATIENCE, "it does not end");
            thread::sleep(Duration::from_millis(5));
        }
    }

    fn end_at_once(&mut self) {
        // It may have ended already.
        _ = self.child.kill();
        _ = self.child.wait();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.end_at_once();
    }
}

/// The address in the first line of a server.
pub(super) fn address(line: &str) -> Option<SocketAddr> {
    let rest = line.strip_prefix("Tengen runs at http://")?;
    rest.split('/').next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::address;

    #[test]
    fn the_first_line_has_the_address() {
        let found = address("Tengen runs at http://127.0.0.1:8361/");
        assert_eq!(found.unwrap().port(), 8361);
        assert!(address("error: no").is_none());
    }
}
