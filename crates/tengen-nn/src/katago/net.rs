//! A network of KataGo that can be asked.

use std::fmt;
use std::io::BufRead;

use tengen_core::{Game, Size, Symmetry};

use super::file::{KataGoError, KataGoFault, Words, looks_like_one};
use super::heads::{PolicyHead, ValueHead};
use super::inputs::Inputs;
use super::memory::{Memory, padded};
use super::model::{Header, PolicyLayers, TrunkLayers, ValueLayers};
use super::output::{Meaning, Output, may_have_no_result};
use super::trunk::Trunk;
use super::{GLOBALS, METADATA, PLANES};
use crate::grid::Grid;
use crate::kernels::Kernels;

/// A network of KataGo with its weights packed. Many threads may ask it at once, each with a [`Workspace`] of its own.
#[derive(Debug)]
pub struct Net {
    about: About,
    kernels: Kernels,
    trunk: Trunk,
    policy: PolicyHead,
    values: ValueHead,
    meaning: Meaning,
}

/// What a network says of itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct About {
    /// Its name.
    pub name: String,
    /// The version of its file, from 8 to 17.
    pub version: u64,
    /// How many blocks its trunk has. Blocks within blocks do not count.
    pub blocks: usize,
    /// How many channels its trunk has.
    pub channels: usize,
    /// How many numbers its weights are.
    pub weights: usize,
    /// Does it want to know who plays, as networks that learned from people do?
    pub has_metadata: bool,
    /// Are areas that live for good computed for it as if suicide were legal?
    pub pass_alive_with_suicide: bool,
}

impl fmt::Display for About {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            name,
            version,
            blocks,
            channels,
            ..
        } = self;
        write!(
            f,
            "{name} ({blocks}x{channels}, KataGo's version {version})"
        )
    }
}

/// A position for a network: what it sees, and how it is turned before.
#[derive(Clone, Copy, Debug)]
pub struct Position<'a> {
    /// 22 planes one after the other, each with its rows from the top.
    pub planes: &'a [f32],
    /// 19 numbers about the whole board.
    pub globals: &'a [f32],
    /// 192 numbers about the players; empty if nothing is known of them.
    pub metadata: &'a [f32],
    /// How the board is turned.
    pub symmetry: Symmetry,
    /// Can the game end without a result?
    pub may_have_no_result: bool,
}

impl<'a> Position<'a> {
    /// The position of a game, of whose players nothing is known.
    pub fn of(game: &Game, inputs: &'a Inputs, symmetry: Symmetry) -> Self {
        Self {
            planes: &inputs.spatial,
            globals: &inputs.global,
            metadata: &[],
            symmetry,
            may_have_no_result: may_have_no_result(game),
        }
    }
}

/// The memory that one thread needs to ask a network.
#[derive(Debug, Default)]
pub struct Workspace {
    kept: Option<Memory>,
}

impl Net {
    /// The longest side of boards that networks know.
    pub const LONGEST_SIDE: u8 = 19;

    /// Does a file look like a network of KataGo? It need not be a whole one.
    pub fn looks_like_one(file: &[u8]) -> bool {
        looks_like_one(file)
    }

    /// The network of a file in any of KataGo's formats, compressed or not.
    pub fn from_bytes(file: &[u8]) -> Result<Self, KataGoError> {
        Self::read(file)
    }

    /// The network that is read from a file in any of KataGo's formats, compressed or not.
    pub fn read(file: impl BufRead) -> Result<Self, KataGoError> {
        Self::read_within(file, usize::MAX)
    }

