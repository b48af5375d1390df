//! Who plays a colour.

use serde::{Deserialize, Serialize};
use tengen_search::Level;

use crate::limits::Limits;
use crate::refusal::Refusal;

/// Who plays a colour.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(tag = "kind", rename_all = "lowercase", deny_unknown_fields)]
pub enum Seat {
    /// Somebody at a screen.
    Person {
        /// What they are called, if they say so.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        name: Option<String>,
    },
    /// The engine.
    Engine {
        /// From 1, whom a beginner beats, to 20, full strength.
        #[cfg_attr(test, schemars(range(min = 1, max = Level::FULL.number())))]
        level: u8,
    },
    /// A program that the host has started.
    Program {
        /// One of the names that `about` lists.
        name: String,
    },
}

impl Seat {
    /// Somebody whose name is not known.
    pub const ANYBODY: Self = Self::Person { name: None };

    pub(crate) const fn is_person(&self) -> bool {
        matches!(self, Self::Person { .. })
    }

    /// The name for a record, if there is one.
    pub(crate) fn player(&self) -> Option<String> {
        match self {
            Self::Person { name } => name.clone(),
            Self::Engine { level } => Some(format!("Tengen level {level}")),
            Self::Program { name } => Some(name.clone()),
        }
    }

    /// Refuses a level or a program that does not exist, and a name that is too long.
    pub(crate) fn check(&self, programs: &[String], limits: &Limits) -> Result<(), Refusal> {
        match self {
            Self::Person { name: Some(name) } => limits.check_line(name),
            Self::Person { name: None } => Ok(()),
            Self::Engine { level } if Level::new(*level).is_some() => Ok(()),
            Self::Engine { level } => Err(Refusal::params(format_args!(
                "level {level} is not 1 to {}",
                Level::FULL.number()
            ))),
            Self::Program { name } if programs.contains(name) => Ok(()),
            Self::Program { name } => Err(Refusal::params(format_args!(
                "no program is called {name:?}"
            ))),
        }
    }
}
