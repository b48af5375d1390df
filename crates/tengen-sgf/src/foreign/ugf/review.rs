//! The tree that a review leaves: `[ReviewNode]` and `[ReviewComment]`.

use std::collections::BTreeMap;

use tengen_core::Color;

use super::super::draft::{Draft, ROOT};
use super::{Grid, Play};

/// The nodes in the order of the file, each after its parent.
///
/// `NODE,id,color,column,row` follows the node before it. What stands between `VARIATION,` and `VARIATIONEND,` follows
/// the node before `VARIATION,` instead, and so does the node after `VARIATIONEND,`.
pub(super) struct Review {
    nodes: Vec<ReviewNode>,
}

struct ReviewNode {
    id: u32,
    /// The place of the parent in the list; none for the root.
    parent: Option<usize>,
    begins_variation: bool,
    play: Option<Play>,
}

impl Review {
    pub(super) fn read(draft: &mut Draft, grid: &Grid, lines: &[(usize, &str)]) -> Self {
        let mut nodes: Vec<ReviewNode> = Vec::new();
        let mut branches = Vec::new();
        let mut parent = None;
        let mut begins_variation = false;
        for &(number, line) in lines.iter().filter(|(_, line)| !line.is_empty()) {
            let fields: Vec<&str> = line.split(',').map(str::trim).collect();
            match fields[..] {
                ["VARIATION", ..] => {
                    branches.push(parent);
                    begins_variation = true;
                }
                ["VARIATIONEND", ..] => {
                    parent = branches.pop().unwrap_or(parent);
                    begins_variation = false;
                }
                ["NODE", id, color, column, row, ..] => {
                    let (Ok(id), Some(play)) = (id.parse(), read_play(grid, color, column, row))
                    else {
                        draft.note(number, format!("`{line}` was not understood and left out"));
                        continue;
                    };
                    nodes.push(ReviewNode {
                        id,
                        parent,
                        begins_variation,
                        play,
                    });
                    parent = Some(nodes.len() - 1);
                    begins_variation = false;
                }
                _ => draft.note(number, format!("`{line}` was not understood and left out")),
            }
        }
        Self { nodes }
    }

    /// Whether the main line is the game that was played, as far as both go.
    pub(super) fn agrees_with(&self, plays: &[Play]) -> bool {
        let mut main = Vec::new();
        let mut last = None;
        for (index, node) in self.nodes.iter().enumerate() {
            if index == 0 || (node.parent == last && !node.begins_variation) {
                last = Some(index);
                main.extend(node.play);
            }
        }
        !main.is_empty() && main.len() >= plays.len() && main.starts_with(plays)
    }

    /// Adds the tree to the draft, and returns the nodes of the main line, the root first.
    pub(super) fn write(self, draft: &mut Draft, comments: &[(usize, &str)]) -> Vec<usize> {
        let mut comments = read_comments(draft, comments);
        let mut places: Vec<usize> = Vec::with_capacity(self.nodes.len());
        let mut main_line = vec![ROOT];
        for node in self.nodes {
            let parent = node.parent.map_or(ROOT, |parent| places[parent]);
            let comment = comments.remove(&node.id).unwrap_or_default();
            let place = match node.play {
                // The first node is the root, and the last one only says that nothing follows.
                None if node.parent.is_none() || comment.is_empty() => parent,
                _ if node.begins_variation => draft.add_variation(parent),
                _ => draft.continue_from(parent),
            };
            if let Some((color, point)) = node.play {
                draft.set_move(place, color, point);
            }
            if !node.begins_variation && main_line.last() == Some(&parent) && place != parent {
                main_line.push(place);
            }
            draft.append_text(place, "C", &comment);
            places.push(place);
        }
        main_line
    }
}

/// Color 0 is no move; a point off the board by one is a pass.
fn read_play(grid: &Grid, color: &str, column: &str, row: &str) -> Option<Option<Play>> {
    let color = match color {
        "0" => return Some(None),
        "1" => Color::Black,
        "2" => Color::White,
        _ => return None,
    };
    let (column, row): (u8, u8) = (column.parse().ok()?, row.parse().ok()?);
    if column > grid.size.width() && row > grid.size.height() {
        return Some(Some((color, None)));
    }
    Some(Some((color, Some(grid.point(column, row)?))))
}

/// Comments by the node that they are about: a line `.Comment,id`, then the text.
fn read_comments(draft: &mut Draft, lines: &[(usize, &str)]) -> BTreeMap<u32, String> {
    let mut comments: BTreeMap<u32, String> = BTreeMap::new();
    let mut about = None;
    for &(number, line) in lines {
        if let Some(id) = line.trim().strip_prefix(".Comment,") {
            about = id.trim().parse().ok();
            if about.is_none() {
                draft.note(number, format!("`{line}` was not understood and left out"));
            }
        } else if let Some(id) = about {
            let comment = comments.entry(id).or_default();
            comment.push_str(line.strip_prefix(' ').unwrap_or(line).trim_end());
            comment.push('\n');
        }
    }
    comments
}
