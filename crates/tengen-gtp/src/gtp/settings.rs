//! How a session begins.

mod table;

use std::str::FromStr;
use std::time::Duration;

use tengen_core::{Komi, Rules, Size};
use tengen_search::{Level, Options};

use crate::record_file::FileAccess;
use crate::setting::{Row, SettingError, Tabulated};

pub(crate) use table::{Effect, LeelaForm, LeelaOption, Parameter, SETTINGS, Setting};

/// How a session begins, and what its commands may change later. `gtp/settings/table.rs` has a row for each field.
#[derive(Clone, Debug, PartialEq)]
pub struct GtpSettings {
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
    /// The most time a move. Without this, visits and a clock it is [`GtpSettings::DEFAULT_TIME`].
    pub time: Option<Duration>,
    /// How the engine thinks.
    pub engine: Options,
    /// The network that the program loads for the session; `None` is the one that is part of the program.
    pub net: Option<String>,
    /// The players that this network imitates, if it can and somebody is named.
    pub profile: Option<String>,
    /// How well it plays.
    pub level: Level,
    /// Does it think while the opponent does?
    pub ponder: bool,
    /// When it gives up.
    pub resignation: Resignation,
    /// What is lost of every move's time on the way to the client and back.
    pub lag: Duration,
    /// What clients may do with files.
    pub files: FileAccess,
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

impl GtpSettings {
    /// The time for a move when nobody says anything.
    pub const DEFAULT_TIME: Duration = Duration::from_secs(2);

    /// Changes the setting with this name, as in a configuration file.
    ///
    /// ```
    /// use tengen_gtp::gtp::GtpSettings;
    /// let mut settings = GtpSettings::default();
    /// settings.set("visits", "100")?;
    /// assert_eq!(settings.visits, Some(100));
    /// assert!(settings.set("visitors", "100").is_err());
    /// # Ok::<(), tengen_gtp::setting::SettingError>(())
    /// ```
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), SettingError> {
        let row = SETTINGS.iter().find(|row| row.about.name == name);
        row.ok_or_else(|| SettingError::unknown::<Self>(name))?
            .kind
            .set(self, value)
            .map_err(|refusal| SettingError::refused(name, &refusal))
    }
}

impl Tabulated for GtpSettings {
    fn rows() -> Vec<Row> {
        let row = |setting: &'static Setting| Row {
            description: &setting.about,
            values: setting.kind.values(),
            foreign_names: [
                setting.parameters.iter().map(|known| known.name).collect(),
                setting.option.iter().map(|known| known.name).collect(),
            ],
        };
        SETTINGS.iter().map(row).collect()
    }

    fn set(&mut self, name: &str, value: &str) -> Result<(), SettingError> {
        Self::set(self, name, value)
    }
}

impl Default for GtpSettings {
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
            net: None,
            profile: None,
            level: Level::FULL,
            ponder: false,
            resignation: Resignation::default(),
            lag: Duration::from_millis(200),
            files: FileAccess::default(),
            linger: Duration::from_secs(5),
        }
    }
}

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
