//! Where a batch writes what its games look like.

/// Memory for planes, in one of the types that they come in.
#[derive(Debug)]
pub enum Planes<'a> {
    /// Bytes of 0 and 1.
    Bytes(&'a mut [u8]),
    /// Numbers 0.0 and 1.0.
    Floats(&'a mut [f32]),
}

impl<'a> Planes<'a> {
    /// How many values there is room for.
    pub const fn len(&self) -> usize {
        match self {
            Self::Bytes(bytes) => bytes.len(),
            Self::Floats(floats) => floats.len(),
        }
    }

    /// Is there room for none?
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn divide(self, at: usize) -> (Self, Self) {
        match self {
            Self::Bytes(bytes) => {
                let (first, second) = bytes.split_at_mut(at);
                (Self::Bytes(first), Self::Bytes(second))
            }
            Self::Floats(floats) => {
                let (first, second) = floats.split_at_mut(at);
                (Self::Floats(first), Self::Floats(second))
            }
        }
    }

    pub(crate) fn of_game(&mut self, game: usize, values: usize) -> Planes<'_> {
        let range = game * values..(game + 1) * values;
        match self {
            Self::Bytes(bytes) => Planes::Bytes(&mut bytes[range]),
            Self::Floats(floats) => Planes::Floats(&mut floats[range]),
        }
    }
}

/// Where a batch writes, row after row, one for each game. What is `None` is not computed.
#[derive(Debug, Default)]
pub struct Outputs<'a> {
    /// The planes as the player to move sees them; `None` also where the batch has no observer.
    pub observation: Option<Planes<'a>>,
    /// With same-step resets, the planes at the end of a game that was started over.
    pub final_observation: Option<Planes<'a>>,
    /// A byte of 0 or 1 for each action.
    pub mask: Option<&'a mut [u8]>,
    /// A bit for each action, the lowest bit of a byte first.
    pub packed: Option<&'a mut [u8]>,
    /// Black's and White's reward.
    pub rewards: Option<&'a mut [f32]>,
    /// 1 where this step ended the game.
    pub terminated: Option<&'a mut [u8]>,
    /// 0 for Black, 1 for White.
    pub to_move: Option<&'a mut [u8]>,
    /// How many moves were played.
    pub moves: Option<&'a mut [i32]>,
    /// Black's points less White's where the step ended the game, not a number otherwise.
    pub score: Option<&'a mut [f32]>,
}

/// How many values each output has for a game.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Widths {
    pub(crate) observation: usize,
    pub(crate) actions: usize,
    pub(crate) packed: usize,
}

/// Writes one value a game where there is room for it.
macro_rules! put {
    ($out:expr, $game:expr, $value:expr) => {
        if let Some(out) = &mut $out {
            out[$game] = $value;
        }
    };
}
pub(crate) use put;

impl<'a> Outputs<'a> {
    /// The name of the first output that has no room for exactly so many games, with its length and the right one.
    pub(crate) fn misfit(
        &self,
        games: usize,
        widths: Widths,
    ) -> Option<(&'static str, usize, usize)> {
        fn len<T>(out: &Option<&mut [T]>) -> Option<usize> {
            out.as_ref().map(|out| out.len())
        }
        [
            (
                "observation",
                self.observation.as_ref().map(Planes::len),
                widths.observation,
            ),
            (
                "final_observation",
                self.final_observation.as_ref().map(Planes::len),
                widths.observation,
            ),
            ("mask", len(&self.mask), widths.actions),
            ("packed", len(&self.packed), widths.packed),
            ("rewards", len(&self.rewards), 2),
            ("terminated", len(&self.terminated), 1),
            ("to_move", len(&self.to_move), 1),
            ("moves", len(&self.moves), 1),
            ("score", len(&self.score), 1),
        ]
        .into_iter()
        .find_map(|(name, len, width)| {
            let right = games * width;
            len.filter(|len| *len != right)
                .map(|len| (name, len, right))
        })
    }

    pub(crate) fn divide(self, games: usize, widths: Widths) -> (Self, Self) {
        fn planes(out: Option<Planes<'_>>, at: usize) -> (Option<Planes<'_>>, Option<Planes<'_>>) {
            out.map(|planes| planes.divide(at)).unzip()
        }
        fn slice<T>(out: Option<&mut [T]>, at: usize) -> (Option<&mut [T]>, Option<&mut [T]>) {
            out.map(|slice| slice.split_at_mut(at)).unzip()
        }
        let observation = planes(self.observation, games * widths.observation);
        let final_observation = planes(self.final_observation, games * widths.observation);
        let mask = slice(self.mask, games * widths.actions);
        let packed = slice(self.packed, games * widths.packed);
        let rewards = slice(self.rewards, games * 2);
        let terminated = slice(self.terminated, games);
        let to_move = slice(self.to_move, games);
        let moves = slice(self.moves, games);
        let score = slice(self.score, games);
        (
            Self {
                observation: observation.0,
                final_observation: final_observation.0,
                mask: mask.0,
                packed: packed.0,
                rewards: rewards.0,
                terminated: terminated.0,
                to_move: to_move.0,
                moves: moves.0,
                score: score.0,
            },
            Self {
                observation: observation.1,
                final_observation: final_observation.1,
                mask: mask.1,
                packed: packed.1,
                rewards: rewards.1,
                terminated: terminated.1,
                to_move: to_move.1,
                moves: moves.1,
                score: score.1,
            },
        )
    }
}
