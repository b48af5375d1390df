//! The numbers that a search and its rollouts are tuned by.

use std::fmt;

use tengen_core::Size;

use crate::utility::ScoreUtility;

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
    /// The same at the position that a search begins with.
    root_first_play_reduction = 0.05,
    /// FPU by policy mass: the reduction grows with the root of the priors of all moves that were tried, and before
    /// that a move is worth what was said of its parent alone, by this power of theirs. 0 is off.
    first_play_policy_power = 0.0,
    /// Leaves that are judged together, for an evaluator that likes that, as a share of the visits so far: the search
    /// is less sure where to look. 0 is one by one.
    batch_share = 0.04,
    /// Visit-scaled PUCT: how much the exploration constant grows with the logarithm of the visits. 0 is off.
    exploration_log = 0.0,
    /// It begins to grow at about so many visits.
    exploration_log_base = 500.0,
    /// Variance-scaled PUCT: how far exploration follows the standard deviation of utilities, from 0, off, to 1.
    exploration_by_spread = 0.0,
    /// The standard deviation with which exploration is as it is without that.
    usual_spread = 0.2,
    /// It is assumed to have been seen in so many visits.
    usual_spread_visits = 2.0,
    /// Noise pruning: visits beyond a move's share count little if it is worse than others by this much. 0 is off.
    noise_pruning = 0.0,
    /// Value weighting: moves that are worse than others by more than chance weigh less, by this power. 0 is off.
    value_weight_exponent = 0.0,
    /// The lower confidence bound (LCB) by which a move is chosen, in standard deviations. 0 is off: visits decide.
    lcb_deviations = 0.0,
    /// A move may be chosen by it that has this share of the visits of the move with most.
    lcb_least_share = 0.15,
    /// Futile visits: a move that cannot get this share of the visits of the move with most, before the search ends, is
    /// not searched when a move is chosen; and a search ends when one move is left. 0 is off.
    futile_share = 0.0,
    /// In how many symmetries a network judges the position that a search begins with; the mean counts.
    root_symmetries = 1.0,
    /// The root policy temperature: the priors of that position are flatter above 1 and sharper below it.
    root_policy_temperature = 1.0,
    /// The bias that RAVE assumes of the AMAF value of a move: the larger, the sooner it is forgotten.
    amaf_bias = 0.03,
    /// How many games the AMAF value of a move begins with, at the first-play urgency.
    amaf_start = 5.0,
    /// A position's moves are looked at after so many visits.
    expand_after = 2.0,
    /// What the score is worth beside winning.
    score_weight = 0.05,
    /// What the score is worth as seen from the lead of the position that a search begins with, where a point won or
    /// lost counts most, however large that lead is. 0 is off.
    centered_score_weight = 0.0,
    /// How wide that is, in sides of the board.
    score_center_scale = 0.75,
    /// How far its centre is pulled from that lead to an even score, from 0 to 1.
    score_center_pull = 0.2,
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
            root_first_play_reduction: 0.1,
            amaf_start: 0.0,
            ..Self::default()
        }
    }

    /// The numbers for a search that is led by a network of KataGo: variance-scaled PUCT, score utility centred on the
    /// root's lead, and a choice by LCB.
    pub fn for_katago() -> Self {
        Self {
            exploration_by_spread: 0.85,
            usual_spread: 0.19,
            centered_score_weight: 0.15,
            lcb_deviations: 5.0,
            ..Self::for_network()
        }
    }

    /// Do children weigh otherwise than by their visits?
    pub(crate) fn weighs_children(&self) -> bool {
        self.noise_pruning > 0.0 || self.value_weight_exponent > 0.0
    }

    /// From where scores are seen by a search that begins with this lead of Black.
    pub(crate) fn center(&self, black_lead: f32, size: Size) -> f32 {
        let most = self.score_center_width(size);
        black_lead - (self.score_center_pull * black_lead).clamp(-most, most)
    }

    /// What scores are worth as seen from there.
    pub(crate) fn score(&self, center: f32, size: Size) -> ScoreUtility {
        ScoreUtility {
            weight: self.score_weight,
            centered_weight: self.centered_score_weight,
            center,
            scale: self.score_center_width(size),
        }
    }

    fn score_center_width(&self, size: Size) -> f32 {
        self.score_center_scale * (size.area() as f32).sqrt()
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
