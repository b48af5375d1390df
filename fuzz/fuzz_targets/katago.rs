#![no_main]

// Not part of the library: the tests of `tengen-core` compile that, and know nothing of networks.
#[path = "../src/katago.rs"]
mod katago;

libfuzzer_sys::fuzz_target!(|input: &[u8]| katago::katago(input));
