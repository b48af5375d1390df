//! Problems of life and death: collections of them, and what the solver says about a position on the way.

use serde::{Deserialize, Serialize};
use tengen_core::{Color, Move, PointSet, Setup, Size};
use tengen_sgf::{Collection, Node};
use tengen_solver::local::{Problem, Solver, TargetStatus, Wanted};

use crate::aside::{Apart, Look};
use crate::call::{Caller, about_game};
use crate::edit::read_point;
use crate::game_tree::GameTree;
use crate::limits::Limits;
use crate::refusal::{Refusal, Result};
use crate::request::OpenFile;
use crate::room::Room;
use crate::score::names;
use crate::upload::{self, Remark};
use crate::view::action_text;

/// More problems than this are not read from a file.
const MOST_PROBLEMS: usize = 2000;

/// The memory in which the solver judges a position. It bounds the time as well: a second or two.
const JUDGE_BYTES: u64 = 32 << 20;

/// The problems of a file.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct ProblemSet {
    /// The problems, in the order of the file.
    pub problems: Vec<ProblemMessage>,
    /// What was wrong with the file.
    pub diagnostics: Vec<Remark>,
}

/// A problem.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(rename = "Problem"))]
pub(crate) struct ProblemMessage {
    /// What the record calls it.
    pub title: Option<String>,
    /// The number of columns.
    pub width: u8,
    /// The number of rows.
    pub height: u8,
    /// The position as a diagram that `games.new` takes.
    pub position: String,
    /// Whose turn it is.
    #[cfg_attr(test, schemars(with = "crate::words::Color"))]
    pub to_move: Color,
    /// The stones that it is about, if the record marks any (TR, SQ, CR or MA).
    #[cfg_attr(test, schemars(with = "Vec<crate::words::Point>"))]
    pub target: Vec<String>,
    /// Where is played, if the record selects a part of the board (SL or VW).
    #[cfg_attr(test, schemars(with = "Vec<crate::words::Point>"))]
    pub region: Vec<String>,
    /// What is to be done, if the record says so (GE): `capture`, `save` or `live`.
    pub goal: Option<String>,
    /// How hard the record says that it is (DI), such as `15k`.
    pub level: Option<String>,
    /// What the record says about it.
    pub comment: String,
    /// The solution.
    pub tree: SolutionTree,
}

/// A solution: the moves of a record, by node. Node 0 is the position of the problem.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct SolutionTree {
    /// The node before each; null for the first one.
    pub parents: Vec<Option<usize>>,
    /// The moves.
    #[cfg_attr(test, schemars(with = "Vec<crate::words::Turn>"))]
    pub moves: Vec<String>,
    /// Does a right line lead through the node? What the record marks as wrong (BM, or in words) is not right; if it
    /// marks what is right in words, only that is; if it marks nothing, the main line is.
    pub right: Vec<bool>,
    /// What the record says about the nodes.
    pub comments: Vec<String>,
}

#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct JudgeProblem {
    /// The game.
    #[cfg_attr(test, schemars(with = "crate::words::GameId"))]
    pub game: String,
    /// The node. The problem is the position before the first move; all moves up to the node are tries at it.
    #[cfg_attr(test, schemars(with = "crate::words::Node"))]
    pub node: usize,
    /// The stones to capture or to save; they are found out if this is left out.
    #[cfg_attr(test, schemars(with = "Option<Vec<crate::words::Point>>"))]
    pub target: Option<Vec<String>>,
    /// Where may be played; it is found out if this is left out.
    #[cfg_attr(test, schemars(with = "Option<Vec<crate::words::Point>>"))]
    pub region: Option<Vec<String>>,
}

/// What the solver says about a position of a problem.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct JudgedPosition {
    /// What becomes of the target when the player to move goes on.
    pub verdict: VerdictName,
    /// Is the target captured already, or safe even if its owner plays no more?
    pub decided: bool,
    /// All moves that reach as much as can be reached; a pass if none is needed.
    #[cfg_attr(test, schemars(with = "Vec<crate::words::Move>"))]
    pub moves: Vec<String>,
    /// What to play: the shortest way to that, or the move that holds out longest.
    #[cfg_attr(test, schemars(with = "Option<crate::words::Move>"))]
    pub reply: Option<String>,
    /// The moves of the longest line until it is decided, if they are known.
    pub length: Option<u32>,
}

