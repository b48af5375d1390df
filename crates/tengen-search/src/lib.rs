#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod aim;
mod analysis;
mod backup;
mod choosing;
mod clock;
mod decision;
mod engine;
mod evaluator;
mod handicap;
mod judge;
mod level;
mod limits;
mod memory;
mod options;
mod oversight;
mod puct;
mod raw;
mod rollout;
mod root;
mod search;
mod selection;
mod settlement;
mod settling;
mod stopwatch;
mod summary;
mod team;
mod thinking;
mod tree;
mod tuning;
mod utility;

pub use aim::Aim;
pub use analysis::{Analysis, Candidate, Worth};
pub use choosing::Choosing;
pub use clock::{Clock, Left, TimeControl};
pub use decision::{Choice, Decision};
pub use engine::{Adjustment, Engine, Task};
pub use evaluator::{Evaluation, Evaluator, Leaf};
pub use judge::Judge;
pub use level::{Level, Skill};
pub use limits::{Beside, Limits, Restriction, RestrictionKind, Restrictions, Stop};
pub use options::Options;
pub use raw::{Model, Raw, RawQuery};
pub use rollout::{
    Priors, Rollouts, Weights, WeightsError, area_komi, near_stones, prior_features,
};
pub use settling::Settling;
pub use stopwatch::Time;
pub use thinking::{Portion, Thinking};
pub use tuning::{Tuning, UnknownTuning};
pub use utility::Value;
