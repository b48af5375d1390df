//! Rules as Python writes them.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyTuple, PyType};
use tengen_core::{
    Compensation, DeadStones, HandicapPlacement, Ko, MoveLimit, Preset, RepetitionEffect, Scoring,
    Suicide, Ties,
};

use crate::komi::Komi;
use crate::size::Size;

/// A rule set: one choice on each axis.
///
/// The first argument is a name such as 'chinese' (`Rules.presets()` lists them), the notation of KataGo such as
/// 'koPOSITIONALscoreAREAsui0', or other rules; keywords replace single axes of it:
///
/// - ko: 'simple', 'positional', 'situational'
/// - repetition, when the ko rule allows it: 'play-on', 'loses', 'draws', 'no-result'
/// - repetition_window: compare with so many boards before; None compares with all
/// - suicide: 'forbidden', 'multi-stone', 'allowed'
/// - scoring: 'area', 'territory', 'area-and-prisoners'
/// - dead_stones: 'captured' before the count, or what players 'agreed' on
/// - komi: a number; None is the customary komi of the board size
/// - ties: 'draw', 'black', 'white', who wins them
/// - handicap: 'fixed', 'free', where the stones go
/// - compensation: 'none', 'per-stone', 'per-stone-but-first', what White gets for them
/// - passes: how many in a row end the game
/// - max_moves: a number, a text such as '2x' for two moves a point, or None for any length
///
/// >>> from tengen import Rules
/// >>> rules = Rules('chinese', komi=6.5)
/// >>> rules.ko, rules.suicide, rules.komi
/// ('positional', 'forbidden', 6.5)
/// >>> rules
/// Rules('koPOSITIONALscoreAREAsui0whbNkomi6.5')
/// >>> Rules(ko='situational', komi=7, dead_stones='agreed') == Rules('new-zealand')
/// True
#[pyclass(frozen, eq, hash, module = "tengen")]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Rules(pub(crate) tengen_core::Rules);

/// Rules by name or as such.
#[derive(Clone, Copy)]
pub(crate) struct RulesArg(pub(crate) tengen_core::Rules);

impl Default for RulesArg {
    fn default() -> Self {
        Self(tengen_core::Rules::TROMP_TAYLOR)
    }
}

impl<'py> FromPyObject<'_, 'py> for RulesArg {
    type Error = PyErr;

    fn extract(value: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(rules) = value.cast::<Rules>() {
            return Ok(Self(rules.get().0));
        }
        let text: String = value.extract()?;
        text.parse()
            .map(Self)
            .map_err(|error: tengen_core::ParseRulesError| PyValueError::new_err(error.to_string()))
    }
}

/// An argument for which `None` means something, so that leaving it out must be something else.
#[derive(Clone, Copy)]
pub(crate) enum Given<T> {
    /// It was left out.
    No,
    /// It was given.
    Yes(T),
}

impl<'a, 'py, T: FromPyObject<'a, 'py>> FromPyObject<'a, 'py> for Given<T> {
    type Error = T::Error;

    fn extract(value: Borrowed<'a, 'py, PyAny>) -> Result<Self, T::Error> {
        T::extract(value).map(Self::Yes)
    }
}

/// How long a game may last: a number, or a factor such as `"2x"`.
#[derive(Clone, Copy)]
pub(crate) struct Length(MoveLimit);

impl<'py> FromPyObject<'_, 'py> for Length {
    type Error = PyErr;

    fn extract(value: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        if value.is_none() {
            return Ok(Self(MoveLimit::None));
        }
        let Ok(text) = value.extract::<String>() else {
            return Ok(Self(MoveLimit::Moves(value.extract()?)));
        };
        let limit = match text.strip_suffix('x') {
            Some(factor) => factor.parse().ok().map(MoveLimit::TimesArea),
            None => text.parse().ok().map(MoveLimit::Moves),
        };
        limit.map(Self).ok_or_else(|| {
            PyValueError::new_err(format!(
                "max_moves is a number, or a factor up to 255 such as '2x', not {text:?}"
            ))
        })
    }
}

/// The words for the choices on an axis.
struct Axis<T: 'static> {
    name: &'static str,
    words: &'static [(&'static str, T)],
}

