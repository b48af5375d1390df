//! What waits to be sent to one viewer.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

use axum::extract::ws::Utf8Bytes;
use tokio::sync::Notify;

/// Messages for one viewer, in order. Of those that a newer one makes worthless only the newest is kept, and a viewer
/// who takes too long to read the rest is given up.
#[derive(Debug)]
pub(crate) struct Outbox {
    most: usize,
    queue: Mutex<Queue>,
    filled: Notify,
}

#[derive(Debug, Default)]
struct Queue {
    messages: VecDeque<Message>,
    bytes: usize,
    closed: bool,
}

/// A message as it is sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Message {
    pub(crate) text: Utf8Bytes,
    /// A message with the same key that still waits is replaced.
    pub(crate) key: Option<String>,
}

impl Outbox {
    /// An empty box for so many bytes.
    pub(crate) fn new(most: usize) -> Self {
        Self {
            most,
            queue: Mutex::default(),
            filled: Notify::new(),
        }
    }

    /// Adds a message. The box closes when it is too full.
    pub(crate) fn put(&self, message: Message) {
        let mut queue = self.queue();
        if queue.closed {
            return;
        }
        let newer = message.key.is_some();
        let waiting = match newer {
            true => queue
                .messages
                .iter_mut()
                .find(|waiting| waiting.key == message.key),
            false => None,
        };
        let length = message.text.len();
        match waiting {
            Some(waiting) => {
                let before = std::mem::replace(waiting, message).text.len();
                queue.bytes = queue.bytes + length - before;
            }
            None => {
                queue.bytes += length;
                queue.messages.push_back(message);
            }
        }
        // One message may be as large as it must be.
        if queue.bytes > self.most && queue.messages.len() > 1 {
            queue.closed = true;
            queue.messages.clear();
        }
        drop(queue);
        self.filled.notify_one();
    }

    /// The next message, or `None` once the box is closed.
    pub(crate) async fn take(&self) -> Option<Utf8Bytes> {
        loop {
            {
                let mut queue = self.queue();
                if let Some(message) = queue.messages.pop_front() {
                    queue.bytes -= message.text.len();
                    return Some(message.text);
                }
                if queue.closed {
                    return None;
                }
            }
            self.filled.notified().await;
        }
    }

    /// Takes no more messages; those that wait are still sent.
    pub(crate) fn close(&self) {
        self.queue().closed = true;
        self.filled.notify_one();
    }

    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(text: &str) -> Message {
        Message {
            text: text.into(),
            key: None,
        }
    }

    fn keyed(key: &str, text: &str) -> Message {
        Message {
            key: Some(key.to_owned()),
            ..plain(text)
        }
    }

    #[tokio::test]
    async fn only_the_newest_of_a_kind_is_kept() {
        let outbox = Outbox::new(1000);
        outbox.put(plain("one"));
        outbox.put(keyed("analysis", "ten visits"));
        outbox.put(plain("two"));
        outbox.put(keyed("clock", "tick"));
        outbox.put(keyed("analysis", "a hundred visits"));
        outbox.close();
        outbox.put(plain("too late"));
        for expected in ["one", "a hundred visits", "two", "tick"] {
            assert_eq!(outbox.take().await.unwrap().as_str(), expected);
        }
        assert_eq!(outbox.take().await, None);
        assert_eq!(outbox.queue().bytes, 0);
    }

    #[tokio::test]
    async fn who_does_not_read_is_given_up() {
        let outbox = Outbox::new(10);
        outbox.put(plain("a very long message"));
        assert!(outbox.take().await.is_some());
        for _ in 0..1000 {
            outbox.put(keyed("same", "123456789"));
        }
        assert!(outbox.take().await.is_some());
        outbox.put(plain("12345"));
        outbox.put(plain("123456"));
        assert_eq!(outbox.take().await, None);
    }
}
