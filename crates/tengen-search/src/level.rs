//! How well to play.

/// From 1, whom a beginner beats, to 20, full strength.
///
/// ```
/// use tengen_search::Level;
/// assert_eq!(Level::all().count(), 20);
/// assert_eq!(Level::new(1).unwrap().skill().visits, Some(1));
/// assert_eq!(Level::FULL.skill().visits, None);
/// assert_eq!(Level::new(21), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Level(u8);

/// What a player of a level is made of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Skill {
    /// About which rank a person has who wins every other game, as records write it: `12k` is 12 kyu, `1d` 1 dan.
    pub rank: &'static str,
    /// How many visits a move has at most if a network judges. One is a look at the position and no reading ahead.
    pub visits: Option<u32>,
    /// How many it has if rollouts judge.
    pub rollouts: Option<u32>,
    /// How freely it chooses among the moves that it sees: the weight of a move is what speaks for it to the power of
    /// one divided by this.
    pub temperature: f32,
    /// How likely it sees a move near the last two stones.
    pub sees: f32,
    /// How likely it sees one elsewhere, if it would have seen it near them: who is new follows the opponent around.
    pub looks_away: f32,
    /// How likely it sees the last liberty of a chain, if it would have seen another point there: who is new neither
    /// notices what can be captured nor what is about to be. Who does not count may also fill an eye.
    pub counts: f32,
}

impl Level {
    /// The lowest.
    pub const LOWEST: Self = Self(1);

    /// Full strength.
    pub const FULL: Self = Self(HIGHEST);

    /// The level with this number, from 1 to 20.
    pub const fn new(number: u8) -> Option<Self> {
        match number {
            1..=HIGHEST => Some(Self(number)),
            _ => None,
        }
    }

    /// All of them, the lowest first.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> + ExactSizeIterator {
        (0..TABLE.len()).map(|place| Self(place as u8 + 1))
    }

    /// Its number.
    pub const fn number(self) -> u8 {
        self.0
    }

    /// What a player of this level is made of.
    pub const fn skill(self) -> &'static Skill {
        &TABLE[self.0 as usize - 1]
    }
}

impl Default for Level {
    fn default() -> Self {
        Self::FULL
    }
}

/// A player who sees every move.
const fn seeing(rank: &'static str, visits: u32, rollouts: u32, temperature: f32) -> Skill {
    Skill {
        rank,
        visits: Some(visits),
        rollouts: Some(rollouts),
        temperature,
        sees: 1.0,
        looks_away: 1.0,
        counts: 1.0,
    }
}

/// A player who overlooks moves and does not read ahead: the temperature, and how likely moves are
/// [seen](Skill::sees), [far away](Skill::looks_away) and [in time](Skill::counts).
const fn overlooking(
    rank: &'static str,
    temperature: f32,
    [sees, looks_away, counts]: [f32; 3],
) -> Skill {
    Skill {
        rank,
        visits: Some(1),
        rollouts: Some(16),
        temperature,
        sees,
        looks_away,
        counts,
    }
}

/// The number of the highest level.
const HIGHEST: u8 = TABLE.len() as u8;

/// All levels, the lowest first. `docs/strength.md` tells how far apart they are, and what the ranks rest on.
const TABLE: [Skill; 20] = [
    overlooking("30k", 1.0, [0.03, 0.10, 0.10]),
    overlooking("28k", 1.0, [0.053, 0.12, 0.19]),
    overlooking("26k", 1.0, [0.087, 0.16, 0.32]),
    overlooking("24k", 1.0, [0.12, 0.20, 0.42]),
    overlooking("22k", 0.9, [0.165, 0.26, 0.53]),
    overlooking("20k", 0.8, [0.20, 0.30, 0.60]),
    overlooking("18k", 0.7, [0.25, 0.40, 0.70]),
    overlooking("16k", 0.6, [0.30, 0.50, 0.80]),
    overlooking("15k", 0.5, [0.35, 0.58, 0.88]),
    overlooking("13k", 0.5, [0.45, 0.69, 0.98]),
    overlooking("11k", 0.5, [0.57, 0.78, 1.00]),
    overlooking("9k", 0.5, [0.74, 0.86, 1.00]),
    seeing("8k", 1, 32, 0.5),
    seeing("6k", 7, 64, 0.25),
    seeing("5k", 18, 128, 0.25),
    seeing("4k", 45, 256, 0.25),
    seeing("3k", 110, 512, 0.25),
    seeing("2k", 250, 1024, 0.25),
    seeing("1k", 550, 2048, 0.25),
    Skill {
        rank: "2d",
        visits: None,
        rollouts: None,
        temperature: 0.0,
        sees: 1.0,
        looks_away: 1.0,
        counts: 1.0,
    },
];

#[cfg(test)]
mod tests {
    use super::{Level, Skill};

    #[test]
    fn a_higher_level_sees_as_much_and_reads_no_less() {
        let visits = |visits: Option<u32>| visits.unwrap_or(u32::MAX);
        let least = |skill: &Skill| [skill.sees, skill.looks_away, skill.counts];
        for (low, high) in Level::all().zip(Level::all().skip(1)) {
            let (low, high) = (low.skill(), high.skill());
            assert!(visits(low.visits) <= visits(high.visits), "{high:?}");
            assert!(visits(low.rollouts) <= visits(high.rollouts), "{high:?}");
            assert!(visits(high.visits) <= visits(high.rollouts), "{high:?}");
            assert!(low.temperature >= high.temperature, "{high:?}");
            for (low, high) in least(low).into_iter().zip(least(high)) {
                assert!(0.0 < low && low <= high && high <= 1.0);
            }
            assert_ne!(low, high);
        }
    }

    #[test]
    fn ranks_rise() {
        // 1 dan comes after 1 kyu.
        let place = |level: Level| {
            let rank = level.skill().rank;
            let (number, kind) = rank.split_at(rank.len() - 1);
            let number: i32 = number.parse().expect("a rank begins with a number");
            match kind {
                "k" => -number,
                "d" => number - 1,
                other => panic!("{other} is no kind of rank"),
            }
        };
        let ranks: Vec<i32> = Level::all().map(place).collect();
        assert!(ranks.is_sorted_by(|low, high| low < high), "{ranks:?}");
    }
}
