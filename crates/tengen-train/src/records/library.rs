//! All games that are learned from, and those that are held out.

use std::collections::HashSet;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use tengen_core::{Color, Game, Move, Size};
use tengen_sgf::{
    Collection, FilesError, GameInfo, Mode, Node, Record, Replay, find_files, read_outcome,
    visit_files,
};

use super::options::{Ending, RecordsOptions};
use super::rank::rank;
use super::recorded::RecordedGame;

/// All games that are learned from, and those that are held out.
#[derive(Debug, Default)]
pub struct Library {
    lessons: Vec<RecordedGame>,
    held_out: Vec<RecordedGame>,
    skipped: Skipped,
}

/// How many games were left out, and why.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Skipped {
    /// Files that hold no records.
    pub unreadable: usize,
    /// Games that a filter leaves out.
    pub filtered: usize,
    /// Games with too few legal moves, or too many.
    pub length: usize,
    /// Games that were there already.
    pub doubles: usize,
}

/// Why there is no library.
#[derive(Debug, thiserror::Error)]
pub enum LibraryError {
    /// A file could not be found or read.
    #[error("{0}")]
    Files(FilesError),
    /// A filter cannot be understood.
    #[error("{0}")]
    Filter(String),
    /// No game passes the filters.
    #[error(
        "no game is left to learn from: {} by the filters, {} by their length, {} doubles, {} unreadable files",
        .0.filtered, .0.length, .0.doubles, .0.unreadable
    )]
    Empty(Skipped),
}

/// The options in the form in which games are compared with them.
struct Filter<'a> {
    options: &'a RecordsOptions,
    sizes: Vec<Size>,
    lowest_rank: Option<i32>,
}

impl<'a> Filter<'a> {
    fn new(options: &'a RecordsOptions) -> Result<Self, LibraryError> {
        let wrong = |name: &str, text: &str| {
            LibraryError::Filter(format!("records.{name}: `{text}` cannot be understood"))
        };
        let sizes = options.sizes.iter();
        let sizes = sizes.map(|text| text.parse().map_err(|_| wrong("sizes", text)));
        let lowest_rank = options.lowest_rank.as_deref();
        Ok(Self {
            options,
            sizes: sizes.collect::<Result<_, _>>()?,
            lowest_rank: lowest_rank
                .map(|text| rank(text).ok_or_else(|| wrong("lowest_rank", text)))
                .transpose()?,
        })
    }

    /// May a game with these facts and this start be learned from?
    fn allows(&self, info: &GameInfo, start: &Game) -> bool {
        let options = self.options;
        let outcome = read_outcome(&info.result);
        let ranked = |text: &str| {
            self.lowest_rank
                .is_none_or(|lowest| rank(text) >= Some(lowest))
        };
        // Dates are year, month and day, so that texts compare as days do; a year stands for all of its days.
        let date = info.date.trim();
        let dated = date.starts_with(|c: char| c.is_ascii_digit());
        let after = |from: &String| dated && date >= from.as_str();
        let before = |to: &String| dated && (date <= to.as_str() || date.starts_with(to.as_str()));
        options.endings.contains(&Ending::of(outcome))
            && (self.sizes.is_empty() || self.sizes.contains(&start.size()))
            && start.handicap() <= options.most_handicap
            && ranked(&info.black_rank)
            && ranked(&info.white_rank)
            && options.from.as_ref().is_none_or(after)
            && options.to.as_ref().is_none_or(before)
    }
}

/// What became of a game.
enum Reading {
    Kept(RecordedGame),
    Filtered,
    Length,
}

