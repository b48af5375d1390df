//! What viewers want engines to find out.

use std::marker::PhantomData;

use tengen_core::Move;

use super::{Errand, Later, Purpose, Room, Ticket, Viewer};
use crate::analysis::{Ownership, Verdict};
use crate::event::Event;
use crate::host::unsupported;
use crate::job::{Finding, JobKind};
use crate::legality;
use crate::limits::at_most;
use crate::refusal::Refusal;
use crate::results::{Estimate, Hint, MoveJudged};
use crate::review::Running;

impl Room {
    /// Refuses what the host does not offer.
    pub(super) fn check_feature(&self, feature: &str) -> Result<(), Refusal> {
        match self.settings.features.get(feature) {
            Some(true) => Ok(()),
            _ => Err(unsupported(feature)),
        }
    }

    pub(super) fn errand(
        &self,
        game: &str,
        node: usize,
        purpose: Purpose,
    ) -> Result<Errand, Refusal> {
        let table = self.table(game)?;
        table.tree.node(node)?;
        Ok(Errand {
            game: game.to_owned(),
            node,
            size: table.tree.size(),
            purpose,
        })
    }

    const fn new_ticket(&mut self) -> Ticket {
        self.last_ticket += 1;
        Ticket(self.last_ticket)
    }

    /// Looks for a good move.
    pub(crate) fn seek_hint(
        &mut self,
        viewer: Viewer,
        game: &str,
        node: Option<usize>,
    ) -> Result<Later<Hint>, Refusal> {
        self.check_feature("hint")?;
        let node = node.unwrap_or(self.table(game)?.live);
        let position = self.table(game)?.position(node)?;
        let ticket = self.new_ticket();
        let errand = self.errand(game, node, Purpose::Hint(ticket, viewer))?;
        if let Some(former) = self.waiting.entry(viewer).or_default().hint.take() {
            self.cancel(former);
        }
        let visits = self.settings.effort.hint_visits;
        let job = self.send(errand, Some(viewer), position, JobKind::Hint { visits });
        self.waiting.entry(viewer).or_default().hint = Some(job);
        Ok(Later {
            ticket,
            result: PhantomData,
        })
    }

    /// Judges a move beside the best one.
    pub(crate) fn seek_judgement(
        &mut self,
        viewer: Viewer,
        (game, node): (&str, usize),
        action: Move,
    ) -> Result<Later<MoveJudged>, Refusal> {
        self.check_feature("review")?;
        let trail = self.table(game)?.tree.trail(node)?.going_on();
        legality::check(&trail, action)?;
        let ticket = self.new_ticket();
        let errand = self.errand(game, node, Purpose::Judgement(ticket, viewer, action))?;
        if let Some(former) = self.waiting.entry(viewer).or_default().judgement.take() {
            self.cancel(former);
        }
        let visits = self.settings.effort.judge_visits;
        let kind = JobKind::Judge { action, visits };
        let job = self.send(errand, Some(viewer), trail.game, kind);
        self.waiting.entry(viewer).or_default().judgement = Some(job);
        Ok(Later {
            ticket,
            result: PhantomData,
        })
    }

    /// Estimates the score.
    pub(crate) fn seek_estimate(
        &mut self,
        viewer: Viewer,
        game: &str,
        node: Option<usize>,
    ) -> Result<Later<Estimate>, Refusal> {
        self.check_feature("estimate")?;
        let node = node.unwrap_or(self.table(game)?.live);
        let position = self.table(game)?.position(node)?;
        let ticket = self.new_ticket();
        let errand = self.errand(game, node, Purpose::Estimate(ticket, viewer))?;
        if let Some(former) = self.waiting.entry(viewer).or_default().estimate.take() {
            self.cancel(former);
        }
        let visits = self.settings.effort.hint_visits;
        let job = self.send(errand, Some(viewer), position, JobKind::Estimate { visits });
        self.waiting.entry(viewer).or_default().estimate = Some(job);
        Ok(Later {
            ticket,
            result: PhantomData,
        })
    }

    /// Lets a viewer watch an analysis, instead of another one.
    pub(crate) fn watch_analysis(
        &mut self,
        viewer: Viewer,
        (game, node): (&str, usize),
        visits: Option<u32>,
        shown: Ownership,
    ) -> Result<(), Refusal> {
        self.check_feature("analysis")?;
        let visits = self.check_visits(visits, self.settings.effort.analysis_visits)?;
        let position = self.table(game)?.position(node)?;
        let errand = self.errand(game, node, Purpose::Analysis(viewer, shown))?;
        self.stop_analysis(viewer);
        let job = self.send(errand, Some(viewer), position, JobKind::Analyze { visits });
        self.waiting.entry(viewer).or_default().analysis = Some(job);
        Ok(())
    }

