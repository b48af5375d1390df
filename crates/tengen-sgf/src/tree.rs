//! Collections of game trees.

use std::collections::HashMap;
use std::fmt;

use tengen_core::PointSet;

use crate::ident::Ident;
use crate::property::Kind;
use crate::value::{SgfPoint, Value};

/// Game trees as a file holds them: nodes, their properties in order, and the values exactly as they were written.
///
/// Values are kept as raw text, escapes included, and are read when asked for ([`Value`]), so that what nobody touches
/// is written back as it was. All texts share one buffer, and nodes are indices: a collection of a million nodes is a
/// handful of allocations.
///
/// ```
/// use tengen_sgf::Collection;
/// let mut games = Collection::new();
/// let root = games.add_root();
/// games.push_property(root, "C", ["a ] bracket"]);
/// assert_eq!(games.to_string(), "(;C[a \\] bracket])");
/// ```
#[derive(Clone, Default)]
pub struct Collection {
    /// All values, and in a collection that was parsed everything around them too.
    pub(crate) text: String,
    pub(crate) nodes: Vec<NodeData>,
    pub(crate) properties: Vec<PropertyData>,
    pub(crate) values: Vec<Span>,
    pub(crate) long_idents: Vec<Box<str>>,
    /// The numbers of the long names.
    long_numbers: HashMap<Box<str>, u32>,
    pub(crate) first_root: Option<NodeId>,
}

/// Names a node of a [`Collection`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(u32);

/// No node, no property, no value.
const NONE: u32 = u32::MAX;

#[derive(Clone, Copy)]
pub(crate) struct NodeData {
    parent: u32,
    first_child: u32,
    next_sibling: u32,
    first_property: u32,
    property_count: u32,
}

#[derive(Clone, Copy)]
pub(crate) struct PropertyData {
    ident: Ident,
    first_value: u32,
    value_count: u32,
}

/// A part of a collection's text.
#[derive(Clone, Copy)]
pub(crate) struct Span {
    pub(crate) start: u32,
    pub(crate) len: u32,
}

impl NodeId {
    pub(crate) const fn index(self) -> usize {
        self.0 as usize
    }

    const fn from_link(link: u32) -> Option<Self> {
        match link {
            NONE => None,
            index => Some(Self(index)),
        }
    }
}

impl Collection {
    /// No game at all.
    pub fn new() -> Self {
        Self::default()
    }

    /// No game, but a text that values will be parts of.
    pub(crate) fn from_text(text: String) -> Self {
        Self {
            text,
            ..Self::default()
        }
    }

    /// Takes all games away, and keeps the memory for others. Returns the text.
    pub(crate) fn clear(&mut self) -> String {
        self.nodes.clear();
        self.properties.clear();
        self.values.clear();
        self.long_idents.clear();
        self.long_numbers.clear();
        self.first_root = None;
        std::mem::take(&mut self.text)
    }

    /// Puts a text before the one that there is: values that were repaired stand in a text of their own while a file
    /// is parsed, and their places count on from the file's end.
    pub(crate) fn put_before(&mut self, text: String) {
        let repaired = std::mem::replace(&mut self.text, text);
        self.text.push_str(&repaired);
    }

