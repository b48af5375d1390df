//! The time of a game.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use tengen_core::{ByColor, Color, Size};
use tengen_search::{Left, TimeControl};

use crate::limits::Limits;
use crate::refusal::Refusal;

/// How the time of a game is regulated: absolute, unless one of the options is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ClockSettings {
    /// Before any overtime begins.
    pub main_seconds: u32,
    /// Periods that begin anew with every move that is made in time: Japanese overtime.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub byoyomi: Option<Byoyomi>,
    /// Periods in which so many stones must be played: Canadian overtime.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub canadian: Option<Canadian>,
    /// Seconds that each move adds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub increment: Option<u32>,
}

/// Japanese overtime.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Byoyomi {
    /// How many periods there are.
    pub periods: u32,
    /// The length of a period.
    pub seconds: u32,
}

/// Canadian overtime.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Canadian {
    /// The stones of a period.
    pub stones: u32,
    /// The length of a period.
    pub seconds: u32,
}

/// The clocks of both players.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ClockMessage {
    /// How the time is regulated.
    pub settings: ClockSettings,
    /// Black's clock.
    pub black: SideMessage,
    /// White's clock.
    pub white: SideMessage,
}

/// A player's clock. Count `seconds` down while it is `running`; a `clock` event comes when a period ends.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(rename = "ClockSide"))]
pub struct SideMessage {
    /// What is left of the main time, or in overtime of the period.
    pub seconds: f64,
    /// Is the main time over, and are there periods?
    pub overtime: bool,
    /// The periods left, this one included.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub periods: Option<u32>,
    /// The stones to be played in the period.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stones: Option<u32>,
    /// Does it run?
    pub running: bool,
}

/// What a player has left. Times are in milliseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct TimeLeft {
    main: u64,
    period: u64,
    /// Periods or stones.
    count: u32,
}

/// The clocks of a game. Time comes as an argument, in milliseconds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Clock {
    settings: ClockSettings,
    left: ByColor<TimeLeft>,
    /// Whose clock runs, and since when.
    running: Option<(Color, u64)>,
}

/// What happens after the main time.
#[derive(Clone, Copy)]
enum Overtime {
    None,
    Byoyomi(Byoyomi),
    Canadian(Canadian),
}

const fn ms(seconds: u32) -> u64 {
    seconds as u64 * 1000
}

impl ClockSettings {
    /// Refuses settings that contradict themselves or give no time at all.
    pub(crate) fn check(&self, limits: &Limits) -> Result<(), Refusal> {
        let options = [
            self.byoyomi.is_some(),
            self.canadian.is_some(),
            self.increment.is_some(),
        ];
        if options.into_iter().filter(|given| *given).count() > 1 {
            let message = "a clock has one of byoyomi, canadian and increment";
            return Err(Refusal::params(message));
        }
        let (count, period) = match self.overtime() {
            Overtime::None => (1, 1),
            Overtime::Byoyomi(byoyomi) => (byoyomi.periods, byoyomi.seconds),
            Overtime::Canadian(canadian) => (canadian.stones, canadian.seconds),
        };
        let no_time = self.main_seconds == 0 && matches!(self.overtime(), Overtime::None);
        if count == 0 || period == 0 || no_time {
            return Err(Refusal::params("the clock gives no time"));
        }
        let most = limits.clock_seconds;
        let seconds = [self.main_seconds, period, self.increment.unwrap_or(0)];
        if seconds.into_iter().any(|seconds| seconds > most) {
            return Err(Refusal::limit("seconds_on_a_clock", most as usize));
        }
        if count > 1000 {
            return Err(Refusal::limit("periods_of_a_clock", 1000));
        }
        Ok(())
    }

    const fn overtime(&self) -> Overtime {
        match (self.byoyomi, self.canadian) {
            (Some(byoyomi), _) => Overtime::Byoyomi(byoyomi),
            (None, Some(canadian)) => Overtime::Canadian(canadian),
            (None, None) => Overtime::None,
        }
    }

