//! Networks in files.

use half::f16;
use tengen_core::{Size, Symmetry};
use tengen_nn::{
    Architecture, Baseline, Inputs, LearningState, Net, Precision, WeightsError, Workspace,
};

use crate::inference::position;

fn net() -> Net {
    let architecture = Architecture {
        blocks: 2,
        channels: 16,
    };
    Net::random(architecture, 6).expect("it is a size")
}

fn error(bytes: &[u8]) -> WeightsError {
    Net::from_bytes(bytes).expect_err("it is not a network")
}

#[test]
fn a_network_comes_back_as_it_was() {
    let net = net();
    let bytes = net.to_bytes(&[("games", "12")]);
    let again = Net::from_bytes(&bytes).expect("it is whole");
    assert_eq!(again.architecture(), net.architecture());
    assert_eq!(again.weights(), net.weights());
    for _ in 0..10 {
        assert!(net.to_bytes(&[("games", "12")]) == bytes);
    }
    assert_eq!(Net::notes(&bytes).expect("it has notes")["games"], "12");
    let position = [(
        Inputs::new(&position(Size::new(9, 9).expect("it is a size"), 20, 1)),
        Symmetry::IDENTITY,
    )];
    let [one, two] = [&net, &again].map(|net| net.evaluate(&mut Workspace::default(), &position));
    assert_eq!(one, two);
}

#[test]
fn a_file_that_was_cut_off_is_refused_at_every_length() {
    let bytes = net().to_bytes(&[]);
    for end in (0..bytes.len()).step_by(97).chain([bytes.len() - 1]) {
        assert!(matches!(error(&bytes[..end]), WeightsError::Format(_)));
    }
}

#[test]
fn what_is_not_a_network_of_this_program_says_so() {
    let bytes = net().to_bytes(&[]);
    // All of these have the same length as what they replace, so that only the meaning changes.
    let changed = |from: &str, to: &str| {
        let text = bytes
            .windows(from.len())
            .position(|window| window == from.as_bytes());
        let place = text.expect("it is there");
        let mut changed = bytes.clone();
        changed[place..place + to.len()].copy_from_slice(to.as_bytes());
        changed
    };
    let foreign = error(&changed("tengen-nn 1", "tengen-nn 2"));
    assert!(matches!(foreign, WeightsError::Foreign(_)), "{foreign}");
    let features = error(&changed("tactical", "tactless"));
    assert!(features.to_string().contains("tactless"), "{features}");
    let size = error(&changed("\\\"channels\\\":16", "\\\"channels\\\":17"));
    assert!(size.to_string().contains("2 blocks of 17"), "{size}");
    let other = error(&changed("\\\"channels\\\":16", "\\\"channels\\\":32"));
    assert!(other.to_string().contains("should be"), "{other}");
    let missing = error(&changed("\"pass.bias\"", "\"pass.boas\""));
    assert!(
        missing.to_string().contains("`pass.bias` are missing"),
        "{missing}"
    );
    let mut infinite = bytes.clone();
    let end = infinite.len();
    infinite[end - 4..].copy_from_slice(&f32::INFINITY.to_le_bytes());
    assert!(matches!(error(&infinite), WeightsError::NotFinite(_)));
}

#[test]
fn a_state_of_learning_comes_back_as_it_was() {
    let net = net();
    let mut state = LearningState::new(net.weights().to_vec());
    state.steps = 7;
    state.first_moment[3] = 0.25;
    let bytes = state.to_bytes(net.architecture(), &[("generation", "4")]);
    let (again, architecture, notes) = LearningState::from_bytes(&bytes).expect("it is whole");
    assert_eq!(again, state);
    assert_eq!(architecture, net.architecture());
    assert_eq!(notes["generation"], "4");
    // Neither is taken for the other.
    assert!(matches!(error(&bytes), WeightsError::Foreign(_)));
    assert!(LearningState::from_bytes(&net.to_bytes(&[])).is_err());
}

