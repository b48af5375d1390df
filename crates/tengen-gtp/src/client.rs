//! A program that is spoken to in GTP.

mod command_line;
mod dialect;
mod error;
mod opponent;
mod process;
mod transcript;

use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::process::{ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use tengen_search::Stop;

pub use command_line::{CommandLine, CommandLineError};
pub use error::ClientError;
pub use opponent::{NewGame, TimeSettings};
pub use transcript::{Line, Speaker, Transcript};

use process::Process;
use transcript::shorten;

/// A program that was started and is spoken to in GTP. It ends, with all that it started, when this is dropped.
#[derive(Debug)]
pub struct Client {
    process: Process,
    /// `None` once the connection is closed.
    input: Option<ChildStdin>,
    output: Receiver<String>,
    /// The thread that reads standard error.
    stderr_reader: thread::JoinHandle<()>,
    transcript: Arc<Mutex<Transcript>>,
    commands: Vec<String>,
    stop: Stop,
    /// Has it failed so that no further command can be answered?
    broken: bool,
}

/// A line of this length, or a reply, is not meant for us.
const MAX_REPLY: usize = 1 << 20;

/// How many lines wait to be looked at before the program has to wait with further ones.
const MAX_WAITING: usize = 1024;

/// How often it is checked whether a stop was requested.
const STOP_POLL_INTERVAL: Duration = Duration::from_millis(50);

/// How long to wait for the end of a program that has closed the connection, and for what it wrote to standard error.
const EXIT_GRACE: Duration = Duration::from_secs(2);

impl Client {
    /// Starts a program. `stop` ends all waiting for its answers.
    pub fn start(line: &CommandLine, stop: &Stop) -> Result<Self, ClientError> {
        let failed = |error| ClientError::Start {
            program: line.program().to_owned(),
            error,
        };
        let mut command = Command::new(line.program());
        command
            .args(line.arguments())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut process = Process::start(&mut command).map_err(failed)?;
        let child = process.child();
        let (Some(input), Some(output), Some(asides)) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take())
        else {
            return Err(failed(ErrorKind::BrokenPipe.into()));
        };
        let transcript = Arc::new(Mutex::new(Transcript::default()));
        let (sender, receiver) = sync_channel(MAX_WAITING);
        thread::Builder::new()
            .name("gtp answers".to_owned())
            .spawn(move || pass_on_lines(output, &sender))
            .map_err(failed)?;
        let listener = transcript.clone();
        let stderr_reader = thread::Builder::new()
            .name("gtp stderr".to_owned())
            .spawn(move || note_asides(asides, &listener))
            .map_err(failed)?;
        Ok(Self {
            process,
            input: Some(input),
            output: receiver,
            stderr_reader,
            transcript,
            commands: Vec::new(),
            stop: stop.clone(),
            broken: false,
        })
    }

    /// Sends a command and waits for its answer: what follows the `=`, lines parted by line feeds.
    pub fn send(&mut self, command: &str, timeout: Duration) -> Result<String, ClientError> {
        let result = self.exchange(command, timeout);
        if let Err(error) = &result
            && error.is_fatal()
        {
            self.broken = true;
            self.note(&error.to_string());
        }
        result
    }

    fn exchange(&mut self, command: &str, timeout: Duration) -> Result<String, ClientError> {
        self.log(Speaker::Us, command);
        let sent = match (&mut self.input, self.broken) {
            (Some(input), false) => input
                .write_all(format!("{command}\n").as_bytes())
                .and_then(|()| input.flush()),
            _ => Err(ErrorKind::BrokenPipe.into()),
        };
        if sent.is_err() {
            return Err(self.gone(command));
        }
        let started = Instant::now();
        let mut reply = String::new();
        let mut refused = None;
        loop {
            let line = self.line(command, started, timeout)?;
            match refused {
                // Some programs leave more than one blank line between two answers.
                None if line.is_empty() => {}
                None => {
                    let Some((status, first)) = read_head(&line) else {
                        return Err(garbage(command, &line));
                    };
                    refused = Some(status);
                    reply.push_str(first);
                }
                Some(_) if line.is_empty() => break,
                Some(_) => {
                    reply.push('\n');
                    reply.push_str(&line);
                }
            }
            if reply.len() > MAX_REPLY {
                return Err(garbage(command, &reply));
            }
        }
        match refused {
            Some(Status::Refused) => Err(ClientError::Refused {
                command: command.to_owned(),
                reason: reply,
            }),
            _ => Ok(reply),
        }
    }

    /// The next line of the program.
    fn line(
        &mut self,
        command: &str,
        started: Instant,
        timeout: Duration,
    ) -> Result<String, ClientError> {
        loop {
            if self.stop.is_stopped() {
                return Err(ClientError::Interrupted);
            }
            let left = timeout.saturating_sub(started.elapsed());
            match self.output.recv_timeout(left.min(STOP_POLL_INTERVAL)) {
                Ok(line) => {
                    self.log(Speaker::Program, &line);
                    return Ok(line);
                }
                Err(RecvTimeoutError::Disconnected) => return Err(self.gone(command)),
                Err(RecvTimeoutError::Timeout) if left.is_zero() => {
                    return Err(ClientError::Silent {
                        command: command.to_owned(),
                        after: timeout,
                    });
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    fn gone(&mut self, command: &str) -> ClientError {
        self.broken = true;
        let noticed = Instant::now();
        let status = self.process.wait(EXIT_GRACE);
        // What it wrote to standard error says why, and may not have arrived yet.
        while status.is_some()
            && !self.stderr_reader.is_finished()
            && noticed.elapsed() < EXIT_GRACE
        {
            thread::sleep(Duration::from_millis(1));
        }
        ClientError::Gone {
            command: command.to_owned(),
            status: status.map(|status| status.to_string()),
        }
    }

    /// Asks which commands the program knows, for [`Client::knows`].
    pub fn learn_commands(&mut self, timeout: Duration) -> Result<(), ClientError> {
        let reply = self.send("list_commands", timeout)?;
        self.commands = reply.split_whitespace().map(str::to_owned).collect();
        Ok(())
    }

    /// Does the program know this command? Nobody knows before [`Client::learn_commands`].
    pub fn knows(&self, command: &str) -> bool {
        self.commands.iter().any(|known| known == command)
    }

    /// Can the program still be spoken to?
    pub const fn is_usable(&self) -> bool {
        !self.broken
    }

    /// The CPU time that it has used so far: as it says itself with `cputime` or `gomill-cpu_time`, otherwise as the
    /// system says.
    pub fn cpu_time(&mut self, timeout: Duration) -> Option<Duration> {
        if self.broken {
            return None;
        }
        for command in ["cputime", "gomill-cpu_time"] {
            if !self.knows(command) {
                continue;
            }
            let reply = self.send(command, timeout).ok();
            let seconds = reply.and_then(|reply| reply.trim().parse::<f64>().ok());
            let time = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
            if time.is_some() {
                return time;
            }
        }
        self.process.cpu_time()
    }

    /// Asks the program to end, and lets it go after this time in any case.
    pub fn quit(mut self, timeout: Duration) {
        if !self.broken && self.send("quit", timeout).is_ok() {
            self.input = None;
            _ = self.process.wait(timeout);
        }
    }

    /// What was said so far, or since [`Client::forget`].
    pub fn transcript(&self) -> Transcript {
        self.transcript
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// Begins the transcript anew.
    pub fn forget(&self) {
        self.transcript
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clear();
    }

    /// Adds a remark to the transcript.
    pub fn note(&self, text: &str) {
        self.log(Speaker::Note, text);
    }

    fn log(&self, speaker: Speaker, text: &str) {
        log(&self.transcript, speaker, text);
    }
}

fn log(transcript: &Mutex<Transcript>, speaker: Speaker, text: &str) {
    transcript
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .push(speaker, text);
}

#[derive(Clone, Copy)]
enum Status {
    Done,
    Refused,
}

/// Takes the first line of an answer apart. We send no ids, but a program that makes one up is understood.
fn read_head(line: &str) -> Option<(Status, &str)> {
    let (status, rest) = match (line.strip_prefix('='), line.strip_prefix('?')) {
        (Some(rest), _) => (Status::Done, rest),
        (None, Some(rest)) => (Status::Refused, rest),
        (None, None) => return None,
    };
    let text = rest.trim_start_matches(|letter: char| letter.is_ascii_digit());
    // A number that touches the sign is an id; without the space behind it, it is an answer of careless programs.
    match text.is_empty() || text.starts_with([' ', '\t']) {
        true => Some((status, text.trim())),
        false => Some((status, rest.trim())),
    }
}

fn garbage(command: &str, line: &str) -> ClientError {
    ClientError::Garbage {
        command: command.to_owned(),
        line: shorten(line, 80).to_owned(),
    }
}

/// Reads lines until the program closes its output or nobody wants them any more.
fn pass_on_lines(output: impl Read, sender: &SyncSender<String>) {
    let mut output = BufReader::new(output);
    while let Some(line) = read_line(&mut output) {
        if sender.send(line).is_err() {
            return;
        }
    }
}

fn note_asides(asides: impl Read, transcript: &Mutex<Transcript>) {
    let mut asides = BufReader::new(asides);
    while let Some(line) = read_line(&mut asides) {
        log(transcript, Speaker::Aside, &line);
    }
}

/// A line without its end and without control characters, cut where it is longer than any answer.
fn read_line(source: &mut impl BufRead) -> Option<String> {
    let mut bytes = Vec::new();
    let count = source
        .by_ref()
        .take(MAX_REPLY as u64)
        .read_until(b'\n', &mut bytes)
        .ok()?;
    if count == 0 {
        return None;
    }
    let text = String::from_utf8_lossy(&bytes);
    let kept = text.chars().filter(|c| *c == '\t' || !c.is_control());
    Some(kept.collect::<String>().trim_end().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_head_of_an_answer_is_understood() {
        let read =
            |line| read_head(line).map(|(status, text)| (matches!(status, Status::Done), text));
        assert_eq!(read("= D4"), Some((true, "D4")));
        assert_eq!(read("="), Some((true, "")));
        assert_eq!(read("=12 D4"), Some((true, "D4")));
        assert_eq!(read("=D4"), Some((true, "D4")));
        assert_eq!(read("? illegal move"), Some((false, "illegal move")));
        assert_eq!(read("?7 no"), Some((false, "no")));
        assert_eq!(read("D4"), None);
        assert_eq!(read(" = D4"), None);
    }

    #[test]
    fn lines_are_cleaned_and_cut() {
        let mut source = "= D4 \r\n\x07beep\tx\n\nlast".as_bytes();
        let mut next = || read_line(&mut source);
        assert_eq!(next().as_deref(), Some("= D4"));
        assert_eq!(next().as_deref(), Some("beep\tx"));
        assert_eq!(next().as_deref(), Some(""));
        assert_eq!(next().as_deref(), Some("last"));
        assert_eq!(next(), None);
        let mut endless = BufReader::new(std::io::repeat(b'x'));
        assert_eq!(
            read_line(&mut endless).map(|line| line.len()),
            Some(MAX_REPLY)
        );
    }
}
