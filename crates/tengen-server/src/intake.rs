//! The memory of messages that are still on their way.

use std::io;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use crate::bodies::{Bodies, Reserved};

/// The head of a frame as short as those between the frames of a message, and what masks it.
const HEAD: usize = 2 + 4;

/// What has come over a connection of a message that is not there as a whole. It is counted while a conversation is
/// held; what comes before is up to whoever answers requests.
pub(crate) struct Intake {
    bodies: Bodies,
    patience: Duration,
    part: Mutex<Option<Part>>,
}

/// What is there of a message.
#[derive(Default)]
struct Part {
    bytes: usize,
    reserved: Reserved,
    /// More memory is waited for; what was reserved is in it.
    growth: Option<Growth>,
    refused: bool,
}

type Growth = Pin<Box<dyn Future<Output = Option<Reserved>> + Send>>;

impl Intake {
    /// Memory for messages is waited for so long.
    pub(crate) fn new(bodies: Bodies, patience: Duration) -> Arc<Self> {
        Arc::new(Self {
            bodies,
            patience,
            part: Mutex::default(),
        })
    }

    /// A conversation begins.
    pub(crate) fn begin(&self) {
        *self.part() = Some(Part::default());
    }

    /// Ready when there is memory for what has come. Nothing more is read before; it fails when that takes too long.
    pub(crate) fn poll_memory(&self, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let mut part = self.part();
        let Some(part) = &mut *part else {
            return Poll::Ready(Ok(()));
        };
        if part.growth.is_none() && !part.refused {
            if part.reserved.holds(part.bytes) {
                return Poll::Ready(Ok(()));
            }
            let (bodies, patience) = (self.bodies.clone(), self.patience);
            let (reserved, bytes) = (std::mem::take(&mut part.reserved), part.bytes);
            let growth = async move { bodies.wait(reserved, bytes, patience).await.ok() };
            part.growth = Some(Box::pin(growth));
        }
        let grown = match &mut part.growth {
            Some(growth) => std::task::ready!(growth.as_mut().poll(context)),
            None => None,
        };
        part.growth = None;
        match grown {
            Some(reserved) => {
                part.reserved = reserved;
                Poll::Ready(Ok(()))
            }
            None => {
                part.refused = true;
                Poll::Ready(Err(io::ErrorKind::OutOfMemory.into()))
            }
        }
    }

    /// So many bytes have come.
    pub(crate) fn note(&self, bytes: usize) {
        if let Some(part) = &mut *self.part() {
            part.bytes += bytes;
        }
    }

    /// A frame of so many bytes that belongs to no message has come, and is no more.
    pub(crate) fn forget(&self, bytes: usize) {
        if let Some(part) = &mut *self.part() {
            part.bytes = part.bytes.saturating_sub(HEAD + bytes);
        }
    }

    /// A message is there as a whole: what was reserved for it.
    pub(crate) fn take(&self) -> Reserved {
        let part = self.part().as_mut().map(std::mem::take);
        part.unwrap_or_default().reserved
    }

    /// Was there no memory for a message?
    pub(crate) fn was_refused(&self) -> bool {
        self.part().as_ref().is_some_and(|part| part.refused)
    }

    fn part(&self) -> MutexGuard<'_, Option<Part>> {
        self.part.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::future::poll_fn;

    use super::*;

    async fn memory(intake: &Intake) -> bool {
        poll_fn(|context| intake.poll_memory(context)).await.is_ok()
    }

    #[tokio::test]
    async fn what_comes_of_a_message_is_counted_until_it_is_whole() {
        let bodies = Bodies::new(1 << 20);
        let intake = |patience| Intake::new(bodies.clone(), patience);
        let [one, other] = [Duration::from_secs(60), Duration::ZERO].map(intake);
        one.note(5 << 20);
        assert!(
            memory(&one).await,
            "nothing is counted before a conversation"
        );
        one.begin();
        other.begin();
        for _ in 0..7 {
            one.note(100 << 10);
            assert!(memory(&one).await);
        }
        // Little ones always get through, and frames between those of a message are none of it.
        other.note(16 << 10);
        assert!(memory(&other).await);
        other.note(HEAD + 100);
        other.forget(100);
        assert!(memory(&other).await);
        let message = one.take();
        other.note(400 << 10);
        assert!(!memory(&other).await);
        assert!(other.was_refused() && !one.was_refused());
        drop(message);
        assert!(!memory(&other).await, "what was refused stays so");
        one.note(1 << 20);
        assert!(memory(&one).await, "what was given back can be had");
    }

    #[tokio::test]
    async fn who_waits_gets_memory_that_is_given_back() {
        let bodies = Bodies::new(1 << 20);
        let [one, other] = [(); 2].map(|()| Intake::new(bodies.clone(), Duration::from_secs(60)));
        one.begin();
        other.begin();
        one.note(800 << 10);
        assert!(memory(&one).await);
        other.note(800 << 10);
        let give_back = async {
            tokio::task::yield_now().await;
            drop(one.take());
        };
        let (has_memory, ()) = tokio::join!(memory(&other), give_back);
        assert!(has_memory);
    }
}
