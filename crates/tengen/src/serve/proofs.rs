//! Certificates that the app is started with.

use std::fmt::Display;
use std::fs::File;
use std::io::BufReader;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Result;
use tengen_app::Proof;
use tengen_solver::certificate::Reader;
use tengen_solver::verify::Progress;

use crate::failure::Usage;
use crate::progress::ProgressLine;

/// Certificates with more entries are taken at their word: to check one takes 150 bytes an entry, and minutes.
const MOST_CHECKED: u64 = 2_000_000;

/// Reads certificates, and checks those that are small enough.
pub(super) fn open(files: &[PathBuf]) -> Result<Vec<Arc<Proof>>> {
    let mut view = ProgressLine::new(false);
    let mut proofs = Vec::new();
    for file in files {
        let mut watch = |Progress { done, all, .. }| {
            view.report(done as usize, all.max(1) as usize);
            ControlFlow::Continue(())
        };
        proofs.push(Arc::new(one(file, &mut watch)?));
    }
    Ok(proofs)
}

fn one(file: &Path, watch: &mut impl FnMut(Progress) -> ControlFlow<()>) -> Result<Proof> {
    let wrong = |problem: &dyn Display| Usage::new(format_args!("{}: {problem}", file.display()));
    let input = || {
        let opened = File::open(file).map_err(|error| wrong(&error))?;
        if opened.metadata().is_ok_and(|about| about.is_dir()) {
            return Err(wrong(&"a folder, not a certificate"));
        }
        Ok(BufReader::with_capacity(1 << 16, opened))
    };
    let reader = Reader::new(input()?).map_err(|error| wrong(&error))?;
    let proof = match reader.entries() > MOST_CHECKED {
        true => Proof::read(input()?, watch),
        false => Proof::check(input()?, watch),
    };
    Ok(proof.map_err(|refusal| wrong(&refusal))?)
}
