//! The inputs that fuzzing found, or that are worth a look, through the code of the fuzz targets.

#[path = "../../../../fuzz/src/katago.rs"]
#[allow(unreachable_pub, reason = "it is a library for the fuzz targets")]
mod katago;
#[path = "../../../../fuzz/src/kernels.rs"]
#[allow(unreachable_pub, reason = "it is a library for the fuzz targets")]
mod kernels;
#[path = "../../../../fuzz/src/regressions.rs"]
#[allow(unreachable_pub, reason = "it is a library for the fuzz targets")]
mod regressions;
#[path = "../../../../fuzz/src/weights.rs"]
#[allow(unreachable_pub, reason = "it is a library for the fuzz targets")]
mod weights;

use regressions::replay;

#[test]
fn inputs_of_weights() {
    replay("weights", weights::weights);
}

#[test]
fn inputs_of_kernels() {
    replay("kernels", kernels::kernels);
}

#[test]
fn inputs_of_katago() {
    replay("katago", katago::katago);
}
