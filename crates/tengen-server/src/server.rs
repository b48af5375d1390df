//! The server as a whole.

use std::collections::BTreeMap;
use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{Method, Response, StatusCode};
use axum::middleware::from_fn_with_state;
use axum::routing::{get, post, put};
use serde_json::{Value, json};
use tengen_app::{Guest, Host, HostMethod, HostReply, Refusal, Room, Viewer};
use tokio::net::TcpListener;
use tokio::sync::{Semaphore, watch};
use tokio::task::spawn_blocking;

use crate::bodies::Bodies;
use crate::desk::{Body as AnswerBody, Caller, Desk};
use crate::downloads::{Easel, download};
use crate::engines::Engines;
use crate::guard::{Guard, guard};
use crate::hosts::{Hosts, Reach};
use crate::interrupt::interrupted;
use crate::keeper::Keeper;
use crate::log::Log;
use crate::networks::{self, Networks, Surroundings, network_of};
use crate::page::Page;
use crate::programs::Programs;
use crate::refusal::refuse;
use crate::runs::Runs;
use crate::scheduler::Scheduler;
use crate::settings::{Limits, ListenAddress, ServerSettings};
use crate::store::{Store, StoreError};
use crate::token::{Token, TokenError};
use crate::{calls, listener, live};

/// How often the room is told what time it is.
const TICK: Duration = Duration::from_millis(100);

/// How many ticks pass between two looks at programs that nobody needs.
const TIDY: u32 = 100;

/// The part of the memory that is for what people send: one of so many.
const SHARE_OF_BODIES: usize = 4;

/// A server with its games restored and its engines running, whether anybody can connect to it or not.
#[derive(Debug)]
pub struct Server {
    app: Arc<App>,
    router: Router,
    token: Option<Token>,
    spectators: Option<Token>,
    scheduler: Arc<Scheduler>,
    clock: Option<(Arc<AtomicBool>, JoinHandle<()>)>,
    end: watch::Sender<bool>,
}

/// What all requests share.
#[derive(Debug)]
pub(crate) struct App {
    pub(crate) desk: Arc<Desk>,
    pub(crate) limits: Limits,
    pub(crate) log: Log,
    pub(crate) bodies: Bodies,
    pub(crate) easel: Easel,
    /// Files that are read at a time: each keeps a thread busy, and others want one, too.
    uploads: Semaphore,
    /// Becomes true when the server ends.
    pub(crate) ending: watch::Receiver<bool>,
    runs: Runs,
    pub(crate) networks: Option<Arc<Networks>>,
    page: Page,
}

/// Why a server was not started.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// Nobody can listen at this address.
    #[error("cannot listen at {0}: {1}")]
    Listen(SocketAddr, io::Error),
    /// The folder for games cannot be used.
    #[error("{0}")]
    Store(StoreError),
    /// There is no token.
    #[error("{0}")]
    Token(TokenError),
    /// The system has no threads to give.
    #[error("a thread could not be started: {0}")]
    Thread(io::Error),
}

// What they say has the reason in it already.
/// Serves at an address until the program is interrupted. Once somebody can connect, `ready` is told the address, and
/// the one for those who may only look on.
pub fn run(
    settings: &ServerSettings,
    wanted: ListenAddress,
    ready: impl FnOnce(&str, Option<&str>),
) -> Result<(), StartError> {
    let mut builder = tokio::runtime::Builder::new_multi_thread();
    // Threads that wait for files and for the room; those that think are others.
    builder
        .worker_threads(2)
        .max_blocking_threads(32)
        .enable_all();
    let runtime = builder.build().map_err(StartError::Thread)?;
    runtime.block_on(async {
        let listener = bind(wanted).await?;
        let address = listener.local_addr().map_err(StartError::Thread)?;
        let server = Server::new(settings, address)?;
        ready(
            &server.url(address),
            server.spectators_url(address).as_deref(),
        );
        server.serve(listener, interrupted()).await;
        Ok(())
    })
}

/// Listens at an address, or at the next free port.
pub async fn bind(wanted: ListenAddress) -> Result<TcpListener, StartError> {
    let address = SocketAddr::new(wanted.address, wanted.port.first());
    listener::bind(wanted)
        .await
        .map_err(|error| StartError::Listen(address, error))
}

