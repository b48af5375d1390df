//! How much was done, in nodes of records.

use std::cell::Cell;

thread_local! {
    static NODES: Cell<u64> = const { Cell::new(0) };
}

/// How many nodes this thread has read, played or written so far. A host that holds a lock can tell from it for how
/// long, on whatever machine.
pub fn effort() -> u64 {
    NODES.with(Cell::get)
}

/// So many nodes were looked at.
pub(crate) fn spend(nodes: usize) {
    NODES.with(|spent| spent.set(spent.get().wrapping_add(nodes as u64)));
}
