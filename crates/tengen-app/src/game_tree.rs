//! The record of a game that can be edited, with nodes by number.

use std::collections::HashMap;

use tengen_core::{Color, Game, Move, Size};
use tengen_sgf::{Collection, Mode, Node, NodeId, Replay, SgfPoint, Value};

use crate::effort::spend;
use crate::limits::{Limits, at_most};
use crate::refusal::{Code, Refusal};

/// The property of the root in which a room keeps what SGF has no property for.
pub(crate) const PRIVATE: &str = "TG";

/// How much text of replaced values may gather before the record is written anew.
const WASTE: usize = 64 << 10;

/// One game as a record. Nodes have numbers that stay theirs: the root is 0, and those of removed nodes are not used
/// again.
#[derive(Clone, Debug)]
pub(crate) struct GameTree {
    games: Collection,
    /// The nodes by number; `None` for those that were removed.
    ids: Vec<Option<NodeId>>,
    numbers: HashMap<NodeId, usize>,
    size: Size,
    /// The length of the text after it was last written anew.
    tidy: usize,
    changes: Changes,
}

/// What has changed in a tree since somebody last asked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Changes {
    /// Nodes that were added.
    pub added: Vec<usize>,
    /// Nodes that were removed.
    pub removed: Vec<usize>,
    /// Nodes whose properties are others now.
    pub edited: Vec<usize>,
    /// May positions behind a node that was edited be others?
    pub positions: bool,
    /// Have facts about the game changed?
    pub info: bool,
}

/// The way from the root to a node, played.
#[derive(Clone, Debug)]
pub(crate) struct Trail {
    /// The game at the node.
    pub game: Game,
    /// The number of the last move.
    pub number: usize,
    /// The node and number at which each position of the game's history arose, the first one first.
    pub past: Vec<(usize, usize)>,
}

impl Trail {
    /// The same with the game going on, even if the rules say that it is over.
    pub(crate) fn going_on(mut self) -> Self {
        if self.game.is_over() {
            self.game.resume();
        }
        self
    }
}

impl GameTree {
    /// The record of a text with one game, whose nodes get their numbers in the order of the text.
    pub(crate) fn read(text: &str) -> Result<Self, Refusal> {
        let unreadable = |message: String| Refusal::new(Code::Unreadable, message);
        let parsed = Collection::parse(text, Mode::Lenient);
        let games = parsed.map_err(|error| unreadable(error.to_string()))?;
        Self::new(games.collection)
    }

    /// The record of the first game of a collection.
    pub(crate) fn new(games: Collection) -> Result<Self, Refusal> {
        let unreadable = |message: &str| Refusal::new(Code::Unreadable, message);
        let root = games.roots().next().ok_or_else(|| unreadable("no game"))?;
        let replay = Replay::start(root, Mode::Lenient);
        let size = match replay {
            Ok(replay) => replay.game().size(),
            Err(problem) => return Err(unreadable(&problem.message)),
        };
        let ids: Vec<NodeId> = root.descendants().map(Node::id).collect();
        spend(ids.len());
        let numbers = ids.iter().enumerate().map(|(number, id)| (*id, number));
        Ok(Self {
            numbers: numbers.collect(),
            ids: ids.into_iter().map(Some).collect(),
            tidy: games.text().len(),
            games,
            size,
            changes: Changes::default(),
        })
    }

    /// Gives the nodes, in the order of the text, these numbers, if they can be numbers of nodes; `count` is that of
    /// all numbers ever used.
    pub(crate) fn renumber(&mut self, numbers: &[usize], count: usize) -> bool {
        let mut ids = vec![None; count];
        let nodes: Vec<NodeId> = self.root().descendants().map(Node::id).collect();
        if numbers.len() != nodes.len() || numbers.first() != Some(&0) {
            return false;
        }
        for (number, id) in numbers.iter().zip(&nodes) {
            match ids.get_mut(*number) {
                Some(place @ None) => *place = Some(*id),
                _ => return false,
            }
        }
        self.numbers = nodes.into_iter().zip(numbers.iter().copied()).collect();
        self.ids = ids;
        true
    }

