//! Tests of the batched environment through its public interface.

mod lockstep;
mod observation;
mod reset;
mod snapshot;
mod step;
