//! The file of a proof: what is written is read again, whatever the board, and classes hold what is symmetric.

use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use tengen_core::{ByColor, Color, Setup, Size};
use tengen_solver::Bound;
use tengen_solver::certificate::{
    Claim, ClaimError, Classes, Entry, Problem, Reader, Situation, WriteError, Writer,
};

use crate::fuzz::seal;
use crate::proofs::empty;

/// An entry that means something or not: the file does not care.
fn random_entry(area: u8, random: &mut Xoshiro256PlusPlus) -> Entry {
    let mask = u64::MAX >> (64 - area);
    let black = random.next_u64() & random.next_u64() & mask;
    let white = random.next_u64() & !black & mask;
    let empty: Vec<u8> = (0..area)
        .filter(|point| (black | white) >> point & 1 == 0)
        .collect();
    let mut pick = |one_in: u32| {
        let place = random.next_u32() as usize % empty.len().max(1);
        let point = empty.get(place).copied();
        point.filter(|_| random.next_u32().is_multiple_of(one_in))
    };
    let ko = pick(3);
    let reply = pick(1);
    Entry {
        situation: Situation {
            stones: ByColor::new(black, white),
            ko,
            passed: ko.is_none() && random.next_u32().is_multiple_of(2),
        },
        reply,
    }
}

#[test]
fn what_is_written_is_read_again() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(5);
    for (size, count) in [
        ("1x1", 1),
        ("3x2", 50),
        ("5x5", 40_000),
        ("4x8", 500),
        ("17x2", 500),
        ("8x8", 500),
    ] {
        let claim = Claim::new(empty(size), Bound::new(Color::White, -1));
        let classes = Classes::new(claim.start.size).unwrap();
        let mut writer = Writer::new(claim).unwrap();
        let mut codes: Vec<u128> = Vec::new();
        let mut keys = std::collections::HashSet::new();
        for _ in 0..count {
            let entry = random_entry(classes.area(), &mut random);
            if keys.insert(classes.class(&entry.situation).key) {
                // The order does not matter, nor does saying it again.
                writer.add(&entry);
                writer.add(&entry);
                codes.push(classes.code(&entry));
            }
        }
        codes.sort_unstable();
        let mut file = Vec::new();
        let written = writer.finish(&mut file).unwrap();
        assert_eq!(
            (written.entries, written.bytes),
            (codes.len() as u64, file.len() as u64)
        );

        let mut reader = Reader::new(file.as_slice()).unwrap();
        assert_eq!(
            (reader.claim(), reader.entries()),
            (&claim, written.entries)
        );
        let mut last = 0;
        for code in codes {
            let (read, offset) = reader.next_code().unwrap().unwrap();
            assert_eq!(read, code);
            assert!(offset > last);
            last = offset;
        }
        for _ in 0..2 {
            assert_eq!(reader.next_code().unwrap(), None);
        }
        assert_eq!(reader.offset(), file.len() as u64);
    }
}

#[test]
fn symmetric_situations_are_one_class_with_one_reply() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(6);
    for size in ["1x1", "4x1", "3x3", "3x5", "6x6", "9x5", "8x8"] {
        let size: Size = size.parse().unwrap();
        let classes = Classes::new(size).unwrap();
        assert_eq!(classes.symmetries(), if size.is_square() { 8 } else { 4 });
        for _ in 0..200 {
            let Entry { situation, reply } = random_entry(classes.area(), &mut random);
            let class = classes.class(&situation);
            assert!(class.key < classes.code_limit());
            let stands_for_it = classes.situation(class.key).unwrap();
            assert_eq!(classes.class(&stands_for_it).key, class.key);
            let (key, canonical) = classes.split(classes.code(&Entry { situation, reply }));
            assert_eq!((key, classes.reply(class, canonical)), (class.key, reply));
            for image in classes.images(&situation) {
                let other = classes.class(&image);
                assert_eq!(other.key, class.key);
                // The reply is turned and mirrored like the stones.
                if let Some(point) = classes.reply(other, canonical) {
                    assert_eq!(image.color_at(point), None);
                }
            }
        }
    }
}