    /// The overtime as records describe it.
    pub(crate) fn overtime_text(&self) -> Option<String> {
        match (self.overtime(), self.increment) {
            (Overtime::Byoyomi(Byoyomi { periods, seconds }), _) => {
                Some(format!("{periods}x{seconds} byo-yomi"))
            }
            (Overtime::Canadian(Canadian { stones, seconds }), _) => {
                Some(format!("{stones}/{seconds} Canadian"))
            }
            (Overtime::None, Some(increment)) => Some(format!("{increment} fischer")),
            (Overtime::None, None) => None,
        }
    }

    fn full(&self) -> TimeLeft {
        let (period, count) = match self.overtime() {
            Overtime::None => (0, 0),
            Overtime::Byoyomi(byoyomi) => (ms(byoyomi.seconds), byoyomi.periods),
            Overtime::Canadian(canadian) => (ms(canadian.seconds), canadian.stones),
        };
        TimeLeft {
            main: ms(self.main_seconds),
            period,
            count,
        }
    }

    /// What is left after so much thinking, or `None` if the flag has fallen.
    fn spend(&self, left: TimeLeft, elapsed: u64) -> Option<TimeLeft> {
        let main = left.main.saturating_sub(elapsed);
        let mut over = elapsed.saturating_sub(left.main);
        let mut after = TimeLeft { main, ..left };
        match self.overtime() {
            Overtime::None => (main > 0).then_some(after),
            Overtime::Canadian(_) => {
                after.period = left.period.checked_sub(over).filter(|rest| *rest > 0)?;
                Some(after)
            }
            Overtime::Byoyomi(byoyomi) => {
                while over >= after.period {
                    over -= after.period;
                    after.count = after.count.checked_sub(1).filter(|periods| *periods > 0)?;
                    after.period = ms(byoyomi.seconds);
                }
                after.period -= over;
                Some(after)
            }
        }
    }

    /// What is left after a move has been made in time.
    fn moved(&self, mut left: TimeLeft) -> TimeLeft {
        if let Some(increment) = self.increment {
            left.main += ms(increment);
        }
        if left.main > 0 {
            return left;
        }
        match self.overtime() {
            Overtime::None => {}
            Overtime::Byoyomi(byoyomi) => left.period = ms(byoyomi.seconds),
            Overtime::Canadian(canadian) => {
                left.count = left.count.saturating_sub(1);
                if left.count == 0 {
                    left.count = canadian.stones;
                    left.period = ms(canadian.seconds);
                }
            }
        }
        left
    }

    fn message(&self, left: TimeLeft, running: bool) -> SideMessage {
        let overtime = left.main == 0 && !matches!(self.overtime(), Overtime::None);
        let rest = if overtime { left.period } else { left.main };
        let count = overtime.then_some(left.count);
        SideMessage {
            seconds: rest as f64 / 1000.0,
            overtime,
            periods: count.filter(|_| self.byoyomi.is_some()),
            stones: count.filter(|_| self.canadian.is_some()),
            running,
        }
    }

    /// The same in the words of the search.
    fn control(&self) -> TimeControl {
        let seconds = |seconds: u32| Duration::from_secs(u64::from(seconds));
        let main = seconds(self.main_seconds);
        match (self.overtime(), self.increment) {
            (Overtime::Byoyomi(byoyomi), _) => TimeControl::Japanese {
                main,
                period: seconds(byoyomi.seconds),
                periods: byoyomi.periods,
            },
            (Overtime::Canadian(canadian), _) => TimeControl::Canadian {
                main,
                period: seconds(canadian.seconds),
                stones: canadian.stones,
            },
            (Overtime::None, Some(increment)) => TimeControl::Fischer {
                main,
                increment: seconds(increment),
            },
            (Overtime::None, None) => TimeControl::Absolute { main },
        }
    }
}

