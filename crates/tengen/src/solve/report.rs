//! What is printed of a solved position.

use std::io::{self, BufWriter, Write};
use std::ops::Not;
use std::path::Path;

use serde::Serialize;
use tengen_core::{Color, Ko, Komi, Move, Size};
use tengen_files::{Access, Disk, FileError, Files, Output};
use tengen_solver::certificate::Written;
use tengen_solver::verify::KoRule;
use tengen_solver::{Bound, Interval, Verdict};

/// All that was found out.
pub(crate) struct Report {
    pub(crate) size: Size,
    pub(crate) to_move: Color,
    pub(crate) interval: Interval,
    /// The bound that was asked for, if it was only one, and what came of it.
    pub(crate) asked: Option<(Bound, Verdict)>,
    pub(crate) best: Vec<Move>,
    pub(crate) line: Vec<Move>,
    pub(crate) moves: Option<Vec<(Move, Interval)>>,
    pub(crate) komi: Option<Komi>,
    /// The bounds under a ko rule, searched with history.
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
    /// Are there lines in it that may come back to a board? Then the checker may grant it no ko rule.
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
        let written = disk.replace_with(file, Access::Usual, |output| {
            write(BufWriter::new(output)).map_err(io::Error::other)
        });
        let written = written.map_err(cannot_write)?;
        Ok(Self {
            file: file.display().to_string(),
            claim,
            entries: written.entries,
            bytes: written.bytes,
            repeats: false,
        })
    }

    /// Prints it for people, the claim behind this word.
    pub(super) fn print(&self, out: &mut impl Write, word: &str) -> io::Result<()> {
        let Self {
            file,
            claim,
            entries,
            bytes,
            repeats,
        } = self;
        writeln!(
            out,
            "Proof {word} {claim} in {file}: {entries} entries, {bytes} bytes"
        )?;
        if *repeats {
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
            Some(_) if self.is_under_any_ko_rule() => "under every ko rule".to_owned(),
            Some([]) => {
                "if no situation comes up twice; the checker grants these strategies no ko rule"
                    .to_owned()
            }
            Some(rules) => {
                let names: Vec<&str> = rules.iter().map(|rule| rule.name()).collect();
                format!(
                    "under these ko rules, as the checker grants: {}",
                    names.join(", ")
                )
            }
            None => {
                "if no situation comes up twice; with --proof the checker is asked for the ko rules"
                    .to_owned()
            }
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
            Some((bound, Verdict::Proven)) => writeln!(out, "{bound} is proven")?,
            Some((bound, Verdict::Refuted)) => {
                writeln!(out, "{bound} cannot be forced, not without repetitions")?;
            }
            Some((bound, Verdict::NotProven | Verdict::Stopped)) => {
                writeln!(out, "{bound} was not proven")?;
            }
            None if lower == upper => writeln!(out, "{lower} {}", self.confirmation())?,
            None if self.stopped => {
                writeln!(out, "between {lower} and {upper}, as far as was searched")?;
            }
            None => writeln!(out, "between {lower} and {upper}, as repetitions decide")?,
        }
        if let Some((ko, interval)) = self.rule {
            writeln!(out, "{}, searched with history: {interval}", rule_name(ko))?;
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
            value: self.interval.value(),
            any_ko_rule: self.is_under_any_ko_rule(),
            ko_rules: self
                .confirmed
                .as_ref()
                .map(|rules| rules.iter().map(|rule| rule.name()).collect()),
            asked: self.asked.map(|(bound, verdict)| Asked {
                bound: bound.to_string(),
                proven: verdict == Verdict::Proven,
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
        Ko::Simple => "Simple ko, repetitions tie",
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
