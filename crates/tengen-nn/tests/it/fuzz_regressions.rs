//! The inputs that fuzzing found, or that are worth a look, through the code of the fuzz targets.

use std::fs;
use std::path::Path;

#[path = "../../../../fuzz/src/katago.rs"]
#[allow(unreachable_pub, reason = "it is a library for the fuzz targets")]
mod katago;
#[path = "../../../../fuzz/src/kernels.rs"]
#[allow(unreachable_pub, reason = "it is a library for the fuzz targets")]
mod kernels;
#[path = "../../../../fuzz/src/weights.rs"]
#[allow(unreachable_pub, reason = "it is a library for the fuzz targets")]
mod weights;

fn run(target: &str, check: fn(&[u8])) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../fuzz/regressions")
        .join(target);
    let mut inputs = 0;
    for entry in fs::read_dir(folder).expect("the regressions are there") {
        let path = entry.expect("the folder is readable").path();
        check(&fs::read(path).expect("the file is readable"));
        inputs += 1;
    }
    assert!(inputs > 0, "no regressions");
}

#[test]
fn inputs_of_weights() {
    run("weights", weights::weights);
}

#[test]
fn inputs_of_kernels() {
    run("kernels", kernels::kernels);
}

#[test]
fn inputs_of_katago() {
    run("katago", katago::katago);
}
