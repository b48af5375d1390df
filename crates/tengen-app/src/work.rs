//! How a job is carried out, by whatever host.

use std::sync::Arc;
use std::time::Duration;

use tengen_search::{
    Analysis, Beside, Choice, Choosing, Engine, Limits, Settling, Stop, Task, Thinking,
};
use tengen_solver::Proving;

use crate::exact::{Pursuit, Question};
use crate::job::{Finding, Job, JobKind, Report};

/// Situations that a proof looks at before others get a turn: some hundredths of a second.
const PORTION: u64 = 1 << 14;

/// The share of the visits that a move gets which is looked at whatever it seems worth: enough to be compared with the
/// best one.
const SHARE: f32 = 0.2;

/// The same in a review, which asks what the move lost. It knows that best if both moves have about as many visits, and
/// what is left looks for a better one.
const SHARE_OF_REVIEWED: f32 = 0.33;

/// How much of a job to do at once, so that a host can do others in between. The default is all of it. A
/// [value](JobKind::Exact) and a [proof](JobKind::Proof) have portions of their own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Portion {
    /// Visits to add, if there is a limit.
    pub visits: Option<u32>,
    /// How long it may take, if there is a limit.
    pub time: Option<Duration>,
    /// How often an analysis is reported before the portion ends, if at all. The first portion decides.
    pub report_every: Option<Duration>,
}

/// A job in the hands of an engine.
///
/// ```
/// use tengen_app::{Finding, Job, JobId, JobKind, Portion, Report, Work};
/// use tengen_core::{Game, Rules, Size};
/// use tengen_search::{Engine, Options, Stop};
///
/// let job = Job {
///     id: JobId(1),
///     viewer: None,
///     game: "g".to_owned(),
///     node: 0,
///     position: Game::new(Size::square(5)?, Rules::default()),
///     kind: JobKind::Analyze { visits: 60, beside: None },
/// };
/// let mut engine = Engine::new(Options { threads: 1, ..Options::default() });
/// let mut work = Work::new(job);
/// let portion = Portion { visits: Some(25), ..Portion::default() };
/// let mut reports = Vec::new();
/// while !work.is_done() {
///     work.step(&mut engine, portion, &Stop::new(), &mut |report| reports.push(report));
/// }
/// assert_eq!(reports.len(), 3);
/// assert!(matches!(&reports[2], Report::Done(Finding::Analysis(found)) if found.visits == 60));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Work {
    job: Job,
    stage: Stage,
}

/// What a job is at.
#[derive(Debug)]
enum Stage {
    /// Nobody has begun it.
    Waiting,
    /// A proof goes on.
    Proving(Box<Pursuit>),
    /// A proof is looked for, to be written down.
    Seeking(Box<Proving>),
    /// The position is searched.
    Searching(Box<Thinking>),
    /// A move is chosen.
    Choosing(Box<Choosing>),
    /// The board is settled; in an estimate, after an analysis.
    Settling(Box<Settling>, Option<Box<Analysis>>),
    /// Everything has been done.
    Done,
}

impl Work {
    /// A job that nobody has begun. [`JobKind::Program`] is for a program, not for an engine: its work reports a
    /// failure.
    pub const fn new(job: Job) -> Self {
        let stage = Stage::Waiting;
        Self { job, stage }
    }

    /// The job.
    pub const fn job(&self) -> &Job {
        &self.job
    }

    /// Has everything been done?
    pub const fn is_done(&self) -> bool {
        matches!(self.stage, Stage::Done)
    }

    /// Does all of the job.
    pub fn finish(&mut self, engine: &mut Engine, stop: &Stop, report: &mut dyn FnMut(Report)) {
        while !self.is_done() {
            self.step(engine, Portion::default(), stop, report);
        }
    }

    /// Does a portion of the job and reports what came of it. A job that is stopped is done and reports nothing more.
    pub fn step(
        &mut self,
        engine: &mut Engine,
        portion: Portion,
        stop: &Stop,
        report: &mut dyn FnMut(Report),
    ) {
        let part = tengen_search::Portion {
            visits: portion.visits,
            time: portion.time,
        };
        // A panic in between leaves a job that is done.
        let stage = match std::mem::replace(&mut self.stage, Stage::Done) {
            Stage::Waiting if stop.is_stopped() => Stage::Done,
            Stage::Waiting => self.begin(engine, portion).unwrap_or_else(|reason| {
                report(Report::Failed(reason));
                Stage::Done
            }),
            begun => begun,
        };
        self.stage = match stage {
            Stage::Waiting | Stage::Done => Stage::Done,
            Stage::Proving(pursuit) => prove(pursuit, stop, report),
            Stage::Seeking(proving) => seek(proving, stop, report),
            Stage::Searching(thinking) => self.search(thinking, engine, part, stop, report),
            Stage::Choosing(mut choosing) => {
                let decision = choosing.step(engine, part, stop, &mut |_| {});
                if stop.is_stopped() {
                    choosing.abandon(engine);
                    Stage::Done
                } else if let Some(decision) = decision {
                    report(Report::Done(Finding::Move(decision.action)));
                    Stage::Done
                } else {
                    Stage::Choosing(choosing)
                }
            }
            Stage::Settling(mut settling, analysis) => {
                let settlement = settling.step(engine, part, stop).map(Box::new);
                match (settlement, analysis) {
                    _ if stop.is_stopped() => Stage::Done,
                    (None, analysis) => Stage::Settling(settling, analysis),
                    (Some(settlement), Some(analysis)) => {
                        report(Report::Done(Finding::Estimate(analysis, settlement)));
                        Stage::Done
                    }
                    (Some(settlement), None) => {
                        report(Report::Done(Finding::Settlement(settlement)));
                        Stage::Done
                    }
                }
            }
        };
    }

