//! The network that comes with the toolkit.

use std::sync::{Arc, OnceLock};

use tengen_search::Judge;

use crate::expert::Expert;
use crate::net::Net;

/// Read once, whoever asks first.
static READ: OnceLock<Arc<Net>> = OnceLock::new();

impl Net {
    /// The longest side of the boards that the [baseline](Net::baseline) has learned on.
    pub const BASELINE_SIDE: u8 = 9;

    /// What people call the baseline where networks are named. A file of that name is `./baseline`.
    pub const BASELINE_NAME: &'static str = "baseline";

    /// The file of the baseline.
    pub const BASELINE_FILE: &'static [u8] = include_bytes!("../models/baseline.safetensors");

    /// The network that comes with the toolkit, and that everybody plays against who names no other. `docs/baseline.md` tells how it
    /// was made.
    ///
    /// ```
    /// use tengen_nn::Net;
    /// assert!(Net::BASELINE_FILE.len() < 5_000_000);
    /// assert_eq!(Net::baseline().architecture().to_string(), "6x64");
    /// ```
    pub fn baseline() -> Arc<Self> {
        Arc::clone(READ.get_or_init(read))
    }
}

/// Is it the baseline itself?
pub(crate) fn is_baseline(net: &Arc<Net>) -> bool {
    READ.get()
        .is_some_and(|baseline| Arc::ptr_eq(baseline, net))
}

fn read() -> Arc<Net> {
    let net = Net::from_bytes(Net::BASELINE_FILE);
    Arc::new(net.expect("what is part of the program was tested with it"))
}

impl Expert {
    /// The judge that trusts the [baseline](Net::baseline) on the boards that it knows.
    pub fn baseline() -> Judge {
        let net = Net::baseline();
        let name = format!("baseline network {}", net.architecture());
        Self::judge(&name, &net, Net::BASELINE_SIDE)
    }
}
