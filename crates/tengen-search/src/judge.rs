//! Who judges positions for engines.

use std::fmt;
use std::sync::Arc;

use crate::engine::Engine;
use crate::evaluator::Evaluator;
use crate::options::Options;
use crate::rollout::Rollouts;
use crate::tuning::Tuning;

/// Makes an evaluator for a thread of an engine with these options.
type Make = dyn Fn(&Options) -> Box<dyn Evaluator> + Send + Sync;

/// Makes the evaluators of engines, one for each of their threads. Clones make the same.
///
/// ```
/// use tengen_search::{Judge, Options};
/// let engine = Judge::default().engine(Options::default());
/// assert_eq!(Judge::default().name(), "rollouts");
/// ```
#[derive(Clone)]
pub struct Judge {
    name: Arc<str>,
    make: Arc<Make>,
}

impl Judge {
    /// A judge with this name, whose evaluators are made like this.
    pub fn new(
        name: &str,
        make: impl Fn(&Options) -> Box<dyn Evaluator> + Send + Sync + 'static,
    ) -> Self {
        Self {
            name: name.into(),
            make: Arc::new(make),
        }
    }

    /// What it is called.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// An evaluator for one thread of an engine with these options.
    pub fn evaluator(&self, options: &Options) -> Box<dyn Evaluator> {
        (self.make)(options)
    }

    /// An engine that trusts this judge.
    pub fn engine(&self, options: Options) -> Engine {
        let evaluators = (0..options.threads.max(1)).map(|_| self.evaluator(&options));
        Engine::with_evaluators(options, evaluators.collect())
    }
}

/// Judges by rollouts.
impl Default for Judge {
    fn default() -> Self {
        Self::new("rollouts", |_| Box::new(Rollouts::new(&Tuning::default())))
    }
}

impl fmt::Debug for Judge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Judge").field(&self.name).finish()
    }
}
