//! What engines are asked, and what comes of it.

use serde::Serialize;
use tengen_core::{Game, Move, Settlement, Size};
use tengen_search::Analysis;

use super::{Room, Ticket, Viewer};
use crate::analysis::{AnalysisMessage, Ownership, ownership};
use crate::event::Event;
use crate::host::to_value;
use crate::job::{Finding, Job, JobId, JobKind, Report};
use crate::judgement::{Figures, Judgement};
use crate::outbox::Answer;
use crate::refusal::{Code, Refusal};
use crate::results::{Estimate, Hint, MoveJudged};
use crate::score::{ScoreMessage, estimate, names};
use crate::verdict::Verdict;

/// What an engine was asked, and why.
#[derive(Clone, Debug)]
pub(crate) struct Errand {
    pub game: String,
    pub node: usize,
    pub size: Size,
    pub purpose: Purpose,
}

/// Why an engine was asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// It is its turn.
    Seat,
    /// A game is to be counted.
    Proposal,
    /// Somebody wants to know a good move.
    Hint(Ticket, Viewer),
    /// Somebody wants to know the score.
    Estimate(Ticket, Viewer),
    /// Somebody wants to know what a move is worth.
    Judgement(Ticket, Viewer, Move),
    /// Somebody watches it think.
    Analysis(Viewer, Ownership),
    /// Somebody wants to know what is proven, for an effort of so many situations.
    Exact(Viewer, u64),
    /// Somebody wants to walk through a proof.
    Proof(Ticket, Viewer),
    /// A whole game is looked at.
    Review,
}

const GONE: &str = "the position is gone";
const UNEXPECTED: &str = "the engine has answered another question";

impl Room {
    /// Asks an engine.
    pub(crate) fn send(
        &mut self,
        errand: Errand,
        viewer: Option<Viewer>,
        position: Game,
        kind: JobKind,
    ) -> JobId {
        self.last_job += 1;
        let id = JobId(self.last_job);
        self.outbox.jobs.push(Job {
            id,
            viewer,
            game: errand.game.clone(),
            node: errand.node,
            position,
            kind,
        });
        self.errands.insert(id, errand);
        id
    }

    /// Gives up what an engine was asked; whoever waits for it is told.
    pub(crate) fn cancel(&mut self, job: JobId) {
        let Some(errand) = self.errands.remove(&job) else {
            return;
        };
        // A job that the host has not seen need not be ended.
        let unseen = self.outbox.jobs.len();
        self.outbox.jobs.retain(|waiting| waiting.id != job);
        if self.outbox.jobs.len() == unseen {
            self.outbox.cancelled.push(job);
        }
        match errand.purpose {
            Purpose::Hint(ticket, viewer)
            | Purpose::Estimate(ticket, viewer)
            | Purpose::Proof(ticket, viewer)
            | Purpose::Judgement(ticket, viewer, _) => {
                let refusal = Refusal::new(Code::Cancelled, "nobody waits for it any more");
                self.answer(ticket, viewer, Err::<(), _>(refusal));
            }
            Purpose::Review => {
                let table = self.tables.get_mut(&errand.game);
                if let Some(running) = table.and_then(|table| table.review.running.as_mut()) {
                    running.job = None;
                }
            }
            Purpose::Analysis(..) | Purpose::Exact(..) | Purpose::Seat | Purpose::Proposal => {}
        }
    }

    /// Gives up what an engine was asked about a position that is gone. Who watches it is told; who ends one
    /// knows.
    pub(crate) fn cancel_gone(&mut self, job: JobId) {
        let Some(errand) = self.errands.get(&job).cloned() else {
            return;
        };
        self.cancel(job);
        match errand.purpose {
            Purpose::Analysis(viewer, _) => {
                if let Some(waiting) = self.waiting.get_mut(&viewer) {
                    waiting.analysis = None;
                }
                self.tell_failure(viewer, (errand.game, errand.node), GONE);
            }
            Purpose::Exact(viewer, _) => {
                if let Some(waiting) = self.waiting.get_mut(&viewer) {
                    waiting.exact = None;
                }
                self.tell_exact_failure(viewer, &errand, GONE);
            }
            _ => {}
        }
    }

