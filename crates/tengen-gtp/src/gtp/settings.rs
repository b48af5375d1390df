//! How a session begins.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use tengen_core::{Komi, Rules, Size};
use tengen_search::{Level, Options};

/// How a session begins, and what its commands may change later.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// The program's name, as clients are told.
    pub name: String,
    /// The program's version, as clients are told.
    pub version: String,
    /// The board before a client asks for another.
    pub size: Size,
    /// The rules before a client asks for others.
    pub rules: Rules,
    /// The komi; `None` is what the rules say for the size.
    pub komi: Option<Komi>,
    /// The most visits a move.
    pub visits: Option<u32>,
    /// The most time a move. Without this, visits and a clock it is [`Settings::DEFAULT_TIME`].
    pub time: Option<Duration>,
    /// How the engine thinks.
    pub engine: Options,
    /// How well it plays.
    pub level: Level,
    /// Does it think while the opponent does?
    pub ponder: bool,
    /// When it gives up.
    pub resignation: Resignation,
    /// What is lost of every move's time on the way to the client and back.
    pub lag: Duration,
    /// How long a search may go on when the client has gone away or has said `quit`.
    pub linger: Duration,
}

/// When to give up a game.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Resignation {
    /// When the engine sees no hope.
    #[default]
    Hopeless,
    /// When the win rate was below this share for three moves in a row.
    Below(f32),
    /// Never.
    Never,
}

impl Settings {
    /// The time for a move when nobody says anything.
    pub const DEFAULT_TIME: Duration = Duration::from_secs(2);

    /// The most threads that an engine is given.
    pub const MOST_THREADS: usize = 1024;

    /// The keys that [`Settings::set`] knows.
    pub const KEYS: [&str; 15] = [
        "name", "version", "size", "rules", "komi", "visits", "time", "threads", "seed", "memory",
        "level", "ponder", "resign", "lag", "linger",
    ];

    /// Changes what a key stands for, as in a configuration file.
    ///
    /// ```
    /// use tengen_gtp::gtp::Settings;
    /// let mut settings = Settings::default();
    /// settings.set("visits", "100")?;
    /// assert_eq!(settings.visits, Some(100));
    /// assert!(settings.set("visitors", "100").is_err());
    /// # Ok::<(), tengen_gtp::gtp::SettingsError>(())
    /// ```
    pub fn set(&mut self, key: &str, value: &str) -> Result<(), SettingsError> {
        let refuse = |problem: String| SettingsError {
            key: key.to_owned(),
            problem,
        };
        match key {
            "name" => self.name = line(value).map_err(refuse)?,
            "version" => self.version = line(value).map_err(refuse)?,
            "size" => self.size = read(value).map_err(refuse)?,
            "rules" => self.rules = read(value).map_err(refuse)?,
            "komi" => self.komi = Some(read(value).map_err(refuse)?),
            "visits" => self.visits = Some(at_least_one(value).map_err(refuse)?),
            "time" => self.time = Some(seconds(value).map_err(refuse)?),
            "threads" => self.engine.threads = threads(value).map_err(refuse)?,
            "seed" => self.engine.seed = number(value).map_err(refuse)?,
            "memory" => self.engine.memory = mebibytes(value).map_err(refuse)?,
            "level" => self.level = level(value).map_err(refuse)?,
            "ponder" => self.ponder = switch(value).map_err(refuse)?,
            "resign" => self.resignation = value.parse().map_err(refuse)?,
            "lag" => self.lag = seconds(value).map_err(refuse)?,
            "linger" => self.linger = seconds(value).map_err(refuse)?,
            _ => {
                let keys = Self::KEYS.join(", ");
                return Err(refuse(format!("no such key; there are {keys}")));
            }
        }
        Ok(())
    }
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            name: "Tengen".to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            size: Size::square(19).expect("19 lines are a board"),
            rules: Rules::default(),
            komi: None,
            visits: None,
            time: None,
            engine: Options::default(),
            level: Level::FULL,
            ponder: false,
            resignation: Resignation::default(),
            lag: Duration::from_millis(200),
            linger: Duration::from_secs(5),
        }
    }
}