/// Where the header ends and the numbers begin.
fn header_end(bytes: &[u8]) -> usize {
    let length = bytes.first_chunk().expect("it has a length");
    8 + u64::from_le_bytes(*length) as usize
}

/// The same file with another header, and all numbers as they were.
fn with_header(bytes: &[u8], header: &serde_json::Value) -> Vec<u8> {
    let text = header.to_string();
    let mut changed = (text.len() as u64).to_le_bytes().to_vec();
    changed.extend_from_slice(text.as_bytes());
    changed.extend_from_slice(&bytes[header_end(bytes)..]);
    changed
}

fn header(bytes: &[u8]) -> serde_json::Value {
    serde_json::from_slice(&bytes[8..header_end(bytes)]).expect("a header is JSON")
}

#[test]
fn a_flipped_bit_is_refused_with_the_name_of_its_array() {
    let net = net();
    for precision in Precision::ALL {
        let bytes = net.to_bytes_with(precision, &[("games", "12")]);
        let start = header_end(&bytes);
        let header = header(&bytes);
        for (name, array) in header.as_object().expect("it is an object") {
            if name == "__metadata__" {
                continue;
            }
            let [first, end] = [0, 1].map(|side| {
                let offset = array["data_offsets"][side].as_u64();
                start + offset.expect("it is a number") as usize
            });
            // The lowest bit of the first number, which changes least, and a bit of the last.
            for place in [first, end - 2] {
                let mut flipped = bytes.clone();
                flipped[place] ^= 1;
                match error(&flipped) {
                    WeightsError::Damaged { name: found, .. } => assert_eq!(found, *name),
                    other => panic!("{name}: {other}"),
                }
                let said = error(&flipped).to_string();
                assert!(said.contains(&format!("`{name}` are damaged")), "{said}");
            }
        }
    }
}

#[test]
fn no_flipped_bit_goes_unseen() {
    let net = net();
    let bytes = net.to_bytes(&[("games", "12")]);
    for place in 0..header_end(&bytes) {
        for bit in 0..8 {
            let mut flipped = bytes.clone();
            flipped[place] ^= 1 << bit;
            let Ok(again) = Net::from_bytes(&flipped) else {
                continue;
            };
            // What is left are the spaces at the end, and letters that mean the same in JSON.
            assert_eq!(again.weights(), net.weights());
            assert_eq!(Net::notes(&flipped).unwrap(), Net::notes(&bytes).unwrap());
        }
    }
    let mut state = LearningState::new(net.weights().to_vec());
    state.steps = 7;
    let bytes = state.to_bytes(net.architecture(), &[("generation", "4")]);
    for place in (header_end(&bytes)..bytes.len()).step_by(1009) {
        let mut flipped = bytes.clone();
        flipped[place] ^= 1;
        let error = LearningState::from_bytes(&flipped).expect_err("a bit was flipped");
        assert!(matches!(error, WeightsError::Damaged { .. }), "{error}");
    }
    let text = br#""steps":"7""#;
    let found = bytes.windows(text.len()).position(|window| window == text);
    let mut flipped = bytes.clone();
    flipped[found.expect("it is there") + text.len() - 2] = b'6';
    let error = LearningState::from_bytes(&flipped).expect_err("a number was changed");
    assert!(matches!(error, WeightsError::DamagedMetadata), "{error}");
}

#[test]
fn a_file_without_checksums_opens() {
    let net = net();
    let bytes = net.to_bytes(&[("games", "12")]);
    let mut header = header(&bytes);
    let metadata = header["__metadata__"].as_object_mut().expect("it has some");
    assert!(metadata.remove("checksum").is_some());
    assert!(matches!(
        error(&with_header(&bytes, &header)),
        WeightsError::DamagedMetadata
    ));
    let metadata = header["__metadata__"].as_object_mut().expect("it has some");
    assert!(metadata.remove("checksums").is_some());
    let old = with_header(&bytes, &header);
    let again = Net::from_bytes(&old).expect("older files have no checksums");
    assert_eq!(again.weights(), net.weights());
    // What is written from now on has them.
    assert_eq!(again.to_bytes(&[("games", "12")]), bytes);
}

