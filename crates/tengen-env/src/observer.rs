//! Planes written into memory that the caller brings.

use std::str::FromStr;

use tengen_core::{Color, Game, PointSet, Size};

use crate::action::Actions;
use crate::bits;
use crate::features::{Features, tactical};
use crate::recent::{BOARDS, RecentBoards};

/// The order of the values of an observation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Layout {
    /// Height, width, planes: all values of a point together.
    #[default]
    ChannelsLast,
    /// Planes, height, width: all values of a plane together.
    ChannelsFirst,
}

impl Layout {
    /// The name by which it is chosen.
    pub const fn name(self) -> &'static str {
        match self {
            Self::ChannelsLast => "channels-last",
            Self::ChannelsFirst => "channels-first",
        }
    }
}

/// There is no layout with this name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no layout `{0}`: use channels-last or channels-first")]
pub struct UnknownLayout(String);

impl FromStr for Layout {
    type Err = UnknownLayout;

    fn from_str(name: &str) -> Result<Self, UnknownLayout> {
        [Self::ChannelsLast, Self::ChannelsFirst]
            .into_iter()
            .find(|layout| layout.name() == name)
            .ok_or_else(|| UnknownLayout(name.to_owned()))
    }
}

/// A type of value that planes are written in.
pub trait Value: Copy + Send {
    /// 0 or 1.
    fn from_bit(bit: u8) -> Self;

    /// Eight bits of either, the lowest first and in turn.
    #[inline]
    fn write_in_turn(even: u8, odd: u8, out: &mut [Self; 16]) {
        for (value, bit) in out.iter_mut().zip(bits::interleaved(even, odd)) {
            *value = Self::from_bit(bit);
        }
    }
}

impl Value for u8 {
    #[inline]
    fn from_bit(bit: u8) -> Self {
        bit
    }

    #[inline]
    fn write_in_turn(even: u8, odd: u8, out: &mut [Self; 16]) {
        *out = bits::interleaved(even, odd);
    }
}

impl Value for f32 {
    #[inline]
    fn from_bit(bit: u8) -> Self {
        Self::from(bit)
    }

    #[inline]
    fn write_in_turn(even: u8, odd: u8, out: &mut [Self; 16]) {
        bits::write_interleaved(even, odd, out);
    }
}

/// Writes the planes of games: the one encoder for training, inference and Python.
///
/// ```
/// use tengen_core::{Color, Game, Rules, Size};
/// use tengen_env::{Features, Layout, Observer};
///
/// let size = Size::square(9)?;
/// let game = Game::new(size, Rules::default());
/// let observer = Observer::new(Features::AlphaGoZero, Layout::ChannelsLast, size);
/// let mut planes = vec![0.0_f32; observer.len()];
/// observer.observe(&game, Color::Black, &mut planes);
/// assert_eq!(planes.iter().sum::<f32>(), 81.0);
/// # Ok::<(), tengen_core::SizeError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Observer {
    features: Features,
    layout: Layout,
    actions: Actions,
}

impl Observer {
    /// An observer of games on boards that fit into this frame.
    pub const fn new(features: Features, layout: Layout, frame: Size) -> Self {
        Self {
            features,
            layout,
            actions: Actions::on(frame),
        }
    }

    /// What the planes show.
    pub const fn features(self) -> Features {
        self.features
    }

    /// The order of the values.
    pub const fn layout(self) -> Layout {
        self.layout
    }

    /// How many values an observation has.
    #[expect(clippy::len_without_is_empty, reason = "no observation is empty")]
    pub const fn len(self) -> usize {
        self.features.count() * self.actions.pass()
    }

    /// The dimensions of an observation.
    pub const fn shape(self) -> [usize; 3] {
        let frame = self.actions.frame();
        let (width, height) = (frame.width() as usize, frame.height() as usize);
        match self.layout {
            Layout::ChannelsLast => [height, width, self.features.count()],
            Layout::ChannelsFirst => [self.features.count(), height, width],
        }
    }

    /// Does it look at boards before the current one?
    pub(crate) const fn looks_back(self) -> bool {
        matches!(self.features, Features::AlphaGoZero)
    }

    /// Writes what this player sees of a game.
    ///
    /// # Panics
    ///
    /// If there is room for another number of values, or the board does not fit into the frame.
    pub fn observe<V: Value>(self, game: &Game, player: Color, out: &mut [V]) {
        match self.features {
            Features::AlphaGoZero => {
                self.write(game, &RecentBoards::of(game, self.actions), player, out);
            }
            Features::Tactical => self.write_sets(&tactical(game, player), out),
        }
    }

    /// [`Observer::observe`] with the recent boards at hand.
    #[inline]
    pub(crate) fn write<V: Value>(
        self,
        game: &Game,
        recent: &RecentBoards,
        player: Color,
        out: &mut [V],
    ) {
        match self.features {
            Features::AlphaGoZero => self.write_boards(recent, player, out),
            Features::Tactical => self.write_sets(&tactical(game, player), out),
        }
    }

    #[inline]
    fn write_boards<V: Value>(self, recent: &RecentBoards, player: Color, out: &mut [V]) {
        assert_eq!(out.len(), self.len(), "an observation has this many values");
        let own = recent.of_color(player);
        let enemy = recent.of_color(!player);
        let black = V::from_bit(u8::from(player == Color::Black));
        match self.layout {
            Layout::ChannelsLast => {
                const PLANES: usize = Features::AlphaGoZero.count();
                let (points, _) = out.as_chunks_mut::<PLANES>();
                for ((point, own), enemy) in points.iter_mut().zip(own).zip(enemy) {
                    if let Some((boards, last)) = point.split_first_chunk_mut() {
                        V::write_in_turn(*own, *enemy, boards);
                        last.fill(black);
                    }
                }
            }
            Layout::ChannelsFirst => {
                let mut planes = out.chunks_exact_mut(own.len());
                for (number, plane) in (&mut planes).take(2 * BOARDS).enumerate() {
                    let (stones, ago) = ([own, enemy][number % 2], number / 2);
                    for (value, boards) in plane.iter_mut().zip(stones) {
                        *value = V::from_bit(*boards >> ago & 1);
                    }
                }
                for plane in planes {
                    plane.fill(black);
                }
            }
        }
    }

    fn write_sets<V: Value>(self, planes: &[PointSet], out: &mut [V]) {
        assert_eq!(out.len(), self.len(), "an observation has this many values");
        let (width, area) = (
            usize::from(self.actions.frame().width()),
            self.actions.pass(),
        );
        // Most values are 0.
        out.fill(V::from_bit(0));
        for (number, plane) in planes.iter().enumerate() {
            for point in plane {
                let place = usize::from(point.y()) * width + usize::from(point.x());
                let place = match self.layout {
                    Layout::ChannelsLast => place * planes.len() + number,
                    Layout::ChannelsFirst => number * area + place,
                };
                out[place] = V::from_bit(1);
            }
        }
    }
}
