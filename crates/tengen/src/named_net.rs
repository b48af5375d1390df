//! Networks as the command line names them.

use std::borrow::Cow;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use tengen_nn::Net;

use crate::failure::Usage;

/// A network and the bytes of its file.
pub(crate) struct NamedNet {
    pub(crate) net: Arc<Net>,
    pub(crate) bytes: Cow<'static, [u8]>,
}

impl NamedNet {
    /// The network in a file, or the baseline.
    pub(crate) fn read(name: &Path) -> Result<Self, Usage> {
        if name == Path::new(Net::BASELINE_NAME) {
            return Ok(Self {
                net: Net::baseline(),
                bytes: Net::BASELINE_FILE.into(),
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
