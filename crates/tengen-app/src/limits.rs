//! How much is too much.

use crate::game_tree::GameTree;
use crate::refusal::Refusal;

/// The most milliseconds between two moves of engines.
pub(crate) const SLOWEST: usize = 60_000;

/// What a room refuses to hold. Requests a second and the size of a frame are for the host to limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Games in the room.
    pub games: usize,
    /// Games in the room that one client has made.
    pub games_of_a_client: usize,
    /// Nodes of a game.
    pub nodes: usize,
    /// Nodes of a game behind each other: to play through them takes some thousandths of a second.
    pub depth: usize,
    /// Bytes of a game's record.
    pub record_bytes: usize,
    /// Bytes of a file that is opened.
    pub file_bytes: usize,
    /// Games of a file that is opened.
    pub games_of_a_file: usize,
    /// Bytes of a comment.
    pub comment_bytes: usize,
    /// Bytes of a name, a label and other single lines.
    pub line_bytes: usize,
    /// Edits in one call.
    pub edits: usize,
    /// Games that one viewer watches.
    pub watched: usize,
    /// Reviews in the room that have not ended.
    pub reviews: usize,
    /// Visits that a viewer may ask for.
    pub visits: u32,
    /// Points of a board about which anything is proven.
    pub exact_points: usize,
    /// Situations that are looked at for a proof.
    pub exact_nodes: u64,
    /// Proofs that are looked for at a time.
    pub exact_searches: usize,
    /// Seconds on a clock.
    pub clock_seconds: u32,
    /// Seconds after which a game against an engine is paused that nobody watches while a clock runs.
    pub absence_seconds: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            games: 1_000,
            games_of_a_client: 500,
            nodes: 200_000,
            depth: 4_000,
            record_bytes: 16 << 20,
            file_bytes: 8 << 20,
            games_of_a_file: 100,
            comment_bytes: 64 << 10,
            line_bytes: 1 << 10,
            edits: 100,
            watched: 64,
            reviews: 64,
            visits: 1_000_000,
            exact_points: 25,
            exact_nodes: 24_000_000,
            exact_searches: 16,
            clock_seconds: 7 * 24 * 3600,
            absence_seconds: 30,
        }
    }
}

/// How many numbers of nodes a game may use up for each node that it may have: those of removed ones are not used
/// again.
const NUMBERS_OF_A_NODE: usize = 4;

impl Limits {
    /// Refuses another child of a node if the game has enough nodes.
    pub(crate) fn check_child(&self, tree: &GameTree, parent: usize) -> Result<(), Refusal> {
        at_most("nodes", tree.node_count() + 1, self.nodes)?;
        at_most("nodes_in_a_row", tree.depth(parent) + 1, self.depth)?;
        let numbers = self.nodes.saturating_mul(NUMBERS_OF_A_NODE);
        at_most("numbers_of_nodes", tree.count() + 1, numbers)
    }

    pub(crate) fn check_line(&self, text: &str) -> Result<(), Refusal> {
        at_most("bytes_of_a_line", text.len(), self.line_bytes)
    }

    pub(crate) fn check_comment(&self, text: &str) -> Result<(), Refusal> {
        at_most("bytes_of_a_comment", text.len(), self.comment_bytes)
    }
}

/// Refuses what is more than the limit.
pub(crate) fn at_most(what: &str, count: usize, limit: usize) -> Result<(), Refusal> {
    if count > limit {
        return Err(Refusal::limit(what, limit));
    }
    Ok(())
}
