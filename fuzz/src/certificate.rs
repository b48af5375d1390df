use std::ops::ControlFlow;

use tengen_solver::certificate::Reader;
use tengen_solver::verify::verify;

/// Any bytes are read and checked without a panic and in bounded time, as they are and with their checksums made right; an error points
/// into the bytes, and what is accepted is accepted again.
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
    match verify(input, &mut watch) {
        Ok(theorem) => {
            assert!(!theorem.to_string().is_empty());
            let mut reader = Reader::new(input).expect("it was read before");
            let mut entries = 0;
            while reader.next_code().expect("it was read before").is_some() {
                entries += 1;
            }
            assert_eq!(entries, theorem.nodes + theorem.unused);
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
    let mut at = 41;
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
