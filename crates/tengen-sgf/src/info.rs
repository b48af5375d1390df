//! Who played, when and how it ended.

use tengen_core::{Color, Game, Komi, Move, Outcome};

use crate::foreign::result;
use crate::komi::read_komi;
use crate::result::read_outcome;
use crate::tree::{Collection, Node, NodeId};

/// The facts about a game that people look for first. Texts are as the record gives them, empty where it gives none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GameInfo {
    /// Black's name.
    pub black: String,
    /// Black's rank.
    pub black_rank: String,
    /// White's name.
    pub white: String,
    /// White's rank.
    pub white_rank: String,
    /// The result, such as `B+3.5`.
    pub result: String,
    /// The date.
    pub date: String,
    /// The event.
    pub event: String,
    /// The place.
    pub place: String,
    /// The rules.
    pub rules: String,
    /// The komi.
    pub komi: String,
    /// The number of handicap stones.
    pub handicap: String,
    /// The size of the board.
    pub size: String,
    /// The number of moves of the main line.
    pub moves: usize,
    /// The number of nodes, variations included.
    pub nodes: usize,
}

impl GameInfo {
    /// Collects the facts about a game from its main line: some programs write them into the second node.
    pub fn of(root: Node<'_>) -> Self {
        let text = |name| {
            let value = root.main_line().take(2).find_map(|node| node.value(name));
            value
                .map(|value| value.simple_text().trim().to_owned())
                .unwrap_or_default()
        };
        let is_move = |node: Node<'_>| {
            usize::from(node.property("B").is_some()) + usize::from(node.property("W").is_some())
        };
        Self {
            black: text("PB"),
            black_rank: text("BR"),
            white: text("PW"),
            white_rank: text("WR"),
            result: text("RE"),
            date: text("DT"),
            event: text("EV"),
            place: text("PC"),
            rules: text("RU"),
            komi: text("KM"),
            handicap: text("HA"),
            size: text("SZ"),
            moves: root.main_line().map(is_move).sum(),
            nodes: root.descendants().count(),
        }
    }
}

impl GameInfo {
    /// The komi in points, as it was meant: 7.5 for `375`.
    pub fn komi_points(&self) -> Option<Komi> {
        read_komi(&self.komi).komi
    }

    /// How the game ended, whatever language says so.
    ///
    /// ```
    /// use tengen_sgf::GameInfo;
    /// let info = GameInfo { result: "黑中盘胜".to_owned(), ..GameInfo::default() };
    /// assert_eq!(info.outcome().unwrap().to_string(), "B+R");
    /// ```
    pub fn outcome(&self) -> Option<Outcome> {
        read_outcome(&self.result).or_else(|| read_outcome(&result::read(&self.result)?))
    }
}

impl Collection {
    /// A record of a game: its size, rules, komi and starting position, its moves, and its result if it has ended.
    ///
    /// ```
    /// use tengen_core::{Game, Move, Rules, Size};
    /// use tengen_sgf::Collection;
    /// let mut game = Game::new(Size::square(9)?, Rules::default());
    /// game.play(Move::from_gtp("E5", game.size())?)?;
    /// assert_eq!(
    ///     Collection::from_game(&game).to_string(),
    ///     "(;FF[4]GM[1]CA[UTF-8]SZ[9]RU[tromp-taylor]KM[7.5];B[ee])",
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_game(game: &Game) -> Self {
        let mut record = Self::new();
        let root = record.add_root();
        let size = game.size();
        let sides = if size.is_square() {
            size.width().to_string()
        } else {
            format!("{}:{}", size.width(), size.height())
        };
        let mut set = |name: &str, value: String| record.push_property(root, name, [value]);
        set("FF", "4".to_owned());
        set("GM", "1".to_owned());
        set("CA", "UTF-8".to_owned());
        set("SZ", sides);
        set("RU", game.rules().to_string());
        set("KM", game.komi().to_string());
        if game.handicap() > 0 {
            set("HA", game.handicap().to_string());
        }
        if let Some(outcome) = game.outcome() {
            set("RE", outcome.to_string());
        }
        record.push_start(root, game);
        let mut node = root;
        for turn in game.turns() {
            node = record.add_child(node);
            let name = turn.color.letter().to_string();
            record.push_property(node, &name, [turn.action.to_sgf()]);
        }
        record
    }

    /// Adds the stones that a game started with, and who moved first where that is not plain.
    fn push_start(&mut self, root: NodeId, game: &Game) {
        let start = game.start();
        let mut any = false;
        for (name, color) in [("AB", Color::Black), ("AW", Color::White)] {
            let stones = start.stones[color];
            if !stones.is_empty() {
                any = true;
                self.push_property(
                    root,
                    name,
                    stones.iter().map(|point| Move::Play(point).to_sgf()),
                );
            }
        }
        if any || start.to_move == Color::White {
            self.push_property(root, "PL", [start.to_move.letter().to_string()]);
        }
    }
}
