//! The inputs that fuzzing found, or that are worth a look. The tests of the crates replay them.

use std::fs;
use std::path::Path;

/// Runs a target over the inputs in its folder; a test that fails shows the name of the last one.
#[allow(
    clippy::print_stdout,
    reason = "a test that fails shows what it printed"
)]
pub fn replay(target: &str, check: fn(&[u8])) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../fuzz/regressions")
        .join(target);
    let mut inputs = 0;
    for entry in fs::read_dir(folder).expect("the regressions are there") {
        let path = entry.expect("the folder is readable").path();
        println!("{}", path.display());
        check(&fs::read(path).expect("the file is readable"));
        inputs += 1;
    }
    assert!(inputs > 0, "no regressions of {target}");
}