    /// A copy, which takes as long as the record is large.
    pub(crate) fn copied(&self) -> Self {
        spend(self.node_count());
        self.clone()
    }

    pub(crate) const fn size(&self) -> Size {
        self.size
    }

    /// One more than the highest number that a node ever had.
    pub(crate) fn count(&self) -> usize {
        self.ids.len()
    }

    /// How many nodes there are.
    pub(crate) fn node_count(&self) -> usize {
        self.numbers.len()
    }

    /// Refuses more text if the record is large already, what is not forgotten of its past apart.
    pub(crate) fn check_len(&mut self, more: usize, limits: &Limits) -> Result<(), Refusal> {
        let most = limits.record_bytes;
        if self.games.text().len() + more > most {
            self.rewrite(|_| None);
        }
        at_most("bytes_of_a_record", self.games.text().len() + more, most)
    }

    pub(crate) fn root(&self) -> Node<'_> {
        let root = self.ids[0].expect("the root is never removed");
        self.games.node(root)
    }

    pub(crate) fn get(&self, number: usize) -> Option<Node<'_>> {
        let id = (*self.ids.get(number)?)?;
        Some(self.games.node(id))
    }

    /// A node that somebody has named.
    pub(crate) fn node(&self, number: usize) -> Result<Node<'_>, Refusal> {
        let message = || format!("this game has no node {number}");
        self.get(number)
            .ok_or_else(|| Refusal::new(Code::NoNode, message()))
    }

    pub(crate) fn number(&self, node: Node<'_>) -> usize {
        self.numbers[&node.id()]
    }

    pub(crate) fn parent(&self, number: usize) -> Option<usize> {
        Some(self.number(self.get(number)?.parent()?))
    }

    pub(crate) fn children(&self, number: usize) -> Vec<usize> {
        let node = self.get(number);
        let children = node.into_iter().flat_map(Node::children);
        children.map(|child| self.number(child)).collect()
    }

    /// The main line from the root on.
    pub(crate) fn main_line(&self) -> Vec<usize> {
        let line = self.root().main_line();
        line.map(|node| self.number(node)).collect()
    }

    /// The numbers of all nodes, in the order of the text.
    pub(crate) fn in_order(&self) -> impl Iterator<Item = usize> {
        self.root().descendants().map(|node| self.number(node))
    }

    /// How many nodes there are from the root to a node, both included.
    pub(crate) fn depth(&self, number: usize) -> usize {
        std::iter::successors(self.get(number), |node| node.parent()).count()
    }

    /// How many nodes there are from the root to the one that is farthest from it.
    pub(crate) fn greatest_depth(&self) -> usize {
        let mut depths: HashMap<NodeId, usize> = HashMap::new();
        for node in self.root().descendants() {
            let above = node.parent().and_then(|parent| depths.get(&parent.id()));
            let depth = above.map_or(1, |above| above + 1);
            depths.insert(node.id(), depth);
        }
        depths.into_values().max().unwrap_or(0)
    }

    /// Is a node on the main line?
    pub(crate) fn is_main(&self, number: usize) -> bool {
        let mut node = self.get(number);
        while let Some(here) = node {
            let parent = here.parent();
            if parent.is_some_and(|parent| parent.first_child() != Some(here)) {
                return false;
            }
            node = parent;
        }
        true
    }

    /// The move of a node.
    pub(crate) fn turn(&self, number: usize) -> Option<(Color, Move)> {
        turn(self.get(number)?, self.size)
    }

    /// The first value of a property as a line of text.
    pub(crate) fn line(&self, number: usize, name: &str) -> Option<String> {
        let value = self.get(number)?.value(name)?;
        let text = value.simple_text();
        let text = text.trim();
        (!text.is_empty()).then(|| text.to_owned())
    }

    pub(crate) fn has_comment(&self, number: usize) -> bool {
        self.get(number)
            .is_some_and(|node| node.property("C").is_some())
    }

    /// How many moves lead to a node.
    pub(crate) fn moves_before(&self, number: usize) -> usize {
        let path = self.get(number).map(Node::path).unwrap_or_default();
        spend(path.len());
        let moves = path
            .into_iter()
            .filter(|node| turn(*node, self.size).is_some());
        moves.count()
    }

    /// Plays from the root to a node, and shows the game at every node on the way.
    pub(crate) fn walk(
        &self,
        number: usize,
        mut visit: impl FnMut(Node<'_>, &Replay),
    ) -> Result<Replay, Refusal> {
        let path = self.node(number)?.path();
        spend(path.len());
        let unreadable =
            |problem: tengen_sgf::Diagnostic| Refusal::new(Code::Unreadable, problem.message);
        let mut replay = Replay::start(self.root(), Mode::Lenient).map_err(unreadable)?;
        visit(self.root(), &replay);
        for node in path.into_iter().skip(1) {
            replay.step(node).map_err(unreadable)?;
            visit(node, &replay);
        }
        Ok(replay)
    }

    /// Plays from the root to a node.
    pub(crate) fn trail(&self, number: usize) -> Result<Trail, Refusal> {
        let mut past = Vec::new();
        let mut before = 0;
        let replay = self.walk(number, |node, replay| {
            let after = replay.game().turns().len();
            // Where stones are set up, history begins anew.
            if after < before || sets_up(node) {
                past.clear();
            }
            past.resize(after + 1, (self.number(node), replay.moves()));
            before = after;
        })?;
        Ok(Trail {
            number: replay.moves(),
            game: replay.into_game(),
            past,
        })
    }

    /// Adds a node behind the other children of its parent.
    pub(crate) fn add(&mut self, parent: usize) -> usize {
        let parent = self.ids[parent].expect("only existing nodes get children");
        let id = self.games.add_child(parent);
        let number = self.ids.len();
        self.ids.push(Some(id));
        self.numbers.insert(id, number);
        self.changes.added.push(number);
        number
    }

    /// Adds a node with a move.
    pub(crate) fn add_move(&mut self, parent: usize, color: Color, action: Move) -> usize {
        let number = self.add(parent);
        self.set(number, &color.letter().to_string(), [action.to_sgf()]);
        number
    }

    /// Replaces the values of a property; without any it is removed.
    pub(crate) fn set<T: AsRef<str>>(
        &mut self,
        number: usize,
        name: &str,
        values: impl IntoIterator<Item = T>,
    ) {
        let Some(id) = self.ids[number] else { return };
        let mut values = values.into_iter().peekable();
        if values.peek().is_some() {
            self.games.set_property(id, name, values);
        } else {
            self.games.remove_property(id, name);
        }
        self.note_edit(number);
        if self.games.text().len() > 2 * self.tidy + WASTE {
            self.rewrite(|_| None);
        }
    }

    /// Writes a property that no position depends on, without a note that the node was edited.
    pub(crate) fn put(&mut self, number: usize, name: &str, text: &str) {
        if let Some(id) = self.ids[number] {
            self.games.set_property(id, name, [text]);
        }
    }

    /// Takes a property away from all nodes, without a note, and gives the text of each.
    pub(crate) fn take_all(&mut self, name: &str) -> Vec<(usize, String)> {
        spend(self.node_count());
        let text = |node: Node<'_>| Some((node.id(), node.value(name)?.text().into_owned()));
        let found: Vec<(NodeId, String)> = self.root().descendants().filter_map(text).collect();
        for (id, _) in &found {
            self.games.remove_property(*id, name);
        }
        let numbered = found.into_iter();
        numbered
            .map(|(id, text)| (self.numbers[&id], text))
            .collect()
    }

    /// Replaces a property that is a text; an empty one is removed.
    pub(crate) fn set_text(&mut self, number: usize, name: &str, text: &str) {
        self.set(number, name, (!text.is_empty()).then_some(text));
    }

    fn note_edit(&mut self, number: usize) {
        if !self.changes.edited.contains(&number) && !self.changes.added.contains(&number) {
            self.changes.edited.push(number);
        }
    }

    /// Says that positions behind edited nodes may be others now.
    pub(crate) const fn note_positions(&mut self) {
        self.changes.positions = true;
    }

    /// Says that facts about the game have changed.
    pub(crate) const fn note_info(&mut self) {
        self.changes.info = true;
    }

    /// Has anything changed since [`GameTree::take_changes`] was called?
    pub(crate) fn has_changes(&self) -> bool {
        self.changes != Changes::default()
    }

    /// What has changed since the last call.
    pub(crate) fn take_changes(&mut self) -> Changes {
        std::mem::take(&mut self.changes)
    }

    /// Removes a node and all behind it. The root stays.
    pub(crate) fn remove(&mut self, number: usize) {
        let Some(node) = self.get(number).filter(|_| number != 0) else {
            return;
        };
        let gone: Vec<usize> = node.descendants().map(|node| self.number(node)).collect();
        let parent = node.parent().map(Node::id);
        let top = node.id();
        self.rewrite(|node| {
            let kept = |child: &NodeId| *child != top;
            let children = node.children().map(Node::id);
            (Some(node.id()) == parent).then(|| children.filter(kept).collect())
        });
        // Even of a node that nobody has heard of its number is told, since it is used up.
        let Changes {
            added,
            edited,
            removed,
            ..
        } = &mut self.changes;
        added.retain(|number| !gone.contains(number));
        edited.retain(|number| !gone.contains(number));
        removed.extend(gone);
    }

    /// Makes a node part of the main line.
    pub(crate) fn promote(&mut self, number: usize) {
        let Some(node) = self.get(number).filter(|_| !self.is_main(number)) else {
            return;
        };
        let path: Vec<NodeId> = node.path().into_iter().map(Node::id).collect();
        let pairs = path.iter().copied().zip(path.iter().copied().skip(1));
        let next: HashMap<NodeId, NodeId> = pairs.collect();
        self.rewrite(|node| {
            let first = *next.get(&node.id())?;
            let others = node.children().map(Node::id).filter(|id| *id != first);
            Some(std::iter::once(first).chain(others).collect())
        });
    }

    /// Writes the record and reads it again, with other children where `order` gives some. A collection can only grow,
    /// so this is how nodes leave it or change places, and how replaced values are forgotten.
    fn rewrite(&mut self, order: impl Fn(Node<'_>) -> Option<Vec<NodeId>>) {
        spend(2 * self.node_count());
        let (text, written) = write(self.root(), order);
        let numbers: Vec<usize> = written.iter().map(|id| self.numbers[id]).collect();
        let parsed = Collection::parse(text, Mode::Lenient);
        let games = parsed.expect("what was written is SGF").collection;
        let root = games.roots().next().expect("a game was written");
        let ids: Vec<NodeId> = root.descendants().map(Node::id).collect();
        debug_assert_eq!(ids.len(), numbers.len());
        self.ids.fill(None);
        for (id, number) in ids.into_iter().zip(numbers) {
            self.ids[number] = Some(id);
        }
        self.numbers = numbered(&self.ids);
        self.tidy = games.text().len();
        self.games = games;
    }

    /// Says what is other in this tree than in another one with nodes of the same numbers. Numbers that the other has
    /// used up stay so.
    pub(crate) fn note_difference(&mut self, other: &Self) {
        spend(self.node_count() + other.node_count());
        let count = self.ids.len().max(other.ids.len());
        self.ids.resize(count, None);
        let text = |node: Node<'_>| -> Vec<String> {
            let properties = node.properties().map(|property| {
                let values = property.values().map(Value::raw);
                format!(
                    "{}[{}]",
                    property.name(),
                    values.collect::<Vec<_>>().join("][")
                )
            });
            properties.collect()
        };
        let is_edited = |number: &usize| {
            let nodes = self.get(*number).zip(other.get(*number));
            nodes.is_some_and(|(here, there)| text(here) != text(there))
        };
        self.changes = Changes {
            added: self
                .in_order()
                .filter(|number| other.get(*number).is_none())
                .collect(),
            removed: other
                .in_order()
                .filter(|number| self.get(*number).is_none())
                .collect(),
            edited: self.in_order().filter(is_edited).collect(),
            positions: true,
            info: true,
        };
    }

    /// How long its text is.
    pub(crate) fn text_len(&self) -> usize {
        self.games.text().len()
    }

    /// The record as SGF.
    pub(crate) fn to_sgf(&self) -> String {
        spend(self.node_count());
        self.root().to_sgf()
    }

    /// The record as SGF, with a value of the private property.
    pub(crate) fn to_sgf_with(&self, private: &str) -> String {
        let text = self.to_sgf();
        // Behind `(;` and what the root begins with; where it stands in the node is of no importance.
        let first = self.root().properties().next();
        let after = first.map_or(2, |property| {
            let values = property.values().map(|value| value.raw().len() + 2);
            2 + property.name().len() + values.sum::<usize>()
        });
        let (head, tail) = text.split_at(after);
        format!("{head}{PRIVATE}[{}]{tail}", Value::escape(private))
    }
}

