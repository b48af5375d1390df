//! Networks as the command line names them.

use std::borrow::Cow;
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::sync::Arc;

use tengen_nn::{Baseline, Net, katago};

use crate::failure::Usage;

/// So many bytes of a file are read at once; the first of them say what kind of network it is.
const BUFFER: usize = 1 << 16;

/// A network and the bytes of its file.
pub(crate) struct NamedNet {
    pub(crate) net: Arc<Net>,
    pub(crate) bytes: Cow<'static, [u8]>,
}

impl NamedNet {
    /// The network in a file, or a baseline.
    pub(crate) fn read(name: &Path) -> Result<Self, Usage> {
        match AnyNet::read(name)? {
            AnyNet::Own(net) => Ok(net),
            AnyNet::KataGo(..) => Err(Usage::new(format_args!(
                "{}: it is a network of KataGo, and this is for networks that `tengen train` made",
                name.display()
            ))),
        }
    }
}

/// A network of any kind.
pub(crate) enum AnyNet {
    /// One that `tengen train` made, or a baseline.
    Own(NamedNet),
    /// One of KataGo, and how many bytes its file has.
    KataGo(Arc<katago::Net>, usize),
}

impl AnyNet {
    /// The network in a file, or a baseline.
    pub(crate) fn read(name: &Path) -> Result<Self, Usage> {
        let mut baselines = Baseline::ALL.into_iter();
        if let Some(baseline) = baselines.find(|baseline| name == Path::new(baseline.name())) {
            return Ok(Self::Own(NamedNet {
                net: baseline.net(),
                bytes: baseline.file().into(),
            }));
        }
        let wrong = |problem: &dyn std::fmt::Display| {
            Usage::new(format_args!("{}: {problem}", name.display()))
        };
        let file = File::open(name).map_err(|error| wrong(&error))?;
        let mut file = BufReader::with_capacity(BUFFER, file);
        let start = file.fill_buf().map_err(|error| wrong(&error))?;
        if katago::Net::looks_like_one(start) {
            // It is large, and is never in memory as a whole beside what is made of it.
            let len = file.get_ref().metadata().map_or(0, |found| found.len());
            let net = katago::Net::read(file).map_err(|error| wrong(&error))?;
            return Ok(Self::KataGo(Arc::new(net), len as usize));
        }
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)
            .map_err(|error| wrong(&error))?;
        let net = Net::from_bytes(&bytes).map_err(|error| wrong(&error))?;
        Ok(Self::Own(NamedNet {
            net: Arc::new(net),
            bytes: bytes.into(),
        }))
    }
}
