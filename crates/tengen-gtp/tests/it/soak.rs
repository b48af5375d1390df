//! Many commands, valid and broken.

use tengen_gtp::gtp::{GtpSettings, Session};

use crate::commands::Commands;
use crate::transcript::well_formed;

#[test]
fn ten_thousand_random_lines_are_answered_once_each() {
    let mut settings = GtpSettings::default();
    for (key, value) in [
        ("size", "7"),
        ("visits", "4"),
        ("threads", "1"),
        ("memory", "16"),
    ] {
        settings.set(key, value).unwrap();
    }
    let mut session = Session::new(settings);
    let mut commands = Commands::new(5);
    let (mut good, mut bad) = (0, 0);
    for _ in 0..10_000 {
        let (line, id) = commands.next();
        let reply = session.answer(&line);
        assert_eq!(reply.is_some(), id.is_some(), "{line:?}: {reply:?}");
        let (Some(reply), Some(id)) = (reply, id) else {
            continue;
        };
        let text = well_formed(&reply).unwrap_or_else(|| panic!("{line:?}: {reply:?}"));
        let rest = text[1..].strip_prefix(&*id);
        let rest = rest.unwrap_or_else(|| panic!("{line:?}: {reply:?}"));
        assert!(
            rest.is_empty() || rest.starts_with([' ', '\n']),
            "{reply:?}"
        );
        match text.starts_with('=') {
            true => good += 1,
            false => bad += 1,
        }
        assert!(!session.has_quit(), "{line:?}");
    }
    // Both kinds are common, or the lines are not what they were meant to be.
    assert!(good > 4_000 && bad > 1_000, "{good} and {bad}");
}
