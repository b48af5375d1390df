//! How a job is carried out, by whatever host.

use std::time::Duration;

use tengen_search::{Analysis, Choice, Engine, First, Limits, Stop, Task, Thinking};

use crate::exact::{Pursuit, Question};
use crate::job::{Finding, Job, JobKind, Report};

/// Situations that a proof looks at before others get a turn: some hundredths of a second.
const PORTION: u64 = 1 << 14;

/// How much of a job to do at once, so that a host can do others in between. The default is all of it. A
/// [proof](JobKind::Exact) has portions of its own.
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
///     kind: JobKind::Analyze { visits: 60 },
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
    thinking: Option<Thinking>,
    pursuit: Option<Pursuit>,
    is_done: bool,
}

/// Which of its searches a job is at.
#[derive(Debug)]
enum Stage {
    /// The position itself.
    Position,
    /// The position after a pass, which may be the move to choose.
    AfterPass(Box<Analysis>),
    /// The board is settled, the player to move beginning; in an estimate, after an analysis.
    Settling(Option<Box<Analysis>>),
    /// The board is settled, the other one beginning.
    SettlingTurned(Option<Box<Analysis>>, Box<Analysis>),
}

impl Work {
    /// A job that nobody has begun. [`JobKind::Program`] is for a program, not for an engine: its work reports a
    /// failure.
    pub const fn new(job: Job) -> Self {
        let stage = match job.kind {
            JobKind::Propose => Stage::Settling(None),
            _ => Stage::Position,
        };
        Self {
            job,
            stage,
            thinking: None,
            pursuit: None,
            is_done: false,
        }
    }

    /// The job.
    pub const fn job(&self) -> &Job {
        &self.job
    }

    /// Has everything been done?
    pub const fn is_done(&self) -> bool {
        self.is_done
    }

    /// Does all of the job.
    pub fn finish(&mut self, engine: &mut Engine, stop: &Stop, report: &mut dyn FnMut(Report)) {
        while !self.is_done {
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
        if self.is_done {
            return;
        }
        if let JobKind::Program { name, .. } = &self.job.kind {
            report(Report::Failed(format!("{name} is no engine of this host")));
            self.is_done = true;
            return;
        }
        if let JobKind::Exact { nodes } = self.job.kind {
            self.prove(nodes, engine.options().memory, stop, report);
            return;
        }
        let is_watched = matches!(self.job.kind, JobKind::Analyze { .. });
        let begun = self.thinking.take();
        let mut thinking = begun.unwrap_or_else(|| self.begin(engine, portion));
        let part = tengen_search::Portion {
            visits: portion.visits,
            time: portion.time,
        };
        let is_last = engine.go_on(&mut thinking, part, stop, &mut |analysis| {
            if is_watched {
                report(Report::Progress(Box::new(analysis.clone())));
            }
        });
        if stop.is_stopped() {
            engine.end(thinking);
            self.is_done = true;
        } else if is_last {
            let analysis = Box::new(engine.end(thinking));
            if let Some(finding) = self.advance(engine, analysis) {
                self.is_done = true;
                report(Report::Done(finding));
            }
        } else {
            if is_watched {
                report(Report::Progress(Box::new(thinking.so_far())));
            }
            self.thinking = Some(thinking);
        }
    }

    /// A portion of a proof. How much that is does not depend on the clock, so that the same is found everywhere. It
    /// uses the memory that the engine would.
    fn prove(&mut self, nodes: u64, memory: usize, stop: &Stop, report: &mut dyn FnMut(Report)) {
        if stop.is_stopped() {
            self.pursuit = None;
            self.is_done = true;
            return;
        }
        let pursuit = match &mut self.pursuit {
            Some(pursuit) => pursuit,
            begun @ None => match Question::of(&self.job.position).pursue(nodes, memory as u64) {
                Ok(pursuit) => begun.insert(pursuit),
                Err(reason) => {
                    self.is_done = true;
                    report(Report::Failed(reason));
                    return;
                }
            },
        };
        let news = pursuit.go_on(PORTION).map(Box::new);
        self.is_done = pursuit.is_done();
        if let Some(values) = news {
            report(match self.is_done {
                true => Report::Done(Finding::Values(values)),
                false => Report::Proving(values),
            });
        }
        if self.is_done {
            self.pursuit = None;
        }
    }

    /// Begins the search of the stage.
    fn begin(&self, engine: &mut Engine, portion: Portion) -> Thinking {
        let game = &self.job.position;
        match (&self.stage, &self.job.kind) {
            (Stage::Settling(_), _) => engine.begin_settling(game, First::ToMove),
            (Stage::SettlingTurned(..), _) => engine.begin_settling(game, First::Other),
            (_, JobKind::Move { .. }) => engine.begin_choice(game, &self.choice()),
            (
                _,
                JobKind::Hint { visits }
                | JobKind::Estimate { visits }
                | JobKind::Analyze { visits }
                | JobKind::Review { visits },
            ) => {
                let task = Task {
                    limits: Limits::visits(*visits),
                    report_every: portion.report_every,
                    ..Task::default()
                };
                engine.begin(game, &task)
            }
            (_, JobKind::Propose | JobKind::Program { .. } | JobKind::Exact { .. }) => {
                engine.begin_settling(game, First::ToMove)
            }
        }
    }

    /// How the engine chooses its move in a game.
    fn choice(&self) -> Choice {
        let mut choice = Choice {
            may_resign: true,
            ..Choice::default()
        };
        if let JobKind::Move {
            level,
            time,
            visits,
        } = self.job.kind
        {
            choice.level = level;
            choice.task.limits = Limits {
                visits: Some(visits),
                time,
                may_end_early: true,
            };
        }
        choice
    }

    /// What follows when the search of a stage has ended: the next one, or the end.
    fn advance(&mut self, engine: &mut Engine, analysis: Box<Analysis>) -> Option<Finding> {
        let game = &self.job.position;
        match std::mem::replace(&mut self.stage, Stage::Position) {
            Stage::Position => match self.job.kind {
                JobKind::Move { .. } => {
                    let choice = self.choice();
                    let second = engine.begin_second_look(game, &choice, &analysis);
                    if second.is_some() {
                        self.thinking = second;
                        self.stage = Stage::AfterPass(analysis);
                        return None;
                    }
                    let decision = engine.decide(game, &choice, *analysis, None);
                    Some(Finding::Move(decision.action))
                }
                JobKind::Estimate { .. } => {
                    self.stage = Stage::Settling(Some(analysis));
                    None
                }
                _ => Some(Finding::Analysis(analysis)),
            },
            Stage::AfterPass(first) => {
                let decision = engine.decide(game, &self.choice(), *first, Some(&analysis));
                Some(Finding::Move(decision.action))
            }
            Stage::Settling(found) => {
                self.stage = Stage::SettlingTurned(found, analysis);
                None
            }
            Stage::SettlingTurned(found, first) => {
                let settlement = Box::new(Engine::settled(game, *first, &analysis));
                Some(match found {
                    Some(found) => Finding::Estimate(found, settlement),
                    None => Finding::Settlement(settlement),
                })
            }
        }
    }
}
