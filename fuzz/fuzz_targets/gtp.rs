#![no_main]

// Not part of the library: the tests of `tengen-core` compile that, and know nothing of protocols.
#[path = "../src/gtp.rs"]
mod gtp;

libfuzzer_sys::fuzz_target!(|input: &[u8]| gtp::gtp(input));
