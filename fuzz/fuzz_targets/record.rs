#![no_main]

// Not part of the library: the tests of `tengen-core` compile that, and know nothing of training.
#[path = "../src/record.rs"]
mod record;

libfuzzer_sys::fuzz_target!(|input: &[u8]| record::record(input));
