//! A network of any kind, from the bytes of its file.

use std::sync::Arc;

use tengen_search::Judge;

use crate::expert::Expert;
use crate::katago::{self, KataGoError, KataGoEvaluator};
use crate::net::Net;
use crate::weights::{LONGEST_SIDE, WeightsError};

/// Why a file is no network.
#[derive(Debug, thiserror::Error)]
pub enum NetworkFileError {
    /// It looks like one of KataGo, and is none.
    #[error("{0}")]
    KataGo(KataGoError),
    /// It is none that `tengen train` made.
    #[error("{0}")]
    Own(WeightsError),
}

/// A judge by the network in a file: one of KataGo, or one that `tengen train` made, which is trusted on boards as
/// large as its note says.
///
/// ```
/// use tengen_nn::{Net, judge_by_file};
/// assert!(judge_by_file(Net::BASELINE_FILE).is_ok());
/// assert!(judge_by_file(b"something else").is_err());
/// ```
pub fn judge_by_file(bytes: &[u8]) -> Result<Judge, NetworkFileError> {
    judge_by_file_within(bytes, usize::MAX)
}

/// The same of a network that has at most so many weights, for files of people who are not trusted: a small one may be
/// large when it is unpacked.
pub fn judge_by_file_within(bytes: &[u8], most_weights: usize) -> Result<Judge, NetworkFileError> {
    if katago::Net::looks_like_one(bytes) {
        let net =
            katago::Net::read_within(bytes, most_weights).map_err(NetworkFileError::KataGo)?;
        return Ok(KataGoEvaluator::judge(&Arc::new(net)));
    }
    let net = Net::from_bytes(bytes).map_err(NetworkFileError::Own)?;
    let notes = Net::notes(bytes).map_err(NetworkFileError::Own)?;
    let side = notes.get(LONGEST_SIDE).map(String::as_str);
    Ok(Expert::judge_as_noted(&Arc::new(net), side))
}