    /// Does what an engine does here change the game?
    pub(crate) fn may_change_game(&self, job: JobId) -> Option<&str> {
        let errand = self.errands.get(&job)?;
        let changes = matches!(errand.purpose, Purpose::Seat | Purpose::Proposal);
        changes.then_some(errand.game.as_str())
    }

    /// The jobs about a game.
    pub(crate) fn errands_about(&self, game: &str, which: impl Fn(&Errand) -> bool) -> Vec<JobId> {
        let about = self.errands.iter();
        about
            .filter(|(_, errand)| errand.game == game && which(errand))
            .map(|(job, _)| *job)
            .collect()
    }

    pub(super) fn answer(
        &mut self,
        ticket: Ticket,
        viewer: Viewer,
        result: Result<impl Serialize, Refusal>,
    ) {
        self.outbox.answers.push(Answer {
            ticket,
            viewer,
            result: result.and_then(|result| to_value(&result)),
        });
    }

    /// Says what came of a job. False if nobody waits for it any more; the host may then stop it.
    pub fn report(&mut self, job: JobId, report: Report, now: u64) -> bool {
        self.tick(now);
        let finding = match report {
            Report::Progress(analysis) => return self.progress(job, &analysis),
            Report::Proving(values) => return self.proving(job, *values),
            Report::Seeking { nodes, found } => return self.seeking_proof(job, nodes, found),
            Report::Done(finding) => Ok(finding),
            Report::Failed(message) => Err(message),
        };
        let Some(errand) = self.errands.remove(&job) else {
            return false;
        };
        match errand.purpose {
            Purpose::Seat => self.seat_done(&errand, finding, now),
            Purpose::Proposal => self.proposal_done(&errand, finding, now),
            Purpose::Hint(ticket, viewer) => {
                let hint = finding.and_then(|finding| match finding {
                    Finding::Analysis(analysis) => Ok(hint(&analysis, errand.size)),
                    _ => Err(UNEXPECTED.to_owned()),
                });
                self.answer(ticket, viewer, hint.map_err(failed));
            }
            Purpose::Estimate(ticket, viewer) => {
                let estimate = finding.and_then(|finding| match finding {
                    Finding::Estimate(analysis, settlement) => {
                        self.estimated(&errand, &analysis, &settlement)
                    }
                    _ => Err(UNEXPECTED.to_owned()),
                });
                self.answer(ticket, viewer, estimate.map_err(failed));
            }
            Purpose::Judgement(ticket, viewer, action) => {
                let judged = finding.and_then(|finding| match finding {
                    Finding::Analysis(analysis) => self.judged(&errand, &analysis, action),
                    _ => Err(UNEXPECTED.to_owned()),
                });
                self.answer(ticket, viewer, judged.map_err(failed));
            }
            Purpose::Analysis(viewer, shown) => {
                if let Some(waiting) = self.waiting.get_mut(&viewer) {
                    waiting.analysis = None;
                }
                match finding {
                    Ok(Finding::Analysis(analysis)) => {
                        let place = (errand.game.as_str(), errand.node);
                        let mut message =
                            AnalysisMessage::new(place, errand.size, &analysis, shown);
                        message.done = true;
                        self.deliver(vec![viewer], Event::Analysis(Box::new(message)));
                    }
                    other => {
                        let message = other.err().unwrap_or_else(|| UNEXPECTED.to_owned());
                        self.tell_failure(viewer, (errand.game, errand.node), &message);
                    }
                }
            }
            Purpose::Exact(viewer, nodes) => {
                if let Some(waiting) = self.waiting.get_mut(&viewer) {
                    waiting.exact = None;
                }
                match finding {
                    Ok(Finding::Values(values)) => self.proven((viewer, nodes), &errand, *values),
                    other => {
                        let message = other.err().unwrap_or_else(|| UNEXPECTED.to_owned());
                        self.tell_exact_failure(viewer, &errand, &message);
                    }
                }
            }
            Purpose::Proof(ticket, viewer) => match finding {
                Ok(Finding::Proof(proof)) => self.proof_sought((ticket, viewer), proof),
                other => {
                    let message = other.err().unwrap_or_else(|| UNEXPECTED.to_owned());
                    self.answer(ticket, viewer, Err::<(), _>(failed(message)));
                }
            },
            Purpose::Review => self.reviewed(&errand, finding),
        }
        true
    }

