//! Commands whose replies GoGui draws on its board.

use std::fmt::Write;

use tengen_core::{Point, PointMap};
use tengen_search::{Analysis, Candidate};

use crate::gtp::arguments::Arguments;
use crate::gtp::channel::Channel;
use crate::gtp::failure::Reply;
use crate::gtp::session::{Session, done};
use crate::gtp::thinking::explanation;

/// What GoGui's menu offers: how to show the reply, what to call it, and what to send.
const MENU: [&str; 15] = [
    "gfx/Best Moves/tengen-best_moves",
    "sboard/Win Rates/tengen-win_rates",
    "sboard/Visits/tengen-visits",
    "cboard/Prior/tengen-prior",
    "dboard/Ownership/tengen-ownership",
    "string/Explain Last Search/gomill-explain_last_move",
    "move/Advice/reg_genmove %m",
    "string/Final Score/final_score",
    "plist/Final Status Alive/final_status_list alive",
    "plist/Final Status Dead/final_status_list dead",
    "plist/Final Status Seki/final_status_list seki",
    "string/Final Status/final_status %p",
    "plist/All Legal/all_legal %c",
    "string/Rules/kata-get-rules",
    "none/Set Rules/kata-set-rules %s",
];

/// A board full of numbers shows nothing.
const MOST_LABELS: usize = 12;

/// Says that a line `# interrupt` ends the search for a move, which is then made.
pub(crate) fn interrupt(_: &mut Session, _: &Arguments<'_>, _: &mut Channel<'_>) -> Reply {
    done()
}

pub(crate) fn title(session: &mut Session, _: &Arguments<'_>, _: &mut Channel<'_>) -> Reply {
    Ok(session.settings.name.clone())
}

pub(crate) fn analyze_commands(_: &mut Session, _: &Arguments<'_>, _: &mut Channel<'_>) -> Reply {
    Ok(MENU.join("\n"))
}

/// The moves that were searched most, with their win rates, the best of them with what is expected to follow.
pub(crate) fn best_moves(
    session: &mut Session,
    _: &Arguments<'_>,
    channel: &mut Channel<'_>,
) -> Reply {
    let analysis = session.known(channel);
    let size = session.game.size();
    let mut drawing = String::new();
    let best = analysis.moves.first();
    if let Some(best) = best {
        drawing.push_str("VAR");
        let players = [analysis.to_move, !analysis.to_move].into_iter().cycle();
        for (action, player) in best.variation.iter().zip(players) {
            let letter = player.letter().to_ascii_lowercase();
            _ = write!(drawing, " {letter} {}", action.to_gtp(size));
        }
        drawing.push('\n');
    }
    for (point, candidate) in searched(&analysis).take(MOST_LABELS) {
        let vertex = session.vertex(point);
        let percent = 100.0 * candidate.worth.win_rate;
        _ = writeln!(drawing, "LABEL {vertex} {percent:.0}");
        let share = candidate.visits as f32 / best.map_or(1, |best| best.visits.max(1)) as f32;
        _ = writeln!(drawing, "COLOR {} {vertex}", shade(share.sqrt()));
    }
    _ = write!(drawing, "TEXT {}", explanation(&analysis, size));
    Ok(drawing)
}

pub(crate) fn win_rates(
    session: &mut Session,
    _: &Arguments<'_>,
    channel: &mut Channel<'_>,
) -> Reply {
    let analysis = session.known(channel);
    Ok(labels(session, &analysis, |candidate| {
        format!("{:.0}", 100.0 * candidate.worth.win_rate)
    }))
}

pub(crate) fn visits(session: &mut Session, _: &Arguments<'_>, channel: &mut Channel<'_>) -> Reply {
    let analysis = session.known(channel);
    Ok(labels(session, &analysis, |candidate| {
        match candidate.visits {
            visits if visits < 1000 => visits.to_string(),
            visits => format!("{}k", visits / 1000),
        }
    }))
}

/// How likely each move seemed before it was searched: the darker the likelier.
pub(crate) fn prior(session: &mut Session, _: &Arguments<'_>, channel: &mut Channel<'_>) -> Reply {
    let analysis = session.known(channel);
    let highest = analysis.moves.iter().map(|candidate| candidate.prior);
    let highest = highest.fold(f32::MIN_POSITIVE, f32::max);
    let mut shades = PointMap::new(NOTHING.to_owned());
    for candidate in &analysis.moves {
        if let Some(point) = candidate.action.point() {
            shades[point] = shade((candidate.prior / highest).sqrt());
        }
    }
    Ok(board(session, |point| shades[point].clone()))
}

/// Whose each point will be: 1 is Black's, -1 White's.
pub(crate) fn ownership(
    session: &mut Session,
    _: &Arguments<'_>,
    channel: &mut Channel<'_>,
) -> Reply {
    let analysis = session.known(channel);
    Ok(board(session, |point| {
        format!("{:.3}", analysis.ownership[point])
    }))
}

/// A point about which a board has nothing to say.
const NOTHING: &str = "\"\"";

fn searched(analysis: &Analysis) -> impl Iterator<Item = (Point, &Candidate)> {
    let moves = analysis.moves.iter();
    let searched = moves.filter(|candidate| candidate.visits > 0);
    searched.filter_map(|candidate| Some((candidate.action.point()?, candidate)))
}

fn labels(session: &Session, analysis: &Analysis, text: impl Fn(&Candidate) -> String) -> String {
    let mut labels = PointMap::new(NOTHING.to_owned());
    for (point, candidate) in searched(analysis) {
        labels[point] = text(candidate);
    }
    board(session, |point| labels[point].clone())
}

/// A word for every point, a row a line.
fn board(session: &Session, word: impl Fn(Point) -> String) -> String {
    let size = session.game.size();
    let row = |y| {
        let words: Vec<String> = (0..size.width()).map(|x| word(Point::new(x, y))).collect();
        words.join(" ")
    };
    let rows: Vec<String> = (0..size.height()).map(row).collect();
    format!("\n{}", rows.join("\n"))
}

/// White for nothing, green for all.
fn shade(share: f32) -> String {
    let pale = (255.0 * (1.0 - share.clamp(0.0, 1.0))) as u8;
    format!("#{pale:02x}ff{pale:02x}")
}
