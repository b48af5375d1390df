use tengen_gtp::gtp::{GtpSettings, Session};
use tengen_search::Options;

/// More lines than this say nothing new, and searches take time.
const MOST_LINES: usize = 40;

/// Lines of any text, in sequence, are answered without a panic: each answer begins with `=` or `?`, says which line it
/// belongs to and ends with an empty line, and the game stays one whose moves can be taken back.
pub fn gtp(input: &[u8]) {
    let settings = GtpSettings {
        visits: Some(2),
        engine: Options {
            threads: 1,
            seed: 1,
            memory: 1 << 22,
        },
        ..GtpSettings::default()
    };
    let mut session = Session::new(settings);
    let text = String::from_utf8_lossy(input);
    let mut settlements = 0;
    for line in text.split('\n').take(MOST_LINES) {
        if session.has_quit() {
            return;
        }
        if is_left_out(line) {
            continue;
        }
        // To say what is dead, it searches as long as it always does.
        if line.contains("final_") {
            settlements += 1;
            if settlements > 1 || session.game().size().area() > 49 {
                continue;
            }
        }
        if let Some(answer) = session.answer(line) {
            check(line, &answer);
        }
    }
    let mut game = session.game().clone();
    let turns = game.turns().len();
    for _ in 0..turns {
        assert!(
            game.undo().is_some(),
            "there are {turns} moves to take back"
        );
    }
}

fn check(line: &str, answer: &str) {
    assert!(
        answer.starts_with('=') || answer.starts_with('?'),
        "{line:?} is answered with {answer:?}"
    );
    assert!(
        answer.ends_with("\n\n"),
        "{line:?} is answered with {answer:?}"
    );
    let body = answer.trim_end_matches('\n');
    assert!(
        !body.contains("\n\n"),
        "the answer to {line:?} ends before its end: {answer:?}"
    );
}

/// Files outside of the folder that this runs in, and settings with which a search would take minutes.
fn is_left_out(line: &str) -> bool {
    let line = line.to_lowercase();
    let has = |words: &[&str]| words.iter().any(|word| line.contains(word));
    (has(&["sgf"]) && has(&["/", "\\", "..", "~"]))
        || (has(&["param", "option"]) && has(&["visit", "time", "thread", "memory", "playout"]))
}
