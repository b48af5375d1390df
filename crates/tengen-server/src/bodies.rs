//! The memory of what people send.

use std::sync::Arc;
use std::time::Duration;

use serde_json::json;
use tengen_app::{Code, Refusal};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

/// Smaller ones are not counted: all connections together cannot send much of them at a time.
pub(crate) const SMALL: usize = 16 << 10;

/// What a value of JSON takes besides its text.
const VALUE: usize = 64;

/// What may be taken at a time by bodies and messages that are being received, read and worked on.
#[derive(Clone, Debug)]
pub(crate) struct Bodies {
    kilobytes: Arc<Semaphore>,
    most: usize,
}

/// Memory for one of them, until this goes.
#[derive(Debug, Default)]
pub(crate) struct Reserved {
    bytes: usize,
    permit: Option<OwnedSemaphorePermit>,
}

impl Bodies {
    /// So many bytes for all together.
    pub(crate) fn new(most: usize) -> Self {
        let kilobytes = (most >> 10).min(Semaphore::MAX_PERMITS);
        Self {
            kilobytes: Arc::new(Semaphore::new(kilobytes)),
            most,
        }
    }

    /// Makes something reserved larger, if there is memory for it now.
    pub(crate) fn grow(&self, reserved: &mut Reserved, bytes: usize) -> Result<(), Refusal> {
        let Some(more) = reserved.missing(bytes) else {
            return Ok(());
        };
        let permit = self.kilobytes.clone().try_acquire_many_owned(more);
        let permit = permit.map_err(|_| self.refusal())?;
        reserved.take(permit, bytes);
        Ok(())
    }

    /// Waits until there is memory to make something reserved larger, but not for ever: others that wait as well may
    /// have the rest. What was reserved is given back if there is none.
    pub(crate) async fn wait(
        &self,
        mut reserved: Reserved,
        bytes: usize,
        patience: Duration,
    ) -> Result<Reserved, Refusal> {
        if bytes > self.most {
            return Err(self.refusal());
        }
        if let Some(more) = reserved.missing(bytes) {
            let permit = self.kilobytes.clone().acquire_many_owned(more);
            let permit = timeout(patience, permit)
                .await
                .map_err(|_| self.refusal())?;
            reserved.take(permit.map_err(|_| self.refusal())?, bytes);
        }
        Ok(reserved)
    }

    fn refusal(&self) -> Refusal {
        let message = "there is no memory for a message as large as this one now";
        Refusal::new(Code::Limit, message)
            .with(json!({ "what": "bytes_of_all_bodies", "limit": self.most }))
    }
}

impl Reserved {
    /// Is it as large as this?
    pub(crate) fn holds(&self, bytes: usize) -> bool {
        self.missing(bytes).is_none()
    }

    /// The kilobytes that it lacks to be this large.
    fn missing(&self, bytes: usize) -> Option<u32> {
        if bytes <= SMALL || bytes <= self.bytes {
            return None;
        }
        let more = bytes.div_ceil(1 << 10) - self.bytes.div_ceil(1 << 10);
        // What no number has room for is more than anybody has.
        Some(u32::try_from(more).unwrap_or(u32::MAX))
    }

    fn take(&mut self, permit: OwnedSemaphorePermit, bytes: usize) {
        self.bytes = bytes;
        match &mut self.permit {
            Some(held) => held.merge(permit),
            none => *none = Some(permit),
        }
    }
}

/// At most how many bytes a text of JSON and what is read of it take together. Commas and brackets in texts count as if
/// they were none, which makes it more than it is.
pub(crate) fn weight(json: &[u8]) -> usize {
    let values = json
        .iter()
        .filter(|byte| matches!(byte, b',' | b'[' | b'{' | b':'));
    2 * json.len() + VALUE * values.count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_reserved_is_given_back() {
        let bodies = Bodies::new(1 << 20);
        let (mut first, mut second) = (Reserved::default(), Reserved::default());
        bodies.grow(&mut first, 100 << 10).unwrap();
        bodies.grow(&mut first, 700 << 10).unwrap();
        bodies.grow(&mut first, 700 << 10).unwrap();
        assert_eq!(bodies.kilobytes.available_permits(), 324);
        let refusal = bodies.grow(&mut second, 400 << 10).unwrap_err();
        assert_eq!(refusal.data["what"], "bytes_of_all_bodies");
        // Little ones always get through.
        bodies.grow(&mut second, SMALL).unwrap();
        drop(first);
        bodies.grow(&mut second, 400 << 10).unwrap();
        drop(second);
        assert_eq!(bodies.kilobytes.available_permits(), 1024);
    }

    #[test]
    fn many_small_values_weigh_more_than_one_long_text() {
        let numbers = format!("[{}1]", "1,".repeat(10_000));
        let text = format!("\"{}\"", "x".repeat(20_000));
        assert!(weight(numbers.as_bytes()) > 16 * numbers.len());
        assert_eq!(weight(text.as_bytes()), 2 * text.len());
    }
}
