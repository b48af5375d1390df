//! Which nodes follow which in a strategy, for the nodes that have been looked at.

/// No list: the node was not looked at.
const UNKNOWN: u8 = u8::MAX;

/// A list for each node, all in one place.
#[derive(Default)]
pub(super) struct Edges {
    /// Where the list of each node begins, and how long it is.
    starts: Vec<u32>,
    lengths: Vec<u8>,
    to: Vec<u32>,
}

impl Edges {
    /// What follows a node, if that is known.
    pub(super) fn of(&self, number: u32) -> Option<&[u32]> {
        let length = *self.lengths.get(number as usize)?;
        let start = self.starts[number as usize] as usize;
        (length != UNKNOWN).then(|| &self.to[start..start + usize::from(length)])
    }

    /// Says what follows a node.
    pub(super) fn set(&mut self, number: u32, following: impl IntoIterator<Item = u32>) {
        let number = number as usize;
        if number >= self.lengths.len() {
            self.lengths.resize(number + 1, UNKNOWN);
            self.starts.resize(number + 1, 0);
        }
        let start = self.to.len();
        self.to.extend(following);
        self.starts[number] = start as u32;
        self.lengths[number] = (self.to.len() - start) as u8;
    }

    /// What followed a node does so no longer.
    pub(super) fn forget(&mut self, number: u32) {
        if let Some(length) = self.lengths.get_mut(number as usize) {
            *length = UNKNOWN;
        }
    }
}
