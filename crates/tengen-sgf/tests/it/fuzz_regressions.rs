//! The inputs that fuzzing found, or that are worth a look, through the code of the fuzz targets.

#[path = "../../../../fuzz/src/regressions.rs"]
#[allow(unreachable_pub, reason = "it is a library for the fuzz targets")]
mod regressions;

use crate::fuzz;
use regressions::replay;

#[test]
fn sgf() {
    replay("sgf", fuzz::sgf);
}
