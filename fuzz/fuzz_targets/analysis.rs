#![no_main]

// Not part of the library: the tests of `tengen-core` compile that, and know nothing of protocols.
#[path = "../src/analysis.rs"]
mod analysis;

libfuzzer_sys::fuzz_target!(|input: &[u8]| analysis::analysis(input));
