//! What viewers want engines to find out.

use std::marker::PhantomData;
use std::sync::Arc;

use tengen_core::Move;

use super::{Errand, Later, Purpose, Room, Ticket, Viewer};
use crate::analysis::Ownership;
use crate::event::Event;
use crate::host::unsupported;
use crate::job::{Finding, JobKind};
use crate::legality;
use crate::limits::at_most;
use crate::refusal::Refusal;
use crate::results::{Estimate, Hint, MoveJudged, ReviewStarted};
use crate::review::{Round, Running, next_move};
use crate::table::Table;
use crate::verdict::Verdict;

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

    pub(super) const fn new_ticket(&mut self) -> Ticket {
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
        let kind = JobKind::Review {
            visits: self.settings.effort.hint_visits,
            beside: Some(action),
        };
        let job = self.send(errand, Some(viewer), trail.game, kind);
        self.waiting.entry(viewer).or_default().judgement = Some(job);
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
        let table = self.table(game)?;
        let position = table.position(node)?;
        let beside = played(table, node, &position);
        let errand = self.errand(game, node, Purpose::Analysis(viewer, shown))?;
        self.stop_analysis(viewer);
        let kind = JobKind::Analyze { visits, beside };
        let job = self.send(errand, Some(viewer), position, kind);
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

    /// Begins to look at every position of the main line, and then closer at those that matter.
    pub(crate) fn start_review(
        &mut self,
        viewer: Viewer,
        game: &str,
        visits: Option<u32>,
    ) -> Result<ReviewStarted, Refusal> {
        self.check_feature("review")?;
        let most = self.check_visits(visits, self.settings.effort.review_visits)?;
        self.table(game)?;
        let is_other = |table: &&Table| table.review.running.is_some() && table.id != game;
        let others = self.tables.values().filter(is_other).count();
        at_most("reviews", others + 1, self.settings.limits.reviews)?;
        self.stop_review(game);
        let first = self.settings.effort.first_visits.clamp(1, most);
        let Some(table) = self.tables.get_mut(game) else {
            return Err(super::no_game(game));
        };
        table.review.running = Some(Running {
            viewer,
            most,
            round: Round::first(&table.review, &table.tree, first),
            job: None,
        });
        let (done, total) = table.review.progress();
        self.advance_review(game);
        let review = &self.table(game)?.review;
        let running = review.running.is_some();
        let (done, total) = match running {
            true => review.progress(),
            false => (done, total),
        };
        Ok(ReviewStarted {
            running,
            round: review.round(),
            total,
            done,
        })
    }

    /// Stops a review; what it has found stays.
    pub(crate) fn stop_review(&mut self, game: &str) {
        let Some(table) = self.tables.get_mut(game) else {
            return;
        };
        let Some(running) = table.review.running.take() else {
            return;
        };
        if table.keep && !table.review.verdicts.is_empty() {
            self.dirty.insert(game.to_owned());
        }
        if let Some(job) = running.job {
            self.cancel(job);
        }
    }

    /// Looks at the next position of a review, unless it is busy with one or at its end.
    pub(crate) fn advance_review(&mut self, game: &str) {
        let Some(table) = self.tables.get_mut(game) else {
            return;
        };
        let Some(running) = &table.review.running else {
            return;
        };
        if running.job.is_some() {
            return;
        }
        let round = match &running.round {
            round if round.done < round.nodes.len() => Some(round.clone()),
            round => round.closer(&table.review, &table.tree, running.most),
        };
        let (Some(round), viewer) = (round, running.viewer) else {
            self.stop_review(game);
            return;
        };
        let (node, visits) = (round.nodes[round.done], round.visits);
        if let Some(running) = &mut table.review.running {
            running.round = round;
        }
        let found = self.table(game).and_then(|table| {
            let position = table.position(node)?;
            let beside = played(table, node, &position);
            Ok((position, beside, self.errand(game, node, Purpose::Review)?))
        });
        let Ok((position, beside, errand)) = found else {
            self.stop_review(game);
            return;
        };
        let kind = JobKind::Review { visits, beside };
        let job = self.send(errand, Some(viewer), position, kind);
        let table = self.tables.get_mut(game);
        if let Some(running) = table.and_then(|table| table.review.running.as_mut()) {
            running.job = Some(job);
        }
    }

    /// A position of a review has been looked at.
    pub(super) fn reviewed(&mut self, errand: &Errand, finding: Result<Finding, String>) {
        let game = errand.game.as_str();
        let Some(table) = self.tables.get_mut(game) else {
            return;
        };
        let Ok(position) = table.position(errand.node) else {
            return;
        };
        let beside = played(table, errand.node, &position);
        let Some(running) = &mut table.review.running else {
            return;
        };
        running.job = None;
        let mut viewers = table.watchers.clone();
        viewers.insert(running.viewer);
        let failed = match finding {
            Ok(Finding::Analysis(analysis)) => {
                running.round.done += 1;
                let verdict = Verdict::of(&position, &analysis, beside);
                table.review.verdicts.insert(errand.node, Arc::new(verdict));
                table.review.looks += 1;
                None
            }
            other => Some(other.err().unwrap_or_else(|| "no analysis".to_owned())),
        };
        let (round, (done, total)) = (table.review.round(), table.review.progress());
        let reviewed = table.review.message(&table.tree, errand.node);
        let game = game.to_owned();
        match failed {
            None => self.advance_review(&game),
            Some(_) => self.stop_review(&game),
        }
        let review = self.table(&game).map(|table| &table.review);
        let running = review.is_ok_and(|review| review.running.is_some());
        let event = match (failed, reviewed) {
            (Some(failed), _) => Event::ReviewFailed {
                game,
                done,
                total,
                failed,
            },
            (None, Some(reviewed)) => Event::Review {
                game,
                running,
                round,
                done,
                total,
                reviewed: Box::new(reviewed),
            },
            (None, None) => return,
        };
        self.deliver(viewers.into_iter().collect(), event);
    }
}

/// The move that was played at a node, if it can be searched there.
fn played(table: &Table, node: usize, position: &tengen_core::Game) -> Option<Move> {
    let (_, color, action) = next_move(&table.tree, node)?;
    (color == position.to_move() && position.is_legal(action)).then_some(action)
}
