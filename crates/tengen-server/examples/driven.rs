//! A server whose calendar and disk obey standard input, for `cargo xtask soak`. It is no part of a release.
//!
//! Lines: `date N` sets the calendar on by N seconds, or back; `full` fills the disk; `space` frees it again.

use std::io::{BufRead, Write};
use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::thread;
use std::time::Duration;

use tengen_files::Faulty;
use tengen_server::{ListenAddress, Port, ServerSettings, StartError, SystemClock, Time, run};

/// The time of the system, with a calendar that somebody sets.
#[derive(Debug, Default)]
struct Moved {
    system: SystemClock,
    milliseconds: AtomicI64,
}

impl Time for Moved {
    fn elapsed(&self) -> Duration {
        self.system.elapsed()
    }

    fn date(&self) -> u64 {
        let moved = self.milliseconds.load(Ordering::Acquire);
        self.system.date().saturating_add_signed(moved)
    }
}

fn main() -> Result<(), StartError> {
    let Some(folder) = std::env::args_os().nth(1) else {
        eprintln!("error: name the folder for games");
        std::process::exit(2);
    };
    let time = Arc::new(Moved::default());
    let files = Faulty::sound();
    let settings = ServerSettings {
        data: Some(folder.into()),
        threads: 1,
        memory: 64 << 20,
        files: Arc::new(files.clone()),
        time: time.clone(),
        ..ServerSettings::default()
    };
    let place = ListenAddress {
        address: IpAddr::V4(Ipv4Addr::LOCALHOST),
        port: Port::Exactly(0),
    };
    thread::spawn(move || {
        for line in std::io::stdin().lock().lines().map_while(Result::ok) {
            match (line.trim(), line.strip_prefix("date ")) {
                ("full", _) => files.break_down(),
                ("space", _) => files.mend(),
                (_, Some(seconds)) => {
                    let seconds: i64 = seconds.trim().parse().unwrap_or_default();
                    time.milliseconds
                        .fetch_add(seconds.saturating_mul(1000), Ordering::AcqRel);
                }
                (other, None) => eprintln!("error: {other:?} is none of date, full and space"),
            }
        }
    });
    run(&settings, place, |url, _| {
        let mut out = std::io::stdout();
        // Without anybody who reads the address the server is still there.
        _ = writeln!(out, "Tengen runs at {url}").and_then(|()| out.flush());
    })
}