impl Clock {
    /// Clocks at the start of a game, standing still.
    pub(crate) fn new(settings: ClockSettings) -> Self {
        let full = settings.full();
        Self {
            settings,
            left: ByColor::new(full, full),
            running: None,
        }
    }

    /// Clocks on which so much is left, standing still.
    pub(crate) const fn with_left(settings: ClockSettings, left: ByColor<TimeLeft>) -> Self {
        Self {
            settings,
            left,
            running: None,
        }
    }

    pub(crate) const fn settings(&self) -> ClockSettings {
        self.settings
    }

    /// What a player has left, or `None` if the flag has fallen.
    pub(crate) fn left(&self, color: Color, now: u64) -> Option<TimeLeft> {
        match self.running {
            Some((runs, since)) if runs == color => self
                .settings
                .spend(self.left[color], now.saturating_sub(since)),
            _ => Some(self.left[color]),
        }
    }

    /// Lets one clock run, or none; the other one stands still.
    pub(crate) fn run(&mut self, color: Option<Color>, now: u64) {
        if self.running.map(|(color, _)| color) == color {
            return;
        }
        if let Some((runs, _)) = self.running {
            self.left[runs] = self.left(runs, now).unwrap_or_default();
        }
        self.running = color.map(|color| (color, now));
    }

    /// A player has made a move in time.
    pub(crate) fn press(&mut self, color: Color, now: u64) {
        self.run(None, now);
        self.left[color] = self.settings.moved(self.left[color]);
    }

    pub(crate) const fn is_running(&self) -> bool {
        self.running.is_some()
    }

    /// Whose flag has fallen?
    pub(crate) fn fallen(&self, now: u64) -> Option<Color> {
        let (color, _) = self.running?;
        self.left(color, now).is_none().then_some(color)
    }

    /// When the flag falls or a period ends next, if nobody moves.
    pub(crate) fn next_change(&self, now: u64) -> Option<u64> {
        let (color, _) = self.running?;
        let left = self.left(color, now);
        let rest = left.map_or(0, |left| match left.main {
            0 => left.period,
            main => main,
        });
        Some(now + rest)
    }

    /// Which stage a player is in: it changes when the main time or a period ends.
    pub(crate) fn stage(&self, now: u64) -> Option<(Color, bool, u32)> {
        let (color, _) = self.running?;
        let left = self.left(color, now)?;
        Some((color, left.main == 0, left.count))
    }

    /// Both clocks for a message.
    pub(crate) fn message(&self, now: u64) -> ClockMessage {
        let side = |color| {
            let running = self.running.is_some_and(|(runs, _)| runs == color);
            let left = self.left(color, now).unwrap_or_default();
            self.settings.message(left, running)
        };
        ClockMessage {
            settings: self.settings,
            black: side(Color::Black),
            white: side(Color::White),
        }
    }

    /// What both have left in the sense of GTP's `time_left`.
    pub(crate) fn gtp(&self, now: u64) -> Vec<(Color, u32, u32)> {
        let of = |color| {
            let left = self.gtp_left(color, now);
            (color, left.time.as_secs() as u32, left.stones)
        };
        Color::BOTH.map(of).to_vec()
    }

    fn gtp_left(&self, color: Color, now: u64) -> Left {
        let left = self.left(color, now).unwrap_or_default();
        let (time, stones) = match (left.main, self.settings.overtime()) {
            (0, Overtime::Byoyomi(_) | Overtime::Canadian(_)) => (left.period, left.count),
            (main, _) => (main, 0),
        };
        Left {
            time: Duration::from_millis(time),
            stones,
        }
    }

