//! `tengen serve`: the app.

use std::io::{self, Read, Write};
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpStream};
use std::num::NonZero;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::str::FromStr;
use std::time::Duration;
use std::{env, thread};

mod proofs;

use anyhow::{Context, Result};
use clap::Args;
use tengen_gtp::client::CommandLine;
use tengen_nn::judge_by_file_within;
use tengen_search::Judge;
use tengen_server::{
    ListenAddress, PageSource, Port, Program, ServerSettings, StartError, Token, is_run,
    run as serve,
};

use crate::failure::Usage;
use crate::judge::JudgeArgs;
use crate::play::{games_folder, some_seed};

/// Where the app is if nothing is said: 19 × 19 and 0.
const PORT: u16 = 8361;

/// Start the app: a page to play, review, analyse and watch.
///
/// The address is printed, and opened in a browser. Ctrl-C ends the app; games are saved after every move.
#[derive(Args)]
#[command(after_long_help = "\
Examples:
  tengen serve
  tengen serve --no-open --port 8400 --net net.safetensors
  tengen serve --program \"GNU Go=gnugo --mode gtp\" --run runs/9x9
  tengen serve --proof 5x5.proof
  tengen serve --listen 0.0.0.0 --host my-machine.local

Games are kept in tengen/app below the folder for the data of programs: XDG_DATA_HOME, ~/.local/share,
~/Library/Application Support or %APPDATA%. More is in docs/app.md.")]
pub(crate) struct ServeArgs {
    /// The port; 8361 or the next free one if it is left out, any free one if it is 0.
    #[arg(long, value_name = "N")]
    port: Option<u16>,
    /// The address to listen at. All but loopback need a token.
    #[arg(long, value_name = "ADDRESS", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    listen: IpAddr,
    /// The token that everybody has to know; without it there is none on loopback, and a new one at each start
    /// elsewhere.
    #[arg(long, value_name = "TEXT")]
    token: Option<Token>,
    /// The token of those who may look on and change nothing; a new one at each start if there is a token at all.
    #[arg(long, value_name = "TEXT")]
    spectator_token: Option<Token>,
    /// A name under which the app may be called, besides localhost. Can be repeated.
    #[arg(long, value_name = "NAME")]
    host: Vec<String>,
    /// Do not open a browser.
    #[arg(long)]
    no_open: bool,
    /// Where games are kept.
    #[arg(long, value_name = "FOLDER")]
    data: Option<PathBuf>,
    /// How many threads think; all cores if it is left out.
    #[arg(long, value_name = "N")]
    threads: Option<NonZero<usize>>,
    /// How many megabytes all searches, those for proofs included, and what people send may take together.
    #[arg(long, value_name = "MB", default_value_t = 1024,
        value_parser = clap::value_parser!(u32).range(16..=1_000_000))]
    memory: u32,
    #[command(flatten)]
    judge: JudgeArgs,
    /// A program that speaks GTP and may play, such as "GNU Go=gnugo --mode gtp". Can be repeated.
    #[arg(long, value_name = "NAME=COMMAND")]
    program: Vec<ProgramArg>,
    /// The folder of a training run to look at. Can be repeated.
    #[arg(long, value_name = "FOLDER")]
    run: Vec<PathBuf>,
    /// A certificate of `tengen solve`, whose proof can be walked through on the page. Can be repeated. One of more
    /// than two million entries is not checked but taken at its word, which the page says: `tengen verify` checks it.
    #[arg(long, value_name = "FILE")]
    proof: Vec<PathBuf>,
    /// Let whoever may play bring networks of KataGo or of `tengen train`: they drop the file on the page. Files are
    /// kept with the games.
    #[arg(long)]
    allow_networks: bool,
    /// Read the page from this folder, at every request: for those who work on it.
    #[arg(long, value_name = "FOLDER")]
    web: Option<PathBuf>,
}

/// A program and its name.
#[derive(Clone)]
struct ProgramArg(Program);

impl FromStr for ProgramArg {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (name, command) = text
            .split_once('=')
            .ok_or("a program is given as NAME=COMMAND")?;
        let name = name.trim().to_owned();
        if name.is_empty() || name.len() > 100 || name.chars().any(char::is_control) {
            return Err("a program has a name of at most 100 characters before the =".to_owned());
        }
        let command: CommandLine = command.parse().map_err(|error| format!("{error}"))?;
        Ok(Self(Program { name, command }))
    }
}

