//! What a record says about its game before the first move.

use tengen_core::{Color, Ko, Komi, PointSet, Preset, Repetition, Rules, Size, Suicide};

use crate::diagnostic::{Diagnostic, Severity};
use crate::findings::Findings;
use crate::handicap::{Opening, Placement};
use crate::komi::read_komi;
use crate::tree::Node;
use crate::validate::BAD_VALUE;

/// The conditions of a game, as its root gives them and with what was meant where it is unclear.
#[derive(Clone, Debug, PartialEq)]
pub struct GameSettings {
    /// The size of the board.
    pub size: Size,
    /// The rules, komi included where the record gives one.
    pub rules: Rules,
    /// The number of handicap stones.
    pub handicap: u16,
    /// The handicap stones that the record names the number of and not the points: the pattern of star points that the
    /// moves allow. Empty where the record sets the stones up itself.
    pub handicap_points: PointSet,
    /// Who moves first.
    pub to_move: Color,
}

impl GameSettings {
    /// Reads the root of a game. An error is a board that cannot be played on.
    pub fn of(root: Node<'_>) -> Result<(Self, Vec<Diagnostic>), Diagnostic> {
        let mut reader = Reader {
            root,
            diagnostics: Findings::new(),
        };
        let size = reader.size()?;
        let mut rules = reader.rules();
        if let Some(komi) = reader.komi() {
            rules.komi = Some(komi);
        }
        let (handicap, handicap_points) = reader.handicap(size, &rules);
        let white_begins = handicap >= 2;
        let to_move = root.value("PL").and_then(super::value::Value::color);
        let settings = Self {
            size,
            rules,
            handicap,
            handicap_points,
            to_move: to_move.unwrap_or(if white_begins {
                Color::White
            } else {
                Color::Black
            }),
        };
        Ok((settings, reader.diagnostics.into_vec()))
    }
}

struct Reader<'a> {
    root: Node<'a>,
    diagnostics: Findings,
}

