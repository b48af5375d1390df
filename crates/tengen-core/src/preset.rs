//! Named rule sets, and rules as text.

use std::fmt;
use std::str::FromStr;

use crate::komi::Komi;
use crate::rules::{
    Compensation, DeadStones, HandicapPlacement, Ko, MoveLimit, Repetition, RepetitionEffect,
    Rules, Scoring, Suicide, Ties,
};

/// A rule set with a name.
///
/// ```
/// use tengen_core::{Preset, Rules};
/// assert_eq!(Preset::named("New Zealand"), Some(Preset::NewZealand));
/// assert_eq!(Preset::Aga.rules().to_string(), "aga");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Preset {
    /// Positional superko, suicide, area.
    TrompTaylor,
    /// Positional superko, area, a point for White for each handicap stone.
    Chinese,
    /// Simple ko, a repetition voids the game, territory.
    Japanese,
    /// As [`Preset::Japanese`].
    Korean,
    /// Situational superko, area, a point for White for each handicap stone but the first.
    Aga,
    /// Situational superko, suicide, area, komi 7.
    NewZealand,
    /// The training engine of the project's first document: positional superko, no suicide, two moves a point at most.
    Seed,
    /// The package Pgx: simple ko, who repeats a board loses, White wins ties.
    Pgx,
    /// The package OpenSpiel: simple ko, a repetition draws.
    OpenSpiel,
    /// The package PettingZoo: simple ko, repetitions play on, no limit of length.
    PettingZoo,
    /// The package EnvPool: positional superko, no suicide.
    EnvPool,
}

impl Preset {
    /// All presets.
    pub const ALL: [Self; 11] = [
        Self::TrompTaylor,
        Self::Chinese,
        Self::Japanese,
        Self::Korean,
        Self::Aga,
        Self::NewZealand,
        Self::Seed,
        Self::Pgx,
        Self::OpenSpiel,
        Self::PettingZoo,
        Self::EnvPool,
    ];

    /// The name that [`Preset::named`] reads back.
    pub const fn name(self) -> &'static str {
        match self {
            Self::TrompTaylor => "tromp-taylor",
            Self::Chinese => "chinese",
            Self::Japanese => "japanese",
            Self::Korean => "korean",
            Self::Aga => "aga",
            Self::NewZealand => "new-zealand",
            Self::Seed => "seed",
            Self::Pgx => "pgx",
            Self::OpenSpiel => "open-spiel",
            Self::PettingZoo => "petting-zoo",
            Self::EnvPool => "envpool",
        }
    }

    /// The preset that people call by this name, in whatever case and with whatever between the words.
    pub fn named(name: &str) -> Option<Self> {
        let plain: String = name
            .chars()
            .filter(|c| c.is_alphanumeric())
            .flat_map(char::to_lowercase)
            .collect();
        Some(match plain.as_str() {
            "tromptaylor" | "tromp" | "tt" | "logical" => Self::TrompTaylor,
            "chinese" | "china" | "cn" | "chineseogs" | "chinesekgs" | "中国规则" | "中国" => {
                Self::Chinese
            }
            "japanese" | "japan" | "jp" | "日本" | "日本ルール" | "日本规则" => {
                Self::Japanese
            }
            "korean" | "korea" | "kr" | "한국" | "한국룰" => Self::Korean,
            "aga" | "bga" | "french" | "fr" => Self::Aga,
            "newzealand" | "nz" => Self::NewZealand,
            "seed" => Self::Seed,
            "pgx" => Self::Pgx,
            "openspiel" => Self::OpenSpiel,
            "pettingzoo" => Self::PettingZoo,
            "envpool" => Self::EnvPool,
            _ => return None,
        })
    }

    /// The rules themselves.
    pub const fn rules(self) -> Rules {
        let area = Rules {
            suicide: Suicide::Forbidden,
            ..Rules::TROMP_TAYLOR
        };
        let agreed = Rules {
            dead_stones: DeadStones::Agreed,
            ..area
        };
        let learning = Rules {
            max_moves: MoveLimit::TimesArea(2),
            ..area
        };
        let seven_and_a_half = Some(Komi::from_halves(15));
        match self {
            Self::TrompTaylor => Rules::TROMP_TAYLOR,
            Self::Chinese => Rules {
                compensation: Compensation::PerStone,
                ..agreed
            },
            Self::Japanese | Self::Korean => Rules {
                ko: Ko::Simple,
                repetition: Repetition::all(RepetitionEffect::NoResult),
                scoring: Scoring::Territory,
                handicap: HandicapPlacement::Fixed,
                ..agreed
            },
            Self::Aga => Rules {
                ko: Ko::Situational,
                compensation: Compensation::PerStoneButFirst,
                handicap: HandicapPlacement::Fixed,
                ..agreed
            },
            Self::NewZealand => Rules {
                ko: Ko::Situational,
                suicide: Suicide::Allowed,
                komi: Some(Komi::from_halves(14)),
                ..agreed
            },
            Self::Seed => learning,
            Self::EnvPool => Rules {
                komi: seven_and_a_half,
                ties: Ties::White,
                ..learning
            },
            Self::Pgx => Rules {
                ko: Ko::Simple,
                repetition: Repetition::all(RepetitionEffect::Loses),
                komi: seven_and_a_half,
                ties: Ties::White,
                ..learning
            },
            Self::OpenSpiel => Rules {
                ko: Ko::Simple,
                repetition: Repetition::all(RepetitionEffect::Draws),
                komi: seven_and_a_half,
                ..learning
            },
            Self::PettingZoo => Rules {
                ko: Ko::Simple,
                komi: seven_and_a_half,
                ties: Ties::White,
                ..area
            },
        }
    }
}

