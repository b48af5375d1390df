//! How a game ended, as records write it.

use tengen_core::{Color, Outcome, Reason};

/// The outcome that a result property names, such as `B+3.5`, `W+R`, `B+Time` or `Draw`; `None` if it names none.
///
/// A winner without a reason counts as a forfeit: the record does not say that the board decided.
///
/// ```
/// use tengen_core::{Color, Outcome, Reason};
/// use tengen_sgf::read_outcome;
/// assert_eq!(read_outcome("B+3.5"), Some(Outcome::Win(Color::Black, Reason::Score(7))));
/// assert_eq!(read_outcome(" w+resign "), Some(Outcome::Win(Color::White, Reason::Resignation)));
/// assert_eq!(read_outcome("?"), None);
/// ```
pub fn read_outcome(text: &str) -> Option<Outcome> {
    let text = text.trim().to_ascii_lowercase();
    let (winner, reason) = match text.as_str() {
        "0" | "draw" | "jigo" => return Some(Outcome::Draw),
        "void" => return Some(Outcome::NoResult),
        _ => text.split_once('+')?,
    };
    let winner = match winner.trim() {
        "b" | "black" => Color::Black,
        "w" | "white" => Color::White,
        _ => return None,
    };
    let reason = match reason.trim() {
        "r" | "res" | "resign" | "resignation" => Reason::Resignation,
        "t" | "time" | "timeout" => Reason::Time,
        "" | "?" | "f" | "forfeit" | "offline" => Reason::Forfeit,
        points => {
            let points: String = points
                .chars()
                .take_while(|c| c.is_ascii_digit() || matches!(c, '.' | ','))
                .map(|c| if c == ',' { '.' } else { c })
                .collect();
            let points: f64 = points.parse().ok()?;
            let halves = (2.0 * points).round();
            (0.0..10_000.0)
                .contains(&halves)
                .then_some(Reason::Score(halves as u32))?
        }
    };
    Some(Outcome::Win(winner, reason))
}