/// The numbers of the format, worked out by hand.
#[test]
fn a_file_is_what_the_description_says() {
    let start: Setup = "X .\nWhite to move".parse().unwrap();
    let mut writer = Writer::new(Claim::new(start, Bound::new(Color::White, 2))).unwrap();
    let situation = Situation {
        stones: ByColor::new(1, 0),
        ko: None,
        passed: false,
    };
    writer.add(&Entry {
        situation,
        reply: Some(1),
    });
    let passed = Situation {
        passed: true,
        ..situation
    };
    writer.add(&Entry {
        situation: passed,
        reply: None,
    });
    let mut file = Vec::new();
    writer.finish(&mut file).unwrap();

    let mut expected = b"TengenPf".to_vec();
    // Version, 2 columns, 1 row, White to move, no pass, no ko, White proves, a margin of at most 2.
    expected.extend([1, 2, 1, 1, 0, 0, 1, 2, 0]);
    expected.extend([1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    expected.extend([2, 0, 0, 0, 0, 0, 0, 0]);
    expected.extend([0; 4]);
    // Stones 1 at point 0 is 1; at radix 3 for the ko point, 2 for the pass and 3 for the reply that is 18 and, with a
    // pass, 21.
    expected.extend([2, 0, 0, 0, 2, 0, 0, 0]);
    expected.extend([18 + 1, 23 - 20]);
    expected.extend([0; 4]);
    expected.extend([0; 8]);
    seal(&mut expected);
    assert_eq!(file, expected);
}

#[test]
fn two_moves_in_one_situation_are_a_conflict() {
    let mut writer = Writer::new(Claim::new(empty("2x2"), Bound::new(Color::Black, 0))).unwrap();
    let situation = Situation {
        stones: ByColor::new(0b0001, 0),
        ko: None,
        passed: true,
    };
    writer.add(&Entry {
        situation,
        reply: None,
    });
    writer.add(&Entry {
        situation,
        reply: Some(3),
    });
    assert_eq!(writer.len(), 2);
    match writer.finish(Vec::new()).unwrap_err() {
        WriteError::Conflict(conflict) => assert_eq!(conflict.situation, Some(situation)),
        WriteError::Io(error) => panic!("{error}"),
    }
}

#[test]
fn what_cannot_be_claimed_is_refused() {
    let refused = |text: &str, margin, passed| {
        let start: Setup = text.parse().unwrap();
        let claim = Claim {
            passed,
            ..Claim::new(start, Bound::new(Color::Black, margin))
        };
        Writer::new(claim).err().unwrap()
    };
    assert_eq!(refused("..\n..", 5, false), ClaimError::Margin(5));
    assert!(matches!(refused("XO\nXX", 0, false), ClaimError::Setup(_)));
    assert!(matches!(
        refused("X.O\n.O.\nko: B2", 0, false),
        ClaimError::Ko(_)
    ));
    // A real ko, but whoever passes ends it.
    let ko = ".XO.\nXO.O\nko: C1";
    assert!(matches!(refused(ko, 0, true), ClaimError::Ko(_)));
    let large = Claim::new(empty("9x9"), Bound::new(Color::Black, 0));
    assert_eq!(Writer::new(large).err(), Some(ClaimError::Area(81)));
}

/// Files that say of themselves what is not so, with right checksums.
#[test]
fn lies_in_the_numbers_of_a_block_are_refused() {
    let claim = Claim::new(empty("2x2"), Bound::new(Color::Black, 0));
    let mut writer = Writer::new(claim).unwrap();
    for passed in [false, true] {
        let situation = Situation {
            stones: ByColor::new(0, 0),
            ko: None,
            passed,
        };
        writer.add(&Entry {
            situation,
            reply: None,
        });
    }
    let mut file = Vec::new();
    writer.finish(&mut file).unwrap();
    let problem = |at: usize, bytes: &[u8]| {
        let mut changed = file.clone();
        changed[at..at + bytes.len()].copy_from_slice(bytes);
        seal(&mut changed);
        let mut reader = match Reader::new(changed.as_slice()) {
            Ok(reader) => reader,
            Err(error) => return error.problem,
        };
        loop {
            match reader.next_code() {
                Ok(Some(_)) => {}
                Ok(None) => panic!("byte {at} does not matter"),
                Err(error) => return error.problem,
            }
        }
    };
    // The header ends at 45; then the number of entries, the number of bytes, and the two entries.
    assert!(matches!(problem(0, b"P"), Problem::NotACertificate));
    assert!(matches!(problem(8, &[2]), Problem::Kind(2)));
    assert!(matches!(problem(8, &[3]), Problem::Version(3)));
    assert!(matches!(problem(9, &[0]), Problem::Field(_)));
    assert!(matches!(
        problem(9, &[25, 25]),
        Problem::Claim(ClaimError::Area(625))
    ));
    assert!(matches!(problem(11, &[2]), Problem::Field(_)));
    assert!(matches!(problem(12, &[2]), Problem::Field(_)));
    assert!(matches!(problem(13, &[5]), Problem::Field(_)));
    assert!(matches!(problem(14, &[7]), Problem::Field(_)));
    assert!(matches!(problem(17, &[16]), Problem::Field(_)));
    assert!(matches!(
        problem(33, &[3]),
        Problem::EntryCount {
            claimed: 3,
            found: 2
        }
    ));
    assert!(matches!(
        problem(33, &[1]),
        Problem::EntryCount {
            claimed: 1,
            found: 2
        }
    ));
    let many = [
        u64::MAX.to_le_bytes().as_slice(),
        &[0; 4],
        &u32::MAX.to_le_bytes(),
    ]
    .concat();
    assert!(matches!(
        problem(33, &many),
        Problem::BlockEntries(u32::MAX)
    ));
    assert!(matches!(
        problem(49, &u32::MAX.to_le_bytes()),
        Problem::BlockBytes(_)
    ));
    assert!(matches!(problem(49, &[1]), Problem::BlockBytes(1)));
    assert!(matches!(problem(53, &[4 + 128, 0]), Problem::Number));
    assert!(matches!(problem(53, &[2, 0]), Problem::Twice));
    assert!(matches!(problem(54, &[255]), Problem::Number));
    assert!(matches!(
        problem(53, &[200, 4]),
        Problem::BlockRest | Problem::Number
    ));
}
