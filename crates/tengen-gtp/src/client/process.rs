//! A child process together with what it starts.

use std::io;
use std::process::{Child, Command, ExitStatus};
use std::time::{Duration, Instant};

/// A child process. It leads a group of its own where the system knows groups, and ends with it when dropped.
#[derive(Debug)]
pub(super) struct Process(Child);

impl Process {
    /// Starts a command.
    pub(super) fn start(command: &mut Command) -> io::Result<Self> {
        #[cfg(unix)]
        {
            use std::os::unix::process::CommandExt;
            command.process_group(0);
        }
        command.spawn().map(Self)
    }

    /// Its pipes.
    pub(super) fn child(&mut self) -> &mut Child {
        &mut self.0
    }

    /// How it ended, if it does within this time.
    pub(super) fn wait(&mut self, timeout: Duration) -> Option<ExitStatus> {
        let started = Instant::now();
        let mut pause = Duration::from_millis(1);
        loop {
            if let Ok(Some(status)) = self.0.try_wait() {
                return Some(status);
            }
            if started.elapsed() >= timeout {
                return None;
            }
            std::thread::sleep(pause);
            pause = (pause * 2).min(Duration::from_millis(20));
        }
    }

    /// The seconds of CPU that it has used and those that its children have, as far as the system tells.
    pub(super) fn cpu_time(&self) -> Option<Duration> {
        cpu_time(self.0.id())
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        #[cfg(unix)]
        if let Ok(leader) = i32::try_from(self.0.id()) {
            use nix::sys::signal::{Signal, killpg};
            // A group whose members have all ended cannot be found any more, which is as well.
            _ = killpg(nix::unistd::Pid::from_raw(leader), Signal::SIGKILL);
        }
        _ = self.0.kill();
        _ = self.0.wait();
    }
}

#[cfg(not(target_os = "linux"))]
fn cpu_time(_leader: u32) -> Option<Duration> {
    None
}

/// The time of all processes of a group, those that have ended included as far as their parents waited for them.
#[cfg(target_os = "linux")]
fn cpu_time(leader: u32) -> Option<Duration> {
    let ticks_of = |stat: &str| -> Option<u64> {
        // The name, in parentheses, may have spaces and parentheses of its own.
        let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
        let group: u32 = fields.get(2)?.parse().ok()?;
        if group != leader {
            return None;
        }
        // User and system time, the process's own and that of children that were waited for.
        let times = fields.get(11..15)?.iter();
        times.map(|field| field.parse::<u64>().ok()).sum()
    };
    let mut ticks = None;
    for entry in std::fs::read_dir("/proc").ok()?.flatten() {
        let name = entry.file_name();
        let is_process = name
            .to_str()
            .is_some_and(|name| name.bytes().all(|byte| byte.is_ascii_digit()));
        if is_process
            && let Ok(stat) = std::fs::read_to_string(entry.path().join("stat"))
            && let Some(more) = ticks_of(&stat)
        {
            ticks = Some(ticks.unwrap_or(0) + more);
        }
    }
    let per_second = nix::unistd::sysconf(nix::unistd::SysconfVar::CLK_TCK).ok()??;
    Some(Duration::from_secs_f64(ticks? as f64 / per_second as f64))
}
