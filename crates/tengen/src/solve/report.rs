//! What is printed of a solved position.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Write};
use std::ops::{ControlFlow, Not};
use std::path::Path;

use anyhow::{Context, bail};
use serde::Serialize;
use tengen_core::{Color, Ko, Komi, Move, Size, Stop};
use tengen_files::{Disk, FileError, Files, Output};
use tengen_solver::certificate::Written;
use tengen_solver::verify::{Flaw, KoRule, Proven, verify_any};
use tengen_solver::{Bound, BoundStatus, Interval};

/// All that was found out.
pub(crate) struct Report {
    pub(crate) size: Size,
    pub(crate) to_move: Color,
    pub(crate) interval: Interval,
    /// Is it also proven that neither player forces more?
    pub(crate) is_exact: bool,
    /// The moves of the record before the position, of which the solver knows nothing but the ban of simple ko.
    pub(crate) ignored_moves: usize,
    /// The bound that was asked for, if it was only one, and what came of it.
    pub(crate) asked: Option<(Bound, BoundStatus)>,
    pub(crate) best: Vec<Move>,
    pub(crate) line: Vec<Move>,
    pub(crate) moves: Option<Vec<(Move, Interval)>>,
    pub(crate) komi: Option<Komi>,
    /// The bounds under the ko rule that was asked for.
    pub(crate) rule: Option<(Ko, Interval)>,
    /// The ko rules that the checker grants the value, if it was asked.
    pub(crate) confirmed: Option<Vec<KoRule>>,
    pub(crate) proofs: Vec<Proof>,
    /// Was the search stopped before it was done?
    pub(crate) stopped: bool,
    pub(crate) nodes: u64,
    pub(crate) seconds: f64,
}

/// A certificate that was written.
#[derive(Serialize)]
pub(crate) struct Proof {
    pub(crate) file: String,
    pub(crate) claim: String,
    pub(crate) entries: u64,
    pub(crate) bytes: u64,
    /// Has the checker read the file and accepted it? False if that was interrupted.
    pub(crate) checked: bool,
    /// The ko rules that it grants, if it is about a whole board.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) ko_rules: Option<Vec<&'static str>>,
    /// Are there lines in it that may come back to a board? Then the checker may not grant every ko rule.
    #[serde(skip_serializing_if = "Not::not")]
    pub(crate) repeats: bool,
}

impl Proof {
    /// Writes a certificate, which is there as a whole or not at all.
    pub(super) fn write<E>(
        file: &Path,
        claim: String,
        write: impl FnOnce(BufWriter<&mut dyn Output>) -> Result<Written, E>,
    ) -> anyhow::Result<Self>
    where
        E: std::error::Error + Send + Sync + 'static,
    {
        let disk: &dyn Files = &Disk;
        let written = disk.replace_named(file, |output| {
            write(BufWriter::new(output)).map_err(io::Error::other)
        });
        let written = written.map_err(cannot_write)?;
        Ok(Self {
            file: file.display().to_string(),
            claim,
            entries: written.entries,
            bytes: written.bytes,
            checked: false,
            ko_rules: None,
            repeats: false,
        })
    }

    /// Has the checker read the file as it is on the disk, to make sure that it proves what it is for. The theorem is
    /// `None` if that was stopped.
    pub(super) fn check(
        &mut self,
        stop: &Stop,
        is_expected: impl FnOnce(&Proven) -> bool,
    ) -> anyhow::Result<Option<Proven>> {
        let file = &self.file;
        let input = File::open(file).with_context(|| format!("cannot read {file}"))?;
        let input = BufReader::with_capacity(1 << 16, input);
        let checked = verify_any(input, &mut |_| match stop.is_stopped() {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        });
        let proven = match checked {
            Ok(proven) => proven,
            Err(refusal) if matches!(refusal.flaw, Flaw::Stopped) => return Ok(None),
            Err(refusal) => {
                return Err(refusal).with_context(|| format!("{file} was written and is refused"));
            }
        };
        if !is_expected(&proven) {
            bail!(
                "{file} was written and proves something else than {}",
                self.claim
            );
        }
        self.checked = true;
        if let Proven::Board(theorem) = &proven {
            self.ko_rules = Some(theorem.ko_rules.granted().map(KoRule::name).collect());
        }
        Ok(Some(proven))
    }

