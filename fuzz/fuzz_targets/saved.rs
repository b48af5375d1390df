#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| tengen_fuzz::saved(input));
