//! Commands about the network that judges, and how fast it does.

use std::fmt::Write;
use std::time::{Duration, Instant};

use tengen_core::{Color, Game, Size, Symmetry};
use tengen_search::{Limits, Raw, RawQuery, Task};

use crate::gtp::arguments::{self, Arguments};
use crate::gtp::channel::Channel;
use crate::gtp::failure::{Failure, Reply};
use crate::gtp::inbox::SearchEnd;
use crate::gtp::session::Session;
use crate::models::models_as_json;

/// A benchmark searches so many positions of the game, as far as it has had so many.
const BENCHMARK_POSITIONS: usize = 10;

/// The networks, as KataGo lists them.
pub(crate) fn models(session: &mut Session, _: &Arguments<'_>, _: &mut Channel<'_>) -> Reply {
    let models = session.engine.models();
    Ok(models_as_json(session.judge.name(), &models).to_string())
}

/// What the network says without a search: `[color] SYMMETRY [optimism]`, with `all` for every symmetry.
pub(crate) fn raw(session: &mut Session, arguments: &Arguments<'_>, _: &mut Channel<'_>) -> Reply {
    let mut words = arguments.words();
    let mut color = session.game.to_move();
    if let [first, rest @ ..] = words
        && !rest.is_empty()
        && let Ok(named) = arguments::color(first)
    {
        color = named;
        words = rest;
    }
    let (symmetries, optimism) = match words {
        [symmetry] => (symmetry, None),
        [symmetry, optimism] => (symmetry, Some(share(optimism)?)),
        _ => return Err(Failure::Syntax),
    };
    let game = session.game_for(color);
    let mut text = String::new();
    for number in numbers(symmetries, game.size())? {
        let query = RawQuery {
            symmetry: Some(symmetry(number)),
            optimism,
            plainly: true,
        };
        let raw = session.engine.raw(&game, &query);
        let raw = raw.ok_or_else(|| Failure::because("no network judges boards of this size"))?;
        if !text.is_empty() {
            text.push('\n');
        }
        write_raw(&mut text, number, &game, &raw);
    }
    Ok(text)
}

/// The same of a network that imitates people, as it was told whom.
pub(crate) fn raw_human(
    session: &mut Session,
    arguments: &Arguments<'_>,
    channel: &mut Channel<'_>,
) -> Reply {
    let models = session.engine.models();
    match models.iter().any(|model| model.imitates) {
        true => raw(session, arguments, channel),
        false => Err(Failure::because("no network imitates people")),
    }
}

fn share(word: &str) -> Result<f32, Failure> {
    let share = word.parse().map_err(|_| Failure::Syntax)?;
    match (0.0..=1.0).contains(&share) {
        true => Ok(share),
        false => Err(Failure::because("optimism is 0 to 1")),
    }
}

/// KataGo's symmetry with this number: bit 0 mirrors top and bottom, bit 1 left and right.
const fn symmetry(number: u8) -> Symmetry {
    Symmetry::new(number & 4 | (number & 1) << 1 | (number & 2) >> 1)
}

/// The symmetries that were asked for.
fn numbers(word: &str, size: Size) -> Result<Vec<u8>, Failure> {
    let keeps_shape = |number: &u8| symmetry(*number).size(size) == size;
    if word == "all" {
        return Ok((0..8).filter(keeps_shape).collect());
    }
    let number = word.parse().ok().filter(|number| *number < 8);
    let number = number.ok_or(Failure::Syntax)?;
    if !keeps_shape(&number) {
        return Err(Failure::because(format_args!(
            "symmetry {number} turns the board into one of another shape"
        )));
    }
    Ok(vec![number])
}

/// Writes what the network said in KataGo's words, all of it as White sees it.
fn write_raw(text: &mut String, symmetry: u8, game: &Game, raw: &Raw) {
    // What a network does not tell is -1, but for the score, which is then the lead.
    let unknown = |value: Option<f32>| value.unwrap_or(-1.0);
    let score = -raw.black_score.unwrap_or(raw.black_lead);
    let square = raw
        .score_spread
        .map(|spread| spread * spread + score * score);
    // Nothing can go wrong when a string is written to.
    _ = write!(text, "symmetry {symmetry}");
    for (key, value, digits) in [
        ("whiteWin", raw.wins[Color::White], 6),
        ("whiteLoss", raw.wins[Color::Black], 6),
        ("noResult", raw.no_result, 6),
        ("whiteLead", -raw.black_lead, 3),
        ("whiteScoreSelfplay", score, 3),
        ("whiteScoreSelfplaySq", unknown(square), 3),
        ("varTimeLeft", unknown(raw.time_left), 3),
        ("shorttermWinlossError", unknown(raw.win_error), 3),
        ("shorttermScoreError", unknown(raw.score_error), 3),
    ] {
        // Adding zero turns a negative one into a positive one.
        _ = write!(text, "\n{key} {:.digits$}", value + 0.0);
    }
    let area = game.size().area();
    let width = usize::from(game.size().width());
    let likely = |share: &Option<f32>| match share {
        Some(share) => format!("{share:.6}"),
        None => "     NAN".to_owned(),
    };
    text.push_str("\npolicy");
    let (points, pass) = raw.policy.split_at(area.min(raw.policy.len()));
    for row in points.chunks(width) {
        let row: Vec<String> = row.iter().map(likely).collect();
        _ = write!(text, "\n{}", row.join(" "));
    }
    let pass = pass.first().copied().flatten().unwrap_or(0.0);
    _ = write!(text, "\npolicyPass {pass:.6}\nwhiteOwnership");
    for row in raw.ownership.chunks(width) {
        let row: Vec<String> = row
            .iter()
            .map(|owner| format!("{:.7}", 0.0 - owner))
            .collect();
        _ = write!(text, "\n{}", row.join(" "));
    }
}

/// Searches positions of the game with so many visits each, and says how fast that went.
pub(crate) fn benchmark(
    session: &mut Session,
    arguments: &Arguments<'_>,
    channel: &mut Channel<'_>,
) -> Reply {
    let visits: u32 = arguments.number(0)?;
    if visits == 0 {
        return Err(Failure::because("a search takes at least 1 visit"));
    }
    let games = positions(session);
    let task = Task {
        limits: Limits::visits(visits),
        ..Task::default()
    };
    let (stop, watch) = channel.watch(SearchEnd::WhenDone);
    let mut took = Duration::ZERO;
    let (mut searched, mut total) = (0, 0);
    for game in &games {
        if stop.is_stopped() {
            break;
        }
        session.engine.clear();
        let started = Instant::now();
        let analysis = session.engine.analyze(game, &task, &stop, &mut |_| {});
        took += started.elapsed();
        searched += 1;
        total += u64::from(analysis.visits);
    }
    drop(watch);
    session.forget();
    let seconds = took.as_secs_f64();
    Ok(format!(
        "numSearchThreads = {}: {searched} / {} positions, visits/s = {:.2} ({total} visits, {seconds:.2} secs)",
        session.settings.engine.threads,
        games.len(),
        total as f64 / seconds.max(1e-9),
    ))
}

/// Positions from the whole length of the game, the last one included.
fn positions(session: &Session) -> Vec<Game> {
    let mut game = session.game_for(session.game.to_move());
    let turns = game.turns().len();
    let count = BENCHMARK_POSITIONS.min(turns + 1);
    let mut positions = Vec::new();
    for place in (1..=count).rev() {
        let wanted = turns * place / count;
        while game.turns().len() > wanted {
            game.undo();
        }
        positions.push(game.clone());
    }
    positions.reverse();
    positions
}
