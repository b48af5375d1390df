//! How an engine thinks.

/// How an engine thinks. The default is all cores and a seed that never changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// How many threads search. With one, the same seed finds the same every time.
    pub threads: usize,
    /// The seed of all that is random.
    pub seed: u64,
    /// How many bytes the tree may take. A search that needs more forgets what matters least, or ends.
    pub memory: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            threads: std::thread::available_parallelism().map_or(1, usize::from),
            seed: 0,
            memory: 1 << 30,
        }
    }
}
