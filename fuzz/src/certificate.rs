use std::ops::ControlFlow;

use tengen_solver::certificate::Reader;
use tengen_solver::certificate::local::LocalReader;
use tengen_solver::verify::{Proven, verify_any};

/// Any bytes are read and checked without a panic and in bounded time, as they are and with their checksums made right;
/// an error points into the bytes, and what is accepted is accepted again.
pub fn certificate(input: &[u8]) {
    check(input);
    let mut sealed = input.to_vec();
    seal(&mut sealed);
    check(&sealed);
}

fn check(input: &[u8]) {
    let mut steps = 0;
    let mut watch = |_| {
        steps += 1;
        if steps < 1000 {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    };
    match verify_any(input, &mut watch) {
        Ok(Proven::Local(theorem)) => {
            assert!(!theorem.to_string().is_empty());
            let reader = LocalReader::new(input).expect("it was read before");
            assert_eq!(reader.entries(), theorem.nodes + theorem.unused);
        }
        Ok(Proven::Board(theorem)) => {
            assert!(!theorem.to_string().is_empty());
            // A proof under one ko rule has no entries.
            if let Ok(mut reader) = Reader::new(input) {
                let mut entries = 0;
                while reader.next_code().expect("it was read before").is_some() {
                    entries += 1;
                }
                assert_eq!(entries, theorem.nodes + theorem.unused);
            }
        }
        Err(refusal) => {
            assert!(!refusal.to_string().is_empty());
            if let Some(offset) = refusal.offset {
                assert!(offset <= input.len() as u64, "{refusal}");
            }
        }
    }
}

/// Makes the checksums right, as far as the bytes have the form of a certificate.
pub fn seal(file: &mut [u8]) {
    let mut at = header_end(file);
    while file.len().saturating_sub(at) >= 4 {
        let sum = crc32fast::hash(&file[..at]);
        file[at..at + 4].copy_from_slice(&sum.to_le_bytes());
        at += 4;
        let word = |at: usize| {
            file.get(at..at + 4)
                .map(|word| [word[0], word[1], word[2], word[3]])
        };
        match (word(at), word(at + 4)) {
            (Some([0, 0, 0, 0]), _) => at += 4,
            (Some(_), Some(bytes)) => {
                at = at.saturating_add(8 + u32::from_le_bytes(bytes) as usize);
            }
            _ => return,
        }
    }
}

/// Where the checksum of the header stands.
fn header_end(file: &[u8]) -> usize {
    match file {
        // A version that says which kind of claim comes, the kind of local problems, and the size: four sets of points
        // are in the header.
        [_, _, _, _, _, _, _, _, 2, 1, width, height, ..] => {
            let points = usize::from(*width) * usize::from(*height);
            27 + 4 * points.div_ceil(8)
        }
        _ => 41,
    }
}
