//! The network: weights, and what they say about positions.

use std::sync::OnceLock;

use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use tengen_core::{Size, Symmetry};

use crate::architecture::{Architecture, ArchitectureError, Layout, Part, VALUES};
use crate::convolution::Transformation;
use crate::features::Inputs;
use crate::grid::Grid;
use crate::kernels::Kernels;
use crate::pass::{Keep, Packed, Pass};
use crate::softmax::softmax;
use crate::tile::Saving;

/// The network counts leads in so many points, so that its numbers are near 1.
pub(crate) const LEAD_SCALE: f32 = 10.0;

/// The transformed weights of networks with so many channels are read fast enough for a single board.
const NEAR_CHANNELS: usize = 32;

/// From so many channels on, weights come from so far away that it is faster to read fewer, and to transform them the
/// rest of the way when they are used.
const FAR_CHANNELS: usize = 96;

/// A network with its weights. Many threads may ask it at once, each with a [`Workspace`] of its own.
///
/// ```
/// use tengen_core::{Game, Rules, Size, Symmetry};
/// use tengen_nn::{Architecture, Inputs, Net, Workspace};
///
/// let net = Net::random(Architecture { blocks: 2, channels: 16 }, 1)?;
/// let game = Game::new(Size::new(9, 7)?, Rules::default());
/// let mut workspace = Workspace::default();
/// let outputs = net.evaluate(&mut workspace, &[(Inputs::new(&game), Symmetry::IDENTITY)]);
/// assert_eq!(outputs[0].policy.len(), 64);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Net {
    architecture: Architecture,
    layout: Layout,
    weights: Vec<f32>,
    kernels: Kernels,
    packed: OnceLock<Packed>,
}

/// What a network says about a position, all as the player to move sees it.
#[derive(Clone, Debug, PartialEq)]
pub struct Output {
    /// How good each move looks, as logits: the points row by row, then the pass. Illegal moves have numbers too.
    pub policy: Vec<f32>,
    /// The probabilities to win, to draw and to lose.
    pub win_draw_loss: [f32; 3],
    /// By how many points the player will be ahead, komi included.
    pub lead: f32,
    /// Whose each point will be, row by row: 1 is the player's, -1 the opponent's.
    pub ownership: Vec<f32>,
}

/// The memory that one thread needs to ask a network.
#[derive(Debug)]
pub struct Workspace {
    kept: Option<(Architecture, Pass)>,
    longest_side: u8,
}

impl Net {
    /// A network that knows nothing.
    pub fn random(architecture: Architecture, seed: u64) -> Result<Self, ArchitectureError> {
        let layout = Layout::of(architecture.check()?);
        let mut generator = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut weights = vec![0.0; layout.len];
        for (number, part) in layout.parts.iter().enumerate() {
            let dropped = layout.dropped(number);
            let inputs: usize = match part.shape.split_last() {
                // A vector of weights for one output.
                Some((&count, [])) => count,
                Some((_, inputs)) => inputs.iter().product::<usize>() + dropped / part.columns(),
                None => 1,
            };
            let spread = part.gain / (inputs as f32).sqrt();
            for weight in &mut weights[part.range.clone()] {
                *weight = spread * normal(&mut generator);
            }
            // A seed gives the network that it gave in earlier releases.
            for _ in 0..dropped {
                normal(&mut generator);
            }
        }
        Ok(Self::with_layout(architecture, layout, weights))
    }

    /// A network with these weights, in the order of its parts.
    pub(crate) fn new(architecture: Architecture, weights: Vec<f32>) -> Self {
        Self::with_layout(architecture, Layout::of(architecture), weights)
    }

    /// A network with these weights, in the order of its [parts](Net::parts); `None` if it has not as many.
    pub fn from_weights(architecture: Architecture, weights: Vec<f32>) -> Option<Self> {
        let layout = Layout::of(architecture.check().ok()?);
        let fits = layout.len == weights.len();
        fits.then(|| Self::with_layout(architecture, layout, weights))
    }

    fn with_layout(architecture: Architecture, layout: Layout, weights: Vec<f32>) -> Self {
        assert_eq!(weights.len(), layout.len, "a network has this many weights");
        Self {
            architecture,
            layout,
            weights,
            kernels: Kernels::detect(),
            packed: OnceLock::new(),
        }
    }

    /// The same network with other kernels.
    #[must_use]
    pub fn with_kernels(self, kernels: Kernels) -> Self {
        Self { kernels, ..self }
    }

    /// The same network with logits of win, draw and loss divided by a temperature, and then with a bias for the player
    /// to move on what the logit of a win is above that of a loss. Above a temperature of 1 it is less sure who wins.
    #[must_use]
    pub fn with_calibration(&self, temperature: f32, bias: f32) -> Self {
        let mut weights = self.weights.clone();
        for part in [self.layout.value, self.layout.value_bias] {
            let numbers = self.layout.get_mut(&mut weights, part);
            for values in numbers.chunks_exact_mut(VALUES) {
                // The last one is the lead.
                values[..VALUES - 1]
                    .iter_mut()
                    .for_each(|value| *value /= temperature);
            }
        }
        let values = self.layout.get_mut(&mut weights, self.layout.value_bias);
        values[0] += bias / 2.0;
        values[2] -= bias / 2.0;
        Self::new(self.architecture, weights).with_kernels(self.kernels)
    }

