//! Nodes of game trees, as Python sees them.

use std::hash::{Hash, Hasher};

use pyo3::exceptions::{PyKeyError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyIterator, PyList, PyTuple};
use tengen_core::{Diagram, Move};
use tengen_render::Picture;
use tengen_sgf::{GameInfo, GameSettings, Mode, NodeId, Replay, Value};

use crate::collection::Collection;
use crate::color::Color;
use crate::game::Game;
use crate::markup;
use crate::pickle;
use crate::picture::{self, Subject};
use crate::sgf_error;
use crate::vertex::Vertex;

/// A node of a game tree. Its properties are read and written like those of a dict: a name and a list of texts.
///
/// >>> from tengen import sgf
/// >>> root = sgf.loads('(;SZ[9];B[ee]C[The centre.](;W[gc])(;W[cg]C[Or here.]))')[0]
/// >>> for node in root.main_line():
/// ...     print(node.move, repr(node.comment))
/// None ''
/// ('black', 'E5') 'The centre.'
/// ('white', 'G7') ''
/// >>> variation = root.next.children[1]
/// >>> variation.comment
/// 'Or here.'
/// >>> variation.game().moves
/// ['E5', 'C3']
#[pyclass(frozen, eq, hash, module = "tengen.sgf")]
pub(crate) struct Node {
    collection: Py<Collection>,
    id: NodeId,
}

/// What a picture of a node is made of, without a lock.
struct Position {
    replay: Replay,
    picture: Picture,
}

impl Node {
    pub(crate) const fn new(collection: Py<Collection>, id: NodeId) -> Self {
        Self { collection, id }
    }

    /// Looks at the node. No Python may run meanwhile.
    fn with<T>(&self, look: impl FnOnce(tengen_sgf::Node<'_>) -> T) -> T {
        look(self.collection.get().lock().node(self.id))
    }

    /// Another node of the same collection.
    fn sibling(&self, py: Python<'_>, id: NodeId) -> Self {
        Self::new(self.collection.clone_ref(py), id)
    }

    /// Other nodes of the same collection.
    fn nodes(
        &self,
        py: Python<'_>,
        find: impl FnOnce(tengen_sgf::Node<'_>) -> Vec<NodeId>,
    ) -> Vec<Self> {
        let found = self.with(find);
        found.into_iter().map(|id| self.sibling(py, id)).collect()
    }

    fn replay(&self, mode: Mode) -> PyResult<Replay> {
        self.with(|node| Replay::to_node(node, mode))
            .map_err(|problem| sgf_error::unplayable(&problem))
    }

    fn position(&self) -> PyResult<Position> {
        let replay = self.replay(Mode::Lenient)?;
        let picture = Picture::new(replay.game().board());
        let picture = self.with(|node| markup::draw(picture, node));
        Ok(Position { replay, picture })
    }

    fn picture(&self, options: Option<&Bound<'_, PyDict>>) -> PyResult<Picture> {
        let Position { replay, picture } = self.position()?;
        let game = replay.game();
        // Where a record sets stones up, a game's own count starts anew.
        let before = replay.moves() - game.turns().len();
        Subject::of_game(game, before).draw(picture, options)
    }

    fn text(&self, name: &str) -> Option<String> {
        self.with(|node| node.value(name).map(|value| value.text().into_owned()))
    }
}

impl PartialEq for Node {
    fn eq(&self, other: &Self) -> bool {
        self.collection.is(&other.collection) && self.id == other.id
    }
}

impl Hash for Node {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.id.hash(state);
        self.collection.as_ptr().hash(state);
    }
}

/// Refuses names that would not be read again.
fn check_name(name: &str) -> PyResult<()> {
    if !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_uppercase()) {
        return Ok(());
    }
    Err(PyValueError::new_err(format!(
        "{name:?} is no name of a property: use capital letters such as 'C' or 'SZ'"
    )))
}

/// Where a node is among others.
fn place_of(node: NodeId, others: impl Iterator<Item = NodeId>) -> usize {
    others.take_while(|other| *other != node).count()
}

