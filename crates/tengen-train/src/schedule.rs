//! How the rate of learning changes from step to step.

use serde::{Deserialize, Serialize};

/// How the rate of learning changes from step to step, as a factor of the rate that is set.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Schedule {
    /// The rate rises evenly over the first so many steps.
    pub warm_up: u64,
    /// How it falls: `"cosine"`, `"linear"` or not at all.
    pub fall: Fall,
    /// The step from which it falls.
    pub from: u64,
    /// The step at which it has fallen to `lowest`, where it stays.
    pub to: u64,
    /// What is left of it then.
    pub lowest: f64,
    /// It is multiplied by these factors from these steps on, in addition: `[{ step = 40000, factor = 0.3 }]`.
    pub drops: Vec<Drop>,
}

/// How the rate of learning falls.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Fall {
    /// It does not.
    #[default]
    None,
    /// As half a wave of a cosine: slowly at first and in the end.
    Cosine,
    /// Evenly.
    Linear,
}

/// A step from which the rate is lower.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Drop {
    /// From this step on.
    pub step: u64,
    /// It is multiplied by this.
    pub factor: f64,
}

impl Default for Schedule {
    fn default() -> Self {
        Self {
            warm_up: 0,
            fall: Fall::None,
            from: 0,
            to: 0,
            lowest: 0.02,
            drops: Vec::new(),
        }
    }
}

impl Schedule {
    /// The factor of the rate at a step, counted from 0.
    ///
    /// ```
    /// use tengen_train::{Fall, Schedule};
    /// let fall = Schedule { fall: Fall::Linear, from: 100, to: 200, lowest: 0.5, ..Schedule::default() };
    /// let schedule = Schedule { warm_up: 10, ..fall };
    /// assert_eq!([0, 9, 100, 150, 300].map(|step| schedule.factor(step)), [0.1, 1.0, 1.0, 0.75, 0.5]);
    /// ```
    pub fn factor(&self, step: u64) -> f64 {
        let risen = match self.warm_up {
            0 => 1.0,
            steps => ((step + 1) as f64 / steps as f64).min(1.0),
        };
        let length = self.to.saturating_sub(self.from).max(1) as f64;
        let way = (step.saturating_sub(self.from) as f64 / length).min(1.0);
        let height = match self.fall {
            Fall::None => 1.0,
            Fall::Linear => 1.0 - way,
            Fall::Cosine => 0.5 * (1.0 + libm::cos(std::f64::consts::PI * way)),
        };
        let fallen = match self.fall {
            Fall::None => 1.0,
            Fall::Linear | Fall::Cosine => self.lowest + (1.0 - self.lowest) * height,
        };
        let dropped = self.drops.iter().filter(|drop| drop.step <= step);
        risen * fallen * dropped.map(|drop| drop.factor).product::<f64>()
    }
}
