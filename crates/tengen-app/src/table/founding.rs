//! How a game begins.

use std::collections::BTreeSet;

use tengen_core::{ByColor, Color, Game, Komi, Rules, Setup, Size};
use tengen_sgf::Collection;

use super::Table;
use crate::clock::Clock;
use crate::edit_history::EditHistory;
use crate::game_tree::GameTree;
use crate::limits::{Limits, SLOWEST, at_most};
use crate::refusal::{Code, Refusal};
use crate::request::NewGame;
use crate::review::Review;
use crate::rules;
use crate::seat::Seat;
use crate::shared::Shared;
use crate::sheet::{Ending, Phase};
use crate::verdict;

impl Table {
    /// A table with a record, in review at the end of its main line.
    pub(crate) fn with_tree(id: String, mut tree: GameTree, now: u64) -> Result<Self, Refusal> {
        let verdicts = verdict::take(&mut tree);
        let live = tree.main_line().last().copied().unwrap_or(0);
        let game = tree.trail(live)?.game;
        let seat = |name| Seat::Person {
            name: tree.line(0, name),
        };
        let ending = tree.line(0, "RE").map(|text| Ending::of_text(&text));
        Ok(Self {
            id,
            seats: ByColor::new(seat("PB"), seat("PW")),
            tree: Shared::new(tree),
            keep: true,
            native: false,
            name: None,
            phase: Phase::Review,
            live,
            game,
            pace: 0,
            moved: 0,
            waits_until: None,
            paused: false,
            away: false,
            alone_since: None,
            was_watched: false,
            guest: None,
            unsaved: None,
            client: None,
            trouble: None,
            clock: None,
            marking: None,
            ending,
            version: 1,
            stamp: 0,
            updated: now,
            seen: now,
            owner: None,
            watchers: BTreeSet::new(),
            thought: None,
            review: Review {
                verdicts,
                running: None,
                looks: 0,
            },
            edits: EditHistory::default(),
        })
    }

    /// A new game.
    pub(crate) fn founded(
        id: String,
        params: NewGame,
        limits: &Limits,
        now: u64,
    ) -> Result<Self, Refusal> {
        let game = first_position(&params)?;
        let mut tree = GameTree::new(Collection::from_game(&game))?;
        tree.set(0, "RU", [rules::record_name(&params.rules)]);
        if let Some(title) = &params.title {
            limits.check_line(title)?;
            tree.set_text(0, "GN", title);
        }
        let mut table = Self::with_tree(id, tree, now)?;
        table.native = true;
        table.keep = params.keep.unwrap_or(true);
        table.phase = Phase::Playing;
        table.seats = ByColor::new(params.black, params.white);
        for color in Color::BOTH {
            table.note_player(color);
        }
        if let Some(pace) = params.pace {
            at_most("milliseconds_between_moves", pace as usize, SLOWEST)?;
            table.pace = pace;
        }
        if let Some(settings) = params.clock {
            settings.check(limits)?;
            table.note_clock(&settings);
            table.clock = Some(Clock::new(settings));
        }
        table
            .tree
            .set(0, "AP", [format!("Tengen:{}", env!("CARGO_PKG_VERSION"))]);
        table.tree.take_changes();
        table.refresh()?;
        Ok(table)
    }
}

/// The first position of a new game.
fn first_position(params: &NewGame) -> Result<Game, Refusal> {
    let rules: Rules = params
        .rules
        .parse()
        .map_err(|error| Refusal::params(format_args!("rules {:?}: {error}", params.rules)))?;
    let handicap = params.handicap.unwrap_or(0);
    let setup: Setup = match &params.position {
        Some(diagram) => read_position(diagram, params)?,
        None => Setup::empty(size(params)?),
    };
    let mut game = if handicap == 0 {
        Game::from_setup(&setup, rules).map_err(|error| {
            let point = error.point().to_gtp(setup.size);
            let refusal = Refusal::new(Code::IllegalSetup, format!("this cannot stand: {error}"));
            refusal.with(serde_json::json!({"point": point}))
        })?
    } else {
        if params.position.is_some() {
            return Err(Refusal::params("a position has no handicap"));
        }
        let points = setup
            .size
            .fixed_handicap(handicap)
            .map_err(Refusal::params)?;
        Game::with_handicap(setup.size, rules, &points).map_err(Refusal::params)?
    };
    match params.komi {
        Some(points) => game.set_komi(rules::komi(points)?),
        // Handicap stones make up for the difference in strength; half a point avoids ties.
        None if handicap > 0 => game.set_komi(Komi::from_halves(1)),
        None => {}
    }
    Ok(game)
}

fn size(params: &NewGame) -> Result<Size, Refusal> {
    let (Some(width), Some(height)) = (params.width, params.height) else {
        return Err(Refusal::params("width and height are missing"));
    };
    if width < 2 || height < 2 {
        return Err(Refusal::params("a board has 2 to 25 lines"));
    }
    Size::new(width, height).map_err(|_| Refusal::params("a board has 2 to 25 lines"))
}

fn read_position(diagram: &str, params: &NewGame) -> Result<Setup, Refusal> {
    if diagram.len() > 4096 {
        return Err(Refusal::limit("bytes_of_a_diagram", 4096));
    }
    let setup: Setup = diagram.parse().map_err(Refusal::params)?;
    let is_other = |given: Option<u8>, side: u8| given.is_some_and(|given| given != side);
    let (width, height) = (setup.size.width(), setup.size.height());
    if is_other(params.width, width) || is_other(params.height, height) {
        let message = "the diagram has another size than width and height say";
        return Err(Refusal::params(message));
    }
    if width < 2 || height < 2 {
        return Err(Refusal::params("a board has 2 to 25 lines"));
    }
    Ok(setup)
}
