use tengen_gtp::analysis::{Answer, QueryDefaults, Request};

/// Lines of any bytes are understood or refused without a panic; each position that a query asks for can be set up, and
/// has an answer that is one line of JSON.
pub fn analysis(input: &[u8]) {
    let defaults = QueryDefaults::default();
    for line in input.split(|byte| *byte == b'\n').take(20) {
        match Request::read(line, &defaults) {
            Ok(Request::Analyze { warnings, jobs }) => {
                for warning in warnings {
                    check(&serde_json::to_string(&warning).expect("a warning is JSON"));
                }
                // All of them are positions of one game.
                for job in jobs.iter().rev().take(3) {
                    let game = job.course.game_at(job.turn);
                    assert!(
                        !game.is_over(),
                        "a position is searched as if the game went on"
                    );
                    let answer = Answer::none(job);
                    check(&serde_json::to_string(&answer).expect("an answer is JSON"));
                }
            }
            Ok(_) => {}
            Err(complaint) => check(&serde_json::to_string(&complaint).expect("it is JSON")),
        }
    }
}

fn check(line: &str) {
    assert!(!line.contains('\n'), "{line}");
    serde_json::from_str::<serde_json::Value>(line).expect("what was written is JSON");
}