impl fmt::Display for Preset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl From<Preset> for Rules {
    fn from(preset: Preset) -> Self {
        preset.rules()
    }
}

/// The name of the first preset with these rules, or KataGo's notation with words of our own for the axes that it
/// lacks. [`Rules::from_str`] reads it back.
impl fmt::Display for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(preset) = Preset::ALL
            .into_iter()
            .find(|preset| preset.rules() == *self)
        {
            return f.pad(preset.name());
        }
        for (word, key) in [
            ("ko", key_of(&KO, self.ko)),
            ("score", key_of(&SCORING, self.scoring)),
            ("sui", key_of(&SUICIDE, self.suicide)),
        ] {
            write!(f, "{word}{key}")?;
        }
        let defaults = Rules::TROMP_TAYLOR;
        if self.repetition != defaults.repetition {
            write!(f, "rep{}", key_of(&REPETITION, self.repetition.effect))?;
            if let Some(window) = self.repetition.window {
                write!(f, "{window}")?;
            }
        }
        if self.dead_stones != expected_dead_stones(self) {
            write!(f, "fpok{}", key_of(&DEAD_STONES, self.dead_stones))?;
        }
        if self.ties != defaults.ties {
            write!(f, "tie{}", key_of(&TIES, self.ties))?;
        }
        if self.compensation != defaults.compensation {
            write!(f, "whb{}", key_of(&COMPENSATION, self.compensation))?;
        }
        if self.handicap != defaults.handicap {
            write!(f, "hcp{}", key_of(&HANDICAP, self.handicap))?;
        }
        if self.passes != defaults.passes {
            write!(f, "pass{}", self.passes)?;
        }
        match self.max_moves {
            MoveLimit::None => {}
            MoveLimit::Moves(moves) => write!(f, "max{moves}")?,
            MoveLimit::TimesArea(factor) => write!(f, "max{factor}x")?,
        }
        if let Some(komi) = self.komi {
            write!(f, "komi{komi}")?;
        }
        Ok(())
    }
}

// The values of each axis as text. A value that is the beginning of another stands behind it.
const KO: [(&str, Ko); 3] = [
    ("SIMPLE", Ko::Simple),
    ("POSITIONAL", Ko::Positional),
    ("SITUATIONAL", Ko::Situational),
];
const SCORING: [(&str, Scoring); 3] = [
    ("AREAPRISONERS", Scoring::AreaAndPrisoners),
    ("AREA", Scoring::Area),
    ("TERRITORY", Scoring::Territory),
];
const SUICIDE: [(&str, Suicide); 3] = [
    ("0", Suicide::Forbidden),
    ("1", Suicide::MultiStone),
    ("ANY", Suicide::Allowed),
];
const REPETITION: [(&str, RepetitionEffect); 4] = [
    ("PLAYON", RepetitionEffect::PlayOn),
    ("LOSES", RepetitionEffect::Loses),
    ("DRAWS", RepetitionEffect::Draws),
    ("NORESULT", RepetitionEffect::NoResult),
];
const DEAD_STONES: [(&str, DeadStones); 2] =
    [("0", DeadStones::Captured), ("1", DeadStones::Agreed)];
