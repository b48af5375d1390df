//! The inputs that fuzzing found, or that are worth a look, through the code of the fuzz targets.

use std::fs;
use std::path::Path;

use crate::fuzz;

/// Runs one target over its folder; cargo shows the name of a file that fails.
fn run(target: &str, body: fn(&[u8])) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../fuzz/regressions")
        .join(target);
    let mut inputs = 0;
    for entry in fs::read_dir(folder).expect("the regressions are there") {
        let path = entry.expect("the folder is readable").path();
        println!("{}", path.display());
        body(&fs::read(path).expect("the file is readable"));
        inputs += 1;
    }
    assert!(inputs > 0, "no regressions of {target}");
}

#[test]
fn diagram() {
    run("diagram", fuzz::diagram);
}

#[test]
fn coordinates() {
    run("coordinates", fuzz::coordinates);
}

#[test]
fn rules() {
    run("rules", fuzz::rules);
}

#[test]
fn moves() {
    run("moves", fuzz::moves);
}

#[test]
fn saved() {
    run("saved", fuzz::saved);
}
