#![no_main]

// Not part of the library: the tests of `tengen-core` compile that, and know nothing of records.
#[path = "../src/sgf.rs"]
mod sgf;

libfuzzer_sys::fuzz_target!(|input: &[u8]| sgf::sgf(input));