    /// The same of a network that has at most so many weights. One that has more is refused before they are unpacked.
    pub fn read_within(file: impl BufRead, most_weights: usize) -> Result<Self, KataGoError> {
        let mut words = Words::new(file, most_weights)?;
        let header = Header::read(&mut words)?;
        let version = header.version;
        let trunk = TrunkLayers::read(&mut words, &header)?;
        let policy = PolicyLayers::read(&mut words, version, trunk.channels)?;
        let values = ValueLayers::read(&mut words, version, trunk.channels)?;
        words.end()?;
        Ok(Self {
            about: About {
                name: header.name,
                version,
                blocks: trunk.blocks.len(),
                channels: trunk.channels,
                weights: words.numbers(),
                has_metadata: header.has_metadata,
                pass_alive_with_suicide: header.suicide_for_life,
            },
            kernels: Kernels::detect(),
            trunk: Trunk::new(trunk),
            policy: PolicyHead::new(policy),
            values: ValueHead::new(values),
            meaning: Meaning {
                version,
                multipliers: header.multipliers,
            },
        })
    }

    /// The same network with other kernels.
    #[must_use]
    pub fn with_kernels(self, kernels: Kernels) -> Self {
        Self { kernels, ..self }
    }

    /// Which instructions it uses.
    pub const fn kernels(&self) -> Kernels {
        self.kernels
    }

    /// What it says of itself.
    pub const fn about(&self) -> &About {
        &self.about
    }

    /// Does it have a policy for moves that turn out better than expected?
    pub const fn has_optimistic_policy(&self) -> bool {
        self.policy.channels() > 1
    }

    /// What it says about positions on boards of one size. All answers are turned back.
    ///
    /// # Panics
    ///
    /// If a position has not as many planes or numbers as the board wants, a symmetry turns the board into one of
    /// another size, or a side is longer than [`Net::LONGEST_SIDE`].
    pub fn evaluate(
        &self,
        workspace: &mut Workspace,
        size: Size,
        positions: &[Position<'_>],
    ) -> Vec<Output> {
        if positions.is_empty() {
            return Vec::new();
        }
        let longest = size.width().max(size.height());
        assert!(longest <= Self::LONGEST_SIDE, "the board is too large");
        let memory = workspace.memory(Grid::new(size, positions.len()), self.kernels);
        let grid = memory.grid;

        let width = padded(PLANES);
        let mut planes = memory.take_flat(grid.len(width));
        planes.fill(0.0);
        let mut globals = vec![0.0; positions.len() * padded(GLOBALS)];
        let mut metadata = vec![0.0; positions.len() * padded(METADATA)];
        for (board, position) in positions.iter().enumerate() {
            let symmetry = position.symmetry;
            assert_eq!(symmetry.size(size), size, "the board keeps its size");
            assert_eq!(position.planes.len(), PLANES * size.area());
            for (plane, values) in position.planes.chunks_exact(size.area()).enumerate() {
                for (point, value) in size.points().iter().zip(values) {
                    let point = symmetry.apply(point, size);
                    let place = grid.index(board, point.x().into(), point.y().into());
                    planes[place * width + plane] = *value;
                }
            }
            let row = &mut globals[board * padded(GLOBALS)..][..GLOBALS];
            row.copy_from_slice(position.globals);
            if !position.metadata.is_empty() {
                let row = &mut metadata[board * padded(METADATA)..][..METADATA];
                row.copy_from_slice(position.metadata);
            }
        }
        let trunk = self.trunk.run(memory, &planes, &globals, &metadata);
        let policies = self.policy.run(memory, &trunk);
        let values = self.values.run(memory, &trunk);
        memory.give_flat(planes);
        memory.give(self.trunk.channels(), trunk);
        let said = policies.into_iter().zip(values).zip(positions);
        said.map(|((policy, values), position)| {
            let no_result = position.may_have_no_result;
            let symmetry = position.symmetry;
            self.meaning
                .output(policy, &values, no_result, size, symmetry)
        })
        .collect()
    }
}

impl Workspace {
    fn memory(&mut self, grid: Grid, kernels: Kernels) -> &mut Memory {
        let fits = |kept: &Memory| kept.grid == grid && kept.kernels == kernels;
        if !self.kept.as_ref().is_some_and(fits) {
            self.kept = None;
        }
        self.kept.get_or_insert_with(|| Memory::new(grid, kernels))
    }
}

/// Nothing of a file could be read.
impl From<std::io::Error> for KataGoError {
    fn from(error: std::io::Error) -> Self {
        Self::at_start(KataGoFault::Unreadable(error))
    }
}
