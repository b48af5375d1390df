//! Networks that people bring, in a folder beside the games.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use std::{fs, io};

use axum::Extension;
use axum::body::{Body, HttpBody as _};
use axum::extract::{Path, Request, State};
use axum::http::{Response, StatusCode};
use serde_json::json;
use tengen_app::{
    ChooseNetwork, Code, Host, NetworkList, NetworkMessage, NoParams, OfNetwork, Refusal, Rights,
};
use tengen_files::{Access, FileError, Files};
use tengen_search::Judge;
use tokio::task::spawn_blocking;

use crate::calls::{receive, status};
use crate::desk::Desk;
use crate::log::Log;
use crate::refusal::{json_response, not_found};
use crate::scheduler::Scheduler;
use crate::server::App;

/// Reads the file of a network with at most so many weights; the error says in one line what is wrong with it.
pub type ReadNetwork = fn(&[u8], usize) -> Result<Judge, String>;

/// How large a file may be; less if there is less memory for what people send.
const MOST_BYTES: usize = 400_000_000;

/// How many are kept.
const MOST: usize = 16;

/// How large all files together may be.
const MOST_BYTES_IN_ALL: u64 = 2_000_000_000;

/// So many bytes of memory a weight may need: a network takes no more than all searches together.
const BYTES_OF_A_WEIGHT: usize = 12;

/// How long a file may take to arrive.
const SLOWEST_ARRIVAL: Duration = Duration::from_secs(900);

/// What files of networks are called.
const KINDS: [&str; 4] = [".gz", ".bin", ".txt", ".safetensors"];

/// The file with the name of the network that was chosen last.
const CHOSEN: &str = "chosen";

/// The networks in a folder, and the one that engines judge by.
#[derive(Debug)]
pub(crate) struct Networks {
    folder: PathBuf,
    files: Arc<dyn Files>,
    read: ReadNetwork,
    most_bytes: usize,
    most_weights: usize,
    /// Who judges if nothing was chosen.
    usual: Judge,
    desk: Arc<Desk>,
    scheduler: Arc<Scheduler>,
    state: Mutex<Known>,
}

#[derive(Debug, Default)]
struct Known {
    chosen: Option<String>,
    /// What those say of themselves that were read.
    about: HashMap<String, String>,
}

/// What networks need of a server.
pub(crate) struct Surroundings {
    pub(crate) files: Arc<dyn Files>,
    pub(crate) read: ReadNetwork,
    /// Memory for what people send.
    pub(crate) bodies: usize,
    /// Memory for all searches.
    pub(crate) memory: usize,
    pub(crate) usual: Judge,
    pub(crate) desk: Arc<Desk>,
    pub(crate) scheduler: Arc<Scheduler>,
}

impl Networks {
    /// Opens the folder, which is made if there is none, and lets engines judge by the network that was chosen last.
    pub(crate) fn open(folder: PathBuf, around: Surroundings, log: &Log) -> io::Result<Self> {
        let Surroundings {
            files,
            read,
            bodies,
            memory,
            usual,
            desk,
            scheduler,
        } = around;
        files.make_folder(&folder, Access::Private)?;
        let networks = Self {
            folder,
            files,
            read,
            most_bytes: bodies.min(MOST_BYTES),
            most_weights: memory / BYTES_OF_A_WEIGHT,
            usual,
            desk,
            scheduler,
            state: Mutex::default(),
        };
        let chosen = networks.files.read(&networks.folder.join(CHOSEN));
        let chosen = chosen.map(|name| String::from_utf8_lossy(&name).into_owned());
        if let Ok(name) = chosen
            && let Err(refusal) = networks.choose(&mut networks.state(), &name)
        {
            log.say(format_args!("the network {name} cannot be used: {refusal}"));
        }
        Ok(networks)
    }

    /// Keeps the file of a network, and lets engines judge by it.
    pub(crate) fn add(&self, name: &str, bytes: &[u8]) -> Result<NetworkList, Refusal> {
        let path = self.path(name)?;
        let judge = self.judge(bytes)?;
        let mut state = self.state();
        self.check_room(name, bytes.len() as u64)?;
        self.files
            .replace(&path, bytes, Access::Private)
            .map_err(|error| not_kept(&error))?;
        self.trust(&mut state, name, judge)?;
        self.list(&state)
    }

    /// Is there room for a file of so many bytes? One with the same name makes room for it.
    fn check_room(&self, name: &str, bytes: u64) -> Result<(), Refusal> {
        let mut others = self.kept()?;
        others.retain(|(other, _)| other != name);
        if others.len() >= MOST {
            let refusal = Refusal::new(Code::Limit, format!("at most {MOST} networks are kept"));
            return Err(refusal.with(json!({ "what": "networks", "limit": MOST })));
        }
        let all: u64 = others.iter().map(|(_, bytes)| bytes).sum();
        if all.saturating_add(bytes) > MOST_BYTES_IN_ALL {
            let problem = format!("all networks have at most {MOST_BYTES_IN_ALL} bytes together");
            let limit = json!({ "what": "bytes_of_networks", "limit": MOST_BYTES_IN_ALL });
            return Err(Refusal::new(Code::Limit, problem).with(limit));
        }
        Ok(())
    }

    fn choose(&self, state: &mut Known, name: &str) -> Result<(), Refusal> {
        let bytes = self.files.read(&self.path(name)?).map_err(|error| {
            Refusal::new(
                Code::InvalidParams,
                format!("{name:?} cannot be read: {error}"),
            )
        })?;
        let judge = self.judge(&bytes)?;
        self.trust(state, name, judge)
    }

