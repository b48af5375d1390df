//! Checksums of what a file holds: one for each array, and one for the metadata that they stand in.
//!
//! A bit that flips on a disk leaves a file that opens and a network that plays a little worse, which nobody notices.
//! Files of older versions have no checksums, and open without.

use std::collections::{BTreeMap, HashMap};

use crate::weights::WeightsError;

/// The metadata with the checksum of each array: a JSON object of hexadecimal numbers.
pub(crate) const ARRAYS: &str = "checksums";

/// The metadata with the checksum of all other metadata.
pub(crate) const METADATA: &str = "checksum";

/// The checksums that a file notes, if it does.
pub(crate) struct Checksums(Option<BTreeMap<String, String>>);

/// A checksum as it is written.
fn written(sum: u32) -> String {
    format!("{sum:08x}")
}

/// The checksum of all metadata but itself, whatever order they come in.
fn of_metadata(notes: &HashMap<String, String>) -> String {
    let sorted: BTreeMap<&String, &String> =
        notes.iter().filter(|(name, _)| *name != METADATA).collect();
    let mut hasher = crc32fast::Hasher::new();
    for (name, value) in sorted {
        // With their lengths, so that nothing can move from one to the next unseen.
        for text in [name, value] {
            hasher.update(&(text.len() as u64).to_le_bytes());
            hasher.update(text.as_bytes());
        }
    }
    written(hasher.finalize())
}

/// Adds the checksums of these arrays, given as the bytes of the file, and of the metadata themselves.
pub(crate) fn seal<'a>(
    notes: &mut HashMap<String, String>,
    arrays: impl Iterator<Item = (&'a str, &'a [u8])>,
) {
    let sums: BTreeMap<&str, String> = arrays
        .map(|(name, bytes)| (name, written(crc32fast::hash(bytes))))
        .collect();
    let sums = serde_json::to_string(&sums).expect("texts by name are JSON");
    for name in [ARRAYS, METADATA] {
        assert!(!notes.contains_key(name), "the format uses `{name}` itself");
    }
    notes.insert(ARRAYS.to_owned(), sums);
    notes.insert(METADATA.to_owned(), of_metadata(notes));
}

/// Refuses metadata that are not as they were written. Whoever reads a file asks this last: what the metadata say is
/// wrong for a reason that says more, if there is one.
pub(crate) fn check_metadata(notes: &HashMap<String, String>) -> Result<(), WeightsError> {
    match notes.get(METADATA) {
        Some(noted) if *noted != of_metadata(notes) => Err(WeightsError::DamagedMetadata),
        // What has checksums of arrays has one of its metadata.
        None if notes.contains_key(ARRAYS) => Err(WeightsError::DamagedMetadata),
        _ => Ok(()),
    }
}

impl Checksums {
    /// Those of these metadata.
    pub(crate) fn of(notes: &HashMap<String, String>) -> Result<Self, WeightsError> {
        let Some(text) = notes.get(ARRAYS) else {
            return Ok(Self(None));
        };
        let sums = serde_json::from_str(text).map_err(|_| WeightsError::DamagedMetadata)?;
        Ok(Self(Some(sums)))
    }

    /// Refuses an array that is not as it was written.
    pub(crate) fn check(&self, name: &str, bytes: &[u8]) -> Result<(), WeightsError> {
        let Some(sums) = &self.0 else {
            return Ok(());
        };
        let noted = sums.get(name).ok_or(WeightsError::DamagedMetadata)?;
        let found = written(crc32fast::hash(bytes));
        if *noted == found {
            return Ok(());
        }
        Err(WeightsError::Damaged {
            name: name.to_owned(),
            found,
            noted: noted.clone(),
        })
    }
}
