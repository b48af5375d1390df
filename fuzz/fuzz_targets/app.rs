#![no_main]

// Not part of the library: the tests of `tengen-core` compile that, and know nothing of the app.
#[path = "../src/app.rs"]
mod app;

libfuzzer_sys::fuzz_target!(|input: &[u8]| app::app(input));