#[test]
fn fewer_bits_say_nearly_the_same() {
    let net = net();
    let full = net.to_bytes(&[]);
    let size = Size::new(9, 9).expect("it is a size");
    let position = [(Inputs::new(&position(size, 20, 1)), Symmetry::IDENTITY)];
    for (precision, largest_tenths) in [(Precision::Half, 6), (Precision::Byte, 4)] {
        let bytes = net.to_bytes_with(precision, &[]);
        assert!(bytes.len() < full.len() * largest_tenths / 10);
        let again = Net::from_bytes(&bytes).expect("it is whole");
        let [one, two] =
            [&net, &again].map(|net| net.evaluate(&mut Workspace::default(), &position).remove(0));
        assert!((one.win_draw_loss[0] - two.win_draw_loss[0]).abs() < 1e-2);
        assert!(
            one.policy
                .iter()
                .zip(&two.policy)
                .all(|(one, two)| (one - two).abs() < 1e-2)
        );
        // What was rounded once is not rounded again.
        assert!(again.to_bytes_with(precision, &[]) == bytes);
    }
}

#[test]
fn a_file_says_how_precise_it_is() {
    for precision in Precision::ALL {
        let bytes = net().to_bytes_with(precision, &[]);
        let found = Precision::of_file(&bytes).expect("it is whole");
        assert_eq!(found, precision);
    }
    assert!(Precision::of_file(b"no file").is_err());
}

/// A network whose first matrix with several rows has these numbers in its first column, others being 0.
fn with_column(numbers: &[f32]) -> (Net, usize, usize) {
    let net = net();
    let mut weights = net.weights().to_vec();
    let (part, _) = net
        .parts()
        .find(|(part, _)| part.name() == "stem.globals")
        .expect("every network has them");
    let (start, columns) = (part.range().start, part.shape()[1]);
    weights[part.range()].fill(0.0);
    for (row, number) in numbers.iter().enumerate() {
        weights[start + row * columns] = *number;
    }
    let net = Net::from_weights(net.architecture(), weights).expect("it has as many");
    (net, start, columns)
}

#[test]
fn each_output_has_a_scale_of_its_own() {
    let net = net();
    let bytes = net.to_bytes_with(Precision::Byte, &[]);
    let again = Net::from_bytes(&bytes).expect("it is whole");
    for ((part, before), (_, after)) in net.parts().zip(again.parts()) {
        let columns = match part.shape() {
            [_, .., columns] => *columns,
            _ => {
                let halves = before.iter().map(|value| f16::from_f32(*value).to_f32());
                assert!(halves.eq(after.iter().copied()), "{}", part.name());
                continue;
            }
        };
        for column in 0..columns {
            let of = |values: &[f32]| -> Vec<f32> {
                values
                    .iter()
                    .skip(column)
                    .step_by(columns)
                    .copied()
                    .collect()
            };
            let (before, after) = (of(before), of(after));
            let largest = before
                .iter()
                .fold(0.0_f32, |most, value| most.max(value.abs()));
            // Nothing moves by more than half a step, and steps are as small as they can be.
            let half = 0.5001 * largest / 127.0;
            let near = |(before, after): (&f32, &f32)| (before - after).abs() <= half;
            assert!(before.iter().zip(&after).all(near), "{}", part.name());
        }
    }
}