const TIES: [(&str, Ties); 3] = [
    ("DRAW", Ties::Draw),
    ("BLACK", Ties::Black),
    ("WHITE", Ties::White),
];
const COMPENSATION: [(&str, Compensation); 3] = [
    ("N-1", Compensation::PerStoneButFirst),
    ("N", Compensation::PerStone),
    ("0", Compensation::None),
];
const HANDICAP: [(&str, HandicapPlacement); 2] = [
    ("FIXED", HandicapPlacement::Fixed),
    ("FREE", HandicapPlacement::Free),
];
const TAX: [(&str, Tax); 3] = [("NONE", Tax::None), ("SEKI", Tax::Seki), ("ALL", Tax::All)];
const SWITCH: [(&str, bool); 2] = [("0", false), ("1", true)];

/// KataGo's axis for points in seki, which follows from the scoring here.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Tax {
    None,
    Seki,
    All,
}

/// What a text that is silent about dead stones means: what the preset has that agrees in all else, whatever the komi.
/// Territory cannot be counted without agreement, and all other rules count as they stand.
fn expected_dead_stones(rules: &Rules) -> DeadStones {
    let agrees = |preset: &Rules| {
        let like_preset = Rules {
            dead_stones: preset.dead_stones,
            komi: preset.komi,
            ..*rules
        };
        like_preset == *preset
    };
    let mut presets = Preset::ALL.into_iter().map(Preset::rules);
    match presets.find(agrees) {
        Some(preset) => preset.dead_stones,
        None if rules.scoring == Scoring::Territory => DeadStones::Agreed,
        None => DeadStones::Captured,
    }
}

fn key_of<T: Copy + PartialEq>(table: &[(&'static str, T)], value: T) -> &'static str {
    table
        .iter()
        .find(|(_, entry)| *entry == value)
        .map_or("", |(key, _)| key)
}

/// Why a rule set was refused: the part of the text that was not understood, and what could stand there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseRulesError {
    /// Where in the text, in bytes.
    pub position: usize,
    /// What was wrong.
    pub problem: String,
}

impl fmt::Display for ParseRulesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.problem)
    }
}

impl std::error::Error for ParseRulesError {}

/// Reads a preset's name as people write it (`Chinese`, `tromp_taylor`, `NZ`), or the notation of KataGo
/// (`koPOSITIONALscoreAREAsui0`) with the additions that [`Rules`] prints.
impl FromStr for Rules {
    type Err = ParseRulesError;

    fn from_str(text: &str) -> Result<Self, ParseRulesError> {
        if let Some(preset) = Preset::named(text) {
            return Ok(preset.rules());
        }
        Reader::new(text).read()
    }
}

/// Takes a rule text apart from left to right.
struct Reader<'a> {
    text: &'a str,
    rest: &'a str,
}

impl<'a> Reader<'a> {
    fn new(text: &'a str) -> Self {
        let rest = text.trim();
        Self { text, rest }
    }

