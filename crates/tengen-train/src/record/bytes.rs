//! Records as bytes.
//!
//! A number has seven bits a byte, low ones first, and the highest bit of a byte says that more follow. All other
//! numbers are little-endian.
//!
//! | part | bytes |
//! |---|---|
//! | mark | `TGR`, then the version of the format: 1 |
//! | length | four: how many bytes the body has |
//! | checksum | four: CRC-32 of the body |
//! | body | the rest of this table |
//! | size | columns, rows |
//! | rules | the length of their text, one byte, then the text |
//! | end | one byte: 0 passes, 1 decided, 2 too long; plus 4 if Black won, 8 if White did |
//! | lead | four, signed |
//! | hopeless | one byte: 0 never, 1 for Black, 2 for White, plus 4 if played on; unless 0, a number: the turn |
//! | seed, network | eight each |
//! | ownership | five points a byte, 3⁰ to 3⁴ times 1 for Black or 2 for White |
//! | moves | numbers: how many, then each |
//! | targets | a number: how many, then each |
//! | a target | numbers: the turn less that of the target before, visits; four bytes each: chance and lead; its policy
//! |
//! | a policy | a number: how many moves, then for each: a number, the move less the one before, and two bytes, its
//! part |

use tengen_core::{Color, Rules, Size};
use tengen_env::Actions;

use super::reader::RecordProblem;
use super::{End, GameRecord, Hopeless, PARTS, Target};

pub(super) const MAGIC: [u8; 3] = *b"TGR";
pub(super) const VERSION: u8 = 1;

/// Mark, length and checksum.
pub(super) const HEADER: usize = 12;

/// More than any game needs, and little enough to be read at once.
pub(super) const MAX_BODY: u32 = 1 << 26;

const BLACK_WON: u8 = 4;
const WHITE_WON: u8 = 8;
const PLAYED_ON: u8 = 4;
const POINTS_A_BYTE: usize = 5;

impl GameRecord {
    /// The record as bytes that [`GameRecord::from_bytes`] reads back.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        self.write_bytes(&mut bytes);
        bytes
    }

    /// Appends what [`GameRecord::to_bytes`] returns, so that many records can follow each other.
    pub fn write_bytes(&self, bytes: &mut Vec<u8>) {
        bytes.extend(MAGIC);
        bytes.push(VERSION);
        let header = bytes.len();
        bytes.extend([0; 8]);
        let body = bytes.len();
        self.write_body(bytes);
        let length = (bytes.len() - body) as u32;
        let checksum = crc32fast::hash(&bytes[body..]);
        bytes[header..header + 4].copy_from_slice(&length.to_le_bytes());
        bytes[header + 4..body].copy_from_slice(&checksum.to_le_bytes());
    }

    fn write_body(&self, bytes: &mut Vec<u8>) {
        bytes.extend([self.size.width(), self.size.height()]);
        let rules = self.rules.to_string();
        bytes.push(rules.len() as u8);
        bytes.extend(rules.bytes());
        let won = match self.winner {
            None => 0,
            Some(Color::Black) => BLACK_WON,
            Some(Color::White) => WHITE_WON,
        };
        bytes.push(self.end as u8 + won);
        bytes.extend(self.lead_halves.to_le_bytes());
        match self.hopeless {
            None => bytes.push(0),
            Some(hopeless) => {
                bytes.push(hopeless.loser as u8 + u8::from(hopeless.played_on) * PLAYED_ON);
                write_number(bytes, u32::from(hopeless.turn));
            }
        }
        bytes.extend(self.seed.to_le_bytes());
        bytes.extend(self.network.to_le_bytes());
        let packed = self.ownership.chunks(POINTS_A_BYTE).map(|points| {
            let digits = points.iter().rev().map(|owner| match owner {
                1 => 1,
                -1 => 2,
                _ => 0,
            });
            digits.fold(0, |sum, digit: u8| 3 * sum + digit)
        });
        bytes.extend(packed);
        write_number(bytes, self.moves.len() as u32);
        for action in &self.moves {
            write_number(bytes, u32::from(*action));
        }
        write_number(bytes, self.targets.len() as u32);
        let mut turn = 0;
        for target in &self.targets {
            write_number(bytes, u32::from(target.turn - turn));
            turn = target.turn;
            write_number(bytes, target.visits);
            bytes.extend(target.black_wins.to_le_bytes());
            bytes.extend(target.black_lead.to_le_bytes());
            write_number(bytes, target.policy.len() as u32);
            let mut before = 0;
            for (action, part) in &target.policy {
                write_number(bytes, u32::from(action - before));
                before = *action;
                bytes.extend(part.to_le_bytes());
            }
        }
    }

    /// Reads the body of a record, whose checksum is right.
    pub(super) fn read_body(bytes: &[u8]) -> Result<Self, RecordProblem> {
        let mut body = Body(bytes);
        let [width, height] = body.take()?;
        let size = Size::new(width, height).map_err(|_| RecordProblem::Content("size"))?;
        let actions = Actions::on(size);
        let [length] = body.take()?;
        let rules: Rules = str::from_utf8(body.slice(usize::from(length))?)
            .ok()
            .and_then(|text| text.parse().ok())
            .ok_or(RecordProblem::Content("rules"))?;
        let [ended] = body.take()?;
        let end = match ended % BLACK_WON {
            0 => End::Passes,
            1 => End::Decided,
            2 => End::MoveLimit,
            _ => return Err(RecordProblem::Content("end")),
        };
        let winner = match ended - ended % BLACK_WON {
            0 => None,
            BLACK_WON => Some(Color::Black),
            WHITE_WON => Some(Color::White),
            _ => return Err(RecordProblem::Content("end")),
        };
        let lead_halves = i32::from_le_bytes(body.take()?);
        let [code] = body.take()?;
        let hopeless = match code % PLAYED_ON {
            0 if code == 0 => None,
            loser @ (1 | 2) if code < 2 * PLAYED_ON => Some(Hopeless {
                turn: body.number("turn of no hope", u16::MAX.into())? as u16,
                loser: if loser == 1 {
                    Color::Black
                } else {
                    Color::White
                },
                played_on: code > PLAYED_ON,
            }),
            _ => return Err(RecordProblem::Content("hopelessness")),
        };
        let seed = u64::from_le_bytes(body.take()?);
        let network = u64::from_le_bytes(body.take()?);
        let ownership = body.ownership(size.area())?;
        let count = body.number("number of moves", u16::MAX.into())?;
        let moves = (0..count)
            .map(|_| Ok(body.number("move", actions.pass() as u32)? as u16))
            .collect::<Result<Vec<u16>, RecordProblem>>()?;
        let count = body.number("number of targets", count)?;
        let mut targets: Vec<Target> = Vec::new();
        for _ in 0..count {
            let before = targets.last().map(|target| target.turn);
            let target = body.target(before, actions)?;
            if usize::from(target.turn) >= moves.len() {
                return Err(RecordProblem::Content("turn"));
            }
            targets.push(target);
        }
        if !body.0.is_empty() {
            return Err(RecordProblem::Content("length"));
        }
        Ok(Self {
            size,
            rules,
            moves,
            targets,
            ownership,
            lead_halves,
            winner,
            end,
            hopeless,
            seed,
            network,
        })
    }
}