    fn progress(&mut self, job: JobId, analysis: &Analysis) -> bool {
        let Some(errand) = self.errands.get(&job) else {
            return false;
        };
        if let Purpose::Analysis(viewer, shown) = errand.purpose {
            let place = (errand.game.as_str(), errand.node);
            let message = AnalysisMessage::new(place, errand.size, analysis, shown);
            self.deliver(vec![viewer], Event::Analysis(Box::new(message)));
        }
        true
    }

    fn tell_failure(&mut self, viewer: Viewer, (game, node): (String, usize), failed: &str) {
        let event = Event::AnalysisFailed {
            game,
            node,
            failed: failed.to_owned(),
            done: true,
        };
        self.deliver(vec![viewer], event);
    }

    /// An engine or a program has moved.
    fn seat_done(&mut self, errand: &Errand, finding: Result<Finding, String>, now: u64) {
        let done = self.change(&errand.game, None, now, |table, settings| {
            table.thought = None;
            let moved = match finding {
                Ok(Finding::Move(action)) => {
                    let moved = table.play_machine(action, &settings.limits, now);
                    moved.map_err(|refusal| refusal.message)
                }
                Ok(_) => Err(UNEXPECTED.to_owned()),
                Err(message) => Err(message),
            };
            if let Err(trouble) = moved {
                table.stumble(trouble);
            }
            Ok(())
        });
        debug_assert_eq!(done, Ok(()));
    }

    /// The engine has looked for dead stones.
    fn proposal_done(&mut self, errand: &Errand, finding: Result<Finding, String>, now: u64) {
        let done = self.change(&errand.game, None, now, |table, _| {
            table.thought = None;
            // Without an opinion all stones are alive, until somebody says otherwise.
            let settlement = match finding {
                Ok(Finding::Settlement(settlement)) => *settlement,
                _ => Settlement::default(),
            };
            table.propose(settlement);
            Ok(())
        });
        debug_assert_eq!(done, Ok(()));
    }

    fn estimated(
        &self,
        errand: &Errand,
        analysis: &Analysis,
        settlement: &Settlement,
    ) -> Result<Estimate, String> {
        let table = self
            .table(&errand.game)
            .map_err(|refusal| refusal.message)?;
        let game = table
            .position(errand.node)
            .map_err(|refusal| refusal.message)?;
        let score = estimate(&game, analysis, settlement);
        let Figures { winrate, lead, .. } = Judgement::of(analysis).value;
        Ok(Estimate {
            ownership: ownership(analysis, errand.size),
            dead: names(&settlement.dead, errand.size),
            seki: names(&settlement.seki, errand.size),
            score: ScoreMessage::from(&score),
            winrate,
            lead,
        })
    }

    /// What a search says about one move of its position.
    fn judged(
        &self,
        errand: &Errand,
        analysis: &Analysis,
        action: Move,
    ) -> Result<MoveJudged, String> {
        let table = self.table(&errand.game);
        let game = table.and_then(|table| table.position(errand.node));
        let game = game.map_err(|refusal| refusal.message)?;
        let verdict = Verdict::of(&game, analysis, Some(action));
        let next = verdict.next.as_ref().ok_or(UNEXPECTED)?;
        Ok(MoveJudged {
            judged: next.into(),
            is_good: verdict.good.iter().any(|good| good == next.action()),
            best: verdict.best().to_owned(),
            best_lead: verdict.lead,
            best_pv: verdict.line,
        })
    }
}

fn failed(message: String) -> Refusal {
    Refusal::new(Code::EngineFailed, message)
}

fn hint(analysis: &Analysis, size: Size) -> Hint {
    let judgement = Judgement::of(analysis);
    let Figures { winrate, lead, .. } = judgement.value;
    Hint {
        action: judgement.best().to_gtp(size),
        visits: judgement.visits,
        winrate,
        lead,
        pv: judgement.variation(size),
    }
}
