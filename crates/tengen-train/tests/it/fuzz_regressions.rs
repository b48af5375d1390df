//! The inputs that fuzzing found, or that are worth a look, through the code of the fuzz target.

use std::fs;
use std::path::Path;

use crate::fuzz;

#[test]
fn record() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/regressions/record");
    let mut inputs = 0;
    for entry in fs::read_dir(folder).expect("the regressions are there") {
        let path = entry.expect("the folder is readable").path();
        fuzz::record(&fs::read(path).expect("the file is readable"));
        inputs += 1;
    }
    assert!(inputs > 0, "no regressions");
}