impl<T: Copy + PartialEq> Axis<T> {
    fn read(&self, target: &mut T, word: Option<&str>) -> PyResult<()> {
        let Some(word) = word else {
            return Ok(());
        };
        let plain = word.to_lowercase().replace(['_', ' '], "-");
        match self.words.iter().find(|(name, _)| *name == plain) {
            Some((_, value)) => {
                *target = *value;
                Ok(())
            }
            None => {
                let names: Vec<String> = self
                    .words
                    .iter()
                    .map(|(name, _)| format!("'{name}'"))
                    .collect();
                Err(PyValueError::new_err(format!(
                    "{} is one of {}, not {word:?}",
                    self.name,
                    names.join(", ")
                )))
            }
        }
    }

    fn word(&self, value: T) -> &'static str {
        let found = self.words.iter().find(|(_, choice)| *choice == value);
        found.map_or("", |(name, _)| name)
    }
}

const KO: Axis<Ko> = Axis {
    name: "ko",
    words: &[
        ("simple", Ko::Simple),
        ("positional", Ko::Positional),
        ("situational", Ko::Situational),
    ],
};
const REPETITION: Axis<RepetitionEffect> = Axis {
    name: "repetition",
    words: &[
        ("play-on", RepetitionEffect::PlayOn),
        ("loses", RepetitionEffect::Loses),
        ("draws", RepetitionEffect::Draws),
        ("no-result", RepetitionEffect::NoResult),
    ],
};
const SUICIDE: Axis<Suicide> = Axis {
    name: "suicide",
    words: &[
        ("forbidden", Suicide::Forbidden),
        ("multi-stone", Suicide::MultiStone),
        ("allowed", Suicide::Allowed),
    ],
};
const SCORING: Axis<Scoring> = Axis {
    name: "scoring",
    words: &[
        ("area", Scoring::Area),
        ("territory", Scoring::Territory),
        ("area-and-prisoners", Scoring::AreaAndPrisoners),
    ],
};
const DEAD_STONES: Axis<DeadStones> = Axis {
    name: "dead_stones",
    words: &[
        ("captured", DeadStones::Captured),
        ("agreed", DeadStones::Agreed),
    ],
};
const TIES: Axis<Ties> = Axis {
    name: "ties",
    words: &[
        ("draw", Ties::Draw),
        ("black", Ties::Black),
        ("white", Ties::White),
    ],
};
const HANDICAP: Axis<HandicapPlacement> = Axis {
    name: "handicap",
    words: &[
        ("fixed", HandicapPlacement::Fixed),
        ("free", HandicapPlacement::Free),
    ],
};
const COMPENSATION: Axis<Compensation> = Axis {
    name: "compensation",
    words: &[
        ("none", Compensation::None),
        ("per-stone", Compensation::PerStone),
        ("per-stone-but-first", Compensation::PerStoneButFirst),
    ],
};

/// The suicide rule that a word names.
pub(crate) fn suicide(word: &str) -> PyResult<Suicide> {
    let mut suicide = Suicide::Forbidden;
    SUICIDE.read(&mut suicide, Some(word))?;
    Ok(suicide)
}

/// What counts under a scoring rule, as a word.
pub(crate) fn scoring(scoring: Scoring) -> &'static str {
    SCORING.word(scoring)
}

/// The scoring rule that this word names.
pub(crate) fn read_scoring(word: &str) -> PyResult<Scoring> {
    let mut scoring = Scoring::Area;
    SCORING.read(&mut scoring, Some(word))?;
    Ok(scoring)
}