    pub(crate) fn stop_analysis(&mut self, viewer: Viewer) {
        let waiting = self.waiting.get_mut(&viewer);
        if let Some(job) = waiting.and_then(|waiting| waiting.analysis.take()) {
            self.cancel(job);
        }
    }

    fn check_visits(&self, wanted: Option<u32>, usual: u32) -> Result<u32, Refusal> {
        let most = self.settings.limits.visits;
        let visits = wanted.unwrap_or(usual);
        at_most("visits", visits as usize, most as usize)?;
        if visits == 0 {
            return Err(Refusal::params("no visits"));
        }
        Ok(visits)
    }

    /// Begins to look at every position of the main line. Says how many there are, and how many are known already.
    pub(crate) fn start_review(
        &mut self,
        viewer: Viewer,
        game: &str,
        visits: Option<u32>,
    ) -> Result<(usize, usize), Refusal> {
        self.check_feature("review")?;
        let visits = self.check_visits(visits, self.settings.effort.review_visits)?;
        self.table(game)?;
        let is_other =
            |table: &&crate::table::Table| table.review.running.is_some() && table.id != game;
        let others = self.tables.values().filter(is_other).count();
        at_most("reviews", others + 1, self.settings.limits.reviews)?;
        self.stop_review(game);
        let Some(table) = self.tables.get_mut(game) else {
            return Ok((0, 0));
        };
        let line = table.tree.main_line();
        let known = |node: &usize| table.review.knows(*node, visits);
        let (mut nodes, rest): (Vec<usize>, Vec<usize>) = line.into_iter().partition(known);
        let done = nodes.len();
        nodes.extend(rest);
        let total = nodes.len();
        table.review.running = Some(Running {
            viewer,
            visits,
            nodes,
            done,
            job: None,
        });
        self.advance_review(game);
        Ok((total, done))
    }

    /// Stops a review; what it has found stays.
    pub(crate) fn stop_review(&mut self, game: &str) {
        let Some(table) = self.tables.get_mut(game) else {
            return;
        };
        let Some(running) = table.review.running.take() else {
            return;
        };
        if table.keep && running.done > 0 {
            self.dirty.insert(game.to_owned());
        }
        if let Some(job) = running.job {
            self.cancel(job);
        }
    }

    /// Looks at the next position of a review, unless it is busy with one or at its end.
    pub(crate) fn advance_review(&mut self, game: &str) {
        let Some(table) = self.tables.get(game) else {
            return;
        };
        let Some(running) = &table.review.running else {
            return;
        };
        if running.job.is_some() {
            return;
        }
        let (viewer, visits) = (running.viewer, running.visits);
        let next = running.nodes.get(running.done).copied();
        let found = next.map(|node| {
            let position = table.position(node)?;
            Ok((position, self.errand(game, node, Purpose::Review)?))
        });
        match found {
            Some(Ok((position, errand))) => {
                let kind = JobKind::Review { visits };
                let job = self.send(errand, Some(viewer), position, kind);
                let table = self.tables.get_mut(game);
                if let Some(running) = table.and_then(|table| table.review.running.as_mut()) {
                    running.job = Some(job);
                }
            }
            Some(Err(Refusal { .. })) | None => self.stop_review(game),
        }
    }

    /// A position of a review has been looked at.
    pub(super) fn reviewed(&mut self, errand: &Errand, finding: Result<Finding, String>) {
        let game = errand.game.as_str();
        let Some(table) = self.tables.get_mut(game) else {
            return;
        };
        let Some(running) = &mut table.review.running else {
            return;
        };
        running.job = None;
        running.done += 1;
        let (done, total) = (running.done, running.nodes.len());
        let mut viewers = table.watchers.clone();
        viewers.insert(running.viewer);
        let event = match finding {
            Ok(Finding::Analysis(analysis)) => {
                let verdict = Verdict::of(&analysis);
                table.review.verdicts.insert(errand.node, verdict);
                let reviewed = table.review.message(&table.tree, errand.node);
                reviewed.map(|reviewed| Event::Review {
                    game: game.to_owned(),
                    done,
                    total,
                    reviewed,
                })
            }
            other => Some(Event::ReviewFailed {
                game: game.to_owned(),
                done: done - 1,
                total,
                failed: other.err().unwrap_or_else(|| "no analysis".to_owned()),
            }),
        };
        let has_failed = matches!(event, Some(Event::ReviewFailed { .. }));
        if let Some(event) = event {
            self.deliver(viewers.into_iter().collect(), event);
        }
        if has_failed {
            self.stop_review(game);
        } else {
            self.advance_review(game);
        }
    }
}