    /// Its size.
    pub const fn architecture(&self) -> Architecture {
        self.architecture
    }

    /// Its weights, in the order of its parts.
    pub fn weights(&self) -> &[f32] {
        &self.weights
    }

    /// The arrays that its weights are made of, in order.
    pub fn parts(&self) -> impl Iterator<Item = (&Part, &[f32])> {
        let parts = self.layout.parts.iter();
        parts.map(|part| (part, &self.weights[part.range.clone()]))
    }

    /// Which instructions it uses.
    pub const fn kernels(&self) -> Kernels {
        self.kernels
    }

    pub(crate) const fn layout(&self) -> &Layout {
        &self.layout
    }

    /// What it says about positions, each turned before it is looked at. All answers are turned back.
    ///
    /// # Panics
    ///
    /// If boards have different sizes, or a symmetry turns a board into one of another size.
    pub fn evaluate(
        &self,
        workspace: &mut Workspace,
        positions: &[(Inputs, Symmetry)],
    ) -> Vec<Output> {
        let Some((first, _)) = positions.first() else {
            return Vec::new();
        };
        let size = first.size();
        let pass = workspace.pass(self.architecture, size, positions.len());
        for (board, (inputs, symmetry)) in positions.iter().enumerate() {
            assert_eq!(inputs.size(), size, "all boards have one size");
            assert_eq!(symmetry.size(size), size, "the board keeps its size");
            pass.set(board, inputs, *symmetry);
        }
        pass.run(self.kernels, &self.layout, &self.weights, self.packed());
        let outputs = positions.iter().enumerate();
        outputs
            .map(|(board, (_, symmetry))| output(pass, board, size, *symmetry))
            .collect()
    }

    fn packed(&self) -> &Packed {
        let channels = self.architecture.channels;
        // A position says the same alone and among others, so that the number of boards decides nothing.
        let saving = match channels {
            ..=NEAR_CHANNELS => Saving::Products,
            _ => Saving::Weights,
        };
        let transformed = match channels {
            ..FAR_CHANNELS => Transformation::Whole,
            _ => Transformation::Down,
        };
        let way = (saving, transformed);
        self.packed
            .get_or_init(|| Packed::new(way, &self.layout, &self.weights, channels))
    }
}

impl Workspace {
    /// Memory in which boards are pooled as if none had a larger area than a square with this side.
    ///
    /// Means over the board go into the network a second time, multiplied by the size of the board. With a size that it
    /// has not learned on, that spoils even the moves of fights that it knows. The number among its inputs that says
    /// how large the board is stays as it is: with a smaller one, its policy was further from what people play.
    pub const fn familiar_with(longest_side: u8) -> Self {
        Self {
            kept: None,
            longest_side,
        }
    }

    fn pass(&mut self, architecture: Architecture, size: Size, boards: usize) -> &mut Pass {
        let grid = Grid::new(size, boards).pooled_up_to(self.longest_side);
        let fits = |kept: &(Architecture, Pass)| kept.0 == architecture && kept.1.grid == grid;
        if !self.kept.as_ref().is_some_and(fits) {
            self.kept = None;
        }
        let new = || (architecture, Pass::new(architecture, grid, Keep::Results));
        &mut self.kept.get_or_insert_with(new).1
    }
}

/// Memory in which every board is pooled as what it is.
impl Default for Workspace {
    fn default() -> Self {
        Self::familiar_with(u8::MAX)
    }
}

fn output(pass: &Pass, board: usize, size: Size, symmetry: Symmetry) -> Output {
    let area = size.area();
    let policy = &pass.policy[board * (area + 1)..][..area + 1];
    let ownership = &pass.ownership[board * area..][..area];
    let values = &pass.values[board * VALUES..][..VALUES];
    let turned_back = |values: &[f32]| -> Vec<f32> {
        let place = |point| size.index(symmetry.apply(point, size));
        let points = size.points();
        points.iter().map(|point| values[place(point)]).collect()
    };
    let mut logits = turned_back(&policy[..area]);
    logits.push(policy[area]);
    Output {
        policy: logits,
        win_draw_loss: win_draw_loss(values),
        lead: values[3] * LEAD_SCALE,
        ownership: turned_back(ownership),
    }
}

/// The chances to win, draw and lose, from the first outputs of the value head.
pub(crate) fn win_draw_loss(values: &[f32]) -> [f32; 3] {
    let mut chances = [values[0], values[1], values[2]];
    softmax(&mut chances);
    chances
}

/// A number with mean 0 and variance 1: the sum of twelve uniform ones, which is the same on every machine.
fn normal(generator: &mut impl Rng) -> f32 {
    let uniform = |bits: u32| (bits >> 8) as f32 / 16_777_216.0;
    (0..12).map(|_| uniform(generator.next_u32())).sum::<f32>() - 6.0
}
