#![no_main]

// Not part of the library: the tests of `tengen-core` compile that, and know nothing of proofs.
#[path = "../src/certificate.rs"]
mod certificate;

libfuzzer_sys::fuzz_target!(|input: &[u8]| certificate::certificate(input));
