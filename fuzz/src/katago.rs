use tengen_core::{Game, Rules, Size, Symmetry};
use tengen_nn::katago::{InputOptions, Inputs, Net, Position, Workspace};

/// Any bytes are read as a network of KataGo, compressed or not, without a panic and without more memory than the bytes
/// can fill, and refused with one line; what is a network judges a position.
pub fn katago(input: &[u8]) {
    Net::looks_like_one(input);
    let net = match Net::from_bytes(input) {
        Ok(net) => net,
        Err(error) => {
            let line = error.to_string();
            assert!(!line.is_empty() && !line.contains('\n'), "{line}");
            assert!(!error.block().is_empty());
            return;
        }
    };
    let size = Size::new(3, 2).expect("it is a board");
    let inputs = Inputs::of(&Game::new(size, Rules::default()), &InputOptions::default());
    let position = Position {
        planes: &inputs.spatial,
        globals: &inputs.global,
        metadata: &[],
        symmetry: Symmetry::IDENTITY,
        may_have_no_result: true,
    };
    let outputs = net.evaluate(&mut Workspace::default(), size, &[position]);
    assert_eq!(outputs.len(), 1);
    assert_eq!(outputs[0].policy.len(), size.area() + 1);
    assert_eq!(outputs[0].ownership.len(), size.area());
}