    /// The roots of all games, in order.
    pub fn roots(&self) -> impl Iterator<Item = Node<'_>> {
        self.siblings(self.first_root)
    }

    /// A node by its name.
    ///
    /// # Panics
    ///
    /// If the name is from another collection and has no node here.
    pub fn node(&self, id: NodeId) -> Node<'_> {
        assert!(
            id.index() < self.nodes.len(),
            "the node is from another collection"
        );
        Node {
            collection: self,
            id,
        }
    }

    /// How many nodes there are, in all games.
    pub fn node_count(&self) -> usize {
        self.nodes.len()
    }

    /// The text that the collection was parsed from, and behind it the values that were added since.
    pub fn text(&self) -> &str {
        &self.text
    }

    fn siblings(&self, first: Option<NodeId>) -> impl Iterator<Item = Node<'_>> {
        let mut next = first;
        std::iter::from_fn(move || {
            let id = next?;
            next = NodeId::from_link(self.nodes[id.index()].next_sibling);
            Some(self.node(id))
        })
    }

    /// Adds a game behind all others and returns its root.
    pub fn add_root(&mut self) -> NodeId {
        let id = self.new_node(None);
        match self.roots().last().map(|root| root.id) {
            Some(last) => self.link_sibling(last, id),
            None => self.first_root = Some(id),
        }
        id
    }

    /// Adds a node behind the other children of its parent.
    pub fn add_child(&mut self, parent: NodeId) -> NodeId {
        let id = self.new_node(Some(parent));
        match self.node(parent).children().last().map(|child| child.id) {
            Some(last) => self.link_sibling(last, id),
            None => self.link_child(parent, id),
        }
        id
    }

    /// A node that hangs nowhere yet.
    pub(crate) fn new_node(&mut self, parent: Option<NodeId>) -> NodeId {
        let id = NodeId(u32::try_from(self.nodes.len()).unwrap_or(NONE - 1));
        self.nodes.push(NodeData {
            parent: parent.map_or(NONE, |parent| parent.0),
            first_child: NONE,
            next_sibling: NONE,
            first_property: self.properties.len() as u32,
            property_count: 0,
        });
        id
    }

    pub(crate) fn link_sibling(&mut self, before: NodeId, id: NodeId) {
        self.nodes[before.index()].next_sibling = id.0;
    }

    pub(crate) fn link_child(&mut self, parent: NodeId, id: NodeId) {
        self.nodes[parent.index()].first_child = id.0;
    }

    /// Adds a property behind the others of a node; its values are texts that are escaped here. Its name is of capital
    /// letters.
    pub fn push_property<T: AsRef<str>>(
        &mut self,
        node: NodeId,
        name: &str,
        values: impl IntoIterator<Item = T>,
    ) {
        let first = self.push_values(name, values);
        self.add_property(node, name, first);
    }

    /// Replaces the values of a node's property, or adds it where the node has none.
    pub fn set_property<T: AsRef<str>>(
        &mut self,
        node: NodeId,
        name: &str,
        values: impl IntoIterator<Item = T>,
    ) {
        let first = self.push_values(name, values);
        let ident = self.ident(name);
        let count = (self.values.len() - first) as u32;
        match self.find_property(node, ident) {
            Some(index) => {
                self.properties[index].first_value = first as u32;
                self.properties[index].value_count = count;
            }
            None => self.add_property(node, name, first),
        }
    }

    /// Adds the values of a property and returns the number of the first. An empty list has one empty value.
    fn push_values<T: AsRef<str>>(
        &mut self,
        name: &str,
        values: impl IntoIterator<Item = T>,
    ) -> usize {
        let first = self.values.len();
        let kind = Ident::short(name.as_bytes()).map_or(Kind::Unknown, Kind::of);
        for value in values {
            let value = value.as_ref();
            let escaped = Value::escape(value);
            // In a value that is no text it would look as if a `]` were missing, and so it would in one of one line
            // that is broken.
            let is_safe = matches!(kind, Kind::Text | Kind::Unknown)
                || kind.is_text() && !value.contains(['\n', '\r']);
            if is_safe || !escaped.contains('[') {
                self.push_raw(&escaped);
            } else {
                self.push_raw(&escaped.replace('[', "\\["));
            }
        }
        if self.values.len() == first {
            self.push_raw("");
        }
        first
    }

    /// Takes a property away from a node; true if it was there.
    pub fn remove_property(&mut self, node: NodeId, name: &str) -> bool {
        let ident = self.ident(name);
        let Some(index) = self.find_property(node, ident) else {
            return false;
        };
        let data = &mut self.nodes[node.index()];
        data.property_count -= 1;
        let end = (data.first_property + data.property_count) as usize;
        self.properties.copy_within(index + 1..=end, index);
        true
    }

    /// A value as it will be written, escapes included.
    pub(crate) fn push_raw(&mut self, raw: &str) {
        let span = Span {
            start: self.text.len() as u32,
            len: raw.len() as u32,
        };
        self.text.push_str(raw);
        self.values.push(span);
    }

    /// Gives the values from `first_value` on to a new property of a node.
    fn add_property(&mut self, node: NodeId, name: &str, first_value: usize) {
        let ident = self.ident(name);
        self.close_property(node, ident, first_value);
    }

    /// [`Collection::add_property`] for a name that is known already.
    #[inline]
    pub(crate) fn close_property(&mut self, node: NodeId, ident: Ident, first_value: usize) {
        let data = self.nodes[node.index()];
        let range =
            data.first_property as usize..(data.first_property + data.property_count) as usize;
        // A node's properties are neighbours: those of a node that is not the last one move to the end.
        if range.end != self.properties.len() {
            self.nodes[node.index()].first_property = self.properties.len() as u32;
            self.properties.extend_from_within(range);
        }
        self.properties.push(PropertyData {
            ident,
            first_value: first_value as u32,
            value_count: (self.values.len() - first_value) as u32,
        });
        self.nodes[node.index()].property_count += 1;
    }

    /// The number of a property's name, which is remembered if it is long and new.
    pub(crate) fn ident(&mut self, name: &str) -> Ident {
        if let Some(ident) = self.known_ident(name) {
            return ident;
        }
        let number = self.long_idents.len() as u32;
        self.long_idents.push(name.into());
        self.long_numbers.insert(name.into(), number);
        Ident::long(number)
    }

    fn known_ident(&self, name: &str) -> Option<Ident> {
        Ident::short(name.as_bytes()).or_else(|| {
            let number = self.long_numbers.get(name)?;
            Some(Ident::long(*number))
        })
    }

    fn find_property(&self, node: NodeId, ident: Ident) -> Option<usize> {
        let data = self.nodes[node.index()];
        let first = data.first_property as usize;
        let properties = &self.properties[first..first + data.property_count as usize];
        let at = properties
            .iter()
            .position(|property| property.ident == ident)?;
        Some(first + at)
    }

    #[inline]
    pub(crate) fn slice(&self, span: Span) -> &str {
        &self.text[span.start as usize..(span.start + span.len) as usize]
    }
}

