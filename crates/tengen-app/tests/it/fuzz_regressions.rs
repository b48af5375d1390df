//! The inputs that fuzzing found, or that are worth a look, through the code of the fuzz targets.

#[path = "../../../../fuzz/src/app.rs"]
#[allow(unreachable_pub, reason = "it is a library for the fuzz targets")]
mod app;
#[path = "../../../../fuzz/src/regressions.rs"]
#[allow(unreachable_pub, reason = "it is a library for the fuzz targets")]
mod regressions;

use regressions::replay;

#[test]
fn inputs_of_app() {
    replay("app", app::app);
}
