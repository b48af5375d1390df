//! An SGF game while it is put together.

use tengen_core::{Color, Point, Size};

use super::{Converted, Note};

/// The node that every game begins with.
pub(super) const ROOT: usize = 0;

/// A game tree to be, and the notes about what does not fit into it.
pub(super) struct Draft {
    nodes: Vec<Node>,
    notes: Vec<Note>,
}

#[derive(Default)]
struct Node {
    children: Vec<usize>,
    /// Whether the first child is the main continuation.
    continued: bool,
    properties: Vec<(&'static str, Vec<String>)>,
}

/// Where a handicap of three leaves the fourth corner open, if the moves do not tell.
#[derive(Clone, Copy)]
pub(super) enum OpenCorner {
    BottomRight,
    TopLeft,
}

impl Draft {
    pub(super) fn new(size: Size) -> Self {
        let mut draft = Self {
            nodes: vec![Node::default()],
            notes: Vec::new(),
        };
        draft.add_value(ROOT, "FF", "4".to_owned());
        draft.add_value(ROOT, "GM", "1".to_owned());
        draft.add_value(ROOT, "CA", "UTF-8".to_owned());
        draft.add_value(ROOT, "SZ", size.width().to_string());
        draft
    }

    pub(super) fn note(&mut self, line: usize, message: impl Into<String>) {
        self.notes.push(Note {
            line,
            message: message.into(),
        });
    }

    /// Adds one value, already escaped, to a property.
    pub(super) fn add_value(&mut self, node: usize, name: &'static str, value: String) {
        let properties = &mut self.nodes[node].properties;
        match properties.iter_mut().find(|property| property.0 == name) {
            Some(property) => property.1.push(value),
            None => properties.push((name, vec![value])),
        }
    }

    /// Sets a property of one line of text, unless there is nothing to say.
    pub(super) fn set_text(&mut self, node: usize, name: &'static str, text: &str) {
        let text = escape(text.trim());
        if !text.is_empty() {
            self.nodes[node]
                .properties
                .retain(|property| property.0 != name);
            self.add_value(node, name, text.replace(['\n', '\r', '\t'], " "));
        }
    }

    /// Adds lines to a property of many lines of text, such as a comment.
    pub(super) fn append_text(&mut self, node: usize, name: &'static str, text: &str) {
        let text = escape(text.trim());
        if text.is_empty() {
            return;
        }
        let properties = &mut self.nodes[node].properties;
        match properties.iter_mut().find(|property| property.0 == name) {
            Some((_, values)) if !values.is_empty() => {
                values[0].push('\n');
                values[0].push_str(&text);
            }
            _ => properties.push((name, vec![text])),
        }
    }

    pub(super) fn add_label(&mut self, node: usize, point: Point, label: &str) {
        let label = escape(label.trim()).replace(':', "\\:");
        self.add_value(node, "LB", format!("{}:{label}", point.to_sgf()));
    }

    pub(super) fn add_stone(&mut self, node: usize, color: Color, point: Point) {
        let name = match color {
            Color::Black => "AB",
            Color::White => "AW",
        };
        self.add_value(node, name, point.to_sgf());
    }

    /// Puts handicap stones on the star points; White begins then.
    ///
    /// Servers differ in the corner that three stones leave open: it is the one that is played at first.
    pub(super) fn add_handicap(
        &mut self,
        size: Size,
        stones: u8,
        open: OpenCorner,
        mut played: impl Iterator<Item = Point>,
    ) -> Vec<Point> {
        self.add_value(ROOT, "HA", stones.to_string());
        let mut points = size.fixed_handicap(stones).unwrap_or_default();
        if let [.., third] = &mut points[..]
            && stones == 3
        {
            let opposite = Point::new(size.width() - 1 - third.x(), size.height() - 1 - third.y());
            let (top_left, bottom_right) = (*third, opposite);
            let played_first = played.find(|point| [top_left, bottom_right].contains(point));
            let open_point = played_first.unwrap_or(match open {
                OpenCorner::TopLeft => top_left,
                OpenCorner::BottomRight => bottom_right,
            });
            if open_point == top_left {
                *third = bottom_right;
            }
        }
        for point in &points {
            self.add_stone(ROOT, Color::Black, *point);
        }
        points
    }

    /// Adds the main continuation of a node, before its variations; if it has one already, another variation.
    pub(super) fn continue_from(&mut self, parent: usize) -> usize {
        let node = self.add_variation(parent);
        let parent = &mut self.nodes[parent];
        if !parent.continued {
            parent.continued = true;
            parent.children.rotate_right(1);
        }
        node
    }

    /// Adds a continuation of a node after those that it has.
    pub(super) fn add_variation(&mut self, parent: usize) -> usize {
        let node = self.nodes.len();
        self.nodes.push(Node::default());
        self.nodes[parent].children.push(node);
        node
    }

    /// Says which move a node is; nothing is a pass.
    pub(super) fn set_move(&mut self, node: usize, color: Color, point: Option<Point>) {
        let name = match color {
            Color::Black => "B",
            Color::White => "W",
        };
        self.add_value(node, name, point.map(Point::to_sgf).unwrap_or_default());
    }

    pub(super) fn finish(mut self) -> Converted {
        self.notes.sort_by_key(|note| note.line);
        Converted {
            sgf: self.write(),
            notes: self.notes,
        }
    }

    fn write(&self) -> String {
        enum Step {
            Node(usize),
            Open(usize),
            Close,
        }
        let mut sgf = String::new();
        let mut steps = vec![Step::Open(ROOT)];
        while let Some(step) = steps.pop() {
            let node = match step {
                Step::Close => {
                    sgf.push_str(")\n");
                    continue;
                }
                Step::Open(node) => {
                    sgf.push('(');
                    steps.push(Step::Close);
                    node
                }
                Step::Node(node) => node,
            };
            sgf.push(';');
            for (name, values) in &self.nodes[node].properties {
                sgf.push_str(name);
                for value in values {
                    sgf.push('[');
                    sgf.push_str(value);
                    sgf.push(']');
                }
            }
            match self.nodes[node].children[..] {
                [child] => steps.push(Step::Node(child)),
                ref children => steps.extend(children.iter().rev().map(|child| Step::Open(*child))),
            }
        }
        sgf
    }
}

fn escape(text: &str) -> String {
    text.replace('\\', "\\\\").replace(']', "\\]")
}
