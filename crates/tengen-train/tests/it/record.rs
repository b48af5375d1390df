//! What records promise.

use proptest::collection::vec;
use proptest::prelude::*;
use tengen_core::{Color, Komi, Rules, Size};
use tengen_train::{
    End, GameRecord, Hopeless, PARTS, RecordError, RecordProblem, Records, Target, play_game,
    quantized,
};

use crate::evaluators::Counting;
use crate::selfplay::settings;

/// Records of any kind, most of them of games that nobody could have played.
fn any_record() -> impl Strategy<Value = GameRecord> {
    let size = (1..=25_u8, 1..=25_u8).prop_map(|(width, height)| Size::new(width, height).unwrap());
    let color = prop::option::of(prop::sample::select(Color::BOTH.to_vec()));
    let end = prop::sample::select(vec![End::Passes, End::Decided, End::MoveLimit]);
    size.prop_flat_map(move |size| {
        let count = size.area() as u16 + 1;
        let moves = vec(0..count, 0..300);
        let shares = vec((0..count, 0.0_f32..1.0), 1..40);
        let target = (
            shares,
            0.0..=1.0_f32,
            -700.0..700.0_f32,
            any::<u32>(),
            1..20_u16,
        );
        let owners = vec(-1..=1_i8, size.area());
        let ends = (
            -1300..1300_i32,
            color.clone(),
            end.clone(),
            color.clone(),
            any::<bool>(),
        );
        (
            Just(size),
            moves,
            vec(target, 0..20),
            owners,
            ends,
            any::<(u64, u64)>(),
            -1250..=1250_i16,
        )
    })
    .prop_map(
        |(size, moves, drawn, ownership, ends, (seed, network), komi)| {
            let mut turn = 0;
            let mut targets = Vec::new();
            for (shares, black_wins, black_lead, visits, later) in drawn {
                turn += later;
                let mut shares = shares;
                shares.sort_by_key(|(action, _)| *action);
                shares.dedup_by_key(|(action, _)| *action);
                let policy = quantized(shares);
                if usize::from(turn) < moves.len() && !policy.is_empty() {
                    targets.push(Target {
                        turn,
                        policy,
                        black_wins,
                        black_lead,
                        visits,
                    });
                }
            }
            let (lead_halves, winner, end, loser, played_on) = ends;
            GameRecord {
                size,
                rules: Rules::default().with_komi(Komi::from_halves(komi)),
                hopeless: loser.map(|loser| Hopeless {
                    turn,
                    loser,
                    played_on,
                }),
                moves,
                targets,
                ownership,
                lead_halves,
                winner,
                end,
                seed,
                network,
            }
        },
    )
}

/// A header for this body, as if somebody had written it.
fn framed(body: &[u8]) -> Vec<u8> {
    let mut bytes = b"TGR\x01".to_vec();
    bytes.extend((body.len() as u32).to_le_bytes());
    bytes.extend(crc32fast::hash(body).to_le_bytes());
    bytes.extend(body);
    bytes
}

proptest! {
    #[test]
    fn any_record_comes_back(record in any_record()) {
        prop_assert_eq!(GameRecord::from_bytes(&record.to_bytes()).unwrap(), record);
    }

    #[test]
    fn no_bytes_crash_the_reader(bytes in vec(any::<u8>(), 0..200)) {
        let _ = GameRecord::from_bytes(&bytes);
        let _ = GameRecord::from_bytes(&framed(&bytes));
    }

    #[test]
    fn what_is_read_from_a_damaged_body_is_still_a_record(
        record in any_record(),
        places in vec((any::<prop::sample::Index>(), any::<u8>()), 1..4),
        cut in any::<prop::sample::Index>(),
    ) {
        let mut body = record.to_bytes().split_off(12);
        for (place, byte) in places {
            let place = place.index(body.len());
            body[place] = byte;
        }
        let _ = GameRecord::from_bytes(&framed(&body[..cut.index(body.len())]));
        if let Ok(read) = GameRecord::from_bytes(&framed(&body)) {
            prop_assert_eq!(GameRecord::from_bytes(&read.to_bytes()).unwrap(), read);
        }
    }

    #[test]
    fn quantised_policies_are_close(shares in vec(0.0_f32..1.0, 1..700)) {
        let total: f64 = shares.iter().map(|share| f64::from(*share)).sum();
        prop_assume!(total > 0.0);
        let parts = quantized(shares.iter().enumerate().map(|(n, share)| (n as u16, *share)).collect());
        prop_assert_eq!(parts.iter().map(|(_, part)| u32::from(*part)).sum::<u32>(), u32::from(PARTS));
        for (action, part) in parts {
            let exact = f64::from(shares[usize::from(action)]) / total * f64::from(PARTS);
            prop_assert!((exact - f64::from(part)).abs() < 1.01);
        }
    }
}

fn games() -> Vec<GameRecord> {
    (0..3)
        .map(|seed| play_game(&mut Counting, &settings(), seed).unwrap())
        .collect()
}

/// What a source has before its first fault, and the fault.
fn read(bytes: &[u8]) -> (Vec<GameRecord>, Option<RecordError>) {
    let mut good = Vec::new();
    let mut fault = None;
    for record in Records::new(bytes) {
        match record {
            Ok(record) => good.push(record),
            Err(error) => {
                assert!(
                    fault.replace(error).is_none(),
                    "nothing comes after a fault"
                );
            }
        }
    }
    (good, fault)
}

#[test]
fn what_is_good_before_a_fault_is_kept() {
    let games = games();
    let mut bytes = Vec::new();
    let mut ends = vec![0];
    for record in &games {
        record.write_bytes(&mut bytes);
        ends.push(bytes.len());
    }
    let (good, fault) = read(&bytes);
    assert_eq!(good, games);
    assert!(fault.is_none());
    for cut in 0..bytes.len() {
        let (good, fault) = read(&bytes[..cut]);
        let whole = ends.iter().filter(|end| **end <= cut).count() - 1;
        assert_eq!(good, games[..whole]);
        assert_eq!(fault.is_none(), ends.contains(&cut));
        if let Some(fault) = fault {
            assert_eq!(fault.offset, ends[whole] as u64);
            assert!(matches!(fault.problem, RecordProblem::Truncated), "{fault}");
        }
    }
    for place in 0..bytes.len() {
        let mut damaged = bytes.clone();
        damaged[place] ^= 0x10;
        let (good, fault) = read(&damaged);
        let whole = ends.iter().filter(|end| **end <= place).count() - 1;
        assert_eq!(good, games[..whole]);
        assert_eq!(fault.unwrap().offset, ends[whole] as u64);
    }
}

#[test]
fn foreign_files_are_named() {
    let problem = |bytes: &[u8]| GameRecord::from_bytes(bytes).unwrap_err().to_string();
    assert_eq!(
        problem(b"(;GM[1]FF[4])"),
        "byte 0: this is not a record of a self-play game"
    );
    assert_eq!(
        problem(b"x"),
        "byte 0: this is not a record of a self-play game"
    );
    assert_eq!(problem(b""), "byte 0: a record is cut off");
    assert_eq!(
        problem(b"TGR\x02zzzzzzzzzzzz"),
        "byte 0: a record of version 2 of the format, which is unknown"
    );
    let mut two = games()[0].to_bytes();
    two.extend(games()[0].to_bytes());
    assert!(problem(&two).ends_with("a record whose length makes no sense"));
}
