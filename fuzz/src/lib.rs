//! What each fuzz target does with its input. The tests of `tengen-core` do the same with the inputs in `regressions`.

mod coordinates;
mod diagram;
mod moves;
mod rules;
mod saved;

pub use coordinates::coordinates;
pub use diagram::diagram;
pub use moves::moves;
pub use rules::rules;
pub use saved::saved;
