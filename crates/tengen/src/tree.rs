//! `tengen tree`: the solved tree of a small board as a game record.

use std::collections::HashSet;
use std::io::{self, Write};
use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::{Args, ValueEnum};
use tengen_core::{Color, Komi, Move, Point, Setup};
use tengen_files::write_whole;
use tengen_sgf::{Collection, NodeId};
use tengen_solver::tree::{Next, Node, Options, Policy, Tree};

use crate::failure::Usage;
use crate::solve::problem::Problem;

/// Solve every situation of a small board and write the tree as SGF.
///
/// Situations that are turned, mirrored or have the colours exchanged are one node. Where a node comes up again, it is
/// not followed a second time: its number tells where it was. Equal replies are shown once. A second pass, which ends
/// the game, is not shown.
///
/// A node's comment is `[123]9`: node 123, and whoever has just moved gets 9 points at the end, half of what belongs to
/// nobody included. `[123]3..9` is a node in which repetitions decide: 3 if a game that goes on for ever is lost, 9 if
/// it is won. These are the bounds of `tengen solve`.
/// TE marks nodes in which Black wins, IT those in which White does.
#[derive(Args)]
#[command(after_long_help = "\
Examples:
  tengen tree 2x2 --out 2x2.sgf
  tengen tree 3x3 --strategy black --out 3x3.sgf
  tengen tree position.txt --depth 4
  tengen tree game.sgf --move 3 --depth 2

In Sabaki, show the game tree and the comments: nodes in which Black wins are green, those in which White wins are
blue, passes are squares.")]
pub(crate) struct TreeArgs {
    /// A size such as 3x3, a diagram (a file, - or rows with / between them) or a game record.
    board: String,
    /// The position after this move of a record; the last one by default.
    #[arg(long = "move", value_name = "N")]
    number: Option<usize>,
    /// Which moves are looked at.
    #[arg(long, value_enum, default_value_t)]
    policy: PolicyName,
    /// Show what this player has to do to get what the score promises, and all replies: black or white.
    #[arg(long, value_name = "COLOUR")]
    strategy: Option<Color>,
    /// Show so many moves.
    #[arg(long, value_name = "N")]
    depth: Option<usize>,
    /// White's komi, for the marks of who wins.
    #[arg(long, default_value = "0", allow_negative_numbers = true)]
    komi: Komi,
    /// Give up beyond so many nodes.
    #[arg(long, value_name = "N", default_value_t = Options::default().most_nodes)]
    most_nodes: usize,
    /// The file to write, instead of standard output.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// Which moves are looked at.
#[derive(Clone, Copy, Default, ValueEnum)]
enum PolicyName {
    /// All that are legal under simple ko; scores are exact.
    #[default]
    Legal,
    /// Unsound: own eyes and big eyes are not filled, a pass is the last resort, a second pass needs settled territory.
    PlayerRules,
}

/// Grows the tree and writes it.
pub(crate) fn run(args: &TreeArgs) -> Result<()> {
    let problem = Problem::read(&args.board, args.number, None)?;
    if problem.passed {
        return Err(Usage::new(format_args!(
            "{}: the last move is a pass; choose an earlier one with --move",
            args.board
        ))
        .into());
    }
    let start = problem.setup;
    let options = Options {
        policy: match args.policy {
            PolicyName::Legal => Policy::Legal,
            PolicyName::PlayerRules => Policy::PlayerRules,
        },
        most_nodes: args.most_nodes,
    };
    let tree = Tree::grow(start, &options).map_err(Usage::new)?;
    let record = Picture::of(&tree, args).record().to_string();
    match &args.out {
        None => io::stdout().lock().write_all(record.as_bytes())?,
        Some(path) => {
            write_whole(path, record.as_bytes()).context("cannot write the record")?;
        }
    }
    Ok(())
}

/// The tree as it is shown: each node once with what follows it.
struct Picture<'a> {
    tree: &'a Tree,
    komi: Komi,
    shown: Vec<Shown>,
}

/// A node in one place of the record.
struct Shown {
    setup: Setup,
    node: u32,
    /// The move that leads here; none at the start.
    action: Option<Move>,
    depth: usize,
    /// Is it followed elsewhere?
    again: bool,
    children: Vec<usize>,
}

impl<'a> Picture<'a> {
    fn of(tree: &'a Tree, args: &TreeArgs) -> Self {
        let choices = args.strategy.map(|player| (player, tree.strategy(player)));
        let mut picture = Self {
            tree,
            komi: args.komi,
            shown: vec![Shown {
                setup: tree.root().setup,
                node: 0,
                action: None,
                depth: 0,
                again: false,
                children: Vec::new(),
            }],
        };
        // With a strategy a node can come up in two ways: on one side's turn or on the other's.
        let mut followed: HashSet<(u32, bool)> = HashSet::new();
        let mut next = 0;
        // Level by level, so that a node is followed where it is nearest to the start.
        while next < picture.shown.len() {
            let Shown {
                setup, node, depth, ..
            } = picture.shown[next];
            let chosen = match &choices {
                Some((player, moves)) if *player == setup.to_move => moves[node as usize],
                _ => None,
            };
            let is_own_turn = chosen.is_some();
            if !followed.insert((node, is_own_turn)) {
                picture.shown[next].again = true;
            } else if args.depth.is_none_or(|most| depth < most) {
                picture.follow(next, chosen);
            }
            next += 1;
        }
        picture
    }

