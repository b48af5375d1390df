//! Few colours instead of many.

use std::collections::{BTreeMap, HashMap};

/// A colour in red, green and blue.
pub(crate) type Rgb = [u8; 3];

/// How often each colour occurs.
#[derive(Default)]
pub(crate) struct Histogram {
    counts: BTreeMap<Rgb, u64>,
}

impl Histogram {
    pub(crate) fn add(&mut self, color: Rgb, count: u64) {
        *self.counts.entry(color).or_default() += count;
    }

    /// At most `limit` colours that stand for all, by cutting the most spread-out group in two again and again.
    pub(crate) fn palette(self, limit: usize) -> Palette {
        let mut groups = vec![Group::new(self.counts.into_iter().collect())];
        while groups.len() < limit {
            let widest = (0..groups.len())
                .max_by(|&one, &other| groups[one].spread.total_cmp(&groups[other].spread));
            let Some(widest) = widest.filter(|&index| groups[index].spread > 0.0) else {
                break;
            };
            let (low, high) = groups.swap_remove(widest).cut();
            groups.extend([low, high]);
        }
        Palette {
            colors: groups.iter().map(Group::mean).collect(),
            nearest: HashMap::new(),
        }
    }
}

/// Colours that one colour stands for.
struct Group {
    colors: Vec<(Rgb, u64)>,
    /// Along which of the three the colours vary most.
    axis: usize,
    /// The sum of squared distances from the mean on all axes.
    spread: f64,
}

impl Group {
    fn new(colors: Vec<(Rgb, u64)>) -> Self {
        // A colour that is everywhere must not take all places: what is rare is small, but seen.
        let weight = |count: u64| (count as f64).sqrt();
        let spreads = [0, 1, 2].map(|axis| {
            let (mut total, mut sum, mut squares) = (0.0, 0.0, 0.0);
            for &(color, count) in &colors {
                let value = f64::from(color[axis]);
                total += weight(count);
                sum += weight(count) * value;
                squares += weight(count) * value * value;
            }
            if total > 0.0 {
                (squares - sum * sum / total).max(0.0)
            } else {
                0.0
            }
        });
        let axis = (0..3)
            .max_by(|&one, &other| spreads[one].total_cmp(&spreads[other]))
            .unwrap_or(0);
        let spread = if colors.len() > 1 {
            spreads.iter().sum()
        } else {
            0.0
        };
        Self {
            colors,
            axis,
            spread,
        }
    }

    fn mean(&self) -> Rgb {
        let total: u64 = self.colors.iter().map(|(_, count)| count).sum();
        [0, 1, 2].map(|axis| {
            let sum: u64 = self
                .colors
                .iter()
                .map(|(color, count)| u64::from(color[axis]) * count)
                .sum();
            ((sum + total / 2) / total.max(1)) as u8
        })
    }

    /// The colours up to the middle of the widest axis, and those beyond.
    fn cut(mut self) -> (Self, Self) {
        let axis = self.axis;
        let values = self.colors.iter().map(|(color, _)| color[axis]);
        let (low, high) = values.fold((u8::MAX, 0), |(low, high), value| {
            (low.min(value), high.max(value))
        });
        let middle = self.mean()[axis].clamp(low, high.saturating_sub(1).max(low));
        let beyond = self
            .colors
            .extract_if(.., |(color, _)| color[axis] > middle)
            .collect();
        (Self::new(self.colors), Self::new(beyond))
    }
}

/// The colours of an image whose pixels are numbers.
pub(crate) struct Palette {
    colors: Vec<Rgb>,
    nearest: HashMap<Rgb, u8>,
}

impl Palette {
    /// Red, green and blue of all colours, one after the other.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        self.colors.concat()
    }

    /// The number of the colour that is nearest to this one.
    pub(crate) fn index(&mut self, color: Rgb) -> u8 {
        let colors = &self.colors;
        *self.nearest.entry(color).or_insert_with(|| {
            let distance = |other: &Rgb| -> u32 {
                (0..3)
                    .map(|axis| u32::from(color[axis].abs_diff(other[axis])).pow(2))
                    .sum()
            };
            let nearest = (0..colors.len()).min_by_key(|&index| distance(&colors[index]));
            nearest.unwrap_or(0) as u8
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_colours_are_kept_as_they_are() {
        let mut histogram = Histogram::default();
        let colors = [[0, 0, 0], [255, 255, 255], [230, 190, 110], [231, 190, 110]];
        for color in colors {
            histogram.add(color, 1000);
        }
        let mut palette = histogram.palette(255);
        let bytes = palette.bytes();
        assert_eq!(bytes.len(), 12);
        for color in colors {
            let index = usize::from(palette.index(color));
            assert_eq!(bytes[3 * index..][..3], color);
        }
    }

    #[test]
    fn many_colours_become_few_and_near_ones() {
        let mut histogram = Histogram::default();
        for red in 0..=255 {
            for green in [0, 100, 200] {
                histogram.add([red, green, 30], 1 + u64::from(red));
            }
        }
        let mut palette = histogram.palette(64);
        let bytes = palette.bytes();
        assert_eq!(bytes.len(), 3 * 64);
        for red in 0..=255 {
            let index = usize::from(palette.index([red, 100, 30]));
            assert!(bytes[3 * index].abs_diff(red) < 24);
            assert_eq!(bytes[3 * index + 1], 100);
        }
    }
}