/// What becomes of stones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub(crate) enum VerdictName {
    /// They are captured, whatever ko threats there are.
    Dies,
    /// They are made alive, whatever ko threats there are.
    Lives,
    /// They are never captured, but not made alive.
    Seki,
    /// They are never captured.
    Stands,
    /// That depends on ko threats.
    Ko,
    /// That depends on what repetitions do.
    Repetition,
    /// It is too much to be found out here.
    Open,
}

impl From<TargetStatus> for VerdictName {
    fn from(status: TargetStatus) -> Self {
        match status {
            TargetStatus::Dies => Self::Dies,
            TargetStatus::Lives => Self::Lives,
            TargetStatus::Seki => Self::Seki,
            TargetStatus::Stands => Self::Stands,
            TargetStatus::Ko => Self::Ko,
            TargetStatus::Repetition => Self::Repetition,
            TargetStatus::Open => Self::Open,
        }
    }
}

/// Reads a collection of problems. They become no games.
pub(crate) fn read(room: &mut Room, params: OpenFile, _: Caller) -> Result<Apart<ProblemSet>> {
    let limits = Limits {
        games_of_a_file: MOST_PROBLEMS,
        ..room.settings().limits
    };
    Ok(Apart(Box::new(move || {
        let (games, diagnostics) = upload::read_games(params, &limits)?;
        let problems = games.into_iter().filter_map(problem).collect();
        Ok(ProblemSet {
            problems,
            diagnostics,
        })
    })))
}

/// The problem of a record, if there is a position in it.
fn problem(record: Collection) -> Option<ProblemMessage> {
    let tree = GameTree::new(record).ok()?;
    let has_move = |node: Node<'_>| ["B", "W"].iter().any(|name| node.property(name).is_some());
    // The position may be set up behind a root that only has facts.
    let before = tree.root().main_line().take_while(|node| !has_move(*node));
    let start = before.last()?;
    let mut setup = tree.trail(tree.number(start)).ok()?.game.position();
    let size = setup.size;
    if let Some((color, _)) = start
        .first_child()
        .and_then(|next| tree.turn(tree.number(next)))
    {
        setup.to_move = color;
    }
    let line = |name: &str| {
        let here = tree.line(tree.number(start), name);
        here.or_else(|| tree.line(0, name))
    };
    let points = |properties: &[&str]| {
        let found = properties.iter().filter_map(|name| start.property(name));
        found.fold(PointSet::EMPTY, |set, property| set | property.points())
    };
    let target = points(&["TR", "SQ", "CR", "MA"]);
    let stones = setup.stones;
    let is_of_one_player = target.is_subset(&stones.black) || target.is_subset(&stones.white);
    let target = match is_of_one_player {
        true => target,
        false => PointSet::EMPTY,
    };
    let text = start.value("C").map(|value| value.text().into_owned());
    Some(ProblemMessage {
        title: line("GN"),
        width: size.width(),
        height: size.height(),
        position: diagram(&setup),
        to_move: setup.to_move,
        target: names(&target, size),
        region: names(&(points(&["SL", "VW"]) & size.points()), size),
        goal: line("GE").filter(|goal| ["capture", "save", "live"].contains(&goal.as_str())),
        level: line("DI"),
        comment: text.unwrap_or_default(),
        tree: solution(&tree, start),
    })
}

/// A position as `games.new` reads it.
fn diagram(setup: &Setup) -> String {
    let letter = |point| match () {
        () if setup.stones.black.contains(point) => 'X',
        () if setup.stones.white.contains(point) => 'O',
        () => '.',
    };
    let width = usize::from(setup.size.width());
    let letters: Vec<char> = setup.size.points().iter().map(letter).collect();
    let rows = letters.chunks(width);
    let rows: Vec<String> = rows.map(|row| row.iter().collect()).collect();
    let player = match setup.to_move {
        Color::Black => "Black",
        Color::White => "White",
    };
    format!("{}\n{player} to move", rows.join("\n"))
}

/// What comments of collections say about a line that works, and about one that does not.
const RIGHT_WORDS: [&str; 5] = ["right", "correct", "正解", "正确", "정답"];
const WRONG_WORDS: [&str; 6] = ["wrong", "incorrect", "fail", "失败", "失敗", "실패"];

