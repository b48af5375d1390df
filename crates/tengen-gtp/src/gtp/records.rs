//! Commands about game records.

use std::path::Path;

use tengen_core::{Game, Preset, Rules};
use tengen_sgf::{Collection, Mode, Node, Replay};

use crate::gtp::arguments::Arguments;
use crate::gtp::channel::Channel;
use crate::gtp::failure::{Failure, Reply};
use crate::gtp::session::{Session, done, under_rules};
use crate::record_file::{self, RecordFileError};

/// `file [move number]`: the game of the file as it was before that move, or at its end.
pub(crate) fn load(session: &mut Session, arguments: &Arguments<'_>, _: &mut Channel<'_>) -> Reply {
    arguments.word(0)?;
    let (file, moves) = match arguments.text.rsplit_once(' ') {
        Some((file, number)) => match number.parse::<usize>() {
            Ok(number) => (file.trim_end(), number.saturating_sub(1)),
            // Names may have spaces in them.
            Err(_) => (arguments.text, usize::MAX),
        },
        None => (arguments.text, usize::MAX),
    };
    let record = record_file::read_first(Path::new(file), session.settings.files)
        .map_err(|error| failure(&Failure::CannotLoad, &error))?;
    let root = record
        .collection
        .roots()
        .next()
        .ok_or(Failure::CannotLoad)?;
    if !root.is_go() {
        return Err(Failure::CannotLoad);
    }
    let game = replay(root, moves)?;
    // A record that names no rules or komi leaves them as they are.
    let rules = match root
        .value("RU")
        .is_some_and(|value| !value.raw().is_empty())
    {
        true => without_komi(*game.rules()),
        false => session.settings.rules,
    };
    let komi = match root.property("KM") {
        Some(_) => Some(game.komi()),
        None => session.settings.komi,
    };
    let game = under_rules(&game, rules)?;
    session.settings.komi = komi;
    session.start(game);
    done()
}

/// What a command says about a file, with the reason where there is more to say than that it cannot be.
fn failure(plain: &Failure, error: &RecordFileError) -> Failure {
    match error {
        RecordFileError::Io(_) | RecordFileError::NoRecord => plain.clone(),
        reason => Failure::because(format_args!("{plain}: {reason}")),
    }
}

/// The rules of a record have its komi in them. It is kept by itself here, so that they have their names again.
fn without_komi(rules: Rules) -> Rules {
    let plain = |rules: Rules| Rules {
        komi: None,
        ..rules
    };
    let presets = Preset::ALL.map(Preset::rules);
    let mut same = presets
        .into_iter()
        .filter(|preset| plain(*preset) == plain(rules));
    same.next().unwrap_or(plain(rules))
}

/// Plays so many moves of the main line, or all if there are fewer.
fn replay(root: Node<'_>, moves: usize) -> Result<Game, Failure> {
    let cannot_load = |_| Failure::CannotLoad;
    let mut replay = Replay::start(root, Mode::Lenient).map_err(cannot_load)?;
    for node in root.main_line().skip(1) {
        let is_move = node.property("B").is_some() || node.property("W").is_some();
        if is_move && replay.moves() >= moves {
            break;
        }
        replay.step(node).map_err(cannot_load)?;
    }
    Ok(replay.into_game())
}

/// The game as SGF, into a file if one is named.
pub(crate) fn print(
    session: &mut Session,
    arguments: &Arguments<'_>,
    _: &mut Channel<'_>,
) -> Reply {
    let mut record = Collection::from_game(&session.game);
    let root = record.roots().next().map(Node::id);
    if let Some(root) = root {
        let settings = &session.settings;
        let program = format!("{}:{}", settings.name, settings.version);
        record.push_property(root, "AP", [program]);
    }
    let text = record.to_string();
    match arguments.text {
        "" | "-" => Ok(text),
        file => {
            record_file::write(Path::new(file), &(text + "\n"), session.settings.files)
                .map_err(|error| failure(&Failure::because("cannot save file"), &error))?;
            done()
        }
    }
}