/// A node of a [`Collection`].
#[derive(Clone, Copy)]
pub struct Node<'a> {
    collection: &'a Collection,
    id: NodeId,
}

impl<'a> Node<'a> {
    /// Its name, which stays the same when the collection is changed.
    pub const fn id(self) -> NodeId {
        self.id
    }

    /// The collection that it is part of.
    pub const fn collection(self) -> &'a Collection {
        self.collection
    }

    fn data(self) -> &'a NodeData {
        &self.collection.nodes[self.id.index()]
    }

    /// The node before it; `None` for a root.
    pub fn parent(self) -> Option<Self> {
        let parent = NodeId::from_link(self.data().parent)?;
        Some(self.collection.node(parent))
    }

    /// The nodes behind it: the first continues the main line, others are variations.
    pub fn children(self) -> impl Iterator<Item = Self> {
        let first = NodeId::from_link(self.data().first_child);
        self.collection.siblings(first)
    }

    /// The first of its children.
    pub fn first_child(self) -> Option<Self> {
        let first = NodeId::from_link(self.data().first_child)?;
        Some(self.collection.node(first))
    }

    /// The next node with the same parent, or the next root.
    pub fn next_sibling(self) -> Option<Self> {
        let next = NodeId::from_link(self.data().next_sibling)?;
        Some(self.collection.node(next))
    }

    /// The node itself and the first child of each, to the end.
    pub fn main_line(self) -> impl Iterator<Item = Self> {
        std::iter::successors(Some(self), |node| node.first_child())
    }

    /// The nodes from the root to this one, both included.
    pub fn path(self) -> Vec<Self> {
        let mut path: Vec<Self> = std::iter::successors(Some(self), |node| node.parent()).collect();
        path.reverse();
        path
    }

    /// All nodes of the tree below this one, itself first, as they stand in the file.
    pub fn descendants(self) -> impl Iterator<Item = Self> {
        // Climbing back over the parents instead of a stack: a tree can be as deep as its file is long.
        let top = self;
        let mut next = Some(self);
        std::iter::from_fn(move || {
            let here = next?;
            next = here.first_child().or_else(|| {
                std::iter::successors(Some(here), |node| node.parent())
                    .take_while(|node| node.id != top.id)
                    .find_map(Self::next_sibling)
            });
            Some(here)
        })
    }

    /// The tree below this node as a collection of its own, with the values exactly as they were written.
    ///
    /// ```
    /// use tengen_sgf::{Collection, Mode};
    /// let games = Collection::parse("(;C[a \\] b](;B[aa])(;B[bb]))(;C[other])", Mode::Strict)?.collection;
    /// let first = games.roots().next().unwrap().to_collection();
    /// assert_eq!(first.to_string(), "(;C[a \\] b](;B[aa])(;B[bb]))");
    /// # Ok::<(), tengen_sgf::ParseError>(())
    /// ```
    pub fn to_collection(self) -> Collection {
        let mut copy = Collection::new();
        // The copies of the nodes on the way from the top to the last node that was copied.
        let mut trail: Vec<(NodeId, NodeId)> = Vec::new();
        for node in self.descendants() {
            let parent = node.parent().filter(|_| node.id != self.id);
            let id = copy.new_node(None);
            match parent {
                None => copy.first_root = Some(id),
                Some(parent) => {
                    let mut sibling = None;
                    while let Some((original, twin)) = trail.pop() {
                        if original == parent.id {
                            trail.push((original, twin));
                            break;
                        }
                        sibling = Some(twin);
                    }
                    let (_, above) = trail.last().copied().unwrap_or((parent.id, id));
                    copy.nodes[id.index()].parent = above.0;
                    match sibling {
                        Some(before) => copy.link_sibling(before, id),
                        None => copy.link_child(above, id),
                    }
                }
            }
            trail.push((node.id, id));
            for property in node.properties() {
                let first = copy.values.len();
                for value in property.values() {
                    copy.push_raw(value.raw());
                }
                copy.add_property(id, &property.name(), first);
            }
        }
        copy
    }

    /// Is the game Go, as far as its root says? Values of other games can be anything.
    pub fn is_go(self) -> bool {
        let game = self.value("GM").and_then(Value::number);
        game.is_none_or(|game| game == 1)
    }

    /// Its properties, in the order of the file.
    pub fn properties(self) -> impl ExactSizeIterator<Item = Property<'a>> {
        let data = self.data();
        let first = data.first_property as usize;
        let collection = self.collection;
        collection.properties[first..first + data.property_count as usize]
            .iter()
            .map(move |data| Property { collection, data })
    }

    /// The property with this name; the first, if there are several.
    pub fn property(self, name: &str) -> Option<Property<'a>> {
        let ident = self.collection.known_ident(name)?;
        let index = self.collection.find_property(self.id, ident)?;
        Some(Property {
            collection: self.collection,
            data: &self.collection.properties[index],
        })
    }

    /// The first value of the property with this name.
    pub fn value(self, name: &str) -> Option<Value<'a>> {
        self.property(name)?.values().next()
    }
}

