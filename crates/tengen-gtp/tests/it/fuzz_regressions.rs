//! The inputs that fuzzing found, or that are worth a look, through the code of the fuzz targets.

#[path = "../../../../fuzz/src/analysis.rs"]
#[allow(unreachable_pub, reason = "it is a library for the fuzz targets")]
mod analysis;
#[path = "../../../../fuzz/src/gtp.rs"]
#[allow(unreachable_pub, reason = "it is a library for the fuzz targets")]
mod gtp;
#[path = "../../../../fuzz/src/regressions.rs"]
#[allow(unreachable_pub, reason = "it is a library for the fuzz targets")]
mod regressions;

use regressions::replay;

#[test]
fn inputs_of_gtp() {
    replay("gtp", gtp::gtp);
}

#[test]
fn inputs_of_analysis() {
    replay("analysis", analysis::analysis);
}
