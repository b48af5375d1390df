//! Players that a network imitates which has learned from people (humanSL).

use std::f64::consts::TAU;
use std::fmt;
use std::str::FromStr;

use tengen_core::{ByColor, Color, Size};

use super::METADATA;

/// The inputs in which ranks begin, so many for each player: a 9 dan sets one of them, a 20 kyu 29.
const RANKS: usize = 6;
const RANK_INPUTS: usize = 34;

/// Kinds of time control.
const UNKNOWN_TIME: usize = 75;
const BYO_YOMI: usize = 79;

/// The inputs in which the date begins: waves from a week to centuries.
const DATES: usize = 87;
const WAVES: usize = 32;
const LONGEST_WAVE_IN_WEEKS: f64 = 80_000.0;

/// The input in which the source of a game begins, and who the sources are.
const SOURCES: usize = 151;
const KGS: usize = 2;
const GOGOD: usize = 5;
const GO4GO: usize = 6;

/// Players that a network imitates: ranks on KGS, or professionals of some year.
///
/// They have KataGo's names: `rank_5k`, `rank_5k_2d` for Black and White, `preaz_5k` for how people played before 2017,
/// and `proyear_1990` for professionals from 1800 to 2023.
///
/// ```
/// use tengen_nn::katago::Profile;
/// let profile: Profile = "preaz_5k".parse()?;
/// assert_eq!(profile.to_string(), "preaz_5k");
/// assert!("rank_30k".parse::<Profile>().is_err());
/// # Ok::<(), tengen_nn::katago::UnknownProfile>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Profile {
    kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// Ranks, 1 being 9 dan and 29 being 20 kyu, since or before programs were stronger than people.
    Ranks {
        ranks: ByColor<u8>,
        before_programs: bool,
    },
    /// Professionals of a year.
    Professionals(u16),
}

/// No players have this name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` names no players: there are rank_20k to rank_9d, preaz_20k to preaz_9d, either with a second rank for \
     White such as rank_5k_2d, and proyear_1800 to proyear_2023"
)]
pub struct UnknownProfile(String);

impl FromStr for Profile {
    type Err = UnknownProfile;

    fn from_str(text: &str) -> Result<Self, UnknownProfile> {
        let kind = match text.split_once('_') {
            Some(("proyear", year)) => year
                .parse()
                .ok()
                .filter(|year| (1800..=2023).contains(year))
                .map(Kind::Professionals),
            Some((era @ ("rank" | "preaz"), ranks)) => {
                let (black, white) = ranks.split_once('_').unwrap_or((ranks, ranks));
                read_rank(black)
                    .zip(read_rank(white))
                    .map(|(black, white)| Kind::Ranks {
                        ranks: ByColor::new(black, white),
                        before_programs: era == "preaz",
                    })
            }
            _ => None,
        };
        let kind = kind.ok_or_else(|| UnknownProfile(text.to_owned()))?;
        Ok(Self { kind })
    }
}

/// How many ranks a player is from above 9 dan.
fn read_rank(text: &str) -> Option<u8> {
    (1..=29).find(|rank| written_rank(*rank) == text)
}

fn written_rank(rank: u8) -> String {
    match rank {
        ..=9 => format!("{}d", 10 - rank),
        _ => format!("{}k", rank - 9),
    }
}

impl fmt::Display for Profile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            Kind::Professionals(year) => write!(f, "proyear_{year}"),
            Kind::Ranks {
                ranks,
                before_programs,
            } => {
                let era = if before_programs { "preaz" } else { "rank" };
                let [black, white] = [Color::Black, Color::White].map(|color| ranks[color]);
                write!(f, "{era}_{}", written_rank(black))?;
                match black == white {
                    true => Ok(()),
                    false => write!(f, "_{}", written_rank(white)),
                }
            }
        }
    }
}

impl Profile {
    /// What a network is told of the players when this one is to move: 192 numbers.
    pub fn inputs(&self, to_move: Color, size: Size) -> Vec<f32> {
        let mut row = vec![0.0; METADATA];
        // Both are people.
        row[..2].fill(1.0);
        let (ranks, day, source) = match self.kind {
            Kind::Ranks {
                ranks,
                before_programs,
            } => {
                // Whether games were rated is not said.
                row[74] = 0.5;
                row[BYO_YOMI] = 1.0;
                let day = match before_programs {
                    true => days(2016, 9),
                    false => days(2020, 3),
                };
                (ranks, day, KGS)
            }
            Kind::Professionals(year) => {
                row[UNKNOWN_TIME] = 1.0;
                let source = if year <= 2020 { GOGOD } else { GO4GO };
                (ByColor::new(1, 1), days(i64::from(year), 6), source)
            }
        };
        for (player, color) in [to_move, !to_move].into_iter().enumerate() {
            let first = RANKS + player * RANK_INPUTS;
            row[first..][..usize::from(ranks[color])].fill(1.0);
        }
        // Twenty minutes and five periods of thirty seconds, or nothing.
        let [main, period, periods] = match self.kind {
            Kind::Ranks { .. } => [1200.0, 30.0, 5.0],
            Kind::Professionals(_) => [0.0; 3],
        };
        row[82] = (0.4 * (libm::log(main + 60.0) - 6.5)) as f32;
        row[83] = (0.3 * (libm::log(period + 1.0) - 3.0)) as f32;
        row[84] = (0.5 * (libm::log(periods + 2.0) - 1.5)) as f32;
        row[85] = (0.25 * (libm::log(2.0) - 1.5)) as f32;
        row[86] = (0.5 * libm::log(size.area() as f64 / 361.0)) as f32;
        let factor = libm::pow(LONGEST_WAVE_IN_WEEKS, 1.0 / (WAVES as f64 - 1.0));
        let mut period = 7.0;
        for wave in row[DATES..SOURCES].chunks_exact_mut(2) {
            let angle = day as f64 / period * TAU;
            wave.copy_from_slice(&[libm::cos(angle) as f32, libm::sin(angle) as f32]);
            period *= factor;
        }
        row[SOURCES + source] = 1.0;
        row
    }
}

/// How many days after 1 January 1970 a month begins, by the calendar of today. Months from March on.
const fn days(year: i64, month: i64) -> i64 {
    // Years that begin in March have their leap day at the end.
    let leap_days = year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
    let before_month = (153 * (month - 3) + 2) / 5;
    365 * year + leap_days + before_month - 719_468
}