    /// Prints it for people, the claim behind this word.
    pub(super) fn print(&self, out: &mut impl Write, word: &str) -> io::Result<()> {
        let Self {
            file,
            claim,
            entries,
            bytes,
            checked,
            ko_rules,
            repeats,
        } = self;
        write!(
            out,
            "Proof {word} {claim} in {file}: {entries} entries, {bytes} bytes"
        )?;
        match (checked, ko_rules) {
            (true, Some(rules)) => writeln!(out, ", checked: {}", rules.join(", "))?,
            (true, None) => writeln!(out, ", checked")?,
            (false, _) => writeln!(out, ", not checked")?,
        }
        if *repeats && !*checked {
            writeln!(
                out,
                "Some of its lines may come back to a board; `tengen verify {file}` says which ko rules it holds for"
            )?;
        }
        Ok(())
    }
}

/// Why a file is not as it should be.
pub(super) fn cannot_write(FileError { path, error }: FileError) -> anyhow::Error {
    anyhow::Error::new(error).context(format!("cannot write {}", path.display()))
}

impl Report {
    /// The result with komi, as far as it is known: `B+2.5`, `draw`, `Black wins` or `open`.
    fn with_komi(&self, komi: Komi) -> String {
        let interval = self.rule.map_or(self.interval, |(_, interval)| interval);
        let [lower, upper] =
            [interval.lower, interval.upper].map(|margin| 2 * margin - komi.halves());
        match (lower, upper) {
            (0, 0) => "draw".to_owned(),
            (lower, upper) if lower == upper && lower > 0 => format!("B+{}", points(lower)),
            (lower, upper) if lower == upper => format!("W+{}", points(-lower)),
            (1.., _) => "Black wins".to_owned(),
            (_, ..=-1) => "White wins".to_owned(),
            _ => "open".to_owned(),
        }
    }

    fn is_under_any_ko_rule(&self) -> bool {
        self.confirmed
            .as_ref()
            .is_some_and(|rules| rules.len() == KoRule::ALL.len())
    }

    /// Under which ko rules the value holds.
    fn confirmation(&self) -> String {
        match self.confirmed.as_deref() {
            Some(_) if self.is_under_any_ko_rule() && self.ignored_moves > 0 => {
                "under every ko rule, in a game that begins here".to_owned()
            }
            Some(_) if self.is_under_any_ko_rule() => "under every ko rule".to_owned(),
            Some(rules) => {
                let names: Vec<&str> = rules.iter().map(|rule| rule.name()).collect();
                format!(
                    "under these ko rules, as the checker grants: {}",
                    names.join(", ")
                )
            }
            None => "under simple ko; with --proof the checker is asked for the superko rules"
                .to_owned(),
        }
    }

    fn gtp(&self, moves: &[Move]) -> Vec<String> {
        moves
            .iter()
            .map(|action| action.to_gtp(self.size))
            .collect()
    }

    /// Prints it for people.
    pub(crate) fn print(&self, out: &mut impl Write) -> io::Result<()> {
        write!(out, "{}, {} to move: ", self.size, self.to_move)?;
        let Interval { lower, upper } = self.interval;
        match self.asked {
            Some((bound, BoundStatus::Proven)) => writeln!(out, "{bound} is proven")?,
            Some((bound, BoundStatus::Refuted)) => {
                writeln!(out, "{bound} cannot be forced, not without superko")?;
            }
            Some((bound, BoundStatus::NotProven | BoundStatus::Stopped)) => {
                writeln!(out, "{bound} was not proven")?;
            }
            None if lower == upper => writeln!(out, "{lower} {}", self.confirmation())?,
            None if self.is_exact => {
                writeln!(out, "between {lower} and {upper}, as repetitions decide")?;
            }
            None => writeln!(out, "between {lower} and {upper}, as far as was searched")?,
        }
        if let Some((ko, interval)) = self.rule {
            writeln!(out, "{}: {interval}", rule_name(ko))?;
        }
        if self.ignored_moves > 0 {
            writeln!(
                out,
                "The {} moves of the record are not looked at: superko may forbid what they brought about",
                self.ignored_moves
            )?;
        }
        if let Some(komi) = self.komi {
            writeln!(out, "Komi {komi}: {}", self.with_komi(komi))?;
        }
        if !self.best.is_empty() {
            writeln!(out, "Best: {}", self.gtp(&self.best).join(" "))?;
        }
        if !self.line.is_empty() {
            writeln!(out, "Line: {}", self.gtp(&self.line).join(" "))?;
        }
        for (action, interval) in self.moves.iter().flatten() {
            writeln!(out, "  {:<4} {interval}", action.to_gtp(self.size))?;
        }
        for proof in &self.proofs {
            proof.print(out, "of")?;
        }
        writeln!(out, "{} nodes in {:.2} seconds", self.nodes, self.seconds)
    }

