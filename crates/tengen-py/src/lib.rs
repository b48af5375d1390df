#![doc = include_str!("../README.md")]
mod analysis;
mod array;
mod batch;
mod board;
mod chain;
mod collection;
mod color;
mod diagnostic;
mod engine;
mod example;
mod game;
mod illegal_move;
mod interruptible;
mod komi;
mod local;
mod lockstep;
mod markup;
mod net;
mod net_output;
mod network;
mod node;
mod outcome;
mod pickle;
mod picture;
mod played;
mod point_knowledge;
mod record;
mod rules;
mod run;
mod score;
mod self_player;
mod sgf_error;
mod size;
mod solver;
mod source;
mod start;
mod trainer;
mod turn;
mod vertex;
mod xla;

/// The module `tengen._native`.
#[pyo3::pymodule]
mod _native {
    /// The version of the package.
    #[pymodule_export]
    #[expect(non_upper_case_globals, reason = "Python's name for it")]
    const __version__: &str = env!("CARGO_PKG_VERSION");

    #[pymodule_export]
    use super::analysis::{Analysis, Candidate};
    #[pymodule_export]
    use super::batch::{Batch, plane_names, turned_actions};
    #[pymodule_export]
    use super::board::Board;
    #[pymodule_export]
    use super::chain::Chain;
    #[pymodule_export]
    use super::collection::Collection;
    #[pymodule_export]
    use super::diagnostic::Diagnostic;
    #[pymodule_export]
    use super::engine::Engine;
    #[pymodule_export]
    use super::example::Example;
    #[pymodule_export]
    use super::game::Game;
    #[pymodule_export]
    use super::illegal_move::IllegalMoveError;
    #[pymodule_export]
    use super::local::{LocalAnswer, LocalSolution, solve_local};
    #[pymodule_export]
    use super::lockstep::Lockstep;
    #[pymodule_export]
    use super::net::Net;
    #[pymodule_export]
    use super::net_output::NetOutput;
    #[pymodule_export]
    use super::node::Node;
    #[pymodule_export]
    use super::played::{decided, observe_turns, rate, ratings};
    #[pymodule_export]
    use super::rules::Rules;
    #[pymodule_export]
    use super::run::Run;
    #[pymodule_export]
    use super::score::Score;
    #[pymodule_export]
    use super::self_player::SelfPlayer;
    #[pymodule_export]
    use super::sgf_error::SgfError;
    #[pymodule_export]
    use super::solver::{Solution, Theorem, solve, verify};
    #[pymodule_export]
    use super::source::PositionSource;
    #[pymodule_export]
    use super::trainer::Trainer;
    #[pymodule_export]
    use super::turn::Turn;
    #[pymodule_export]
    use super::xla::xla_step;
}