/// The root of the game that a node is in.
fn root(node: tengen_sgf::Node<'_>) -> tengen_sgf::Node<'_> {
    let line = std::iter::successors(Some(node), |node| node.parent());
    line.last().unwrap_or(node)
}

/// The move of a node, if it has one that can be read.
fn read_move(node: tengen_sgf::Node<'_>) -> Option<(Color, String)> {
    let (settings, _) = GameSettings::of(root(node)).ok()?;
    let colors = tengen_core::Color::BOTH.into_iter();
    let (color, value) = colors.into_iter().find_map(|color| {
        let value = node.value(color.letter().encode_utf8(&mut [0; 4]))?;
        Some((color, value))
    })?;
    let action = Move::from_sgf(value.raw().trim(), settings.size).ok()?;
    Some((color.into(), action.to_gtp(settings.size)))
}

#[pymethods]
impl Node {
    /// The collection that it is part of.
    #[getter]
    fn collection(&self, py: Python<'_>) -> Py<Collection> {
        self.collection.clone_ref(py)
    }

    /// The node before it; None for a root.
    #[getter]
    fn parent(&self, py: Python<'_>) -> Option<Self> {
        let parent = self.with(|node| node.parent().map(tengen_sgf::Node::id));
        parent.map(|id| self.sibling(py, id))
    }

    /// The root of its game.
    #[getter]
    fn root(&self, py: Python<'_>) -> Self {
        let id = self.with(|node| root(node).id());
        self.sibling(py, id)
    }

    /// The nodes behind it: the first continues the main line, others are variations.
    #[getter]
    fn children(&self, py: Python<'_>) -> Vec<Self> {
        self.nodes(py, |node| {
            node.children().map(tengen_sgf::Node::id).collect()
        })
    }

    /// The first of its children, or None at the end.
    #[getter]
    fn next(&self, py: Python<'_>) -> Option<Self> {
        let next = self.with(|node| node.first_child().map(tengen_sgf::Node::id));
        next.map(|id| self.sibling(py, id))
    }

    /// The node itself and the first child of each, to the end.
    fn main_line(&self, py: Python<'_>) -> Vec<Self> {
        self.nodes(py, |node| {
            node.main_line().map(tengen_sgf::Node::id).collect()
        })
    }

    /// The nodes from the root to this one, both included.
    fn path(&self, py: Python<'_>) -> Vec<Self> {
        self.nodes(py, |node| {
            let path = node.path().into_iter();
            path.map(tengen_sgf::Node::id).collect()
        })
    }

    /// All nodes of the tree below it, itself first, as they stand in the file.
    fn descendants(&self, py: Python<'_>) -> Vec<Self> {
        self.nodes(py, |node| {
            node.descendants().map(tengen_sgf::Node::id).collect()
        })
    }

    /// The move of the node: a colour and a point such as 'D4' or 'pass'. None if it has none.
    #[getter]
    fn r#move(&self) -> Option<(Color, String)> {
        self.with(read_move)
    }

    /// The comment, empty if there is none. It can be set.
    #[getter]
    fn comment(&self) -> String {
        self.text("C").unwrap_or_default()
    }

    #[setter]
    fn set_comment(&self, text: &str) {
        let mut collection = self.collection.get().lock();
        if text.is_empty() {
            collection.remove_property(self.id, "C");
        } else {
            collection.set_property(self.id, "C", [text]);
        }
    }

    /// The first value of a property as text, or `default`.
    #[pyo3(signature = (name, default=None))]
    fn get(&self, name: &str, default: Option<String>) -> Option<String> {
        self.text(name).or(default)
    }

    /// All properties, in the order of the file.
    ///
    /// >>> sgf.loads('(;AB[aa][bb]C[It says \\]])')[0].properties
    /// {'AB': ['aa', 'bb'], 'C': ['It says ]']}
    #[getter]
    fn properties<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let properties: Vec<(String, Vec<String>)> = self.with(|node| {
            let text = |value: Value<'_>| value.text().into_owned();
            let properties = node.properties();
            properties
                .map(|property| (property.name(), property.values().map(text).collect()))
                .collect()
        });
        let dict = PyDict::new(py);
        for (name, values) in properties {
            dict.set_item(name, values)?;
        }
        Ok(dict)
    }

    /// The values of a property exactly as the file has them, escapes included.
    ///
    /// >>> sgf.loads('(;C[It says \\]])')[0].raw('C')
    /// ['It says \\]']
    fn raw(&self, name: &str) -> PyResult<Vec<String>> {
        let values = self.with(|node| {
            let property = node.property(name)?;
            Some(
                property
                    .values()
                    .map(|value| value.raw().to_owned())
                    .collect(),
            )
        });
        values.ok_or_else(|| PyKeyError::new_err(name.to_owned()))
    }

    fn __getitem__(&self, name: &str) -> PyResult<Vec<String>> {
        let values = self.with(|node| {
            let property = node.property(name)?;
            Some(
                property
                    .values()
                    .map(|value| value.text().into_owned())
                    .collect(),
            )
        });
        values.ok_or_else(|| PyKeyError::new_err(name.to_owned()))
    }

    fn __setitem__(&self, name: &str, values: &Bound<'_, PyAny>) -> PyResult<()> {
        check_name(name)?;
        let values = match values.extract::<String>() {
            Ok(text) => vec![text],
            Err(_) => values.extract::<Vec<String>>()?,
        };
        let mut collection = self.collection.get().lock();
        collection.set_property(self.id, name, values);
        Ok(())
    }

    fn __delitem__(&self, name: &str) -> PyResult<()> {
        let removed = self.collection.get().lock().remove_property(self.id, name);
        if removed {
            Ok(())
        } else {
            Err(PyKeyError::new_err(name.to_owned()))
        }
    }

    fn __contains__(&self, name: &str) -> bool {
        self.with(|node| node.property(name).is_some())
    }

    /// The names of its properties, in the order of the file.
    fn keys(&self) -> Vec<String> {
        self.with(|node| node.properties().map(tengen_sgf::Property::name).collect())
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        PyList::new(py, self.keys())?.as_any().try_iter()
    }

    /// Adds an empty node behind the other children.
    fn add_child(&self, py: Python<'_>) -> Self {
        let child = self.collection.get().lock().add_child(self.id);
        self.sibling(py, child)
    }

    /// Adds a node with this move behind the other children. The move is written as for `Game.play`, and not judged.
    ///
    /// >>> root = sgf.loads('(;SZ[9])')[0]
    /// >>> root.add_move('black', 'E5').add_move('white', 'pass').comment = 'Really?'
    /// >>> print(root.collection)
    /// (;SZ[9];B[ee];W[]C[Really?])
    fn add_move(&self, py: Python<'_>, color: Color, r#move: &Bound<'_, PyAny>) -> PyResult<Self> {
        let settings = self.with(|node| GameSettings::of(root(node)));
        let (settings, _) = settings.map_err(|problem| sgf_error::unplayable(&problem))?;
        let action = Vertex::read_move(r#move, settings.size)?;
        let mut collection = self.collection.get().lock();
        let child = collection.add_child(self.id);
        let name = color.0.letter().to_string();
        collection.push_property(child, &name, [action.to_sgf()]);
        drop(collection);
        Ok(self.sibling(py, child))
    }

    /// The game up to this node. Illegal moves are played all the same, unless `strict` makes them an SgfError.
    #[pyo3(signature = (*, strict=false))]
    fn game(&self, strict: bool) -> PyResult<Game> {
        let mode = if strict { Mode::Strict } else { Mode::Lenient };
        Ok(Game::new_from(self.replay(mode)?.into_game()))
    }

    /// How many moves were made up to this node, from the root on.
    #[getter]
    fn move_number(&self) -> usize {
        self.with(|node| {
            let line = std::iter::successors(Some(node), |node| node.parent());
            let moves = |node: tengen_sgf::Node<'_>| {
                let values = ["B", "W"].map(|name| {
                    node.property(name)
                        .map_or(0, |property| property.values().len())
                });
                values[0] + values[1]
            };
            line.map(moves).sum()
        })
    }

    /// Who played, when and how it ended, as the game's record says; empty where it says nothing.
    ///
    /// >>> info = sgf.loads('(;SZ[9]PB[Alice]RE[B+R];B[ee])')[0].info
    /// >>> info['black'], info['result'], info['moves']
    /// ('Alice', 'B+R', 1)
    #[getter]
    fn info<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let info = self.with(|node| GameInfo::of(root(node)));
        let dict = PyDict::new(py);
        for (name, text) in [
            ("black", info.black),
            ("black_rank", info.black_rank),
            ("white", info.white),
            ("white_rank", info.white_rank),
            ("result", info.result),
            ("date", info.date),
            ("event", info.event),
            ("place", info.place),
            ("rules", info.rules),
            ("komi", info.komi),
            ("handicap", info.handicap),
            ("size", info.size),
        ] {
            dict.set_item(name, text)?;
        }
        dict.set_item("moves", info.moves)?;
        dict.set_item("nodes", info.nodes)?;
        Ok(dict)
    }

    /// The tree from this node on as a game of its own, each value as it was read.
    fn to_sgf(&self, py: Python<'_>) -> String {
        py.detach(|| self.collection.get().lock().node(self.id).to_sgf())
    }

    /// The picture of its position as an SVG, with the marks, labels and lines of the record; the keywords are those of
    /// `Game.svg`.
    ///
    /// >>> node = sgf.loads('(;SZ[9];B[ee]LB[cc:A])')[0].next
    /// >>> '>A</text>' in node.svg(coordinates=False)
    /// True
    #[pyo3(signature = (**options))]
    fn svg(&self, py: Python<'_>, options: Option<&Bound<'_, PyDict>>) -> PyResult<String> {
        Ok(picture::svg(py, &self.picture(options)?))
    }

    /// The picture of its position as a PNG of this width in pixels, with the keywords of `svg`.
    #[pyo3(signature = (width=640, **options))]
    fn png<'py>(
        &self,
        py: Python<'py>,
        width: u32,
        options: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        picture::png(py, &self.picture(options)?, width)
    }

    fn _repr_svg_(&self, py: Python<'_>) -> PyResult<String> {
        self.svg(py, None)
    }

    fn _repr_html_(&self, py: Python<'_>) -> PyResult<String> {
        let title = match self.r#move() {
            Some((Color(color), point)) => {
                format!("Move {}, {color} {point}\n", self.move_number())
            }
            None => String::new(),
        };
        Ok(picture::html(
            &self.svg(py, None)?,
            &(title + &self.comment()),
        ))
    }

    /// The board, then the comment.
    fn __str__(&self) -> PyResult<String> {
        let replay = self.replay(Mode::Lenient)?;
        let game = replay.game();
        let last = game.last_turn().and_then(|turn| turn.action.point());
        let diagram = Diagram::new(game.board()).last(last);
        Ok(format!("{diagram}{}", self.comment()))
    }

    fn __repr__(&self) -> String {
        let properties = self.with(|node| {
            let mut text = String::new();
            for property in node.properties() {
                text.push_str(&property.name());
                for value in property.values() {
                    text.push_str(&format!("[{}]", value.raw()));
                }
            }
            text
        });
        let mut short: String = properties.chars().take(60).collect();
        if short.len() < properties.len() {
            short.push('…');
        }
        format!("<Node ;{}>", short.replace(['\n', '\r'], " "))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        // A collection that is read again has other numbers for its nodes: the way down the tree is the same.
        let way = self.with(|node| {
            let path = node.path();
            let roots = path[0].collection().roots();
            let root = roots.map(tengen_sgf::Node::id);
            let mut way = vec![place_of(path[0].id(), root)];
            way.extend(path.windows(2).map(|pair| {
                let siblings = pair[0].children().map(tengen_sgf::Node::id);
                place_of(pair[1].id(), siblings)
            }));
            way
        });
        pickle::reduce::<Self>(py, (self.collection.clone_ref(py), way))
    }

    #[staticmethod]
    fn _restore(collection: Py<Collection>, way: Vec<usize>) -> PyResult<Self> {
        let found = {
            let games = collection.get().lock();
            let mut way = way.into_iter();
            let root = way.next().and_then(|root| games.roots().nth(root));
            root.and_then(|root| way.try_fold(root, |node, child| node.children().nth(child)))
                .map(tengen_sgf::Node::id)
        };
        let id = found.ok_or_else(|| pickle::damaged("Node"))?;
        Ok(Self { collection, id })
    }
}