fn solution(tree: &GameTree, start: Node<'_>) -> SolutionTree {
    let nodes: Vec<Node<'_>> = start.descendants().collect();
    let place = |node: Node<'_>| nodes.iter().position(|one| one.id() == node.id());
    let parents: Vec<Option<usize>> = nodes
        .iter()
        .map(|node| match node.id() == start.id() {
            true => None,
            false => node.parent().and_then(place),
        })
        .collect();
    let comments: Vec<String> = nodes
        .iter()
        .map(|node| {
            node.value("C")
                .map_or_else(String::new, |value| value.text().into_owned())
        })
        .collect();
    let says = |at: usize, words: &[&str]| {
        let text = comments[at].to_lowercase();
        at > 0 && words.iter().any(|word| text.contains(word))
    };
    let is_wrong = |at: usize| nodes[at].property("BM").is_some() || says(at, &WRONG_WORDS);
    let is_right = |at: usize| says(at, &RIGHT_WORDS) && !is_wrong(at);
    let all = 0..nodes.len();
    let names_right = all.clone().any(is_right);
    let names_wrong = all.clone().any(is_wrong);
    // Marks hold for all that follows.
    let mut lines: Vec<(bool, bool, bool)> = Vec::new();
    for at in all.clone() {
        let above = parents[at].map_or((false, false, true), |parent| lines[parent]);
        let is_first =
            nodes[at].parent().and_then(Node::first_child).map(Node::id) == Some(nodes[at].id());
        lines.push((
            above.0 || is_right(at),
            above.1 || is_wrong(at),
            above.2 && (at == 0 || is_first),
        ));
    }
    let mut right = vec![false; nodes.len()];
    for at in all.rev() {
        let (was_right, was_wrong, is_main) = lines[at];
        let is_leaf = nodes[at].first_child().is_none();
        let leads = match (names_right, names_wrong) {
            (true, _) => was_right && !was_wrong,
            (false, true) => !was_wrong,
            (false, false) => is_main,
        };
        right[at] |= is_leaf && leads;
        if let Some(parent) = parents[at] {
            right[parent] |= right[at];
        }
    }
    SolutionTree {
        moves: nodes
            .iter()
            .map(|node| action_text(tree, tree.number(*node)))
            .collect(),
        parents,
        right,
        comments,
    }
}

/// Judges a position of a problem that somebody tries to solve.
pub(crate) fn judge(
    room: &mut Room,
    params: JudgeProblem,
    _: Caller,
) -> Result<Look<JudgedPosition>> {
    let table = room.table(&params.game)?;
    table.tree.node(params.node)?;
    let tree = table.tree.clone();
    let about = about_game(table, None);
    Ok(Look {
        about,
        make: Box::new(move || judged(&tree, &params)),
    })
}

fn judged(tree: &GameTree, params: &JudgeProblem) -> Result<JudgedPosition> {
    let size = tree.size();
    let mut setup = Setup::empty(size);
    let mut line: Vec<(Color, Move)> = Vec::new();
    tree.walk(params.node, |node, replay| {
        match tree.turn(tree.number(node)) {
            Some(turn) => line.push(turn),
            None => {
                setup = replay.game().position();
                line.clear();
            }
        }
    })?;
    if let Some((color, _)) = line.first() {
        setup.to_move = *color;
    }
    let first = setup.to_move;
    let moves: Vec<Move> = line.iter().map(|(_, action)| *action).collect();
    let next = match line.last() {
        Some((color, _)) => !*color,
        None => first,
    };
    let alternates = line.windows(2).all(|pair| pair[0].0 != pair[1].0);
    let wanted = Wanted {
        region: points(params.region.as_deref(), size)?,
        target: points(params.target.as_deref(), size)?,
    };
    let problem = Problem::find(&setup, wanted).map_err(Refusal::params)?;
    let mut solver = Solver::new(problem.with_first(first), JUDGE_BYTES);
    if !alternates || !solver.advance_to(&moves) {
        return Err(Refusal::params(
            "these moves are not made in turn in one part of the board",
        ));
    }
    let judged = solver.judge(next);
    let gtp = |action: &Move| action.to_gtp(size);
    Ok(JudgedPosition {
        verdict: judged.answer.verdict.into(),
        decided: judged.decided,
        moves: judged.answer.moves.iter().map(gtp).collect(),
        reply: judged.reply.as_ref().map(gtp),
        length: judged.length,
    })
}

/// The points that somebody has named; `None` if there are none.
fn points(named: Option<&[String]>, size: Size) -> Result<Option<PointSet>> {
    let named = named.unwrap_or_default().iter();
    let points: Result<PointSet> = named.map(|name| read_point(name, size)).collect();
    points.map(|points| (!points.is_empty()).then_some(points))
}
