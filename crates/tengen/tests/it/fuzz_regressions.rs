//! The inputs that fuzzing found, or that are worth a look, through the code of the fuzz targets.

#[path = "../../../../fuzz/src/regressions.rs"]
#[allow(unreachable_pub, reason = "it is a library for the fuzz targets")]
mod regressions;
#[path = "../../../../fuzz/src/toml.rs"]
#[allow(unreachable_pub, reason = "it is a library for the fuzz targets")]
mod toml;

use regressions::replay;

#[test]
fn inputs_of_toml() {
    replay("toml", toml::toml);
}