/// Why a setting was refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettingsError {
    /// Whose value it was.
    pub key: String,
    /// What was wrong with it.
    pub problem: String,
}

impl fmt::Display for SettingsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}`: {}", self.key, self.problem)
    }
}

impl std::error::Error for SettingsError {}

/// `never`, `hopeless`, or a win rate such as `0.05`.
impl FromStr for Resignation {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "never" => Ok(Self::Never),
            "hopeless" => Ok(Self::Hopeless),
            _ => match text.parse::<f32>() {
                Ok(share) if (0.0..1.0).contains(&share) => Ok(Self::Below(share)),
                _ => Err("`never`, `hopeless`, or a win rate such as 0.05".to_owned()),
            },
        }
    }
}

fn read<T: FromStr<Err: fmt::Display>>(text: &str) -> Result<T, String> {
    text.parse().map_err(|error: T::Err| error.to_string())
}

/// A text that can stand in a reply.
fn line(text: &str) -> Result<String, String> {
    match text.trim().is_empty() || text.chars().any(char::is_control) {
        true => Err("one line of text is needed".to_owned()),
        false => Ok(text.trim().to_owned()),
    }
}

fn number<N: FromStr>(text: &str) -> Result<N, String> {
    let problem = || "a whole number is needed, and not too large a one".to_owned();
    text.parse().map_err(|_| problem())
}

fn at_least_one<N: FromStr + PartialOrd + From<u8>>(text: &str) -> Result<N, String> {
    match number::<N>(text)? {
        count if count >= N::from(1) => Ok(count),
        _ => Err("at least 1 is needed".to_owned()),
    }
}

/// A number of threads that no machine is overwhelmed by.
fn threads(text: &str) -> Result<usize, String> {
    match number(text)? {
        count @ 1..=Settings::MOST_THREADS => Ok(count),
        _ => Err(format!(
            "1 to {} threads are possible",
            Settings::MOST_THREADS
        )),
    }
}

fn seconds(text: &str) -> Result<Duration, String> {
    let problem = || "a number of seconds is needed, such as 2.5".to_owned();
    let seconds: f64 = text.parse().map_err(|_| problem())?;
    Duration::try_from_secs_f64(seconds).map_err(|_| problem())
}

fn mebibytes(text: &str) -> Result<usize, String> {
    let count: usize = at_least_one(text)?;
    count
        .checked_mul(1 << 20)
        .ok_or_else(|| "no machine has that many MiB".to_owned())
}

fn level(text: &str) -> Result<Level, String> {
    let number = text.parse().ok();
    number
        .and_then(Level::new)
        .ok_or_else(|| "a level is 1 to 10".to_owned())
}

fn switch(text: &str) -> Result<bool, String> {
    text.parse().map_err(|_| "`true` or `false`".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_takes_a_value_and_refuses_nonsense() {
        let good = [
            "Deep Thought",
            "42",
            "9x13",
            "japanese",
            "6.5",
            "100",
            "0.5",
            "97",
            "7",
            "64",
            "3",
            "true",
            "0.05",
            "1",
            "0",
        ];
        for (key, value) in Settings::KEYS.into_iter().zip(good) {
            let mut settings = Settings::default();
            settings.set(key, value).unwrap();
            assert_ne!(settings, Settings::default(), "{key}");
            for bad in ["", "\n", "-1 apple"] {
                if matches!(key, "name" | "version") && bad == "-1 apple" {
                    continue;
                }
                let refusal = Settings::default().set(key, bad).unwrap_err();
                assert_eq!(refusal.key, key, "{refusal}");
            }
        }
    }

    #[test]
    fn an_unknown_key_is_named() {
        let refusal = Settings::default().set("visitors", "1").unwrap_err();
        assert!(refusal.to_string().starts_with("`visitors`: "), "{refusal}");
    }
}
