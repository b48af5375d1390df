#![no_main]

// Not part of the library: the tests of `tengen-core` compile that, and know nothing of configurations.
#[path = "../src/toml.rs"]
mod toml;

libfuzzer_sys::fuzz_target!(|input: &[u8]| toml::toml(input));