impl Reader<'_> {
    fn report(&mut self, severity: Severity, kind: &'static str, offset: usize, message: String) {
        self.diagnostics
            .push(Diagnostic::new(severity, kind, offset, message));
    }

    fn size(&mut self) -> Result<Size, Diagnostic> {
        let nineteen = Size::square(19)
            .map_err(|error| Diagnostic::new(Severity::Error, "bad-size", 0, error.to_string()))?;
        let Some(value) = self.root.value("SZ") else {
            return Ok(nineteen);
        };
        let side = |value: crate::Value<'_>| value.number();
        let (width, height) = match value.halves() {
            Some((width, height)) => (side(width), side(height)),
            // `19x19` is written as well.
            None => match value.raw().split_once(['x', 'X', '*']) {
                Some((width, height)) => (
                    side(crate::Value::raw_text(width)),
                    side(crate::Value::raw_text(height)),
                ),
                None => (side(value), side(value)),
            },
        };
        let (Some(width), Some(height)) = (width, height) else {
            let message = format!(
                "the size `{}` is no number: taken as 19",
                shorten(value.raw())
            );
            self.report(Severity::Error, BAD_VALUE, value.offset(), message);
            return Ok(nineteen);
        };
        let side = |length: i64| u8::try_from(length).unwrap_or(0);
        Size::new(side(width), side(height)).map_err(|error| {
            let message = format!("a board of {width}x{height} cannot be replayed: {error}");
            Diagnostic::new(Severity::Error, "bad-size", value.offset(), message)
        })
    }

    fn rules(&mut self) -> Rules {
        // Most records do not say; the rule that forbids least is what their players can have followed.
        let unknown = Rules {
            ko: Ko::Simple,
            repetition: Repetition::PLAY_ON,
            suicide: Suicide::Forbidden,
            ..Preset::Japanese.rules()
        };
        let Some(value) = self.root.value("RU") else {
            return unknown;
        };
        let text = value.simple_text();
        let text = text.trim();
        if text.is_empty() {
            return unknown;
        }
        if let Ok(rules) = text.parse() {
            return rules;
        }
        let lower = text.to_lowercase();
        let guess = find_rules(&lower);
        let read_as = match guess {
            Some(rules) => format!("read as {rules}"),
            None => "taken as simple ko and territory".to_owned(),
        };
        let message = format!("rules `{}`: {read_as}", shorten(text));
        self.report(Severity::Note, "rules-guess", value.offset(), message);
        guess.unwrap_or(unknown)
    }

    fn komi(&mut self) -> Option<Komi> {
        let value = self.root.value("KM")?;
        let reading = read_komi(&value.simple_text());
        if let Some(remark) = reading.remark {
            // An empty or wordy komi is a bad value; another way to write a number is a kind of its own.
            let kind = match reading.komi {
                Some(_) => "komi-guess",
                None => BAD_VALUE,
            };
            self.report(reading.severity, kind, value.offset(), remark);
        }
        reading.komi
    }

    /// The number of handicap stones, and the points of those that have yet to be placed.
    fn handicap(&mut self, size: Size, rules: &Rules) -> (u16, PointSet) {
        let opening = Opening::of(self.root, size);
        let first_move = opening.first_move;
        let (black, white) = (opening.black, opening.white);
        let stated = self.root.value("HA").map(|value| (value, value.number()));
        match stated {
            Some((value, None)) if !value.raw().trim().is_empty() => {
                let message = format!(
                    "the handicap `{}` is no number: left out",
                    shorten(value.raw())
                );
                self.report(Severity::Warning, BAD_VALUE, value.offset(), message);
                (0, PointSet::EMPTY)
            }
            Some((value, Some(stones))) if stones >= 2 && black == 0 => {
                let placed = match first_move {
                    Some(Color::Black) => None,
                    _ => u8::try_from(stones)
                        .ok()
                        .and_then(|stones| Placement::find(self.root, size, rules, stones)),
                };
                let message = match &placed {
                    Some(Placement { turned: false, .. }) => format!(
                        "a handicap of {stones} without its stones: placed on the star points"
                    ),
                    Some(_) => format!(
                        "a handicap of {stones} without its stones: placed on the star points that the moves leave free"
                    ),
                    None => format!("a handicap of {stones} without its stones: none placed"),
                };
                self.report(Severity::Warning, "handicap-guess", value.offset(), message);
                let points = placed.map_or(PointSet::EMPTY, |placed| placed.points);
                (stones.clamp(0, 625) as u16, points)
            }
            Some((_, Some(stones))) => (stones.clamp(0, 625) as u16, PointSet::EMPTY),
            _ if black >= 2 && white == 0 && first_move == Some(Color::White) => {
                let message =
                    format!("{black} black stones and White begins: a handicap of {black}");
                self.report(Severity::Note, "handicap-guess", opening.offset, message);
                (black.min(625) as u16, PointSet::EMPTY)
            }
            _ => (0, PointSet::EMPTY),
        }
    }
}

/// The rules that a text in small letters speaks of.
fn find_rules(text: &str) -> Option<Rules> {
    let ing = || Rules {
        suicide: Suicide::MultiStone,
        ..Preset::Chinese.rules()
    };
    let has = |names: &[&str]| names.iter().any(|name| text.contains(name));
    // Whole words, or their beginnings: `machine` is not Chinese, nor is `playing` Ing.
    let mut words = text.split(|c: char| !c.is_alphanumeric());
    words.find_map(|word| match word {
        "aga" | "bga" | "american" => Some(Preset::Aga.rules()),
        "nz" | "zealand" => Some(Preset::NewZealand.rules()),
        "goe" | "ing" => Some(ing()),
        "nihon" => Some(Preset::Japanese.rules()),
        _ if word.starts_with("chin") => Some(Preset::Chinese.rules()),
        _ if word.starts_with("jap") => Some(Preset::Japanese.rules()),
        _ if word.starts_with("kor") => Some(Preset::Korean.rules()),
        // These are written without spaces.
        _ if has(&["中国", "中國", "数子", "數子"]) => Some(Preset::Chinese.rules()),
        _ if has(&["日本"]) => Some(Preset::Japanese.rules()),
        _ if has(&["한국", "韩国", "韓国", "韓國"]) => Some(Preset::Korean.rules()),
        _ => None,
    })
}

/// The beginning of a text, so that a message about a long one stays a line.
pub(crate) fn shorten(text: &str) -> String {
    let line = text.lines().next().unwrap_or_default();
    match line.char_indices().nth(40) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line.to_owned(),
    }
}