#[pymethods]
impl Rules {
    #[new]
    #[pyo3(
        signature = (
            rules=RulesArg::default(), *, ko=None, repetition=None, repetition_window=Given::No, suicide=None,
            scoring=None, dead_stones=None, komi=Given::No, ties=None, handicap=None, compensation=None, passes=None,
            max_moves=Given::No,
        ),
        text_signature = "(rules='tromp-taylor', *, ko=None, repetition=None, repetition_window=..., suicide=None, \
            scoring=None, dead_stones=None, komi=..., ties=None, handicap=None, compensation=None, passes=None, \
            max_moves=...)",
    )]
    #[expect(
        clippy::too_many_arguments,
        reason = "they are keywords in Python, one for each axis"
    )]
    fn new(
        rules: RulesArg,
        ko: Option<&str>,
        repetition: Option<&str>,
        repetition_window: Given<Option<u16>>,
        suicide: Option<&str>,
        scoring: Option<&str>,
        dead_stones: Option<&str>,
        komi: Given<Option<Komi>>,
        ties: Option<&str>,
        handicap: Option<&str>,
        compensation: Option<&str>,
        passes: Option<i64>,
        max_moves: Given<Length>,
    ) -> PyResult<Self> {
        let RulesArg(mut rules) = rules;
        KO.read(&mut rules.ko, ko)?;
        REPETITION.read(&mut rules.repetition.effect, repetition)?;
        SUICIDE.read(&mut rules.suicide, suicide)?;
        SCORING.read(&mut rules.scoring, scoring)?;
        DEAD_STONES.read(&mut rules.dead_stones, dead_stones)?;
        TIES.read(&mut rules.ties, ties)?;
        HANDICAP.read(&mut rules.handicap, handicap)?;
        COMPENSATION.read(&mut rules.compensation, compensation)?;
        if let Given::Yes(window) = repetition_window {
            rules.repetition.window = window;
        }
        if let Given::Yes(komi) = komi {
            rules.komi = komi.map(|komi| komi.0);
        }
        if let Some(passes) = passes {
            rules.passes = u8::try_from(passes)
                .ok()
                .filter(|passes| *passes > 0)
                .ok_or_else(|| PyValueError::new_err("passes is a number from 1 to 255"))?;
        }
        if let Given::Yes(Length(limit)) = max_moves {
            rules.max_moves = limit;
        }
        Ok(Self(rules))
    }

    /// The names of all rule sets that have one.
    ///
    /// >>> 'japanese' in Rules.presets()
    /// True
    #[staticmethod]
    fn presets() -> Vec<&'static str> {
        Preset::ALL.map(Preset::name).to_vec()
    }

    /// Which repetitions are illegal: 'simple', 'positional' or 'situational'.
    #[getter]
    fn ko(&self) -> &'static str {
        KO.word(self.0.ko)
    }

    /// What follows when a legal stone recreates an earlier board: 'play-on', 'loses', 'draws' or 'no-result'.
    #[getter]
    fn repetition(&self) -> &'static str {
        REPETITION.word(self.0.repetition.effect)
    }

    /// With how many boards before the current one a repetition is looked for; None for all.
    #[getter]
    const fn repetition_window(&self) -> Option<u16> {
        self.0.repetition.window
    }

    /// Whether a player may take the own stones off: 'forbidden', 'multi-stone' or 'allowed'.
    #[getter]
    fn suicide(&self) -> &'static str {
        SUICIDE.word(self.0.suicide)
    }

    /// What counts at the end: 'area', 'territory' or 'area-and-prisoners'.
    #[getter]
    fn scoring(&self) -> &'static str {
        scoring(self.0.scoring)
    }

    /// What happens to dead stones before they are counted: 'captured' or 'agreed'.
    #[getter]
    fn dead_stones(&self) -> &'static str {
        DEAD_STONES.word(self.0.dead_stones)
    }

    /// White's compensation; None where it depends on the board size.
    #[getter]
    fn komi(&self) -> Option<Komi> {
        self.0.komi.map(Komi)
    }

    /// Who wins when both have the same score: 'draw', 'black' or 'white'.
    #[getter]
    fn ties(&self) -> &'static str {
        TIES.word(self.0.ties)
    }

    /// Where handicap stones go: 'fixed' or 'free'.
    #[getter]
    fn handicap(&self) -> &'static str {
        HANDICAP.word(self.0.handicap)
    }

    /// What White gets for handicap stones: 'none', 'per-stone' or 'per-stone-but-first'.
    #[getter]
    fn compensation(&self) -> &'static str {
        COMPENSATION.word(self.0.compensation)
    }

    /// How many passes in a row end the game.
    #[getter]
    const fn passes(&self) -> u8 {
        self.0.passes
    }

    /// How many moves a game may last, a text such as '2x' for a multiple of the points, or None.
    #[getter]
    fn max_moves<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        match self.0.max_moves {
            MoveLimit::None => Ok(py.None().into_bound(py)),
            MoveLimit::Moves(moves) => Ok(moves.into_pyobject(py)?.into_any()),
            MoveLimit::TimesArea(factor) => Ok(format!("{factor}x").into_pyobject(py)?.into_any()),
        }
    }

    /// The komi of a game on this size.
    ///
    /// >>> Rules('japanese').komi_for(19), Rules().komi_for(7)
    /// (6.5, 9.0)
    fn komi_for(&self, size: Size) -> Komi {
        Komi(self.0.komi_for(size.0))
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        format!("Rules('{}')", self.0)
    }

    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyType>, Bound<'py, PyTuple>)> {
        let arguments = PyTuple::new(py, [self.0.to_string()])?;
        Ok((py.get_type::<Self>(), arguments))
    }
}
