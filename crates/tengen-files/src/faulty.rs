//! Files that fail when a test wants them to.

use std::io::{self, Write};
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::{Access, Disk, Files, Output};

/// The files of the system, for tests: calls are counted, and some fail as on a full disk. A write that fails has
/// written half of its bytes. Clones share their count.
#[derive(Clone, Debug, Default)]
pub struct Faulty {
    state: Arc<Mutex<State>>,
}

#[derive(Debug, Default)]
struct State {
    calls: u64,
    /// The numbers of the calls that fail, the last one not included.
    first: u64,
    end: u64,
}

#[derive(Debug)]
struct FaultyOutput {
    files: Faulty,
    output: Box<dyn Output>,
}

impl Faulty {
    /// No call fails until [`Faulty::break_down`].
    pub fn sound() -> Self {
        Self::default()
    }

    /// Only this call fails; the first is 1.
    pub fn failing_at(call: u64) -> Self {
        Self::failing(call, call + 1)
    }

    /// This call and all that follow fail.
    pub fn failing_from(call: u64) -> Self {
        Self::failing(call, u64::MAX)
    }

    fn failing(first: u64, end: u64) -> Self {
        let state = State {
            calls: 0,
            first,
            end,
        };
        Self {
            state: Arc::new(Mutex::new(state)),
        }
    }

    /// From now on all calls fail that change something.
    pub fn break_down(&self) {
        let mut state = self.state();
        (state.first, state.end) = (0, u64::MAX);
    }

    /// From now on no call fails.
    pub fn mend(&self) {
        let mut state = self.state();
        (state.first, state.end) = (0, 0);
    }

    /// How many calls there were that could have failed.
    pub fn calls(&self) -> u64 {
        self.state().calls
    }

    fn count(&self) -> io::Result<()> {
        let mut state = self.state();
        state.calls += 1;
        match (state.first..state.end).contains(&state.calls) {
            true => Err(io::Error::new(
                io::ErrorKind::StorageFull,
                "No space left on device (a test wants it so)",
            )),
            false => Ok(()),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn output(&self, output: Box<dyn Output>) -> Box<dyn Output> {
        Box::new(FaultyOutput {
            files: self.clone(),
            output,
        })
    }
}

impl Files for Faulty {
    fn create(&self, path: &Path, access: Access) -> io::Result<Box<dyn Output>> {
        self.count()?;
        Ok(self.output(Disk.create(path, access)?))
    }

    fn create_new(&self, path: &Path, access: Access) -> io::Result<Box<dyn Output>> {
        self.count()?;
        Ok(self.output(Disk.create_new(path, access)?))
    }

    fn append(&self, path: &Path) -> io::Result<Box<dyn Output>> {
        self.count()?;
        Ok(self.output(Disk.append(path)?))
    }

    /// Reading needs no space and does not fail.
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        Disk.read(path)
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.count()?;
        Disk.rename(from, to)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        self.count()?;
        Disk.remove(path)
    }

    fn create_folder(&self, path: &Path, access: Access) -> io::Result<()> {
        self.count()?;
        Disk.create_folder(path, access)
    }

    fn sync_folder(&self, path: &Path) -> io::Result<()> {
        self.count()?;
        Disk.sync_folder(path)
    }
}

impl Write for FaultyOutput {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if let Err(error) = self.files.count() {
            self.output.write_all(&bytes[..bytes.len() / 2])?;
            return Err(error);
        }
        self.output.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.output.flush()
    }
}

impl Output for FaultyOutput {
    fn sync(&mut self) -> io::Result<()> {
        self.files.count()?;
        self.output.sync()
    }

    fn cut(&mut self, length: u64) -> io::Result<()> {
        self.files.count()?;
        self.output.cut(length)
    }
}