    fn read(mut self) -> Result<Rules, ParseRulesError> {
        if !self.rest.starts_with("ko") {
            let names: Vec<&str> = Preset::ALL.iter().map(|preset| preset.name()).collect();
            return Err(self.error(format!(
                "unknown rules `{}`: use {}, or a text such as `koPOSITIONALscoreAREAsui0`",
                shorten(self.text),
                names.join(", ")
            )));
        }
        let mut rules = Rules::TROMP_TAYLOR;
        let mut tax = None;
        let mut dead_stones = None;
        while !self.rest.is_empty() {
            if self.word("komi") {
                rules.komi = Some(self.komi()?);
            } else if self.word("ko") {
                rules.ko = self.choice("ko", &KO)?;
            } else if self.word("score") {
                rules.scoring = self.choice("score", &SCORING)?;
            } else if self.word("sui") {
                rules.suicide = self.choice("sui", &SUICIDE)?;
            } else if self.word("tax") {
                tax = Some(self.choice("tax", &TAX)?);
            } else if self.word("rep") {
                rules.repetition.effect = self.choice("rep", &REPETITION)?;
                rules.repetition.window = self.number()?;
            } else if self.word("tie") {
                rules.ties = self.choice("tie", &TIES)?;
            } else if self.word("whb") {
                rules.compensation = self.choice("whb", &COMPENSATION)?;
            } else if self.word("hcp") {
                rules.handicap = self.choice("hcp", &HANDICAP)?;
            } else if self.word("pass") {
                let Some(passes) = self.number()? else {
                    return Err(self.error("`pass` takes the number of passes, 0 to 255".into()));
                };
                rules.passes = passes;
            } else if self.word("max") {
                rules.max_moves = self.move_limit()?;
            } else if self.word("button") {
                if self.choice("button", &SWITCH)? {
                    return Err(self.error("the button rule is not supported".into()));
                }
            } else if self.word("fpok") {
                dead_stones = Some(self.choice("fpok", &DEAD_STONES)?);
            } else {
                return Err(self.error(format!(
                    "`{}` in a rule text: expected ko, score, sui, tax, rep, tie, whb, hcp, pass, max, button, fpok or \
                        komi",
                    shorten(self.rest)
                )));
            }
        }
        let expected = match rules.scoring {
            Scoring::Territory => Tax::Seki,
            Scoring::Area | Scoring::AreaAndPrisoners => Tax::None,
        };
        if tax.is_some_and(|tax| tax != expected) {
            return Err(self.error(
                "group tax is not supported: area is scored with taxNONE, territory with taxSEKI"
                    .into(),
            ));
        }
        rules.dead_stones = dead_stones.unwrap_or_else(|| expected_dead_stones(&rules));
        Ok(rules)
    }

    fn error(&self, problem: String) -> ParseRulesError {
        ParseRulesError {
            position: self.text.trim_end().len().saturating_sub(self.rest.len()),
            problem,
        }
    }

    /// Takes a word, if the text goes on with it.
    fn word(&mut self, word: &str) -> bool {
        match self.rest.strip_prefix(word) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn choice<T: Copy>(&mut self, axis: &str, table: &[(&str, T)]) -> Result<T, ParseRulesError> {
        for (key, value) in table {
            if self.word(key) {
                return Ok(*value);
            }
        }
        let keys: Vec<&str> = table.iter().map(|(key, _)| *key).collect();
        Err(self.error(format!(
            "`{axis}` takes one of {}, not `{}`",
            keys.join(", "),
            shorten(self.rest)
        )))
    }

    /// Takes the longest run of characters that all fit.
    fn take(&mut self, fits: impl Fn(char) -> bool) -> &'a str {
        let end = self.rest.find(|c| !fits(c)).unwrap_or(self.rest.len());
        let (taken, rest) = self.rest.split_at(end);
        self.rest = rest;
        taken
    }

    /// Takes a number, if there is one.
    fn number<N: FromStr>(&mut self) -> Result<Option<N>, ParseRulesError> {
        match self.take(|c| c.is_ascii_digit()) {
            "" => Ok(None),
            digits => match digits.parse() {
                Ok(number) => Ok(Some(number)),
                Err(_) => Err(self.error(format!("{} is too large here", shorten(digits)))),
            },
        }
    }

    fn move_limit(&mut self) -> Result<MoveLimit, ParseRulesError> {
        let missing =
            "`max` takes a number of moves, or a factor such as `2x` for two moves a point";
        let Some(number) = self.number::<u32>()? else {
            return Err(self.error(missing.into()));
        };
        if self.word("x") {
            let factor = u8::try_from(number)
                .map_err(|_| self.error("`max` takes a factor of at most 255".into()))?;
            Ok(MoveLimit::TimesArea(factor))
        } else {
            Ok(MoveLimit::Moves(number))
        }
    }

    fn komi(&mut self) -> Result<Komi, ParseRulesError> {
        let number = self.take(|c| c.is_ascii_digit() || matches!(c, '.' | '-' | '+'));
        number
            .parse()
            .map_err(|error| self.error(format!("`komi{}`: {error}", shorten(number))))
    }
}

/// The beginning of a text, so that an error about a long one stays a line.
fn shorten(text: &str) -> String {
    if text.chars().nth(40).is_some() {
        text.chars().take(40).chain(['…']).collect()
    } else {
        text.to_owned()
    }
}
