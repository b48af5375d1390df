//! The numbers that a search and its rollouts are tuned by.

use std::fmt;

use tengen_core::Size;

macro_rules! tuning {
    ($($(#[doc = $doc:literal])+ $name:ident = $value:literal,)+) => {
        /// The numbers that a search and its rollouts are tuned by. The defaults were found by matches.
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub struct Tuning {
            $($(#[doc = $doc])+ pub $name: f32,)+
        }

        impl Default for Tuning {
            fn default() -> Self {
                Self { $($name: $value,)+ }
            }
        }

        impl Tuning {
            /// The names of all numbers.
            pub const NAMES: &[&str] = &[$(stringify!($name),)+];

            /// Sets the number with this name.
            pub fn set(&mut self, name: &str, value: f32) -> Result<(), UnknownTuning> {
                match name {
                    $(stringify!($name) => self.$name = value,)+
                    _ => return Err(UnknownTuning(name.to_owned())),
                }
                Ok(())
            }
        }
    };
}

tuning! {
    /// The exploration constant of PUCT: how much a prior draws the search to a move.
    exploration = 0.6,
    /// How much more it does so on larger boards, where every move has a smaller share: by this power of their area.
    exploration_by_area = 1.0,
    /// The first-play urgency reduction (FPU): how much less than its parent a move is worth before it was tried.
    first_play_reduction = 0.05,
    /// The bias that RAVE assumes of the AMAF value of a move: the larger, the sooner it is forgotten.
    amaf_bias = 0.03,
    /// How many games the AMAF value of a move begins with, at the first-play urgency.
    amaf_start = 5.0,
    /// A position's moves are looked at after so many visits.
    expand_after = 2.0,
    /// What the score is worth beside winning.
    score_weight = 0.05,
    /// How often a rollout saves a chain from capture, or captures.
    rollout_atari = 0.95,
    /// How often a rollout attacks and defends chains with two liberties.
    rollout_two_liberties = 0.7,
    /// How often a rollout plays on the vital point of a small eye.
    rollout_nakade = 0.8,
    /// How often a rollout answers by a pattern.
    rollout_pattern = 0.95,
    /// How often a rollout refuses a stone that is lost at once.
    rollout_self_atari = 1.0,
}

impl Tuning {
    /// The numbers for a search that is led by a network, whose priors are sharp and whose values are not those of
    /// games that were played.
    pub fn for_network() -> Self {
        Self {
            exploration: 0.5,
            exploration_by_area: 0.0,
            first_play_reduction: 0.1,
            amaf_start: 0.0,
            ..Self::default()
        }
    }

    /// How much wider a search is than on a board of 9 × 9.
    pub(crate) fn breadth(&self, size: Size) -> f32 {
        libm::powf(size.area() as f32 / 81.0, self.exploration_by_area)
    }
}

/// No number has this name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownTuning(String);

impl fmt::Display for UnknownTuning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "no number is named `{}`; there are {}",
            self.0,
            Tuning::NAMES.join(", ")
        )
    }
}

impl std::error::Error for UnknownTuning {}