fn numbered(ids: &[Option<NodeId>]) -> HashMap<NodeId, usize> {
    let pairs = ids.iter().enumerate();
    pairs
        .filter_map(|(number, id)| Some(((*id)?, number)))
        .collect()
}

/// Does a node set up stones?
pub(crate) fn sets_up(node: Node<'_>) -> bool {
    ["AB", "AW", "AE"]
        .into_iter()
        .any(|name| node.property(name).is_some())
}

/// The first move of a node.
fn turn(node: Node<'_>, size: Size) -> Option<(Color, Move)> {
    for (name, color) in [("B", Color::Black), ("W", Color::White)] {
        let Some(value) = node.value(name) else {
            continue;
        };
        let point = value.point();
        let on_board = point
            .and_then(SgfPoint::to_point)
            .filter(|point| size.contains(*point));
        let raw = value.raw().trim();
        let is_pass = raw.is_empty() || raw == "tt" || raw.eq_ignore_ascii_case("pass");
        match on_board {
            Some(point) => return Some((color, Move::Play(point))),
            None if is_pass => return Some((color, Move::Pass)),
            None => {}
        }
    }
    None
}

/// A step of [`write`].
enum Step {
    Text(char),
    Node(NodeId),
}

/// Writes a tree whose nodes have other children where `order` gives some, and says which nodes were written.
fn write(root: Node<'_>, order: impl Fn(Node<'_>) -> Option<Vec<NodeId>>) -> (String, Vec<NodeId>) {
    let games = root.collection();
    let mut text = String::from("(");
    let mut written = Vec::new();
    let mut steps = vec![Step::Text(')'), Step::Node(root.id())];
    while let Some(step) = steps.pop() {
        let id = match step {
            Step::Text(bracket) => {
                text.push(bracket);
                continue;
            }
            Step::Node(id) => id,
        };
        let node = games.node(id);
        written.push(id);
        text.push(';');
        for property in node.properties() {
            text.push_str(&property.name());
            for value in property.values() {
                text.push('[');
                text.push_str(value.raw());
                text.push(']');
            }
        }
        let children = order(node).unwrap_or_else(|| node.children().map(Node::id).collect());
        match children.as_slice() {
            [only] => steps.push(Step::Node(*only)),
            several => {
                for child in several.iter().rev() {
                    steps.extend([Step::Text(')'), Step::Node(*child), Step::Text('(')]);
                }
            }
        }
    }
    (text, written)
}
