//! Commands that show what the engine thinks while it does.

use std::time::Duration;

use tengen_core::{Color, Move, Size};
use tengen_search::{Analysis, Limits, Restriction, RestrictionKind, Restrictions, Task};

use crate::gtp::arguments::{self, Arguments};
use crate::gtp::channel::Channel;
use crate::gtp::failure::{Failure, Reply};
use crate::gtp::inbox::SearchEnd;
use crate::gtp::info::{Dialect, Part, Shape};
use crate::gtp::session::{Session, done};
use crate::gtp::thinking::{self, Aim};

/// An analysis takes at least so many visits, even if it is ended at once.
const FEWEST_VISITS: u32 = 8;

/// Reports come no more often than this, whatever is asked for.
const SHORTEST_INTERVAL: Duration = Duration::from_millis(10);

pub(crate) fn leela(
    session: &mut Session,
    arguments: &Arguments<'_>,
    channel: &mut Channel<'_>,
) -> Reply {
    analyze(session, arguments, Dialect::Leela, channel)
}

pub(crate) fn kata(
    session: &mut Session,
    arguments: &Arguments<'_>,
    channel: &mut Channel<'_>,
) -> Reply {
    analyze(session, arguments, Dialect::Kata, channel)
}

pub(crate) fn leela_genmove(
    session: &mut Session,
    arguments: &Arguments<'_>,
    channel: &mut Channel<'_>,
) -> Reply {
    choose(session, arguments, Dialect::Leela, Aim::Play, channel)
}

pub(crate) fn kata_genmove(
    session: &mut Session,
    arguments: &Arguments<'_>,
    channel: &mut Channel<'_>,
) -> Reply {
    choose(session, arguments, Dialect::Kata, Aim::Play, channel)
}

pub(crate) fn kata_search(
    session: &mut Session,
    arguments: &Arguments<'_>,
    channel: &mut Channel<'_>,
) -> Reply {
    choose(session, arguments, Dialect::Kata, Aim::Advice, channel)
}

pub(crate) fn kata_search_cancellable(
    session: &mut Session,
    arguments: &Arguments<'_>,
    channel: &mut Channel<'_>,
) -> Reply {
    choose(session, arguments, Dialect::Kata, Aim::Cancellable, channel)
}

/// What a client wants to see.
#[derive(Debug, PartialEq)]
struct Wish {
    color: Option<Color>,
    interval: Option<Duration>,
    restrictions: Restrictions,
    shape: Shape,
}

impl Wish {
    /// Reads `[color] [centiseconds] [key value …]`, as Leela Zero and KataGo do.
    fn read(arguments: &Arguments<'_>, dialect: Dialect, size: Size) -> Result<Self, Failure> {
        let mut wish = Self {
            color: None,
            interval: None,
            restrictions: Restrictions::default(),
            shape: Shape::new(dialect),
        };
        let mut words = arguments.words().iter().copied().peekable();
        if let Some(color) = words.peek().and_then(|word| word.parse().ok()) {
            wish.color = Some(color);
            words.next();
        }
        if let Some(interval) = words.peek().and_then(|word| centiseconds(word)) {
            wish.interval = Some(interval);
            words.next();
        }
        while let Some(key) = words.next() {
            let mut value = || words.next().ok_or(Failure::Syntax);
            match key {
                "interval" => {
                    wish.interval = Some(centiseconds(value()?).ok_or(Failure::Syntax)?);
                }
                "minmoves" => wish.shape.min_moves = count(value()?)?,
                "maxmoves" => wish.shape.max_moves = count(value()?)?,
                "avoid" | "allow" => {
                    let kind = match key {
                        "avoid" => RestrictionKind::Avoid,
                        _ => RestrictionKind::Allow,
                    };
                    let color = arguments::color(value()?)?;
                    let moves = moves(value()?, size)?;
                    let until_depth = value()?.parse().map_err(|_| Failure::Syntax)?;
                    wish.restrictions.0.push(Restriction {
                        color,
                        moves,
                        kind,
                        until_depth,
                    });
                }
                _ if dialect == Dialect::Leela => return Err(Failure::Syntax),
                "rootInfo" => wish.shape.ask(Part::Root, value()?)?,
                "ownership" => wish.shape.ask(Part::Ownership, value()?)?,
                "ownershipStdev" => wish.shape.ask(Part::OwnershipSpread, value()?)?,
                "pvVisits" => wish.shape.ask(Part::VariationVisits, value()?)?,
                "movesOwnership" => wish.shape.ask(Part::MovesOwnership, value()?)?,
                "movesOwnershipStdev" => wish.shape.ask(Part::MovesOwnershipSpread, value()?)?,
                _ => return Err(Failure::Syntax),
            }
        }
        Ok(wish)
    }

    fn task(&self) -> Task {
        Task {
            limits: Limits::default(),
            restrictions: self.restrictions.clone(),
            report_every: self.interval,
            ..Task::default()
        }
    }
}

impl Shape {
    /// Adds a part, or leaves it out.
    fn ask(&mut self, part: Part, value: &str) -> Result<(), Failure> {
        self.parts.retain(|other| *other != part);
        if is_true(value)? {
            self.parts.push(part);
        }
        Ok(())
    }
}

fn centiseconds(word: &str) -> Option<Duration> {
    let seconds = word.parse::<f64>().ok()? / 100.0;
    let interval = Duration::try_from_secs_f64(seconds).ok()?;
    Some(interval.max(SHORTEST_INTERVAL))
}