impl Library {
    /// Reads all games that the options name. `progress` hears of each file, with how many games there are so far.
    pub fn read(
        options: &RecordsOptions,
        progress: &mut dyn FnMut(&Path, usize),
    ) -> Result<Self, LibraryError> {
        let filter = Filter::new(options)?;
        let mut library = Self::default();
        let mut known = HashSet::new();
        let mut paths: Vec<PathBuf> = Vec::new();
        for name in &options.files {
            paths.extend(find_files(name).map_err(LibraryError::Files)?);
        }
        for path in paths {
            let before = library.lessons.len();
            let visited = visit_files(&path, &mut |_, bytes| {
                match Record::read(bytes, Mode::Lenient) {
                    Ok(record) => library.add(&record.collection, &filter, &mut known),
                    Err(_) => library.skipped.unreadable += 1,
                }
                ControlFlow::Continue(())
            });
            visited.map_err(LibraryError::Files)?;
            if let Some(most) = options.most_games {
                library.limit(before, most);
            }
            progress(&path, library.lessons.len() + library.held_out.len());
        }
        match library.lessons.is_empty() && library.held_out.is_empty() {
            true => Err(LibraryError::Empty(library.skipped)),
            false => Ok(library),
        }
    }

    /// Leaves so many games of those from a number on, chosen by their moves alone.
    fn limit(&mut self, from: usize, most: usize) {
        self.lessons[from..].sort_by_key(RecordedGame::hash);
        self.skipped.filtered += (self.lessons.len() - from).saturating_sub(most);
        self.lessons.truncate(from + most);
    }

    fn add(&mut self, games: &Collection, filter: &Filter<'_>, known: &mut HashSet<u64>) {
        let roots: Vec<Node<'_>> = games.roots().collect();
        let readings: Vec<Reading> = roots
            .par_iter()
            .map(|root| read_game(*root, filter))
            .collect();
        for reading in readings {
            match reading {
                Reading::Filtered => self.skipped.filtered += 1,
                Reading::Length => self.skipped.length += 1,
                Reading::Kept(game) if !known.insert(game.hash()) => self.skipped.doubles += 1,
                Reading::Kept(game) if is_held_out(&game, filter.options.held_out) => {
                    self.held_out.push(game);
                }
                Reading::Kept(game) => self.lessons.push(game),
            }
        }
    }

    /// The games to learn from.
    pub fn lessons(&self) -> &[RecordedGame] {
        &self.lessons
    }

    /// The games that are held out.
    pub fn held_out(&self) -> &[RecordedGame] {
        &self.held_out
    }

    /// What was left out.
    pub const fn skipped(&self) -> Skipped {
        self.skipped
    }

    /// The longest side of all boards.
    pub fn longest_side(&self) -> u8 {
        let games = self.lessons.iter().chain(&self.held_out);
        let sides = games.map(|game| game.size().width().max(game.size().height()));
        sides.max().unwrap_or(0)
    }
}

/// Whether a game is held out depends on its moves alone: on no other game, no order and no seed.
fn is_held_out(game: &RecordedGame, share: f64) -> bool {
    ((game.hash() >> 11) as f64) < share * (1_u64 << 53) as f64
}

fn read_game(root: Node<'_>, filter: &Filter<'_>) -> Reading {
    // What cannot be set up is nothing to learn from.
    let Ok(start) = Replay::start(root, Mode::Lenient) else {
        return Reading::Filtered;
    };
    let start = start.game();
    let info = GameInfo::of(root);
    if !filter.allows(&info, start) || !start.turns().is_empty() {
        return Reading::Filtered;
    }
    let moves = root
        .main_line()
        .skip(1)
        .map_while(|node| read_move(node, start.size()));
    let game = RecordedGame::new(start, moves, read_outcome(&info.result));
    let options = filter.options;
    match (options.fewest_moves..=options.most_moves).contains(&game.len()) {
        true => Reading::Kept(game),
        false => Reading::Length,
    }
}

/// The one move of a node; `None` if it has none, or sets stones up.
fn read_move(node: Node<'_>, size: Size) -> Option<(Color, Move)> {
    if ["AB", "AW", "AE", "PL"]
        .iter()
        .any(|name| node.property(name).is_some())
    {
        return None;
    }
    let (color, value) = match (node.value("B"), node.value("W")) {
        (Some(value), None) => (Color::Black, value),
        (None, Some(value)) => (Color::White, value),
        _ => return None,
    };
    let point = value
        .point_on((size.width(), size.height()))
        .and_then(tengen_sgf::SgfPoint::to_point);
    match point.filter(|point| size.contains(*point)) {
        Some(point) => Some((color, Move::Play(point))),
        None if value.raw().trim().is_empty() || value.raw() == "tt" => Some((color, Move::Pass)),
        None => None,
    }
}
