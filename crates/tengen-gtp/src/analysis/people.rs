//! Players whom a network imitates.

use std::fmt;
use std::sync::Arc;

use tengen_search::Judge;

/// Makes the judge that plays as the players of this name do, or says why there is none.
type Make = dyn Fn(&str) -> Result<Judge, String> + Send + Sync;

/// A network that has learned from people, and plays as players of a rank or a year do (KataGo's humanSL).
#[derive(Clone)]
pub struct People {
    make: Arc<Make>,
    role: Role,
}

/// What a network that imitates people is there for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// It says what they would play, and another network searches.
    Beside,
    /// It searches as well.
    Searching,
}

/// Whom a query wants to be imitated.
#[derive(Clone, Debug)]
pub struct Imitated {
    /// Who does it.
    pub judge: Judge,
    /// What for.
    pub role: Role,
}

impl People {
    /// A network whose judges are made like this, for KataGo's names of players such as `rank_5k`.
    pub fn new(
        role: Role,
        make: impl Fn(&str) -> Result<Judge, String> + Send + Sync + 'static,
    ) -> Self {
        Self {
            make: Arc::new(make),
            role,
        }
    }

    /// The players of this name.
    pub(super) fn named(&self, name: &str) -> Result<Imitated, String> {
        Ok(Imitated {
            judge: (self.make)(name)?,
            role: self.role,
        })
    }
}

impl PartialEq for People {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.make, &other.make) && self.role == other.role
    }
}

impl fmt::Debug for People {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("People")
            .field("role", &self.role)
            .finish_non_exhaustive()
    }
}
