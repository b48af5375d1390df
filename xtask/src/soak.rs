//! `cargo xtask soak`: server, GTP and analysis under random clients, kills, full disks and clocks that jump.

mod dice;
mod disk;
mod figures;
mod guests;
mod host;
mod http;
mod ledger;
mod player;
mod process;
mod talkers;

use std::collections::BTreeSet;
use std::fs;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::{Mutex, MutexGuard, PoisonError, RwLock};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use serde_json::Value;

use crate::cargo;
use crate::console;
use crate::report::{Missing, Outcome, Report};
use crate::tally::Tally;
use crate::tengen;
use disk::Disk;
use figures::Figures;
use host::{Host, Programs};
use ledger::{Entry, Ledger};
use player::Player;

/// How many people play.
const PLAYERS: usize = 6;

/// How many look on.
const VIEWERS: usize = 2;

/// How long CI takes for it, start and end not included.
const SHORT: Duration = Duration::from_secs(45);

#[derive(clap::Args)]
pub(crate) struct Args {
    /// How long
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    minutes: u32,
    /// What decides all that is random, as far as processes allow
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let mut report = Report::new(Missing::Fails);
    let time = Duration::from_secs(60 * u64::from(args.minutes));
    report.step("soak", || soak(time, args.seed));
    report.finish()
}

/// The short one of `cargo xtask test`.
pub(crate) fn run_short() -> Result<Outcome> {
    soak(SHORT, 1)
}

/// What all actors share.
struct World {
    seed: u64,
    end: Instant,
    programs: Programs,
    disk: Disk,
    /// What programs say on standard error.
    log: PathBuf,
    figures: Figures,
    ledger: Mutex<Ledger>,
    deleted: Mutex<BTreeSet<String>>,
    /// Where the server is, if there is one. Who talks to it and enters the answer in the ledger holds this meanwhile,
    /// so that nobody compares the two in between.
    server: RwLock<Option<SocketAddr>>,
}

impl World {
    fn is_over(&self) -> bool {
        Instant::now() >= self.end
    }

    fn ledger(&self) -> MutexGuard<'_, Ledger> {
        self.ledger.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Does something with the server, and lets nobody compare meanwhile; nothing if there is none.
    fn with_server<T>(&self, act: impl FnOnce(SocketAddr) -> T) -> Option<T> {
        let server = self.server.read().unwrap_or_else(PoisonError::into_inner);
        server.map(act)
    }

    /// Where the server is, for those who promise nothing.
    fn address(&self) -> Option<SocketAddr> {
        *self.server.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lets others talk to a server.
    fn open(&self, address: SocketAddr) {
        *self.server.write().unwrap_or_else(PoisonError::into_inner) = Some(address);
    }

    /// Returns when all who talked to the server know that it is gone.
    fn close(&self) {
        *self.server.write().unwrap_or_else(PoisonError::into_inner) = None;
    }

    /// Compares a game with what was promised.
    fn compare(&self, game: &str, entry: &mut Entry, sheet: Option<&Value>) {
        let before = entry.moves.len();
        let result = entry.compare(sheet);
        let mut counts = self.figures.counts();
        counts.comparisons += 1;
        counts.moves_acknowledged += entry.moves.len().saturating_sub(before) as u64;
        if let Err(loss) = result {
            counts.moves_lost += loss.moves;
            drop(counts);
            self.figures
                .problem(format_args!("game {game}: {}", loss.what));
        }
    }

    /// A game must not come back.
    fn deleted(&self, game: &str) {
        let mut deleted = self.deleted.lock().unwrap_or_else(PoisonError::into_inner);
        deleted.insert(game.to_owned());
    }

    fn is_deleted(&self, game: &str) -> bool {
        let deleted = self.deleted.lock().unwrap_or_else(PoisonError::into_inner);
        deleted.contains(game)
    }
}

fn soak(time: Duration, seed: u64) -> Result<Outcome> {
    if !cfg!(unix) {
        return Ok(Outcome::Missing(
            "processes are stopped as Unix does".to_owned(),
        ));
    }
    let folder = cargo::root()?.join("target/soak");
    _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).with_context(|| format!("cannot create {}", folder.display()))?;
    let [tengen, driven] = tengen::build_with_example("driven")?;
    // Copies, so that whoever builds meanwhile does not change what is started.
    let copied = |from: &Path, name: &str| -> Result<PathBuf> {
        let to = folder.join(name);
        fs::copy(from, &to).with_context(|| format!("cannot copy {}", from.display()))?;
        Ok(to)
    };
    let programs = Programs {
        tengen: copied(&tengen, "tengen")?,
        driven: copied(&driven, "driven")?,
    };
    let begin = Instant::now();
    let world = World {
        seed,
        end: begin + time,
        programs,
        disk: Disk::new(&folder.join("disk"))?,
        log: folder.join("log"),
        figures: Figures::default(),
        ledger: Mutex::default(),
        deleted: Mutex::default(),
        server: RwLock::new(None),
    };
    console::say(&format!("    full is {}", world.disk.kind()));
    act(&world);
    let said = fs::read_to_string(&world.log).unwrap_or_default();
    for line in said.lines().filter(|line| line.contains("panicked")) {
        world.figures.problem(line);
    }
    let mut counts = world.figures.counts().clone();
    (counts.seconds, counts.seed) = (begin.elapsed().as_secs_f64(), seed);
    console::write(format!("{counts}").as_bytes())?;
    let file = folder.join("figures.json");
    fs::write(&file, serde_json::to_vec_pretty(&counts)?)
        .with_context(|| format!("cannot write {}", file.display()))?;
    let remark = format!(
        "{} of {} moves lost, {} problems: see target/soak",
        counts.moves_lost, counts.moves_acknowledged, counts.problems_in_all
    );
    // Who could not do a thing has not shown that nothing is lost.
    let is_sound = counts.moves_lost == 0 && counts.problems_in_all == 0;
    Ok(match is_sound && counts.moves_acknowledged > 0 {
        true => Outcome::Passed(Tally::ONE_PASSED),
        false => Outcome::Failed(Tally::ONE_FAILED, remark),
    })
}

/// Lets everybody act until the time is over.
fn act(world: &World) {
    let figures = &world.figures;
    let note = |who: &str, result: Result<()>| {
        if let Err(error) = result {
            figures.problem(format_args!("{who}: {error:#}"));
        }
    };
    let note = &note;
    thread::scope(|scope| {
        for number in 0..PLAYERS {
            scope.spawn(move || Player::new(world, number).run());
        }
        for number in 0..VIEWERS {
            scope.spawn(move || guests::watch(world, number));
        }
        scope.spawn(|| guests::harm(world));
        scope.spawn(move || note("GTP", talkers::talk_gtp(world)));
        scope.spawn(move || note("analysis", talkers::talk_analysis(world)));
        note("the server", Host::new(world).run());
        // Whatever went wrong, nobody waits for a server that does not come.
        world.close();
    });
}
