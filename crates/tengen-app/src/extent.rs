//! How much there is in a file, before anybody reads it.

use crate::limits::{Limits, at_most};
use crate::refusal::Refusal;

/// How much there is in a file, as far as its bytes tell in one pass. Other formats than SGF have no brackets and are
/// bounded by their length.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Extent {
    /// Games: brackets that open while none is open.
    games: usize,
    /// The most nodes of a game.
    nodes: usize,
    /// The most nodes of a game behind each other.
    depth: usize,
}

impl Extent {
    /// Counts what is outside of values. An encoding in which a bracket is half of a letter may make it count too
    /// little; the limits are checked again when the file was read.
    pub(crate) fn of(bytes: &[u8]) -> Self {
        let mut extent = Self::default();
        // For every bracket that is open, the nodes before it.
        let mut open: Vec<usize> = Vec::new();
        let (mut nodes, mut depth) = (0, 0);
        let mut in_value = false;
        let mut bytes = bytes.iter();
        while let Some(byte) = bytes.next() {
            match (in_value, byte) {
                (true, b'\\') => _ = bytes.next(),
                (true, b']') => in_value = false,
                (true, _) => {}
                (false, b'[') => in_value = true,
                (false, b'(') => {
                    if open.is_empty() {
                        extent.games += 1;
                        (nodes, depth) = (0, 0);
                    }
                    open.push(depth);
                }
                // Lines of an id and moves have no brackets, and a game each.
                (false, b'\n') if open.is_empty() => (nodes, depth) = (0, 0),
                (false, b')') => depth = open.pop().unwrap_or(0),
                (false, b';') => {
                    nodes += 1;
                    depth += 1;
                    extent.nodes = extent.nodes.max(nodes);
                    extent.depth = extent.depth.max(depth);
                }
                (false, _) => {}
            }
        }
        extent
    }

    /// Refuses what is too much.
    pub(crate) fn check(&self, limits: &Limits) -> Result<(), Refusal> {
        at_most("games_of_a_file", self.games, limits.games_of_a_file)?;
        at_most("nodes", self.nodes, limits.nodes)?;
        at_most("nodes_in_a_row", self.depth, limits.depth)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_nodes_and_depth_are_counted_outside_of_values() {
        let extent = |text: &str| {
            let Extent {
                games,
                nodes,
                depth,
            } = Extent::of(text.as_bytes());
            (games, nodes, depth)
        };
        assert_eq!(extent(""), (0, 0, 0));
        assert_eq!(extent("(;C[a;b(c)\\];;]B[aa];W[bb])"), (1, 2, 2));
        assert_eq!(extent("(;;(;;;)(;))(;)"), (2, 6, 5));
        assert_eq!(extent(")))(;"), (1, 1, 1));
        assert_eq!(extent("a\t;B[aa];W[bb]\nb\t;B[cc]\n"), (0, 2, 2));
        assert_eq!(extent("(;C[never ends;;;"), (1, 1, 1));
    }
}