    /// Shows the moves from a place: all of them, or the one that was chosen.
    fn follow(&mut self, place: usize, chosen: Option<usize>) {
        let Shown {
            setup, node, depth, ..
        } = self.shown[place];
        for (at, (action, next)) in self.tree.moves_in(&setup, node).into_iter().enumerate() {
            let Next::Node(child) = next else {
                continue;
            };
            if chosen.is_some_and(|chosen| chosen != at) {
                continue;
            }
            let number = self.shown.len();
            self.shown[place].children.push(number);
            self.shown.push(Shown {
                setup: after(&setup, action),
                node: child,
                action: Some(action),
                depth: depth + 1,
                again: false,
                children: Vec::new(),
            });
        }
    }

    /// The picture as a record.
    fn record(&self) -> Collection {
        let mut record = Collection::new();
        let root = record.add_root();
        let mut nodes = vec![root; self.shown.len()];
        self.describe_start(&mut record, root);
        // Whatever is shown comes after what it follows.
        for place in 0..self.shown.len() {
            self.describe(&mut record, nodes[place], place);
            for child in &self.shown[place].children {
                nodes[*child] = record.add_child(nodes[place]);
            }
        }
        record
    }

    fn describe(&self, record: &mut Collection, at: NodeId, place: usize) {
        let shown = &self.shown[place];
        let node = &self.tree.nodes()[shown.node as usize];
        let to_move = shown.setup.to_move;
        let mut comment = format!("[{}]{}", shown.node, score(node));
        if shown.again {
            comment.push_str("\nfollowed elsewhere");
        }
        let Some(action) = shown.action else {
            let comment = format!("{comment}\n{}", self.legend());
            record.push_property(at, "C", [comment]);
            return;
        };
        let point = action.point().map(Point::to_sgf).unwrap_or_default();
        record.push_property(at, &(!to_move).letter().to_string(), [point]);
        record.push_property(at, "C", [comment]);
        // The score of the node is that of the player to move; the marks are Black's and White's.
        let ends =
            [node.low, node.high].map(|end| 2 * to_move.sign(end.into()) - self.komi.halves());
        if ends.iter().all(|end| *end > 0) {
            record.push_property(at, "TE", ["1"]);
        } else if ends.iter().all(|end| *end < 0) {
            record.push_property(at, "IT", [""]);
        }
    }

    fn describe_start(&self, record: &mut Collection, root: NodeId) {
        let Setup {
            size,
            stones,
            to_move,
            ..
        } = self.tree.root().setup;
        let board = match size.is_square() {
            true => size.width().to_string(),
            false => format!("{}:{}", size.width(), size.height()),
        };
        for (name, value) in [
            ("FF", "4"),
            ("GM", "1"),
            ("CA", "UTF-8"),
            ("AP", concat!("tengen:", env!("CARGO_PKG_VERSION"))),
            ("SZ", &board),
            ("KM", &self.komi.to_string()),
            ("PL", &to_move.letter().to_string()),
        ] {
            record.push_property(root, name, [value]);
        }
        for (name, points) in [("AB", stones.black), ("AW", stones.white)] {
            if !points.is_empty() {
                record.push_property(root, name, points.iter().map(Point::to_sgf));
            }
        }
    }

    fn legend(&self) -> String {
        let nodes = self.tree.nodes().len();
        let policy = match self.tree.policy() {
            Policy::Legal => "all legal moves under simple ko",
            Policy::PlayerRules => {
                "UNSOUND: own eyes are not filled and passes come last, so that the best move may be left out"
            }
        };
        format!("{nodes} nodes, {policy}")
    }
}

/// The position after a legal move.
fn after(setup: &Setup, action: Move) -> Setup {
    let (Move::Play(point), Ok(mut board)) = (action, setup.board()) else {
        return Setup {
            to_move: !setup.to_move,
            ko: None,
            ..*setup
        };
    };
    board.play_unchecked(point, setup.to_move, |_| {});
    Setup::of(&board, !setup.to_move)
}

/// What whoever has just moved gets at the end, `3..9` if repetitions decide.
fn score(node: &Node) -> String {
    let area = node.setup.size.area() as i32;
    let points = |margin: i16| {
        let twice = area - i32::from(margin);
        match twice % 2 {
            0 => format!("{}", twice / 2),
            _ => format!("{}.5", twice / 2),
        }
    };
    let (worst, best) = (points(node.high), points(node.low));
    if worst == best {
        worst
    } else {
        format!("{worst}..{best}")
    }
}
