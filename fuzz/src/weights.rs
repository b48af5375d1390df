use tengen_nn::{LearningState, Net};

/// Any bytes are read as weights, or as the state of a training run, without a panic and without more memory than the
/// bytes can fill, as they are and with the right length of the header; what is read is written again to the same.
pub fn weights(input: &[u8]) {
    check(input);
    // What comes of random bytes nearly never begins with the length of its header: here the header ends at the last
    // brace.
    if let Some(end) = input.iter().rposition(|byte| *byte == b'}') {
        let mut sealed = (end as u64 + 1).to_le_bytes().to_vec();
        sealed.extend_from_slice(input);
        check(&sealed);
    }
}

fn check(input: &[u8]) {
    if let Err(error) = Net::notes(input) {
        assert!(!error.to_string().is_empty());
    }
    match Net::from_bytes(input) {
        Ok(net) => {
            let written = net.to_bytes(&[]);
            let again = Net::from_bytes(&written).expect("what was written can be read");
            assert_eq!(again.weights(), net.weights());
            assert_eq!(again.to_bytes(&[]), written);
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
    match LearningState::from_bytes(input) {
        Ok((state, architecture, _)) => {
            let written = state.to_bytes(architecture, &[]);
            let (again, ..) = LearningState::from_bytes(&written).expect("it can be read");
            assert_eq!(again, state);
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}
