//! The networks that come with the toolkit.

use std::sync::{Arc, OnceLock};

use tengen_search::{Judge, Options};

use crate::expert::Expert;
use crate::net::Net;
use crate::pair::Pair;

/// A network that comes with the toolkit.
///
/// There are two: what one has learned on small boards by playing with itself, and what the other has learned from
/// games that people played on 19 × 19. A network of KataGo was the tutor of both. `docs/baseline.md` tells how they
/// were made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Baseline {
    /// For boards up to 9 × 9.
    Small,
    /// For larger boards, up to 19 × 19.
    Large,
}

/// Read once, whoever asks first.
static SMALL: OnceLock<Arc<Net>> = OnceLock::new();
static LARGE: OnceLock<Arc<Net>> = OnceLock::new();

impl Baseline {
    /// Both of them.
    pub const ALL: [Self; 2] = [Self::Small, Self::Large];

    /// What people call it where networks are named. A file of that name is `./baseline`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Small => Net::BASELINE_NAME,
            Self::Large => "baseline-large",
        }
    }

    /// The longest side of the boards that it is asked about.
    pub const fn longest_side(self) -> u8 {
        match self {
            Self::Small => Net::BASELINE_SIDE,
            Self::Large => 19,
        }
    }

    /// Its file.
    pub const fn file(self) -> &'static [u8] {
        match self {
            Self::Small => Net::BASELINE_FILE,
            Self::Large => include_bytes!("../models/baseline-large.safetensors"),
        }
    }

    /// The network. Its file is part of the program, and was tested with it.
    ///
    /// ```
    /// use tengen_nn::Baseline;
    /// for baseline in Baseline::ALL {
    ///     assert!(baseline.file().len() < 5_000_000);
    ///     assert!(baseline.net().weights().len() > 500_000);
    /// }
    /// ```
    pub fn net(self) -> Arc<Net> {
        let place = match self {
            Self::Small => &SMALL,
            Self::Large => &LARGE,
        };
        Arc::clone(place.get_or_init(|| read(self.file())))
    }
}

impl Net {
    /// The longest side of the boards that the [baseline](Net::baseline) has learned on.
    pub const BASELINE_SIDE: u8 = 9;

    /// What people call the baseline where networks are named. A file of that name is `./baseline`.
    pub const BASELINE_NAME: &'static str = "baseline";

    /// The file of the baseline.
    pub const BASELINE_FILE: &'static [u8] = include_bytes!("../models/baseline.safetensors");

    /// The [baseline for small boards](Baseline::Small).
    ///
    /// ```
    /// use tengen_nn::Net;
    /// assert_eq!(Net::baseline().architecture().to_string(), "6x64");
    /// ```
    pub fn baseline() -> Arc<Self> {
        Baseline::Small.net()
    }
}

fn read(file: &[u8]) -> Arc<Net> {
    let net = Net::from_bytes(file);
    Arc::new(net.expect("what is part of the program was tested with it"))
}

/// Is it the baseline for small boards itself?
pub(crate) fn is_baseline(net: &Arc<Net>) -> bool {
    SMALL
        .get()
        .is_some_and(|baseline| Arc::ptr_eq(baseline, net))
}

impl Expert {
    /// The judge that everybody plays against who names no other: the baselines, each on the boards that it knows.
    pub fn baseline() -> Judge {
        let [small, large] = Baseline::ALL.map(Baseline::net);
        Self::pair(&small, &large)
    }

    /// The same of baselines that were read from files, for programs that these are not part of.
    pub fn pair(small: &Arc<Net>, large: &Arc<Net>) -> Judge {
        let [small, large] = [small, large].map(Arc::clone);
        let [small_side, large_side] = Baseline::ALL.map(Baseline::longest_side);
        let name = format!(
            "baseline networks {} up to {small_side}x{small_side} and {} up to {large_side}x{large_side}",
            small.architecture(),
            large.architecture(),
        );
        Judge::new(&name, move |options: &Options| {
            let [small, large] = [(&small, small_side), (&large, large_side)]
                .map(|(net, side)| Self::with_options(net, side, options));
            Box::new(Pair::new(small, large))
        })
    }
}