    /// How long an engine may think about its next move.
    pub(crate) fn for_move(
        &self,
        color: Color,
        size: Size,
        moves: usize,
        lag: Duration,
        now: u64,
    ) -> Option<Duration> {
        let mut clock = tengen_search::Clock::new(self.settings.control());
        clock.set_left(self.gtp_left(color, now));
        clock.for_move(size, moves, lag)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(text: &str) -> ClockSettings {
        serde_json::from_str(text).unwrap()
    }

    #[test]
    fn absolute_time_runs_out_for_good() {
        let mut clock = Clock::new(settings(r#"{"main_seconds":10}"#));
        clock.run(Some(Color::Black), 1_000);
        assert_eq!(clock.message(4_000).black.seconds, 7.0);
        clock.press(Color::Black, 4_000);
        clock.run(Some(Color::White), 4_000);
        assert_eq!(
            (clock.fallen(13_999), clock.fallen(14_000)),
            (None, Some(Color::White))
        );
        assert_eq!(clock.message(14_000).black.seconds, 7.0);
        assert_eq!(clock.next_change(5_000), Some(14_000));
    }

    #[test]
    fn a_byoyomi_period_begins_anew_with_each_move_made_in_time() {
        let text = r#"{"main_seconds":5,"byoyomi":{"periods":3,"seconds":10}}"#;
        let mut clock = Clock::new(settings(text));
        clock.run(Some(Color::Black), 0);
        assert_eq!(clock.next_change(0), Some(5_000));
        // The main time, a whole period and nine seconds of the next.
        let side = clock.message(24_000).black;
        assert_eq!(
            (side.overtime, side.periods, side.seconds),
            (true, Some(2), 1.0)
        );
        clock.press(Color::Black, 24_000);
        let side = clock.message(24_000).black;
        assert_eq!((side.periods, side.seconds), (Some(2), 10.0));
        clock.run(Some(Color::Black), 24_000);
        assert_eq!(
            (clock.fallen(43_999), clock.fallen(44_000)),
            (None, Some(Color::Black))
        );
    }

    #[test]
    fn canadian_overtime_wants_so_many_stones_in_a_period() {
        let text = r#"{"main_seconds":0,"canadian":{"stones":2,"seconds":10}}"#;
        let mut clock = Clock::new(settings(text));
        let play = |clock: &mut Clock, from, to| {
            clock.run(Some(Color::Black), from);
            clock.press(Color::Black, to);
            let side = clock.message(to).black;
            (side.stones.unwrap(), side.seconds)
        };
        assert_eq!(play(&mut clock, 0, 4_000), (1, 6.0));
        assert_eq!(play(&mut clock, 10_000, 15_999), (2, 10.0));
        clock.run(Some(Color::Black), 20_000);
        assert_eq!(
            (clock.fallen(29_999), clock.fallen(30_000)),
            (None, Some(Color::Black))
        );
    }

    #[test]
    fn an_increment_comes_with_each_move() {
        let mut clock = Clock::new(settings(r#"{"main_seconds":10,"increment":3}"#));
        clock.run(Some(Color::White), 0);
        clock.press(Color::White, 9_000);
        assert_eq!(clock.message(9_000).white.seconds, 4.0);
    }

    #[test]
    fn clocks_that_give_no_time_are_refused() {
        for text in [
            r#"{"main_seconds":0}"#,
            r#"{"main_seconds":0,"byoyomi":{"periods":0,"seconds":5}}"#,
            r#"{"main_seconds":9,"canadian":{"stones":5,"seconds":0}}"#,
            r#"{"main_seconds":9,"increment":1,"byoyomi":{"periods":1,"seconds":5}}"#,
            r#"{"main_seconds":4000000000}"#,
        ] {
            assert!(settings(text).check(&Limits::default()).is_err(), "{text}");
        }
    }

    #[test]
    fn an_engine_is_told_what_it_may_spend() {
        let text = r#"{"main_seconds":0,"byoyomi":{"periods":3,"seconds":10}}"#;
        let clock = Clock::new(settings(text));
        let size = Size::square(9).unwrap();
        let lag = Duration::from_millis(200);
        let time = clock.for_move(Color::Black, size, 0, lag, 0).unwrap();
        assert_eq!(time, Duration::from_millis(9_800));
        assert_eq!(clock.gtp(0), [(Color::Black, 10, 3), (Color::White, 10, 3)]);
    }
}
