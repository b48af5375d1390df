//! `tengen verify`: is a proof a proof, and of what?

use std::fs::File;
use std::io::{self, BufReader, Read, Write};
use std::ops::ControlFlow;

use anyhow::{Context, Result};
use clap::Args;
use serde::Serialize;
use tengen_core::{Move, PointSet, Stop};
use tengen_solver::verify::{
    KoRule, LocalTheorem, Proven, Refusal, RuleGrant, Theorem, verify_any,
};

use crate::failure::Usage;
use crate::interrupt::Interrupt;
use crate::progress::ProgressLine;

/// Check a certificate of `tengen solve` and say what it proves.
///
/// The checker shares no code with the solver but the format of the file. It plays the strategy in the certificate
/// against all that the opponent can do, by the rules of the toolkit, and believes nothing that the file says.
/// docs/proofs.md says why what it accepts is a proof, and describes the file so that others can write a checker, too.
#[derive(Args)]
#[command(after_long_help = "\
Examples:
  tengen solve 3x5 --proof 3x5.proof
  tengen verify 3x5.proof
  tengen verify 3x5.proof --json
  tengen solve corner.txt --region --proof corner.proof && tengen verify corner.proof

The exit code is 0 if the certificate is a proof, 1 if it is not. What is wrong is told with its place in the file,
in bytes from the beginning, and with the moves that lead there.