fn count(word: &str) -> Result<usize, Failure> {
    word.parse().map_err(|_| Failure::Syntax)
}

fn is_true(word: &str) -> Result<bool, Failure> {
    match word.to_ascii_lowercase().as_str() {
        "true" | "1" => Ok(true),
        "false" | "0" => Ok(false),
        _ => Err(Failure::Syntax),
    }
}

/// Moves with commas between them.
fn moves(words: &str, size: Size) -> Result<Vec<Move>, Failure> {
    let words = words.split(',').filter(|word| !word.is_empty());
    words.map(|word| arguments::action(word, size)).collect()
}

/// Searches until something arrives, and reports in between.
fn analyze(
    session: &mut Session,
    arguments: &Arguments<'_>,
    dialect: Dialect,
    channel: &mut Channel<'_>,
) -> Reply {
    let wish = Wish::read(arguments, dialect, session.game.size())?;
    let game = session.game_for(wish.color.unwrap_or(session.game.to_move()));
    let mut task = wish.task();
    if channel.is_alone() {
        task.limits = session.limits(game.to_move());
    }
    channel.begin();
    let report = |channel: &mut Channel<'_>, analysis: &Analysis| {
        if let Some(line) = wish.shape.line(&game, analysis) {
            channel.line(&line);
        }
    };
    let mut has_reported = false;
    let (stop, watch) = channel.watch(SearchEnd::AtAnyLine);
    let mut analysis = session
        .engine
        .analyze(&game, &task, &stop, &mut |analysis| {
            report(channel, analysis);
            has_reported = true;
            if channel.is_broken() {
                stop.stop();
            }
        });
    drop(watch);
    if analysis.visits < FEWEST_VISITS {
        // The next line was there already. Whoever sent a file of commands still wants to see something.
        task.limits = Limits::visits(FEWEST_VISITS);
        let (stop, _watch) = channel.watch(SearchEnd::WhenDone);
        analysis = session.engine.analyze(&game, &task, &stop, &mut |_| {});
    }
    // A search that ended by itself has more to say than its last report, and waits for the line that ends the
    // analysis.
    let has_more = !stop.is_stopped();
    if has_more || !has_reported {
        report(channel, &analysis);
    }
    if has_more && !channel.is_broken() {
        channel.wait_for_line();
    }
    session.keep(&game, analysis);
    done()
}

/// Searches as long as a move may take, reports in between, and names the move at the end.
fn choose(
    session: &mut Session,
    arguments: &Arguments<'_>,
    dialect: Dialect,
    aim: Aim,
    channel: &mut Channel<'_>,
) -> Reply {
    let wish = Wish::read(arguments, dialect, session.game.size())?;
    let color = wish.color.unwrap_or(session.game.to_move());
    let game = session.game_for(color);
    channel.begin();
    let mut report = |channel: &mut Channel<'_>, analysis: &Analysis| {
        if let Some(line) = wish.shape.line(&game, analysis) {
            channel.line(&line);
        }
    };
    let action = thinking::choose(session, color, aim, wish.task(), channel, &mut report)?;
    Ok(format!("play {action}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, dialect: Dialect) -> Result<Wish, Failure> {
        Wish::read(
            &Arguments::new(text),
            dialect,
            Size::square(19).expect("a board"),
        )
    }

    #[test]
    fn colour_and_interval_may_stand_or_be_missing() {
        let wish = |text| {
            let wish = read(text, Dialect::Leela).unwrap();
            (wish.color, wish.interval.map(|every| every.as_millis()))
        };
        assert_eq!(wish(""), (None, None));
        assert_eq!(wish("50"), (None, Some(500)));
        assert_eq!(wish("W 50"), (Some(Color::White), Some(500)));
        assert_eq!(wish("black interval 7.5"), (Some(Color::Black), Some(75)));
        assert_eq!(wish("interval 0"), (None, Some(10)));
        for text in [
            "x",
            "b x",
            "interval",
            "-5",
            "interval nan",
            "ownership true",
        ] {
            assert_eq!(read(text, Dialect::Leela), Err(Failure::Syntax), "{text}");
        }
    }

    #[test]
    fn moves_can_be_left_out() {
        let wish = read("avoid w D4,pass,q16 7 allow b K10 1", Dialect::Leela).unwrap();
        let [avoid, allow] = &wish.restrictions.0[..] else {
            panic!("{wish:?}");
        };
        assert_eq!((avoid.moves.len(), avoid.until_depth), (3, 7));
        assert_eq!((allow.moves.len(), allow.kind), (1, RestrictionKind::Allow));
        for text in [
            "avoid b",
            "avoid b D4",
            "avoid x D4 1",
            "avoid b D44 1",
            "allow b D4 x",
        ] {
            assert!(read(text, Dialect::Leela).is_err(), "{text}");
        }
    }

    #[test]
    fn parts_are_asked_for_by_name() {
        let text = "20 ownership true rootInfo TRUE pvVisits 1 ownership false movesOwnership true";
        let wish = read(text, Dialect::Kata).unwrap();
        let expected = [Part::Root, Part::VariationVisits, Part::MovesOwnership];
        assert_eq!(wish.shape.parts, expected);
        for text in ["ownership", "ownership maybe", "policy true"] {
            assert_eq!(read(text, Dialect::Kata), Err(Failure::Syntax), "{text}");
        }
    }
}