    fn judge(&self, bytes: &[u8]) -> Result<Judge, Refusal> {
        let judge = (self.read)(bytes, self.most_weights);
        judge.map_err(|problem| Refusal::new(Code::Unreadable, problem))
    }

    /// Lets engines judge by a network from now on, and after the next start.
    fn trust(&self, state: &mut Known, name: &str, judge: Judge) -> Result<(), Refusal> {
        self.files
            .replace(&self.folder.join(CHOSEN), name.as_bytes(), Access::Private)
            .map_err(|error| not_kept(&error))?;
        state.chosen = Some(name.to_owned());
        state.about.insert(name.to_owned(), judge.name().to_owned());
        self.hand_over(judge);
        Ok(())
    }

    /// Goes back to whom engines trusted before anybody chose.
    fn trust_usual(&self, state: &mut Known) -> Result<(), Refusal> {
        self.files
            .delete(&self.folder.join(CHOSEN))
            .map_err(|error| not_kept(&error))?;
        state.chosen = None;
        self.hand_over(self.usual.clone());
        Ok(())
    }

    fn hand_over(&self, judge: Judge) {
        self.desk.set_network(network_of(&judge));
        self.scheduler.trust(judge);
    }

    /// Where a network is. A name has nothing that leads elsewhere, or that a system forbids.
    fn path(&self, name: &str) -> Result<PathBuf, Refusal> {
        let fits = |letter: char| !letter.is_control() && !r#"\/:*?"<>|"#.contains(letter);
        let is_kind = KINDS.iter().any(|kind| name.ends_with(kind));
        let is_name = name.len() <= 100 && !name.starts_with('.') && name.chars().all(fits);
        match is_kind && is_name {
            true => Ok(self.folder.join(name)),
            false => Err(Refusal::new(
                Code::InvalidParams,
                format!("{name:?} is no name of a network: it ends with .bin.gz or .safetensors"),
            )),
        }
    }

    /// The names of all networks, and the bytes of their files.
    fn kept(&self) -> Result<Vec<(String, u64)>, Refusal> {
        let kept = || -> io::Result<Vec<(String, u64)>> {
            let mut kept = Vec::new();
            for entry in fs::read_dir(&self.folder)? {
                let entry = entry?;
                // What is deleted in this moment is not kept any more.
                if let Ok(name) = entry.file_name().into_string()
                    && self.path(&name).is_ok()
                    && let Ok(metadata) = entry.metadata()
                {
                    kept.push((name, metadata.len()));
                }
            }
            kept.sort();
            Ok(kept)
        };
        kept().map_err(|error| Refusal::new(Code::Unsupported, error.to_string()))
    }

    fn list(&self, state: &Known) -> Result<NetworkList, Refusal> {
        let message = |(name, bytes): (String, u64)| NetworkMessage {
            about: state.about.get(&name).cloned().unwrap_or_default(),
            bytes,
            chosen: state.chosen.as_ref() == Some(&name),
            name,
        };
        Ok(NetworkList {
            networks: self.kept()?.into_iter().map(message).collect(),
            most_bytes: self.most_bytes as u64,
        })
    }

    fn state(&self) -> MutexGuard<'_, Known> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Host for Networks {
    fn list_networks(&self, _: NoParams) -> Result<NetworkList, Refusal> {
        self.list(&self.state())
    }

    fn choose_network(
        &self,
        ChooseNetwork { name }: ChooseNetwork,
    ) -> Result<NetworkList, Refusal> {
        let mut state = self.state();
        match name {
            Some(name) => self.choose(&mut state, &name)?,
            None => self.trust_usual(&mut state)?,
        }
        self.list(&state)
    }

    fn delete_network(&self, OfNetwork { name }: OfNetwork) -> Result<NetworkList, Refusal> {
        let path = self.path(&name)?;
        let mut state = self.state();
        if state.chosen.as_ref() == Some(&name) {
            self.trust_usual(&mut state)?;
        }
        self.files.delete(&path).map_err(|error| not_kept(&error))?;
        state.about.remove(&name);
        self.list(&state)
    }
}

/// What a judge's network is called, if it has one.
pub(crate) fn network_of(judge: &Judge) -> Option<String> {
    let name = judge.name();
    (name != Judge::default().name()).then(|| name.to_owned())
}

fn not_kept(error: &FileError) -> Refusal {
    Refusal::new(Code::NotSaved, error.to_string())
}

/// `PUT /networks/NAME`: the file of a network as the body.
pub(crate) async fn bring(
    State(app): State<Arc<App>>,
    Path(name): Path<String>,
    rights: Option<Extension<Rights>>,
    request: Request,
) -> Response<Body> {
    let Some(networks) = app.networks.clone() else {
        return not_found();
    };
    let refused = |refusal: Refusal| json_response(status(refusal.code), &json!(refusal));
    let Extension(rights) = rights.unwrap_or_default();
    if let Err(refusal) = rights.check("networks.choose") {
        return refused(refusal);
    }
    // What cannot be kept is refused before anything is sent.
    let promised = request.body().size_hint().lower();
    let possible = networks
        .path(&name)
        .and_then(|_| networks.check_room(&name, promised));
    if let Err(refusal) = possible {
        return refused(refusal);
    }
    let (bytes, _reserved) =
        match receive(&app, request, networks.most_bytes, SLOWEST_ARRIVAL).await {
            Ok(received) => received,
            Err(response) => return response,
        };
    match spawn_blocking(move || networks.add(&name, &bytes)).await {
        Ok(Ok(list)) => json_response(StatusCode::OK, &json!(list)),
        Ok(Err(refusal)) => refused(refusal),
        Err(_) => refused(Refusal::new(
            Code::EngineFailed,
            "a mistake of the program; see its log",
        )),
    }
}