fn write_number(bytes: &mut Vec<u8>, mut number: u32) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// What is left of a body.
struct Body<'a>(&'a [u8]);

impl<'a> Body<'a> {
    fn slice(&mut self, length: usize) -> Result<&'a [u8], RecordProblem> {
        let split = self.0.split_at_checked(length);
        let (taken, rest) = split.ok_or(RecordProblem::Content("length"))?;
        self.0 = rest;
        Ok(taken)
    }

    fn take<const N: usize>(&mut self) -> Result<[u8; N], RecordProblem> {
        let taken = self.slice(N)?;
        taken
            .try_into()
            .map_err(|_| RecordProblem::Content("length"))
    }

    /// A number that is at most so large.
    fn number(&mut self, name: &'static str, most: u32) -> Result<u32, RecordProblem> {
        let mut number = 0_u64;
        for shift in (0..35).step_by(7) {
            let [byte] = self.take()?;
            number |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return match u32::try_from(number) {
                    Ok(number) if number <= most => Ok(number),
                    _ => Err(RecordProblem::Content(name)),
                };
            }
        }
        Err(RecordProblem::Content(name))
    }

    fn float(&mut self, name: &'static str) -> Result<f32, RecordProblem> {
        let float = f32::from_le_bytes(self.take()?);
        match float.is_finite() {
            true => Ok(float),
            false => Err(RecordProblem::Content(name)),
        }
    }

    fn ownership(&mut self, area: usize) -> Result<Vec<i8>, RecordProblem> {
        let mut owners = Vec::with_capacity(area);
        for byte in self.slice(area.div_ceil(POINTS_A_BYTE))? {
            let mut digits = *byte;
            for _ in 0..POINTS_A_BYTE.min(area - owners.len()) {
                owners.push([0, 1, -1][usize::from(digits % 3)]);
                digits /= 3;
            }
            if digits > 0 {
                return Err(RecordProblem::Content("ownership"));
            }
        }
        Ok(owners)
    }

    fn target(&mut self, before: Option<u16>, actions: Actions) -> Result<Target, RecordProblem> {
        let later = self.number("turn", u16::MAX.into())?;
        if before.is_some() && later == 0 {
            return Err(RecordProblem::Content("turn"));
        }
        let turn = u16::try_from(u32::from(before.unwrap_or(0)) + later)
            .map_err(|_| RecordProblem::Content("turn"))?;
        let visits = self.number("visits", u32::MAX)?;
        let black_wins = self.float("chance")?;
        if !(0.0..=1.0).contains(&black_wins) {
            return Err(RecordProblem::Content("chance"));
        }
        let black_lead = self.float("lead")?;
        let count = self.number("policy", actions.count() as u32)?;
        let mut policy: Vec<(u16, u16)> = Vec::with_capacity(count as usize);
        let mut sum = 0;
        for _ in 0..count {
            let step = self.number("policy", actions.pass() as u32)?;
            let part = u16::from_le_bytes(self.take()?);
            let action = policy.last().map_or(0, |(action, _)| u32::from(*action)) + step;
            if action > actions.pass() as u32 || (step == 0 && !policy.is_empty()) {
                return Err(RecordProblem::Content("policy"));
            }
            sum += u32::from(part);
            policy.push((action as u16, part));
        }
        if sum != u32::from(PARTS) {
            return Err(RecordProblem::Content("policy"));
        }
        Ok(Target {
            turn,
            policy,
            black_wins,
            black_lead,
            visits,
        })
    }
}