    /// Begins the job, or says why it cannot be done.
    fn begin(&self, engine: &mut Engine, portion: Portion) -> Result<Stage, String> {
        let game = &self.job.position;
        match self.job.kind {
            JobKind::Move {
                level,
                time,
                visits,
            } => {
                let limits = Limits {
                    visits: Some(visits),
                    time,
                    may_end_early: true,
                };
                let choice = Choice {
                    task: Task {
                        limits,
                        ..Task::default()
                    },
                    level,
                    may_resign: true,
                    ..Choice::default()
                };
                let choosing = Choosing::new(game, &choice);
                Ok(Stage::Choosing(Box::new(choosing)))
            }
            JobKind::Hint { visits }
            | JobKind::Estimate { visits }
            | JobKind::Analyze { visits, .. }
            | JobKind::Review { visits, .. } => {
                let (beside, share) = match self.job.kind {
                    JobKind::Analyze { beside, .. } => (beside, SHARE),
                    JobKind::Review { beside, .. } => (beside, SHARE_OF_REVIEWED),
                    _ => (None, SHARE),
                };
                let task = Task {
                    limits: Limits::visits(visits),
                    beside: beside.map(|action| Beside { action, share }),
                    report_every: portion.report_every,
                    ..Task::default()
                };
                let thinking = engine.begin(game, &task);
                Ok(Stage::Searching(Box::new(thinking)))
            }
            JobKind::Propose => Ok(Stage::Settling(Box::new(Settling::new(game)), None)),
            // It uses the memory that the engine would.
            JobKind::Exact { nodes } => Question::of(game)
                .pursue(nodes, engine.options().memory as u64)
                .map(|pursuit| Stage::Proving(Box::new(pursuit))),
            JobKind::Proof { bound, nodes } => Question::of(game)
                .prove(bound, nodes, engine.options().memory as u64)
                .map(|proving| Stage::Seeking(Box::new(proving))),
            JobKind::Program { ref name, .. } => Err(format!("{name} is no engine of this host")),
        }
    }

    /// A portion of the search of the position, and what follows.
    fn search(
        &self,
        mut thinking: Box<Thinking>,
        engine: &mut Engine,
        part: tengen_search::Portion,
        stop: &Stop,
        report: &mut dyn FnMut(Report),
    ) -> Stage {
        let is_watched = matches!(self.job.kind, JobKind::Analyze { .. });
        let is_last = engine.go_on(&mut thinking, part, stop, &mut |analysis| {
            if is_watched {
                report(Report::Progress(Box::new(analysis.clone())));
            }
        });
        if stop.is_stopped() {
            engine.end(*thinking);
            return Stage::Done;
        }
        if !is_last {
            if is_watched {
                report(Report::Progress(Box::new(thinking.so_far())));
            }
            return Stage::Searching(thinking);
        }
        let analysis = Box::new(engine.end(*thinking));
        if let JobKind::Estimate { .. } = self.job.kind {
            let settling = Settling::new(&self.job.position);
            return Stage::Settling(Box::new(settling), Some(analysis));
        }
        report(Report::Done(Finding::Analysis(analysis)));
        Stage::Done
    }
}

/// A portion of a proof. How much that is does not depend on the clock, so that the same is found everywhere.
fn prove(mut pursuit: Box<Pursuit>, stop: &Stop, report: &mut dyn FnMut(Report)) -> Stage {
    if stop.is_stopped() {
        return Stage::Done;
    }
    let news = pursuit.go_on(PORTION).map(Box::new);
    let is_done = pursuit.is_done();
    if let Some(values) = news {
        report(match is_done {
            true => Report::Done(Finding::Values(values)),
            false => Report::Proving(values),
        });
    }
    match is_done {
        true => Stage::Done,
        false => Stage::Proving(pursuit),
    }
}

/// A portion of the search for a proof.
fn seek(mut proving: Box<Proving>, stop: &Stop, report: &mut dyn FnMut(Report)) -> Stage {
    match proving.go_on(PORTION, stop) {
        _ if stop.is_stopped() => Stage::Done,
        Some(ended) => {
            report(Report::Done(Finding::Proof(ended.ok().map(Arc::new))));
            Stage::Done
        }
        None => {
            report(Report::Seeking {
                nodes: proving.nodes(),
                found: proving.is_proven(),
            });
            Stage::Seeking(proving)
        }
    }
}