#[test]
fn columns_of_nothing_and_of_tiny_numbers_are_written_too() {
    for numbers in [
        [0.0, 0.0, 0.0],
        [1e-30, -2e-30, 0.0],
        [1e-44, -1e-45, 0.0],
        [3e38, -1e38, 1.0],
        [1e-4, 2.0, -2.0],
    ] {
        let (net, start, columns) = with_column(&numbers);
        let bytes = net.to_bytes_with(Precision::Byte, &[]);
        let again = Net::from_bytes(&bytes).expect("it is whole");
        let largest = numbers
            .iter()
            .fold(0.0_f32, |most, number| most.max(number.abs()));
        for (row, number) in numbers.iter().enumerate() {
            let read = again.weights()[start + row * columns];
            // Where numbers end, a step cannot be as small as it should be.
            let most = (largest / 127.0).max(f32::MIN_POSITIVE);
            assert!(
                (read - number).abs() <= most,
                "{numbers:?}: {read} for {number}"
            );
        }
    }
}

#[test]
fn bytes_without_their_scales_are_refused() {
    let bytes = net().to_bytes_with(Precision::Byte, &[]);
    let name = "stem.globals.scale";
    let refused = |change: &dyn Fn(&mut serde_json::Value)| {
        let mut header = header(&bytes);
        let metadata = header["__metadata__"].as_object_mut().expect("it has some");
        metadata.remove("checksum");
        metadata.remove("checksums");
        change(&mut header);
        error(&with_header(&bytes, &header)).to_string()
    };
    let missing = refused(&|header| {
        let object = header.as_object_mut().expect("it is an object");
        let scales = object.remove(name).expect("they are there");
        object.insert("other".to_owned(), scales);
    });
    assert!(
        missing.contains(&format!("`{name}` are missing")),
        "{missing}"
    );
    let short = refused(&|header| {
        header[name]["shape"] = serde_json::json!([8, 2]);
    });
    assert!(short.contains("should be F32 [16]"), "{short}");
    // An infinite scale makes infinite weights, whatever the whole numbers are.
    let place = &header(&bytes)[name]["data_offsets"][0];
    let place = header_end(&bytes) + place.as_u64().expect("it is a number") as usize;
    let mut infinite = bytes.clone();
    infinite[place..place + 4].copy_from_slice(&f32::INFINITY.to_le_bytes());
    assert!(matches!(
        error(&infinite),
        WeightsError::NotFinite(found) if found == "stem.globals"
    ));
}

#[test]
fn a_larger_network_begins_with_what_a_smaller_one_says() {
    let net = net();
    let size = Size::new(9, 7).expect("it is a size");
    let positions: Vec<_> = (0..4)
        .map(|seed| {
            (
                Inputs::new(&position(size, 10 + 5 * seed, seed)),
                Symmetry::IDENTITY,
            )
        })
        .collect();
    for (blocks, channels) in [(2, 16), (2, 48), (5, 16), (4, 32)] {
        let larger = net
            .widened(Architecture { blocks, channels }, 3)
            .expect("it is larger");
        assert_eq!(larger.architecture(), Architecture { blocks, channels });
        let [one, two] =
            [&net, &larger].map(|net| net.evaluate(&mut Workspace::default(), &positions));
        for (one, two) in one.iter().zip(&two) {
            assert!(
                (one.lead - two.lead).abs() < 1e-3,
                "{} {}",
                one.lead,
                two.lead
            );
            assert!(
                one.policy
                    .iter()
                    .zip(&two.policy)
                    .all(|(one, two)| (one - two).abs() < 1e-4)
            );
            assert!(
                one.ownership
                    .iter()
                    .zip(&two.ownership)
                    .all(|(one, two)| (one - two).abs() < 1e-4)
            );
        }
    }
    for (blocks, channels) in [(1, 16), (2, 8), (1, 64)] {
        assert!(net.widened(Architecture { blocks, channels }, 3).is_err());
    }
}