impl PartialEq for Node<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id && std::ptr::eq(self.collection, other.collection)
    }
}

impl fmt::Debug for Node<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.properties()).finish()
    }
}

/// A property of a [`Node`]: a name and its values.
#[derive(Clone, Copy)]
pub struct Property<'a> {
    collection: &'a Collection,
    data: &'a PropertyData,
}

impl<'a> Property<'a> {
    pub(crate) const fn ident(self) -> Ident {
        self.data.ident
    }

    /// Is this its name?
    pub fn is(self, name: &str) -> bool {
        Some(self.data.ident) == self.collection.known_ident(name)
    }

    /// Writes its name.
    pub(crate) fn write_name(self, out: &mut String) {
        match self.data.ident.resolve() {
            Ok(number) => out.push_str(&self.collection.long_idents[number as usize]),
            Err((bytes, start)) => out.extend(bytes[start..].iter().map(|byte| char::from(*byte))),
        }
    }

    /// Its name.
    pub fn name(self) -> String {
        let mut name = String::new();
        self.write_name(&mut name);
        name
    }

    /// Its values, in the order of the file.
    pub fn values(self) -> impl ExactSizeIterator<Item = Value<'a>> {
        let first = self.data.first_value as usize;
        let collection = self.collection;
        collection.values[first..first + self.data.value_count as usize]
            .iter()
            .map(move |span| Value::new(collection.slice(*span), span.start as usize))
    }

    /// The points of its values, rectangles included, as far as boards of up to 25×25 have them.
    pub fn points(self) -> PointSet {
        let points = self.values().filter_map(Value::points).flatten();
        points.filter_map(SgfPoint::to_point).collect()
    }

    /// Its first value as it was written.
    pub fn value(self) -> Option<Value<'a>> {
        self.values().next()
    }
}

impl fmt::Debug for Property<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name())?;
        f.debug_list()
            .entries(self.values().map(Value::raw))
            .finish()
    }
}

/// Collections are equal when their trees, property names and raw values are.
impl PartialEq for Collection {
    fn eq(&self, other: &Self) -> bool {
        let shape = |node: Node<'_>| (node.first_child().is_some(), node.next_sibling().is_some());
        let same_values = |a: Property<'_>, b: Property<'_>| {
            a.name() == b.name() && a.values().map(Value::raw).eq(b.values().map(Value::raw))
        };
        let same_node = |a: Node<'_>, b: Node<'_>| {
            shape(a) == shape(b)
                && a.properties().len() == b.properties().len()
                && a.properties()
                    .zip(b.properties())
                    .all(|(a, b)| same_values(a, b))
        };
        let same_tree = |(a, b): (Node<'_>, Node<'_>)| {
            let mut pairs = a.descendants().zip(b.descendants());
            pairs.all(|(a, b)| same_node(a, b))
        };
        self.roots().count() == other.roots().count()
            && self.roots().zip(other.roots()).all(same_tree)
    }
}

impl Eq for Collection {}

impl fmt::Debug for Collection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_string())
    }
}
