//! Writing SGF.

use std::fmt;

use crate::tree::{Collection, Node};

/// The games as a file holds them, each value as it was read. Reading it again gives the same collection.
impl fmt::Display for Collection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::with_capacity(self.text.len());
        for root in self.roots() {
            if !text.is_empty() {
                text.push('\n');
            }
            write_tree(root, &mut text, write_node);
        }
        f.write_str(&text)
    }
}

impl Node<'_> {
    /// The tree from this node on as a game of its own, each value as it was read.
    pub fn to_sgf(self) -> String {
        let mut text = String::new();
        write_tree(self, &mut text, write_node);
        text
    }
}

fn write_node(node: Node<'_>, out: &mut String) {
    out.push(';');
    for property in node.properties() {
        property.write_name(out);
        for value in property.values() {
            out.push('[');
            out.push_str(value.raw());
            out.push(']');
        }
    }
}

/// Writes the brackets of a tree, and with `write_node` what is in its nodes. Does not recurse: trees are deep.
pub(crate) fn write_tree(
    root: Node<'_>,
    out: &mut String,
    mut write_node: impl FnMut(Node<'_>, &mut String),
) {
    let mut here = root;
    out.push('(');
    loop {
        write_node(here, out);
        if let Some(child) = here.first_child() {
            if child.next_sibling().is_some() {
                out.push('(');
            }
            here = child;
            continue;
        }
        // Back to the next variation; each that is left behind is closed.
        loop {
            let is_variation = here != root
                && here
                    .parent()
                    .and_then(Node::first_child)
                    .is_some_and(|first| first != here || first.next_sibling().is_some());
            if is_variation {
                out.push(')');
            }
            if here == root {
                out.push(')');
                return;
            }
            if let Some(next) = here.next_sibling() {
                out.push('(');
                here = next;
                break;
            }
            let Some(parent) = here.parent() else {
                return;
            };
            here = parent;
        }
    }
}