    /// Prints it for programs.
    pub(crate) fn print_json(&self, out: &mut impl Write) -> anyhow::Result<()> {
        let Interval { lower, upper } = self.interval;
        let json = Json {
            board: self.size.to_string(),
            to_move: self.to_move.to_string().to_lowercase(),
            lower,
            upper,
            value: match self.rule {
                Some((_, interval)) => interval.value(),
                None => self.interval.value(),
            },
            exact: self.is_exact,
            ignored_moves: self.ignored_moves,
            any_ko_rule: self.is_under_any_ko_rule(),
            ko_rules: self
                .confirmed
                .as_ref()
                .map(|rules| rules.iter().map(|rule| rule.name()).collect()),
            asked: self.asked.map(|(bound, verdict)| Asked {
                bound: bound.to_string(),
                proven: verdict == BoundStatus::Proven,
            }),
            best: self.gtp(&self.best),
            line: self.gtp(&self.line),
            moves: self.moves.as_ref().map(|moves| {
                let row = |(action, interval): &(Move, Interval)| MoveRow {
                    action: action.to_gtp(self.size),
                    lower: interval.lower,
                    upper: interval.upper,
                };
                moves.iter().map(row).collect()
            }),
            komi: self.komi.map(|komi| f64::from(komi.halves()) / 2.0),
            result: self.komi.map(|komi| self.with_komi(komi)),
            rule: self.rule.map(|(ko, interval)| RuleRow {
                ko: rule_word(ko),
                lower: interval.lower,
                upper: interval.upper,
                value: interval.value(),
            }),
            proofs: &self.proofs,
            complete: !self.stopped,
            nodes: self.nodes,
            seconds: self.seconds,
        };
        writeln!(out, "{}", serde_json::to_string(&json)?)?;
        Ok(())
    }
}

const fn rule_name(ko: Ko) -> &'static str {
    match ko {
        Ko::Simple => "Simple ko, an endless game is a tie",
        Ko::Positional => "Positional superko",
        Ko::Situational => "Situational superko",
    }
}

const fn rule_word(ko: Ko) -> &'static str {
    match ko {
        Ko::Simple => "simple",
        Ko::Positional => "positional",
        Ko::Situational => "situational",
    }
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde hands fields over by reference"
)]
const fn is_zero(number: &usize) -> bool {
    *number == 0
}

fn points(halves: i32) -> f64 {
    f64::from(halves) / 2.0
}

#[derive(Serialize)]
struct Json<'a> {
    board: String,
    to_move: String,
    lower: i32,
    upper: i32,
    value: Option<i32>,
    exact: bool,
    #[serde(skip_serializing_if = "is_zero")]
    ignored_moves: usize,
    any_ko_rule: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    ko_rules: Option<Vec<&'static str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    asked: Option<Asked>,
    best: Vec<String>,
    line: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    moves: Option<Vec<MoveRow>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    komi: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rule: Option<RuleRow>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    proofs: &'a [Proof],
    complete: bool,
    nodes: u64,
    seconds: f64,
}

#[derive(Serialize)]
struct Asked {
    bound: String,
    proven: bool,
}

#[derive(Serialize)]
struct MoveRow {
    #[serde(rename = "move")]
    action: String,
    lower: i32,
    upper: i32,
}

#[derive(Serialize)]
struct RuleRow {
    ko: &'static str,
    lower: i32,
    upper: i32,
    value: Option<i32>,
}
