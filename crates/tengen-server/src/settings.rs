//! How a server behaves.

use std::net::IpAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use tengen_app::Proof;
use tengen_files::{Disk, Files};
use tengen_gtp::client::CommandLine;
use tengen_search::Judge;

use crate::log::Log;
use crate::networks::ReadNetwork;
use crate::pace::Rate;
use crate::page::PageSource;
use crate::time::{SystemClock, Time};
use crate::token::Token;

/// How a server behaves. The default is one for this machine alone that keeps nothing.
#[derive(Clone, Debug)]
pub struct ServerSettings {
    /// Where games are kept; nowhere if there is none.
    pub data: Option<PathBuf>,
    /// The page.
    pub page: PageSource,
    /// Who judges positions.
    pub judge: Judge,
    /// How many threads think.
    pub threads: usize,
    /// How many bytes all searches may take together, those for proofs included, with what people send.
    pub memory: usize,
    /// The seed of all that engines draw.
    pub seed: u64,
    /// Programs that may sit down at a game.
    pub programs: Vec<Program>,
    /// Folders of training runs.
    pub runs: Vec<PathBuf>,
    /// Certificates that people can walk through.
    pub proofs: Vec<Arc<Proof>>,
    /// How networks are read that people bring, if they may. They are kept with the games.
    pub networks: Option<ReadNetwork>,
    /// Further names under which the server may be called.
    pub hosts: Vec<String>,
    /// What others than this machine have to know. A server that they can reach has one in any case.
    pub token: Option<Token>,
    /// What those have to know who may look on and change nothing. A server with a token has one in any case; one
    /// without a token gets one with this.
    pub spectators: Option<Token>,
    /// How much is too much.
    pub limits: Limits,
    /// The files in which games are kept.
    pub files: Arc<dyn Files>,
    /// What time it is.
    pub time: Arc<dyn Time>,
    /// Where the server tells what happens.
    pub log: Log,
}

/// A program that speaks GTP.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// What people call it.
    pub name: String,
    /// How it is started.
    pub command: CommandLine,
}

/// Where a server listens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ListenAddress {
    /// The address.
    pub address: IpAddr,
    /// The port.
    pub port: Port,
}

/// A port, or where to look for one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Port {
    /// This one; 0 is any that is free.
    Exactly(u16),
    /// The first free one from here on.
    From(u16),
}

impl Port {
    /// The one that is tried first.
    pub(crate) const fn first(self) -> u16 {
        match self {
            Self::Exactly(port) | Self::From(port) => port,
        }
    }
}

/// How much is too much. What a game, a file or a text may have is up to [`tengen_app::Limits`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// Connections at a time.
    pub connections: usize,
    /// For the head of a request, and again for its body.
    pub patience: Duration,
    /// For a game to be saved, before those who wait for it are told that it cannot be.
    pub saving: Duration,
    /// For somebody to take what is sent.
    pub reading: Duration,
    /// Bytes of a head.
    pub head: usize,
    /// Bytes of a body or message.
    pub body: usize,
    /// Requests on one connection.
    pub requests: Rate,
    /// Messages on one WebSocket.
    pub messages: Rate,
    /// Calls of one viewer that are not answered yet.
    pub calls: usize,
    /// Bytes that wait to be sent to one viewer.
    pub outbox: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            connections: 512,
            patience: Duration::from_secs(15),
            saving: Duration::from_secs(1),
            reading: Duration::from_secs(30),
            head: 16 << 10,
            body: 12 << 20,
            requests: Rate {
                burst: 200.0,
                per_second: 60.0,
            },
            messages: Rate {
                burst: 200.0,
                per_second: 100.0,
            },
            calls: 32,
            outbox: 8 << 20,
        }
    }
}

impl Default for ServerSettings {
    fn default() -> Self {
        Self {
            data: None,
            page: PageSource::Embedded,
            judge: Judge::default(),
            threads: std::thread::available_parallelism().map_or(1, usize::from),
            memory: 1 << 30,
            seed: 0,
            programs: Vec::new(),
            runs: Vec::new(),
            proofs: Vec::new(),
            networks: None,
            hosts: Vec::new(),
            token: None,
            spectators: None,
            limits: Limits::default(),
            files: Arc::new(Disk),
            time: Arc::new(SystemClock::default()),
            log: Log::stderr(),
        }
    }
}