/// A file as earlier releases wrote it: eight more rows in `stem.globals`, for inputs that were always 0.
fn with_dropped_globals(net: &Net, precision: Precision) -> Vec<u8> {
    let bytes = net.to_bytes_with(precision, &[("games", "12")]);
    let mut header = header(&bytes);
    let metadata = header["__metadata__"].as_object_mut().expect("it has some");
    metadata.remove("checksum");
    metadata.remove("checksums");
    let globals = &header["stem.globals"];
    let end = globals["data_offsets"][1].as_u64().expect("it is a number");
    let columns = globals["shape"][1].as_u64().expect("it is a number");
    let width = match precision {
        Precision::Full => 4,
        Precision::Half => 2,
        Precision::Byte => unreachable!("earlier releases knew no bytes"),
    };
    let more = 8 * columns * width;
    header["stem.globals"]["shape"][0] = 16.into();
    for (name, array) in header.as_object_mut().expect("it is an object") {
        if name == "__metadata__" {
            continue;
        }
        for side in 0..2 {
            let offset = &mut array["data_offsets"][side];
            let place = offset.as_u64().expect("it is a number");
            if place > end || place == end && (side == 1) == (name == "stem.globals") {
                *offset = (place + more).into();
            }
        }
    }
    let mut old = with_header(&bytes, &header);
    let at = header_end(&old) + end as usize;
    let numbers = std::iter::repeat_n(0x3c, more as usize);
    old.splice(at..at, numbers);
    old
}

#[test]
fn weights_of_inputs_that_are_gone_are_dropped() {
    let net = net();
    for precision in [Precision::Full, Precision::Half] {
        let old = with_dropped_globals(&net, precision);
        let again = Net::from_bytes(&old).expect("files of earlier releases open");
        let new = Net::from_bytes(&net.to_bytes_with(precision, &[])).expect("it is whole");
        assert_eq!(again.weights(), new.weights());
    }
}

#[test]
fn a_state_of_an_earlier_release_goes_on() {
    let net = net();
    let globals = net.parts().find(|(part, _)| part.name() == "stem.globals");
    let end = globals.expect("every network has them").0.range().end;
    let mut state = LearningState::new(net.weights().to_vec());
    state.steps = 7;
    state.first_moment[end - 1] = 0.25;
    state.second_moment[end] = 0.5;
    let mut old = state.clone();
    let more = 8 * net.architecture().channels;
    for values in [
        &mut old.weights,
        &mut old.averaged,
        &mut old.first_moment,
        &mut old.second_moment,
    ] {
        values.splice(end..end, std::iter::repeat_n(0.125, more));
    }
    let bytes = old.to_bytes(net.architecture(), &[]);
    let (again, _, _) = LearningState::from_bytes(&bytes).expect("it is converted");
    assert_eq!(again, state);
}

#[test]
fn the_baselines_are_what_their_files_say() {
    for baseline in Baseline::ALL {
        let file = baseline.file();
        let header = header(file);
        let bytes = |name: &str| {
            let [start, end] = [0, 1].map(|side| {
                let offset = header[name]["data_offsets"][side].as_u64();
                header_end(file) + offset.expect("a number") as usize
            });
            &file[start..end]
        };
        let singles = |bytes: &[u8]| -> Vec<f32> {
            let (singles, _) = bytes.as_chunks();
            let singles = singles.iter().map(|single| f32::from_le_bytes(*single));
            singles.collect()
        };
        let net = baseline.net();
        for (part, values) in net.parts() {
            let name = part.name();
            assert_eq!(header[name]["shape"], serde_json::json!(part.shape()));
            let written: Vec<f32> = match header[name]["dtype"].as_str() {
                Some("I8") => {
                    let scales = singles(bytes(&format!("{name}.scale")));
                    let numbers = bytes(name).iter().zip(scales.iter().cycle());
                    let numbers = numbers.map(|(byte, scale)| f32::from(*byte as i8) * scale);
                    numbers.collect()
                }
                Some("F16") => {
                    let (halves, _) = bytes(name).as_chunks();
                    let halves = halves.iter().map(|half| f16::from_le_bytes(*half));
                    halves.map(f16::to_f32).collect()
                }
                _ => singles(bytes(name)),
            };
            assert_eq!(values, written, "{name}");
        }
    }
}
