//! All connections, and which one has to go when there are too many.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use tengen_app::Client;
use tokio::sync::Notify;

use crate::pace::{Pace, Rate};

/// The connections that are open. Those on which nobody has asked anything, or not to the end, give way to new ones,
/// the oldest first; then those of a client who has many more than the new one.
#[derive(Debug)]
pub(crate) struct Connections {
    most: usize,
    rate: Rate,
    open_connections: Mutex<OpenConnections>,
}

#[derive(Debug, Default)]
struct OpenConnections {
    next: u64,
    open: HashMap<u64, Connection>,
}

#[derive(Debug)]
struct Connection {
    /// Since when it waits for a request, or for the rest of one; `None` while one is served.
    waiting: Option<Instant>,
    client: Client,
    end: Arc<Notify>,
}

/// The right to keep a connection open. It ends when the last part of the connection drops it.
#[derive(Debug)]
pub(crate) struct Ticket {
    number: u64,
    connections: Arc<Connections>,
    end: Arc<Notify>,
    pace: Mutex<Pace>,
}

impl Connections {
    /// None yet, and never more than so many, on each of which requests come at most at this rate.
    pub(crate) fn new(most: usize, rate: Rate) -> Arc<Self> {
        Arc::new(Self {
            most,
            rate,
            open_connections: Mutex::default(),
        })
    }

    /// Lets a connection in, if there is room or room can be made.
    pub(crate) fn admit(self: &Arc<Self>, client: Client) -> Option<Arc<Ticket>> {
        let mut open_connections = self.open_connections();
        if open_connections.open.len() >= self.most {
            let gives_way = open_connections
                .idle()
                .or_else(|| open_connections.greedy(client))?;
            open_connections.open.remove(&gives_way)?.end.notify_one();
        }
        let number = open_connections.next;
        open_connections.next += 1;
        let end = Arc::new(Notify::new());
        let connection = Connection {
            waiting: Some(Instant::now()),
            client,
            end: end.clone(),
        };
        open_connections.open.insert(number, connection);
        drop(open_connections);
        Some(Arc::new(Ticket {
            number,
            connections: self.clone(),
            end,
            pace: Mutex::new(Pace::new(self.rate)),
        }))
    }

    /// How many are open.
    pub(crate) fn count(&self) -> usize {
        self.open_connections().open.len()
    }

    fn open_connections(&self) -> MutexGuard<'_, OpenConnections> {
        self.open_connections
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

impl OpenConnections {
    /// The connection that has waited longest.
    fn idle(&self) -> Option<u64> {
        let open = self.open.iter();
        let idle = open.filter_map(|(number, connection)| Some((connection.waiting?, *number)));
        idle.min().map(|(_, number)| number)
    }

    /// The newest connection of the client with the most, if this one would still have fewer with one more.
    fn greedy(&self, client: Client) -> Option<u64> {
        let mut counts: HashMap<Client, usize> = HashMap::new();
        for connection in self.open.values() {
            *counts.entry(connection.client).or_default() += 1;
        }
        let own = counts.get(&client).copied().unwrap_or(0);
        let (greedy, most) = counts.into_iter().max_by_key(|(_, count)| *count)?;
        let of_greedy = |connection: &Connection| connection.client == greedy;
        let open = self.open.iter();
        let numbers = open.filter(|(_, connection)| of_greedy(connection));
        let newest = numbers.map(|(number, _)| *number).max();
        newest.filter(|_| own + 1 < most)
    }
}

impl Ticket {
    /// A request is there as a whole and is served: the connection does not give way to others.
    pub(crate) fn begin(&self) {
        self.set(None);
    }

    /// The connection waits for the next request.
    pub(crate) fn rest(&self) {
        self.set(Some(Instant::now()));
    }

    fn set(&self, waiting: Option<Instant>) {
        if let Some(connection) = self
            .connections
            .open_connections()
            .open
            .get_mut(&self.number)
        {
            connection.waiting = waiting;
        }
    }

    /// May one more request come now?
    pub(crate) fn allows_request(&self) -> bool {
        let mut pace = self.pace.lock().unwrap_or_else(PoisonError::into_inner);
        pace.allows(Instant::now())
    }

    /// Returns when the connection has to give way.
    pub(crate) async fn ended(&self) {
        self.end.notified().await;
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        self.connections
            .open_connections()
            .open
            .remove(&self.number);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RATE: Rate = Rate {
        burst: 1.0,
        per_second: 1.0,
    };

    #[tokio::test]
    async fn the_oldest_idle_connection_gives_way() {
        let connections = Connections::new(3, RATE);
        let busy = connections.admit(Client(1)).unwrap();
        busy.begin();
        let old = connections.admit(Client(1)).unwrap();
        let young = connections.admit(Client(1)).unwrap();
        let new = connections.admit(Client(1)).unwrap();
        old.ended().await;
        assert_eq!(connections.count(), 3);
        // Dropping what had to give way changes nothing any more.
        drop(old);
        assert_eq!(connections.count(), 3);
        young.begin();
        new.begin();
        assert!(connections.admit(Client(1)).is_none());
        young.rest();
        assert!(connections.admit(Client(1)).is_some());
        young.ended().await;
    }

    #[tokio::test]
    async fn one_client_does_not_keep_all_connections() {
        let connections = Connections::new(4, RATE);
        let greedy: Vec<_> = (0..4)
            .map(|_| connections.admit(Client(1)).unwrap())
            .collect();
        greedy.iter().for_each(|ticket| ticket.begin());
        assert!(connections.admit(Client(1)).is_none());
        let other = connections.admit(Client(2)).unwrap();
        other.begin();
        greedy[3].ended().await;
        let another = connections.admit(Client(2)).unwrap();
        another.begin();
        greedy[2].ended().await;
        // Now both have as many.
        assert!(connections.admit(Client(2)).is_none());
    }
}
