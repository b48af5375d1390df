use tengen_train::{GameRecord, RecordError, Records};

/// Bytes before the body of a record: its mark, its length and its checksum.
const HEADER: usize = 12;

/// Any bytes are read as records without a panic, as they are and with their checksums made right; an error points into
/// the bytes, and what is read is written again to the same.
pub fn record(input: &[u8]) {
    check(input);
    let mut sealed = input.to_vec();
    seal(&mut sealed);
    check(&sealed);
}

fn check(input: &[u8]) {
    for read in Records::new(input) {
        match read {
            Ok(record) => check_record(&record),
            Err(RecordError { offset, problem }) => {
                assert!(offset <= input.len() as u64, "byte {offset}: {problem}");
                assert!(!problem.to_string().is_empty());
            }
        }
    }
}

fn check_record(record: &GameRecord) {
    let bytes = record.to_bytes();
    let again = GameRecord::from_bytes(&bytes).expect("what was written can be read");
    assert_eq!(again.to_bytes(), bytes);
    // Moves may be against the rules, which is an error and nothing worse.
    if let Ok(games) = record.to_sgf() {
        assert_eq!(games.roots().count(), 1);
    }
}

/// Makes the checksums right, as far as the bytes have the form of records.
fn seal(file: &mut [u8]) {
    let mut at = 0;
    while let Some(header) = file.get(at..at + HEADER) {
        let length = u32::from_le_bytes([header[4], header[5], header[6], header[7]]);
        let body = at + HEADER;
        let Some(end) = body
            .checked_add(length as usize)
            .filter(|end| *end <= file.len())
        else {
            return;
        };
        let sum = crc32fast::hash(&file[body..end]);
        file[at + 8..body].copy_from_slice(&sum.to_le_bytes());
        at = end;
    }
}