impl Server {
    /// A server that is reached at this address. One that others than this machine can reach has a token, whether the
    /// settings have one or not.
    pub fn new(settings: &ServerSettings, address: SocketAddr) -> Result<Self, StartError> {
        let log = settings.log.clone();
        let reach = match address.ip().is_loopback() {
            true => Reach::Loopback,
            false => Reach::Network,
        };
        let random = || Token::random().map_err(StartError::Token);
        let token = match (&settings.token, reach) {
            (Some(token), _) => Some(token.clone()),
            (None, Reach::Loopback) if settings.spectators.is_none() => None,
            (None, _) => Some(random()?),
        };
        let spectators = match (&settings.spectators, &token) {
            (Some(spectators), _) => Some(spectators.clone()),
            (None, Some(_)) => Some(random()?),
            (None, None) => None,
        };
        let mut room_settings = room_settings(settings);
        // Without a token everybody who reaches the server may do everything.
        room_settings
            .features
            .insert("invite".to_owned(), token.is_some());
        let mut room = Room::new(room_settings);
        for proof in &settings.proofs {
            room.store_proof(proof.clone());
        }
        let store = match &settings.data {
            Some(folder) => {
                let mut store =
                    Store::open(folder, settings.files.clone()).map_err(StartError::Store)?;
                store
                    .announce(&url(address, None))
                    .map_err(|error| StartError::Store(StoreError::Io(folder.clone(), error)))?;
                restore(&mut room, &store, settings.time.date(), &log)
                    .map_err(StartError::Store)?;
                Some(store)
            }
            None => None,
        };
        let keeper = Keeper::start(store, settings.limits.saving, log.clone())
            .map_err(StartError::Thread)?;
        let bodies = settings.memory / SHARE_OF_BODIES;
        let engines = Engines::new(
            settings.judge.clone(),
            settings.seed,
            settings.threads,
            settings.memory - bodies,
        );
        let programs = Programs::new(&settings.programs);
        let scheduler = Scheduler::new(engines, settings.threads, programs);
        let time = settings.time.clone();
        let desk = Desk::new(room, keeper, scheduler.clone(), time, log.clone());
        let desk = Arc::new(desk);
        desk.listen_to_keeper();
        scheduler.start(&desk).map_err(StartError::Thread)?;
        let networks = match (&settings.data, settings.networks) {
            (Some(data), Some(read)) => {
                let around = Surroundings {
                    files: settings.files.clone(),
                    read,
                    bodies,
                    memory: settings.memory,
                    usual: settings.judge.clone(),
                    desk: desk.clone(),
                    scheduler: scheduler.clone(),
                };
                let folder = data.join("networks");
                let networks = Networks::open(folder.clone(), around, &log);
                let networks =
                    networks.map_err(|error| StartError::Store(StoreError::Io(folder, error)))?;
                Some(Arc::new(networks))
            }
            _ => None,
        };
        let (end, ending) = watch::channel(false);
        let app = Arc::new(App {
            desk,
            limits: settings.limits,
            log: log.clone(),
            bodies: Bodies::new(bodies),
            easel: Easel::new(settings.threads),
            uploads: Semaphore::new(settings.threads.clamp(1, 8)),
            ending,
            runs: Runs::new(&settings.runs),
            networks,
            page: Page::new(&settings.page),
        });
        let guard = Guard {
            hosts: Hosts::new(reach, &settings.hosts),
            token: token.clone(),
            spectators: spectators.clone(),
            desk: app.desk.clone(),
            cookie: format!("tengen_{}", address.port()),
            log,
        };
        let clock = start_clock(&app, &scheduler).map_err(StartError::Thread)?;
        Ok(Self {
            router: router(app.clone(), Arc::new(guard)),
            app,
            token,
            spectators,
            scheduler,
            clock: Some(clock),
            end,
        })
    }

    /// What answers requests.
    pub fn router(&self) -> Router {
        self.router.clone()
    }

    /// The address for a browser, with the token if there is one.
    pub fn url(&self, address: SocketAddr) -> String {
        url(address, self.token.as_ref())
    }

    /// The address for those who may look on and change nothing, if there is such a thing.
    pub fn spectators_url(&self, address: SocketAddr) -> Option<String> {
        let token = self.spectators.as_ref()?;
        Some(url(address, Some(token)))
    }

    /// The most work that anybody has done so far while others waited for the room, in nodes of records.
    pub fn longest_wait(&self) -> u64 {
        self.app.desk.longest_wait()
    }

    /// Serves all who connect until this future is done, and ends when everything is saved.
    pub async fn serve(self, listener: TcpListener, until: impl Future<Output = ()>) {
        let ending = self.app.ending.clone();
        let limits = self.app.limits;
        let log = self.app.log.clone();
        let bounds = (&limits, &self.app.bodies);
        let serving = listener::serve(listener, self.router.clone(), bounds, &log, ending);
        let end = async {
            until.await;
            self.end.send_replace(true);
        };
        tokio::join!(serving, end);
        // Threads are waited for, which is nothing for a thread that serves.
        _ = spawn_blocking(move || drop(self)).await;
    }

    fn close(&mut self) {
        self.end.send_replace(true);
        if let Some((ended, clock)) = self.clock.take() {
            ended.store(true, Ordering::Relaxed);
            // A thread that panicked has said so.
            _ = clock.join();
        }
        self.scheduler.close();
        self.app.desk.close();
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.close();
    }
}

