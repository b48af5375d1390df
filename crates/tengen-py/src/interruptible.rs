//! Long work that Ctrl-C can end.

use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use pyo3::prelude::*;

/// How often Python is asked whether somebody wants to interrupt.
pub(crate) const CHECK_SIGNALS_EVERY: Duration = Duration::from_millis(50);

/// What a signal that came in the meantime raises.
fn raised(py: Python<'_>) -> PyResult<()> {
    py.check_signals()
}

/// Does some work while other Python threads run. KeyboardInterrupt, and whatever else a signal raises, stops it.
pub(crate) fn interruptible<T: Send>(
    py: Python<'_>,
    stop: impl Fn() + Sync,
    work: impl FnOnce() -> T + Send,
) -> PyResult<T> {
    py.detach(|| {
        thread::scope(|scope| {
            // Nothing is ever sent: the end of the thread, however it ends, closes the channel.
            let (sender, receiver) = mpsc::channel::<()>();
            // Only the thread that Python calls from may handle signals, so that another one works.
            let worker = scope.spawn(move || {
                let done = work();
                drop(sender);
                done
            });
            let mut interruption = Ok(());
            while let Err(RecvTimeoutError::Timeout) = receiver.recv_timeout(CHECK_SIGNALS_EVERY) {
                if interruption.is_ok() {
                    interruption = Python::attach(raised);
                    if interruption.is_err() {
                        stop();
                    }
                }
            }
            let done = match worker.join() {
                Ok(done) => done,
                Err(cause) => std::panic::resume_unwind(cause),
            };
            interruption.map(|()| done)
        })
    })
}