/// Runs the app until it is interrupted.
pub(crate) fn run(args: &ServeArgs) -> Result<()> {
    let settings = settings(args)?;
    let place = ListenAddress {
        address: args.listen,
        port: args.port.map_or(Port::From(PORT), Port::Exactly),
    };
    let opens = !args.no_open;
    let ready = |url: &str, spectators: Option<&str>| {
        let mut out = io::stdout().lock();
        let said = writeln!(out, "Tengen runs at {url}").and_then(|()| match spectators {
            Some(url) => writeln!(out, "To look on and change nothing: {url}"),
            None => Ok(()),
        });
        // Without anybody who reads the address the app is still there.
        _ = said.and_then(|()| out.flush());
        if opens {
            open(url);
        }
    };
    match serve(&settings, place, ready) {
        Err(StartError::Listen(address, error)) if error.kind() == io::ErrorKind::AddrInUse => {
            let who = if is_tengen(address) {
                "Tengen runs already"
            } else {
                "another program listens already"
            };
            Err(Usage::new(format_args!(
                "{who} at {address}; leave --port out to use the next free port"
            ))
            .into())
        }
        result => Ok(result?),
    }
}

fn settings(args: &ServeArgs) -> Result<ServerSettings> {
    let data = match &args.data {
        Some(folder) => folder.clone(),
        // Beside the games of `tengen play`.
        None => games_folder()
            .map(|games| games.with_file_name("app"))
            .context("there is no folder for the data of programs: name one with --data")?,
    };
    let programs: Vec<Program> = args
        .program
        .iter()
        .map(|program| program.0.clone())
        .collect();
    for (place, program) in programs.iter().enumerate() {
        if programs[..place]
            .iter()
            .any(|other| other.name == program.name)
        {
            return Err(
                Usage::new(format_args!("two programs are called {}", program.name)).into(),
            );
        }
    }
    if let Some(folder) = args.run.iter().find(|folder| !is_run(folder)) {
        let folder = folder.display();
        return Err(
            Usage::new(format_args!("{folder} is not the folder of a training run")).into(),
        );
    }
    if let Some(folder) = args
        .web
        .iter()
        .find(|folder| !folder.join("index.html").is_file())
    {
        let folder = folder.display();
        return Err(
            Usage::new(format_args!("{folder} has no page: there is no index.html")).into(),
        );
    }
    let defaults = ServerSettings::default();
    Ok(ServerSettings {
        data: Some(data),
        page: args
            .web
            .clone()
            .map_or(PageSource::Embedded, PageSource::Folder),
        judge: args.judge.judge()?,
        threads: args.threads.map_or(defaults.threads, NonZero::get),
        memory: (args.memory as usize) << 20,
        seed: some_seed(),
        programs,
        runs: args.run.clone(),
        proofs: proofs::open(&args.proof)?,
        networks: match args.allow_networks {
            true => Some(read_network),
            false => None,
        },
        hosts: args.host.clone(),
        token: args.token.clone(),
        spectators: args.spectator_token.clone(),
        ..defaults
    })
}

/// A judge by a network that somebody brings.
fn read_network(bytes: &[u8], most_weights: usize) -> Result<Judge, String> {
    judge_by_file_within(bytes, most_weights).map_err(|error| error.to_string())
}

/// Shows the page in a browser, if there is a screen to show it on.
fn open(url: &str) {
    let is_set = |name| env::var_os(name).is_some_and(|value| !value.is_empty());
    let mut command = if cfg!(target_os = "macos") {
        Command::new("open")
    } else if cfg!(windows) {
        let mut command = Command::new("rundll32");
        command.arg("url.dll,FileProtocolHandler");
        command
    } else if is_set("DISPLAY") || is_set("WAYLAND_DISPLAY") || is_set("BROWSER") {
        Command::new("xdg-open")
    } else {
        return;
    };
    command
        .arg(url)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    // Without a browser there is still the address.
    if let Ok(mut child) = command.spawn() {
        thread::spawn(move || child.wait());
    }
}

/// Is it Tengen that answers there?
fn is_tengen(address: SocketAddr) -> bool {
    let moment = Duration::from_secs(1);
    let ask = || -> io::Result<Vec<u8>> {
        let mut stream = TcpStream::connect_timeout(&address, moment)?;
        stream.set_read_timeout(Some(moment))?;
        stream.write_all(b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")?;
        let mut answer = vec![0; 4096];
        let length = stream.read(&mut answer)?;
        answer.truncate(length);
        Ok(answer)
    };
    let answer = ask().unwrap_or_default();
    let text = String::from_utf8_lossy(&answer).to_ascii_lowercase();
    text.lines().any(|line| line.trim() == "server: tengen")
}