impl App {
    /// Hands a call on to whoever can answer it.
    pub(crate) async fn call(
        self: &Arc<Self>,
        (viewer, guest): (Viewer, Guest),
        method: String,
        params: Value,
        caller: Caller,
    ) {
        let is_upload = matches!(method.as_str(), "games.open" | "runs.open");
        let _place = match is_upload {
            true => self.uploads.acquire().await.ok(),
            false => None,
        };
        let app = self.clone();
        let call = move || match HostMethod::named(&method) {
            Some(own) => match guest.rights.check(&method) {
                Ok(()) => {
                    let host = app.host_of(&method);
                    app.call_own(viewer, own.call(host, params), caller);
                }
                Err(refusal) => caller.answer(Err(refusal)),
            },
            None => app.desk.call(viewer, &method, params, caller),
        };
        // It fails only if the server ends.
        _ = spawn_blocking(call).await;
    }

    /// Who answers a method that is the server's own.
    fn host_of(&self, method: &str) -> &dyn Host {
        match &self.networks {
            Some(networks) if method.starts_with("networks.") => &**networks,
            _ => &self.runs,
        }
    }

    /// Answers a method that is the server's own. It reads files, which takes its time, and so the room is not locked.
    fn call_own(&self, viewer: Viewer, reply: Result<HostReply, Refusal>, caller: Caller) {
        match reply {
            Ok(HostReply::Now(result)) => caller.answer(Ok(AnswerBody::Value(result))),
            Ok(HostReply::Open(file)) => {
                self.desk.call(viewer, "games.open", json!(file), caller);
            }
            Err(refusal) => caller.answer(Err(refusal)),
        }
    }

    /// A viewer is gone.
    pub(crate) async fn leave(self: &Arc<Self>, viewer: Viewer) {
        let app = self.clone();
        // It fails only if the server ends.
        _ = spawn_blocking(move || app.desk.leave(viewer)).await;
    }
}

fn router(app: Arc<App>, gate: Arc<Guard>) -> Router {
    Router::new()
        .route("/api/live", get(live::live))
        .route("/api/openapi.json", get(calls::openapi))
        .route("/api/{method}", post(calls::call))
        .route("/games/{file}", get(download))
        .route("/networks/{name}", put(networks::bring))
        .fallback(page)
        .with_state(app)
        .layer(from_fn_with_state(gate, guard))
}

async fn page(State(app): State<Arc<App>>, request: Request) -> Response<Body> {
    match *request.method() {
        Method::GET | Method::HEAD => app.page.get(request.uri().path(), request.headers()).await,
        _ => refuse(
            StatusCode::METHOD_NOT_ALLOWED,
            "method",
            "files are read with GET",
        ),
    }
}

/// The address of a server for a browser on this machine, or on others if it listens for them.
fn url(address: SocketAddr, token: Option<&Token>) -> String {
    let token = token.map_or(String::new(), |token| format!("?token={}", token.as_str()));
    match address.ip().is_unspecified() {
        true => format!("http://localhost:{}/{token}", address.port()),
        false => format!("http://{address}/{token}"),
    }
}

fn room_settings(settings: &ServerSettings) -> tengen_app::RoomSettings {
    let features = [
        ("export_gif", true),
        ("export_png", true),
        ("export_svg", true),
        ("programs", !settings.programs.is_empty()),
        ("runs", !settings.runs.is_empty()),
        (
            "networks",
            settings.networks.is_some() && settings.data.is_some(),
        ),
    ];
    let defaults = tengen_app::RoomSettings::default();
    let features: BTreeMap<String, bool> = features.map(|(name, is)| (name.to_owned(), is)).into();
    tengen_app::RoomSettings {
        network: network_of(&settings.judge),
        programs: settings
            .programs
            .iter()
            .map(|program| program.name.clone())
            .collect(),
        features: defaults.features.into_iter().chain(features).collect(),
        ..tengen_app::RoomSettings::default()
    }
}

/// Puts all games that were kept back into the room. What cannot be read is set aside.
fn restore(room: &mut Room, store: &Store, now: u64, log: &Log) -> Result<(), StoreError> {
    for (game, record) in store.games()? {
        let restored = record.map_err(|error| error.to_string()).and_then(|sgf| {
            room.restore(&game, &sgf, now)
                .map_err(|error| error.to_string())
        });
        if let Err(problem) = restored {
            let place = store.set_aside(&game)?;
            let place = place.display();
            log.say(format_args!(
                "game {game} cannot be read ({problem}) and was moved to {place}"
            ));
        }
    }
    Ok(())
}

/// Starts the thread that tells the time.
fn start_clock(
    app: &Arc<App>,
    scheduler: &Arc<Scheduler>,
) -> io::Result<(Arc<AtomicBool>, JoinHandle<()>)> {
    let ended = Arc::new(AtomicBool::new(false));
    let (switch, app, scheduler) = (ended.clone(), app.clone(), scheduler.clone());
    let thread = thread::Builder::new()
        .name("clock".to_owned())
        .spawn(move || {
            let mut ticks = 0_u32;
            while !switch.load(Ordering::Relaxed) {
                thread::sleep(TICK);
                app.desk.tick();
                ticks = ticks.wrapping_add(1);
                if ticks.is_multiple_of(TIDY) {
                    scheduler.tidy();
                }
            }
        })?;
    Ok((ended, thread))
}
