//! Networks as the command line names them.

use std::borrow::Cow;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use tengen_nn::{Baseline, Net};

use crate::failure::Usage;

/// A network and the bytes of its file.
pub(crate) struct NamedNet {
    pub(crate) net: Arc<Net>,
    pub(crate) bytes: Cow<'static, [u8]>,
}

impl NamedNet {
    /// The network in a file, or a baseline.
    pub(crate) fn read(name: &Path) -> Result<Self, Usage> {
        let mut baselines = Baseline::ALL.into_iter();
        if let Some(baseline) = baselines.find(|baseline| name == Path::new(baseline.name())) {
            return Ok(Self {
                net: baseline.net(),
                bytes: baseline.file().into(),
            });
        }
        let wrong = |problem: &dyn std::fmt::Display| {
            Usage::new(format_args!("{}: {problem}", name.display()))
        };
        let bytes = fs::read(name).map_err(|error| wrong(&error))?;
        let net = Net::from_bytes(&bytes).map_err(|error| wrong(&error))?;
        Ok(Self {
            net: Arc::new(net),
            bytes: bytes.into(),
        })
    }
}