Fields of --json: valid; if it is true, claim (a sentence; margins are Black's, without komi), board, prover,
margin, nodes (the prover's situations, symmetric ones once), replies (moves of the opponent that were tried),
unused (entries that the strategy never needs) ko_rules (those of simple, situational and positional for which the
proof holds) and repetitions (for other rules a line of the strategy that repeats a board); if it is false, error,
offset (null if no place can be named) and line (the moves that lead there).
A proof about a part of a board has instead of margin, ko_rules and repetitions: position, region, target, goal
(capture, stand or live), attacker_threats and defender_threats (none, one, a number or any).")]
pub(crate) struct VerifyArgs {
    /// A certificate, or - for standard input.
    file: String,
    /// Print a JSON object.
    #[arg(long)]
    json: bool,
    /// Report progress even if standard error is not a terminal.
    #[arg(long)]
    progress: bool,
}

/// Checks the file and prints the theorem.
pub(crate) fn run(args: &VerifyArgs) -> Result<()> {
    let input: Box<dyn Read> = match args.file.as_str() {
        "-" => Box::new(io::stdin().lock()),
        file => {
            let opened = File::open(file);
            let opened = opened.map_err(|error| Usage::new(format_args!("{file}: {error}")))?;
            if opened.metadata().is_ok_and(|about| about.is_dir()) {
                return Err(Usage::new(format_args!("{file}: a folder, not a certificate")).into());
            }
            Box::new(BufReader::with_capacity(1 << 16, opened))
        }
    };
    let stop = Stop::new();
    Interrupt::stops(&stop)?;
    let mut progress = ProgressLine::new(args.progress);
    let verdict = verify_any(input, &mut |state| {
        progress.report(state.done as usize, state.all.max(1) as usize);
        match stop.is_stopped() {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    });
    drop(progress);
    let mut out = io::stdout().lock();
    match verdict {
        Ok(Proven::Board(theorem)) if args.json => {
            writeln!(out, "{}", serde_json::to_string(&BoardJson::of(&theorem))?)?;
        }
        Ok(Proven::Board(theorem)) => print(&theorem, &mut out)?,
        Ok(Proven::Local(theorem)) if args.json => {
            writeln!(out, "{}", serde_json::to_string(&LocalJson::of(&theorem))?)?;
        }
        Ok(Proven::Local(theorem)) => print_local(&theorem, &mut out)?,
        Err(refusal) => {
            if args.json {
                writeln!(out, "{}", serde_json::to_string(&Refused::of(&refusal))?)?;
            }
            return Err(refusal).with_context(|| format!("{} is refused", args.file));
        }
    }
    Ok(())
}

fn print(theorem: &Theorem, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "Valid: {theorem}")?;
    writeln!(out, "{} nodes, {} replies", theorem.nodes, theorem.replies)?;
    if theorem.unused > 0 {
        writeln!(out, "{} entries are not needed", theorem.unused)?;
    }
    for rule in KoRule::ALL {
        let name = match rule {
            KoRule::Simple => "Simple ko",
            KoRule::Situational => "Situational superko",
            KoRule::Positional => "Positional superko",
        };
        let mut repetitions = theorem.repetitions.iter();
        let repetition = repetitions.find(|repetition| repetition.rule == rule);
        match (theorem.ko_rules.get(rule), repetition) {
            (RuleGrant::Granted, _) => writeln!(out, "{name}: holds")?,
            (RuleGrant::Refused, Some(line)) => {
                writeln!(
                    out,
                    "{name}: not by this proof, which may repeat a board: {line}"
                )?;
            }
            (RuleGrant::Refused, None) => writeln!(out, "{name}: not by this proof")?,
            (RuleGrant::Unknown, _) => {
                writeln!(
                    out,
                    "{name}: not known, there are too many lines to look at"
                )?;
            }
        }
    }
    Ok(())
}

fn print_local(theorem: &LocalTheorem, out: &mut impl Write) -> io::Result<()> {
    let claim = &theorem.claim;
    writeln!(out, "Valid: {theorem}")?;
    writeln!(out, "{}", claim.start)?;
    let size = claim.start.size;
    let region: Vec<String> = claim.region.iter().map(|at| at.to_gtp(size)).collect();
    writeln!(out, "Region: {}", region.join(" "))?;
    writeln!(out, "{} nodes, {} replies", theorem.nodes, theorem.replies)?;
    if theorem.unused > 0 {
        writeln!(out, "{} entries are not needed", theorem.unused)?;
    }
    Ok(())
}

/// What is proven about a part of a board.
#[derive(Serialize)]
struct LocalJson {
    valid: bool,
    claim: String,
    board: String,
    position: String,
    region: Vec<String>,
    target: Vec<String>,
    prover: String,
    goal: &'static str,
    attacker_threats: String,
    defender_threats: String,
    nodes: u64,
    replies: u64,
    unused: u64,
}

impl LocalJson {
    fn of(theorem: &LocalTheorem) -> Self {
        let claim = &theorem.claim;
        let size = claim.start.size;
        let names = |set: &PointSet| set.iter().map(|point| point.to_gtp(size)).collect();
        Self {
            valid: true,
            claim: theorem.to_string(),
            board: size.to_string(),
            position: claim.start.to_string(),
            region: names(&claim.region),
            target: names(&claim.target),
            prover: claim.prover().to_string().to_lowercase(),
            goal: claim.goal.name(),
            attacker_threats: claim.threats.attacker.to_string(),
            defender_threats: claim.threats.defender.to_string(),
            nodes: theorem.nodes,
            replies: theorem.replies,
            unused: theorem.unused,
        }
    }
}

#[derive(Serialize)]
struct BoardJson {
    valid: bool,
    claim: String,
    board: String,
    prover: &'static str,
    margin: i32,
    nodes: u64,
    replies: u64,
    unused: u64,
    ko_rules: Vec<&'static str>,
    repetitions: Vec<Repeated>,
}

#[derive(Serialize)]
struct Repeated {
    rule: &'static str,
    line: String,
}

impl BoardJson {
    fn of(theorem: &Theorem) -> Self {
        Self {
            valid: true,
            claim: theorem.to_string(),
            board: theorem.claim.start.size.to_string(),
            prover: match theorem.claim.bound.prover {
                tengen_core::Color::Black => "black",
                tengen_core::Color::White => "white",
            },
            margin: theorem.claim.bound.margin,
            nodes: theorem.nodes,
            replies: theorem.replies,
            unused: theorem.unused,
            ko_rules: theorem.ko_rules.granted().map(KoRule::name).collect(),
            repetitions: theorem
                .repetitions
                .iter()
                .map(|repetition| Repeated {
                    rule: repetition.rule.name(),
                    line: repetition.to_string(),
                })
                .collect(),
        }
    }
}

#[derive(Serialize)]
struct Refused {
    valid: bool,
    error: String,
    offset: Option<u64>,
    line: Vec<String>,
}

impl Refused {
    fn of(refusal: &Refusal) -> Self {
        let size = refusal.size;
        let gtp = |action: &Move| size.map(|size| action.to_gtp(size));
        Self {
            valid: false,
            error: refusal.to_string(),
            offset: refusal.offset,
            line: refusal.line.iter().filter_map(gtp).collect(),
        }
    }
}
